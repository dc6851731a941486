"""An evaluator that measures each distinct genome once and keeps within a budget."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
from pymoo.core.evaluator import Evaluator
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt._checks import check_integer
from anonopt._typing import AnyArray, FloatArray
from anonopt.algorithms.late_individuals import assign
from anonopt.operators.base import own_space
from anonopt.operators.duplicates import DIGEST_SIZE, genome_key, genome_keys, key_digest
from anonopt.runs.record import EvaluationRecord

VALUES = ("F", "G", "H")
"""What is measured and remembered of a solution."""


@runtime_checkable
class Addable(Protocol):
    """What is asked of an archive."""

    def add(self, population: Population) -> Any:
        """Take solutions in, and return the archive."""
        ...


class BudgetReached(Exception):  # noqa: N818  (an event that ends a run, not an error)
    """A solution was asked for that would have exceeded the budget of distinct evaluations."""


class MemoizingEvaluator(Evaluator):
    """Answer requests for known genomes from memory; evaluate only new ones.

    Works with :func:`anonopt.runs.solve`, which makes its own, and with pymoo's
    ``minimize(problem, algorithm, evaluator=MemoizingEvaluator())``. With a budget, use
    ``solve``: ``minimize`` knows nothing of :class:`BudgetReached` and lets it through.

    Of problems in pymoo's wrappers, such as ``ConstraintsAsObjective``, the algorithm gets what
    the wrapper makes of the values, and the record holds what the problem itself measured.

    Parameters
    ----------
    budget : int, optional
        Most distinct genomes that may be evaluated, at least 1; no limit if left out. It is
        never exceeded: of a population that asks for more, the part before the first genome
        that does not fit is evaluated, then :class:`BudgetReached` is raised.
    archive : archive, optional
        Gets every distinct solution, in order, as individuals with X, F and G. All that is
        asked of it is ``add(population)``, which returns the archive.

    Attributes
    ----------
    n_evaluations : int
        Requests answered, repeated ones included.
    n_unique : int
        Distinct genomes evaluated.
    n_since_new : int
        Requests answered since the last one that was new.
    record : EvaluationRecord
        One row for every distinct genome, in order.
    archive : archive or None

    Raises
    ------
    TypeError
        If the budget is not a whole number, or the archive none.
    ValueError
        If the budget is below 1.
    """

    def __init__(self, *, budget: int | None = None, archive: Any = None) -> None:
        super().__init__(evaluate_values_of=list(VALUES))
        self.budget = None if budget is None else check_integer("budget", budget, least=1)
        if archive is not None and not isinstance(archive, Addable):
            raise TypeError(f"archive: expected an object with add(population), found {archive!r}")
        self.archive = archive
        self.record = EvaluationRecord()
        self.n_since_new = 0
        self._started = time.perf_counter()
        self._known: dict[bytes, Mapping[str, Any]] = {}
        self._key: Callable[[AnyArray], bytes] = genome_key
        self._keys: Callable[[AnyArray], list[bytes]] = genome_keys
        self._problem: Problem | None = None

    @property
    def n_evaluations(self) -> int:
        """Requests answered, repeated ones included."""
        return int(self.n_eval)

    @property
    def n_unique(self) -> int:
        """Distinct genomes evaluated."""
        return len(self._known)

    def answers(self) -> dict[str, AnyArray]:
        """What was measured of all, in the order of the record: name to array (n_unique, ...)."""
        known = list(self._known.values())
        names = sorted(set.intersection(*map(set, known))) if known else []
        return {name: np.array([values[name] for values in known]) for name in names}

    def digests(self) -> npt.NDArray[np.uint8]:
        """Digests of all genomes, in the order of the record: array (n_unique, 16)."""
        digests = b"".join(map(key_digest, self._known))
        return np.frombuffer(digests, dtype=np.uint8).reshape(-1, DIGEST_SIZE)

    def _eval(
        self, problem: Problem, pop: Population, evaluate_values_of: list[str], **kwargs: Any
    ) -> None:
        self._check(problem, evaluate_values_of)
        keys = [self._key(individual.X) for individual in pop]
        new, n_answered = self._new_within_budget(keys)
        if new:
            self._evaluate_new(problem, pop[list(new.values())], list(new), **kwargs)
        for individual, key in zip(pop[:n_answered], keys, strict=False):
            assign(individual, self._known[key])
        self._count(keys, new, n_answered)
        # pymoo counts requests that were all answered.
        self.n_eval -= n_answered

    def _count(self, keys: list[bytes], new: dict[bytes, int], n_answered: int) -> None:
        """Count requests, of which the first were answered; the others end the run."""
        self.n_since_new = (
            n_answered - 1 - max(new.values()) if new else self.n_since_new + n_answered
        )
        self.n_eval += n_answered
        if n_answered < len(keys):
            raise BudgetReached(f"budget of {self.budget} distinct evaluations reached")

    def takes_rows(self, problem: Problem) -> bool:
        """Whether genomes of a problem can be answered by :meth:`eval_rows`: not of a wrapper."""
        return own_space(problem) is not None and "__object__" not in vars(problem)

    def eval_rows(
        self, problem: Problem, X: AnyArray, *, measured_by: Problem, **kwargs: Any
    ) -> list[Mapping[str, Any]]:
        """What ``eval`` sets of individuals with these genomes.

        Parameters
        ----------
        problem : pymoo Problem
        X : array (n, n_var)
        measured_by : pymoo Problem
            The problem, or one that finds the same values another way.
        **kwargs
            For the problem.

        Returns
        -------
        list of n mappings
            What was measured of each genome, by name.

        Raises
        ------
        BudgetReached
            As ``eval``.
        """
        self._check(problem, list(VALUES))
        keys = self._keys(X)
        new, n_answered = self._new_within_budget(keys)
        if new:
            self._measure_rows(X[list(new.values())], list(new), measured_by, **kwargs)
        self._count(keys, new, n_answered)
        return [self._known[key] for key in keys]

    def _measure_rows(
        self, X: AnyArray, keys: list[bytes], problem: Problem, **kwargs: Any
    ) -> None:
        """Evaluate genomes that are all new."""
        found = problem.evaluate(
            X, return_values_of=list(VALUES), return_as_dictionary=True, **kwargs
        )
        F, G = found["F"], found["G"]
        self.record.extend(X, F, G, np.maximum(G, 0.0).sum(axis=1), self._seconds(len(X)))
        self._known.update((key, MeasuredRow(found, row)) for row, key in enumerate(keys))
        if self.archive is not None:
            self.archive = self.archive.add(Population.new("X", X, "F", F, "G", G))

    def _new_within_budget(self, keys: list[bytes]) -> tuple[dict[bytes, int], int]:
        """First position of each new key that fits, and how many requests can be answered."""
        new: dict[bytes, int] = {}
        known, most = self._known, self._most()
        n_left = None if most is None else most - self.n_unique
        for position, key in enumerate(keys):
            if key in known or key in new:
                continue
            if len(new) == n_left:
                return new, position
            new[key] = position
        return new, len(keys)

    def _most(self) -> int | None:
        """Most distinct genomes that are answered; None without a limit."""
        return self.budget

    def _evaluate_new(
        self, problem: Problem, pop: Population, keys: list[bytes], **kwargs: Any
    ) -> None:
        self._measure(problem, pop, **kwargs)
        X, F, G, CV = _measured(problem, pop)
        self.record.extend(X, F, G, CV, self._seconds(len(pop)))
        for individual, key in zip(pop, keys, strict=True):
            self._known[key] = {name: individual.get(name) for name in individual.evaluated}
        if self.archive is not None:
            self.archive = self.archive.add(Population.new("X", X, "F", F, "G", G))

    def _measure(self, problem: Problem, pop: Population, **kwargs: Any) -> None:
        """Evaluate individuals whose genomes are all new."""
        super()._eval(problem, pop, list(VALUES), **kwargs)
        if "__F__" in pop[0].data:
            # MultiToSingleObjective makes an axis too many where there is one solution.
            pop.set("F", pop.get("F").reshape(len(pop), problem.n_obj))

    def _seconds(self, n: int) -> FloatArray:
        """Seconds since the start of the run, of the solutions measured last: array (n,)."""
        return np.full(n, time.perf_counter() - self._started)

    def _check(self, problem: Problem, evaluate_values_of: list[str]) -> None:
        if not set(evaluate_values_of) <= set(VALUES):
            raise ValueError(
                f"evaluate_values_of: expected some of {VALUES}, found {evaluate_values_of}"
            )
        if self._problem is None:
            self._problem = problem
            space = own_space(problem)
            if space is not None:
                self._key, self._keys = space.key, space.keys
                self.record = EvaluationRecord(keeps_genomes=space.records_genomes)
        elif not _same_problem(problem, self._problem):
            raise ValueError(
                f"problem: expected the one this evaluator has answers of, {self._problem.name()}, "
                f"found another, {problem.name()}; use one evaluator for each problem"
            )


class MeasuredRow(Mapping[str, Any]):
    """What was measured of one of several solutions, by name.

    Parameters
    ----------
    values : mapping of str to array (n, ...)
    row : int
    """

    __slots__ = ("_row", "_values")

    def __init__(self, values: Mapping[str, AnyArray], row: int) -> None:
        self._values, self._row = values, row

    def __getitem__(self, name: str) -> Any:
        return self._values[name][self._row]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def _same_problem(one: Problem, other: Problem) -> bool:
    if one is other:
        return True
    both_ours = own_space(one) is not None and own_space(other) is not None
    return both_ours and one.fingerprint == other.fingerprint


def _measured(
    problem: Problem, pop: Population
) -> tuple[AnyArray, FloatArray, FloatArray, FloatArray]:
    """Genomes, objectives, constraints and violations, as the problem itself measured them."""
    X, F, G, CV = pop.get("X", "F", "G", "CV")
    CV = CV[:, 0]
    # pymoo's wrappers keep what they change under these names.
    if "__F__" in pop[0].data:
        F = pop.get("__F__")
    if "__G__" in pop[0].data:
        G = pop.get("__G__")
        CV = np.maximum(G, 0).sum(axis=1)
    if own_space(problem) is not None:
        expected = len(problem.objective_names), len(problem.constraint_names)
        if (F.shape[1], G.shape[1]) != expected:
            raise ValueError(
                f"problem: expected {expected[0]} objectives and {expected[1]} constraints as "
                f"they are named, found {F.shape[1]} and {G.shape[1]}, as {problem.name()} "
                f"changes them and keeps no values of the problem it wraps"
            )
    return X, F, G, CV
