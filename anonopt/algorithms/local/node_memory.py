"""What the evaluated nodes of one objective say of the others, so that those cost nothing."""

from __future__ import annotations

import numpy as np
from pymoo.core.problem import Problem

from anonopt._typing import FloatArray, IntArray
from anonopt.evaluation.lattice.column_bounds import LevelBounds, lowest_levels
from anonopt.operators.base import integer_bounds
from anonopt.operators.duplicates import genome_key
from anonopt.optima.node_losses import NodeLoss, has_node_costs
from anonopt.problems.any_problem import lattice_of
from anonopt.problems.spaces import space_of

ROUNDING = 1e-9
"""Sums of a node's costs are rounded numbers; a difference below this is none."""


class NodeMemory:
    """Outcomes of evaluated nodes, and what follows from them.

    Under the fixed-k rule alone, a node below an infeasible one is infeasible: its classes are
    parts of the other's. So it is with class bounds that no merging breaks. Of a loss that sums
    over the quasi-identifiers, what a node costs without suppression is known beforehand, and
    suppression only adds to it. Neither holds for other problems, of which only the outcomes are
    remembered.

    Parameters
    ----------
    problem : pymoo Problem
        One objective, integer bounds.

    Attributes
    ----------
    lower, upper : int64 arrays (n_var,)
        No feasible node has a lower level than ``lower``.
    level_costs : float array (n_var, largest height + 1), or None
        What each level of each column adds to the cost without suppression, never falling;
        None if the objective is not such a loss.

    Raises
    ------
    ValueError
        If the bounds are not whole numbers.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.problems.LatticeProblem(
    ...     ao.load_dataset("adult"), ["generalization_level"], k=5, suppression=0.01
    ... )
    >>> memory = NodeMemory(problem)
    >>> memory.learn(np.array([0, 3, 3, 3, 1, 1, 4, 1]), None)
    >>> memory.is_settled(np.array([0, 3, 2, 3, 1, 1, 4, 1]))
    True
    """

    def __init__(self, problem: Problem) -> None:
        self.lower, self.upper = search_bounds(problem)
        self.level_costs = _level_costs(problem)
        lattice = lattice_of(problem)
        self._feasibility_is_monotone = (
            lattice is not None
            and lattice.evaluator.rule.feasibility_is_monotone
            and not lattice.constraints
        )
        self._outcomes: dict[bytes, float | None] = {}
        # Bit i of a column and level: the i-th infeasible node is at least at that level there.
        # The nodes above another one are then found by one "and" a column.
        self._reaching: list[list[int]] = []
        if self._feasibility_is_monotone:
            self._reaching = [[0] * (height + 1) for height in self.upper.tolist()]
        self._n_infeasible = 0

    def __len__(self) -> int:
        """Number of evaluated nodes."""
        return len(self._outcomes)

    def learn(self, node: IntArray, value: float | None) -> None:
        """Take in the minimized objective of an evaluated node, None if it is infeasible."""
        self._outcomes[genome_key(node)] = value
        if value is None and self._feasibility_is_monotone:
            self._learn_infeasible(node)

    def is_evaluated(self, node: IntArray) -> bool:
        """Whether the outcome of a node is known."""
        return genome_key(node) in self._outcomes

    def outcome(self, node: IntArray) -> float | None:
        """Minimized objective of a settled node, None if it is infeasible.

        Raises
        ------
        KeyError
            If it is not settled.
        """
        key = genome_key(node)
        if key not in self._outcomes and self.is_below_infeasible(node):
            return None
        return self._outcomes[key]

    def is_below_infeasible(self, node: IntArray) -> bool:
        """Whether a node is infeasible for sure, as one above it is."""
        if self._n_infeasible == 0:
            return False
        above = (1 << self._n_infeasible) - 1
        for reaching, level in zip(self._reaching, node.tolist(), strict=True):
            above &= reaching[level]
            if not above:
                return False
        return True

    def _learn_infeasible(self, node: IntArray) -> None:
        bit = 1 << self._n_infeasible
        self._n_infeasible += 1
        for reaching, level in zip(self._reaching, node.tolist(), strict=True):
            for lower in range(level + 1):
                reaching[lower] |= bit

    def is_settled(self, node: IntArray) -> bool:
        """Whether a node need not be evaluated: its outcome or its infeasibility is known."""
        return self.is_evaluated(node) or self.is_below_infeasible(node)

    def cost(self, node: IntArray) -> float:
        """Sum of the level costs of a node.

        Raises
        ------
        TypeError
            If the objective has no level costs.
        """
        if self.level_costs is None:
            raise TypeError("expected an objective that sums over the quasi-identifiers")
        return float(self.level_costs[np.arange(len(node)), node].sum())


def search_bounds(problem: Problem, bounds: LevelBounds = "sound") -> tuple[IntArray, IntArray]:
    """Bounds of the levels that are searched, by default of those that feasible nodes can have.

    Parameters
    ----------
    problem : pymoo Problem
        Nothing is below its own bounds.
    bounds : str, sequence of int (n_var,), or None
        Lowest levels, or the rule of `column_bounds` that they follow from under a fixed k;
        of other problems a rule adds nothing.

    Returns
    -------
    lower, upper : int64 arrays (n_var,)

    Raises
    ------
    ValueError
        If the bounds of the problem are not whole numbers, or `bounds` do not fit them.
    """
    lower, upper = integer_bounds(problem)
    lattice = lattice_of(problem)
    evaluator = None if lattice is None else lattice.evaluator
    if isinstance(bounds, str) and (evaluator is None or evaluator.rule.k is None):
        return lower, upper
    names = space_of(problem).names or [f"x{i + 1}" for i in range(len(upper))]
    return lowest_levels(bounds, names, lower, upper, evaluator), upper


def _level_costs(problem: Problem) -> FloatArray | None:
    lattice = lattice_of(problem)
    if lattice is None or not has_node_costs(lattice.evaluator, *lattice.objectives):
        return None
    return NodeLoss.of(lattice.evaluator, *lattice.objectives).costs
