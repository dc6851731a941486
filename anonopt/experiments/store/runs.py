"""Read the file of an experiment."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from functools import cached_property
from os import PathLike
from urllib.parse import quote

import pandas as pd

from anonopt._checks import check_integer, unknown
from anonopt._notebook import notebook_html
from anonopt._typing import AnyArray, FloatArray
from anonopt.algorithms.registry import is_deterministic
from anonopt.experiments.store.contents import Evaluations, ProblemFacts, facts_from
from anonopt.experiments.store.origins import Origins, read_origins
from anonopt.experiments.store.packing import unpack_flags, unpack_numbers, unpack_seconds
from anonopt.experiments.store.rows import AlgorithmRow, ProblemRow
from anonopt.experiments.store.run_frame import run_frame
from anonopt.experiments.store.schema import DONE, check_file, checked_path, intact, name_of, told
from anonopt.experiments.store.unchanged import check_unchanged


class StoredRuns:
    """What the file of an experiment holds now.

    Parameters
    ----------
    path : path
        Read only; a running experiment may go on writing it.

    Raises
    ------
    FileNotFoundError, IsADirectoryError
        If there is no such file.
    ValueError
        If it is none of an experiment.

    Attributes
    ----------
    frame : DataFrame
        One row a run, indexed by its number ``run``: ``problem``, ``algorithm``, ``seed``,
        ``budget``, ``status``, ``message``, ``n_evaluations``, ``n_unique``, ``n_tests``,
        ``proven``, ``wall_seconds``, ``cpu_seconds``, ``finished``, ``machine``, ``revision``.
        In the order of the experiment, budgets from small to large, seeds innermost.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = checked_path(path)
        if self.path.is_dir():
            raise IsADirectoryError(
                f"{self.path}: expected the file of an experiment, found a folder"
            )
        if not self.path.is_file():
            raise FileNotFoundError(f"{self.path}: expected the file of an experiment, found none")
        with self._open() as database:
            check_file(database, self.path)
            self.name = name_of(database, self.path)
            self.frame = run_frame(database, self.path)
            self._versions = dict(database.execute("SELECT run, versions FROM runs"))

    def __repr__(self) -> str:
        n_failed = len(self.failed())
        return (
            f"{type(self).__name__}({str(self.path)!r}, {len(self.frame)} runs of {self.name!r}, "
            f"{n_failed} failed)"
        )

    def _repr_html_(self) -> str:
        """Runs by problem and algorithm for notebooks: how many, how they ended, how long."""
        counted = self.frame.groupby(["problem", "algorithm"], sort=False)
        cells = pd.DataFrame(
            {
                "runs": counted.size(),
                "failed": counted["status"].agg(lambda status: int((status != DONE).sum())),
                "distinct solutions, mean": counted["n_unique"].mean(),
                "seconds, mean": counted["wall_seconds"].mean(),
            }
        )
        return notebook_html(
            f"{len(self.frame):,} runs of {self.name!r}",
            {"file": self.path, "failed": len(self.failed())},
            [("", cells.reset_index())],
        )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        address = f"file:{quote(str(self.path.absolute()))}?mode=ro"
        with (
            told(self.path),
            closing(sqlite3.connect(address, uri=True, timeout=30.0)) as database,
        ):
            yield database

    @cached_property
    def problems(self) -> dict[str, ProblemFacts]:
        """What the file says of each problem, by name."""
        with self._open() as database:
            rows = database.execute(
                "SELECT problem, objectives, maximize, n_reference, reference_front, "
                "reference_point, reference_source, n_var FROM problems ORDER BY rowid"
            )
            found = {}
            for row in rows:
                with intact(self.path, f"problem {row[0]!r}"):
                    found[row[0]] = facts_from(*row)
            return found

    @cached_property
    def origins(self) -> Origins:
        """How problems and algorithms were made, and with which libraries each run."""
        with self._open() as database:
            return read_origins(database, self.path)

    def check_unchanged(self, rows: Iterable[ProblemRow | AlgorithmRow]) -> None:
        """Refuse what the file describes otherwise.

        As :func:`~anonopt.experiments.store.unchanged.check_unchanged`.
        """
        with self._open() as database:
            check_unchanged(database, self.path, rows)

    @property
    def algorithms(self) -> list[str]:
        """Names of the algorithms, in the order of the experiment."""
        return list(dict.fromkeys(self.frame["algorithm"]))

    @cached_property
    def deterministic(self) -> frozenset[str]:
        """Names of the algorithms of which the library knows that they draw nothing at random."""
        with self._open() as database:
            rows = database.execute("SELECT algorithm, made_by FROM algorithms").fetchall()
        with intact(self.path, "algorithms"):
            known = {
                name: is_deterministic(json.loads(made).get("class", "")) for name, made in rows
            }
        return frozenset(name for name, is_known in known.items() if is_known)

    def of_budget(self, budget: str | None = None) -> pd.DataFrame:
        """Runs of one budget, as in `frame`: only they can be compared.

        Parameters
        ----------
        budget : str, optional
            As the column ``budget`` names it; it can be left out if no algorithm has
            several on a problem.

        Raises
        ------
        ValueError
            If there is no such budget, or an algorithm has several on a problem and
            none is named.
        """
        names = list(dict.fromkeys(self.frame["budget"]))
        each = self.frame.groupby(["problem", "algorithm"])["budget"].nunique()
        if budget is None and (each > 1).any():
            raise ValueError(
                f"budget: expected one of {', '.join(map(repr, names))}, as runs of several "
                "cannot be compared, found None"
            )
        if budget is not None and budget not in names:
            raise ValueError(unknown("budget", budget, names))
        return self.frame if budget is None else self.frame[self.frame["budget"] == budget]

    def failed(self) -> pd.DataFrame:
        """Runs that did not end well, as in `frame`."""
        return self.frame[~ended_well(self.frame)]

    def trace(self, run: int) -> str:
        """Trace of a run that failed; empty if it did not."""
        number = self.number_of(run)
        with self._open() as database:
            row = database.execute("SELECT trace FROM runs WHERE run = ?", (number,)).fetchone()
        return (row and row[0]) or ""

    def number_of(self, run: int) -> int:
        """Check the number of a run.

        Raises
        ------
        TypeError
            If it is no whole number.
        ValueError
            If there is no such run.
        """
        number = check_integer("run", run)
        if number not in self.frame.index:
            raise ValueError(unknown("run", run, [str(known) for known in self.frame.index]))
        return number

    def evaluations(self, run: int) -> Evaluations:
        """Everything a run evaluated.

        Raises
        ------
        ValueError
            If there is no such run.
        """
        for _, found in self.all_evaluations([run]):
            return found
        raise ValueError(f"{self.path}: run {run}: expected its evaluations, found none")

    def all_evaluations(
        self, runs: Iterable[int] | None = None
    ) -> Iterator[tuple[int, Evaluations]]:
        """Everything that several runs evaluated, one after the other; all of them by default."""
        numbers = self.frame.index if runs is None else [self.number_of(run) for run in runs]
        with self._open() as database:
            for run in numbers:
                row = database.execute(
                    "SELECT n, n_obj, objectives, feasible, seconds FROM evaluations WHERE run = ?",
                    (int(run),),
                ).fetchone()
                if row is not None:
                    yield int(run), self._unpacked(run, *row)

    def _unpacked(
        self, run: int, n: int, n_obj: int, objectives: bytes, feasible: bytes, seconds: bytes
    ) -> Evaluations:
        with intact(self.path, f"evaluations of run {run}"):
            return Evaluations(
                unpack_numbers(objectives, "float64", (n, n_obj)),
                unpack_flags(feasible, n),
                unpack_seconds(seconds, n),
            )

    def fronts(self, problem: str) -> list[FloatArray]:
        """Minimized objectives of what each run on a problem found; runs that failed have none.

        Parameters
        ----------
        problem : str

        Returns
        -------
        list of float array (n, n_obj)
            Each n at least 1, in the order in which the runs were kept.

        Raises
        ------
        ValueError
            If there is no such problem, or a front is damaged.
        """
        with self._open() as database:
            known = [name for (name,) in database.execute("SELECT problem FROM problems")]
            if problem not in known:
                raise ValueError(unknown("problem", problem, known))
            rows = database.execute(
                "SELECT run, n, n_obj, objectives FROM fronts JOIN runs USING (run) "
                "WHERE problem = ? AND n > 0 ORDER BY run",
                (problem,),
            ).fetchall()
        found = []
        for run, n, n_obj, packed in rows:
            with intact(self.path, f"front of run {run}"):
                found.append(unpack_numbers(packed, "float64", (n, n_obj)))
        return found

    def front(self, run: int) -> tuple[AnyArray | list[str], FloatArray]:
        """Genomes and minimized objectives of what a run found.

        Genomes that are no numbers, such as trees, are texts.

        Raises
        ------
        ValueError
            If there is no such run.
        """
        number = self.number_of(run)
        with self._open() as database:
            row = database.execute(
                "SELECT n, n_obj, objectives, genomes, genome_type, genome_shape, texts "
                "FROM fronts WHERE run = ?",
                (number,),
            ).fetchone()
        if row is None:
            raise ValueError(f"{self.path}: run {run}: expected its front, found none")
        n, n_obj, objectives, genomes, kind, shape, texts = row
        with intact(self.path, f"front of run {run}"):
            F = unpack_numbers(objectives, "float64", (n, n_obj))
            if genomes is None:
                return list(json.loads(texts)), F
            return unpack_numbers(genomes, kind, tuple(json.loads(shape))), F


def ended_well(runs: pd.DataFrame) -> pd.Series[bool]:
    """Which rows of ``frame`` are of runs that ended as their budget says."""
    return runs["status"] == DONE
