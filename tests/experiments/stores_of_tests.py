"""Files of experiments: a small one that is run, and such whose evaluations are written by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from anonopt.experiments import Experiment
from anonopt.experiments.grid.budgets import Budget
from anonopt.experiments.performance.references import Reference, joint_reference
from anonopt.experiments.runs import Runs
from anonopt.experiments.store.contents import Evaluations, ProblemFacts
from anonopt.experiments.store.rows import AlgorithmRow, Cell, ProblemRow, RunRow
from anonopt.experiments.store.runs import StoredRuns
from anonopt.experiments.store.store import ExperimentStore


def experiment(**changed: Any) -> Experiment:
    """One short run, but for what is changed."""
    parts = {"problems": ["german-k-glm"], "algorithms": ["random"], "seeds": [0], "budget": 10}
    return Experiment(**parts | changed)


class Written(NamedTuple):
    """A run: what it evaluated, minimized, in its order."""

    problem: str
    algorithm: str
    seed: int
    F: Sequence[Sequence[float]]
    feasible: Sequence[bool] | None = None
    status: str = "done"
    budget: int = 100


def written_runs(
    path: Path,
    runs: Iterable[Written],
    *,
    objectives: Sequence[str] = ("a", "b"),
    maximize: Sequence[bool] | None = None,
    references: Mapping[str, Reference] | None = None,
) -> Runs:
    """Runs in a new file; references are those given, or of all runs."""
    found = list(runs)
    n_obj = len(objectives)
    with ExperimentStore(path, "by hand") as store:
        for problem in dict.fromkeys(run.problem for run in found):
            store.add_problem(
                ProblemRow(
                    problem=problem,
                    made_by="{}",
                    fingerprint=problem,
                    space="levels",
                    n_var=1,
                    size=None,
                    objectives=tuple(objectives),
                    maximize=tuple(maximize or [False] * n_obj),
                )
            )
            for algorithm in dict.fromkeys(run.algorithm for run in found):
                store.add_algorithm(AlgorithmRow(algorithm, problem, "{}"))
        for run in found:
            cell = Cell(run.problem, run.algorithm, run.seed, Budget(run.budget).text)
            store.add_run(cell, _row(run, n_obj), revision=None)
        for problem in dict.fromkeys(run.problem for run in found):
            usable = [
                F[is_feasible]
                for run in found
                if run.problem == problem
                for F, is_feasible in [_evaluated(run, n_obj)]
            ]
            reference = (references or {}).get(problem) or joint_reference(usable)
            if reference is not None:
                store.set_reference(problem, reference.front, reference.point, reference.source)
    return Runs(path)


class HeldRuns(StoredRuns):
    """Runs that are in no file, for tests that make many."""

    def __init__(
        self,
        runs: Iterable[Written],
        *,
        objectives: Sequence[str] = ("a", "b"),
        maximize: Sequence[bool] | None = None,
        references: Mapping[str, Reference] | None = None,
        deterministic: Iterable[str] = (),
    ) -> None:
        n_obj = len(objectives)
        found = list(runs)
        self.held = [_evaluated(run, n_obj) for run in found]
        self.frame = pd.DataFrame(
            {
                "problem": [run.problem for run in found],
                "algorithm": [run.algorithm for run in found],
                "seed": [run.seed for run in found],
                "budget": [f"{run.budget} evaluations" for run in found],
                "status": [run.status for run in found],
                "n_unique": [len(F) for F, _ in self.held],
            }
        )
        directions = np.array(maximize or [False] * n_obj)
        # Where the class has properties that read the file.
        self.__dict__["deterministic"] = frozenset(deterministic)
        self.__dict__["problems"] = {
            problem: _facts_of(problem, objectives, directions, (references or {}).get(problem))
            for problem in dict.fromkeys(run.problem for run in found)
        }

    def all_evaluations(self, runs: Any = None) -> Iterator[tuple[int, Evaluations]]:
        for run in self.frame.index if runs is None else runs:
            F, feasible = self.held[run]
            yield int(run), Evaluations(F, feasible, np.zeros(len(F)))


def _facts_of(
    problem: str, objectives: Sequence[str], maximize: np.ndarray, reference: Reference | None
) -> ProblemFacts:
    known = (
        (None, None, None)
        if reference is None
        else (reference.front, reference.point, reference.source)
    )
    return ProblemFacts(problem, tuple(objectives), maximize, *known, n_var=1)


def _evaluated(run: Written, n_obj: int) -> tuple[np.ndarray, np.ndarray]:
    F = np.array(run.F, dtype=np.float64).reshape(-1, n_obj)
    feasible = np.ones(len(F), dtype=np.bool_) if run.feasible is None else np.array(run.feasible)
    return F, feasible.astype(np.bool_)


def _row(run: Written, n_obj: int) -> RunRow:
    F, feasible = _evaluated(run, n_obj)
    return RunRow(
        status=run.status,
        message="",
        trace="",
        objectives=F,
        feasible=feasible,
        seconds=np.arange(len(F), dtype=np.float64),
        front_objectives=F[feasible],
        front_genomes=np.zeros((int(feasible.sum()), 1), dtype=np.int64),
        n_evaluations=len(F),
        n_unique=len(F),
        n_tests=0,
        proven=False,
        wall_seconds=1.0,
        cpu_seconds=1.0,
        machine="here",
        versions={},
    )
