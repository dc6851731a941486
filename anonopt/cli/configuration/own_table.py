"""The table of a configuration file, and the problems that are set for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from anonopt._checks import check_choice
from anonopt.cli.anonymizing.asked import bounds_of_groups
from anonopt.cli.configuration.hierarchies import build_hierarchies
from anonopt.cli.configuration.streamed_input import check_no_database, source_of, table_of_source
from anonopt.cli.inputs import read_input

if TYPE_CHECKING:
    import pandas as pd

    from anonopt.cli.configuration.config import Config, SearchSection
    from anonopt.data import Microdata
    from anonopt.data.tables.table_files import TableFile
    from anonopt.problems import LatticeProblem, LocalRecodingProblem
    from anonopt.sources.source import Source

    OwnProblem: TypeAlias = LatticeProblem | LocalRecodingProblem

OF_GROUPS, OF_KEYS = "recoding-search", "es"
"""Algorithms of local recodings where none is named: of recodings themselves, of random keys."""


def input_of(settings: Config) -> TableFile:
    """Read the table of a configuration."""
    check_no_database(settings)
    data = settings.data
    return read_input(
        settings.resolve(data.file),
        separator=data.separator,
        encoding=data.encoding,
        decimal=data.decimal,
        missing=data.missing,
        dates=data.dates,
    )


def rows_of(settings: Config) -> pd.DataFrame | Source:
    """Rows of a configuration: in memory, or where they are."""
    return source_of(settings) if settings.is_streamed else input_of(settings).frame


def anonymization_problem(
    settings: Config, frame: pd.DataFrame | Source, *, dropped: list[str] | None = None
) -> OwnProblem:
    """The problem that ``anonopt anonymize`` solves: one objective under a fixed k.

    Parameters
    ----------
    settings : Config
    frame : DataFrame (n_rows, n_columns), or Source
    dropped : list of str, optional
        Columns of a source that are not published.

    Raises
    ------
    ValueError
        If k is above the number of rows, or the library refuses the table or the problem.
    """
    from anonopt.problems import LatticeProblem

    search, table = settings.search, table_of(settings, frame, dropped=dropped)
    _check_k(settings, table)
    if search.method == "local":
        return _local_problem(search, table, [search.objective])
    return LatticeProblem(
        table,
        [search.objective],
        constraints=search.bounds,
        k=search.k,
        suppression=search.suppression,
        class_bounds=search.class_bounds,
    )


def _check_k(settings: Config, table: Microdata) -> None:
    """Refuse a k that no class can have."""
    if settings.search.k > table.n_rows:
        raise ValueError(
            f"search.k: expected at most {table.n_rows}, the rows of "
            f"{settings.data.file}, found {settings.search.k}"
        )


def algorithm_of(search: SearchSection, problem: LocalRecodingProblem) -> str:
    """The algorithm that searches local recodings: by default the memetic one, if it takes them."""
    if search.algorithm is not None:
        return search.algorithm
    return OF_GROUPS if problem.genome == "groups" else OF_KEYS


def _local_problem(
    search: SearchSection,
    table: Microdata,
    objectives: Sequence[str],
    *,
    most: int | None = None,
    constraints: Mapping[str, float] | None = None,
    suppression: float | None = None,
) -> LocalRecodingProblem:
    """Local recodings of a table; with k up to `most` if there is one.

    Genomes are what the algorithm takes: of several k and where none is named random keys, unless
    the memetic search takes the problem.
    """
    from anonopt.algorithms import ALGORITHMS
    from anonopt.evaluation.local.cut_scores import CUTS
    from anonopt.problems import LocalRecodingProblem

    if search.cuts is not None:
        check_choice("search.cuts", search.cuts, CUTS)
    of_groups, others = bounds_of_groups(search)
    try:
        spaces = ALGORITHMS.find(search.algorithm or OF_GROUPS).spaces or {"keys"}
    except ValueError as error:
        raise ValueError(f"search.algorithm: {error}") from error
    cuts: dict[str, Any] = {} if search.cuts is None else {"cuts": search.cuts}
    problem = LocalRecodingProblem(
        table,
        objectives,
        constraints={**others, **(constraints or {})},
        k=search.k if most is None else (search.k, most),
        class_bounds=of_groups,
        suppression=search.suppression if suppression is None else suppression,
        genome="keys" if "keys" in spaces or "groups" not in spaces else "groups",
        **cuts,
    )
    is_free = search.algorithm is None
    if is_free and (most is not None or ALGORITHMS[OF_GROUPS].refusal(problem) is not None):
        return problem.with_genome("keys")
    return problem


def _searchable(problem: LocalRecodingProblem, algorithm: str) -> LocalRecodingProblem:
    """The problem with the genomes that an algorithm takes; as it is, if it takes neither."""
    from anonopt.algorithms import ALGORITHMS
    from anonopt.problems.local_recoding import GENOMES

    entry = ALGORITHMS.find(algorithm)
    twins = [problem, *(problem.with_genome(genome) for genome in GENOMES)]
    return next((one for one in twins if entry.declared_refusal(one) is None), problem)


def table_of(
    settings: Config, frame: pd.DataFrame | Source, *, dropped: list[str] | None = None
) -> Microdata:
    """The table with the roles and hierarchies that the configuration gives its columns."""
    from anonopt.data import Microdata, read_table
    from anonopt.sources.source import Source

    if isinstance(frame, Source):
        return table_of_source(settings, frame, dropped=dropped)

    roles = settings.data
    if frame.empty:
        raise ValueError(f"data.file: expected at least one row, found none in {roles.file}")
    return Microdata(
        frame,
        quasi_identifiers=roles.quasi_identifiers,
        hierarchies=build_hierarchies(settings, frame),
        sensitive=roles.sensitive,
        target=roles.target,
        identifiers=roles.identifiers,
        population=(
            None if roles.population is None else read_table(settings.resolve(roles.population))
        ),
    )


def own_problem(settings: Config) -> OwnProblem:
    """The problem of a configuration file as it stands there, of the table that it names."""
    frame = rows_of(settings)
    try:
        return front_problem(settings, frame, objectives=(), constraints={}, suppression=None)
    except ValueError as error:
        raise ValueError(f"{settings.path}: {error}") from error


def front_problem(
    settings: Config,
    frame: pd.DataFrame | Source,
    *,
    objectives: Sequence[str],
    constraints: Mapping[str, float],
    suppression: float | None,
    algorithm: str | None = None,
) -> OwnProblem:
    """The problem of which ``anonopt solve`` shows the front.

    Where k is an objective, rows are suppressed by the reverse rule, and the k of the
    configuration is the least that is accepted; otherwise it is fixed.

    Parameters
    ----------
    settings : Config
    frame : DataFrame (n_rows, n_columns), or Source
    objectives : sequence of str
        In place of those of the configuration, if there are any.
    constraints : mapping of str to float
        Beside those of the configuration.
    suppression : float, optional
        In place of that of the configuration.
    algorithm : str, optional
        That is to search it, where it is not that of the configuration.

    Raises
    ------
    ValueError
        If k is above the number of rows, or an objective of nodes beside class bounds, or the
        library refuses the problem.
    """
    from anonopt.problems import LatticeProblem

    search = settings.search
    names = list(objectives or search.objectives or ["k", search.objective])
    if search.method == "local":
        table = table_of(settings, frame)
        _check_k(settings, table)
        problem = _local_problem(
            search,
            table,
            names,
            most=table.n_rows if "k" in names else None,
            constraints=constraints,
            suppression=suppression,
        )
        return problem if algorithm is None else _searchable(problem, algorithm)
    bounds = {**search.bounds, **constraints}
    is_free = "k" in names
    if is_free and search.class_bounds:
        raise ValueError(
            f"objectives: expected some without k, which class_bounds need fixed, found "
            f"{', '.join(names)}; give search.objectives or --objective"
        )
    if is_free:
        bounds = {"k": search.k, **bounds}
    return LatticeProblem(
        table_of(settings, frame),
        names,
        constraints=bounds,
        k=None if is_free else search.k,
        suppression=search.suppression if suppression is None else suppression,
        class_bounds=search.class_bounds,
    )
