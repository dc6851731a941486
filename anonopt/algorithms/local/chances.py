"""The chance that a node is non-dominated, with k and suppression estimated from class sizes.

k and the suppressed rows come from `ClassSizeEstimates`. A loss of the node, or a measure with a
bounding one (`OptimisticBounds`), is what it is without suppression plus a part in proportion to
the suppressed rows. What a row adds and the bounding measure are estimated by kriging, as is
every other objective. The errors of the estimates are those made before: of the nodes evaluated
last. The chance is the share of draws about the estimates that no member of the archive dominates.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import scipy
from pymoo.core.problem import Problem

from anonopt._typing import BoolArray, FloatArray, IntArray
from anonopt.algorithms.growing_array import GrowingArray
from anonopt.algorithms.local.class_sizes import (
    REACH,
    WINDOW,
    ClassSizeEstimates,
    class_size_evaluator,
)
from anonopt.algorithms.local.kriging import kriging_shares
from anonopt.operators.duplicates import genome_key

N_DRAWS = 64
"""Draws about each estimate: a Latin hypercube of normal errors."""

BASE_NUGGET = 2e-3
"""Objectives without suppression are exact, and smooth in the levels but for their jumps."""

SHARE_NUGGET = 0.02
"""What a suppressed row adds to an objective depends on which rows are suppressed."""

N_RECENT = 100
"""Nodes evaluated last, whose errors of estimation count whatever their k."""

NEARNESS = 1.0
"""Difference in the logarithm of k at which an error counts 1/e as much: the classes of large k
are few, and k jumps farther from node to node."""

N_RENEWED = 128
"""Candidates whose chance is estimated again each time: those with the best one before."""

N_OLDEST = 64
"""Others that are estimated again each time: those not estimated for longest. What was said of
them when fewer nodes were known may be wrong."""


class Chances:
    """Chances of candidates to be non-dominated, of a problem with class sizes.

    Parameters
    ----------
    problem : pymoo Problem
        One that `class_size_evaluator` has an evaluator of.
    random_state : numpy Generator
        Makes the draws, once for all.
    """

    def __init__(self, problem: Problem, random_state: np.random.Generator) -> None:
        evaluator = class_size_evaluator(problem)
        if evaluator is None:
            raise ValueError("expected a problem for which class sizes tell something")
        self._sizes = ClassSizeEstimates(evaluator)
        self._budget = evaluator.rule.budget
        self._k = problem.objective_names.index("k")
        self._minimized = ~problem.maximize
        # Stratified, so that no error is drawn too large or too small for a whole run.
        quantiles = scipy.special.ndtri((np.arange(N_DRAWS) + 0.5) / N_DRAWS)
        self._draws = random_state.permuted(np.tile(quantiles, (2 + problem.n_obj, 1)), axis=1)
        self._nodes, self._values, self._errors = GrowingArray(), GrowingArray(), GrowingArray()
        self._estimated: dict[bytes, FloatArray] = {}
        self._chances: dict[bytes, float] = {}
        self._time = 0
        self._last_time: dict[bytes, int] = {}
        self._turns: Counter[int] = Counter()

    def learn(
        self, nodes: IntArray, criteria: FloatArray, bounding: FloatArray, known: FloatArray
    ) -> None:
        """Take in evaluated nodes.

        Parameters
        ----------
        nodes : int64 array (n, n_var)
        criteria : float array (n, n_obj)
            Minimized objectives.
        bounding : float array (n, n_obj)
            What bounds them: of a bounding measure, else the objective itself; -inf if unknown.
        known : float array (n, n_obj)
            What follows from the nodes alone; -inf where nothing does.
        """
        log_k, suppressed = self._sizes.learn(nodes)
        base = np.where(np.isfinite(known), known, bounding)
        itself = ~np.isfinite(base) | ~self._minimized
        base[itself] = criteria[itself]
        scaled = np.arcsinh(base)
        true = np.column_stack([log_k, suppressed, scaled])
        missed = [
            np.concatenate([estimate[:1], (estimate - one) ** 2])
            for node, one in zip(nodes, true, strict=True)
            if (estimate := self._estimated.pop(genome_key(node), None)) is not None
        ]
        if missed:
            self._errors.extend(np.array(missed))
        self._nodes.extend(nodes)
        self._values.extend(np.column_stack([scaled, criteria - base, suppressed]))

    def of(
        self, nodes: IntArray, bounds: FloatArray, known: FloatArray, members: FloatArray
    ) -> FloatArray:
        """Chances of candidates, (n,): anew those of new ones and of some others.

        Parameters
        ----------
        nodes : int64 array (n, n_var)
        bounds : float array (n, n_obj)
            Optimistic bounds.
        known : float array (n, n_obj)
            What follows from the nodes alone; -inf where nothing does.
        members : float array (n_members, n_obj)
            Minimized objectives of the archive.
        """
        keys = [genome_key(node) for node in nodes]
        chances = np.array([self._chances.get(key, np.inf) for key in keys])
        order = np.argsort(-chances, kind="stable")
        best, rest = np.split(order, [np.isinf(chances).sum() + N_RENEWED])
        last_time = np.array([self._last_time[keys[row]] for row in rest])
        oldest = rest[np.argsort(last_time, kind="stable")[:N_OLDEST]]
        renewed = np.concatenate([best, oldest])
        self._time += 1
        estimated, chances[renewed] = self._of(
            nodes[renewed], bounds[renewed], known[renewed], members
        )
        for row, estimate in zip(renewed, estimated, strict=True):
            self._chances[keys[row]] = chances[row]
            self._estimated[keys[row]] = estimate
            self._last_time[keys[row]] = self._time
        return chances

    def turn(self, nodes: IntArray) -> int:
        """Row of the first candidate whose k is of the size that had its turn least often.

        Sizes are powers of two. Nodes of large k are few, and their estimates the worst: by their
        chances alone they would come last.

        Parameters
        ----------
        nodes : int64 array (n, n_var)
            Candidates that `of` has seen, at least one; those of the best chance first.
        """
        sizes = [int(self._estimated[genome_key(node)][0] / np.log(2)) for node in nodes]
        row = min(range(len(sizes)), key=lambda row: self._turns[sizes[row]])
        self._turns[sizes[row]] += 1
        return row

    def _of(
        self, nodes: IntArray, bounds: FloatArray, known: FloatArray, members: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        log_k, suppressed = self._sizes.estimate(nodes)
        scaled, shares = self._scaled_and_shares(nodes)
        certain = np.isfinite(known) & self._minimized
        scaled[certain] = np.arcsinh(known[certain])
        estimated = np.column_stack([log_k, suppressed, scaled])
        errors = self._errors_near(log_k)
        drawn = estimated[:, :, np.newaxis] + errors[:, :, np.newaxis] * self._draws
        rows = np.clip(drawn[:, 1], 0, self._budget)
        outcomes = np.sinh(drawn[:, 2:]) + shares[:, :, np.newaxis] * rows[:, np.newaxis]
        outcomes[:, self._k] = -np.exp(drawn[:, 0])
        outcomes = np.maximum(outcomes, bounds[:, :, np.newaxis])
        return estimated, 1 - _weakly_dominated(outcomes, members).mean(axis=1)

    def _scaled_and_shares(self, nodes: IntArray) -> tuple[FloatArray, FloatArray]:
        """Scaled objectives without suppression and what a row of it adds, two (n, n_obj)."""
        n_obj = len(self._minimized)
        known, values = self._nodes.view()[-WINDOW:], self._values.view()[-WINDOW:]
        weights = kriging_shares(known, nodes, reach=REACH, nugget=BASE_NUGGET)
        added, suppressed = values[:, n_obj:-1], values[:, -1]
        shares = added_by_row(known, added, suppressed, nodes, least=self._budget / 2)
        return weights @ values[:, :n_obj], shares

    def _errors_near(self, log_k: FloatArray) -> FloatArray:
        """Errors of estimation made before where k was about as large, (n, 2 + n_obj)."""
        if not len(self._errors):
            return np.ones((len(log_k), 2 + len(self._minimized)))
        before = self._errors.view()
        nearness = np.exp(-np.abs(log_k[:, np.newaxis] - before[:, 0]) / NEARNESS)
        nearness /= nearness.sum(axis=1, keepdims=True)
        recent = before[-N_RECENT:, 1:].mean(axis=0)
        errors: FloatArray = np.sqrt(np.maximum(nearness @ before[:, 1:], recent))
        return errors


def added_by_row(
    evaluated: IntArray,
    added: FloatArray,
    suppressed: FloatArray,
    nodes: IntArray,
    *,
    least: float,
) -> FloatArray:
    """Estimate what each suppressed row adds to objectives, by kriging.

    Parameters
    ----------
    evaluated : int64 array (n_evaluated, n_var)
        At least one node, all different.
    added : float array (n_evaluated, n_obj)
        What suppression added at them.
    suppressed : float array (n_evaluated,)
        Rows suppressed at them.
    nodes : int64 array (n, n_var)
    least : float
        Nodes with more suppressed rows than that are learned from, if there are any: few rows
        say little of what a row adds elsewhere.

    Returns
    -------
    float array (n, n_obj)

    Examples
    --------
    >>> evaluated, added = np.array([[0], [2], [4]]), np.array([[600.0], [400.0], [1.0]])
    >>> suppressed = np.array([100.0, 100.0, 1.0])
    >>> added_by_row(evaluated, added, suppressed, np.array([[1]]), least=50).round(2).tolist()
    [[5.0]]
    """
    telling = suppressed > least
    if not telling.any():
        telling[:] = True
    weights = kriging_shares(evaluated[telling], nodes, reach=REACH, nugget=SHARE_NUGGET)
    shares: FloatArray = weights @ (added / np.maximum(suppressed, 1)[:, np.newaxis])[telling]
    return shares


def _weakly_dominated(outcomes: FloatArray, by: FloatArray) -> BoolArray:
    """Whether draws (n, n_obj, n_draws) are weakly dominated by a row of `by`, (n, n_draws)."""
    dominated = np.zeros((len(outcomes), outcomes.shape[2]), dtype=np.bool_)
    for member in by:
        dominated |= (member[:, np.newaxis] <= outcomes).all(axis=1)
    return dominated
