"""An experiment: every algorithm on every problem, with every seed and budget."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import closing
from os import PathLike
from typing import Any, TypeAlias

import pandas as pd

from anonopt._checks import check_flag
from anonopt.evaluation.executors.given_executor import opened
from anonopt.experiments.execution.caller import revision_here, warn_of_versions
from anonopt.experiments.execution.estimates import seconds_of
from anonopt.experiments.execution.execute import check_place, run_jobs
from anonopt.experiments.execution.fitting import check_fits
from anonopt.experiments.execution.job import Job
from anonopt.experiments.execution.limits import checked_limits
from anonopt.experiments.execution.sendable import check_sendable
from anonopt.experiments.grid.budgets import Budget, BudgetLike, budgets_of, seeds_of
from anonopt.experiments.grid.entries import (
    AlgorithmEntry,
    AlgorithmLike,
    Pair,
    ProblemEntry,
    ProblemLike,
    algorithm_entries,
    check_name,
    problem_entries,
)
from anonopt.experiments.performance.references import (
    EXACT,
    Reference,
    exact_reference,
    joint_reference,
)
from anonopt.experiments.runs import Runs
from anonopt.experiments.store.rows import AlgorithmRow, Cell, ProblemRow, RunRow
from anonopt.experiments.store.statuses import statuses
from anonopt.experiments.store.store import ExperimentStore
from anonopt.problems.base import AnonymizationProblem
from anonopt.runs.progress import progress_bar

MISSING = "missing"
"""Status of runs that are still to be run."""

OnDone: TypeAlias = Callable[[int, int, Cell, RunRow | None], None]


class Experiment:
    """Compare algorithms on problems.

    Parameters
    ----------
    problems : mapping of name to problem, or iterable of problems
        Each a name of the catalogue, a pair of name and options, a problem, or a function without
        arguments that makes one.
    algorithms : mapping of name to algorithm, or iterable of algorithms
        Each a registered name, a pair of name and options, an algorithm, or a function of the
        problem that makes one.
    seeds : iterable of int
        One run each.
    budget : int, mapping, or list of them
        What bounds a run: a number of distinct evaluations, or any of ``evaluations``, ``tests``,
        ``generations`` and ``seconds``. With several, each is run.
    name : str
        Of the experiment, as its file knows it.
    time_limit : float, optional
        Seconds of wall time after which a run is ended as out of time.
    memory_limit : int, optional
        Bytes of address space that a worker process may have; a run that needs more is told as
        out of memory. Runs that share the process of the program cannot be limited.

    Raises
    ------
    ValueError
        If a name is unknown or stands twice, a budget or limit is out of its range, or an
        algorithm does not take a problem: before anything runs.
    TypeError
        If something else is handed in.

    Attributes
    ----------
    name : str
    problems : list of ProblemEntry
    algorithms : list of AlgorithmEntry
    seeds : list of int
    budgets : list of Budget
    time_limit : float or None
    memory_limit : int or None

    Examples
    --------
    >>> experiment = Experiment(
    ...     problems=["german-k-glm"], algorithms=["pbgea", "random"], seeds=range(2), budget=50
    ... )
    >>> experiment.grid()[["problem", "algorithm", "seed", "budget"]]
            problem algorithm  seed          budget
    0  german-k-glm     pbgea     0  50 evaluations
    1  german-k-glm     pbgea     1  50 evaluations
    2  german-k-glm    random     0  50 evaluations
    3  german-k-glm    random     1  50 evaluations
    """

    def __init__(
        self,
        *,
        problems: Mapping[str, ProblemLike] | Iterable[ProblemLike],
        algorithms: Mapping[str, AlgorithmLike] | Iterable[AlgorithmLike],
        seeds: Iterable[int],
        budget: BudgetLike | Iterable[BudgetLike],
        name: str = "experiment",
        time_limit: float | None = None,
        memory_limit: int | None = None,
    ) -> None:
        self.name = check_name("name", name)
        self.problems = problem_entries(problems)
        self.algorithms = algorithm_entries(algorithms)
        self.seeds = seeds_of(seeds)
        self.budgets = budgets_of(budget)
        self.time_limit, self.memory_limit = checked_limits(time_limit, memory_limit)
        # What does not fit is told at once.
        self._algorithm_rows = [
            self._algorithm_row(one, pair.problem)
            for one, pair in itertools.product(self.algorithms, self._pairs())
            if pair.algorithm is one
        ]

    def __repr__(self) -> str:
        return (
            f"Experiment({self.name!r}, {sum(1 for _ in self.cells())} runs: "
            f"{len(self.problems)} problems x {len(self.algorithms)} algorithms x "
            f"{len(self.budgets)} budgets x {len(self.seeds)} seeds)"
        )

    def _pairs(self) -> Iterator[Pair]:
        for problem, algorithm in itertools.product(self.problems, self.algorithms):
            yield Pair(problem, algorithm, self.budgets, self.seeds)

    def _algorithm_row(self, entry: AlgorithmEntry, problem: ProblemEntry) -> AlgorithmRow:
        check_fits(entry, problem, self.budgets)
        return AlgorithmRow.of(entry, problem)

    def cells(self) -> Iterator[tuple[Cell, ProblemEntry, Budget]]:
        """Every run, seeds innermost."""
        for problem, algorithm, budgets, seeds in self._pairs():
            for budget, seed in itertools.product(budgets, seeds):
                yield Cell(problem.name, algorithm.name, seed, budget.text), problem, budget

    def grid(self, path: str | PathLike[str] | None = None) -> pd.DataFrame:
        """Every run as a table.

        Parameters
        ----------
        path : path, optional
            File of the experiment, which need not exist; it is read only.

        Returns
        -------
        DataFrame
            ``problem``, ``algorithm``, ``seed``, ``budget``; with a path also ``status``: how the
            run ended that the file holds, or ``missing``.

        Raises
        ------
        ValueError
            If the file is of another experiment, or a problem or an algorithm of it has changed.
        """
        rows = [
            (cell.problem, cell.algorithm, cell.seed, budget.name)
            for cell, _, budget in self.cells()
        ]
        grid = pd.DataFrame(rows, columns=["problem", "algorithm", "seed", "budget"])
        if path is None:
            return grid
        held = statuses(path, self.name, self._rows())
        return grid.assign(status=[held.get(row, MISSING) for row in rows])

    def estimate(self) -> pd.DataFrame:
        """How long runs take, from short ones; rough, and it takes as long as those.

        Returns
        -------
        DataFrame
            One row for each problem, algorithm and budget, and ``seconds``: of one run, NaN where
            nothing can be said, as for a budget of tests alone.
        """
        rows = [
            (problem.name, algorithm.name, budget.name, seconds_of(problem, algorithm, budget))
            for problem, algorithm, budgets, _ in self._pairs()
            for budget in budgets
        ]
        frame = pd.DataFrame(rows, columns=["problem", "algorithm", "budget", "seconds"])
        return frame.astype({"seconds": "float64"})

    def run(
        self,
        path: str | PathLike[str],
        *,
        workers: int = 1,
        executor: Any = None,
        retry_failed: bool = False,
        on_done: OnDone | None = None,
        progress: bool = False,
    ) -> Runs:
        """Run what the file does not hold yet, and keep each run as it ends.

        Parameters
        ----------
        path : path
            File of the experiment, made if it does not exist.
        workers : int
            Processes; 0 runs everything in this one. The results do not depend on it.
        executor : Executor, dask client or its address, optional
            One of your own, such as ``"tcp://10.0.0.1:8786"``.
        retry_failed : bool
            Whether runs that failed, or were out of time or memory, are run again.
        on_done : callable
            Called with the number of runs that are done, of all, the cell, and the run; first with
            those that the file holds already, whose run is None.
        progress : bool
            Show a progress bar of the runs on standard error, or in the output of a notebook.

        Returns
        -------
        Runs
            All that the file holds, with the references they are measured against.

        Raises
        ------
        ValueError
            If the file is of another experiment, or a problem or an algorithm of it has changed:
            the message names what. If memory is limited, and runs share this process.
        TypeError
            If a problem or an algorithm cannot be sent to other processes, or not be found by
            them, such as a class of a notebook.
        BlockingIOError
            If another program runs the experiment of that file.
        FileNotFoundError, IsADirectoryError
            If the file cannot be where it should.
        ConnectionError
            If no cluster answers at the address, or a client of dask is not connected.

        Warns
        -----
        UserWarning
            If runs of the file were made with other versions of the libraries than are installed.
        """
        check_flag("progress", progress)
        with opened(executor) as found:
            self._check_run(workers, found, retry_failed, on_done)
            with (
                ExperimentStore(path, self.name) as store,
                progress_bar(visible=progress, of="runs") as show,
            ):
                with store.transaction():
                    self._describe(store)
                warn_of_versions(store.path, store.versions())
                jobs = self._missing(store.done(failed=not retry_failed))
                n_all = sum(1 for _ in self.cells())
                n_done = n_all - len(jobs)
                tell = on_done or _nobody
                if n_done:
                    held = next(cell for cell, *_ in self.cells() if cell not in jobs)
                    tell(n_done, n_all, held, None)
                revision = revision_here()
                ended = run_jobs(jobs, self._by_digest(), workers=workers, executor=found)
                with closing(ended):
                    for cell, row in ended:
                        store.add_run(cell, row, revision=revision)
                        n_done += 1
                        n_ended = n_done - n_all + len(jobs)
                        show(n_ended / len(jobs), n_ended)
                        tell(n_done, n_all, cell, row)
                self._set_references(store)
        return Runs(path)

    def _check_run(
        self, workers: int, executor: Executor | None, retry_failed: bool, on_done: OnDone | None
    ) -> None:
        """Refuse what cannot be run, before there is a file."""
        check_flag("retry_failed", retry_failed)
        if on_done is not None and not callable(on_done):
            raise TypeError(f"on_done: expected a function, found {on_done!r}")
        check_place(workers, executor, memory_limit=self.memory_limit)
        if executor is not None or workers:
            check_sendable(self._missing(set()).values(), self._by_digest(), executor)

    def _set_references(self, store: ExperimentStore) -> None:
        """Keep what the runs are measured against: exact where it is known, else of all runs."""
        held = Runs(store.path)
        for entry in self.problems:
            reference = self._reference(entry, held)
            if reference is not None:
                store.set_reference(entry.name, reference.front, reference.point, reference.source)

    def _reference(self, entry: ProblemEntry, held: Runs) -> Reference | None:
        """Reference to keep; None where nothing feasible is known, or the file has an exact one."""
        if held.problems[entry.name].reference_source == EXACT:
            return None
        return exact_reference(entry.problem) or joint_reference(held.fronts(entry.name))

    def _by_digest(self) -> dict[str, AnonymizationProblem]:
        return {_digest(entry): entry.problem for entry in self.problems}

    def _rows(self) -> list[ProblemRow | AlgorithmRow]:
        return [*map(ProblemRow.of, self.problems), *self._algorithm_rows]

    def _describe(self, store: ExperimentStore) -> None:
        for row in self._rows():
            if isinstance(row, ProblemRow):
                store.add_problem(row)
            else:
                store.add_algorithm(row)

    def _missing(self, done: set[Cell]) -> dict[Cell, Job]:
        by_name = {entry.name: entry for entry in self.algorithms}
        return {
            cell: Job(
                problem=_digest(problem),
                algorithm=by_name[cell.algorithm],
                seed=cell.seed,
                budget=budget,
                time_limit=self.time_limit,
                memory_limit=self.memory_limit,
            )
            for cell, problem, budget in self.cells()
            if cell not in done
        }


def _digest(entry: ProblemEntry) -> str:
    return f"{entry.name} {entry.problem.portable_fingerprint}"


def _nobody(*_: object) -> None:
    """Nobody wants to know."""
