"""LevelSearch: iterated local search between feasible and infeasible nodes; GreedyDescent.

Idea: hold one feasible node nothing of which can be lowered. *Swap*: lower a few levels by one
and raise others, at random, as far as the node still costs less without suppression than the
current one; if it is feasible, descend from it. *Kick*: raise a few levels by any distance and
descend, in the other columns first; go on from there unless that is worse. A node below an
infeasible one is infeasible, so such nodes are skipped without evaluation; swaps that raise as
much as the cost allows make each infeasible node rule out as many others as it can.

Paper: none; it is iterated local search (H. R. Lourenco, O. C. Martin, T. Stuetzle, *Iterated
Local Search*, Handbook of Metaheuristics, 2003) with the predictive tagging of K. El Emam et
al. 2009.

Decided:

- Three in ten swaps may cost as much as the current node, so that the search moves along nodes
  of equal cost, of which there are many where the loss counts levels.
- One swap a column between two kicks; after 10 kicks in a row without a better node, the search
  starts anew at the top.
- Only what is proven is skipped: feasibility under the fixed-k rule, and the cost without
  suppression of losses that sum over the quasi-identifiers. With suppression these losses are
  not monotone, so a feasible node is not taken to be worse than the nodes below it.
- For other objectives and constraints nothing is skipped but what was evaluated, and a swap
  raises as many levels as it lowers.

GreedyDescent is its plain form.
"""

from __future__ import annotations

import numpy as np
from pymoo.core.problem import Problem

from anonopt._typing import BoolArray, FloatArray, IntArray
from anonopt.algorithms.local.descent import DescentSearch
from anonopt.algorithms.local.node_memory import ROUNDING

MAX_CHANGES = 3
"""Most levels that a swap lowers, and that a kick raises."""

LEVEL_SHARE = 0.3
"""Share of the swaps that may cost as much as the current node."""

KICKS = 10
"""Kicks in a row without a better node before a restart."""

MISSES = 30
"""Swaps in a row that lead to no new node before a kick."""


class GreedyDescent(DescentSearch):
    """Random-restart greedy descent from the top node, for one objective.

    Idea: the top node is feasible if any node is. Go through the columns in a random order and
    lower each level as far as the node stays feasible; then start anew at the top with another
    order.

    Paper: none; it is multi-start first-improvement descent. One descent follows a random strategy
    path, as they are searched in K. El Emam, F. K. Dankar, R. Issa et al., *A Globally Optimal
    k-Anonymity Method for the De-Identification of Health Data*, JAMIA 16 (2009).

    Decided: where raising a level may make a node infeasible or better, the best node passed
    counts, and the descent goes on.

    It ends after 2,000 requests in a row that led to nothing new, or by a budget or termination.

    Parameters
    ----------
    termination : pymoo Termination or tuple, optional

    Raises
    ------
    ValueError
        When the search is set up, if the problem has several objectives, or its genomes are no
        levels.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.problems.LatticeProblem(
    ...     ao.load_dataset("adult"), ["generalization_level"], k=5, suppression=0.01
    ... )
    >>> result = ao.solve(problem, GreedyDescent(), budget=100, seed=1)
    >>> result.front["generalization_level"].round(4).tolist()
    [0.4792]
    """

    def _round(self) -> None:
        self.descend(self.memory.upper, self.random_columns())


