"""A progress bar for long runs: share done, distinct solutions, rate, time left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(*, visible: bool) -> Iterator[Callable[[float, int], None]]:
    """Show a bar on standard error while the block runs.

    Parameters
    ----------
    visible : bool
        If not, nothing is shown.

    Yields
    ------
    function
        Takes the share of the run that is done (0..1) and the number of distinct solutions.
    """
    if not visible:
        yield lambda share, n_unique: None
        return
    # Imported here: a run without a bar need not wait for it.
    from rich import progress as rich
    from rich.console import Console

    columns = (
        rich.BarColumn(),
        rich.TextColumn("{task.percentage:>3.0f}%"),
        rich.TextColumn("{task.fields[n_unique]} solutions"),
        rich.TextColumn("{task.fields[rate]:.0f}/s"),
        rich.TimeElapsedColumn(),
        rich.TimeRemainingColumn(),
    )
    with rich.Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=1.0, n_unique=0, rate=0.0)

        def update(share: float, n_unique: int) -> None:
            elapsed = progress.tasks[task].elapsed or 0.0
            rate = n_unique / elapsed if elapsed else 0.0
            progress.update(task, completed=share, n_unique=n_unique, rate=rate)

        yield update


@contextmanager
def rows_bar(n_rows: int, *, visible: bool) -> Iterator[Callable[[float], None]]:
    """Show a bar of rows on standard error while the block runs: share, rate, time left.

    Parameters
    ----------
    n_rows : int
        Rows of the table that is worked on.
    visible : bool
        If not, nothing is shown.

    Yields
    ------
    function
        Takes the share of the work that is done (0..1).
    """
    if not visible:
        yield lambda share: None
        return
    from rich import progress as rich
    from rich.console import Console

    columns = (
        rich.BarColumn(),
        rich.TextColumn("{task.percentage:>3.0f}%"),
        rich.TextColumn("{task.fields[rate]:,.0f} rows/s"),
        rich.TimeElapsedColumn(),
        rich.TimeRemainingColumn(),
    )
    # What takes no time leaves no bar behind.
    with rich.Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=1.0, rate=0.0)

        def update(share: float) -> None:
            elapsed = progress.tasks[task].elapsed or 0.0
            rate = share * n_rows / elapsed if elapsed else 0.0
            progress.update(task, completed=share, rate=rate)

        yield update
