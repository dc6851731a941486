"""What all commands share: output for people and programs, progress."""

from __future__ import annotations

import errno
import json
import math
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    import pandas as pd

    from anonopt.problems import AnonymizationProblem

AsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON value for programs, nothing else.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace output files that exist already.")]

NO_SOLUTION = 1

COLUMN_GAP = 2
LEAST_TEXT = 16
"""What a table needs beside the width of each column; what its last column is given first."""

_WHOLE_FLOATS = 2.0**53


class _Stream(Console):
    """Console of a command that may be cut off, such as by ``head``."""

    def on_broken_pipe(self) -> None:
        """Leave it to the group of commands, which knows the exit code."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def stdout() -> Console:
    """Console for results."""
    return _Stream(highlight=False)


def stderr() -> Console:
    """Console for everything that is not the result."""
    return _Stream(stderr=True, highlight=False)


def say(text: str = "", *, style: str = "") -> None:
    """Print a line of the result as it is, without markup."""
    stdout().print(text, style=style, markup=False, soft_wrap=True)


def note(label: str, text: str, *, style: str = "bold") -> None:
    """Print a line about the run on standard error; the label in front is styled."""
    console = stderr()
    console.print(label, style=style, markup=False, end="")
    console.print(text, markup=False, soft_wrap=True)


@contextmanager
def noted_warnings() -> Iterator[None]:
    """Print what the library warns of as notes, without the place in its source."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", UserWarning)
        yield
    for one in told:
        note("Note: ", str(one.message))


def is_watched() -> bool:
    """Whether a person sees standard error, so that progress bars make sense."""
    return stderr().is_terminal


def exact_front(problem: AnonymizationProblem) -> pd.DataFrame:
    """The exact front as a table, with a progress bar where a person watches.

    Raises
    ------
    ValueError
        If the problem is not enumerable.
    """
    from anonopt.runs.progress import progress_bar

    size = problem.space.size or 1
    with progress_bar(visible=is_watched()) as update:
        found = problem.pareto_set_and_front(on_progress=lambda done: update(done / size, done))
    return problem.frame(*found)


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    title: str | None = None,
    numeric: Iterable[str] = (),
) -> None:
    """Print a table; columns named in `numeric` are right-aligned."""
    right = set(numeric)
    if title is not None:
        # A title of the table would be broken, file names included, where it is wider.
        say(title, style="bold")
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    cells = [[show(cell) for cell in row] for row in rows]
    widths: Sequence[int | None] = _widths(columns, cells, stdout().width) or [None] * len(columns)
    for column, width in zip(columns, widths, strict=True):
        justify = "right" if column in right else "left"
        table.add_column(escape(column), justify=justify, overflow="fold", width=width)  # type: ignore[arg-type]
    for row in cells:
        # Text of a user may look like markup.
        table.add_row(*map(escape, row))
    stdout().print(table)


def _widths(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[int] | None:
    """Widths that fit, or None if not even names do.

    A name may be broken between its words, not within them. Words of cells are broken for as few
    columns as possible, from the right; then lines are added where there are fewest.
    """
    texts = [[name, *(row[position] for row in rows)] for position, name in enumerate(columns)]
    wanted = [
        max(cell_len(line) for cell in cells for line in (cell.splitlines() or [""]))
        for cells in texts
    ]
    words = [
        max((cell_len(word) for cell in cells for word in cell.split()), default=1)
        for cells in texts
    ]
    found = [max((cell_len(word) for word in name.split()), default=1) for name in columns]
    free = width - sum(found) - COLUMN_GAP * len(columns)
    if free < 0:
        return None
    # The last column explains the others, which needs some room in any case.
    for position in (len(columns) - 1, *range(len(columns))):
        most = LEAST_TEXT if position == len(columns) - 1 else words[position]
        more = min(words[position], most) - found[position]
        if 0 < more <= free:
            found[position] += more
            free -= more
    while free and (lacking := [i for i, most in enumerate(wanted) if found[i] < most]):
        found[max(lacking, key=lambda i: wanted[i] / found[i])] += 1
        free -= 1
    return found


def print_json(value: object) -> None:
    """Print one JSON value; numbers that JSON cannot write (infinite, missing) are null."""
    typer.echo(json.dumps(plain(value), indent=2, allow_nan=False))


def plain(value: Any) -> Any:
    """Turn numpy scalars, mappings and sequences into what JSON knows."""
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows of a frame as dictionaries; floats that are whole in all of a column as integers."""
    return [
        {str(column): value for column, value in row.items()}
        for row in whole_numbers(frame).to_dict("records")
    ]


def whole_numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """The same frame with float columns of whole numbers as integers: k is 5, not 5.0."""
    whole = {
        column: "int64"
        for column in frame.columns
        if frame[column].dtype.kind == "f"
        and ((frame[column] % 1 == 0) & (frame[column].abs() < _WHOLE_FLOATS)).all()
    }
    return frame.astype(whole)


def show(value: object) -> str:
    """Text of a cell for people: thousands separated, floats to the digits that matter."""
    if value is None or value != value:
        return "-"
    if isinstance(value, str):
        return value
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if value.is_integer() and abs(value) < _WHOLE_FLOATS:
            return f"{int(value):,}"
        return f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
