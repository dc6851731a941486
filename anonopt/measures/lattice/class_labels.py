"""What equivalence classes are labelled with: the leaves that a label covers, and its level."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from anonopt._typing import BoolArray, IntArray
from anonopt.measures.lattice.population import Population
from anonopt.measures.lattice.table_facts import TableFacts


@dataclass(frozen=True, eq=False)
class ClassLabels(ABC):
    """Labels of the equivalence classes of a table, in every quasi-identifier.

    Leaves of a hierarchy run in depth-first order, so those under a label are neighbours.

    Attributes
    ----------
    facts : TableFacts
    """

    facts: TableFacts

    @property
    @abstractmethod
    def node(self) -> tuple[int, ...]:
        """Generalization levels that all classes share, (n_quasi_identifiers,)."""

    @abstractmethod
    def codes(self, classes: IntArray) -> IntArray:
        """Values of classes (n,) as codes of the node's levels, (n, n_quasi_identifiers)."""

    @abstractmethod
    def ranges(self, classes: IntArray) -> tuple[IntArray, IntArray]:
        """First and last leaf under the labels of classes (n,), each (n, n_quasi_identifiers)."""

    @abstractmethod
    def levels(self, sizes: IntArray, kept: BoolArray) -> IntArray:
        """Mean level of the kept rows in each quasi-identifier, (n_quasi_identifiers,)."""

    @abstractmethod
    def everything(self, sizes: IntArray) -> IntArray | None:
        """Sum over all rows of ``m - 1``, (n_quasi_identifiers,); None if the node tells it."""

    @abstractmethod
    def cells(self, attribute: int, sizes: IntArray) -> tuple[IntArray, IntArray]:
        """Rows of each label of a quasi-identifier, and rows of the table that it covers.

        The labels are different, and in the order of their leaves: two arrays (n_labels,).
        """

    @abstractmethod
    def people(self, population: Population, classes: IntArray) -> IntArray:
        """Rows of a population that the labels of classes (n,) cover, int64 array (n,)."""

    def excess(self, classes: IntArray, rows: IntArray) -> IntArray:
        """Sum over rows of ``m - 1``, int64 array (n_quasi_identifiers,).

        m is the number of leaves under the row's label.

        Parameters
        ----------
        classes, rows : int64 arrays (n,)
            Classes, and how many rows of each count.
        """
        lows, highs = self.ranges(classes)
        return np.asarray(rows @ (highs - lows), dtype=np.int64)

    def rows_by_label(
        self, attribute: int, classes: IntArray, rows: IntArray
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Different labels of classes in a quasi-identifier, and their rows.

        Parameters
        ----------
        attribute : int
        classes, rows : int64 arrays (n,)

        Returns
        -------
        rows, lows, highs : int64 arrays (n_labels,)
            In the order of the leaves.
        """
        lows, highs = self.ranges(classes)
        n_leaves = self.facts.n_leaves[attribute]
        keys = lows[:, attribute] * np.int64(n_leaves) + highs[:, attribute]
        labels, label_of_class = np.unique(keys, return_inverse=True)
        counts = np.bincount(label_of_class, weights=rows).astype(np.int64)
        return counts, labels // n_leaves, labels % n_leaves


@dataclass(frozen=True, eq=False)
class NodeLabels(ClassLabels):
    """Labels of the classes at a node of the lattice: values of its levels.

    Attributes
    ----------
    levels_of_node : tuple of int (n_quasi_identifiers,)
    decode : callable
        Takes class numbers (n,) and returns their generalized values as codes of the node's
        levels, int64 array (n, n_quasi_identifiers).
    """

    levels_of_node: tuple[int, ...]
    decode: Callable[[IntArray], IntArray] = field(repr=False)

    @property
    def node(self) -> tuple[int, ...]:
        """See `ClassLabels.node`."""
        return self.levels_of_node

    def codes(self, classes: IntArray) -> IntArray:
        """See `ClassLabels.codes`."""
        return self.decode(classes)

    def ranges(self, classes: IntArray) -> tuple[IntArray, IntArray]:
        """See `ClassLabels.ranges`."""
        codes = self.decode(classes)
        lows, highs = np.empty_like(codes), np.empty_like(codes)
        for attribute, level in enumerate(self.node):
            counts = self.facts.leaf_counts[attribute][level]
            ends = np.cumsum(counts)
            lows[:, attribute] = (ends - counts)[codes[:, attribute]]
            highs[:, attribute] = ends[codes[:, attribute]] - 1
        return lows, highs

    def levels(self, sizes: IntArray, kept: BoolArray) -> IntArray:
        """The node's levels."""
        return np.array(self.node, dtype=np.int64)

    def everything(self, sizes: IntArray) -> IntArray | None:
        """None: see `TableFacts.excess_leaves`."""
        return None

    def cells(self, attribute: int, sizes: IntArray) -> tuple[IntArray, IntArray]:
        """See `ClassLabels.cells`; a label covers the rows that have it."""
        counts = self.facts.value_counts[attribute][self.node[attribute]]
        return counts, counts

    def people(self, population: Population, classes: IntArray) -> IntArray:
        """See `ClassLabels.people`."""
        return population.class_sizes(self.node, self.decode(classes))
