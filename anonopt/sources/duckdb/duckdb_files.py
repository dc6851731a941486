"""Files that DuckDB reads, checked before any work: they are there, and agree in their columns."""

from __future__ import annotations

import csv
import gzip
import zlib
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from os import PathLike
from typing import Any

from anonopt._registry import engine
from anonopt.sources.duckdb.csv_structure import check_structure
from anonopt.sources.duckdb.duckdb_sql import literal, quoted
from anonopt.sources.file_kinds import kind_of_name
from anonopt.sources.paths import Files, check_same_columns


def check_names(what: str, names: Sequence[str]) -> None:
    """Refuse names of columns that DuckDB would change without a word.

    Examples
    --------
    >>> check_names("people.csv", ["age", "Age"])
    Traceback (most recent call last):
        ...
    ValueError: people.csv: expected columns of different names, found ['age', 'Age'] (to DuckDB \
names are the same that differ in case alone)
    """
    for name in names:
        if not name:
            raise ValueError(
                f"{what}: expected a name for each column, found none of column "
                f"{names.index(name) + 1} (DuckDB has to have one)"
            )
        same = [other for other in names if other.lower() == name.lower()]
        if len(same) > 1:
            raise ValueError(
                f"{what}: expected columns of different names, found {same} "
                "(to DuckDB names are the same that differ in case alone)"
            )


class TableFiles(Files, ABC):
    """Files that DuckDB reads.

    Attributes
    ----------
    relation : str
        The rows, as SQL has it after ``FROM``.
    """

    @property
    @abstractmethod
    def relation(self) -> str:
        """The rows, as SQL has it after ``FROM``."""

    @abstractmethod
    def check(self, connection: Any) -> None:
        """Raise a ValueError for what would be misread without a word."""

    def arrow_type(self, column: Hashable) -> Any:
        """Type that the files declare for Arrow, None if they do not."""
        return None

    def holds(self, columns: Iterable[Hashable]) -> bool:
        """Whether Arrow reads all columns from the files."""
        return False


class Parquet(TableFiles):
    """Parquet files.

    Parameters
    ----------
    path : path
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        super().__init__("Parquet", path)

    @property
    def relation(self) -> str:
        """See `TableFiles.relation`."""
        return f"read_parquet([{', '.join(literal(one) for one in self.files)}])"

    def check(self, connection: Any) -> None:
        """See `TableFiles.check`."""
        first, own = self.files[0], self._columns(connection, self.files[0])
        check_names(self.files[0], self._schema.names)
        for other in self.files[1:]:
            check_same_columns(other, self._columns(connection, other), first, own)

    def _columns(self, connection: Any, file: str) -> dict[str, str]:
        """Names and types of the columns of a file, with the units of times, which DuckDB drops."""
        rows = connection.execute(f"describe select * from read_parquet([{literal(file)}])")
        schema = engine("pyarrow.parquet", "reading Parquet").read_schema(file)
        is_temporal = engine("pyarrow", "reading Parquet").types.is_temporal
        units = {field.name: str(field.type) for field in schema if is_temporal(field.type)}
        return {name: units.get(name, str(kind)) for name, kind, *_ in rows.fetchall()}

    def holds(self, columns: Iterable[Hashable]) -> bool:
        """See `TableFiles.holds`: unless some are in the names of folders."""
        return set(columns) <= set(self._schema.names)

    @cached_property
    def _schema(self) -> Any:
        return engine("pyarrow.parquet", "reading Parquet").read_schema(self.files[0])

    def arrow_type(self, column: Hashable) -> Any:
        """See `TableFiles.arrow_type`."""
        place = self._schema.get_field_index(column)
        return None if place < 0 else self._schema.field(place).type


class CSV(TableFiles):
    """CSV files with the same header, all of whose cells are text.

    Parameters
    ----------
    path : path
    delimiter : str, optional
        By default that of the names of the files.
    encoding : str
    """

    def __init__(self, path: str | PathLike[str], *, delimiter: str | None, encoding: str) -> None:
        super().__init__("CSV", path)
        self._delimiter, self.encoding = delimiter, encoding

    @cached_property
    def delimiter(self) -> str:
        """What stands between cells."""
        if self._delimiter is not None:
            return self._delimiter
        kind = kind_of_name(self.files[0])
        return kind.delimiter if kind is not None and kind.delimiter else ","

    @cached_property
    def header(self) -> list[str]:
        """Names of the columns, in the order of all files."""
        return self._header_of(self.files[0])

    def _header_of(self, file: str) -> list[str]:
        encoding = {"utf-8": "utf-8-sig"}.get(self.encoding, self.encoding)
        make = gzip.open if file.lower().endswith(".gz") else open
        with make(file, "rt", encoding=encoding, newline="") as lines:
            try:
                return next(csv.reader(lines, delimiter=self.delimiter), [])
            except UnicodeDecodeError as error:
                raise ValueError(
                    f"{file}: expected {self.encoding} text, found {error} (encoding names another)"
                ) from error
            except (EOFError, gzip.BadGzipFile, zlib.error) as error:
                raise ValueError(f"{file}: expected a file of gzip, found {error}") from error

    @property
    def relation(self) -> str:
        """See `TableFiles.relation`."""
        columns = ", ".join(f"{literal(name)}: 'varchar'" for name in self.header)
        return (
            f"read_csv([{', '.join(literal(one) for one in self.files)}], auto_detect=false, "
            f"header=true, delim={literal(self.delimiter)}, quote='\"', escape='\"', "
            f"encoding={literal(self.encoding)}, columns={{{columns}}}, nullstr='', "
            "strict_mode=true, null_padding=false)"
        )

    def check(self, connection: Any) -> None:
        """See `TableFiles.check`."""
        names = self.header
        if not names:
            raise ValueError(f"{self.path}: expected a header on the first line, found none")
        check_names(str(self.path), names)
        for other in self.files[1:]:
            # DuckDB leaves out the first line of each file, whatever it says.
            if (found := self._header_of(other)) != names:
                raise ValueError(f"{other}: expected the columns {names}, found {found}")
        for file in self.files:
            check_structure(file, names, delimiter=self.delimiter, encoding=self.encoding)
        # Fetched to the end, as a result that is not would block the connection.
        connection.execute(f"select {quoted(names[0])} from {self.relation} limit 1").fetchall()
