"""The population that a table is a sample of: how many people share a generalized value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonopt._typing import AnyIntArray, CodeArray, IntArray
from anonopt.data.grouping import group_rows
from anonopt.data.population_codes import PeopleCounts


@dataclass(frozen=True, eq=False)
class Population:
    """Distinct combinations of quasi-identifier values of a population, with their rows.

    Attributes
    ----------
    maps : tuple of int32 arrays (height + 1, n_leaves)
        Code at each level of each leaf, one array a quasi-identifier.
    codes : int32 array (n_tuples, n_quasi_identifiers)
        Leaf codes.
    sizes : int64 array (n_tuples,)
        Rows of the population with each combination.
    """

    maps: tuple[CodeArray, ...]
    codes: CodeArray
    sizes: IntArray

    @classmethod
    def of(cls, codes: CodeArray, maps: tuple[CodeArray, ...]) -> Population:
        """Reduce the leaf codes of a population, (n_people, n_quasi_identifiers)."""
        return cls(maps, *PeopleCounts.of(codes, [level.shape[1] for level in maps]))

    def class_sizes(self, node: Sequence[int], codes: IntArray) -> IntArray:
        """Rows of the population in each of some classes of a node.

        Parameters
        ----------
        node : sequence of int (n_quasi_identifiers,)
            Generalization levels.
        codes : int64 array (n_classes, n_quasi_identifiers)
            Generalized values of the classes, all different, as codes of the node's levels.

        Returns
        -------
        int64 array (n_classes,)
        """
        levels = [maps[level] for maps, level in zip(self.maps, node, strict=True)]
        people = [level[column] for level, column in zip(levels, self.codes.T, strict=True)]
        radices = [int(level[-1]) + 1 for level in levels]
        return rows_of_classes(codes, people, self.sizes, radices)

    def covered(self, lows: IntArray, highs: IntArray) -> IntArray:
        """Rows of the population whose values are under labels.

        Parameters
        ----------
        lows, highs : int64 arrays (n_labels, n_quasi_identifiers)
            First and last leaf under each label; labels may overlap.

        Returns
        -------
        int64 array (n_labels,)
        """
        # Sorted by the column with most leaves, a label looks at few of the people.
        widest = int(np.argmax([level.shape[1] for level in self.maps]))
        order = np.argsort(self.codes[:, widest], kind="stable")
        codes, sizes = self.codes[order], self.sizes[order]
        starts = np.searchsorted(codes[:, widest], lows[:, widest])
        ends = np.searchsorted(codes[:, widest], highs[:, widest], side="right")
        found = np.zeros(len(lows), dtype=np.int64)
        for label, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
            people = codes[start:end]
            inside = ((people >= lows[label]) & (people <= highs[label])).all(axis=1)
            found[label] = sizes[start:end][inside].sum()
        return found


def rows_of_classes(
    classes: AnyIntArray, people: Sequence[AnyIntArray], rows: IntArray, radices: Sequence[int]
) -> IntArray:
    """How many of the people fall into each class.

    Parameters
    ----------
    classes : int array (n_classes, n_columns)
        Codes of the classes, all different.
    people : sequence of int arrays (n_people,)
        Codes of the same columns, column by column.
    rows : int64 array (n_people,)
        How many people each of these stands for.
    radices : sequence of int
        Number of codes of each column.

    Returns
    -------
    int64 array (n_classes,)

    Examples
    --------
    >>> rows_of_classes(np.array([[0], [2]]), [np.array([2, 1, 2])], np.array([1, 1, 4]), [3])
    array([0, 5])
    """
    columns = [
        np.concatenate([column, others]) for column, others in zip(classes.T, people, strict=True)
    ]
    n_groups, group = group_rows(columns, radices)
    n_classes = len(classes)
    # Whole numbers of rows stay exact as floats up to 2**53.
    totals = np.bincount(group[n_classes:], weights=rows, minlength=n_groups)
    return np.asarray(totals[group[:n_classes]], dtype=np.int64)
