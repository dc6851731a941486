"""``anonopt experiment references``: reference fronts of a suite, checked or made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anonopt.cli.console import AsJson, note, print_json, print_table, records
from anonopt.cli.experiments.run_config import FAILED, print_plan, run_missing
from anonopt.cli.experiments.shared_options import DryRun, Instances, SuiteName, Workers
from anonopt.cli.experiments.suite import NEWEST
from anonopt.cli.outputs.output_checks import check_outputs
from anonopt.data.output_files import write_files

if TYPE_CHECKING:
    import pandas as pd


SHOWN = ["instance", "source", "points", "proven_by", "algorithms", "seeds", "evaluations"]


def references(
    folder: Annotated[
        Path | None,
        typer.Option(help="Folder whose fronts are made, or made better. [default: only look]"),
    ] = None,
    algorithms: Annotated[
        list[str] | None,
        typer.Option(
            "--algorithm",
            help="Registered name, also of an installed package; repeat it. [default: every one]",
        ),
    ] = None,
    suite: SuiteName = NEWEST,
    instances: Instances = None,
    seeds: Annotated[
        list[int] | None,
        typer.Option("--seed", help="From 1000 on; repeat it. [default: 1001, 1002, 1003]"),
    ] = None,
    times: Annotated[
        int, typer.Option(min=1, help="Budget of a run, in budgets of the instance.")
    ] = 5,
    workers: Workers = 1,
    output: Annotated[
        Path | None,
        typer.Option(
            help="File that keeps the runs, to go on from. [default: SUITE-references.sqlite]"
        ),
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Make the reference fronts of a suite better, or see that those of the library are whole.

    Without --folder all files of the library are held to their checksums. With it, what can be
    proven is proven, and what independent runs find is merged with what the folder has: no front
    is made worse.
    """
    from anonopt.cli.experiments.experiment_config import SUFFIX, ExperimentConfig
    from anonopt.experiments.suites.instances import SUITES
    from anonopt.experiments.suites.references import INDEX, files_of, frame_of, read_fronts
    from anonopt.experiments.suites.suite import Suite

    chosen = Suite(suite)
    if folder is None:
        _print(chosen.references, f"{suite}: index of SHA-256 {chosen.checksum}", as_json)
        return
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: expected an existing folder, found none")
    old = read_fronts(folder)
    # To be replaced by what is no worse; what cannot be written is told before any run.
    written = [INDEX, *(f"{one.name}.csv" for one in SUITES[suite])]
    check_outputs([folder / name for name in written], inputs=[output], force=True)
    search = chosen.reference_search(
        algorithms, instances=instances, times=times, **({"seeds": seeds} if seeds else {})
    )
    runs, n_failed = None, 0
    if search.experiment is not None:
        wanted = ExperimentConfig(search.experiment, output or Path(f"{suite}-references{SUFFIX}"))
        grid = search.experiment.grid(wanted.output)
        if dry_run:
            print_plan(wanted, grid, workers, False, as_json)
            return
        runs, _ = run_missing(wanted, grid, workers=workers, retry_failed=False)
        n_failed = len(runs.failed())
    fronts = search.merged(old, runs)
    if not dry_run:
        write_files({folder / name: text for name, text in files_of(fronts).items()})
    _print(frame_of(fronts), f"{suite}: fronts in {folder}", as_json)
    if n_failed:
        note("Note: ", f"{n_failed} runs failed, and no point of a front is from them")
        raise typer.Exit(FAILED)


def _print(table: pd.DataFrame, title: str, as_json: bool) -> None:
    table = table.reset_index()
    if as_json:
        print_json({"title": title, "references": records(table)})
        return
    print_table(SHOWN, table[SHOWN].itertuples(index=False, name=None), title=title)
