"""The file of an experiment: what was asked for, and every run that is done."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import datetime, timezone
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from anonopt._typing import AnyArray, FloatArray
from anonopt.data.output_files import check_target
from anonopt.experiments.store.locks import locked
from anonopt.experiments.store.packing import pack_flags, pack_numbers, pack_seconds, size_text
from anonopt.experiments.store.rows import AlgorithmRow, Cell, ProblemRow, RunRow
from anonopt.experiments.store.schema import (
    APPLICATION,
    DONE,
    TABLES,
    VERSION,
    check_experiment,
    check_file,
    check_kind,
    checked_path,
    intact,
    name_of,
    told,
)
from anonopt.experiments.store.unchanged import check_unchanged

BUSY_SECONDS = 30.0
LEAVING_SECONDS = 0.5
"""How long the end of writing waits for readers, which look into a file for a moment."""

LOCK_SUFFIX = "-lock"
"""Of the file beside it that says that somebody writes."""


class ExperimentStore:
    """Write the file of an experiment, one transaction a run; only one process does.

    Parameters
    ----------
    path : path
        Made if it does not exist.
    name : str
        Of the experiment; a file of another one is refused.

    Raises
    ------
    ValueError
        If the file is something else, of another version, or of another experiment.
    BlockingIOError
        If another one writes it already.
    FileNotFoundError, IsADirectoryError, PermissionError
        If it cannot be where it should, see `check_target`.
    """

    def __init__(self, path: str | PathLike[str], name: str) -> None:
        self.path = checked_path(path)
        check_target(self.path)
        check_kind(self.path)
        with ExitStack() as undo:
            undo.enter_context(told(self.path))
            self._lock = undo.enter_context(ExitStack())
            if not self._lock.enter_context(locked(Path(f"{self.path}{LOCK_SUFFIX}"))):
                raise BlockingIOError(
                    f"{self.path}: expected nobody else who writes it, found another program that "
                    f"runs this experiment"
                )
            # SQLite has a meaning of its own for names such as ":memory:".
            place = self.path.absolute()
            self._database = sqlite3.connect(place, timeout=BUSY_SECONDS, isolation_level=None)
            undo.callback(self._database.close)
            if self._is_new():
                self._create(name)
            self._check(name)
            undo.pop_all()

    def _is_new(self) -> bool:
        """Whether there is nothing in it, also after a process was killed while it made it."""
        (n_tables,) = self._database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        (application,) = self._database.execute("PRAGMA application_id").fetchone()
        return bool(n_tables == 0 and application == 0)

    def _create(self, name: str) -> None:
        self._database.execute("PRAGMA journal_mode = WAL")
        with self.transaction() as database:
            for statement in TABLES.split(";\n"):
                if statement.strip():
                    database.execute(statement)
            database.execute("INSERT INTO experiment VALUES (?, ?)", (name, _now()))
            database.execute(f"PRAGMA application_id = {APPLICATION}")
            database.execute(f"PRAGMA user_version = {VERSION}")

    def _check(self, name: str) -> None:
        check_file(self._database, self.path)
        # What a run came to survives a loss of power, at a few milliseconds a run.
        self._database.execute("PRAGMA synchronous = FULL")
        self._database.execute("PRAGMA foreign_keys = ON")
        check_experiment(self.path, name_of(self._database, self.path), name)
        self._database.execute("PRAGMA journal_mode = WAL")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Write all that happens meanwhile, or nothing if something is raised."""
        if self._database.in_transaction:
            yield self._database
            return
        with told(self.path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
                self._database.execute("COMMIT")
            finally:
                # Of a full disk SQLite has ended the transaction itself.
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")

    def add_problem(self, row: ProblemRow) -> None:
        """Describe a problem, or check that it is the one described before.

        Raises
        ------
        ValueError
            If a problem of that name is there with another fingerprint.
        """
        check_unchanged(self._database, self.path, [row])
        with self.transaction() as database:
            database.execute(
                "INSERT OR IGNORE INTO problems (problem, made_by, fingerprint, space, n_var, size,"
                " objectives, maximize) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(row.problem, row.made_by, row.fingerprint, row.space, int(row.n_var)),
                    size_text(row.size),
                    json.dumps(list(row.objectives)),
                    json.dumps([bool(flag) for flag in row.maximize]),
                ),
            )

    def add_algorithm(self, row: AlgorithmRow) -> None:
        """Describe an algorithm, or check that it is the one described before.

        Raises
        ------
        ValueError
            If an algorithm of that name is there with other options or other code.
        """
        check_unchanged(self._database, self.path, [row])
        with self.transaction() as database:
            database.execute(
                "INSERT OR IGNORE INTO algorithms VALUES (?, ?, ?)",
                (row.algorithm, row.problem, row.made_by),
            )

    def set_reference(
        self, problem: str, front: FloatArray, point: FloatArray, source: str
    ) -> None:
        """Keep the reference front and point of a problem.

        Parameters
        ----------
        problem : str
        front : float array (n, n_obj)
            Minimized.
        point : float array (n_obj,)
            Minimized.
        source : str
            Where the front is from.
        """
        with self.transaction() as database:
            database.execute(
                "UPDATE problems SET reference_source = ?, n_reference = ?, reference_front = ?, "
                "reference_point = ? WHERE problem = ?",
                (
                    *(source, len(front), pack_numbers(np.asarray(front, dtype=np.float64))),
                    *(json.dumps([float(value) for value in point]), problem),
                ),
            )

    def done(self, *, failed: bool) -> set[Cell]:
        """Runs that ended; with `failed` also those that did not end well."""
        rows = self._database.execute("SELECT problem, algorithm, seed, budget, status FROM runs")
        return {Cell(*row[:4]) for row in rows if failed or row[4] == DONE}

    def versions(self) -> list[dict[str, str]]:
        """Versions of the libraries that runs were made with, each combination once."""
        rows = self._database.execute("SELECT DISTINCT versions FROM runs")
        with intact(self.path, "versions of the libraries"):
            return [dict(json.loads(text)) for (text,) in rows]

    def add_run(self, cell: Cell, run: RunRow, *, revision: str | None) -> None:
        """Keep a run, in place of one of the same cell; on disk before this returns."""
        with self.transaction() as database:
            database.execute(
                "DELETE FROM runs WHERE problem = ? AND algorithm = ? AND seed = ? AND budget = ?",
                cell,
            )
            number = database.execute(
                "INSERT INTO runs (problem, algorithm, seed, budget, status, message, trace, "
                "n_evaluations, n_unique, n_tests, proven, wall_seconds, cpu_seconds, finished, "
                "machine, versions, revision) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                (
                    *cell,
                    *(run.status, run.message, run.trace or None),
                    *(int(run.n_evaluations), int(run.n_unique), int(run.n_tests)),
                    *(int(run.proven), float(run.wall_seconds), float(run.cpu_seconds), _now()),
                    *(run.machine, json.dumps(run.versions), revision),
                ),
            ).lastrowid
            n, n_obj = run.objectives.shape
            database.execute(
                "INSERT INTO evaluations VALUES (?, ?, ?, ?, ?, ?)",
                (
                    *(number, n, n_obj, pack_numbers(run.objectives)),
                    *(pack_flags(run.feasible), pack_seconds(run.seconds)),
                ),
            )
            database.execute(
                "INSERT INTO fronts VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(number, len(run.front_objectives), n_obj, pack_numbers(run.front_objectives)),
                    *_genomes(run.front_genomes),
                ),
            )

    def close(self) -> None:
        """Close the file; what was written stays in it alone, and can be read anywhere.

        Readers of a file with a write-ahead log make two others beside it, and leave them there.
        """
        with self._lock, closing(self._database):
            self._database.execute("PRAGMA busy_timeout = 0")
            # SQLite itself does not wait for readers here. While they stay, so does the log.
            deadline = time.monotonic() + LEAVING_SECONDS
            while not self._has_left_log() and time.monotonic() < deadline:
                time.sleep(LEAVING_SECONDS / 25)

    def _has_left_log(self) -> bool:
        with suppress(sqlite3.OperationalError):
            # What this connection has not opened it would leave behind, such as a reader's log.
            self._database.execute("SELECT count(*) FROM experiment").fetchone()
            (mode,) = self._database.execute("PRAGMA journal_mode = DELETE").fetchone()
            return bool(mode == "delete")
        return False

    def __enter__(self) -> ExperimentStore:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _genomes(X: AnyArray) -> tuple[Any, ...]:
    """Columns of a front's genomes: numbers, or texts of what is none, such as trees."""
    if X.dtype.kind in "biuf":
        return pack_numbers(X), X.dtype.name, json.dumps(X.shape), None
    firsts: list[Any] = list(X.reshape(len(X), -1)[:, 0]) if len(X) else []
    return None, None, None, json.dumps([str(genome) for genome in firsts])


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
