"""Tables of a configuration that stay in files or in a database, as their engine reads them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from anonopt._registry import loaded
from anonopt.cli.configuration.hierarchies import build_hierarchies
from anonopt.cli.inputs import STANDARD, TAB
from anonopt.sources.file_kinds import check_written, kind_of, kind_of_name
from anonopt.sources.paths import Files, is_database

if TYPE_CHECKING:
    from anonopt.cli.configuration.config import Config
    from anonopt.sources.large_table import LargeTable
    from anonopt.sources.source import Source

LIMITS = ("memory_limit", "threads", "temp_directory")
"""Keys of DuckDB alone."""

OF_CSV = ("separator", "encoding")
"""Keys of CSV, whoever reads it."""

IN_MEMORY = ("decimal", "missing", "dates")
"""Keys of CSV that is read into memory: an engine takes cells as they stand."""


def check_streamed(settings: Config) -> None:
    """Refuse what is not there for tables that stay in files, before any is opened.

    Parameters
    ----------
    settings : Config

    Raises
    ------
    ValueError
        Names the key, what was expected and what was found.
    """
    from anonopt.sources.opening import LIMITED

    data, engine = settings.data, settings.data.engine or "duckdb"
    if settings.resolve(data.file) == STANDARD:
        raise ValueError("data.file: expected a file that an engine reads, found standard input")
    check_no_database(settings)
    is_csv = is_csv_of(settings)
    if engine not in LIMITED:
        for key in ("query", *LIMITS):
            if getattr(data, key) is not None:
                raise ValueError(
                    f"data.{key}: expected with data.engine 'duckdb', found {engine!r}"
                )
        if is_csv:
            raise ValueError(
                f"data.engine: expected 'duckdb' with a CSV file, found {engine!r} with {data.file}"
            )
    for key in IN_MEMORY if is_csv else (*OF_CSV, *IN_MEMORY):
        if getattr(data, key):
            raise ValueError(
                f"data.{key}: expected with a CSV file that is read into memory, found it with "
                f"{data.file}, which {engine} reads"
            )
    if settings.search.method != "lattice":
        raise ValueError(
            f"search.method: expected 'lattice' with rows that stay in {data.file}, found "
            f"{settings.search.method!r}"
        )


def check_no_database(settings: Config) -> None:
    """Refuse a database without a query, whose bytes would be taken for those of a table.

    Raises
    ------
    ValueError
    """
    path = settings.resolve(settings.data.file)
    if settings.data.query is None and path.is_file() and is_database(path):
        raise ValueError(
            f"data.query: expected a SELECT statement, as {settings.data.file} is a database of "
            "DuckDB, found none"
        )


def check_streamed_output(settings: Config) -> None:
    """Refuse an output that cannot be written some rows at a time.

    Raises
    ------
    ValueError
        Names the key, what was expected and what was found.
    """
    check_streamed(settings)
    if settings.output.shuffle:
        raise ValueError(
            f"output.shuffle: expected false with rows that stay in {settings.data.file}, found "
            "true: they are written in their order"
        )
    data = settings.data
    if data.query is None:
        kind = "CSV" if is_csv_of(settings) else "Parquet"
        Files(kind, settings.resolve(data.file)).check_outside(settings.output_path)
    check_written(settings.output.file, "output.file")


def is_csv_of(settings: Config) -> bool:
    """Whether the rows of a configuration are those of CSV files.

    Raises
    ------
    FileNotFoundError, ValueError
        If the name of the file does not tell, and there is no separator.
    """
    data = settings.data
    if data.query is not None:
        return False
    path = settings.resolve(data.file)
    if data.separator is not None and kind_of_name(path) is None and not path.is_dir():
        return True
    return kind_of(path, "data.file").name == "CSV"


@contextmanager
def streamed_source(settings: Config) -> Iterator[Source]:
    """The rows of a configuration; what is held for them is given back at the end."""
    source = source_of(settings)
    try:
        yield source
    finally:
        source.close()


def source_of(settings: Config) -> Source:
    """The rows that a configuration names, in their engine.

    Raises
    ------
    FileNotFoundError, ModuleNotFoundError, ValueError
        As the classes of ``anonopt.sources``, and `check_streamed`.
    """
    from anonopt.sources.opening import PARQUET

    check_streamed(settings)
    data, path = settings.data, settings.resolve(settings.data.file)
    limits = {key: getattr(data, key) for key in LIMITS if getattr(data, key) is not None}
    if "temp_directory" in limits:
        limits["temp_directory"] = settings.resolve(limits["temp_directory"])
    source = loaded(PARQUET[data.engine or "duckdb"])
    found: Source
    if data.query is not None:
        found = source.of_database(path, data.query, **limits)
    elif is_csv_of(settings):
        given: dict[str, Any] = {} if data.encoding is None else {"encoding": data.encoding}
        if data.separator is not None:
            given["delimiter"] = "\t" if data.separator in (TAB, "\\t") else data.separator
        found = source.of_csv(path, **given, **limits)
    else:
        found = source.of_parquet(path, **limits)
    return found


def table_of_source(
    settings: Config, source: Source, *, dropped: list[str] | None = None
) -> LargeTable:
    """The table with the roles and hierarchies that the configuration gives its columns.

    Parameters
    ----------
    settings : Config
    source : Source
    dropped : list of str, optional
        Columns that are not published, by default the identifiers.

    Raises
    ------
    ValueError
        If there are no rows, or a role or a hierarchy is refused.
    """
    from anonopt.sources.large_table import MAX_TUPLES
    from anonopt.sources.opening import table_of_roles
    from anonopt.sources.values_of_columns import ValuesOfColumns

    data, names = settings.data, list(source.columns)
    if source.n_rows == 0:
        raise ValueError(f"data.file: expected at least one row, found none in {source!r}")
    described = [column for column in settings.hierarchies if column in names]
    people = data.population
    roles = {
        "quasi_identifiers": data.quasi_identifiers,
        "hierarchies": build_hierarchies(settings, ValuesOfColumns(source, described)),
        "sensitive": data.sensitive,
        "target": data.target,
        "identifiers": data.identifiers if dropped is None else dropped,
        "population": None if people is None else settings.resolve(people),
        "max_tuples": MAX_TUPLES if data.max_tuples is None else data.max_tuples,
    }
    return table_of_roles(source, roles)
