"""Equality of values: beside its oracle, as an equivalence, and the single rules."""

from __future__ import annotations

import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data.column_values import ColumnValues
from anonopt.data.equal_values import equal_keys
from tests.oracles.values import RefusedError, equal_cells

LARGE = 2**53
WHOLES = st.sampled_from([0, 7, 21, LARGE, LARGE + 1, LARGE + 2, 10**30])
NUMBERS = [
    WHOLES,
    st.sampled_from([0.0, 7.0, 0.5, float(LARGE), float(LARGE + 2), 1e23]),
    st.sampled_from([Decimal(n) for n in ("7.00", "21", "0.50", "1E+23", "0.1")]),
    st.sampled_from([Fraction(7), Fraction(1, 2), Fraction(21)]),
]
TEXTS = [
    st.sampled_from(["7", "21", "0", "0.5"]),
    st.sampled_from(["7.0", "21.00", "0.50", "7"]),
    st.sampled_from(["007", "7", "021"]),
    st.sampled_from(["7", "x", "21.0"]),
    st.sampled_from(["True", "False"]),
    st.sampled_from(["true", "TRUE", "no"]),
    st.sampled_from(["2014-09-03", "2014-09-03 00:00:00", "2014-10-01"]),
    st.sampled_from(["2014-09-03 00:00:00+00:00", "2014-09-03 02:00:00+02:00"]),
]
OTHERS = [
    st.booleans(),
    st.sampled_from([datetime.date(2014, 9, 3), datetime.datetime(2014, 9, 3)]),
    st.sampled_from(
        [datetime.datetime(2014, 9, 3, h, tzinfo=datetime.timezone.utc) for h in (0, 1)]
    ),
]
COLUMNS = st.one_of(
    [st.lists(cells, min_size=1, max_size=4) for cells in [*NUMBERS, *TEXTS, *OTHERS]]
    + [st.lists(st.one_of(*NUMBERS[:1], *TEXTS[:1], *TEXTS[3:4]), min_size=1, max_size=4)]
)


def keys_of(*lists):
    columns = [ColumnValues.of(pd.Series(cells, dtype=object)) for cells in lists]
    keys = equal_keys("c", *columns)
    return [[own[code] for code in c.codes] for own, c in zip(keys, columns, strict=True)]


@given(COLUMNS, COLUMNS)
def test_keys_are_equal_where_the_oracle_says(one, other):
    try:
        expected = equal_cells(one, other)
    except RefusedError:
        with pytest.raises(ValueError, match="column 'c'"):
            keys_of(one, other)
        return
    keys, others = keys_of(one, other)
    assert [[a == b for b in others] for a in keys] == expected


@given(COLUMNS, COLUMNS, COLUMNS, st.randoms(use_true_random=False))
def test_order_of_rows_and_columns_does_not_matter(one, two, three, random):
    lists = [one, two, three]
    shuffled = [random.sample(cells, len(cells)) for cells in lists]

    def groups(columns):
        try:
            keys = keys_of(*columns)
        except ValueError as error:
            assert "column 'c'" in str(error)
            return None
        named = {}
        for cells, own in zip(columns, keys, strict=True):
            for cell, key in zip(cells, own, strict=True):
                named.setdefault(key, set()).add((type(cell).__name__, repr(cell)))
        return sorted(map(sorted, (group for group in named.values())))

    assert groups(lists) == groups(shuffled) == groups(shuffled[::-1])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([39], ["39"]),
        ([39.0], ["39.00"]),
        ([Decimal("39.00")], [np.int8(39)]),
        ([0.1], [np.float32(0.1)]),
        ([-0.0], ["0"]),
        ([float("inf"), 1], ["inf", "1.0"]),
        ([1e23], ["1e+23"]),
        ([10**30], [Decimal(10) ** 30]),
        ([True], ["TRUE"]),
        ([pd.Timestamp("2014-09-03")], [datetime.date(2014, 9, 3)]),
        ([pd.Timestamp("2014-09-03", tz="Asia/Tokyo")], ["2014-09-02 15:00:00+00:00"]),
        ([pd.Timedelta(1, "D")], [datetime.timedelta(1)]),
        ([pd.Period("2014-09", "M")], ["2014-09"]),
        (["20", "30"], ["30.0", "20.0"]),
    ],
)
def test_equal(one, other):
    keys, others = keys_of(one, other)
    assert set(keys) == set(others)


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ([7], ["007"], "object of int and object of str, which holds codes, '007'"),
        ([7], ["7", "7.0"], "which holds codes, '7' and '7.0'"),
        ([39.0], ["39.0", "x"], "with the text '39.0'"),
        ([True], [1], "object of bool .truth values. and object of int .numbers."),
        ([True, False], ["1", "0"], "object of bool and object of str, with the text '0'"),
        ([pd.Timestamp("2014-09-03")], [pd.Timestamp("2014-09-03", tz="UTC")], "instants"),
        ([pd.Timestamp("2014-09-03")], ["03.09.2014"], "'03.09.2014'"),
        (["2014-09-03"], ["2014-09-03 00:00:00+00:00"], "text of dates.*text of instants"),
        ([10**16 + 1], [1e16], r"10000000000000001 .*1e\+16"),
        ([1 / 3], [np.float32(1 / 3)], "0.3333333333333333"),
        ([Fraction(1, 3)], [1 / 3], "1/3"),
        ([pd.Timedelta(1, "D")], [pd.Period("2014-09", "M")], "duration"),
    ],
)
def test_guesses_are_refused_with_both_types(one, other, found):
    with pytest.raises(ValueError, match=rf"column 'c': .*{found}"):
        keys_of(one, other)
    with pytest.raises(ValueError, match="column 'c'"):
        keys_of(other, one)


@pytest.mark.parametrize("cells", [["7", "007"], ["1.1", "1.10"], ["7", "7.0", "x"], [7, "007"]])
def test_spellings_of_codes_are_kept_apart(cells):
    (keys,) = keys_of(cells)
    assert len(set(keys)) == len(cells)


def test_several_types_in_one_column_are_told_apart():
    assert len(set(keys_of([39, 39.0, "39", Decimal("39.0")])[0])) == 1
    with pytest.raises(ValueError, match="object of bool, int"):
        keys_of([1, True])
    with pytest.raises(TypeError, match="column 'c': expected single values"):
        ColumnValues.of(pd.Series([[1], [2]], name="c"))


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT, Decimal("NaN"), "<missing>"])
def test_missing_cells_of_every_spelling(missing):
    column = ColumnValues.of(pd.Series(["a", missing, "b"], dtype=object))
    assert column.values == ["a", "b"]
    assert column.codes.tolist() == [0, -1, 1]


def test_not_a_number_in_a_nullable_column_is_missing():
    zero = pd.Series([0.0, 1.0], dtype="Float64")
    assert ColumnValues.of(zero / zero).codes.tolist() == [-1, 0]
