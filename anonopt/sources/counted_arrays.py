"""Combinations of codes that were counted into arrays in memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anonopt._typing import IntArray
from anonopt.sources.packed_words import PackedWords, is_new
from anonopt.sources.source import CodedColumn, Combinations, CountedWords


class CountedArrays(Combinations):
    """Combinations of codes in memory.

    Parameters
    ----------
    groups : sequence of PackedWords
    words : sequence of int64 arrays (n,)
        Those of all groups, one group after the other; a combination may stand in several places.
    counts : int64 array (n,)
        Rows of each.
    """

    def __init__(
        self, groups: Sequence[PackedWords], words: Sequence[IntArray], counts: IntArray
    ) -> None:
        super().__init__(groups)
        self._words, self._counts = merged(words, counts)

    def counted(self, groups: Sequence[int]) -> CountedWords:
        """See `Combinations.counted`."""
        first = np.cumsum([0, *(group.n_words for group in self.groups)])
        chosen = [self._words[first[one] : first[one + 1]] for one in groups]
        words, counts = merged([word for one in chosen for word in one], self._counts)
        ends = np.cumsum([len(one) for one in chosen]).tolist()
        starts = [0, *ends[:-1]]
        return CountedWords([words[a:b] for a, b in zip(starts, ends, strict=True)], counts)

    def n_combinations(self, groups: Sequence[int]) -> int:
        """See `Combinations.n_combinations`."""
        return len(self.counted(groups).counts)


def merged(words: Sequence[IntArray], counts: IntArray) -> tuple[list[IntArray], IntArray]:
    """Each combination once, in ascending order, with its rows.

    Parameters
    ----------
    words : sequence of int64 arrays (n,)
        The first one most significant.
    counts : int64 array (n,)

    Examples
    --------
    >>> merged([np.array([5, 3, 5])], np.array([1, 1, 2]))
    ([array([3, 5])], array([1, 3]))
    """
    if len(counts) == 0:
        return [word[:0] for word in words], counts
    order = np.argsort(words[0], kind="stable") if len(words) == 1 else np.lexsort(words[::-1])
    ordered = [word[order] for word in words]
    starts = np.flatnonzero(is_new(ordered))
    return [word[starts] for word in ordered], np.add.reduceat(counts[order], starts)


def packed_rows(
    groups: Sequence[PackedWords],
    columns: Sequence[Sequence[CodedColumn]],
    places: dict[object, IntArray],
) -> list[IntArray]:
    """Words of some rows.

    Parameters
    ----------
    groups : sequence of PackedWords
    columns : sequence of sequences of CodedColumn
        Those of each group.
    places : dict of int arrays (n,)
        By column, which of its values each row holds.
    """
    words: list[IntArray] = []
    for group, coded in zip(groups, columns, strict=True):
        own: list[IntArray | None] = [None] * group.n_words
        for position, column in enumerate(coded):
            part = group.parts(position, column.codes).take(places[column.name])
            known = own[group.words[position]]
            own[group.words[position]] = part if known is None else known + part
        words += [word for word in own if word is not None]
    return words
