"""Bars of an experiment: one of all runs, and one of each cell that is being run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd
    from rich import progress as rich

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

    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(bar_width=20),
        rich.MofNCompleteColumn(),
        rich.TimeElapsedColumn(),
        rich.TextColumn("{task.fields[told]}"),
    )
    with rich.Progress(*columns, console=Console(stderr=True)) as bars:
        yield _Bars(bars, missing, n_done)


class _Bars:
    """One bar of all runs, and one of each cell, which is seen while runs of it are left."""

    def __init__(self, bars: rich.Progress, missing: pd.DataFrame, n_done: int) -> None:
        self._bars, self._n_done = bars, n_done
        n_all = n_done + len(missing)
        self._whole = bars.add_task("all runs", total=n_all, completed=n_done, told="")
        cells = missing.groupby(["problem", "algorithm"], sort=False, as_index=False).size()
        self._cells = {
            (problem, algorithm): bars.add_task(
                f"{problem} / {algorithm}", total=n, visible=False, start=False, told=""
            )
            for problem, algorithm, n in cells.itertuples(index=False, name=None)
        }
        self._started, self._failed = time.monotonic(), 0

    def __call__(self, done: int, of_all: int, cell: Cell, run: RunRow | None) -> None:
        """Show that a run has ended; those that the file held already are shown from the begin."""
        from anonopt.experiments.store.schema import DONE

        if run is None:
            return
        self._failed += run.status != DONE
        told = f", {self._failed} failed" if self._failed else ""
        seconds = time.monotonic() - self._started
        self._advance(self._whole, done - self._n_done, seconds, f"all runs{told}")
        of_cell = self._cells[cell.problem, cell.algorithm]
        task = self._bars.tasks[of_cell]
        if not task.started:
            self._bars.start_task(of_cell)
            # Its first run is over now, and began before.
            task.start_time = self._bars.get_time() - run.wall_seconds
        self._advance(of_cell, int(task.completed) + 1, task.elapsed or 0.0, task.description)
        self._bars.update(of_cell, visible=task.completed < (task.total or 0))

    def _advance(self, task: rich.TaskID, done: int, seconds: float, text: str) -> None:
        before = self._n_done if task == self._whole else 0
        left = int(self._bars.tasks[task].total or 0) - before - done
        rate = done / seconds if seconds else 0.0
        told = f"{shown_rate(rate)}, {shown_seconds(left / rate)} left" if rate else ""
        self._bars.update(task, completed=before + done, description=text, told=told)


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
