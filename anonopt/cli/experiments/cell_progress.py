"""Bars of an experiment: one of all runs, and one of each cell that is being run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from anonopt.experiments.experiment import OnDone
    from anonopt.experiments.store.rows import Cell, RunRow


@contextmanager
def cell_bars(missing: pd.DataFrame, *, n_done: int, visible: bool) -> Iterator[OnDone | None]:
    """Show runs that are done of those that are missing, rate and time left, also per cell.

    Parameters
    ----------
    missing : DataFrame
        Rows of the grid that are still to be run.
    n_done : int
        Runs the file holds already.
    visible : bool
        If not, nothing is shown.

    Yields
    ------
    function or None
        For ``Experiment.run(on_done=...)``.
    """
    if not visible:
        yield None
        return
    from rich import progress as rich
    from rich.console import Console

    from anonopt.experiments.store.schema import DONE

    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(bar_width=20),
        rich.MofNCompleteColumn(),
        rich.TimeElapsedColumn(),
        rich.TextColumn("{task.fields[told]}"),
    )
    with rich.Progress(*columns, console=Console(stderr=True)) as bars:
        cells = missing.groupby(["problem", "algorithm"], sort=False, as_index=False).size()
        whole = bars.add_task("all runs", total=n_done + len(missing), completed=n_done, told="")
        tasks = {
            (problem, algorithm): bars.add_task(
                f"{problem} / {algorithm}", total=n, visible=False, start=False, told=""
            )
            for problem, algorithm, n in cells.itertuples(index=False, name=None)
        }
        started, failed = time.monotonic(), 0

        def update(done: int, of_all: int, cell: Cell, run: RunRow | None) -> None:
            nonlocal failed
            if run is None:
                return
            failed += run.status != DONE
            told = f", {failed} failed" if failed else ""
            advance(whole, done - n_done, time.monotonic() - started, f"all runs{told}")
            task = tasks[cell.problem, cell.algorithm]
            if not bars.tasks[task].started:
                bars.start_task(task)
                # Its first run is over now, and began before.
                bars.tasks[task].start_time = bars.get_time() - run.wall_seconds
            seconds = bars.tasks[task].elapsed or 0.0
            advance(
                task, int(bars.tasks[task].completed) + 1, seconds, bars.tasks[task].description
            )
            is_over = bars.tasks[task].completed >= (bars.tasks[task].total or 0)
            bars.update(task, visible=not is_over)

        def advance(task: rich.TaskID, done: int, seconds: float, text: str) -> None:
            before = n_done if task == whole else 0
            left = int(bars.tasks[task].total or 0) - before - done
            rate = done / seconds if seconds else 0.0
            told = f"{shown_rate(rate)}, {shown_seconds(left / rate)} left" if rate else ""
            bars.update(task, completed=before + done, description=text, told=told)

        yield update


def shown_rate(runs_per_second: float) -> str:
    """Runs a second, or a minute where they are few.

    Examples
    --------
    >>> shown_rate(2.5), shown_rate(0.1)
    ('2.5 runs/s', '6.0 runs/min')
    """
    if runs_per_second >= 1:
        return f"{runs_per_second:.1f} runs/s"
    return f"{60 * runs_per_second:.1f} runs/min"


def shown_seconds(seconds: float) -> str:
    """Time in the unit that fits.

    Examples
    --------
    >>> shown_seconds(5), shown_seconds(300), shown_seconds(8000)
    ('5 s', '5 min', '2.2 h')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
