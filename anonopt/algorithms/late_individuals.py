"""Solutions as arrays, of which individuals are made when somebody asks for them.

An individual of pymoo takes longer to make than most nodes take to be measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import moocore
import numpy as np
from pymoo.core.individual import Individual
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt._typing import AnyArray, FloatArray, IntArray


@runtime_checkable
class RowEvaluator(Protocol):
    """An evaluator that answers requests for genomes that are no individuals yet."""

    budget: int | None

    def takes_rows(self, problem: Problem) -> bool:
        """Whether :meth:`eval_rows` does for a problem what ``eval`` does."""
        ...

    def eval_rows(
        self, problem: Problem, X: AnyArray, *, measured_by: Problem, **kwargs: Any
    ) -> Sequence[Mapping[str, Any]]:
        """What ``eval`` sets of individuals with these genomes, (n, n_var), by name.

        `measured_by` is the problem, or one that finds the same values another way.
        """
        ...


def assign(individual: Individual, values: Mapping[str, Any]) -> None:
    """Set what was measured of an individual."""
    # Copies: some algorithms, such as CMAES, write into the values of their individuals.
    for name, value in values.items():
        is_filled = isinstance(value, np.ndarray) and value.size > 0
        individual.set(name, value.copy() if is_filled else value)
    individual.evaluated.update(values)
    individual.CV = None


class LateIndividuals:
    """A batch of evaluated solutions.

    Parameters
    ----------
    X : array (n, n_var)
        Genomes.
    values : sequence of n mappings
        What was measured of each, by name: at least F and G.
    n_iter : int
        Iteration that they are of.
    """

    def __init__(self, X: AnyArray, values: Sequence[Mapping[str, Any]], n_iter: int) -> None:
        self._X, self._values, self._n_iter = X, values, n_iter
        self._made: dict[int, Individual] = {}

    def population(self) -> Population:
        """All of them."""
        return self.some(range(len(self._X)))

    def some(self, rows: Iterable[int]) -> Population:
        """Those at some rows; an individual is made once."""
        rows = list(rows)
        new = [row for row in rows if row not in self._made]
        for row, individual in zip(new, Population.new("X", self._X[new]), strict=True):
            individual.set("n_gen", self._n_iter)
            individual.set("n_iter", self._n_iter)
            assign(individual, self._values[row])
            self._made[row] = individual
        return Population.create(*(self._made[row] for row in rows))

    def best(self) -> Population:
        """Those of which the optimum of the batch is one, in their order.

        They are the feasible ones that no other dominates, the first of least objective where
        there is one objective, or the first of the least violation where none is feasible.
        """
        F = np.array([one["F"] for one in self._values])
        violation = _violation(np.array([one["G"] for one in self._values]))
        rows: IntArray = np.flatnonzero(violation <= 0)
        if len(rows) == 0:
            rows = np.array([np.argmin(violation)])
        elif F.shape[1] == 1:
            rows = rows[[np.argmin(F[rows, 0])]]
        else:
            rows = rows[moocore.is_nondominated(F[rows], keep_weakly=True)]
        return self.some(rows.tolist())


def _violation(G: FloatArray) -> FloatArray:
    """Sum over the constraints of what exceeds 0, (n,)."""
    return np.asarray(np.maximum(G, 0.0).sum(axis=1))
