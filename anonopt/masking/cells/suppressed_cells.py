"""A table and which of its cells are suppressed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from anonopt._typing import Accelerator, BoolArray, IntArray
from anonopt.data.grouping import group_rows
from anonopt.masking.cells.coded_cells import ABSENT, CodedCells, Matching
from anonopt.masking.cells.matching_rows import wildcard_matches
from anonopt.masking.cells.suppressed_frame import suppressed_frame


@dataclass(frozen=True, eq=False)
class SuppressedCells:
    """What measures of suppressed cells get as the protected data.

    Attributes
    ----------
    original : DataFrame (n_rows, ...)
    cells : CodedCells
        Of its columns that may lose cells.
    mask : bool array (n_rows, n_columns)
        Suppressed cells.
    matching : ``"wildcard"`` or ``"value"``
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``
        What counts matches.
    """

    original: pd.DataFrame
    cells: CodedCells
    mask: BoolArray
    matching: Matching
    accelerator: Accelerator = "auto"

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The protected table."""
        return suppressed_frame(self.original, self.cells.names, self.mask, matching=self.matching)

    @cached_property
    def lost(self) -> BoolArray:
        """Suppressed cells that showed something before, (n_rows, n_columns)."""
        return np.asarray(self.mask & ~self.cells.free[self.cells.distinct_of_row])

    @property
    def cost(self) -> float:
        """Weight of the suppressed cells."""
        return self.cells.cost(self.mask)

    @cached_property
    def matches(self) -> IntArray:
        """Rows that each row matches, itself included, int64 array (n_rows,)."""
        rows = self.cells.distinct_of_row
        hidden = self.mask if self.matching == "wildcard" else self.mask | self.cells.free[rows]
        codes = np.where(hidden, ABSENT, self.cells.codes[rows])
        columns = list((codes + 1).T)
        n_distinct, distinct = group_rows(columns, [int(one.max()) + 1 for one in columns])
        counts = np.bincount(distinct, minlength=n_distinct)
        if self.matching == "wildcard":
            _, first = np.unique(distinct, return_index=True)
            counts = wildcard_matches(codes[first], counts, accelerator=self.accelerator)
        return counts[distinct]
