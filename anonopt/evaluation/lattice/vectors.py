"""Single candidates in detail: loss by column, property vectors (Dewri 2010, Section 4)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

import numpy as np
import pandas as pd

from anonopt._checks import check_choice
from anonopt._typing import FloatArray
from anonopt.measures.lattice.class_table import RowClasses
from anonopt.measures.lattice.loss import attribute_losses
from anonopt.measures.lattice.properties import PROPERTIES, Property, QualityIndex, spread
from anonopt.measures.lattice.statistics import NodeStatistics

Candidate = TypeVar("Candidate")
"""What is evaluated: the levels of a node, or a local recoding."""


class PropertyVectors(ABC, Generic[Candidate]):
    """What an evaluator can say about the rows and columns of single nodes, or recodings."""

    @abstractmethod
    def row_classes(self, node: Candidate) -> RowClasses:
        """Equivalence classes at a node together with the class of every row."""

    @abstractmethod
    def _statistics_of_loss(self, node: Candidate) -> NodeStatistics:
        """Statistics of a node from which its loss follows."""

    def attribute_loss(self, node: Candidate) -> pd.DataFrame:
        """Loss of a node, or of a local recoding, by quasi-identifier.

        Returns
        -------
        DataFrame
            Index: quasi-identifier. Columns: ``level`` (of a recoding the mean level of the kept
            rows), ``height``, ``generalization_level`` (level / height, 0..1), ``glm`` (rows,
            0..N; a suppressed row costs 1) and ``glm_normalized`` (0..1).

        Raises
        ------
        ValueError
            If the node is not in the lattice.
        """
        return attribute_losses(self._statistics_of_loss(node))

    def property_vector(self, node: Candidate, prop: str | Property) -> FloatArray:
        """Property vector of a node (Dewri 2010, Definition 1).

        Parameters
        ----------
        node : sequence of int (n_quasi_identifiers,), or RecodedGroups
        prop : ``"class_size"``, ``"sensitive_count"`` or callable
            A callable takes `RowClasses` and returns a number for each row.

        Returns
        -------
        float64 array (n_rows,)

        Raises
        ------
        ValueError
            If the node is not in the lattice, the name is unknown, or the callable does not
            return one number a row.
        """
        if isinstance(prop, str):
            prop = PROPERTIES[check_choice("property", prop, PROPERTIES)]
        rows = self.row_classes(node)
        vector = np.asarray(prop(rows), dtype=np.float64)
        if vector.shape != (len(rows.class_of_row),):
            raise ValueError(
                f"property: expected one number for each of {len(rows.class_of_row)} rows, "
                f"found shape {vector.shape}"
            )
        return vector

    def compare(
        self,
        first: Candidate,
        second: Candidate,
        prop: str | Property,
        *,
        index: QualityIndex = spread,
    ) -> tuple[float, float]:
        """Compare two nodes by a binary quality index (Dewri 2010, Definition 2).

        Parameters
        ----------
        first, second : sequences of int (n_quasi_identifiers,), or RecodedGroups
        prop : str or callable
            As in `property_vector`.
        index : callable
            Takes two property vectors (n_rows,) and returns a number.

        Returns
        -------
        tuple of float
            The index of (first, second) and of (second, first); the node whose number is
            larger is the better one.

        Raises
        ------
        ValueError
            As `property_vector`.
        """
        left, right = self.property_vector(first, prop), self.property_vector(second, prop)
        return index(left, right), index(right, left)
