"""PRAM of tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonopt.data.columns.markov import MarkovMatrix
from anonopt.masking import PRAM, expectation_ratios, invariant_matrix, pram_matrix

N_ROWS = 3000


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(8)
    return pd.DataFrame(
        {
            "zone": rng.choice(["a", "b", None], N_ROWS, p=[0.5, 0.3, 0.2]),
            "grade": rng.choice([1, 2, 3], N_ROWS, p=[0.6, 0.3, 0.1]),
            "region": rng.choice(["north", "south"], N_ROWS),
        }
    )


def shares(column: pd.Series) -> list[float]:
    return column.value_counts(normalize=True).sort_index().tolist()


def test_missing_cells_stay_missing_and_nothing_else_becomes_missing(frame):
    masked = PRAM("uniform", columns=["zone"], random_state=1).fit_transform(frame)
    np.testing.assert_array_equal(masked["zone"].isna(), frame["zone"].isna())
    assert (masked["zone"] != frame["zone"])[frame["zone"].notna()].mean() == pytest.approx(
        0.5, abs=0.05
    )


def test_missing_cells_are_a_category_when_asked(frame):
    method = PRAM("uniform", columns=["zone"], mask_missing=True, random_state=1)
    masked = method.fit_transform(frame)
    assert masked["zone"].isna().mean() == pytest.approx(1 / 3, abs=0.05)
    assert (masked["zone"].isna() & frame["zone"].notna()).any()
    assert method.matrices_["zone"][0].labels == ("a", "b", "<missing>")


def test_columns_are_masked_with_matrices_of_their_own(frame):
    matrices = {"zone": [[0.0, 1.0], [1.0, 0.0]], "grade": "identity"}
    masked = PRAM(matrices, columns=["zone", "grade"], random_state=1).fit_transform(frame)
    swapped = frame["zone"].map({"a": "b", "b": "a"})
    pd.testing.assert_series_equal(masked["zone"].dropna(), swapped.dropna(), check_dtype=False)
    pd.testing.assert_series_equal(masked["grade"], frame["grade"])


def test_columns_are_drawn_independently(frame):
    twice = frame.assign(again=frame["grade"])[["grade", "again"]]
    masked = PRAM("maximum_entropy", p=0.5, random_state=1).fit_transform(twice)
    stays = (masked == twice).to_numpy()
    assert np.corrcoef(stays.T)[0, 1] == pytest.approx(0, abs=0.06)


def test_named_matrix_is_that_of_the_frequencies(frame):
    method = PRAM("diagonal", theta=0.4, columns=["grade"], random_state=1)
    method.fit_transform(frame)
    counts = frame["grade"].value_counts().sort_index()
    (used,) = method.matrices_["grade"]
    np.testing.assert_array_equal(used, pram_matrix("diagonal", counts, theta=0.4))
    assert used.labels == ("1", "2", "3")


def test_invariant_matrix_keeps_frequencies(frame):
    plain, invariant = (
        PRAM("frequency", p=0.3, invariant=asked, columns=["grade"], random_state=1)
        for asked in (False, True)
    )
    before = shares(frame["grade"])
    after = [shares(method.fit_transform(frame)["grade"]) for method in (plain, invariant)]
    assert max(abs(np.array(after[0]) - before)) > 0.1
    assert max(abs(np.array(after[1]) - before)) < 0.03
    (used,) = invariant.matrices_["grade"]
    counts = frame["grade"].value_counts().sort_index()
    expected = invariant_matrix(pram_matrix("frequency", counts, p=0.3), counts)
    np.testing.assert_array_equal(used, expected)


def test_strata_have_matrices_of_their_own():
    frame = pd.DataFrame(
        {"grade": [1] * 90 + [2] * 10 + [1] * 10 + [2] * 90, "region": ["n"] * 100 + ["s"] * 100}
    )
    method = PRAM(
        "frequency", p=0.5, invariant=True, columns=["grade"], strata=["region"], random_state=1
    )
    masked = method.fit_transform(frame)
    north, south = method.matrices_["grade"]
    assert north.probabilities[0, 0] > 0.8 > 0.5 > south.probabilities[0, 0]
    shares_of_1 = (masked["grade"] == 1).groupby(frame["region"]).mean()
    assert shares_of_1.tolist() == pytest.approx([0.9, 0.1], abs=0.12)
    pd.testing.assert_series_equal(masked["region"], frame["region"])


def test_one_stratum_of_missing_cells_alone():
    frame = pd.DataFrame({"zone": ["a", "b", None, None], "region": ["n", "n", "s", "s"]})
    method = PRAM("frequency", columns=["zone"], strata=["region"], random_state=1)
    masked = method.fit_transform(frame)
    assert masked["zone"].isna().tolist() == [False, False, True, True]


def test_declared_but_unseen_category_may_appear_and_yields_no_nan():
    frame = pd.DataFrame({"zone": pd.Categorical(["a", "b"] * 500, categories=["a", "b", "c"])})
    for invariant in (False, True):
        method = PRAM("frequency", p=0.4, invariant=invariant, random_state=1)
        masked = method.fit_transform(frame)
        (used,) = method.matrices_["zone"]
        assert np.isfinite(used.probabilities).all()
        assert not np.isnan(expectation_ratios(used, [500, 500, 0])).any()
        # An invariant matrix keeps the share of c, which is 0.
        assert (masked["zone"] == "c").any() is np.bool_(not invariant)
        assert masked["zone"].dtype == frame["zone"].dtype


def test_a_matrix_with_labels_must_have_those_of_the_column(frame):
    matrix = MarkovMatrix.of(np.eye(3), labels=["2", "1", "3"])
    method = PRAM(matrix, columns=["grade"], random_state=1)
    with pytest.raises(ValueError, match=r"'grade': expected the categories \['1', '2', '3'\]"):
        method.fit_transform(frame)


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"matrix": np.eye(2)}, r"'grade': expected shape \(3, 3\), found shape \(2, 2\)"),
        ({"matrix": {"zone": np.eye(2)}}, r"columns \['grade'\], found \['zone'\]"),
        ({"matrix": "uniform", "p": 0.5}, "'uniform': expected no parameter, found p"),
        ({"matrix": np.eye(3), "theta": 0.5}, "theta: expected with a named matrix only"),
        ({"strata": ["grade"]}, "strata: expected columns that are not masked, found 'grade'"),
    ],
)
def test_what_does_not_fit_is_refused(frame, options, found):
    with pytest.raises(ValueError, match=found):
        PRAM(**{"columns": ["grade"], "random_state": 1, **options}).fit_transform(frame)
