"""What no node of a box can surpass, so that boxes without a node of the front are left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from anonopt._typing import AnyArray, IntArray
from anonopt.evaluation import LatticeEvaluator
from anonopt.measures import Measure
from anonopt.optima.node_losses import NodeLoss, has_node_costs

ROUNDING = 1e-9
"""Sums of rounded numbers are not monotone to the last digit."""


class BoxBounds:
    """Best value of each measure that a node of a box may have.

    A measure that is monotone under the rule of suppression is best at the lowest or at the
    highest node; a loss is at least the sum of what each column costs at the lowest one.

    Parameters
    ----------
    evaluator : LatticeEvaluator
    measures : sequence of Measure
    """

    def __init__(self, evaluator: LatticeEvaluator, measures: Sequence[Measure]) -> None:
        self._evaluator, self._measures = evaluator, measures
        self._moves = {one.name: one.monotonicity(evaluator.rule) for one in measures}
        self._costs = {
            one.name: NodeLoss.of(evaluator, one).costs
            for one in measures
            if not self._moves[one.name] and has_node_costs(evaluator, one)
        }

    def has(self, measure: Measure) -> bool:
        """Whether a measure has a bound."""
        return self._moves[measure.name] != 0 or measure.name in self._costs

    def best(self, lower: IntArray, upper: IntArray) -> dict[str, AnyArray]:
        """Bound of each measure over the nodes between two, arrays (1,) by name.

        Infinitely good where nothing is known of a measure.
        """
        corners = np.stack([lower, upper])
        monotone = [one for one in self._measures if self._moves[one.name]]
        found = self._evaluator.values(corners, monotone) if monotone else {}
        best: dict[str, AnyArray] = {}
        for one in self._measures:
            if one.name in found:
                rises = self._moves[one.name] > 0
                value = found[one.name][[int(rises == one.maximize)]]
            elif one.name in self._costs:
                value = self._costs[one.name][np.arange(len(lower)), lower].sum(keepdims=True)
            else:
                value = np.array([np.inf if one.maximize else -np.inf])
            best[one.name] = _rounded(value, maximize=one.maximize)
        return best


def _rounded(value: AnyArray, *, maximize: bool) -> AnyArray:
    """A bound that holds for sums in any order; whole numbers are exact."""
    if value.dtype.kind in "iub":
        return value
    slack = np.where(np.isfinite(value), ROUNDING * np.abs(value), 0.0)
    return np.asarray(value + slack if maximize else value - slack)


def explore(
    look_at: Callable[[IntArray], AnyArray], lower: IntArray, upper: IntArray, *, most: int
) -> None:
    """Look at the neighbors of the best nodes until all are known or there are too many.

    Parameters
    ----------
    look_at : callable
        Gets nodes (n, n_var), and returns the best of all so far (n_best, n_var).
    lower, upper : int64 arrays (n_var,)
        Bounds of the nodes.
    most : int
        Nodes after which it ends.
    """
    step = np.eye(len(lower), dtype=np.int64)
    steps = np.concatenate([step, -step])
    seen: set[bytes] = set()
    nodes = np.unique([lower, upper], axis=0)
    while len(nodes) and len(seen) < most:
        seen.update(node.tobytes() for node in nodes)
        best = look_at(nodes)
        near = (best[:, np.newaxis] + steps).reshape(-1, len(lower))
        near = np.unique(near[((near >= lower) & (near <= upper)).all(axis=1)], axis=0)
        nodes = near[[node.tobytes() not in seen for node in near]][: most - len(seen)]
