"""Patterns: sets of columns that a row may have suppressed, and the groups that they make.

Suppressing the same columns in rows that agree on all others makes the rows equal. Of up to 9
columns every set is a candidate, so that the least cost is among what can be told by them; of
more, the sets that make rows equal to those nearest to them, and those by importance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from anonopt._typing import BoolArray, CodeArray, FloatArray, IntArray
from anonopt.data.grouping import group_rows
from anonopt.masking.cells.coded_cells import CodedCells

ALL_SETS = 9
"""Columns of which every set is a candidate: 512 sets."""

MOST_SETS = 512
SAMPLED = 1000
"""Sets of more columns that are tried, and distinct rows whose neighbours tell them."""

MOST_ENTRIES = 16_000_000
"""Sets times distinct rows: what is kept of them takes some hundred megabytes."""


@dataclass(frozen=True, eq=False)
class Patterns:
    """Sets of columns to suppress, from none to all.

    Attributes
    ----------
    sets : bool array (n_sets, n_columns)
        The first is empty, the last has all columns.
    group_of : int32 array (n_sets, n_distinct)
        Number of each distinct row's group under each set: rows that agree on the other columns.
        Numbers go on from set to set.
    weights : float array (n_sets,)
        What a row pays for each set.
    is_complete : bool
        Whether every set of columns is there.
    """

    sets: BoolArray
    group_of: CodeArray
    weights: FloatArray
    is_complete: bool

    @classmethod
    def of(cls, cells: CodedCells, k: int) -> Patterns:
        """Candidate patterns of some cells, for k matches."""
        room = min(MOST_SETS, MOST_ENTRIES // len(cells.codes))
        if cells.n_columns <= ALL_SETS:
            sets = _all_sets(cells.n_columns)
            is_complete = len(sets) <= room
            return cls.of_sets(
                cells,
                sets if is_complete else _light_sets(cells, sets, room),
                is_complete=is_complete,
            )
        return cls.of_sets(cells, _near_sets(cells, k, room), is_complete=False)

    @classmethod
    def of_sets(cls, cells: CodedCells, sets: BoolArray, *, is_complete: bool) -> Patterns:
        """Given patterns; the empty set comes first and the full one last."""
        group_of = np.empty((len(sets), len(cells.codes)), dtype=np.int32)
        columns = list((cells.codes + 1).T)
        radices = [int(column.max()) + 1 for column in columns]
        n_groups = 0
        for place, chosen in enumerate(sets):
            kept = np.flatnonzero(~chosen)
            n_new, group = (1, np.zeros(len(cells.codes), dtype=np.int64))
            if len(kept):
                n_new, group = group_rows([columns[i] for i in kept], [radices[i] for i in kept])
            group_of[place] = group + n_groups
            n_groups += n_new
        return cls(sets, group_of, weights_of(sets, cells.weights), is_complete)

    @cached_property
    def n_groups(self) -> int:
        """Groups of all sets together."""
        return int(self.group_of[-1, -1]) + 1

    def rows_of_groups(self, counts: IntArray) -> IntArray:
        """Rows of each group, int64 array (n_groups,), of the rows that are each distinct row."""
        # Not np.add.at, which reads beyond the counts where they are repeated (numpy 2.4).
        repeated = np.tile(counts, len(self.sets))
        found = np.bincount(self.group_of.reshape(-1), weights=repeated, minlength=self.n_groups)
        return found.astype(np.int64)

    @cached_property
    def members(self) -> tuple[IntArray, IntArray]:
        """Distinct rows group by group, and where each group begins; the last number is the end."""
        order = np.argsort(self.group_of, axis=1, kind="stable")
        sizes = np.bincount(self.group_of.reshape(-1), minlength=self.n_groups)
        return order.reshape(-1), np.concatenate([[0], np.cumsum(sizes)])


def weights_of(sets: BoolArray, weights: FloatArray) -> FloatArray:
    """What a row pays for each set of columns, added up column by column."""
    found = np.zeros(len(sets))
    for column, weight in enumerate(weights):
        found += np.where(sets[:, column], weight, 0.0)
    return found


def importance_order(cells: CodedCells) -> IntArray:
    """Columns from the least to the most important one.

    More weight is more important; of equal weights, the column of more different values is less
    important, as in sdcMicro's ``kAnon``, and then the one that comes first.
    """
    n_values = [len(np.unique(column)) for column in cells.codes.T]
    return np.lexsort((np.negative(n_values), cells.weights))


def importance_sets(cells: CodedCells) -> BoolArray:
    """No column, the least important one, the two least important ones, and so on to all."""
    order = importance_order(cells)
    sets = np.zeros((cells.n_columns + 1, cells.n_columns), dtype=bool)
    for n_columns in range(1, cells.n_columns + 1):
        sets[n_columns, order[:n_columns]] = True
    return sets


def _all_sets(n_columns: int) -> BoolArray:
    return np.array(list(product((False, True), repeat=n_columns)), dtype=bool)


def _light_sets(cells: CodedCells, sets: BoolArray, room: int) -> BoolArray:
    """The sets of least weight, as many as there is room for, beside those by importance."""
    lightest = sets[np.argsort(weights_of(sets, cells.weights), kind="stable")]
    return _with_importance(cells, list(lightest), room)


def _with_importance(cells: CodedCells, others: Sequence[BoolArray], room: int) -> BoolArray:
    """Sets by importance and, where there is room, others; the full one last."""
    by_importance = importance_sets(cells)
    known = {one.tobytes() for one in by_importance}
    new = [one for one in others if one.tobytes() not in known]
    new = new[: max(room - len(by_importance), 0)]
    return np.array([*by_importance[:-1], *new, by_importance[-1]])


def _near_sets(cells: CodedCells, k: int, room: int) -> BoolArray:
    """Sets that make rows equal to those nearest to them, the most frequent ones."""
    found: Counter[bytes] = Counter()
    rare = np.flatnonzero(cells.counts < k)
    chosen = np.unique(np.linspace(0, len(rare) - 1, SAMPLED).astype(int)) if len(rare) else rare
    for row in rare[chosen]:
        found.update(
            step.tobytes()
            for step in nearest_sets(cells.codes, cells.counts, row, cells.weights, k)
        )
    near = [np.frombuffer(one, dtype=bool) for one, _ in found.most_common()]
    return _with_importance(cells, near, room)


def nearest_sets(
    codes: CodeArray, counts: IntArray, row: int, weights: FloatArray, k: int
) -> Sequence[BoolArray]:
    """Sets that make a row match one more of the others each, until there are k.

    The next is the row whose columns that differ cost least on top of the set so far; of equal
    ones the first.

    Parameters
    ----------
    codes : int32 array (n_distinct, n_columns)
        Code -1 matches everything.
    counts : int64 array (n_distinct,)
    row : int
    weights : float array (n_columns,)
    k : int

    Returns
    -------
    list of bool arrays (n_columns,)
        Growing; the last one gives the row k matches.
    """
    ours = codes[row]
    differ = (codes != ours) & (codes >= 0) & (ours >= 0)
    chosen = np.zeros(codes.shape[1], dtype=bool)
    steps: list[BoolArray] = []
    while True:
        cost = weights_of(differ & ~chosen, weights)
        matched = ~(differ & ~chosen).any(axis=1)
        if counts[matched].sum() >= k:
            return steps
        cost[matched] = np.inf
        chosen = chosen | differ[np.argmin(cost)]
        steps.append(chosen)
