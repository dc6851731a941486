"""``anonopt anonymize``: protect a table by a configuration file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anonopt.cli.check import print_report
from anonopt.cli.choice import Choice, asked_of, bounds_of_classes, choose_node
from anonopt.cli.config import Config, read_config
from anonopt.cli.console import (
    NO_SOLUTION,
    AsJson,
    Force,
    print_json,
    print_table,
    records,
    say,
    show,
)
from anonopt.cli.files import check_outputs, read_csv, write_csv
from anonopt.cli.hierarchies import build_hierarchies

if TYPE_CHECKING:
    from anonopt.data import Microdata
    from anonopt.problems import LatticeProblem


def anonymize(
    config: Annotated[
        Path, typer.Argument(help="TOML file, see docs/command_line.md.", metavar="CONFIG")
    ],
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Find the best generalization of your table, write the protected one, check it again."""
    settings = read_config(config)
    _check_output(settings, force=force)
    try:
        problem = _problem(settings)
    except ValueError as error:
        raise ValueError(f"{config}: {error}") from error
    choice = choose_node(problem, settings.search)
    report: dict[str, Any] | None = None
    if choice.feasible:
        report = _protect(problem, settings, choice)
    if as_json:
        print_json(_summary(problem, settings, choice, report))
    else:
        _print(problem, settings, choice, report)
    if report is None or not report["anonymous"]:
        raise typer.Exit(NO_SOLUTION)


def _check_output(settings: Config, *, force: bool) -> None:
    source, output = settings.resolve(settings.data.file), settings.output_path
    if output.resolve() in (source.resolve(), settings.path.resolve()):
        raise ValueError(
            f"{settings.path}: output.file: expected a new file, found the input {output}"
        )
    check_outputs([output], force=force)


def _problem(settings: Config) -> LatticeProblem:
    from anonopt.problems import LatticeProblem

    search, table = settings.search, _table(settings)
    if search.k > table.n_rows:
        raise ValueError(
            f"search.k: expected at most {table.n_rows}, the rows of "
            f"{settings.data.file}, found {search.k}"
        )
    return LatticeProblem(
        table,
        [search.objective],
        constraints=search.bounds,
        k=search.k,
        suppression=search.suppression,
    )


def _table(settings: Config) -> Microdata:
    from anonopt.data import Microdata, read_table

    roles = settings.data
    frame = read_table(settings.resolve(roles.file))
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


def _protect(problem: LatticeProblem, settings: Config, choice: Choice) -> dict[str, Any]:
    """Write the protected table, read it back and check it."""
    from anonopt.measures.lattice.check import check

    search, output = settings.search, settings.output_path
    write_csv(problem.protect(choice.node), output)
    report = check(
        read_csv(output),
        quasi_identifiers=settings.data.quasi_identifiers,
        sensitive=settings.data.sensitive,
        k=search.k,
        l=search.l,
        t=search.t,
        class_bounds=bounds_of_classes(search),
        hierarchies={
            column.name: column.hierarchy
            for column in problem.table.sensitive_columns
            if column.hierarchy is not None
        },
        suppressed=problem.suppressed_rows(choice.node),
    )
    return {str(name): value for name, value in report.items()}


def _summary(
    problem: LatticeProblem, settings: Config, choice: Choice, report: Mapping[str, Any] | None
) -> dict[str, object]:
    loss = problem.evaluator.attribute_loss(choice.node).reset_index()
    return {
        "success": choice.feasible,
        "message": choice.message,
        "algorithm": choice.algorithm,
        "proven": choice.is_proven,
        "n_best": choice.n_best,
        "n_nodes": problem.lattice.size,
        "node": choice.levels,
        "figures": choice.figures,
        "suppression_budget": problem.evaluator.rule.budget,
        "attribute_loss": records(loss),
        "check": report,
        "output": None if report is None else str(settings.output_path),
    }


def _print(
    problem: LatticeProblem, settings: Config, choice: Choice, report: Mapping[str, Any] | None
) -> None:
    table, rule = problem.table, problem.evaluator.rule
    search = settings.search
    say(
        f"{settings.data.file}: {table.n_rows:,} rows, {len(problem.space.names)} "
        f"quasi-identifiers, {problem.lattice.size:,} nodes"
    )
    say(choice.message, style="" if choice.feasible else "bold red")
    say()
    loss = problem.evaluator.attribute_loss(choice.node).reset_index()
    columns = ["quasi-identifier", "level", "of", "loss in rows", "share of the largest"]
    rows = loss[["quasi_identifier", "level", "height", "glm", "glm_normalized"]]
    print_table(
        columns,
        rows.itertuples(index=False, name=None),
        title="Chosen node" if choice.feasible else "Nearest node, not applied",
        numeric=columns[1:],
    )
    for name, value in choice.figures.items():
        if name != "suppressed":
            say(f"{name + ':':<20}{show(value)}")
    say(f"{'suppressed rows:':<20}{show(choice.figures['suppressed'])} (at most {rule.budget:,})")
    if report is not None:
        say()
        output, asked = settings.output_path, asked_of(search)
        print_report(report, asked, title=f"{output}, read back")
        say(f"Written: {output}")
