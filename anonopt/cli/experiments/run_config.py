"""``anonopt experiment``: run a grid of problems, algorithms, seeds and budgets."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anonopt.cli.console import (
    AsJson,
    is_watched,
    note,
    print_json,
    print_table,
    records,
    say,
)
from anonopt.cli.experiments.shared_options import Cluster, DryRun, RetryFailed, Workers
from anonopt.cli.failures import INTERRUPTED

if TYPE_CHECKING:
    import pandas as pd

    from anonopt.cli.experiments.experiment_config import ExperimentConfig
    from anonopt.experiments import Runs

FAILED = 1
CELL = ["problem", "algorithm", "budget"]


def experiment(
    config: Annotated[
        Path,
        typer.Argument(
            help="TOML file, see docs/experiments.md; - is standard input.", metavar="CONFIG"
        ),
    ],
    workers: Workers = 1,
    cluster: Cluster = None,
    dry_run: DryRun = False,
    retry_failed: RetryFailed = False,
    as_json: AsJson = False,
) -> None:
    """Compare algorithms on problems: run what the file of the experiment does not hold yet.

    A second call goes on where the first was ended, however that was.

    Exit code 1 tells that runs failed. The word run can be left out.
    """
    from anonopt.cli.experiments.experiment_config import read_experiment

    wanted = read_experiment(config)
    grid = wanted.experiment.grid(wanted.output)
    if dry_run:
        print_plan(wanted, grid, workers, retry_failed, as_json)
        return
    runs, n_run = run_missing(
        wanted, grid, workers=workers, cluster=cluster, retry_failed=retry_failed
    )
    _print_runs(wanted, runs, n_run, as_json)
    if len(runs.failed()):
        raise typer.Exit(FAILED)


def run_missing(
    wanted: ExperimentConfig,
    grid: pd.DataFrame,
    *,
    workers: int,
    cluster: str | None = None,
    retry_failed: bool,
) -> tuple[Runs, int]:
    """Run what the file does not hold, with bars where somebody watches.

    Returns
    -------
    runs : Runs
    n_run : int
        Runs that were missing.
    """
    from anonopt.cli.experiments.cell_progress import cell_bars

    missing = grid[_is_missing(grid, retry_failed)]
    with (
        cell_bars(missing, n_done=len(grid) - len(missing), visible=is_watched()) as update,
        warnings.catch_warnings(record=True) as caught,
    ):
        try:
            runs = wanted.experiment.run(
                wanted.output,
                workers=workers,
                executor=cluster,
                retry_failed=retry_failed,
                on_done=update,
            )
        except KeyboardInterrupt:
            kept = (
                f"runs that ended are kept in {wanted.output}; the same command goes on from them"
            )
            note("Interrupted: ", kept)
            raise typer.Exit(INTERRUPTED) from None
    for warning in caught:
        note("Warning: ", str(warning.message), style="bold yellow")
    return runs, len(missing)


def _is_missing(grid: pd.DataFrame, retry_failed: bool) -> pd.Series[bool]:
    from anonopt.experiments.experiment import MISSING
    from anonopt.experiments.store.runs import ended_well

    return ~ended_well(grid) if retry_failed else grid["status"] == MISSING


def print_plan(
    wanted: ExperimentConfig, grid: pd.DataFrame, workers: int, retry_failed: bool, as_json: bool
) -> None:
    """Show the grid and a rough estimate of time."""
    from anonopt.cli.experiments.cell_progress import shown_seconds

    cells = (
        grid.assign(missing=_is_missing(grid, retry_failed))
        .groupby(CELL, sort=False)
        .agg(runs=("seed", "size"), missing=("missing", "sum"))
        .reset_index()
        .merge(wanted.experiment.estimate(), on=CELL)
        .rename(columns={"seconds": "seconds each"})
    )
    left = cells["missing"] * cells["seconds each"] / max(1, workers)
    unknown = int(cells["seconds each"].isna().sum())
    if as_json:
        print_json(
            {
                "experiment": wanted.experiment.name,
                "output": str(wanted.output),
                "runs": len(grid),
                "missing": int(cells["missing"].sum()),
                "seconds": left.sum(),
                "cells_without_estimate": unknown,
                "cells": records(cells.rename(columns={"seconds each": "seconds"})),
            }
        )
        return
    print_table(
        list(cells.columns),
        cells.itertuples(index=False, name=None),
        title=f"{wanted.experiment.name}: {len(grid)} runs, kept in {wanted.output}",
        numeric=["runs", "missing", "seconds each"],
    )
    without = f"; {unknown} cells, of which nothing can be said, not counted" if unknown else ""
    what = "missing or failed" if retry_failed else "missing"
    say(
        f"{int(cells['missing'].sum())} runs are {what}: about {shown_seconds(left.sum())} with "
        f"{max(1, workers)} at a time (rough: continued from runs of up to 40 evaluations or 3 "
        f"generations{without})."
    )


def _print_runs(wanted: ExperimentConfig, runs: Runs, n_run: int, as_json: bool) -> None:
    failed = runs.failed()
    cells = _cells(runs)
    if as_json:
        print_json(
            {
                "experiment": runs.name,
                "output": str(wanted.output),
                "run_now": n_run,
                "cells": records(cells),
                "runs": records(runs.frame.reset_index()),
                "failed": [{**row, "trace": runs.trace(row["run"])} for row in _listed(failed)],
            }
        )
        return
    # Columns that tell nothing apart leave their room to the words of the others.
    shown = cells if len(failed) else cells.drop(columns="failed")
    say(f"{runs.name}: {len(runs.frame)} runs in {wanted.output}, {n_run} of them run now")
    for budget, part in shown.groupby("budget", sort=False):
        rows = part.drop(columns="budget")
        print_table(
            list(rows.columns),
            rows.itertuples(index=False, name=None),
            title=f"{budget} each",
            numeric=["runs", "failed", "evaluations", "hypervolume", "seconds"],
        )
    sources = {name: facts.reference_source for name, facts in runs.problems.items()}
    for source in dict.fromkeys(sources.values()):
        names = ", ".join(name for name, one in sources.items() if one == source)
        say(f"Hypervolume as a share of: {source or 'nothing, as nothing was found'} ({names}).")
    if len(failed):
        say()
        columns = ["run", "problem", "algorithm", "seed", "status", "message"]
        print_table(
            columns,
            failed.reset_index()[columns].itertuples(index=False, name=None),
            title=f"{len(failed)} runs failed (--json has their traces, --retry-failed runs them "
            f"again)",
            numeric=["run", "seed"],
        )


def _listed(failed: pd.DataFrame) -> list[dict[str, Any]]:
    return records(failed.reset_index())


def _cells(runs: Runs) -> pd.DataFrame:
    """Medians over the seeds of each problem, algorithm and budget."""
    from anonopt.experiments.store.runs import ended_well

    frame = runs.frame
    most = max(1, int(frame["n_unique"].max()))
    values = runs.indicators(budgets=[most]).set_index("run")["hypervolume"]
    return (
        frame.assign(is_failed=~ended_well(frame), hypervolume=values)
        .groupby(CELL, sort=False)
        .agg(
            runs=("seed", "size"),
            failed=("is_failed", "sum"),
            evaluations=("n_unique", "median"),
            hypervolume=("hypervolume", "median"),
            seconds=("wall_seconds", "median"),
        )
        .reset_index()
    )
