"""Whether problems and algorithms are those that the runs of a file were made with."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from anonopt.experiments.grid.descriptions import changes
from anonopt.experiments.store.rows import AlgorithmRow, ProblemRow
from anonopt.experiments.store.schema import intact


def check_unchanged(
    database: sqlite3.Connection,
    path: Path,
    rows: Iterable[ProblemRow | AlgorithmRow],
) -> None:
    """Refuse problems and algorithms that a file describes otherwise under the same name.

    Parameters
    ----------
    database : Connection
    path : Path
        Of its file, for the message.
    rows : iterable of rows
        Those that the file does not know are let through.

    Raises
    ------
    ValueError
        If one has other data, options or code; the message names what differs.
    """
    for row in rows:
        if isinstance(row, ProblemRow):
            what, how = f"problem {row.problem!r}", _change_of_problem(database, path, row)
        else:
            what, how = f"algorithm {row.algorithm!r}", _change_of_algorithm(database, path, row)
        if how is not None:
            raise ValueError(
                f"{path}: expected the {what} that its runs were made with, found one that has "
                f"changed: {how} (another name keeps both)"
            )


def _change_of_problem(database: sqlite3.Connection, path: Path, row: ProblemRow) -> str | None:
    found = database.execute(
        "SELECT fingerprint, made_by FROM problems WHERE problem = ?", (row.problem,)
    ).fetchone()
    if found is None or found == (row.fingerprint, row.made_by):
        return None
    with intact(path, f"problem {row.problem!r}"):
        return changes(found[1], row.made_by) or "its data or its code"


def _change_of_algorithm(database: sqlite3.Connection, path: Path, row: AlgorithmRow) -> str | None:
    found = database.execute(
        "SELECT made_by FROM algorithms WHERE algorithm = ? AND problem = ?",
        (row.algorithm, row.problem),
    ).fetchone()
    if found is None or found[0] == row.made_by:
        return None
    with intact(path, f"algorithm {row.algorithm!r}"):
        return changes(found[0], row.made_by)
