"""The experiment over a suite: budgets of the instances, and only what fits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import pandas as pd

from anonopt.algorithms.entry import path_of
from anonopt.algorithms.node_tests import TestingSearch
from anonopt.algorithms.registry import UnfitError, is_deterministic
from anonopt.experiments.experiment import Experiment
from anonopt.experiments.grid.budgets import Budget
from anonopt.experiments.grid.entries import AlgorithmLike, Pair, ProblemEntry
from anonopt.experiments.performance.references import Reference
from anonopt.experiments.runs import Runs
from anonopt.experiments.suites.instance import Instance
from anonopt.experiments.suites.references import packaged_reference

LEFT_OUT = ["problem", "algorithm", "reason"]


class _Sorted(NamedTuple):
    """Pairs that fit, and rows of `LEFT_OUT`."""

    fitting: list[Pair]
    left_out: list[tuple[str, str, str]]


class SuiteExperiment(Experiment):
    """Algorithms on the instances of a suite.

    Each instance has its own budget of distinct evaluations; it is also that of tests of nodes for
    algorithms that test them. An algorithm is left out where it does not take the problem,
    and has one run, with the first seed, where the registry says that it draws nothing at random.
    What is measured is measured against the references of the suite.

    Parameters
    ----------
    suite : str
        Its name.
    instances : sequence of Instance
    algorithms : mapping of name to algorithm, or iterable of algorithms
        As :class:`~anonopt.experiments.Experiment` takes them.
    seeds : iterable of int
    name : str
        Of the experiment, as its file knows it.
    time_limit, memory_limit : optional
        As :class:`~anonopt.experiments.Experiment`.

    Raises
    ------
    ValueError
        If a name is unknown or stands twice, or no algorithm takes any of the instances.
    TypeError
        If something else is handed in.
    """

    def __init__(
        self,
        suite: str,
        instances: Sequence[Instance],
        *,
        algorithms: Mapping[str, AlgorithmLike] | Iterable[AlgorithmLike],
        seeds: Iterable[int],
        name: str,
        time_limit: float | None = None,
        memory_limit: int | None = None,
    ) -> None:
        self.suite = suite
        self._most = {one.name: one.budget for one in instances}
        super().__init__(
            problems={one.name: one.make for one in instances},
            algorithms=algorithms,
            seeds=seeds,
            budget=sorted({one.budget for one in instances}),
            name=name,
            time_limit=time_limit,
            memory_limit=memory_limit,
        )
        if not self._sorted.fitting:
            reasons = "; ".join(f"{two} on {one}: {why}" for one, two, why in self._sorted.left_out)
            raise ValueError(f"algorithms: expected one that takes an instance, found {reasons}")

    @property
    def left_out(self) -> pd.DataFrame:
        """Pairs that are not run: ``problem``, ``algorithm``, ``reason``."""
        return pd.DataFrame(self._sorted.left_out, columns=LEFT_OUT)

    def rows_of(self, runs: Runs) -> pd.DataFrame:
        """Rows of ``runs.frame`` that are runs of this experiment; a file may hold others."""
        cells = {
            (cell.problem, cell.algorithm, cell.seed, budget.name)
            for cell, _, budget in self.cells()
        }
        columns = (runs.frame[name] for name in ("problem", "algorithm", "seed", "budget"))
        return runs.frame[[key in cells for key in zip(*columns, strict=True)]]

    def _pairs(self) -> Iterator[Pair]:
        yield from self._sorted.fitting

    @cached_property
    def _sorted(self) -> _Sorted:
        found = _Sorted([], [])
        for problem in self.problems:
            most = self._most[problem.name]
            for algorithm in self.algorithms:
                try:
                    made = algorithm.make(problem.problem)
                except UnfitError as error:
                    found.left_out.append((problem.name, algorithm.name, error.reason))
                    continue
                seeds = self.seeds[:1] if is_deterministic(path_of(type(made))) else self.seeds
                # What tests nodes may evaluate none of them for hours.
                tests = most if isinstance(made, TestingSearch) else None
                budget = Budget(evaluations=most, tests=tests)
                found.fitting.append(Pair(problem, algorithm, [budget], seeds))
        return found

    def _reference(self, entry: ProblemEntry, held: Runs) -> Reference | None:
        return packaged_reference(self.suite, entry.name) or super()._reference(entry, held)
