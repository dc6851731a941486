"""Base of the local searches for one objective: descents from feasible nodes."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from pymoo.core.individual import Individual
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt._typing import IntArray
from anonopt.algorithms.base import Search
from anonopt.algorithms.local.node_memory import ROUNDING, NodeMemory

REQUEST_LIMIT = 2_000
"""A search ends after so many requests in a row that led to nothing."""

DRAWS = 100
"""Random nodes that are drawn after a round without a new node."""


class DescentSearch(Search):
    """Base class: rounds of single evaluations; subclasses implement ``_round``.

    A round evaluates nodes one by one through the algorithm's evaluator, as each decides what
    comes next; what is handed to pymoo at its end is the best node so far. After a round that
    met no new node, random ones are drawn and those that may still be better than the best are
    evaluated. The search ends after 2,000 requests in a row, draws included, that led to
    nothing: no round met a new node, and no draw a better one (a new one, as long as none is
    known to be feasible).

    Parameters
    ----------
    termination : pymoo Termination or tuple, optional
        A rule that may end the search before.

    Raises
    ------
    ValueError
        When the search is set up, if the problem has several objectives, or its genomes are no
        levels.
    """

    ends_by_itself = True

    @abstractmethod
    def _round(self) -> None:
        """Evaluate nodes by :meth:`descend` and :meth:`visit`."""

    def _begin(self, problem: Problem) -> None:
        self.memory = NodeMemory(problem)
        self._best: Individual | None = None
        self._n_fruitless = 0

    def _infill(self) -> Population:
        n_before = len(self.memory)
        self._round()
        if len(self.memory) == n_before:
            self._visit_random()
        return Population.create(self._best)

    def _advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        self.pop = infills
        if self._n_fruitless >= REQUEST_LIMIT:
            self.end(f"no new node within reach in {self._n_fruitless} requests")

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
        if self.is_settled(node):
            return self.memory.outcome(node)
        individual = Individual(X=node.copy())
        self.evaluator.eval(self.problem, Population.create(individual), algorithm=self)
        value = float(individual.F[0]) if individual.FEAS[0] else None
        self.memory.learn(node, value)
        self._n_fruitless = 0
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

    def is_settled(self, node: IntArray) -> bool:
        """Whether a node need not be evaluated; if so, it is a request that led to nothing."""
        settled = self.memory.is_settled(node)
        self._n_fruitless += settled
        return settled

    def _visit_random(self) -> None:
        lower, upper = self.memory.lower, self.memory.upper
        nodes = self.random_state.integers(lower, upper, endpoint=True, size=(DRAWS, len(lower)))
        least, n_fruitless = self.best_value, self._n_fruitless + DRAWS
        for node in nodes:
            if not self.is_settled(node) and self._may_be_better(node):
                self.visit(node)
        if self.best_value < least - ROUNDING:
            self.descend(self.best_node, self.random_columns())
        elif np.isfinite(least):
            # A new node that is no better opens nothing to the rounds.
            self._n_fruitless = n_fruitless

    def _may_be_better(self, node: IntArray) -> bool:
        if self.memory.level_costs is None:
            return True
        return self.memory.cost(node) < self.best_value - ROUNDING


def _rank(individual: Individual) -> tuple[float, float]:
    return max(float(individual.CV[0]), 0.0), float(individual.F[0])
