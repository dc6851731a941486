"""Numbers too large or too small to be squared, labels that cover nothing, wrong attackers."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import anonopt as ao

m = ao.masking

SQUARING = {
    "mdav": m.MDAV(k=3),
    "optimal-microaggregation": m.OptimalMicroaggregation(k=3),
    "additive-noise": m.AdditiveNoise(share=0.5, random_state=1),
    "correlated-noise": m.CorrelatedNoise(share=0.5, random_state=1),
    "pre-clustered": m.PreClustered(m.MDAV(k=2), n_clusters=2, random_state=1),
}


def numbers(scale):
    return pd.DataFrame({"x": np.arange(1.0, 13.0) ** 2 * scale})


@pytest.mark.parametrize("scale", [1e-200, 1e-100, 1e100, 1e160])
@pytest.mark.parametrize("name", SQUARING)
def test_point_02_numbers_that_cannot_be_squared_are_refused(name, scale):
    with pytest.raises(ValueError, match=r"column 'x': expected numbers up to 1e\+70 .* found"):
        SQUARING[name].fit_transform(numbers(scale))


@pytest.mark.parametrize("scale", [2.0**-200, 2.0**200])
@pytest.mark.parametrize("name", SQUARING)
def test_point_02_the_size_of_numbers_does_not_matter(name, scale):
    method = SQUARING[name]
    assert (method.fit_transform(numbers(scale)) / scale).equals(method.fit_transform(numbers(1.0)))


@pytest.mark.parametrize("scale", [1e-200, 1e-100, 1e100, 1e160])
def test_point_02_compare_refuses_numbers_that_cannot_be_squared(scale):
    with pytest.raises(ValueError, match=r"column 'x': expected numbers up to 1e\+70 .* found"):
        ao.compare(numbers(scale), numbers(scale).iloc[::-1].reset_index(drop=True))


def test_point_02_compare_does_not_depend_on_the_size_of_numbers():
    masked = m.RankSwapping(p=30, random_state=1)
    found = [
        ao.compare(numbers(scale), masked.fit_transform(numbers(scale)))
        for scale in (1.0, 2.0**-200, 2.0**200)
    ]
    pd.testing.assert_series_equal(found[0], found[1])
    pd.testing.assert_series_equal(found[0], found[2])


def test_noise_that_no_number_holds_is_refused():
    with pytest.raises(ValueError, match=r"share: expected one whose noise .* found 1e\+308"):
        m.AdditiveNoise(share=1e308, random_state=1).fit_transform(pd.DataFrame({"x": range(9)}))


@pytest.mark.parametrize("dtype", ["int64", "Int64"])
def test_point_05_noise_of_whole_numbers_beyond_floats_is_undone(dtype):
    original = pd.DataFrame({"x": pd.Series(10**16 + np.arange(40), dtype=dtype)})
    method = m.AdditiveNoise(share=0.3, random_state=5)
    assert ao.attack(original, method.fit_transform(original), method)["undone"] == 100


@pytest.mark.parametrize(
    ("values", "labels", "found"),
    [
        (["20", "21", "90"], ["[0, 10)"] * 3, r"'\[0, 10\)', which covers none"),
        (["20", "21", "90"], ["20", "21", "91+"], r"'91\+', which covers none"),
        (["20", "21", "90"], ["young", "21", "90"], "'young'"),
        (["2014-01-01", "2014-02-01"], ["other", "2014-02-01"], "'other'"),
        (["2014-01-01", "2014-02-01"], ["2013", "2014-02-01"], "'2013', which covers none"),
        (["a", "b", "c"], ["{x, y}", "b", "c"], r"'\{x, y\}', which covers none"),
    ],
)
def test_point_06_labels_of_text_that_cannot_be_read_are_an_error(values, labels, found):
    original, masked = pd.DataFrame({"x": values}), pd.DataFrame({"x": labels})
    for file in (original, original.astype("category")):
        with pytest.raises(ValueError, match=f"column 'x': expected .* found {found}"):
            ao.compare(file, masked)


def test_point_19_codes_in_columns_that_hold_no_text():
    sparse = pd.DataFrame({"x": pd.arrays.SparseArray([20, 90, 30])})
    assert m.TopCoding(p=1, code="90+").fit_transform(sparse)["x"].tolist() == [20, "90+", 30]
    pytest.importorskip("pyarrow")
    large = pd.DataFrame({"x": pd.Series([10**16 + 3] * 2 + [5], dtype="int64[pyarrow]")})
    masked = m.GlobalRecoding(p=1, code=0.5).fit_transform(large)
    assert masked["x"].tolist() == [10**16 + 3, 10**16 + 3, 0.5]


@pytest.mark.parametrize("method", [None, m.RankSwapping, m.MDAV(k=2)])
def test_attackers_need_a_method_that_draws(method):
    frame = pd.DataFrame({"x": range(9)})
    with pytest.raises(TypeError, match="method: expected one that protects by chance"):
        ao.attack(frame, frame, method)


@pytest.mark.parametrize("p", ["10", None, True])
def test_percent_is_a_number(p):
    frame = pd.DataFrame({"x": range(9)})
    with pytest.raises(TypeError, match="p: expected percent above 0 and up to 100, found"):
        m.RankSwapping(p=p).fit_transform(frame)


@pytest.mark.parametrize("text", ["", "nan", "NA", "<NA>", "None", "NaT", "."])
def test_point_32_missing_cells_that_one_file_holds_as_text_are_an_error(text):
    as_missing = pd.DataFrame({"x": pd.Series([20, None, 30, 40], dtype="Int64")})
    files = [as_missing, as_missing.astype("string"), pd.DataFrame({"x": ["20", text, "30", "40"]})]
    for file in files[:2]:
        for pair in ((file, files[2]), (files[2], file)):
            with pytest.raises(
                ValueError, match=f"column 'x': expected missing .* text '{re.escape(text)}'"
            ):
                ao.compare(*pair)
    both = files[2].mask(files[2]["x"] == "40")
    assert ao.compare(both, both)["DBIL"] == 0


@pytest.mark.parametrize("files", [(None, None), ([1], [1]), (pd.Series([1]), pd.Series([1]))])
def test_compared_files_are_frames(files):
    with pytest.raises(TypeError, match="original: expected a DataFrame, found"):
        ao.compare(*files)


@pytest.mark.parametrize("ordinal", [["x"], {"x": "ab"}])
def test_orders_are_mappings_to_lists(ordinal):
    frame = pd.DataFrame({"x": list("abab")})
    for wrong in (
        lambda: ao.compare(frame, frame, ordinal=ordinal),
        lambda: m.RankSwapping(p=10, ordinal=ordinal).fit_transform(frame),
    ):
        with pytest.raises(TypeError, match=r"expected a (mapping of columns|list of values)"):
            wrong()
