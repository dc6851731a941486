"""The tables of an experiment's file, and by what it is known."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

VERSION = 1
"""Kept in ``PRAGMA user_version``; a file of another version is refused."""

APPLICATION = 0x616E6F70
"""``anop`` in ``PRAGMA application_id``, by which a file is known to be one of ours."""

DONE = "done"
FAILED = "failed"
OUT_OF_TIME = "out of time"
OUT_OF_MEMORY = "out of memory"
"""How a run ended: its ``status``."""

TABLES = """
CREATE TABLE experiment (
    name TEXT NOT NULL,
    created TEXT NOT NULL             -- ISO 8601, UTC
);
CREATE TABLE problems (
    problem TEXT PRIMARY KEY,         -- name in this experiment
    made_by TEXT NOT NULL,            -- JSON: class, name in the catalogue or null, options
    fingerprint TEXT NOT NULL,        -- SHA-256 of everything that decides the objectives
    space TEXT NOT NULL,              -- levels, cells, matrices, trees, visits
    n_var INTEGER NOT NULL,
    size TEXT,                        -- number of genomes, null if unbounded
    objectives TEXT NOT NULL,         -- JSON list of names
    maximize TEXT NOT NULL,           -- JSON list of booleans; stored objectives are minimized
    reference_source TEXT,            -- where the reference front is from
    n_reference INTEGER,
    reference_front BLOB,             -- packed float64 (n_reference, n_obj), minimized
    reference_point TEXT              -- JSON list of numbers, minimized
);
CREATE TABLE algorithms (
    algorithm TEXT NOT NULL,          -- name in this experiment
    problem TEXT NOT NULL REFERENCES problems,
    made_by TEXT NOT NULL,            -- JSON: class, registered name or null, options, operators
    PRIMARY KEY (algorithm, problem)
);
CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    problem TEXT NOT NULL REFERENCES problems,
    algorithm TEXT NOT NULL,
    seed INTEGER NOT NULL,
    budget TEXT NOT NULL,             -- JSON: what bounds the run
    status TEXT NOT NULL,             -- done, failed, out of time, out of memory
    message TEXT NOT NULL,            -- why it ended, or the last line of the trace
    trace TEXT,
    n_evaluations INTEGER NOT NULL,
    n_unique INTEGER NOT NULL,
    n_tests INTEGER NOT NULL,
    proven INTEGER NOT NULL,
    wall_seconds REAL NOT NULL,
    cpu_seconds REAL NOT NULL,
    finished TEXT NOT NULL,           -- ISO 8601, UTC
    machine TEXT NOT NULL,
    versions TEXT NOT NULL,           -- JSON
    revision TEXT,                    -- of git, of the folder the experiment was started in
    UNIQUE (problem, algorithm, seed, budget),
    FOREIGN KEY (algorithm, problem) REFERENCES algorithms
);
CREATE TABLE evaluations (
    run INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    n INTEGER NOT NULL,
    n_obj INTEGER NOT NULL,
    objectives BLOB NOT NULL,         -- packed float64 (n, n_obj), minimized, in their order
    feasible BLOB NOT NULL,           -- packed bits
    seconds BLOB NOT NULL             -- packed int64 differences of microseconds
);
CREATE TABLE fronts (
    run INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    n INTEGER NOT NULL,
    n_obj INTEGER NOT NULL,
    objectives BLOB NOT NULL,         -- packed float64 (n, n_obj), minimized
    genomes BLOB,                     -- packed numbers; null if genomes are not numbers
    genome_type TEXT,                 -- such as int64
    genome_shape TEXT,                -- JSON
    texts TEXT                        -- JSON list: genomes that are not numbers, as text
);
"""

MAGIC = b"SQLite format 3\0"
"""What every database of SQLite begins with."""


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Tell with the file what SQLite says of it.

    Raises
    ------
    ValueError
        If the file is damaged.
    OSError
        If it cannot be written or read: it is locked by another program, the disk is full.
    """
    try:
        yield
    except sqlite3.OperationalError as error:
        raise OSError(
            f"{path}: expected a file that can be read and written, found: {error}"
        ) from error
    except sqlite3.IntegrityError:
        # Of rows that do not fit together; that is no fault of the file.
        raise
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: expected the file of an experiment, found: {error}") from error


@contextmanager
def intact(path: Path, part: str) -> Iterator[None]:
    """Tell with the file and its part what is wrong with what is unpacked of it.

    Raises
    ------
    ValueError
        If it is no JSON, no packed numbers, or of other numbers of items.
    """
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        raise ValueError(f"{path}: {part}: expected what was written, found: {error}") from error


def checked_path(path: str | PathLike[str]) -> Path:
    """Path of a file.

    Raises
    ------
    TypeError
        If it is none.
    """
    if not isinstance(path, str | PathLike):
        raise TypeError(f"path: expected a path, found {path!r}")
    return Path(path)


def check_kind(path: Path) -> None:
    """Refuse a file that SQLite would take for one that is still to be made.

    Raises
    ------
    ValueError
        If it holds something else than a database.
    """
    if path.exists():
        with path.open("rb") as file:
            begin = file.read(len(MAGIC))
        if begin not in (b"", MAGIC):
            raise ValueError(f"{path}: expected the file of an experiment, found another file")


def check_file(database: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is none of an experiment.

    Raises
    ------
    ValueError
        If it is something else, or of another version.
    """
    with told(path):
        (application,) = database.execute("PRAGMA application_id").fetchone()
        (found,) = database.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise ValueError(f"{path}: expected the file of an experiment, found another database")
    if found != VERSION:
        raise ValueError(f"{path}: expected version {VERSION} of the file, found {found}")


def name_of(database: sqlite3.Connection, path: Path) -> str:
    """Name of the experiment that a file is of.

    Raises
    ------
    ValueError
        If it has none.
    """
    row = database.execute("SELECT name FROM experiment").fetchone()
    if row is None:
        raise ValueError(f"{path}: expected the file of an experiment, found one without its name")
    return str(row[0])


def check_experiment(path: Path, found: str, expected: str) -> None:
    """Refuse the file of another experiment.

    Raises
    ------
    ValueError
        If it has another name.
    """
    if found != expected:
        raise ValueError(f"{path}: expected the experiment {expected!r}, found {found!r}")
