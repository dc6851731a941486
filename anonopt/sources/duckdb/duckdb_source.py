"""Rows that DuckDB reads: Parquet, CSV, or a query; larger than memory where need be.

Values are coded by null-safe joins and grouped as packed whole numbers: half of time and memory.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from os import PathLike, fspath
from typing import Any

import numpy as np

from anonopt._registry import engine
from anonopt.sources.arrow.arrow_errors import reading_errors
from anonopt.sources.arrow.arrow_values import (
    as_series,
    check_known_values,
    check_same_values,
    unknown_values,
)
from anonopt.sources.duckdb.duckdb_combinations import DuckDBCombinations
from anonopt.sources.duckdb.duckdb_files import CSV, Parquet, TableFiles, check_names
from anonopt.sources.duckdb.duckdb_session import DuckDBSession, one_statement, session_settings
from anonopt.sources.duckdb.duckdb_sql import quoted
from anonopt.sources.packed_words import PackedWords
from anonopt.sources.row_batches import parquet_batches
from anonopt.sources.source import CodedColumn, DistinctValues, Source, changed_rows, packed_groups


class DuckDBSource(Source):
    """The rows of a query, as DuckDB reads them.

    Made of files by :meth:`of_parquet` and :meth:`of_csv`.

    Parameters
    ----------
    query : str
        One ``SELECT`` statement.
    connection : DuckDBPyConnection
        Where it runs; temporary tables are made there, which `close` drops.

    Attributes
    ----------
    relation : str
        The rows, as SQL has it after ``FROM``.

    Raises
    ------
    ModuleNotFoundError
        If DuckDB is not installed (says how to install it).
    ValueError
        If DuckDB cannot run the query, or two of its columns have the same name.

    Examples
    --------
    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> source = DuckDBSource("select i % 2 as even from range(5) t(i)", connection=connection)
    >>> source.n_rows, source.distinct("even").counts
    (5, array([3, 2]))
    """

    def __init__(self, query: str, *, connection: Any) -> None:
        duckdb = engine("duckdb", "a query of DuckDB")
        if not isinstance(connection, duckdb.DuckDBPyConnection):
            raise TypeError(
                f"connection: expected a connection of DuckDB, found {type(connection).__name__}"
            )
        if not isinstance(query, str):
            raise TypeError(f"query: expected SQL as text, found {type(query).__name__}")
        text = one_statement(connection, query)
        self._name = f"the query {' '.join(text.split())!r} by DuckDB"
        self._files: TableFiles | None = None
        self._database: str | None = None
        self._settings: dict[str, Any] = {}
        # On a line of its own, as the query may end in a comment.
        self.relation = f"({text}\n)"
        self.session = DuckDBSession(connection, self._name)
        names = [name for name, *_ in self.session.fetch(f"describe {text}")]
        check_names("query", names)

    @classmethod
    def of_parquet(
        cls,
        path: str | PathLike[str],
        *,
        memory_limit: str | None = None,
        threads: int | None = None,
        temp_directory: str | PathLike[str] | None = None,
    ) -> DuckDBSource:
        """The rows of Parquet files.

        Parameters
        ----------
        path : path
            A file, a pattern such as ``people/*.parquet``, or a folder, whose files are taken with
            those of the folders in it.
        memory_limit : str, optional
            Such as ``"4GB"``; what does not fit goes to files. DuckDB has been seen to take up to
            28 % more. By default 80 % of the memory of the machine.
        threads : int, optional
            By default one a core.
        temp_directory : path, optional
            Folder for these files, by default one that is made and removed.

        Raises
        ------
        FileNotFoundError
            If there is no such file.
        ValueError
            If a file is no Parquet, the files differ in their columns, two columns have the same
            name, or an option is none.
        """
        return cls._of_files(Parquet(path), session_settings(memory_limit, threads, temp_directory))

    @classmethod
    def of_csv(
        cls,
        path: str | PathLike[str],
        *,
        delimiter: str | None = None,
        encoding: str = "utf-8",
        memory_limit: str | None = None,
        threads: int | None = None,
        temp_directory: str | PathLike[str] | None = None,
    ) -> DuckDBSource:
        """The rows of CSV files with a header, all cells as text, empty ones missing.

        Nothing is guessed: a line of too few or too many cells is an error.

        Parameters
        ----------
        path : path
            A file, a pattern or a folder; all files have the same header. Names that end in
            ``.gz`` are of files that gzip has compressed.
        delimiter : str, optional
            One character; by default a tab where names end in ``.tsv``, a comma where in ``.csv``.
        encoding : str
            As DuckDB calls it: ``"utf-8"``, ``"utf-16"`` or ``"latin-1"``.
        memory_limit, threads, temp_directory
            As in :meth:`of_parquet`.

        Raises
        ------
        FileNotFoundError, ValueError
            As :meth:`of_parquet`; or if a line has another number of cells than the header, or a
            file another header than the first.
        """
        files = CSV(path, delimiter=delimiter, encoding=encoding)
        return cls._of_files(files, session_settings(memory_limit, threads, temp_directory))

    @classmethod
    def of_database(
        cls,
        path: str | PathLike[str],
        query: str,
        *,
        memory_limit: str | None = None,
        threads: int | None = None,
        temp_directory: str | PathLike[str] | None = None,
    ) -> DuckDBSource:
        """The rows of a query of a database file, which is not written to.

        Parameters
        ----------
        path : path
        query : str
            One ``SELECT`` statement.
        memory_limit, threads, temp_directory
            As in :meth:`of_parquet`.

        Raises
        ------
        FileNotFoundError, ValueError
            If there is no such file, it is no database or in use, or the query cannot be run.
        """
        settings = session_settings(memory_limit, threads, temp_directory)
        session = DuckDBSession.opened(fspath(path), settings, database=fspath(path))
        made = cls(query, connection=session.connection)
        made.session, made._database, made._settings = session, fspath(path), settings
        return made

    @classmethod
    def _of_files(cls, files: TableFiles, settings: Mapping[str, Any]) -> DuckDBSource:
        made = cls.__new__(cls)
        made._files, made._database, made._settings = files, None, dict(settings)
        made._name = f"{files.kind} {files.path} by DuckDB"
        files.check_there()
        made.relation = files.relation
        with made.session.errors():
            files.check(made.session.connection)
        return made

    @cached_property
    def session(self) -> DuckDBSession:
        """The connection; of files and databases one of its own, opened anew by other processes.

        Raises
        ------
        ValueError
            If the rows are those of a query on a connection, and this is another process.
        """
        if self._files is None and self._database is None:
            raise ValueError(f"{self!r}: expected the process that has its connection")
        own = self._files.files if self._files is not None else ()
        return DuckDBSession.opened(self._name, self._settings, database=self._database, files=own)

    @cached_property
    def _tables(self) -> dict[Hashable, str]:
        return {}

    def close(self) -> None:
        """Drop the temporary tables; the connection to files ends, and is made anew when needed."""
        if "session" not in self.__dict__:
            return
        self._tables.clear()
        if self._files is None and self._database is None:
            self.session.drop()
        else:
            self.session.close()
            del self.session

    @cached_property
    def columns(self) -> Mapping[Hashable, str]:
        """See `Source.columns`."""
        found = self.session.fetch(f"describe select * from {self.relation}")
        return {name: str(kind) for name, kind, *_ in found}

    @cached_property
    def n_rows(self) -> int:
        """See `Source.n_rows`."""
        return int(self.session.fetch(f"select count(*) from {self.relation}")[0][0])

    def value_table(self, column: Hashable) -> str:
        """Name of the temporary table of the values of a column: ``v``, ``n`` rows, ``place``."""
        if column not in self._tables:
            check_known_values(column, self.columns[column])
            check_known_values(column, str(self._arrow_type(column)))
            name = self.session.new_name()
            self.session.run(
                f"create temp table {name} as select v, n, "
                "cast(row_number() over (order by n desc, v) - 1 as integer) as place from "
                f"(select {quoted(column)} as v, count(*) as n from {self.relation} group by all)"
            )
            self._tables[column] = name
        return self._tables[column]

    def distinct(self, column: Hashable) -> DistinctValues:
        """See `Source.distinct`."""
        found = self.session.arrow(f"select v, n from {self.value_table(column)} order by place")
        kind = self._arrow_type(column)
        with unknown_values(column):
            values = as_series(found["v"].combine_chunks(), kind)
        return DistinctValues(values, found["n"].to_numpy(), bool(getattr(kind, "ordered", False)))

    def combine(self, groups: Sequence[Sequence[CodedColumn]]) -> DuckDBCombinations:
        """See `Source.combine`."""
        packed = packed_groups(groups)
        words: list[str] = []
        joins: list[str] = []
        tables: list[str] = []
        try:
            for group, columns in zip(packed, groups, strict=True):
                parts: list[list[str]] = [[] for _ in range(group.n_words)]
                for position, column in enumerate(columns):
                    alias = f"p{len(tables)}"
                    tables.append(self._part_table(column, group, position))
                    joins.append(
                        f"join {tables[-1]} {alias} "
                        f"on r.{quoted(column.name)} is not distinct from {alias}.v"
                    )
                    parts[group.words[position]].append(f"{alias}.part")
                words += [" + ".join(part) for part in parts]
            made = DuckDBCombinations(self.session, packed)
            chosen = [f"{word} as {name}" for word, name in zip(words, made.all_words, strict=True)]
            self.session.run(
                f"create temp table {made.table} as select {', '.join([*chosen, 'count(*) as n'])} "
                f"from {self.relation} r {' '.join(joins)} group by all"
            )
        finally:
            for table in tables:
                self.session.drop(table)
        rows = int(self.session.fetch(f"select coalesce(sum(n), 0) from {made.table}")[0][0])
        if rows != self.n_rows:
            raise changed_rows(self, rows)
        return made

    def _part_table(self, column: CodedColumn, group: PackedWords, position: int) -> str:
        """Name of a temporary table of the values of a column and what they add to its word."""
        arrow = engine("pyarrow", "this source")
        parts = group.parts(position, column.codes)
        name = self.session.new_name()
        places = np.arange(len(parts), dtype=np.int32)
        codes = arrow.table({"place": places, "part": parts})
        known = self.value_table(column.name)
        self.session.create(
            name, codes, f"select v, part from {known} join {{content}} using (place)"
        )
        return name

    def _arrow_type(self, column: Hashable) -> Any:
        return None if self._files is None else self._files.arrow_type(column)

    @cached_property
    def schema(self) -> Any:
        """See `Source.schema`.

        Raises
        ------
        TypeError
            If DuckDB would give other values than those of a column.
        """
        if self._files is None or not self._files.holds(self.columns):
            check_same_values(self.columns)
        found = self.session.arrow(f"select * from {self.relation} limit 0").schema
        for place, field in enumerate(found):
            kind = self._arrow_type(field.name)
            found = found.set(place, field.with_type(kind or field.type).with_nullable(True))
        return found

    def batches(self, rows: int, *, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """See `Source.batches`."""
        if self._files is not None and self._files.holds(self.columns):
            with reading_errors(self._name, self._files.files):
                yield from parquet_batches(self._files.files, self.schema, rows, columns=columns)
            return
        names = "*" if columns is None else ", ".join(quoted(name) for name in columns)
        sql = f"select {names} from {self.relation}"
        with self.session.errors(), self.session.connection.sql(sql).to_arrow_reader(rows) as found:
            yield from found

    @property
    def is_ordered(self) -> bool:
        """Whether the rows are those of files: a query may give its rows in any order."""
        return self._files is not None

    @property
    def paths(self) -> Sequence[str]:
        """See `Source.paths`."""
        return super().paths if self._database is None else [self._database]

    def __getstate__(self) -> dict[str, Any]:
        # A connection stays where it is.
        return {k: v for k, v in self.__dict__.items() if k not in ("session", "_tables")}

    def __repr__(self) -> str:
        return self._name
