"""Progress bars of long work: share done, solutions or rows, rate, time left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(*, visible: bool, of: str = "solutions") -> Iterator[Callable[[float, int], None]]:
    """Show a bar on standard error while the block runs.

    Parameters
    ----------
    visible : bool
        If not, nothing is shown.
    of : str
        What is counted, in the plural.

    Yields
    ------
    function
        Takes the share of the work that is done (0..1) and the number of those that are counted,
        such as distinct solutions.
    """
    texts = f"{{task.fields[n_done]}} {of}", "{task.fields[rate]:.0f}/s"
    with _bar(*texts, visible=visible) as update:
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
    # What takes no time leaves no bar behind.
    with _bar("{task.fields[rate]:,.0f} rows/s", visible=visible, transient=True) as update:
        yield lambda share: update(share, share * n_rows)


@contextmanager
def _bar(
    *texts: str, visible: bool, transient: bool = False
) -> Iterator[Callable[[float, float], None]]:
    """A bar with some texts; told of the share that is done and of how much that is."""
    if not visible:
        yield lambda share, n_done: None
        return
    # Imported here: a run without a bar need not wait for it.
    from rich import progress as rich
    from rich.console import Console

    columns = (
        rich.BarColumn(),
        rich.TextColumn("{task.percentage:>3.0f}%"),
        *map(rich.TextColumn, texts),
        rich.TimeElapsedColumn(),
        rich.TimeRemainingColumn(),
    )
    with rich.Progress(*columns, console=Console(stderr=True), transient=transient) as progress:
        task = progress.add_task("", total=1.0, n_done=0, rate=0.0)

        def update(share: float, n_done: float) -> None:
            elapsed = progress.tasks[task].elapsed or 0.0
            rate = n_done / elapsed if elapsed else 0.0
            progress.update(task, completed=share, n_done=n_done, rate=rate)

        yield update
