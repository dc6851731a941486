"""A connection of DuckDB whose errors are ours."""

from __future__ import annotations

import itertools
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike, fspath, getpid
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import RLock
from typing import Any, Literal
from weakref import WeakKeyDictionary

from anonopt._registry import engine
from anonopt.data.temporary_folders import spill_folder
from anonopt.sources.arrow.broken_files import what_is_broken
from anonopt.sources.duckdb.duckdb_sql import literal
from anonopt.sources.paths import is_database

_NUMBERS = itertools.count()
_LOCKS: WeakKeyDictionary[Any, RLock] = WeakKeyDictionary()
"""Of each connection one, as several sources may be read by it."""


class DuckDBSession:
    """Runs SQL for one source.

    Parameters
    ----------
    connection : DuckDBPyConnection
    name : str
        What messages call the source.

    Attributes
    ----------
    connection : DuckDBPyConnection
    alone : lock
        Held by a thread while no other may use the connection, or the tables that it makes.
    files : sequence of str
        That the rows are in, of which messages name the broken one.
    """

    def __init__(self, connection: Any, name: str) -> None:
        self.connection, self._name = connection, name
        self.alone = _LOCKS.setdefault(connection, RLock())
        self.files: Sequence[str] = ()
        self._folder: TemporaryDirectory[str] | None = None
        self._prefix = f"anonopt_{getpid()}_{next(_NUMBERS)}"
        self._numbers = itertools.count()
        self._tables: dict[str, Literal["table", "view"]] = {}

    @classmethod
    def opened(
        cls,
        name: str,
        settings: Mapping[str, Any],
        *,
        database: str | None = None,
        files: Sequence[str] = (),
    ) -> DuckDBSession:
        """A session of a database of its own, or of a file that is not written to.

        Parameters
        ----------
        name : str
        settings : mapping
            ``memory_limit``, ``threads`` and ``temp_directory``; None is DuckDB's own default, of
            the folder one that is made, and removed at the end.
        database : str, optional
            Path of a database.
        files : sequence of str
            See the attribute.

        Raises
        ------
        ValueError
            If DuckDB refuses one, or the database.
        FileNotFoundError
            If there is no such folder, or database.
        """
        duckdb = engine("duckdb", name)
        if database is not None and not Path(database).is_file():
            raise FileNotFoundError(f"{database}: expected a database of DuckDB, found no file")
        try:
            connection = duckdb.connect(database or ":memory:", read_only=database is not None)
        except duckdb.Error as error:
            found = str(error).splitlines()[0]
            if database is not None and not is_database(database):
                found = "a file of another kind"
            raise ValueError(
                f"{database}: expected a database of DuckDB that can be read, found: {found}"
            ) from error
        session = cls(connection, name)
        session.files = files
        given = {setting: value for setting, value in settings.items() if value is not None}
        if "temp_directory" not in given:
            session._folder = spill_folder()
            given["temp_directory"] = session._folder.name
        elif not Path(given["temp_directory"]).is_dir():
            raise FileNotFoundError(
                f"temp_directory: expected a folder, found none at {given['temp_directory']}"
            )
        # A name of a file is a file, and never a variable of Python.
        session.connection.execute("set python_enable_replacements = false")
        # It would be written between the lines of whoever reads our output.
        session.connection.execute("set enable_progress_bar = false")
        if str(given.get("memory_limit", "")).startswith("-"):
            # To DuckDB it would be no limit at all.
            raise ValueError(
                f"memory_limit: expected a size such as '4GB', found {given['memory_limit']!r}"
            )
        for setting, value in given.items():
            text = literal(value if isinstance(value, int) else fspath(value))
            try:
                session.connection.execute(f"set {setting} = {text}")
            except duckdb.Error as error:
                found = str(error).splitlines()[0]
                raise ValueError(
                    f"{setting}: expected a setting of DuckDB, found {value!r} ({found})"
                ) from error
        return session

    def new_name(self, kind: Literal["table", "view"] = "table") -> str:
        """A name for a temporary table, or view, that no other has."""
        name = f"{self._prefix}_{next(self._numbers)}"
        self._tables[name] = kind
        return name

    def drop(self, *names: str) -> None:
        """Drop temporary tables and views of this session, by default all."""
        # A view is dropped before what it is made of.
        for name in names or tuple(reversed(self._tables)):
            if name in self._tables:
                self.run(f"drop {self._tables[name]} if exists {name}")
                del self._tables[name]

    def close(self) -> None:
        """End the connection, and remove the folder that was made for it."""
        self.connection.close()
        if self._folder is not None:
            self._folder.cleanup()

    def run(self, sql: str) -> None:
        """Run a statement."""
        self.fetch(sql)

    def create(self, name: str, content: Any, query: str) -> None:
        """Create a temporary table by a query that reads an Arrow table.

        Parameters
        ----------
        name : str
        content : pyarrow Table
        query : str
            With ``{content}`` where the Arrow table is read.
        """
        known = f"{name}_content"
        with self.alone:
            with self.errors():
                self.connection.register(known, content)
            try:
                self.run(f"create temp table {name} as {query.format(content=known)}")
            finally:
                self.connection.unregister(known)

    def fetch(self, sql: str) -> list[tuple[Any, ...]]:
        """Rows of the result of a query."""
        with self.alone, self.errors():
            # Fetched to the end, as a result that is not would block the connection.
            rows: list[tuple[Any, ...]] = self.connection.execute(sql).fetchall()
            return rows

    def arrow(self, sql: str) -> Any:
        """Result of a query as an Arrow table."""
        with self.alone, self.errors():
            return self.connection.sql(sql).to_arrow_table()

    def batches(self, sql: str, rows: int) -> Generator[Any, None, None]:
        """Result of a query as Arrow record batches that have rows; nothing else runs meanwhile."""
        # Closed whatever happens, as a result that is open would block the connection.
        with self.errors(), self.connection.sql(sql).to_arrow_reader(rows) as batches:
            for batch in batches:
                if batch.num_rows:
                    yield batch

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Raise errors of DuckDB as ours, and an interrupt as what it is.

        Raises
        ------
        ValueError
            If the rows cannot be read.
        MemoryError
            If a limit does not suffice, of memory and of files.
        """
        duckdb = engine("duckdb", self._name)
        try:
            yield
        except duckdb.OutOfMemoryException as error:
            raise MemoryError(f"{self._name}: {str(error).splitlines()[0]}") from error
        except duckdb.InterruptException as error:
            raise KeyboardInterrupt from error
        except duckdb.Error as error:
            found = what_is_broken(error, self.files)
            raise ValueError(
                f"{self._name}: expected rows that can be read, found: {found}"
            ) from error
        except RuntimeError as error:
            if "interrupted" not in str(error):
                raise
            raise KeyboardInterrupt from error


def one_statement(connection: Any, query: str) -> str:
    """Text of the statement of a query, of which there is to be one: others would be run, too.

    Raises
    ------
    ValueError
    """
    with DuckDBSession(connection, f"the query {query!r} by DuckDB").errors():
        statements = connection.extract_statements(query)
    if len(statements) != 1:
        raise ValueError(f"query: expected one SELECT statement, found {len(statements)}")
    return str(statements[0].query).strip().rstrip(";").rstrip()


def session_settings(
    memory_limit: str | None, threads: int | None, temp_directory: str | PathLike[str] | None
) -> dict[str, Any]:
    """Settings of a connection, as `DuckDBSession.opened` takes them."""
    return {"memory_limit": memory_limit, "threads": threads, "temp_directory": temp_directory}
