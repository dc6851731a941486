"""Masked cells of a column that wait in a file until they are written in the order of rows."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, BinaryIO

import numpy as np
import pandas as pd

from anonopt._registry import engine
from anonopt._typing import IntArray
from anonopt.masking.large_files.source_columns import SourceColumn, arrow_cells, cell_type
from anonopt.sources.source import Source

FILLED = 2**20
"""Cells that are written at a time before there are any."""


class StoredColumn:
    """Masked cells by row: numbers, or codes of the categories of the column.

    Parameters
    ----------
    file : binary file
        An empty one, open for reading and writing: 8 bytes a number or 4 a category.
    source : Source
    name : column
    column : SourceColumn, optional
        Of a column of categories.

    Raises
    ------
    OSError
        If there is no room for all cells.
    """

    def __init__(
        self, file: BinaryIO, source: Source, name: Hashable, column: SourceColumn | None
    ) -> None:
        self._column, self._kind, self._name = column, cell_type(source, name), name
        dtype = np.dtype(np.float64 if column is None else np.int32)
        # Rows that show nothing belong to no part.
        filled = np.full(FILLED, 0 if column is not None else np.nan, dtype=dtype)
        # What is written has its room; a mapped file that finds none would end the process.
        for start in range(0, source.n_rows, FILLED):
            file.write(filled[: source.n_rows - start].data)
        file.flush()
        self._cells = np.memmap(file, dtype=dtype, mode="r+", shape=(source.n_rows,))
        if column is not None:
            self._outputs = arrow_cells(column.values, self._kind, column.values)
        self._is_of_type = True
        self._start = 0

    @property
    def kind(self) -> Any:
        """Arrow type of the masked cells: floats, where whole numbers have become means."""
        arrow = engine("pyarrow", "rows of a source")
        return self._kind if self._is_of_type else arrow.float64()

    def put(self, rows: IntArray, masked: pd.Series[Any], original: pd.Series[Any]) -> None:
        """Masked cells of some rows, and these rows as they were."""
        if self._column is not None:
            codes = self._column.categories.encode(pd.DataFrame({self._name: masked}))
            self._cells[rows] = codes[:, 0]
            return
        self._is_of_type &= masked.dtype == original.dtype
        self._cells[rows] = masked.to_numpy(dtype=np.float64, na_value=np.nan)

    def masked(self, cells: Any) -> Any:
        """Masked cells of the next rows, an Arrow array, of which there are as many as `cells`."""
        arrow = engine("pyarrow", "rows of a source")
        values = np.array(self._cells[self._start : self._start + len(cells)])
        self._start += len(cells)
        if self._column is not None:
            return self._outputs.take(arrow.array(values))
        missing = np.isnan(values)
        numbers = arrow.array(values, mask=missing)
        return numbers.cast(self.kind)
