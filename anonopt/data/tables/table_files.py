"""Tables in CSV files: read strictly, and written again as they were but for what changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt._checks import check_choice
from anonopt._typing import ObjectArray
from anonopt.data.roles import find_columns
from anonopt.data.tables.decoding import Source, decoded, read_bytes
from anonopt.data.tables.dialects import (
    Dialect,
    Record,
    check_even,
    layout,
    raw_records,
    split_by_each,
)
from anonopt.data.tables.spellings import (
    as_iso,
    finds_decimal_comma,
    is_number,
    kind_of_cells,
    missing_spellings,
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
    """

    name: str
    frame: pd.DataFrame
    dialect: Dialect
    text: str

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
        candidates = split_by_each(name, text, separator)
        found, records = max(candidates, key=lambda candidate: _plausibility(candidate[1]))
        check_even(name, records)
        dialect = layout(text, found, encoding=known, mark=mark)
        frame = _frame(name, records)
        frame, dialect = _read_cells(frame, dialect, decimal, missing)
        for column, formats in (dates or {}).items():
            find_columns(frame, [column])
            frame[column] = _iso_dates(frame[column], column, formats)
        return cls(name, frame, dialect, text)

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
        records = _records(self.text, self.dialect.separator)
        return [records[row + 1].line for row in rows.tolist()]

    def content(self, frame: pd.DataFrame, *, rows: npt.ArrayLike | None = None) -> bytes:
        """Bytes of a file like this one, with the cells of a frame.

        Parameters
        ----------
        frame : DataFrame (n, ...)
            Columns of this file, some or all, and others; cells that are equal to those of this
            file are written as they stand in it, byte for byte.
        rows : int array (n,), optional
            Rows of this file that those of the frame come from; its own order by default.

        Raises
        ------
        ValueError
            If the encoding of the file does not have a character that is to be written.
        """
        order = np.arange(len(self.frame)) if rows is None else np.asarray(rows)
        raw = list(raw_records(self.text, self.dialect.separator))
        header, cells = raw[0], raw[1:]
        positions = {name: place for place, name in enumerate(self.frame.columns)}
        heads, columns = [], []
        for name, new in frame.items():
            place = positions.get(str(name))
            written = self._written(new)
            if place is None:
                heads.append(self.dialect.field(str(name)))
            else:
                heads.append(header[place])
                old = self.frame.iloc[order, place].to_numpy(dtype=object)
                same = _equal(old, new.to_numpy(dtype=object))
                for row in np.flatnonzero(same).tolist():
                    written[row] = cells[order[row]][place]
            columns.append(written)
        separator, end = self.dialect.separator, self.dialect.line_end
        lines = [separator.join(fields) for fields in [heads, *zip(*columns, strict=True)]]
        if len(columns) == 1:
            # An empty line would be no record.
            lines = [line or '""' for line in lines]
        text = end.join(lines) + (end if self.dialect.ends_with_line_end else "")
        return self.dialect.content(self.name, text)

    def _written(self, column: pd.Series[Any]) -> list[str]:
        """Cells of a column as they are written where they are new."""
        comma = self.dialect.decimal == ","
        texts = {}
        for value in column.dropna().unique():
            text = as_text(value)
            if comma and "." in text and is_number(text, "."):
                text = text.replace(".", ",")
            texts[value] = self.dialect.field(text)
        missing = column.isna().to_numpy()
        blank = self.dialect.field("")
        return [
            blank if is_missing else texts[value]
            for value, is_missing in zip(column, missing, strict=True)
        ]


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


def _plausibility(records: Sequence[Record]) -> tuple[int, ...]:
    """Even lines of more than one field, then many names in the header."""
    n_fields = len(records[0].fields)
    is_even = all(len(record.fields) == n_fields for record in records)
    return (is_even and n_fields > 1, n_fields)


def _records(text: str, separator: str) -> list[Record]:
    ((_, records),) = split_by_each("", text, separator)
    return records


def _frame(name: str, records: Sequence[Record]) -> pd.DataFrame:
    names, *rows = (record.fields for record in records)
    if twice := [column for column, n in Counter(names).items() if n > 1]:
        raise ValueError(f"{name}: expected each column once, found {twice[0]!r} twice")
    frame = pd.DataFrame(rows, columns=names, dtype=object)
    return frame.mask(frame == "", None)


def _read_cells(
    frame: pd.DataFrame, dialect: Dialect, decimal: str | None, missing: Sequence[str] | None
) -> tuple[pd.DataFrame, Dialect]:
    """Missing cells and numbers, as the options or the cells themselves say."""
    distinct = {column: list(cells.dropna().unique()) for column, cells in frame.items()}
    if decimal is None:
        decimal = "," if finds_decimal_comma(distinct.values()) else "."
    check_choice("decimal", decimal, (".", ","))
    spelled: set[str] = set()
    for column, cells in distinct.items():
        gone = (
            missing_spellings(cells, decimal)
            if missing is None
            else {text for text in cells if text in missing}
        )
        spelled |= gone
        known = [text for text in cells if text not in gone]
        texts = dict.fromkeys(gone) | {text: text for text in known}
        if decimal == "," and known and all(is_number(text, ",") for text in known):
            texts |= {text: text.replace(",", ".") for text in known}
        if any(text != new for text, new in texts.items()):
            frame[column] = pd.Series(
                [texts.get(text) for text in frame[column]], index=frame.index, dtype=object
            )
    return frame, replace(dialect, decimal=decimal, missing=tuple(sorted(spelled)))


def _iso_dates(cells: pd.Series[Any], column: str, formats: str | Sequence[str]) -> pd.Series[Any]:
    known = [formats] if isinstance(formats, str) else list(formats)
    texts = {text: as_iso(text, known) for text in cells.dropna().unique()}
    for text, iso in texts.items():
        if iso is None:
            row = int(np.argmax((cells == text).to_numpy()))
            raise ValueError(
                f"column {column!r}: expected dates such as {' or '.join(known)}, "
                f"found {text!r} in row {row}"
            )
    return pd.Series([texts.get(text) for text in cells], index=cells.index, dtype=object)


def _equal(old: ObjectArray, new: ObjectArray) -> npt.NDArray[np.bool_]:
    """Cells that are equal, missing ones included."""
    both_missing = pd.isna(old) & pd.isna(new)
    return np.asarray((old == new) | both_missing, dtype=bool)
