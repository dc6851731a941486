"""``anonopt anonymize``: protect a table by a configuration file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from anonopt.cli.anonymizing.asked import asked_of
from anonopt.cli.anonymizing.choice import Choice
from anonopt.cli.anonymizing.published import Published, made_record
from anonopt.cli.check import print_report
from anonopt.cli.configuration.config import Config, read_config, with_node
from anonopt.cli.configuration.own_table import anonymization_problem, input_of
from anonopt.cli.console import (
    NO_SOLUTION,
    AsJson,
    Force,
    note,
    print_json,
    records,
    say,
    show,
)
from anonopt.cli.outputs.output_checks import check_outputs
from anonopt.cli.outputs.run_record import (
    digests_of,
    fresh_seed,
    record_path,
    shuffling_generator,
)
from anonopt.sources.file_kinds import check_text_name

if TYPE_CHECKING:
    from anonopt.cli.anonymizing.node_choice import NodeChoice
    from anonopt.cli.configuration.own_table import OwnProblem
    from anonopt.cli.outputs.publication import PublishedColumns
    from anonopt.data.tables.table_files import TableFile


def anonymize(
    config: Annotated[
        Path, typer.Argument(help="TOML file, see docs/command_line.md.", metavar="CONFIG")
    ],
    node: Annotated[
        str | None,
        typer.Option(
            help="Levels to apply instead of a search, one a quasi-identifier, such as 1,0,2: a "
            "row of the front of anonopt solve."
        ),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Find the best generalization of your table, write the protected one, check it again.

    One rule for all rows, a node of the lattice, is easy to explain. With method = "local" each
    group of rows has labels of its own, which loses less.
    """
    settings = with_node(read_config(config), node)
    inputs = [config, *settings.input_paths]
    beside = record_path(settings.output_path, wanted=settings.output.record)
    check_outputs((settings.output_path, beside), inputs=inputs, force=force)
    with ExitStack() as held:
        release = _streamed(settings, held) if settings.is_streamed else _loaded(settings, inputs)
        problem, columns = release.problem, release.columns
        if columns.warning:
            note("Warning: ", columns.warning, style="bold yellow")
        choice = _chosen(problem, settings)
        published = Published(columns, beside)
        if choice.feasible:
            release.publish(choice, published)
        if as_json:
            print_json(_summary(problem, settings, choice, published))
        else:
            _print(problem, settings, choice, published)
    if not choice.feasible:
        raise typer.Exit(NO_SOLUTION)


class _Release(NamedTuple):
    """What is to be protected and published, and how that is done."""

    problem: OwnProblem
    columns: PublishedColumns
    publish: Callable[[Any, Published], None]


def _loaded(settings: Config, inputs: list[Path]) -> _Release:
    """Of a table in memory."""
    from anonopt.cli.outputs.publication import published_columns

    read = digests_of(inputs)
    file = input_of(settings)
    with _told_of(settings):
        try:
            check_text_name(settings.output.file, "output.file")
        except ValueError as error:
            raise ValueError(
                f"{error}: {settings.data.file} is read into memory (data.engine = 'duckdb' "
                "writes Parquet)"
            ) from error
        problem = anonymization_problem(settings, file.frame)
        columns = published_columns(settings.data, problem.table.frame)

    def publish(choice: Choice, published: Published) -> None:
        _publish(problem, settings, choice, published, file, read)

    return _Release(problem, columns, publish)


def _streamed(settings: Config, held: ExitStack) -> _Release:
    """Of rows that stay where they are."""
    from anonopt.cli.anonymizing.streamed_release import publish_streamed, streamed_problem
    from anonopt.cli.configuration.streamed_input import check_streamed_output, streamed_source

    with _told_of(settings):
        check_streamed_output(settings)
        source = held.enter_context(streamed_source(settings))
        problem, table, columns = streamed_problem(settings, source)

    def publish(choice: NodeChoice, published: Published) -> None:
        publish_streamed(problem, table, settings, choice, published)

    return _Release(problem, columns, publish)


