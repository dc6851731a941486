"""Make the reference fronts of a suite: proofs where there is one, else independent long runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from types import FunctionType
from typing import Any

import moocore
import numpy as np
import pandas as pd

from anonopt._checks import check_integer, unknown
from anonopt._typing import FloatArray, IntArray
from anonopt.algorithms.built_in import BUILT_IN
from anonopt.experiments.grid.budgets import seeds_of
from anonopt.experiments.grid.descriptions import plain_options
from anonopt.experiments.grid.entries import AlgorithmLike, algorithm_entries
from anonopt.experiments.performance.references import finite, reference_of
from anonopt.experiments.runs import Runs
from anonopt.experiments.store.runs import ended_well
from anonopt.experiments.suites.instance import Instance
from anonopt.experiments.suites.instances import SUITES
from anonopt.experiments.suites.proven_fronts import ProvenFront, proven_front
from anonopt.experiments.suites.references import KeptFront
from anonopt.experiments.suites.suite_experiment import SuiteExperiment
from anonopt.problems.base import AnonymizationProblem

FIRST_SEED = 1000
"""Results of a suite are of seeds below, so that none is measured against its own run."""

SEEDS = (1001, 1002, 1003)
TIMES = 5


class ReferenceSearch:
    """Proofs of the fronts of instances, and the experiment that looks for the others.

    Parameters
    ----------
    suite : str
        Its name.
    instances : sequence of Instance
    algorithms : mapping of name to algorithm, or iterable of algorithms, optional
        As :class:`~anonopt.experiments.Experiment` takes them; by default every algorithm of the
        library. They are for instances without a proof.
    seeds : iterable of int
        From `FIRST_SEED` on.
    times : int
        Budget of a run, in budgets of the instance, at least 1.

    Attributes
    ----------
    proven : dict of str to ProvenFront
        By instance.
    experiment : SuiteExperiment or None
        Of the other instances; None if there are none.

    Raises
    ------
    ValueError
        If a seed may be one that results are of, or as :class:`~anonopt.experiments.Experiment`.
    TypeError
        If something else is handed in.
    """

    def __init__(
        self,
        suite: str,
        instances: Sequence[Instance],
        *,
        algorithms: Mapping[str, AlgorithmLike] | Iterable[AlgorithmLike] | None = None,
        seeds: Iterable[int] = SEEDS,
        times: int = TIMES,
    ) -> None:
        self.suite, self.seeds = suite, seeds_of(seeds)
        self.times = check_integer("times", times, least=1)
        if min(self.seeds) < FIRST_SEED:
            raise ValueError(
                f"seeds: expected seeds from {FIRST_SEED} on, as results of a suite are of those "
                f"below, found {min(self.seeds)}"
            )
        chosen = algorithm_entries(list(BUILT_IN) if algorithms is None else algorithms)
        self._problems = {one.name: one.make() for one in instances}
        proofs = {name: proven_front(problem) for name, problem in self._problems.items()}
        self.proven: dict[str, ProvenFront] = {
            name: front for name, front in proofs.items() if front is not None
        }
        self._most = {one.name: times * one.budget for one in instances}
        longer = [
            replace(one, budget=self._most[one.name])
            for one in instances
            if one.name not in self.proven
        ]
        self.experiment: SuiteExperiment | None = None
        if longer:
            self.experiment = SuiteExperiment(
                suite,
                longer,
                algorithms={one.name: one.source for one in chosen},
                seeds=self.seeds,
                name=f"{suite} references",
            )

    @property
    def command(self) -> list[str]:
        """Words of the command that finds the same.

        Of algorithms with options or names of their own, which the command line cannot be given,
        the one word is a line of Python; `made_by` tells the options of objects.
        """
        if self.experiment is not None and not all(
            one.source == one.name for one in self.experiment.algorithms
        ):
            return [self._python()]
        words = ["anonopt", "experiment", "references", "--suite", self.suite]
        if self.experiment is not None:
            words += ["--times", str(self.times)]
            words += [word for seed in self.seeds for word in ("--seed", str(seed))]
            names = [one.name for one in self.experiment.algorithms]
            words += [word for name in names for word in ("--algorithm", name)]
        return words

    def _python(self) -> str:
        """The call that makes this search."""
        entries = [] if self.experiment is None else self.experiment.algorithms
        given = ", ".join(f"{one.name!r}: {_source_text(one.source)}" for one in entries)
        return (
            f"anonopt.experiments.Suite({self.suite!r}).reference_search({{{given}}}, "
            f"seeds={list(self.seeds)}, times={self.times})"
        )

    def merged(self, old: Mapping[str, KeptFront], runs: Runs | None) -> dict[str, KeptFront]:
        """Old and new fronts together, in the order of the suite; none is made worse.

        Parameters
        ----------
        old : mapping of instance to KeptFront
        runs : Runs or None
            Of `experiment`.

        Raises
        ------
        ValueError
            If an old front is of no instance of the suite, of another problem, or better than a
            proven one.
        """
        known = [one.name for one in SUITES[self.suite]]
        for name in old:
            if name not in known:
                raise ValueError(unknown("instance", name, known))
        new: dict[str, KeptFront] = {}
        for name, problem in self._problems.items():
            if name in self.proven:
                new[name] = self._of_proof(problem, self.proven[name])
            elif runs is not None and self.experiment is not None:
                table = self.experiment.rows_of(runs)
                wanted = table[ended_well(table) & (table["problem"] == name)]
                found = self._of_runs(name, problem, runs, wanted)
                new |= {} if found is None else {name: found}
        together = {**old, **new}
        for name in new.keys() & old.keys():
            together[name] = merged_front(name, old[name], new[name])
        return {name: together[name] for name in known if name in together}

    def _of_proof(self, problem: AnonymizationProblem, proof: ProvenFront) -> KeptFront:
        front = proof.front
        return KeptFront(
            objectives=tuple(problem.objective_names),
            front=front,
            origin=np.zeros(len(front), dtype=np.int64),
            origins=(self._origin(proof.proven_by, [], "none", {}),),
            point=_point(front, proof.worst),
            proven_by=proof.proven_by,
            problem=problem.lasting_fingerprint,
        )

    def _of_runs(
        self, name: str, problem: AnonymizationProblem, runs: Runs, table: pd.DataFrame
    ) -> KeptFront | None:
        """What the runs of a table found together; None if that is nothing."""
        algorithms = list(dict.fromkeys(table["algorithm"]))
        fronts = [finite(runs.front(run)[1]) for run in table.index]
        points = np.concatenate([np.empty((0, problem.n_obj)), *fronts])
        if len(points) == 0:
            return None
        by = [algorithms.index(one) for one in table["algorithm"]]
        origin = np.repeat(by, [len(front) for front in fronts])
        kept = _best(points, origin)
        return _pruned(
            KeptFront(
                objectives=tuple(problem.objective_names),
                front=points[kept],
                origin=origin[kept],
                origins=tuple(
                    self._origin(
                        one,
                        sorted(set(table.loc[table["algorithm"] == one, "seed"])),
                        self._most[name],
                        self._own(one, problem),
                    )
                    for one in algorithms
                ),
                point=_point(points[kept], worst_of(runs, table.index)),
                proven_by="",
                problem=problem.lasting_fingerprint,
            )
        )

    def _own(self, algorithm: str, problem: AnonymizationProblem) -> dict[str, Any]:
        """Class and options of an algorithm that its name alone does not tell."""
        entries = self.experiment.algorithms if self.experiment is not None else []
        own = [one for one in entries if one.name == algorithm and not isinstance(one.source, str)]
        return {"made_by": json.loads(own[0].made_by(problem))} if own else {}

    def _origin(
        self, algorithm: str, seeds: Iterable[int], most: int | str, own: Mapping[str, Any]
    ) -> dict[str, Any]:
        return {
            "algorithm": algorithm,
            "seeds": [int(seed) for seed in seeds],
            "evaluations": most,
            "version": version("anonopt"),
            "command": " ".join(self.command),
            **own,
        }


def _source_text(source: AlgorithmLike) -> str:
    """An algorithm as a call has it; of objects the class alone."""
    if isinstance(source, str):
        return repr(source)
    if isinstance(source, tuple):
        name, options = source
        return repr((name, plain_options(options)))
    kind = source if isinstance(source, type | FunctionType) else type(source)
    return f"{kind.__qualname__}(...)"


def merged_front(instance: str, old: KeptFront, new: KeptFront) -> KeptFront:
    """Points of two fronts of one problem that none of the other is better than.

    An exact front stays as it is. Points that both have stay with their old origin, so that the
    same command twice changes nothing.

    Raises
    ------
    ValueError
        If the fronts are of two problems, or one is called exact though the other is better.
    """
    if old.problem != new.problem or old.objectives != new.objectives:
        raise ValueError(
            f"{instance}: expected a front of problem {new.problem}, found one of {old.problem}"
        )
    points = np.concatenate([old.front, new.front])
    origin = np.concatenate([old.origin, new.origin + len(old.origins)])
    kept = _best(points, origin)
    for one in (old, new):
        if one.proven_by:
            if not np.array_equal(points[kept], one.front):
                raise ValueError(f"{instance}: expected nothing better than the exact front")
            return one
    return _pruned(
        replace(
            old,
            front=points[kept],
            origin=origin[kept],
            origins=(*old.origins, *new.origins),
            point=_point(points[kept], np.maximum(old.point, new.point)),
        )
    )


def worst_of(runs: Runs, numbers: Iterable[int]) -> FloatArray:
    """Worst feasible value of each objective, of all that some runs evaluated."""
    parts = [
        usable.max(axis=0)
        for _, found in runs.all_evaluations(numbers)
        if len(usable := finite(found.F[found.feasible]))
    ]
    return np.asarray(np.max(parts, axis=0))


def _point(front: FloatArray, worst: FloatArray) -> FloatArray:
    """What bounds the hypervolume: beyond the front; of one objective the worst value known.

    So shares of one objective are of the whole way from there to the best.
    """
    if front.shape[1] > 1:
        return reference_of(front, "").point
    return np.asarray(np.maximum(worst, front.max(axis=0) + np.finfo(float).eps))


def _best(points: FloatArray, origin: IntArray) -> IntArray:
    """Rows of points that no other is better than, sorted; of equal ones the first origin."""
    order = np.lexsort([origin, *points.T[::-1]])
    _, first = np.unique(points[order], axis=0, return_index=True)
    distinct = order[first]
    return np.asarray(distinct[moocore.is_nondominated(points[distinct])])


def _pruned(kept: KeptFront) -> KeptFront:
    """A front without origins that no point is left of."""
    used, origin = np.unique(kept.origin, return_inverse=True)
    origins = tuple(kept.origins[i] for i in used)
    return replace(kept, origin=origin.astype(np.int64), origins=origins)
