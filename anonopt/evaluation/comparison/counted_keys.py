"""Counts of whole numbers that come in parts, in memory that goes by what occurs."""

from __future__ import annotations

import numpy as np

from anonopt._typing import IntArray

DENSE = 2**20
"""Possible keys up to which each has a place of its own."""
PENDING = 2**21
"""Keys that wait to be counted, where only those that occur have a place."""


class CountedKeys:
    """How often each key was added, less how often it was taken away.

    Parameters
    ----------
    n_keys : int
        Keys are in 0..n_keys - 1.

    Examples
    --------
    >>> counted = CountedKeys(10)
    >>> counted.add(np.array([3, 3, 7]))
    >>> counted.add(np.array([7, 1]), -1)
    >>> counted.total()
    (array([1, 3]), array([-1,  2]))
    """

    def __init__(self, n_keys: int) -> None:
        self._dense = np.zeros(n_keys, dtype=np.int64) if n_keys <= DENSE else None
        self._keys: list[IntArray] = [np.empty(0, dtype=np.int64)]
        self._counts: list[IntArray] = [np.empty(0, dtype=np.int64)]
        self._waiting = 0

    def add(self, keys: IntArray, sign: int = 1) -> None:
        """Add each of some keys, or take it away with the sign -1."""
        if self._dense is not None:
            self._dense += sign * np.bincount(keys, minlength=len(self._dense))
            return
        found, counts = np.unique(keys, return_counts=True)
        self._keys.append(found)
        self._counts.append(sign * counts)
        self._waiting += len(found)
        if self._waiting > max(PENDING, len(self._keys[0])):
            self._merge()

    def __len__(self) -> int:
        """Keys that occur; of those that have no place of their own, at most so many."""
        if self._dense is not None:
            return int(np.count_nonzero(self._dense))
        return sum(map(len, self._keys))

    def total(self) -> tuple[IntArray, IntArray]:
        """Keys whose counts are not 0, in ascending order, and these counts."""
        if self._dense is not None:
            keys = np.flatnonzero(self._dense)
            return keys, self._dense[keys]
        self._merge()
        return self._keys[0], self._counts[0]

    def _merge(self) -> None:
        keys, place = np.unique(np.concatenate(self._keys), return_inverse=True)
        counts = np.zeros(len(keys), dtype=np.int64)
        np.add.at(counts, place, np.concatenate(self._counts))
        some = counts != 0
        self._keys, self._counts, self._waiting = [keys[some]], [counts[some]], 0
