"""k and the suppressed rows of a node, estimated from class sizes at evaluated nodes.

With suppression, k is the size of the smallest class that stays: it jumps where a block of classes
leaves or stays, which no smooth function of the levels follows. The class that a row is in grows
smoothly. So the logarithm of its size is estimated by kriging, for every distinct tuple, and the
suppression rule is applied to the estimates. Nothing but evaluated nodes is grouped.
"""

from __future__ import annotations

import numpy as np
from pymoo.core.problem import Problem

from anonopt._typing import AnyArray, FloatArray, IntArray
from anonopt.algorithms.growing_array import GrowingArray
from anonopt.algorithms.local.kriging import kriging_shares
from anonopt.evaluation import LatticeEvaluator
from anonopt.problems.any_problem import lattice_of

MOST_TUPLES = 20_000
"""Distinct tuples up to which class sizes are kept: 4 bytes for each and every evaluated node."""

WINDOW = 600
"""Nodes that are learned from: those evaluated last."""

REACH = 2.0
"""Range of the covariance in multiples of the number of columns."""

NUGGET = 2e-4
"""Class sizes of a tuple are exact, and close to a sum over columns on the logarithmic scale."""

SAME_CLASS = 0.07
"""Up to this far below k, on the logarithmic scale, estimates are taken to be of classes of k rows:
suppressed rows of Adult's nodes are then told best, to some 25 rows."""


def class_size_evaluator(problem: Problem) -> LatticeEvaluator | None:
    """The evaluator of a problem for which class sizes tell something, else None.

    That is a lattice problem of k under the reverse rule, without constraints, whose rows are in
    memory, with at most `MOST_TUPLES` distinct tuples.
    """
    lattice = lattice_of(problem)
    if lattice is None or problem.n_ieq_constr:
        return None
    evaluator: LatticeEvaluator = lattice.evaluator
    if evaluator.rule.k is not None or evaluator.measure("k") not in lattice.objectives:
        return None
    if evaluator.backend == "engine" or evaluator.n_tuples > MOST_TUPLES:
        return None
    return None if evaluator.tuples.reduction.tuple_of_row is None else evaluator


class ClassSizeEstimates:
    """Estimates of k and of the suppressed rows.

    Parameters
    ----------
    evaluator : LatticeEvaluator
        As `class_size_evaluator` has it.
    """

    def __init__(self, evaluator: LatticeEvaluator) -> None:
        self._evaluator = evaluator
        self._weights = evaluator.tuples.sizes
        _, self._row_of_tuple = np.unique(evaluator.tuples.tuple_of_row, return_index=True)
        self._nodes, self._log_sizes = GrowingArray(), GrowingArray()

    def learn(self, nodes: IntArray) -> tuple[FloatArray, IntArray]:
        """Take in evaluated nodes.

        Returns
        -------
        log_k : float array (n,)
            Natural logarithm of k.
        suppressed : int64 array (n,)
            Rows.
        """
        found = [self._evaluator.row_classes(node) for node in nodes.tolist()]
        sizes = [one.classes.sizes[one.class_of_row[self._row_of_tuple]] for one in found]
        self._nodes.extend(nodes)
        self._log_sizes.extend(np.log(np.array(sizes)).astype(np.float32))
        log_k = np.log([float(one.classes.threshold) for one in found])
        return log_k, np.array([one.classes.n_suppressed for one in found])

    def estimate(self, nodes: IntArray) -> tuple[FloatArray, FloatArray]:
        """Estimate the logarithm of k and the suppressed rows of nodes, two arrays (n,)."""
        shares = kriging_shares(
            self._nodes.view()[-WINDOW:], nodes, reach=REACH, nugget=NUGGET
        ).astype(np.float32)
        return self._by_rule(shares @ self._log_sizes.view()[-WINDOW:])

    def _by_rule(self, log_sizes: AnyArray) -> tuple[FloatArray, FloatArray]:
        budget = self._evaluator.rule.budget
        # Each tuple is at least one row, so that so many hold more rows than the budget.
        n_least = min(budget + 1, log_sizes.shape[1])
        least = np.argpartition(log_sizes, n_least - 1, axis=1)[:, :n_least]
        values = np.take_along_axis(log_sizes, least, axis=1)
        order = np.argsort(values, axis=1)
        values = np.take_along_axis(values, order, axis=1)
        weights = self._weights[np.take_along_axis(least, order, axis=1)]
        first_kept = (weights.cumsum(axis=1) > budget).argmax(axis=1)[:, np.newaxis]
        log_k = np.take_along_axis(values, first_kept, axis=1)
        suppressed = np.where(values <= log_k - SAME_CLASS, weights, 0).sum(axis=1)
        return log_k[:, 0].astype(np.float64), suppressed.astype(np.float64)
