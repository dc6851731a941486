"""``anonopt demo --tour``: the lecture of the course in a terminal."""

from __future__ import annotations

import sys
import textwrap
from contextlib import suppress

from anonopt.cli.console import print_table, say, show, stdout

MOST_WIDE = 80


def walk(*, pause: bool) -> None:
    """Print the stops of the tour.

    Parameters
    ----------
    pause : bool
        Whether to wait for Enter after each stop, if a person sits at the terminal.
    """
    from anonopt.teaching.tour import STOPS, tour

    waits = pause and sys.stdin is not None and sys.stdin.isatty() and stdout().is_terminal
    width = min(MOST_WIDE, stdout().width)
    for number, stop in enumerate(tour(), start=1):
        say(f"{number}/{len(STOPS)}  {stop.title}", style="bold")
        _print_paragraphs(stop.text, width)
        if stop.table is not None:
            cells = [[show(cell) for cell in row] for row in stop.table.itertuples(index=False)]
            numeric = stop.table.select_dtypes("number").columns
            print_table(list(map(str, stop.table)), cells, numeric=map(str, numeric))
        _print_paragraphs(stop.after, width)
        if waits and number < len(STOPS):
            # Where nothing more will be entered, nothing is waited for.
            with suppress(EOFError):
                input("Enter goes on ")


def _print_paragraphs(paragraphs: tuple[str, ...], width: int) -> None:
    for paragraph in paragraphs:
        say()
        say(textwrap.fill(paragraph, width, break_on_hyphens=False))
    say()
