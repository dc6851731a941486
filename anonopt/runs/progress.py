"""Progress bars of long work: share done, solutions or rows, rate, time left.

In a notebook a bar is an output of its cell that is brought up to date, and that ends as one line;
bars of a terminal would need widgets there, which saved notebooks do not show.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from anonopt._notebook import in_notebook

SECONDS_BETWEEN = 0.2
"""Between two states of a bar that a notebook shows."""


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
    if visible and in_notebook():
        with _notebook_bar(of) as update:
            yield update
        return
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


@contextmanager
def _notebook_bar(of: str) -> Iterator[Callable[[float, int], None]]:
    """A bar in the output of a notebook's cell, in the end a line of what was done."""
    from IPython.display import display

    started = shown = time.monotonic()
    last = 0.0, 0
    handle: Any = display(  # type: ignore[no-untyped-call]
        _bar_state(*last, 0.0, of), raw=True, display_id=True
    )

    def update(share: float, n_done: int) -> None:
        nonlocal shown, last
        now, last = time.monotonic(), (share, n_done)
        if now - shown >= SECONDS_BETWEEN:
            shown = now
            handle.update(_bar_state(share, n_done, now - started, of), raw=True)

    try:
        yield update
    finally:
        seconds = time.monotonic() - started
        line = f"{last[1]:,} {of} in {seconds:.1f} s"
        handle.update({"text/plain": line}, raw=True)


def _bar_state(share: float, n_done: int, seconds: float, of: str) -> dict[str, str]:
    """What a notebook shows of a bar: as text, and where it can as HTML."""
    line = f"{share:.0%}, {n_done:,} {of}"
    if seconds and share:
        left = seconds / share - seconds
        line += f", {n_done / seconds:,.1f}/s, {left:.0f} s left"
    bar = f'<progress value="{share:.4f}" max="1" aria-label="share done"></progress> {line}'
    return {"text/plain": line, "text/html": bar}
