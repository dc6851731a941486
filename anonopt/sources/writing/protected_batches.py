"""Rows of a source with labels in place of values, some at a time, in the order they come in."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from anonopt._registry import engine
from anonopt._typing import CodeArray
from anonopt.data.column_values import ColumnValues
from anonopt.data.values import TOP
from anonopt.sources.arrow.arrow_values import as_dictionary, as_series, dictionary_places
from anonopt.sources.large_table import LargeTable
from anonopt.sources.writing.suppressed_classes import SuppressedClasses

ROWS = 1 << 19
"""Rows that are in memory at a time."""


class _ColumnLabels:
    """Label of each cell of a quasi-identifier at a level."""

    def __init__(self, table: LargeTable, column: Hashable, level: int) -> None:
        self._column, self._tree = column, table.hierarchies[column]
        self._map = self._tree.maps[level]
        self._kind = table.source.schema.field(column).type
        self._known: tuple[Any, CodeArray] | None = None
        arrow = engine("pyarrow", "writing rows of a source")
        self._texts = arrow.array([*self._tree.labels[level], TOP], arrow.string())

    def codes(self, cells: Any) -> CodeArray:
        """Codes of the labels of an Arrow array (n,)."""
        arrow = engine("pyarrow", "writing rows of a source")
        cells = as_dictionary(cells)
        values, places = cells.dictionary, dictionary_places(cells)
        if self._known is None or not self._known[0].equals(values):
            self._known = values, np.full(len(values) + 1, -1, dtype=np.int32)
        found: CodeArray = self._known[1]
        used = np.bincount(places, minlength=len(found)) > 0
        new = np.flatnonzero(used & (found < 0))
        if len(new):
            # A dictionary may hold values that no row has, and that its hierarchy need not know.
            one_more = arrow.concat_arrays([values, arrow.nulls(1, values.type)])
            some = ColumnValues.of(as_series(one_more.take(arrow.array(new)), self._kind))
            found[new] = self._map[self._tree.encode_cells(some, self._column)]
        codes: CodeArray = found[places]
        return codes

    def texts(self, codes: CodeArray, mask: Any) -> Any:
        """Labels as an Arrow array of text (n,), ``*`` where the mask says so."""
        arrow = engine("pyarrow", "writing rows of a source")
        places = np.where(mask, len(self._texts) - 1, codes).astype(np.int32)
        return self._texts.take(arrow.array(places))


class ProtectedBatches:
    """The protected rows of a table, in the order of its source.

    Parameters
    ----------
    table : LargeTable
    levels : sequence of int (n_quasi_identifiers,)
    suppressed : SuppressedClasses
        Of the node.
    flag : str, optional
        Name of a column that says whether a row is suppressed.

    Attributes
    ----------
    schema : pyarrow Schema
        Of the protected rows: those columns of the source that are no identifiers, as they are,
        quasi-identifiers as text.
    kept : list
        Columns that stay as they are.
    """

    def __init__(
        self,
        table: LargeTable,
        levels: Sequence[int],
        suppressed: SuppressedClasses,
        *,
        flag: str | None = None,
    ) -> None:
        arrow = engine("pyarrow", "writing rows of a source")
        self._source, self._suppressed, self._flag = table.source, suppressed, flag
        self._labels = {
            column: _ColumnLabels(table, column, level)
            for column, level in zip(table.quasi_identifiers, levels, strict=True)
        }
        fields = []
        for field in table.source.schema:
            if field.name in self._labels:
                fields.append(arrow.field(field.name, arrow.string()))
            elif field.name not in table.identifiers:
                fields.append(field)
        self.kept = [field.name for field in fields if field.name not in self._labels]
        if flag is not None:
            fields.append(arrow.field(flag, arrow.bool_()))
        self.schema = arrow.schema(fields)

    def __iter__(self) -> Iterator[Any]:
        """Record batches, one after the other."""
        arrow = engine("pyarrow", "writing rows of a source")
        for batch in self._source.batches(ROWS):
            codes = {column: one.codes(batch[column]) for column, one in self._labels.items()}
            mask = self._suppressed.mask(list(codes.values()))
            columns = []
            for field in self.schema:
                if field.name in codes:
                    columns.append(self._labels[field.name].texts(codes[field.name], mask))
                elif field.name == self._flag:
                    columns.append(arrow.array(mask))
                else:
                    columns.append(batch[field.name])
            yield arrow.RecordBatch.from_arrays(columns, schema=self.schema)
