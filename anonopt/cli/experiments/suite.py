"""``anonopt experiment suite``: algorithms on fixed instances, beside those of the library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anonopt.cli.console import AsJson, Force, note, print_json, print_table, records, say
from anonopt.cli.experiments.run_config import FAILED, print_plan, run_missing
from anonopt.cli.experiments.shared_options import (
    Cluster,
    DryRun,
    Instances,
    RetryFailed,
    SuiteName,
    Workers,
)
from anonopt.cli.outputs.output_checks import check_outputs
from anonopt.data.output_files import write_files

if TYPE_CHECKING:
    from anonopt.experiments.suites.results_of_suite import SuiteResults

NEWEST = "anonopt-2026"


def suite(
    algorithms: Annotated[
        list[str] | None,
        typer.Option(
            "--algorithm",
            help="Registered name, also of an installed package; repeat it. "
            "[default: those of the library]",
        ),
    ] = None,
    suite: SuiteName = NEWEST,
    instances: Instances = None,
    seeds: Annotated[int, typer.Option(min=1, help="Runs of each algorithm: seeds 0, 1, ...")] = 10,
    workers: Workers = 1,
    cluster: Cluster = None,
    output: Annotated[
        Path | None,
        typer.Option(help="File that keeps the runs, to go on from. [default: SUITE.sqlite]"),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="File to write: .md, .tex or .csv by its ending.")
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(help="Folder for the results of these runs, as they come with the library."),
    ] = None,
    dry_run: DryRun = False,
    retry_failed: RetryFailed = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Run algorithms on a suite, and compare them with the library's stored results.

    A second call goes on where the first was ended. Algorithms are left out where they do not
    take the problem; the report has the reasons. Exit code 1 tells that runs failed. A
    configuration file called suite is run by anonopt experiment run suite.
    """
    from anonopt.cli.experiments.experiment_config import SUFFIX, ExperimentConfig
    from anonopt.experiments.suites.page import FORMATS, failed
    from anonopt.experiments.suites.results_of_suite import FILES, to_texts
    from anonopt.experiments.suites.suite import Suite
    from anonopt.experiments.tables.pages import of_ending

    chosen = Suite(suite)
    experiment = chosen.experiment(algorithms, seeds=range(seeds), instances=instances)
    write = None if report is None else of_ending("report", report, FORMATS)
    wanted = ExperimentConfig(experiment, output or Path(suite).with_suffix(SUFFIX))
    kept = [] if results is None else [results / name for name in FILES]
    check_outputs([report, *kept], inputs=[wanted.output], force=force)
    grid = experiment.grid(wanted.output)
    if dry_run:
        print_plan(wanted, grid, workers, retry_failed, as_json)
        return
    runs, n_run = run_missing(
        wanted, grid, workers=workers, cluster=cluster, retry_failed=retry_failed
    )
    found = chosen.results(experiment, runs, command=_command(suite, algorithms, instances, seeds))
    contents: dict[Path, bytes] = {}
    if results is not None:
        contents |= {results / name: text.encode() for name, text in to_texts(found).items()}
    compared = _beside_library(found) if algorithms else found
    if write is not None and report is not None:
        contents[report] = write(compared).encode()
    write_files(contents)
    _print(compared, wanted.output, n_run, as_json)
    if len(failed(found)):
        raise typer.Exit(FAILED)


def _command(
    suite: str, algorithms: list[str] | None, instances: list[str] | None, seeds: int
) -> list[str]:
    """The command that comes to these results."""
    words = ["anonopt", "experiment", "suite", "--suite", suite, "--seeds", str(seeds)]
    for option, names in (("--algorithm", algorithms), ("--instances", instances)):
        words += [word for name in names or () for word in (option, name)]
    return words


def _beside_library(found: SuiteResults) -> SuiteResults:
    from anonopt.experiments.suites.results_of_suite import library_results

    try:
        return found.beside(library_results(found.suite))
    except FileNotFoundError:
        note("Note: ", f"no results of the library come with it for {found.suite}")
        return found


def _print(results: SuiteResults, output: Path, n_run: int, as_json: bool) -> None:
    from anonopt.experiments.suites.page import failed, not_run
    from anonopt.experiments.suites.standings import standings, winners

    won, stand = winners(results), standings(results)
    left_out, bad = not_run(results), failed(results)
    if as_json:
        print_json(
            {
                "suite": results.suite,
                "output": str(output),
                "run_now": n_run,
                "winners": records(won),
                "standings": records(stand),
                "runs": records(results.runs),
                "not_run": records(results.left_out),
            }
        )
        return
    tables = {
        f"{results.suite}: who wins where ({n_run} runs made now, kept in {output})": won.round(4),
        "Standing in each family: mean ranks, and numbers of instances": stand.round(2),
        "Runs that did not end well": bad,
        "Not run": left_out,
    }
    for title, table in tables.items():
        if len(table):
            rows = table.itertuples(index=False, name=None)
            print_table(list(table.columns), rows, title=title)
    say(
        "Best: median hypervolume at the end, and its interval. Not told apart: Mann-Whitney, or "
        "the sign test where one draws nothing at random, with Holm, level 0.05."
    )
