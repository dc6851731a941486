"""Values of the columns of a source, found when they are first asked for."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pandas as pd

from anonopt.sources.source import DistinctValues, Source


class ValuesOfColumns:
    """The values of each column, each once, in place of the columns of a frame.

    Labels and hierarchies are made of the values that occur, so these stand for all rows.

    Parameters
    ----------
    source : Source
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._found: dict[Hashable, DistinctValues] = {}

    def of(self, column: Hashable) -> DistinctValues:
        """Values of a column with their counts."""
        if column not in self._found:
            self._found[column] = self._source.distinct(column)
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
                f"categories in {self._source!r}, which does not know their order: read them with "
                "engine='arrow'"
            )
        return found.values
