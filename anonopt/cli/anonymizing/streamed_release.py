"""Protected tables of rows that stay in files or in a database: written some rows at a time."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anonopt.cli.anonymizing.published import Published, made_record
from anonopt.cli.configuration.own_table import anonymization_problem
from anonopt.cli.console import noted_warnings
from anonopt.cli.outputs.publication import columns_of, published_of, report_of_output
from anonopt.cli.outputs.run_record import digests_of

if TYPE_CHECKING:
    from anonopt.cli.anonymizing.node_choice import NodeChoice
    from anonopt.cli.configuration.config import Config
    from anonopt.cli.outputs.publication import PublishedColumns
    from anonopt.problems import LatticeProblem
    from anonopt.sources.large_table import LargeTable
    from anonopt.sources.source import Source
    from anonopt.sources.writing.suppressed_classes import SuppressedClasses

ROWS = 1 << 19
LOOKED_AT = 20 * ROWS
"""Rows in which a column is looked at for a value that stands twice."""


def streamed_problem(
    settings: Config, source: Source
) -> tuple[LatticeProblem, LargeTable, PublishedColumns]:
    """The problem of a table that stays where it is, the table, and its published columns.

    Raises
    ------
    ValueError
        If a role or a hierarchy is refused.
    """
    from anonopt.problems import LatticeProblem
    from anonopt.sources.large_table import LargeTable

    names = [str(name) for name in source.columns]
    # Roles are checked by the table, with messages of their own.
    columns = published_of(settings.data, names, lambda name: False)
    dropped = [name for name in columns.dropped if name not in settings.data.identifiers]
    with noted_warnings():
        problem = anonymization_problem(
            settings, source, dropped=[*settings.data.identifiers, *dropped]
        )
    if not isinstance(problem, LatticeProblem) or not isinstance(problem.table, LargeTable):
        raise ValueError("search.method: expected 'lattice' with rows that stay in files")
    columns = published_of(settings.data, names, lambda name: is_all_distinct(source, name))
    return problem, problem.table, columns


def is_all_distinct(source: Source, column: str) -> bool:
    """Whether every value of a column occurs once, of the first 10,485,760 rows."""
    from anonopt._registry import engine

    arrow, compute = engine("pyarrow", repr(source)), engine("pyarrow.compute", repr(source))
    chunks: list[Any] = []
    for batch in source.batches(ROWS, columns=[column]):
        cells = batch[column]
        if arrow.types.is_dictionary(cells.type):
            cells = cells.dictionary_decode()
        chunks.append(cells.drop_null())
        # Most columns have a value twice in the first of them.
        if len(chunks) == 1 and compute.count_distinct(chunks[0]).as_py() < len(chunks[0]):
            return False
        if len(chunks) * ROWS >= LOOKED_AT:
            break
    found = arrow.chunked_array(chunks) if chunks else []
    return len(found) > 1 and compute.count_distinct(found).as_py() == len(found)


def publish_streamed(
    problem: LatticeProblem,
    table: LargeTable,
    settings: Config,
    choice: NodeChoice,
    published: Published,
) -> None:
    """Write the protected table and its record, if the table holds as it is read again."""
    from anonopt.sources.opening import PACKAGES
    from anonopt.sources.writing.protected_files import write_protected

    path, rule = settings.output_path, problem.evaluator.rule

    def check(part: Path, suppressed: SuppressedClasses) -> bytes | None:
        published.report = _report(part, table, settings, suppressed, published.missing)
        if published.record is None:
            return None
        return made_record(
            settings,
            table,
            choice,
            published,
            inputs=digests_of([settings.path, *settings.input_paths]),
            outputs={path: part},
            engines=[PACKAGES[settings.data.engine or "duckdb"]],
        )

    write_protected(
        table,
        choice.node,
        path,
        k=rule.k,
        suppression=rule.budget,
        class_bounds={bound.measure: bound.worst for bound in rule.bounds},
        check=check,
        beside=published.record,
    )


def _report(
    part: Path,
    table: LargeTable,
    settings: Config,
    suppressed: SuppressedClasses,
    missing: list[str],
) -> dict[str, Any] | None:
    """Figures of the file as ``anonopt.check`` finds them; none where classes are too many."""
    from anonopt.sources.file_kinds import check_written
    from anonopt.sources.writing.protected_checks import source_of_part

    data, path = settings.data, settings.output_path
    if not table.source.is_ordered:
        missing.append(
            "whether the cells that stay are those of the query, row by row: its rows may come in "
            "another order each time"
        )
    if suppressed.n_kept > table.max_tuples:
        missing.append(
            f"figures of the file as read again: its {suppressed.n_kept:,} classes are more than "
            f"may be in memory (data.max_tuples); their sizes were compared by the engine"
        )
        return None
    columns = [*data.quasi_identifiers, *columns_of(data.sensitive)]
    with closing(source_of_part(part, check_written(path, "output.file"), columns)) as written:
        return report_of_output(
            written, settings, table, suppressed="*" if suppressed.rows else None
        )
