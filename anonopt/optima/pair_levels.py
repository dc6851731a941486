"""Lowest levels of columns once one more of them is decided, for every decision there is.

What one more decision leaves of all the other columns often shows that it leads nowhere, and a
level that leads nowhere raises the lowest levels of its column in all that is left.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass

import numpy as np

from anonopt._typing import BoolArray, FloatArray, IntArray


@dataclass(eq=False)
class PairLevels:
    """What is known of undecided columns below some decisions; changed in place.

    Attributes
    ----------
    node : int64 array (n_quasi_identifiers,)
        Levels of the decided columns, and the lowest ones of the undecided.
    open_levels : bool array (n_quasi_identifiers, largest height + 1)
        Levels that may be in a node sought; tops are always open.
    pairs : int16 array (n_quasi_identifiers, largest height + 1, n_quasi_identifiers)
        Lowest level of the last column where the first one is at a level.
    costs : float64 array (n_quasi_identifiers, largest height + 1)
        Never falling from level to level.
    heights : int64 array (n_quasi_identifiers,)
    """

    node: IntArray
    open_levels: BoolArray
    pairs: IntArray
    costs: FloatArray
    heights: IntArray

    def copy(self) -> PairLevels:
        """One that can be changed alone."""
        node, open_levels, pairs = deepcopy((self.node, self.open_levels, self.pairs))
        return PairLevels(node, open_levels, pairs, self.costs, self.heights)

    @property
    def arrays(self) -> tuple[IntArray, BoolArray, IntArray, FloatArray, IntArray]:
        """All of it, for the kernels."""
        return self.node, self.open_levels, self.pairs, self.costs, self.heights

    def next_open(self, column: int, level: int) -> int:
        """The lowest open level of a column that is not below a level."""
        while level < self.heights[column] and not self.open_levels[column, level]:
            level += 1
        return int(level)

    def start_of(self, column: int, level: int, other: int) -> int:
        """Lowest level known for another column where a column is at a level; it is noted."""
        start = max(int(self.node[other]), int(self.pairs[column, level, other]))
        start = self.next_open(other, start)
        self.pairs[column, level, other] = start
        return start

    def settle(
        self, columns: IntArray, bound: float, limit: float, *, compiled: bool
    ) -> tuple[float, FloatArray]:
        """Close lowest levels that are hopeless, until there is none.

        Parameters
        ----------
        columns : int64 array (n_columns,)
            The undecided ones.
        bound : float
            Costs of the node, and of what is not in `costs`.
        limit : float
            Where the bound reaches it, nothing sought is left.
        compiled : bool
            Whether to use the compiled kernel; the result is the same.

        Returns
        -------
        bound : float
        least : float64 array (n_quasi_identifiers,)
            Bound once a column is decided at its lowest level; infinite for others.
        """
        if compiled:
            from anonopt.optima.kernel_pairs import settle

            raised, found = settle(self.arrays, columns, bound, limit)
            return float(raised), found
        least, changed = np.full(len(self.node), np.inf), True
        while changed and bound < limit:
            changed = False
            for column in columns:
                while self.node[column] < self.heights[column]:
                    level = int(self.node[column])
                    if self.open_levels[column, level]:
                        least[column] = self._bound_with(int(column), level, columns, bound)
                        if least[column] < limit:
                            break
                        self.open_levels[column, level] = False
                    bound += float(self.costs[column, level + 1] - self.costs[column, level])
                    self.node[column] += 1
                    changed = True
        return bound, least

    def _bound_with(self, column: int, level: int, columns: IntArray, bound: float) -> float:
        """Bound once a column is decided at a level: `bound`, and what the others are raised."""
        for other in columns:
            if other != column:
                start = self.start_of(column, level, int(other))
                bound += float(self.costs[other, start] - self.costs[other, self.node[other]])
        return bound

    def exchange(self, columns: IntArray, *, compiled: bool) -> None:
        """Levels of two columns that exclude each other are noted for both of them.

        What is noted is the lowest level that is left, so a level counts once all below it exclude
        the same: of two levels the higher one may be too dear where the lower one is not.
        """
        if compiled:
            from anonopt.optima.kernel_pairs import exchange

            exchange(self.arrays, columns)
            return
        for column in columns:
            ends = self.heights.copy()
            for level in range(self.node[column], self.heights[column]):
                if self.open_levels[column, level]:
                    np.minimum(ends, self.pairs[column, level], out=ends)
                for other in columns[columns != column]:
                    below = self.pairs[other, self.node[other] : ends[other], column]
                    np.maximum(below, level + 1, out=below)