class LevelSearch(DescentSearch):
    """Iterated local search on levels, for one objective; made for the fixed-k rule.

    It ends after 2,000 requests in a row that led to nothing new, or by a budget or termination.
    A heuristic: it claims no proof.

    Parameters
    ----------
    termination : pymoo Termination or tuple, optional

    Raises
    ------
    ValueError
        When the search is set up, if the problem has several objectives, or its genomes are no
        levels.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.problems.LatticeProblem(
    ...     ao.load_dataset("adult"), ["generalization_level"], k=5, suppression=0.01
    ... )
    >>> result = ao.solve(problem, LevelSearch(), budget=100, seed=1)
    >>> result.front["generalization_level"].round(4).tolist()
    [0.3958]
    """

    def _begin(self, problem: Problem) -> None:
        super()._begin(problem)
        # The value is infinite as long as no feasible node is known.
        self._node, self._value = self.memory.upper, np.inf
        self._n_kicks = 0

    def _round(self) -> None:
        if not np.isfinite(self._value) or self._n_kicks == KICKS:
            self._restart()
            return
        value_before = self._value
        self._swap_levels()
        self._kick()
        improved = self._value < value_before - ROUNDING
        self._n_kicks = 0 if improved else self._n_kicks + 1

    def _restart(self) -> None:
        self._n_kicks = 0
        found = self.descend(self.memory.upper, self.random_columns())
        self._node, self._value = found or (self.best_node, self.best_value)

    def _swap_levels(self) -> None:
        n_swaps = n_misses = 0
        while n_swaps < len(self.memory.upper) and n_misses < MISSES:
            node = self._swapped()
            if node is None or self.is_settled(node):
                n_misses += 1
                continue
            n_swaps, n_misses = n_swaps + 1, 0
            if self.visit(node) is not None and self._accept_descent(node, self.random_columns()):
                n_swaps = 0

    def _kick(self) -> None:
        node = self._node.copy()
        columns = self.random_columns()
        n_raised = self.random_state.integers(1, MAX_CHANGES, endpoint=True)
        raised = columns[node[columns] < self.memory.upper[columns]][:n_raised]
        node[raised] = self.random_state.integers(
            node[raised] + 1, self.memory.upper[raised], endpoint=True
        )
        others = columns[~np.isin(columns, raised)]
        self._accept_descent(node, np.concatenate([others, raised]))

    def _accept_descent(self, start: IntArray, columns: IntArray) -> bool:
        """Descend, go on from the end unless it is worse; returns whether it is better."""
        end, value = self.descend(start, columns) or (start, np.inf)
        improvement = self._value - value
        if improvement >= -ROUNDING:
            self._node, self._value = end, value
        return improvement > ROUNDING

    def _swapped(self) -> IntArray | None:
        """A node next to the current one; None if there is none that costs little enough."""
        node = self._node.copy()
        lowered = np.zeros(len(node), dtype=bool)
        for _ in range(self.random_state.integers(1, MAX_CHANGES, endpoint=True)):
            self._lower_one(node, lowered)
        costs = self.memory.level_costs
        if costs is None:
            return self._with_others_raised(node, lowered)
        level = self.random_state.random() < LEVEL_SHARE
        limit = self._value + (ROUNDING if level else -ROUNDING)
        while self.memory.cost(node) >= limit:
            if not self._lower_one(node, lowered):
                return None
        self._raise_below(node, np.flatnonzero(~lowered), costs, limit)
        return node

    def _lower_one(self, node: IntArray, lowered: BoolArray) -> bool:
        """Lower a random level by one and mark its column; False if none can be lowered."""
        columns = np.flatnonzero(node > self.memory.lower)
        if len(columns) == 0:
            return False
        column = columns[self.random_state.integers(len(columns))]
        node[column] -= 1
        lowered[column] = True
        return True

    def _raise_below(
        self, node: IntArray, columns: IntArray, costs: FloatArray, limit: float
    ) -> None:
        """Raise levels at random until none of the columns can be raised below a cost."""
        cost = self.memory.cost(node)
        # The first pass stops anywhere, so that no column takes all; the second fills up.
        for full in (False, True):
            for column in self.random_state.permutation(columns):
                while node[column] < self.memory.upper[column]:
                    level = node[column]
                    more = costs[column, level + 1] - costs[column, level]
                    if cost + more >= limit:
                        break
                    node[column] += 1
                    cost += more
                    if not full and self.random_state.random() < 0.5:
                        break

    def _with_others_raised(self, node: IntArray, lowered: BoolArray) -> IntArray:
        columns = self.random_state.permutation(
            np.flatnonzero(~lowered & (node < self.memory.upper))
        )
        node[columns[: lowered.sum()]] += 1
        return node
