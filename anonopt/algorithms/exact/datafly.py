"""Datafly: generalize the column with the most distinct values until the table is k-anonymous.

Idea: start from the original table and, as long as it is not k-anonymous, raise the level of the
column that still has the most distinct values by one. One path through the lattice, no way back.

Paper: L. Sweeney, *Achieving k-Anonymity Privacy Protection Using Generalization and
Suppression*, International Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10
(2002); De Pascale 2022, Section 2.7.

Decided differently: the budget is the problem's, not k rows as in the paper; of columns with
equally many distinct values the first is raised; a column at its top is passed over.
"""

from __future__ import annotations

import numpy as np
from pymoo.core.problem import Problem

from anonopt._typing import IntArray
from anonopt.algorithms.exact.fixed_k import TESTS_A_STEP, FixedKSearch


class Datafly(FixedKSearch):
    """Greedy search from the lowest node up; its one node is feasible, seldom minimal.

    Parameters
    ----------
    termination : pymoo Termination or tuple, optional
        A rule that may end the search early.
    test_budget, trace
        As in `TestingSearch`.

    Raises
    ------
    ValueError
        If an option is out of its range; when the search is set up, if the problem is not one
        of one objective under a fixed k.

    Examples
    --------
    >>> import anonopt as ao
    >>> adult = ao.load_dataset("adult")
    >>> problem = ao.problems.LatticeProblem(adult, ["height"], k=5, suppression=0.01)
    >>> result = ao.solve(problem, Datafly(trace=True))
    >>> result.front["height"].tolist(), result.algorithm.n_tests
    ([13.0], 14)
    >>> result.algorithm.trace()[["step", "age", "event", "n_tests"]].tail(2)
        step  age       event  n_tests
    12    13    4  infeasible       13
    13    14    4    feasible       14
    """

    def _begin(self, problem: Problem) -> None:
        super()._begin(problem)
        facts = problem.evaluator.tuples.facts
        self._n_values = [
            [int(np.count_nonzero(rows)) for rows in levels] for levels in facts.value_counts
        ]
        self._node = self._lowest.copy()

    def _search(self) -> IntArray:
        for _ in range(TESTS_A_STEP):
            # Where feasibility is not monotone, the way can end at an infeasible top node.
            at_top = self._node.tolist() == list(self._lattice.top)
            if self._are_feasible(self._node[np.newaxis])[0] or at_top:
                self._finished = True
                return self._node[np.newaxis]
            raised = self._most_distinct()
            if self._is_traced:
                levels = zip(self.problem.space.names, self._n_values, self._node, strict=True)
                self._note_stage(
                    "distinct values",
                    nodes=self._node,
                    columns=[raised],
                    figures={name: values[level] for name, values, level in levels},
                )
            self._node[raised] += 1
        return np.empty((0, len(self._node)), dtype=np.int64)

    def _most_distinct(self) -> int:
        """Column to be raised; there is one, as the top node is feasible."""
        heights = self._lattice.heights
        n_values = [
            values[level] if level < height else -1
            for values, level, height in zip(self._n_values, self._node, heights, strict=True)
        ]
        return int(np.argmax(n_values))
