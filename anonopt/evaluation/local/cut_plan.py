"""What one decoding goes by."""

from __future__ import annotations

from dataclasses import dataclass

from anonopt._typing import FloatArray, IntArray
from anonopt.evaluation.local.cut_keys import CutGenome
from anonopt.evaluation.local.cut_scores import bits_left
from anonopt.evaluation.local.label_tables import LabelTables
from anonopt.evaluation.local.part_rule import PartRule


@dataclass(frozen=True, eq=False)
class CutPlan:
    """What one decoding goes by, compiled or not.

    Attributes
    ----------
    tables : LabelTables
    genome : CutGenome
    first_weight : int64 array (n_quasi_identifiers,)
        Where the weights of each column begin.
    parts : PartRule
        What each group has to hold.
    kind : int
        Of the cuts; see `cut_scores`.
    budget : int
        Rows that may be suppressed.
    """

    tables: LabelTables
    genome: CutGenome
    first_weight: IntArray
    parts: PartRule
    kind: int
    budget: int

    @property
    def k(self) -> int:
        """Least rows of a group."""
        return self.parts.k

    def bits_left(self, n_rows: int) -> FloatArray:
        """Information that groups of 0..n_rows rows have left; see `cut_scores.bits_left`."""
        return bits_left(n_rows, self.k)
