"""What suppressed rows cost in the columns that are decided, for losses that count it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonopt._typing import CodeArray, FloatArray, IntArray
from anonopt.evaluation.lattice.partitions import Partition
from anonopt.optima.node_losses import NodeLoss


@dataclass(frozen=True, eq=False)
class SuppressedRows:
    """Rows in too-small classes below some decisions.

    Attributes
    ----------
    members : int32 array (n_members,)
        Distinct tuples that stand for themselves or for several merged ones.
    rows : int64 array (n_members,)
    costs : float
        What they cost more than if they were kept, in the columns that are decided.
    """

    members: CodeArray
    rows: IntArray
    costs: float

    @classmethod
    def none(cls) -> SuppressedRows:
        """No row is suppressed at the top node."""
        return cls(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int64), 0.0)


class SuppressionCosts:
    """Follows the suppressed rows from decision to decision.

    Parameters
    ----------
    loss : NodeLoss
    """

    def __init__(self, loss: NodeLoss) -> None:
        self._tuples = loss.evaluator.tuples
        self._saved = [loss.row_savings(column) for column in range(len(self._tuples.maps))]

    def after(
        self,
        before: SuppressedRows,
        partition: Partition,
        refined: Partition,
        decided: IntArray,
        node: IntArray,
        column: int,
    ) -> SuppressedRows:
        """Suppressed rows once one more column is decided.

        Parameters
        ----------
        before : SuppressedRows
            Those of `partition`.
        partition, refined : Partition
            Before and after the column refines it.
        decided : int64 array (n_columns,)
            Columns that were decided before.
        node : int64 array (n_quasi_identifiers,)
            Has the levels of all decided columns, that of the new one included.
        column : int
        """
        if not self._saved[column]:
            return before
        kept = np.zeros(len(self._tuples.sizes), dtype=np.bool_)
        kept[refined.members] = True
        is_new = ~kept[partition.members]
        members, rows = partition.members[is_new], partition.rows[is_new]
        costs = before.costs + self._in_column(before.members, before.rows, column, node)
        for one in (*decided, column):
            costs += self._in_column(members, rows, int(one), node)
        return SuppressedRows(
            np.concatenate([before.members, members]), np.concatenate([before.rows, rows]), costs
        )

    def _in_column(self, members: CodeArray, rows: IntArray, column: int, node: IntArray) -> float:
        level = int(node[column])
        codes = self._tuples.maps[column][level][self._tuples.codes[members, column]]
        saved: FloatArray = self._saved[column][level][codes]
        return float((rows * saved).sum())
