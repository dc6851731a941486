"""An evaluator that measures each distinct genome once and keeps within a budget."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.evaluator import Evaluator
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt.operators.base import own_space
from anonopt.operators.duplicates import DIGEST_SIZE, genome_key, key_digest
from anonopt.runs.record import EvaluationRecord

VALUES = ("F", "G", "H")
"""What is measured and remembered of a solution."""


class BudgetReached(Exception):  # noqa: N818  (an event that ends a run, not an error)
    """A solution was asked for that would have exceeded the budget of distinct evaluations."""


class MemoizingEvaluator(Evaluator):
    """Answer requests for known genomes from memory; evaluate only new ones.

    Works with :func:`anonopt.runs.solve`, which makes its own, and with pymoo's
    ``minimize(problem, algorithm, evaluator=MemoizingEvaluator())``. With a budget, use
    ``solve``: ``minimize`` knows nothing of :class:`BudgetReached` and lets it through.

    Parameters
    ----------
    budget : int, optional
        Most distinct genomes that may be evaluated, at least 1; no limit if left out. It is
        never exceeded: of a population that asks for more, the part before the first genome
        that does not fit is evaluated, then :class:`BudgetReached` is raised.

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

    Raises
    ------
    TypeError, ValueError
        If the budget is not a whole number, or below 1.
    """

    def __init__(self, *, budget: int | None = None) -> None:
        super().__init__(evaluate_values_of=list(VALUES))
        self.budget = None if budget is None else operator.index(budget)
        if self.budget is not None and self.budget < 1:
            raise ValueError(f"expected a budget of at least 1 evaluation; found {budget}")
        self.record = EvaluationRecord()
        self.n_since_new = 0
        self._known: dict[bytes, dict[str, Any]] = {}
        self._problem: Problem | None = None

    @property
    def n_evaluations(self) -> int:
        """Requests answered, repeated ones included."""
        return int(self.n_eval)

    @property
    def n_unique(self) -> int:
        """Distinct genomes evaluated."""
        return len(self._known)

    def answers(self) -> dict[str, npt.NDArray[Any]]:
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
        space = own_space(problem)
        key_of = genome_key if space is None else space.key
        keys = [key_of(individual.X) for individual in pop]
        new, n_answered = self._new_within_budget(keys)
        if new:
            self._evaluate_new(problem, pop[list(new.values())], list(new), **kwargs)
        for individual, key in zip(pop[:n_answered], keys, strict=False):
            _assign(individual, self._known[key])
        self.n_since_new = (
            n_answered - 1 - max(new.values()) if new else self.n_since_new + n_answered
        )
        if n_answered < len(keys):
            self.n_eval += n_answered
            raise BudgetReached(f"budget of {self.budget} distinct evaluations reached")

    def _new_within_budget(self, keys: list[bytes]) -> tuple[dict[bytes, int], int]:
        """First position of each new key that fits, and how many requests can be answered."""
        new: dict[bytes, int] = {}
        for position, key in enumerate(keys):
            if key in self._known or key in new:
                continue
            if self.n_unique + len(new) == self.budget:
                return new, position
            new[key] = position
        return new, len(keys)

    def _evaluate_new(
        self, problem: Problem, pop: Population, keys: list[bytes], **kwargs: Any
    ) -> None:
        self._measure(problem, pop, **kwargs)
        X, F, G, CV = pop.get("X", "F", "G", "CV")
        self.record.extend(X, F, G, CV[:, 0])
        for individual, key in zip(pop, keys, strict=True):
            self._known[key] = _values_of(individual)

    def _measure(self, problem: Problem, pop: Population, **kwargs: Any) -> None:
        """Evaluate individuals whose genomes are all new."""
        super()._eval(problem, pop, list(VALUES), **kwargs)

    def _check(self, problem: Problem, evaluate_values_of: list[str]) -> None:
        if not set(evaluate_values_of) <= set(VALUES):
            raise ValueError(f"expected values among {VALUES}; found {evaluate_values_of}")
        if self._problem is None:
            self._problem = problem
            space = own_space(problem)
            self.record = EvaluationRecord(keeps_genomes=space is None or space.records_genomes)
        elif not _same_problem(problem, self._problem):
            raise ValueError(
                f"expected the problem this evaluator has answers of, {self._problem.name()}; "
                f"found another, {problem.name()}; use one evaluator for each problem"
            )


def _same_problem(one: Problem, other: Problem) -> bool:
    if one is other:
        return True
    fingerprint = getattr(one, "fingerprint", None)
    return fingerprint is not None and fingerprint == getattr(other, "fingerprint", None)


def _values_of(individual: Any) -> dict[str, Any]:
    values = {name: individual.get(name) for name in individual.evaluated}
    for value in values.values():
        # Every individual of this genome shares the array.
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
    return values


def _assign(individual: Any, values: dict[str, Any]) -> None:
    for name, value in values.items():
        individual.set(name, value)
    individual.evaluated.update(values)
    individual.CV = None
