"""Orders in which the nodes of a graph are visited."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from pymoo.core.mutation import Mutation

from anonopt.operators.levels.mutation import ResetMutation
from anonopt.problems.spaces.levels import Levels


class Visits(Levels):
    """Gene i is the node that is visited i-th; nodes that no gene names come last.

    Single-point crossover keeps the first visits of a parent. A mutated visit goes to any node,
    where a step by one would go to the next node of the file.

    Parameters
    ----------
    n_nodes : int
        At least 1.

    Examples
    --------
    >>> Visits(3).size
    27
    """

    kind: ClassVar[str] = "visits"

    def __init__(self, n_nodes: int) -> None:
        super().__init__(upper=np.full(n_nodes, n_nodes - 1))

    def mutation(self) -> Mutation:
        """Each visit anew, with probability 1 / n_nodes."""
        return ResetMutation()
