"""Distinct pairs of an original and its masked record, counted while rows come in parts."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from anonopt._typing import AnyIntArray, CodeArray, IntArray
from anonopt.data.grouping import KEY_BITS, pack_codes

PENDING = 2**21
"""Pairs that wait to be counted."""


class CountedRecords:
    """How often each original record became each masked one.

    Parameters
    ----------
    n_categories : tuple of int
        Of each column.
    most : int
        Distinct pairs that are allowed.

    Raises
    ------
    ValueError
        If records do not fit into a key of 62 bits; from `add` and `total`, if pairs are more.
    """

    def __init__(self, n_categories: tuple[int, ...], most: int) -> None:
        if prod(n_categories) >= 1 << KEY_BITS:
            raise ValueError(
                f"columns: expected fewer than 2**{KEY_BITS} combinations of categories for record "
                f"linkage, found {prod(n_categories)}"
            )
        self._sizes, self._most = n_categories, most
        self._parts: list[tuple[IntArray, IntArray, IntArray]] = []
        self._waiting = 0

    def add(self, before: Sequence[CodeArray], after: Sequence[CodeArray]) -> None:
        """Count some rows, an array (n,) of codes a column."""
        keys = [pack_codes(codes, self._sizes) for codes in (before, after)]
        self._parts.append((keys[0], keys[1], np.ones(len(keys[0]), dtype=np.int64)))
        self._waiting += len(keys[0])
        if self._waiting > max(PENDING, len(self._parts[0][0])):
            self._merge()

    def total(self) -> tuple[CodeArray, CodeArray, IntArray]:
        """Codes of originals and masked records of all pairs, (n, n_columns), and rows of each."""
        self._merge()
        ((before, after, counts),) = self._parts
        return self._codes(before), self._codes(after), counts

    def _merge(self) -> None:
        before, after, counts = (np.concatenate(one) for one in zip(*self._parts, strict=True))
        order = np.lexsort((after, before))
        before, after = before[order], after[order]
        is_new = np.ones(len(order), dtype=bool)
        is_new[1:] = (before[1:] != before[:-1]) | (after[1:] != after[:-1])
        first = np.flatnonzero(is_new)
        if len(first) > self._most:
            raise ValueError(
                f"max_records: expected at most {self._most} distinct pairs of an original and its "
                f"masked record, found {len(first)} or more (name fewer columns, merge "
                "values before, or allow more: each takes some 400 bytes while records are linked)"
            )
        rows = np.add.reduceat(counts[order], first)
        self._parts, self._waiting = [(before[first], after[first], rows)], 0

    def _codes(self, keys: AnyIntArray) -> CodeArray:
        codes = np.empty((len(keys), len(self._sizes)), dtype=np.int32)
        for j in range(len(self._sizes) - 1, -1, -1):
            keys, codes[:, j] = np.divmod(keys, self._sizes[j])
        return codes
