"""Base of the local searches for one objective: descents from feasible nodes."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.algorithm import Algorithm
from pymoo.core.individual import Individual
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.termination import NoTermination, Termination
from pymoo.util.display.single import SingleObjectiveOutput

from anonopt.algorithms.node_memory import ROUNDING, NodeMemory, require_one_objective

IntArray = npt.NDArray[np.int64]

IDLE_ROUNDS = 20
"""A search ends after so many rounds in a row in which there was nothing left to evaluate."""

DRAWS = 100
"""Random nodes that are drawn after a round without a new node."""


class DescentSearch(Algorithm):
    """Base class: rounds of single evaluations; subclasses implement :meth:`_round`.

    A round evaluates nodes one by one through the algorithm's evaluator, as each decides what
    comes next; what is handed to pymoo at its end is the best node so far. A round that finds
    nothing new to evaluate draws random nodes and evaluates those that may still be better than
    the best; the search ends if there are none, round after round.

    Parameters
    ----------
    termination : pymoo Termination or tuple, optional
        A rule that may end the search before.

    Raises
    ------
    ValueError
        When the search is set up, if the problem has several objectives, or its genomes are not
        integers with bounds.
    """

    def __init__(self, *, termination: Termination | tuple[Any, ...] | None = None) -> None:
        super().__init__(
            termination=NoTermination() if termination is None else termination,
            output=SingleObjectiveOutput(),
        )

    @abstractmethod
    def _round(self) -> None:
        """Evaluate nodes by :meth:`descend` and :meth:`visit`."""

    def _setup(self, problem: Problem, **kwargs: Any) -> None:
        require_one_objective(problem, type(self).__name__)
        self.memory = NodeMemory(problem)
        self._best: Individual | None = None
        self._n_idle = 0

    def _initialize_infill(self) -> Population:
        return self._infill()

    def _infill(self) -> Population:
        n_before = len(self.memory)
        self._round()
        if len(self.memory) == n_before:
            self._visit_random()
        self._n_idle = self._n_idle + 1 if len(self.memory) == n_before else 0
        return Population.create(self._best)

    def _initialize_advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        self._advance(infills)

    def _advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        self.pop = infills
        if self._n_idle == IDLE_ROUNDS:
            self.termination.terminate()

    @property
    def best_value(self) -> float:
        """Least minimized objective of a feasible node so far; infinite if there is none."""
        if self._best is None or not self._best.FEAS[0]:
            return np.inf
        return float(self._best.F[0])

    @property
    def best_node(self) -> IntArray:
        """The node of :attr:`best_value`; while there is none, the least infeasible one.

        Raises
        ------
        ValueError
            If no node was evaluated yet.
        """
        if self._best is None:
            raise ValueError("expected a search that evaluated a node; found none")
        return np.asarray(self._best.X, dtype=np.int64)

    def visit(self, node: IntArray) -> float | None:
        """Minimized objective of a node, None if it is infeasible; evaluated only if need be."""
        if self.memory.is_evaluated(node):
            return self.memory.outcome(node)
        if self.memory.is_below_infeasible(node):
            return None
        individual = Individual(X=node.copy())
        self.evaluator.eval(self.problem, Population.create(individual), algorithm=self)
        value = float(individual.F[0]) if individual.FEAS[0] else None
        self.memory.learn(node, value)
        if self._best is None or _rank(individual) < _rank(self._best):
            self._best = individual
        return value

    def descend(self, start: IntArray, columns: IntArray) -> tuple[IntArray, float] | None:
        """Lower one column after the other, each as far as the node stays feasible.

        Parameters
        ----------
        start : int64 array (n_var,)
        columns : int64 array (n_columns,)
            The columns to be lowered, in order.

        Returns
        -------
        node, value
            The best node passed, the last one among equals, and its minimized objective; None
            if the start is infeasible.
        """
        node, value = start.copy(), self.visit(start)
        if value is None:
            return None
        best, least = node.copy(), value
        for column in columns:
            while node[column] > self.memory.lower[column]:
                node[column] -= 1
                value = self.visit(node)
                if value is None:
                    node[column] += 1
                    break
                if value <= least + ROUNDING:
                    best, least = node.copy(), value
        return best, least

    def random_columns(self) -> IntArray:
        """All columns in a random order."""
        return np.asarray(self.random_state.permutation(len(self.memory.upper)))

    def _visit_random(self) -> None:
        lower, upper = self.memory.lower, self.memory.upper
        for node in self.random_state.integers(
            lower, upper, endpoint=True, size=(DRAWS, len(lower))
        ):
            if not self.memory.is_settled(node) and self._may_be_better(node):
                self.visit(node)

    def _may_be_better(self, node: IntArray) -> bool:
        if self.memory.level_costs is None:
            return True
        return self.memory.cost(node) < self.best_value - ROUNDING


def _rank(individual: Individual) -> tuple[float, float]:
    return max(float(individual.CV[0]), 0.0), float(individual.F[0])
