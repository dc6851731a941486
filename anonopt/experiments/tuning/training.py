"""Runs by which options are judged: of all training problems and seeds, against fixed fronts."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from anonopt.experiments.execution.execute import run_here
from anonopt.experiments.execution.job import Job
from anonopt.experiments.experiment import Experiment
from anonopt.experiments.grid.entries import AlgorithmLike, ProblemEntry, algorithm_entries
from anonopt.experiments.performance.quality import INDICATORS
from anonopt.experiments.performance.references import Reference, finite
from anonopt.experiments.store.rows import RunRow
from anonopt.experiments.tuning.trials import Trial

DEFAULT, TUNED = "default", "tuned"
"""Names of the algorithm as it comes, and of that with options."""


class Training:
    """What options are run on.

    Parameters
    ----------
    experiment : Experiment
        Of the algorithms `DEFAULT` and `TUNED`; never run itself.
    reference : callable
        Of a problem: what its runs are measured against, whatever other runs find; None if there
        is nothing.
    indicator : str
        Of `INDICATORS`.

    Attributes
    ----------
    problems : dict of str to AnonymizationProblem
        Those that the algorithm takes.

    Raises
    ------
    ValueError
        If a problem has no reference.
    """

    def __init__(
        self,
        experiment: Experiment,
        reference: Callable[[ProblemEntry], Reference | None],
        indicator: str,
    ) -> None:
        self._default = next(one for one in experiment.algorithms if one.name == DEFAULT)
        self._cells = [cell for cell in experiment.cells() if cell[0].algorithm == TUNED]
        self._indicator = INDICATORS[indicator]
        entries = {entry.name: entry for _, entry, _ in self._cells}
        self.problems = {name: entry.problem for name, entry in entries.items()}
        self._references = {name: _known(reference(one), name) for name, one in entries.items()}

    def trial(self, options: Mapping[str, Any], algorithm: AlgorithmLike) -> Trial:
        """Run the algorithm with options: problems outside, seeds inside.

        Raises
        ------
        RuntimeError
            If every run fails.
        """
        (entry,) = algorithm_entries({TUNED: algorithm})
        jobs = {
            cell: Job(
                problem=problem.name,
                algorithm=entry,
                seed=cell.seed,
                budget=budget,
                time_limit=None,
                memory_limit=None,
            )
            for cell, problem, budget in self._cells
        }
        rows = dict(run_here(jobs, self.problems))
        if all(row.trace for row in rows.values()):
            trace = next(iter(rows.values())).trace
            raise RuntimeError(f"options {dict(options)}: every run failed, the first by\n{trace}")
        return Trial(
            options=dict(options),
            value=float(np.mean([self._value(cell.problem, row) for cell, row in rows.items()])),
            n_runs=len(rows),
            n_evaluations=sum(row.n_unique for row in rows.values()),
            ended=Counter(row.message for row in rows.values()),
        )

    def _value(self, problem: str, row: RunRow) -> float:
        points = finite(row.front_objectives)
        if not len(points):
            return self._indicator.nothing
        return self._indicator.of(points, self._references[problem])

    def description(self) -> dict[str, Any]:
        """Plain data of all that decides what options are worth."""
        return {
            "train": {
                name: {
                    "algorithm": json.loads(self._default.made_by(problem)),
                    "fingerprint": problem.portable_fingerprint,
                    "reference": _digest(self._references[name]),
                }
                for name, problem in self.problems.items()
            },
            "runs": [[cell.problem, cell.seed, cell.budget] for cell, _, _ in self._cells],
        }


def _known(reference: Reference | None, name: str) -> Reference:
    if reference is None:
        raise ValueError(f"train: expected problems with an exact front, found {name!r}")
    return reference


def _digest(reference: Reference) -> str:
    """Other fronts give other values."""
    content = reference.front.tobytes() + reference.point.tobytes()
    return hashlib.sha256(content).hexdigest()[:16]
