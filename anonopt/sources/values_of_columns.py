"""Values of the columns of a source, found when they are first asked for."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Any

import pandas as pd

from anonopt.sources.source import DistinctValues, Source


class ValuesOfColumns:
    """The values of each column, each once, in place of the columns of a frame.

    Labels and hierarchies are made of the values that occur, so these stand for all rows.

    Parameters
    ----------
    source : Source
    columns : sequence of columns
        Those that will be asked for.
    """

    def __init__(self, source: Source, columns: Sequence[Hashable]) -> None:
        self._source, self._columns = source, columns

    @cached_property
    def _found(self) -> dict[Hashable, DistinctValues]:
        return self._source.distinct_of_all(self._columns)

    @property
    def columns(self) -> list[Hashable]:
        """Names of all columns of the source."""
        return list(self._source.columns)

    def of(self, column: Hashable) -> DistinctValues:
        """Values of a column with their counts."""
        return self._found[column]

    def __getitem__(self, column: Hashable) -> pd.Series[Any]:
        """Values of a column from which labels are made.

        Raises
        ------
        ValueError
            If they are ordered and the source does not know how.
        """
        found = self.of(column)
        if found.is_order_lost:
            raise ValueError(
                f"column {column!r}: expected values whose order is known, found ordered "
                f"categories in {self._source!r}, which does not know their order (Arrow does if "
                "all parts have the same ones: engine='arrow')"
            )
        values = found.values.copy(deep=False)
        # Messages name it.
        values.name = column
        return values
