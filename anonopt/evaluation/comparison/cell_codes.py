"""Codes of the cells of a column whose categories are known, some rows at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from anonopt._registry import engine
from anonopt._typing import CodeArray, IntArray
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
        places = dictionary_places(cells)
        found: CodeArray = self._codes(cells.dictionary, places)[places]
        if (found < 0).any():
            raise ValueError(
                f"column {self.name!r}: expected the values that were found before, found "
                f"{int((found < 0).sum())} other cells; the rows were changed in the meantime"
            )
        return found

    def _codes(self, values: Any, places: IntArray) -> CodeArray:
        """Codes of distinct values, and of a missing cell last; -1 of what was not met so far.

        A dictionary may hold values that no cell has, such as categories of which all rows are in
        another file: what is looked up are those at the places.
        """
        if self._known is None or not self._known[0].equals(values):
            codes = np.full(len(values) + 1, -1, dtype=np.int32)
            if self._categories.has_missing[0]:
                codes[-1] = self._categories.n_categories[0] - 1
            self._known = values, codes
        codes = self._known[1]
        is_met = np.zeros(len(codes), dtype=bool)
        is_met[places] = True
        new = np.flatnonzero(is_met[:-1] & (codes[:-1] < 0))
        if len(new):
            chosen = values.take(engine("pyarrow", "rows of a source").array(new))
            cells = pd.DataFrame({self.name: as_series(chosen, self._kind)})
            codes[new] = self._categories.encode(cells)[:, 0]
        return codes
