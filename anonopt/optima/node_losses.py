"""Lower bounds of a loss from the node alone, for searches with a proof."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.evaluation import LatticeEvaluator
from anonopt.measures import Measure
from anonopt.measures.measure import rule_name

NODE_COSTS = ("generalization_level", "height", "precision_loss", "glm", "glm_normalized")
"""Measures that have a bound which is a sum over columns."""


@dataclass(frozen=True, eq=False)
class NodeLoss:
    """A loss to be minimized, and what bounds it from below.

    Attributes
    ----------
    evaluator : LatticeEvaluator
    measure : Measure
    costs : float64 array (n_quasi_identifiers, largest height + 1)
        Part of the bound that a column adds at each level; never falling.
    additive : bool
        Whether the costs are the bound; otherwise they are 0, and the bound of all nodes above
        a node is the node's own loss.

    Notes
    -----
    ``glm`` and ``precision_loss`` have the costs of the loss without suppression. A suppressed
    row costs 1 in every column, a kept one ``(m - 1)/(M - 1)`` or ``level/height``, which is
    at most 1, so the loss with suppression is never less.
    """

    evaluator: LatticeEvaluator
    measure: Measure
    costs: FloatArray
    additive: bool

    @property
    def step(self) -> float:
        """Losses of nodes differ by multiples of this; 0 where they may differ by anything."""
        heights = self.evaluator.table.lattice.heights
        if self.measure.name == "height" and self.additive:
            return 1.0
        if self.measure.name == "generalization_level" and self.additive:
            return 1.0 / (math.lcm(*(max(height, 1) for height in heights)) * len(heights))
        return 0.0

    def row_savings(self, column: int) -> list[FloatArray]:
        """What a kept row costs less than a suppressed one, by level and value of a column.

        Empty if suppressed rows may cost no more; the bound is then true without them.
        """
        facts = self.evaluator.tuples.facts
        if not self.additive or self.measure.name not in ("glm", "glm_normalized"):
            return []
        unit = self.evaluator.weights.get(facts.names[column], 1.0)
        if self.measure.name == "glm_normalized":
            unit = 1.0 / (facts.n_rows * len(facts.heights))
        others = max(facts.n_leaves[column] - 1, 1)
        return [unit * (1.0 - (leaves - 1) / others) for leaves in facts.leaf_counts[column]]

    @classmethod
    def of(cls, evaluator: LatticeEvaluator, measure: Measure) -> NodeLoss:
        """A measure that has a bound, see `loss_refusal`."""
        if has_node_costs(evaluator, measure):
            return cls(evaluator, measure, _costs(measure.name, evaluator), additive=True)
        heights = evaluator.table.lattice.heights
        return cls(evaluator, measure, np.zeros((len(heights), max(heights) + 1)), additive=False)

    def bound(self, node: IntArray) -> float:
        """Minimized loss that no node above a node, (n_quasi_identifiers,), is below."""
        return (
            float(self.costs[np.arange(len(node)), node].sum()) if self.additive else self.at(node)
        )

    def at(self, node: IntArray) -> float:
        """Minimized loss of a node, (n_quasi_identifiers,)."""
        value = float(self.evaluator.values(node[np.newaxis], [self.measure])[self.measure.name][0])
        return -value if self.measure.maximize else value


def has_node_costs(evaluator: LatticeEvaluator, measure: Measure) -> bool:
    """Whether a measure has a bound that is a sum over columns."""
    return measure.name in NODE_COSTS and measure is evaluator.measure(measure.name)


def loss_refusal(evaluator: LatticeEvaluator, measure: Measure) -> str | None:
    """Why there is no bound for a measure as an objective; None if there is one."""
    worsening = measure.falling if measure.maximize else measure.rising
    if has_node_costs(evaluator, measure) or rule_name(evaluator.rule) in worsening:
        return None
    return (
        f"expected one of the objectives {', '.join(NODE_COSTS)} or a measure that never improves "
        f"under the rule of suppression when a level is raised, found {measure.name!r}"
    )


def sum_refusal(evaluator: LatticeEvaluator, measure: Measure) -> str | None:
    """Why the bound of a measure is no sum over columns; None if it is one."""
    if has_node_costs(evaluator, measure):
        return None
    return f"expected one of the objectives {', '.join(NODE_COSTS)}, found {measure.name!r}"


def _costs(name: str, evaluator: LatticeEvaluator) -> FloatArray:
    facts = evaluator.tuples.facts
    n_columns, n_rows = len(facts.heights), facts.n_rows
    costs = np.zeros((n_columns, max(facts.heights) + 1))
    for column, height in enumerate(facts.heights):
        levels = np.arange(height + 1)
        if name == "height":
            cost = levels.astype(np.float64)
        elif name in ("generalization_level", "precision_loss"):
            cost = levels / max(height, 1) / n_columns
        else:
            cost = facts.excess_leaves[column] / max(facts.n_leaves[column] - 1, 1)
            if name == "glm_normalized":
                cost = cost / (n_rows * n_columns)
            else:
                cost = cost * evaluator.weights.get(facts.names[column], 1.0)
        costs[column, : height + 1] = cost
    return costs
