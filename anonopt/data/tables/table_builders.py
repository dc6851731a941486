"""Ways to make a table whose rows stay in a source; :class:`anonopt.Microdata` inherits them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from os import PathLike
from typing import Any, Literal, TypeVar

from anonopt._registry import loaded
from anonopt.data.hierarchies.hierarchy_sources import HierarchySources

T = TypeVar("T", bound="TableBuilders")

ParquetEngine = Literal["duckdb", "arrow", "dask"]
"""What reads Parquet."""


class TableBuilders:
    """Class methods that make a table whose rows stay in a source.

    They return a :class:`~anonopt.sources.LargeTable`: a table with the same labels, lattice and
    distinct tuples, and the same value of every measure of every node, bit for bit, as the
    :class:`~anonopt.data.Microdata` of a frame of these rows. Whatever searches its lattice works
    on it; what looks at rows one by one refuses it. The keywords are those of
    :class:`~anonopt.data.Microdata`, and so are the errors. A population may be a frame, the path
    of Parquet (a file, a pattern or a folder) or of CSV (all cells text), or a
    :class:`~anonopt.sources.Source`; its distinct combinations, and those of the table, have to fit
    into memory.
    """

    @classmethod
    def from_parquet(
        cls: type[T],
        path: str | PathLike[str],
        *,
        quasi_identifiers: Sequence[Hashable],
        hierarchies: HierarchySources,
        sensitive: Hashable | Sequence[Hashable] | None = None,
        target: Hashable | None = None,
        identifiers: Iterable[Hashable] = (),
        population: Any = None,
        engine: ParquetEngine = "duckdb",
        memory_limit: str | None = None,
        threads: int | None = None,
        temp_directory: str | PathLike[str] | None = None,
        max_tuples: int | None = None,
    ) -> T:
        """A table in Parquet files, which may be larger than memory.

        Parameters
        ----------
        path : path
            A file, a pattern such as ``"people/*.parquet"``, or a folder.
        quasi_identifiers, hierarchies, sensitive, target, identifiers
            As for :class:`~anonopt.data.Microdata`.
        population : DataFrame, path or Source, optional
            Everybody whom the table could be about; of a path as :meth:`from_counts` takes it.
        engine : ``"duckdb"``, ``"arrow"`` or ``"dask"``
            What reads the files. DuckDB alone keeps to a limit of memory.
        memory_limit : str, optional
            Of DuckDB, such as ``"4GB"``; what does not fit goes to files.
        threads : int, optional
            Of DuckDB, by default one a core.
        temp_directory : path, optional
            Folder for what does not fit, by default one that is made and removed.
        max_tuples : int, optional
            Distinct combinations of quasi-identifiers that may be in memory, by default 10,000,000;
            of more, DuckDB groups each node anew (``LatticeEvaluator(backend="engine")``).

        Raises
        ------
        FileNotFoundError
            If there is no such file.
        ModuleNotFoundError
            If the engine is not installed (says how to install it).
        ValueError
            If a file is no Parquet, or an option is given to an engine that does not have it; or as
            :class:`~anonopt.data.Microdata`.
        """
        roles = _roles(
            quasi_identifiers,
            hierarchies,
            sensitive,
            target,
            identifiers,
            population,
            max_tuples=max_tuples,
        )
        options = {
            "memory_limit": memory_limit,
            "threads": threads,
            "temp_directory": temp_directory,
        }
        table: T = _made("of_parquet", roles, path, engine=engine, options=options)
        return table

    @classmethod
    def from_duckdb(
        cls: type[T],
        connection: Any,
        query: str,
        *,
        quasi_identifiers: Sequence[Hashable],
        hierarchies: HierarchySources,
        sensitive: Hashable | Sequence[Hashable] | None = None,
        target: Hashable | None = None,
        identifiers: Iterable[Hashable] = (),
        population: Any = None,
        max_tuples: int | None = None,
    ) -> T:
        """The result of a query of DuckDB.

        Parameters
        ----------
        connection : DuckDBPyConnection
            Temporary tables are made there.
        query : str
            One ``SELECT`` statement; frames that it reads have to be registered.
        quasi_identifiers, hierarchies, sensitive, target, identifiers
            As for :class:`~anonopt.data.Microdata`.
        population : DataFrame, path or Source, optional
            Everybody whom the table could be about; of a path as :meth:`from_counts` takes it.
        max_tuples : int, optional
            As in :meth:`from_parquet`.

        Raises
        ------
        ModuleNotFoundError
            If DuckDB is not installed (says how to install it).
        ValueError
            If the query cannot be run; or as :class:`~anonopt.data.Microdata`.
        """
        roles = _roles(
            quasi_identifiers,
            hierarchies,
            sensitive,
            target,
            identifiers,
            population,
            max_tuples=max_tuples,
        )
        table: T = _made("of_query", roles, connection, query)
        return table

    @classmethod
    def from_arrow(
        cls: type[T],
        dataset: Any,
        *,
        quasi_identifiers: Sequence[Hashable],
        hierarchies: HierarchySources,
        sensitive: Hashable | Sequence[Hashable] | None = None,
        target: Hashable | None = None,
        identifiers: Iterable[Hashable] = (),
        population: Any = None,
    ) -> T:
        """The rows of an Arrow dataset, read batch by batch.

        Parameters
        ----------
        dataset : pyarrow Dataset or Table
        quasi_identifiers, hierarchies, sensitive, target, identifiers
            As for :class:`~anonopt.data.Microdata`.
        population : DataFrame, path or Source, optional
            Everybody whom the table could be about; of a path as :meth:`from_counts` takes it.

        Raises
        ------
        ModuleNotFoundError
            If pyarrow is not installed (says how to install it).
        TypeError
            If it is no dataset.
        ValueError
            As :class:`~anonopt.data.Microdata`.
        """
        roles = _roles(quasi_identifiers, hierarchies, sensitive, target, identifiers, population)
        table: T = _made("of_dataset", roles, dataset)
        return table

    @classmethod
    def from_dask(
        cls: type[T],
        frame: Any,
        *,
        quasi_identifiers: Sequence[Hashable],
        hierarchies: HierarchySources,
        sensitive: Hashable | Sequence[Hashable] | None = None,
        target: Hashable | None = None,
        identifiers: Iterable[Hashable] = (),
        population: Any = None,
        client: Any = None,
    ) -> T:
        """The rows of a Dask frame, counted on a cluster.

        Parameters
        ----------
        frame : dask.dataframe.DataFrame
        quasi_identifiers, hierarchies, sensitive, target, identifiers
            As for :class:`~anonopt.data.Microdata`.
        population : DataFrame, path or Source, optional
            Everybody whom the table could be about; of a path as :meth:`from_counts` takes it.
        client : distributed.Client or str, optional
            The cluster, or the address of its scheduler; by default the current one, or one on this
            machine.

        Raises
        ------
        ModuleNotFoundError
            If Dask is not installed (says how to install it).
        TypeError
            If it is no Dask frame, or no client.
        ConnectionError
            If no scheduler answers at the address.
        ValueError
            As :class:`~anonopt.data.Microdata`.
        """
        roles = _roles(quasi_identifiers, hierarchies, sensitive, target, identifiers, population)
        table: T = _made("of_dask", roles, frame, client=client)
        return table

    @classmethod
    def from_counts(
        cls: type[T],
        rows: Any,
        *,
        count: Hashable,
        quasi_identifiers: Sequence[Hashable],
        hierarchies: HierarchySources,
        sensitive: Hashable | Sequence[Hashable] | None = None,
        target: Hashable | None = None,
        identifiers: Iterable[Hashable] = (),
        population: Any = None,
    ) -> T:
        """Rows that were counted where they are: ``SELECT columns, COUNT(*) ... GROUP BY columns``.

        Searches, measures and fingerprint are those of the rows themselves. Rows cannot be written:
        the node that was found is applied where the rows are.

        Parameters
        ----------
        rows : DataFrame, path or Source
            A row for each combination of values, which is brought into memory. A path is of Parquet
            (a file, a pattern or a folder) or of CSV, of which all cells are text.
        count : column
            Number of rows of each combination, whole numbers of at least 1.
        quasi_identifiers, hierarchies, sensitive, target, identifiers
            As for :class:`~anonopt.data.Microdata`.
        population : DataFrame, path or Source, optional
            Everybody whom the table could be about; a path as of `rows`.

        Raises
        ------
        FileNotFoundError, ModuleNotFoundError
            If there is no such file, or DuckDB is needed and not installed.
        TypeError
            If `rows` are none of these.
        ValueError
            If `count` is no column, or has a cell that is no such number (tells how many); if there
            are more than 2,147,483,647 rows; or as :class:`~anonopt.data.Microdata`.

        Examples
        --------
        >>> import pandas as pd
        >>> from anonopt import Hierarchy, LatticeEvaluator, Microdata
        >>> counted = pd.DataFrame({"age": [21, 24, 38], "n": [4000, 1, 2]})
        >>> table = Microdata.from_counts(
        ...     counted, count="n", quasi_identifiers=["age"],
        ...     hierarchies={"age": Hierarchy.intervals(range(20, 40), width=10)},
        ... )
        >>> table.n_rows, LatticeEvaluator(table).evaluate([[1]], ["k"])["k"].item()
        (4003, 2)
        """
        roles = _roles(quasi_identifiers, hierarchies, sensitive, target, identifiers, population)
        table: T = _made("of_counts", roles, rows, count=count)
        return table


def _roles(
    quasi_identifiers: Sequence[Hashable],
    hierarchies: HierarchySources,
    sensitive: Hashable | Sequence[Hashable] | None,
    target: Hashable | None,
    identifiers: Iterable[Hashable],
    population: Any,
    *,
    max_tuples: int | None = None,
) -> dict[str, Any]:
    limit = {} if max_tuples is None else {"max_tuples": max_tuples}
    return limit | {
        "quasi_identifiers": quasi_identifiers,
        "hierarchies": hierarchies,
        "sensitive": sensitive,
        "target": target,
        "identifiers": identifiers,
        "population": population,
    }


def _made(way: str, roles: dict[str, Any], *args: Any, **options: Any) -> Any:
    # Sources are above tables, and heavy: they are loaded when there is a use for them.
    return loaded(f"anonopt.sources.opening:{way}")(roles, *args, **options)
