"""What a search for a front is about: its objectives, and the nodes that it looks at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.evaluation import LatticeEvaluator
from anonopt.measures import Measure
from anonopt.measures.measure import rule_name
from anonopt.optima.node_losses import NodeLoss, has_node_costs, loss_refusal

SIZE = "k"
"""The objective that is bounded, step by step."""

MOST_OBJECTIVES = 3


@dataclass(frozen=True, eq=False)
class FrontGoals:
    """Objectives of a front that can be searched by bounds, and the nodes it is of.

    Attributes
    ----------
    loss : NodeLoss
        The objective that is minimized.
    lowest : int64 array (n_quasi_identifiers,)
        Levels that no node is below.
    size_at, loss_at : int
        Positions of class size k and of the loss among the objectives.
    third_at : int or None
        Position of the third objective, if there is one.
    third_alone : float64 array (n_quasi_identifiers, largest height + 1)
        The third objective, minimized, where a column alone is at a level, and the others at
        the top: no node below is better. Empty without a third objective.
    """

    loss: NodeLoss
    lowest: IntArray
    size_at: int
    loss_at: int
    third_at: int | None = None
    third_alone: FloatArray = field(default_factory=lambda: np.empty((0, 0)))

    @classmethod
    def of(
        cls, evaluator: LatticeEvaluator, objectives: Sequence[Measure], lowest: IntArray
    ) -> FrontGoals:
        """The goals of objectives that `front_refusal` does not refuse."""
        size_at = [one.name for one in objectives].index(SIZE)
        loss_at = _loss_at(evaluator, objectives)
        others = [i for i in range(len(objectives)) if i not in (size_at, loss_at)]
        loss = NodeLoss.of(evaluator, objectives[loss_at])
        if not others:
            return cls(loss, lowest, size_at, loss_at)
        alone = _alone(evaluator, objectives[others[0]])
        return cls(loss, lowest, size_at, loss_at, others[0], alone)

    @property
    def top(self) -> IntArray:
        """The top node, (n_quasi_identifiers,)."""
        return np.array(self.loss.evaluator.table.lattice.top, dtype=np.int64)

    @property
    def least_size(self) -> int:
        """Rows in classes below it are suppressed in any case."""
        return self.loss.evaluator.rule.k or 1

    @property
    def largest_size(self) -> int:
        """No class is larger."""
        return self.loss.evaluator.table.n_rows

    def lowest_within(self, limit: float) -> IntArray:
        """Levels that no node is below whose third objective is at most `limit`."""
        lowest = self.lowest.copy()
        for column, alone in enumerate(self.third_alone):
            height = int(self.top[column])
            while lowest[column] < height and alone[lowest[column]] > limit:
                lowest[column] += 1
        return lowest


def front_refusal(evaluator: LatticeEvaluator, objectives: Sequence[Measure]) -> str | None:
    """Why the front of some objectives cannot be searched by bounds; None if it can."""
    names = [one.name for one in objectives]
    if len(names) not in (2, MOST_OBJECTIVES) or SIZE not in names:
        return f"expected {SIZE!r}, a loss and at most one more objective, found {names}"
    if objectives[names.index(SIZE)] is not evaluator.measure(SIZE):
        return f"expected the measure {SIZE!r} of the library, found one of that name"
    try:
        loss_at = _loss_at(evaluator, objectives)
    except ValueError as refusal:
        return str(refusal)
    for i, one in enumerate(objectives):
        if i not in (names.index(SIZE), loss_at) and not _only_improves(evaluator, one):
            return (
                "expected a third objective that never gets worse under the rule of suppression "
                f"when a level is raised, such as 'l_all', found {one.name!r}"
            )
    return None


def _loss_at(evaluator: LatticeEvaluator, objectives: Sequence[Measure]) -> int:
    """Position of the loss: of the objectives that have a bound, one that is a sum if possible."""
    others = [i for i, one in enumerate(objectives) if one.name != SIZE]
    reasons = {i: loss_refusal(evaluator, objectives[i]) for i in others}
    bounded = [i for i in others if reasons[i] is None]
    if not bounded:
        raise ValueError(reasons[others[0]])
    return min(bounded, key=lambda i: not has_node_costs(evaluator, objectives[i]))


def _only_improves(evaluator: LatticeEvaluator, measure: Measure) -> bool:
    return rule_name(evaluator.rule) in (measure.rising if measure.maximize else measure.falling)


def _alone(evaluator: LatticeEvaluator, measure: Measure) -> FloatArray:
    heights = evaluator.table.lattice.heights
    places = [(column, level) for column, h in enumerate(heights) for level in range(h + 1)]
    nodes = np.tile(np.array(heights, dtype=np.int64), (len(places), 1))
    nodes[np.arange(len(places)), [column for column, _ in places]] = [level for _, level in places]
    values = evaluator.values(nodes, [measure])[measure.name].astype(np.float64)
    alone = np.full((len(heights), max(heights) + 1), np.nan)
    alone[tuple(np.array(places).T)] = -values if measure.maximize else values
    return alone
