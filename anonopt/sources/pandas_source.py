"""Rows of a frame: what other sources are held equal to."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonopt._registry import engine
from anonopt._typing import IntArray
from anonopt.data.column_values import ColumnValues
from anonopt.sources.counted_arrays import CountedArrays, packed_rows
from anonopt.sources.row_batches import record_batch
from anonopt.sources.source import CodedColumn, DistinctValues, Source, packed_groups


class PandasSource(Source):
    """The rows of a frame.

    For frames that are small; of others :class:`~anonopt.data.Microdata` makes a table that can
    do more.

    Parameters
    ----------
    frame : DataFrame (n_rows, n_columns)
        Not to be written to.

    Raises
    ------
    TypeError
        If it is no frame.

    Examples
    --------
    >>> source = PandasSource(pd.DataFrame({"age": [39, 21, 39]}))
    >>> source.distinct("age").values.tolist(), source.distinct("age").counts.tolist()
    ([39, 21], [2, 1])
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        if not isinstance(frame, pd.DataFrame):
            raise TypeError(f"frame: expected a pandas DataFrame, found {type(frame).__name__}")
        self._frame = frame
        self._places: dict[Hashable, IntArray] = {}

    @cached_property
    def columns(self) -> Mapping[Hashable, str]:
        """See `Source.columns`.

        Raises
        ------
        ValueError
            If two have the same name.
        """
        if not self._frame.columns.is_unique:
            twice = self._frame.columns[self._frame.columns.duplicated()][0]
            raise ValueError(f"frame: expected columns of different names, found {twice!r} twice")
        return {column: str(self._frame[column].dtype) for column in self._frame.columns}

    @property
    def n_rows(self) -> int:
        """See `Source.n_rows`."""
        return len(self._frame)

    @property
    def numbers(self) -> IntArray:
        """Rows that each row of the frame stands for, int64 array (n_rows,)."""
        return np.ones(len(self._frame), dtype=np.int64)

    def distinct(self, column: Hashable) -> DistinctValues:
        """See `Source.distinct`."""
        cells = self._frame[column]
        codes = ColumnValues.of(cells).codes
        found, first, place = np.unique(codes, return_index=True, return_inverse=True)
        # Whole numbers of rows stay exact as floats up to 2**53.
        counts = np.bincount(place, weights=self.numbers)
        order = np.lexsort((first, -counts))
        rank = np.empty(len(found), dtype=np.int64)
        rank[order] = np.arange(len(found))
        self._places[column] = rank[place]
        return DistinctValues(cells.iloc[first[order]], counts[order].astype(np.int64))

    def combine(self, groups: Sequence[Sequence[CodedColumn]]) -> CountedArrays:
        """See `Source.combine`."""
        packed = packed_groups(groups)
        words = packed_rows(packed, groups, self._places)
        return CountedArrays(packed, words, self.numbers)

    @cached_property
    def schema(self) -> Any:
        """See `Source.schema`.

        Raises
        ------
        ValueError
            If the name of a column is no text, as Arrow has texts alone.
        """
        arrow = engine("pyarrow", "rows as Arrow has them")
        for name in self._frame.columns:
            if not isinstance(name, str):
                raise ValueError(f"column {name!r}: expected a name that is text for Arrow")
        return arrow.Schema.from_pandas(self._frame, preserve_index=False)

    def batches(self, rows: int, *, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """See `Source.batches`."""
        arrow = engine("pyarrow", "rows as Arrow has them")
        names = self.schema.names if columns is None else list(columns)
        schema = arrow.schema([self.schema.field(name) for name in names])
        for start in range(0, len(self._frame), rows):
            yield record_batch(self._frame[names][start : start + rows], schema)

    def __repr__(self) -> str:
        return f"a frame of {self.n_rows} rows"
