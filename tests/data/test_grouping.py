"""Packed keys and the grouping of rows, whatever the number of columns and of their values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.data.grouping import KEY_BITS, group_rows, pack_codes

RADICES = (1, 2, 3, 100, 2**16, 2**20, 2**31 - 1)


@st.composite
def coded_tables(draw: st.DrawFn) -> tuple[list[tuple[int, ...]], list[int]]:
    """Rows at the ends of their columns' ranges, up to 12 columns of up to 31 bits."""
    radices = draw(st.lists(st.sampled_from(RADICES), min_size=1, max_size=12))
    cells = [
        st.sampled_from(sorted({0, radix // 2, max(radix - 2, 0), radix - 1})) for radix in radices
    ]
    return draw(st.lists(st.tuples(*cells), min_size=1, max_size=30)), radices


def columns_of(rows: list[tuple[int, ...]]) -> list[np.ndarray]:
    return [np.array(column, dtype=np.int32) for column in zip(*rows, strict=True)]


@given(coded_tables())
def test_keys_are_equal_and_ordered_as_the_rows(table):
    rows, radices = table
    keys = pack_codes(columns_of(rows), radices)
    assert keys.dtype == np.int64
    assert keys.min() >= 0
    rank = {row: number for number, row in enumerate(sorted(set(rows)))}
    found = np.unique(keys, return_inverse=True)[1]
    assert found.tolist() == [rank[row] for row in rows]


@given(coded_tables())
def test_classes_are_numbered_in_the_order_of_their_values(table):
    rows, radices = table
    n_classes, class_of_row = group_rows(columns_of(rows), radices)
    rank = {row: number for number, row in enumerate(sorted(set(rows)))}
    assert n_classes == len(rank)
    assert class_of_row.tolist() == [rank[row] for row in rows]


def test_a_key_that_is_two_to_the_64():
    """In base 100 the lonely row is 2**64, which wraps to the key of the first row."""
    lonely = (18, 44, 67, 44, 7, 37, 9, 55, 16, 16)
    rows = [(i,) * 10 for i in range(100)] + [lonely]
    n_classes, class_of_row = group_rows(columns_of(rows), [100] * 10)
    assert n_classes == 101
    assert class_of_row[100] != class_of_row[0]


def test_keys_that_fit_are_plain_mixed_radix_numbers():
    """Up to 62 bits nothing is re-coded, so keys can be read back."""
    columns = columns_of([(1, 2, 3), (0, 4, 6)])
    assert pack_codes(columns, [2, 5, 7]).tolist() == [1 * 35 + 2 * 7 + 3, 4 * 7 + 6]
    largest = columns_of([(1,) * KEY_BITS])
    assert pack_codes(largest[:-1], [2] * (KEY_BITS - 1)).tolist() == [2 ** (KEY_BITS - 1) - 1]


@pytest.mark.parametrize("radices", [[], [2], [2, 2, 2]])
def test_as_many_radices_as_columns(radices):
    columns = columns_of([(0, 1)])[: 0 if radices == [] else 2]
    with pytest.raises(ValueError, match=f"{len(columns)} columns and {len(radices)} radices"):
        pack_codes(columns, radices)
