"""Masking at its edges: whole numbers of any size, text codes, columns of any type, seeds."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from anonopt.masking import (
    MDAV,
    METHODS,
    PRAM,
    AdditiveNoise,
    BottomCoding,
    CellSuppression,
    CorrelatedNoise,
    GlobalMedian,
    GlobalRecoding,
    MaskingMethod,
    Mondrian,
    OptimalMicroaggregation,
    PreClustered,
    RankSwapping,
    TopCoding,
    compared_partitions,
)
from anonopt.problems import MaskingProblem

Makers = dict[str, Callable[..., MaskingMethod]]

MAKERS: Makers = {
    "mdav": lambda **options: MDAV(k=3, **options),
    "optimal-microaggregation": lambda **options: OptimalMicroaggregation(k=3, **options),
    "mondrian": lambda **options: Mondrian(k=3, **options),
    "global-median": lambda **options: GlobalMedian(k=3, **options),
    "rank-swapping": lambda **options: RankSwapping(p=10, random_state=5, **options),
    "additive-noise": lambda **options: AdditiveNoise(share=0.2, random_state=5, **options),
    "correlated-noise": lambda **options: CorrelatedNoise(share=0.2, random_state=5, **options),
    "global-recoding": lambda **options: GlobalRecoding(k=3, **options),
    "top-coding": lambda **options: TopCoding(p=2, **options),
    "bottom-coding": lambda **options: BottomCoding(p=2, **options),
    "pram": lambda **options: PRAM("frequency", p=0.5, random_state=5, **options),
    "pre-clustered": lambda **options: PreClustered(
        MDAV(k=3), n_clusters=2, random_state=5, **options
    ),
    "cell-suppression": lambda **options: CellSuppression(k=3, **options),
}
DRAWS_NUMBERS = ("additive-noise", "correlated-noise")

every = pytest.mark.parametrize("name", METHODS)


def test_every_method_is_here():
    assert set(MAKERS) == set(METHODS)


# Whole numbers beyond 2**53.

BIG = 10**16
ODD = [BIG + 1, BIG + 3, BIG + 5, BIG + 7]


@pytest.mark.parametrize("dtype", ["int64", "Int64", "uint64", "object"])
@pytest.mark.parametrize(
    ("method", "expected"),
    [
        (Mondrian(k=2), [f"[{a}, {b}]" for a, b in ((ODD[0], ODD[1]), (ODD[2], ODD[3]))]),
        (MDAV(k=2), [BIG + 2, BIG + 6]),
        (OptimalMicroaggregation(k=2), [BIG + 2, BIG + 6]),
        (GlobalMedian(k=2), [BIG + 1, BIG + 5]),
        (PreClustered(MDAV(k=2), n_clusters=1, random_state=0), [BIG + 2, BIG + 6]),
    ],
)
def test_point_02_groups_of_whole_numbers_are_exact(method, expected, dtype):
    masked = method.fit_transform(pd.DataFrame({"x": pd.array(ODD, dtype=dtype)}))["x"]
    assert masked.tolist() == [expected[0]] * 2 + [expected[1]] * 2


@pytest.mark.parametrize("method", [MDAV(k=2), OptimalMicroaggregation(k=2)])
def test_point_02_means_that_no_type_holds_are_refused(method):
    frame = pd.DataFrame({"x": [BIG, BIG + 1]})
    with pytest.raises(ValueError, match=rf"column 'x': .* found {BIG} and 1/2, which no float"):
        method.fit_transform(frame)
    median = method.set_params(ordinal={"x": None}).fit_transform(frame)["x"]
    assert median.tolist() == [BIG, BIG]


@every
@pytest.mark.parametrize("dtype", ["int64", "Int64", "object"])
def test_point_02_no_method_rounds(name, dtype):
    # Odd numbers: as floats, every one of them would be even.
    cells = [BIG + 2 * int(step) + 1 for step in np.random.default_rng(0).integers(0, 40, 60)]
    frame = pd.DataFrame({"x": pd.array(cells, dtype=dtype)})
    try:
        masked = MAKERS[name]().fit_transform(frame)["x"]
    except ValueError as error:
        assert "beyond 2**53" in str(error)
        return
    if name == "mondrian":
        masked = masked.str.strip("[]").str.split(", ").explode().astype("int64")
    if name == "cell-suppression":
        masked = masked[masked.astype(str) != "*"]
    assert pd.api.types.infer_dtype(masked) == "integer"
    if name not in DRAWS_NUMBERS:
        assert set(masked) <= set(cells)
    assert any(cell % 2 for cell in masked)


@pytest.mark.parametrize("method", [AdditiveNoise, CorrelatedNoise])
def test_point_02_noise_is_added_to_the_last_digit(method):
    small = pd.DataFrame({"x": range(50)})
    low = method(share=0.5, random_state=1).fit_transform(small)["x"]
    high = method(share=0.5, random_state=1).fit_transform(small + BIG)["x"]
    assert (high - BIG).tolist() == low.tolist()


def test_point_02_clusters_of_whole_numbers():
    frame = pd.DataFrame({"x": [BIG, BIG + 1, BIG + 100, BIG + 101]})
    labels, others = compared_partitions(frame, frame, 2, random_state=0)
    assert labels.tolist() == others.tolist()
    assert len(set(labels[:2])) == len(set(labels[2:])) == 1
    assert len(set(labels)) == 2


@pytest.mark.parametrize("values", [[BIG + 1, BIG + 2, BIG + 3], [Decimal(1), Decimal(2), None]])
def test_point_02_starting_files_take_numbers_of_objects_as_categories(values):
    rng = np.random.default_rng(0)
    cells = [values[place] for place in rng.integers(0, 3, 60)]
    frame = pd.DataFrame({"x": pd.Series(cells, dtype=object), "y": rng.choice(list("pqr"), 60)})
    problem = MaskingProblem(frame, ["IL", "DR"])
    genomes = problem.space.starting_population(np.random.default_rng(1))
    assert set(problem.protect(genomes[0])["x"].dropna()) <= set(cells)


# Text codes.

CODES = ["007", "7", "008", "8", "009", "9"]


def test_point_03_codes_with_leading_zeros_are_swapped_as_texts():
    frame = pd.DataFrame({"code": CODES})
    for seed in range(5):
        method = RankSwapping(p=40, ordinal={"code": None}, random_state=seed)
        masked = method.fit_transform(frame)["code"]
        assert sorted(masked) == sorted(CODES)
        assert masked.tolist() != CODES


@pytest.mark.parametrize("dtype", ["object", "str", "string", "category"])
@every
def test_point_03_text_never_becomes_a_number(name, dtype):
    frame = pd.DataFrame({"zip": pd.Series(["01234", "1234", "01235", "1235"] * 5, dtype=dtype)})
    for ordinal in (None, {"zip": None}):
        try:
            masked = MAKERS[name](ordinal=ordinal).fit_transform(frame)["zip"]
        except ValueError as error:
            assert "column 'zip': expected" in str(error)
            continue
        if name == "mondrian":
            masked = masked.str.strip("[]").str.split(", ").explode()
        assert set(masked) <= set(frame["zip"])


# Codes of a type of their own.

TWENTY_NINETY = {
    "int8": [20, 90],
    "int64": [20, 90],
    "float32": [20, 90],
    "Int64": [20, 90],
    "Float64": [20, 90],
    "boolean": [False, True],
    "bool": [False, True],
    "object": [20, 90],
    "Decimal": [Decimal(20), Decimal(90)],
    "category": [20, 90],
    "datetime64[ns]": [pd.Timestamp("2020-01-20"), pd.Timestamp("2020-01-21")],
    "string": ["20", "90"],
    "str": ["20", "90"],
    "int64[pyarrow]": [20, 90],
    "double[pyarrow]": [20, 90],
    "bool[pyarrow]": [False, True],
    "string[pyarrow]": ["20", "90"],
}


def column_of(dtype: str, cells: list[Any]) -> Any:
    if "pyarrow" in dtype:
        pytest.importorskip("pyarrow")
    return pd.Series(cells, dtype="object" if dtype == "Decimal" else dtype)


@pytest.mark.parametrize("dtype", TWENTY_NINETY)
@pytest.mark.parametrize("method", [TopCoding, BottomCoding, GlobalRecoding])
def test_point_19_code_of_another_type(method, dtype):
    low, high = TWENTY_NINETY[dtype]
    gap = [] if dtype in ("int8", "int64", "bool") else [None]
    frame = pd.DataFrame({"x": column_of(dtype, [low, high, high, *gap])})
    options = {} if method is GlobalRecoding else {"ordinal": {"x": None}}
    masked = method(p=1, code="90+", **options).fit_transform(frame)["x"]
    coded = ["20", "90+", "90+"] if low == "20" else [low, "90+", "90+"]
    if method is not TopCoding:
        coded = ["90+", high, high]
    assert masked.tolist()[:3] == coded
    assert masked.isna().tolist()[3:] == frame["x"].isna().tolist()[3:]


@pytest.mark.parametrize(
    "dtype", ["int64", "Int64", "Float64", "float64", "int64[pyarrow]", "double[pyarrow]"]
)
def test_point_19_numbers_need_no_order(dtype):
    frame = pd.DataFrame({"age": column_of(dtype, [20, 90])})
    assert TopCoding(p=1, code="90+").fit_transform(frame)["age"].tolist() == [20, "90+"]


TYPES: dict[str, Callable[[list[int | None]], Any]] = {
    "float32": lambda cells: pd.Series(cells, dtype="float32"),
    "float64": lambda cells: pd.Series(cells, dtype="float64"),
    "int64": lambda cells: pd.Series([cell or 0 for cell in cells], dtype="int64"),
    "uint8": lambda cells: pd.Series([cell or 0 for cell in cells], dtype="uint8"),
    "Int64": lambda cells: pd.Series(cells, dtype="Int64"),
    "UInt8": lambda cells: pd.Series(cells, dtype="UInt8"),
    "Float64": lambda cells: pd.Series(cells, dtype="Float64"),
    "int64[pyarrow]": lambda cells: column_of("int64[pyarrow]", cells),
    "double[pyarrow]": lambda cells: column_of("double[pyarrow]", cells),
    "decimal": lambda cells: pd.Series(
        [None if cell is None else Decimal(cell) / 4 for cell in cells], dtype=object
    ),
    "object": lambda cells: pd.Series(cells, dtype=object),
    "bool": lambda cells: pd.Series([bool(cell) for cell in cells]),
    "boolean": lambda cells: pd.Series(
        [None if cell is None else cell > 5 for cell in cells], dtype="boolean"
    ),
    "str": lambda cells: pd.Series(
        [None if cell is None else f"c{cell}" for cell in cells], dtype="str"
    ),
    "string": lambda cells: pd.Series(
        [None if cell is None else f"c{cell}" for cell in cells], dtype="string"
    ),
    "category": lambda cells: pd.Series(pd.Categorical(cells)),
    "ordered": lambda cells: pd.Series(pd.Categorical(cells, ordered=True)),
    "date": lambda cells: pd.Series(
        [None if cell is None else datetime.date(2020, 1, 1 + cell) for cell in cells],
        dtype=object,
    ),
    "datetime": lambda cells: pd.to_datetime(
        pd.Series([None if cell is None else f"2020-01-{1 + cell:02d}" for cell in cells])
    ),
    "timezone": lambda cells: TYPES["datetime"](cells).dt.tz_localize("Europe/Berlin"),
    "timedelta": lambda cells: pd.to_timedelta(pd.Series(cells, dtype="float64"), unit="D"),
}
NUMBERS = (
    "float32",
    "float64",
    "int64",
    "uint8",
    "Int64",
    "UInt8",
    "Float64",
    "int64[pyarrow]",
    "double[pyarrow]",
    "decimal",
)
FLOATS = {"int64": "float64", "uint8": "float64", "Int64": "Float64", "UInt8": "Float64"}
FLOATS["int64[pyarrow]"] = "double[pyarrow]"


@pytest.mark.parametrize("dtype", TYPES)
@every
def test_point_19_every_method_takes_every_type_or_says_why_not(name, dtype):
    cells = [int(cell) for cell in np.random.default_rng(1).integers(0, 12, 30)]
    gaps = [None if row % 7 == 3 else cell for row, cell in enumerate(cells)]
    frame = pd.DataFrame({"x": TYPES[dtype](gaps), "kept": range(30)})
    before = frame.copy()
    taken = 0
    for ordinal in (None, {"x": None}):
        try:
            masked = MAKERS[name](columns=["x"], ordinal=ordinal).fit_transform(frame)
        except ValueError as error:
            wanted = "numbers for" if name in DRAWS_NUMBERS else "values in an order for"
            assert f"column 'x': expected {wanted}" in str(error)
            continue
        taken += 1
        assert masked["kept"].equals(frame["kept"])
        of_means = name in ("mdav", "optimal-microaggregation", "pre-clustered") and not ordinal
        own = str(frame["x"].dtype)
        if name not in ("mondrian", "cell-suppression"):
            expected = FLOATS.get(dtype, own) if of_means else own
            if name in DRAWS_NUMBERS and dtype == "uint8":
                expected = "int64"  # Some sums are below 0.
            assert str(masked["x"].dtype) == expected
        if dtype in NUMBERS and ordinal is None and name != "cell-suppression":
            assert masked["x"].isna().equals(frame["x"].isna())
    pd.testing.assert_frame_equal(frame, before)
    assert taken or name in DRAWS_NUMBERS


# By value, noise, and merging.


def test_point_34_ages_from_85_on():
    frame = pd.DataFrame({"age": pd.array([20, 85, 101, None], dtype="Int64")})
    masked = TopCoding(value=85).fit_transform(frame)["age"]
    assert masked.tolist()[:3] == [20, "85+", "85+"]
    assert masked.isna().tolist() == [False, False, False, True]


@pytest.mark.parametrize("method", [AdditiveNoise, CorrelatedNoise, RankSwapping, PRAM])
def test_point_36_draws_are_fresh_unless_seeded(method):
    frame = pd.DataFrame({"x": np.arange(200)})
    options = {RankSwapping: {"p": 10}, PRAM: {"matrix": "uniform"}}.get(method, {"share": 0.5})

    def masked(seed):
        return method(**options, random_state=seed).fit_transform(frame)["x"].tolist()

    assert masked(None) != masked(None)
    assert masked(4) == masked(4) == masked(np.random.default_rng(4)) != masked(5)


def test_point_36_merging_until_every_category_has_k():
    frame = pd.DataFrame(
        {"job": list("aaaabbbcdd"), "age": [20, 20, 21, 30, 30, 30, 31, 60, 61, 61]}
    )
    masked = GlobalRecoding(k=3).fit_transform(frame)
    assert masked["job"].value_counts().min() >= 3
    assert masked["age"].value_counts().min() >= 3
    assert masked["job"].tolist() == list("aaaabbbddd")
    assert masked["age"].tolist() == [20, 20, 20, 30, 30, 30, 61, 61, 61, 61]
