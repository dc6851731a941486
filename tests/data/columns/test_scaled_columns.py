"""Numeric columns as whole numbers, and their genomes."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from anonopt.data import ScaledColumns
from anonopt.data.columns.numeric_values import numeric_values

FRAME = pd.DataFrame(
    {"zone": ["a", "b", "c"], "rate": [0.1, 2.0, 0.3], "debt": [-3, 8, 0], "sum": [1200, 0, 300]},
    index=[7, 7, 9],
)


@pytest.fixture
def columns():
    return ScaledColumns.of(FRAME, columns=["rate", "debt", "sum"], decimals={"rate": 1, "sum": -2})


def test_numbers_are_scaled_and_shifted(columns):
    assert columns.numbers.tolist() == [[1, 13, 12], [20, 24, 0], [3, 16, 3]]
    assert columns.offsets == (0, 16, 0)
    assert columns.n_bits == (5, 5, 4)
    assert not columns.numbers.flags.writeable


def test_the_original_is_all_zeros(columns):
    assert not columns.genomes(columns.encode(FRAME)).any()


def test_decoding_restores_values_types_index_and_other_columns(columns):
    masked = columns.decode(columns.numbers, FRAME)
    pd.testing.assert_frame_equal(masked, FRAME)
    assert masked is not FRAME


def test_masked_values_are_rounded(columns):
    masked = FRAME.assign(rate=[0.14, 2.06, 0.3], debt=[-2.6, 8, 0])
    assert columns.encode(masked)[:, :2].tolist() == [[1, 13], [21, 24], [3, 16]]


def test_masked_values_beyond_the_bits_are_named(columns):
    with pytest.raises(ValueError, match=r"'debt': expected .* from -16 to 15.*5 bits, found 16"):
        columns.encode(FRAME.assign(debt=[0, 16, 0]))


def test_more_decimals_than_declared():
    with pytest.raises(ValueError, match=r"'rate': expected .* at most 0 decimals, found 0\.1"):
        ScaledColumns.of(FRAME, columns=["rate"])


def test_sums_of_decimals_are_taken_as_decimals():
    columns = ScaledColumns.of(pd.DataFrame({"x": [0.1 + 0.2]}), decimals={"x": 1})
    assert columns.numbers.tolist() == [[3]]


def test_decimals_of_another_column():
    with pytest.raises(ValueError, match=r"decimals: expected columns among .*found \['zone'\]"):
        ScaledColumns.of(FRAME, columns=["debt"], decimals={"zone": 1})


@pytest.mark.parametrize("digits", [1.0, True, "1"])
def test_decimals_that_are_not_whole(digits):
    with pytest.raises(TypeError, match="decimals of column 'debt'"):
        ScaledColumns.of(FRAME, columns=["debt"], decimals={"debt": digits})


@pytest.mark.parametrize("value", [2**53, -(2**53)])
def test_numbers_of_too_many_bits(value):
    with pytest.raises(ValueError, match=r"'x': expected values of at most 53 bits"):
        ScaledColumns.of(pd.DataFrame({"x": [value, 0]}))


def test_negative_numbers_take_one_bit_more():
    with pytest.raises(ValueError, match=r"found 54 for values"):
        ScaledColumns.of(pd.DataFrame({"x": [2**53 - 1, -1]}))


def test_copies_and_fingerprint(columns):
    assert copy.deepcopy(columns) is columns
    twin = pickle.loads(pickle.dumps(columns))
    assert twin.fingerprint == columns.fingerprint
    assert not twin.numbers.flags.writeable
    other = ScaledColumns.of(FRAME, columns=["rate", "debt", "sum"], decimals={"rate": 2})
    assert other.fingerprint != columns.fingerprint


@given(
    original=arrays.arrays(np.int64, (3, 2), elements=st.integers(-(10**6), 10**6)),
    data=st.data(),
)
def test_every_genome_is_that_of_a_value(original, data):
    frame = pd.DataFrame(original, columns=["x", "y"])
    columns = ScaledColumns.of(frame)
    bounds = [2**bits for bits in columns.n_bits]
    genomes = np.array(
        [[data.draw(st.integers(0, bound - 1)) for bound in bounds] for _ in range(3)]
    )
    numbers = columns.masked_numbers(genomes)
    assert (numbers >= 0).all()
    assert (numbers < bounds).all()
    masked = columns.decode(numbers, frame)
    assert columns.genomes(columns.encode(masked)).tolist() == genomes.tolist()


class TestNumericValues:
    def test_text(self):
        with pytest.raises(ValueError, match="'zone': expected numbers, found type"):
            numeric_values(FRAME)

    def test_truth_values(self):
        with pytest.raises(ValueError, match="'x': expected numbers, found type bool"):
            numeric_values(pd.DataFrame({"x": [True, False]}))

    @pytest.mark.parametrize("cells", [[1.0, np.nan, np.inf], pd.array([1, None, None])])
    def test_missing_and_infinite_cells_are_counted(self, cells):
        with pytest.raises(ValueError, match=r"'x': expected a finite number .*found 2 cells"):
            numeric_values(pd.DataFrame({"x": cells}))

    def test_no_rows(self):
        with pytest.raises(ValueError, match="at least one row, found an empty table"):
            numeric_values(FRAME[:0], ["debt"])
