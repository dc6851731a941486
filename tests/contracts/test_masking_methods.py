"""What every registered masking method promises, on one table of columns of all kinds."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

from anonopt.masking import (
    MDAV,
    METHODS,
    CellSuppression,
    MaskingMethod,
    Mondrian,
    PreClustered,
)

ORDER = ["low", "middle", "high", "highest"]
MASKED = ["grade", "age", "zone"]

PARAMETERS = {
    "mdav": {"k": 3},
    "optimal-microaggregation": {"k": 3},
    "mondrian": {"k": 3},
    "global-median": {"k": 3},
    "rank-swapping": {"p": 10, "random_state": 5},
    "additive-noise": {"share": 0.2, "random_state": 5},
    "correlated-noise": {"share": 0.2, "random_state": 5},
    "global-recoding": {"p": 2},
    "top-coding": {"p": 2},
    "bottom-coding": {"p": 2},
    "pram": {"matrix": "diagonal", "theta": 0.9, "random_state": 5},
    "pre-clustered": {"method": MDAV(k=3), "n_clusters": 3, "random_state": 5},
    "cell-suppression": {"k": 3},
}
# Columns as categories: where these are in an order, every method takes them.
ORDERS = {"grade": ORDER, "age": None, "zone": None}

# Noise has no categories to take.
NUMBERS_ONLY = ("additive-noise", "correlated-noise")

every = pytest.mark.parametrize("name", METHODS)


def table(n_rows: int = 60) -> pd.DataFrame:
    """Ordinal with missing cells, whole numbers, an ordered categorical; and columns to keep."""
    rng = np.random.default_rng(11)
    frame = pd.DataFrame(
        {
            "name": [f"person {i}" for i in range(n_rows)],
            "grade": rng.choice([*ORDER[:3], None], n_rows),
            "kept": np.where(rng.random(n_rows) < 0.2, np.nan, rng.normal(size=n_rows)),
            "age": rng.integers(20, 30, n_rows),
            "zone": pd.Categorical(rng.choice(list("abcd"), n_rows)),
        },
        # Neither sorted nor unique, as after joining and shuffling tables.
        index=rng.integers(0, n_rows, n_rows),
    )
    return frame.astype({"grade": object})


def method_of(name: str, **options: object) -> MaskingMethod:
    own = PARAMETERS.get(name, {})
    if name in NUMBERS_ONLY:
        options = {"columns": ["age"], **options, "ordinal": None}
    return METHODS[name](**{**own, "columns": MASKED, "ordinal": ORDERS, **options})


def reseeded(name: str, seed: object) -> MaskingMethod:
    method = method_of(name)
    return method.set_params(random_state=seed) if draws(method) else method


def draws(method: MaskingMethod) -> bool:
    return "random_state" in method.get_params()


@every
def test_rows_index_and_other_columns_stay(name):
    frame = table()
    before = frame.copy()
    masked = method_of(name).fit_transform(frame)
    pd.testing.assert_frame_equal(frame, before)
    pd.testing.assert_index_equal(masked.index, frame.index)
    pd.testing.assert_index_equal(masked.columns, frame.columns)
    pd.testing.assert_frame_equal(masked[["name", "kept"]], frame[["name", "kept"]])
    assert not masked[MASKED].equals(frame[MASKED])


@every
def test_categories_are_never_invented(name):
    frame = table()
    masked = method_of(name).fit_transform(frame)
    if METHODS[name] is Mondrian:
        # Intervals are its categories; their ends are values of the column.
        ends = masked["age"].str.strip("[]").str.split(", ").explode().astype(int)
        assert set(ends) <= set(frame["age"])
        return
    if name in NUMBERS_ONLY:
        assert masked["age"].dtype == frame["age"].dtype
        return
    if METHODS[name] is CellSuppression:
        for column in MASKED:
            assert set(masked[column].dropna()) <= {*frame[column].dropna(), "*"}
        return
    for column in ("age", "zone"):
        assert set(masked[column]) <= set(frame[column])
        assert masked[column].dtype == frame[column].dtype
    # Declared categories may come in; "highest" does not occur.
    assert set(masked["grade"].dropna()) <= set(ORDER)


@every
def test_same_seed_gives_the_same_file(name, entropy_guard):
    frame = table()
    first = method_of(name).fit_transform(frame)
    for other in METHODS:
        method_of(other).fit_transform(frame)
    pd.testing.assert_frame_equal(method_of(name).fit_transform(frame), first)
    again = reseeded(name, np.random.default_rng(5)).fit_transform(frame)
    pd.testing.assert_frame_equal(again, first)


@every
def test_draws_are_fresh_without_a_seed(name):
    if draws(method_of(name)):
        frame = table(300)
        first, second = (reseeded(name, None).fit_transform(frame) for _ in range(2))
        # The clusters may be the same from whatever start.
        assert METHODS[name] is PreClustered or not first.equals(second)


@every
def test_copies_mask_alike(name):
    frame = table()
    method = method_of(name)
    clone = type(method)(**method.get_params(deep=False))
    for twin in (clone, copy.deepcopy(method), pickle.loads(pickle.dumps(method))):
        assert repr(twin) == repr(method)
        pd.testing.assert_frame_equal(twin.fit_transform(frame), method.fit_transform(frame))


@every
def test_all_columns_by_default(name):
    frame = table()[["age"] if name in NUMBERS_ONLY else MASKED]
    masked = method_of(name, columns=None).fit_transform(frame)
    pd.testing.assert_frame_equal(masked, method_of(name).fit_transform(frame))


@every
def test_one_record(name):
    frame = table(1)
    options = {"p": 1} if name.endswith("coding") else {}
    if "k" in METHODS[name].required_parameters():
        options = {"k": 1}
    if METHODS[name] is PreClustered:
        options = {"method": MDAV(k=1)}
    # Categories that are declared could come in.
    masked = method_of(name, ordinal=dict.fromkeys(MASKED), **options).fit_transform(frame)
    assert masked.astype(str).equals(frame.astype(str))


@every
def test_one_category(name):
    frame = table().assign(grade="low", age=30, zone=pd.Categorical(["a"] * 60))
    options = {"p": 1} if name.endswith("coding") else {}
    masked = method_of(name, ordinal=dict.fromkeys(MASKED), **options).fit_transform(frame)
    assert masked.astype(str).equals(frame.astype(str))


@every
def test_k_above_the_rows_is_refused(name):
    method = method_of(name, **({"p": None} if name == "global-recoding" else {}))
    if "k" in method.get_params():
        with pytest.raises(
            ValueError, match="k: expected a whole number of at least 1 and at most 60"
        ):
            method.set_params(k=61).fit_transform(table())


@every
def test_nothing_but_missing_cells(name):
    frame = table().assign(grade=pd.Series([None] * 60, dtype=object).to_numpy())
    options = {"columns": ["grade"], "ordinal": {"grade": ORDER}}
    if name in NUMBERS_ONLY:
        frame["grade"] = frame["grade"].astype(float)
    if name.endswith("coding"):
        with pytest.raises(ValueError, match="p: expected at most 0, the categories that occur"):
            method_of(name, **options).fit_transform(frame)
        return
    masked = method_of(name, **options).fit_transform(frame)
    assert masked["grade"].isna().all()


@every
def test_input_of_the_wrong_kind_is_refused(name):
    with pytest.raises(TypeError, match="expected a pandas DataFrame, found list"):
        method_of(name, columns=None, ordinal=None).fit_transform([1, 2])


def test_parameters_are_listed_for_every_method():
    assert set(METHODS) == set(PARAMETERS)
