"""Tables in CSV files: read strictly, and written again as they were but for what changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt._typing import BoolArray, IntArray, ObjectArray
from anonopt.data.roles import find_columns
from anonopt.data.tables.cells_of_files import read_cells, separator_of, written_cells
from anonopt.data.tables.decoding import Source, decoded, read_bytes
from anonopt.data.tables.dialects import (
    Dialect,
    check_separator,
    layout,
    raw_records,
    split,
)
from anonopt.data.tables.spellings import (
    is_number,
    iso_dates,
    kind_of_cells,
)
from anonopt.data.values import as_text

DateFormats = Mapping[str, str | Sequence[str]]
"""Column to the format, or the formats, of its dates, as ``strptime`` takes them."""


@dataclass(frozen=True, eq=False)
class TableFile:
    """A CSV file with a header line, its cells, and how they are written.

    Made by :meth:`read`.

    Attributes
    ----------
    name : str
        Of the file, for messages.
    frame : DataFrame (n_rows, n_columns)
        Cells as text, missing ones None; numbers have a decimal point, and dates of columns whose
        formats were given are ISO 8601.
    dialect : Dialect
    text : str
        The whole file.
    spelled : dict of str to Series (n_rows,)
        Of the columns whose cells are not as in the file: their cells as in the file.
    """

    name: str
    frame: pd.DataFrame
    dialect: Dialect
    text: str
    spelled: dict[str, pd.Series[Any]]

    @classmethod
    def read(
        cls,
        source: Source,
        *,
        separator: str | None = None,
        encoding: str | None = None,
        decimal: str | None = None,
        missing: Sequence[str] | None = None,
        dates: DateFormats | None = None,
    ) -> TableFile:
        """Read a table; see :func:`read_table`."""
        name, content = read_bytes(source)
        text, known, mark = decoded(name, content, encoding)
        check_separator(name, text, separator)
        found = separator_of(name, text) if separator is None else separator
        written = written_cells(name, text, found)
        dialect = layout(text, found, encoding=known, mark=mark)
        frame, dialect = read_cells(written.copy(), dialect, decimal, missing)
        for column, formats in (dates or {}).items():
            find_columns(frame, [column])
            frame[column] = iso_dates(frame[column], column, formats)
        spelled = {
            str(column): written[column]
            for column in frame.columns
            if not frame[column].equals(written[column])
        }
        return cls(name, frame, dialect, text, spelled)

    @cached_property
    def kinds(self) -> dict[str, str]:
        """What each column holds: numbers, codes, dates, truth values, text, or nothing."""
        return {
            str(name): kind_of_cells(list(cells.dropna().unique()))
            for name, cells in self.frame.items()
        }

    def lines(self, name: str, cell: str) -> list[int]:
        """Lines of the file on which the records begin that have a cell, counted from 1."""
        rows = np.flatnonzero((self.frame[name] == cell).to_numpy())
        records = list(split(self.name, self.text, self.dialect.separator))
        return [records[row + 1].line for row in rows.tolist()]

    def texts(
        self,
        frame: pd.DataFrame,
        *,
        rows: npt.ArrayLike | None = None,
        protected: Collection[str] = (),
    ) -> pd.DataFrame:
        """Cells of a frame as texts that a file like this one holds; empty where they are missing.

        Parameters
        ----------
        frame : DataFrame (n, ...)
            Columns of this file, some or all, and others.
        rows : int array (n,), optional
            Rows of this file that those of the frame come from; its own order by default.
        protected : collection of str
            Columns in which equal cells must look alike, as how each is written in this file could
            tell them apart.

        Returns
        -------
        DataFrame (n, ...)
            Cells that are equal to those of this file as they are in it, others with the decimal
            sign of the file. In protected columns, each value as the file writes it, in whatever
            row; by its own rule if the file writes one in several ways.
        """
        order = self._order(rows)
        columns = {}
        for name, new in frame.items():
            texts = self._written(new)
            if name in self.spelled and name in protected:
                texts = self._written_alike(str(name), new, texts)
            elif name in self.spelled:
                is_kept, old = self._kept(str(name), new, order)
                texts[is_kept] = old[is_kept]
            columns[name] = texts
        return pd.DataFrame(columns, columns=frame.columns)

    def content(
        self,
        frame: pd.DataFrame,
        *,
        rows: npt.ArrayLike | None = None,
        protected: Collection[str] = (),
    ) -> bytes:
        """Bytes of a file like this one, with the cells of a frame.

        Parameters
        ----------
        frame, rows, protected
            As for :meth:`texts`; cells that stay are written byte for byte as they stand, but in
            protected columns: there all have quotes, or those that need them, as in the file.

        Raises
        ------
        ValueError
            If the encoding of the file does not have a character that is to be written.
        """
        order = self._order(rows)
        header, *cells = raw_records(self.text, self.dialect.separator)
        places = {name: place for place, name in enumerate(self.frame.columns)}
        texts = self.texts(frame, rows=rows, protected=protected)
        heads, columns = [], []
        for name, new in frame.items():
            place = places.get(str(name))
            quoting = self.dialect.quoting([] if place is None else [row[place] for row in cells])
            fields = [quoting[text == ""].field(text) for text in texts[name]]
            heads.append(self.dialect.field(str(name)) if place is None else header[place])
            if place is not None and name not in protected:
                is_kept, _ = self._kept(str(name), new, order)
                for row in np.flatnonzero(is_kept).tolist():
                    fields[row] = cells[order[row]][place]
            columns.append(fields)
        separator, end = self.dialect.separator, self.dialect.line_end
        lines = [separator.join(fields) for fields in [heads, *zip(*columns, strict=True)]]
        if len(columns) == 1:
            # An empty line would be no record.
            lines = [line or '""' for line in lines]
        text = end.join(lines) + (end if self.dialect.ends_with_line_end else "")
        return self.dialect.content(self.name, text)

    def _order(self, rows: npt.ArrayLike | None) -> IntArray:
        return np.arange(len(self.frame)) if rows is None else np.asarray(rows)

    def _kept(
        self, name: str, new: pd.Series[Any], order: IntArray
    ) -> tuple[BoolArray, ObjectArray]:
        """Which cells stay as they are in the file, and the texts of all there."""
        read = self.frame[name]
        old = self.spelled.get(name, read)
        texts = old.fillna("").to_numpy(dtype=object)[order]
        cells, found = read.to_numpy(dtype=object)[order], new.to_numpy(dtype=object)
        both_missing = pd.isna(cells) & pd.isna(found)
        return np.asarray((cells == found) | both_missing, dtype=bool), texts

    def _written_alike(self, name: str, new: pd.Series[Any], texts: ObjectArray) -> ObjectArray:
        """As the file writes each value, in whatever row; as given if it writes one in two ways."""
        read, old = self.frame[name].fillna(""), self.spelled[name].fillna("")
        pairs = pd.DataFrame({"read": read, "old": old}).drop_duplicates()
        known = dict(zip(pairs["read"], pairs["old"], strict=True))
        if len(known) < len(pairs):
            return texts
        cells = new.astype(object).where(new.notna(), "")
        written = np.empty(len(cells), dtype=object)
        written[:] = [known.get(cell, text) for cell, text in zip(cells, texts, strict=True)]
        return written

    def _written(self, column: pd.Series[Any]) -> ObjectArray:
        """Cells of a column as they are written where they are new."""
        comma = self.dialect.decimal == ","
        texts = {}
        for value in column.dropna().unique():
            text = as_text(value)
            if comma and "." in text and is_number(text, "."):
                text = text.replace(".", ",")
            texts[value] = text
        written = np.empty(len(column), dtype=object)
        written[:] = [texts.get(value, "") for value in column]
        return written


def read_table(
    source: Source,
    *,
    separator: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    missing: Sequence[str] | None = None,
    dates: DateFormats | None = None,
) -> pd.DataFrame:
    r"""Read a table with a header line from a CSV file, strictly.

    What is not given is found out; :class:`~anonopt.data.tables.table_files.TableFile` tells what
    was, and writes a table in the same way.

    Parameters
    ----------
    source : path or binary stream
    separator : str, optional
        One character; else ``,``, ``;``, tab or ``|``.
    encoding : str, optional
        As Python names it; else UTF-8, what a byte order mark tells, or cp1252 where that makes
        letters and common signs alone.
    decimal : ``"."`` or ``","``, optional
        Of numbers; else a comma if columns of numbers have one and no column has points.
    missing : sequence of str, optional
        Texts that stand for missing cells, in all columns, besides the empty one. Else NA, N/A,
        NaN, NULL, None and ``.`` do so in columns whose other cells are numbers or dates.
    dates : mapping of column to str or sequence of str, optional
        Formats of dates, as ``strptime`` takes them, that are not ISO 8601.

    Returns
    -------
    DataFrame (n_rows, n_columns)
        All cells as text, since numbers in text match hierarchies by value; missing cells are
        None. Numbers have a decimal point, dates of given formats are ISO 8601.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file is empty, not in its encoding, or not CSV, a line has another number of fields
        than the first, a name of a column stands twice, an option is out of range, or a cell is no
        date of the given formats; names file, line or column, and what was found.

    Examples
    --------
    >>> import io
    >>> read_table(io.BytesIO(b"zone;pay\nA;1,5\nNA;NA\n"))
      zone   pay
    0    A   1.5
    1   NA  None
    """
    options = {"separator": separator, "encoding": encoding, "decimal": decimal}
    return TableFile.read(source, missing=missing, dates=dates, **options).frame
