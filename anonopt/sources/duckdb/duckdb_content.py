"""Content of a reduction that stays in DuckDB, in the bytes of one in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from anonopt._typing import AnyIntArray, IntArray
from anonopt.sources.duckdb.duckdb_combinations import DuckDBCombinations
from anonopt.sources.packed_words import is_new

KEYS = 0
"""Group of the quasi-identifiers."""

ROWS = 1 << 20
"""Combinations that are in memory at a time."""

Words = list[list[IntArray]]
"""Words of each group of columns, (n,) each."""


def content(
    combinations: DuckDBCombinations,
    order: Sequence[int],
    groups: Sequence[int],
    values_of: Callable[[int, Sequence[IntArray]], AnyIntArray],
) -> Iterator[bytes]:
    """Bytes as `Reduction.content` gives them, of one array after the other.

    The combinations are counted once and sorted for each array, so memory is bounded.

    Parameters
    ----------
    combinations : DuckDBCombinations
    order : sequence of int (n_quasi_identifiers,)
        Quasi-identifier of each field of their words.
    groups : sequence of int
        Groups of columns whose pairs are counted.
    values_of : callable
        Values of a group by its words.
    """
    fields = combinations.groups[KEYS]
    with combinations.grouped([KEYS]) as counted:
        for field in np.argsort(order).tolist():
            for words, _ in counted(ROWS):
                yield fields.unpack(words[KEYS])[field].astype("<i4", copy=False).tobytes()
        for _, sizes in counted(ROWS):
            yield sizes.astype("<i8", copy=False).tobytes()
    for group in groups:
        with combinations.grouped([KEYS, group]) as counted:
            for numbers in _numbered(words[0] for words, _ in counted(ROWS)):
                yield numbers.astype("<i8", copy=False).tobytes()
            for words, _ in counted(ROWS):
                yield np.asarray(values_of(group, words[1]), dtype="<i8").tobytes()
            for _, sizes in counted(ROWS):
                yield sizes.astype("<i8", copy=False).tobytes()


def _numbered(parts: Iterator[list[IntArray]]) -> Iterator[IntArray]:
    """Number of the combination of each row of words that are in ascending order."""
    last: list[IntArray] = []
    number = -1
    for words in parts:
        both = [np.concatenate(pair) for pair in zip(last, words, strict=True)] if last else words
        numbers = number + np.cumsum(is_new(both))
        if last:
            # The row before was counted already, and is new to `is_new`.
            numbers = numbers[1:] - 1
        number, last = int(numbers[-1]), [word[-1:] for word in words]
        yield numbers