@contextmanager
def _told_of(settings: Config) -> Iterator[None]:
    """Begin messages on wrong values with the name of the configuration."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{settings.path}: {error}") from error


def _chosen(problem: OwnProblem, settings: Config) -> Choice:
    from anonopt.cli.anonymizing.node_choice import choose_node
    from anonopt.cli.anonymizing.recoding_choice import choose_recoding
    from anonopt.problems import LatticeProblem

    if isinstance(problem, LatticeProblem):
        return choose_node(problem, settings.search)
    return choose_recoding(problem, settings.search)


def _publish(
    problem: OwnProblem,
    settings: Config,
    choice: Choice,
    published: Published,
    file: TableFile,
    read: list[dict[str, Any]],
) -> None:
    """Write the protected table and its record, if the table holds as it is read back."""
    from anonopt.cli.outputs.publication import Release
    from anonopt.data.output_files import write_files
    from anonopt.data.row_order import shuffled_rows

    asked, path, table = settings.output, settings.output_path, problem.table
    order = None
    if asked.shuffle:
        seed = fresh_seed() if asked.seed is None else asked.seed
        order = shuffled_rows(table.n_rows, shuffling_generator(seed))
        published.seed = seed if asked.record_seed else None
    protected, suppressed = choice.applied()
    release = Release.of(
        protected,
        table.frame,
        suppressed,
        columns=published.columns.kept,
        order=order,
    )
    names = list(settings.data.quasi_identifiers)
    content = file.content(release.frame, rows=release.rows, protected=names)
    expected = file.texts(release.frame, rows=release.rows, protected=names)
    contents = {path: content}
    if published.record is not None:
        contents[published.record] = made_record(
            settings, problem.table, choice, published, inputs=read, outputs=dict(contents)
        )

    def check(places: Mapping[Path, Path]) -> None:
        published.report = release.check(
            places[path], settings, problem.table, expected=expected, dialect=file.dialect
        )

    write_files(contents, check=check)


def _summary(
    problem: OwnProblem, settings: Config, choice: Choice, published: Published
) -> dict[str, object]:
    return {
        "success": choice.feasible,
        "message": choice.message,
        "algorithm": choice.algorithm,
        "proven": choice.is_proven,
        **choice.facts,
        "figures": choice.figures,
        "suppression_budget": problem.evaluator.rule.budget,
        "attribute_loss": records(choice.attribute_loss()),
        **vars(published.columns),
        "check": published.report,
        "output": str(settings.output_path) if choice.feasible else None,
        "record": str(published.record) if choice.feasible and published.record else None,
        **({} if published.seed is None else {"seed": published.seed}),
        **({"missing": published.missing} if settings.is_streamed else {}),
    }


def _print(problem: OwnProblem, settings: Config, choice: Choice, published: Published) -> None:
    table, rule = problem.table, problem.evaluator.rule
    search = settings.search
    say(
        f"{settings.data.file}: {table.n_rows:,} rows, {len(table.quasi_identifiers)} "
        f"quasi-identifiers, {choice.searched}"
    )
    say(choice.message, style="" if choice.feasible else "bold red")
    say()
    choice.print_loss()
    for name, value in choice.figures.items():
        if name != "suppressed":
            say(f"{name + ':':<20}{show(value)}")
    say(f"{'suppressed rows:':<20}{show(choice.figures['suppressed'])} (at most {rule.budget:,})")
    if choice.feasible:
        say()
        output, asked = settings.output_path, asked_of(search)
        if published.report is not None:
            print_report(published.report, asked, title=f"{output}, read back")
        say(f"{'columns kept:':<20}{', '.join(published.columns.kept)}")
        say(f"{'columns dropped:':<20}{', '.join(published.columns.dropped) or 'none'}")
        for text in published.missing:
            say(f"{'not known:':<20}{text}")
        say(f"Written: {output}")
        if published.record is not None:
            say(f"Record:  {published.record}")
