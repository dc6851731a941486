"""Codes of the cells of a column whose categories are known, some rows at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import CodeArray
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.sources.arrow.arrow_values import as_dictionary, as_series, dictionary_places


class CellCodes:
    """Looks up the cells of a column of a source, each distinct value once.

    Parameters
    ----------
    categories : CategoricalColumns
        The column alone, of any number of rows.
    kind : pyarrow DataType
        Type that the source declares.
    """

    def __init__(self, categories: CategoricalColumns, kind: Any) -> None:
        (self.name,) = categories.names
        self._categories, self._kind = categories, kind
        self._known: tuple[Any, CodeArray] | None = None

    def of(self, cells: Any) -> CodeArray:
        """Codes of an Arrow array (n,), int32.

        Raises
        ------
        ValueError
            If a value is none of the categories (names column, value and number of rows).
        """
        cells = as_dictionary(cells)
        found: CodeArray = self._codes(cells.dictionary)[dictionary_places(cells)]
        if (found < 0).any():
            raise ValueError(
                f"column {self.name!r}: expected the values that were found before, found "
                f"{int((found < 0).sum())} other cells; the rows were changed in the meantime"
            )
        return found

    def _codes(self, values: Any) -> CodeArray:
        """Codes of distinct values, and of a missing cell last; -1 of what is unknown."""
        if self._known is None or not self._known[0].equals(values):
            codes = np.full(len(values) + 1, -1, dtype=np.int32)
            if self._categories.has_missing[0]:
                codes[-1] = self._categories.n_categories[0] - 1
            if len(values):
                cells = pd.DataFrame({self.name: as_series(values, self._kind)})
                codes[:-1] = self._categories.encode(cells)[:, 0]
            self._known = values, codes
        return self._known[1]
