"""Labels above each leaf of all hierarchies as flat arrays: what cuts look up.

The label of a group in a column is told by its level and any leaf below it, so that one number is
enough to find what belongs to it: ``at[column] + level * leaves[column] + leaf``.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from anonopt._typing import CodeArray, FloatArray, IntArray
from anonopt.data.hierarchies.leaf_ranges import value_ends
from anonopt.evaluation.lattice.tuples import DistinctTuples


@dataclass(frozen=True, eq=False)
class LabelTables:
    """What is known of the label above each leaf at each level, column by column.

    Attributes
    ----------
    at : int64 array (n_quasi_identifiers,)
        Where the entries of a column begin.
    leaves, heights : int64 arrays (n_quasi_identifiers,)
        Leaves and height of each hierarchy.
    values : int32 array (n_entries,)
        Number of the label among those of its level; the children of a label are neighbours.
    lows, highs : int32 arrays (n_entries,)
        First and last leaf that the label covers.
    losses : float64 array (n_entries,)
        What one row loses by the label: ``weight (m - 1)/(M - 1)``, the general loss metric.
    losses_of_values : float64 array (n_entries,)
        The same by the number of the label in place of a leaf, 0 beyond the last one.
    lost : float
        What a suppressed row loses: the weights of all columns.
    most_children : int
        Of any label; at least 1.
    """

    at: IntArray
    leaves: IntArray
    heights: IntArray
    values: CodeArray
    lows: CodeArray
    highs: CodeArray
    losses: FloatArray
    losses_of_values: FloatArray
    lost: float
    most_children: int

    @classmethod
    def of(cls, tuples: DistinctTuples, weights: Mapping[str, float] | None = None) -> LabelTables:
        """Tables of the hierarchies of some tuples.

        Parameters
        ----------
        tuples : DistinctTuples
        weights : mapping of str to float, optional
            Factor of each quasi-identifier's loss, 1 where none is given.
        """
        factors = [(weights or {}).get(name, 1.0) for name in tuples.facts.names]
        levels = [level for maps in tuples.maps for level in maps]
        of_column = [column for column, maps in enumerate(tuples.maps) for _ in maps]
        ends = [(level, *value_ends(level)) for level in levels]
        lows = [firsts[level] for level, firsts, _ in ends]
        highs = [lasts[level] for level, _, lasts in ends]
        losses = [
            factors[column] * (high - low) / max(len(low) - 1, 1)
            for column, low, high in zip(of_column, lows, highs, strict=True)
        ]
        sizes = [maps.size for maps in tuples.maps]
        return cls(
            at=np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64),
            leaves=np.array([maps.shape[1] for maps in tuples.maps], dtype=np.int64),
            heights=np.array([maps.shape[0] - 1 for maps in tuples.maps], dtype=np.int64),
            values=np.concatenate(levels).astype(np.int32),
            lows=np.concatenate(lows).astype(np.int32),
            highs=np.concatenate(highs).astype(np.int32),
            losses=np.concatenate(losses).astype(np.float64),
            losses_of_values=np.concatenate(
                [_by_value(level, loss) for level, loss in zip(levels, losses, strict=True)]
            ),
            lost=float(sum(factors)),
            most_children=max(_most_children(maps) for maps in tuples.maps),
        )

    def levels(self, lows: CodeArray, highs: CodeArray) -> IntArray:
        """Level of the lowest label that covers the leaves from low to high.

        Parameters
        ----------
        lows, highs : int arrays (n, n_quasi_identifiers)

        Returns
        -------
        int64 array (n, n_quasi_identifiers)
        """
        levels = np.zeros(lows.shape, dtype=np.int64)
        for level in range(int(self.heights.max(initial=0))):
            entries = self.at + level * self.leaves
            # Columns whose hierarchy ends below are covered by their top, a level before.
            here = (levels == level) & (level < self.heights)
            first = np.where(here, entries + lows, 0)
            last = np.where(here, entries + highs, 0)
            levels[here & (self.values[first] != self.values[last])] = level + 1
        return levels

    def labels(self, lows: CodeArray, highs: CodeArray) -> tuple[CodeArray, CodeArray]:
        """First and last leaf of the lowest labels that cover the leaves from low to high.

        Parameters
        ----------
        lows, highs : int arrays (n, n_quasi_identifiers)
        """
        entries = self.at + self.levels(lows, highs) * self.leaves + lows
        return self.lows[entries], self.highs[entries]

    def row_losses(self, lows: CodeArray, highs: CodeArray) -> FloatArray:
        """What a row loses by the lowest labels that cover the leaves from low to high, (n,).

        Parameters
        ----------
        lows, highs : int arrays (n, n_quasi_identifiers)
        """
        losses = self.losses[self.at + self.levels(lows, highs) * self.leaves + lows]
        total = np.zeros(len(losses))
        for column in range(losses.shape[1]):
            total += losses[:, column]
        return total


def _most_children(maps: CodeArray) -> int:
    """Largest number of children of a label of one hierarchy; 1 if there is no level above."""
    found = 1
    for lower, upper in itertools.pairwise(maps):
        first = np.unique(lower, return_index=True)[1]
        found = max(found, int(np.bincount(upper[first]).max()))
    return found


def _by_value(level: CodeArray, losses: FloatArray) -> FloatArray:
    """Losses of the values of a level, from those of its leaves, with zeros behind."""
    found = np.zeros(len(level))
    found[level] = losses
    return found
