"""Small problems with known answers that every algorithm has to handle."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.spaces import Levels

OBJECTIVES = {"privacy": True, "loss": False, "spread": False}
"""Name of each objective, and whether it is maximized."""


class ToyLattice(AnonymizationProblem):
    """A lattice whose objectives are simple formulas of the levels.

    ``privacy`` is the product of ``level + 1``, ``loss`` a weighted sum of the levels, and
    ``spread`` how far the first level is from half its height. With ``least_privacy`` there is
    a constraint.
    """

    def __init__(
        self,
        heights: tuple[int, ...] = (4, 3, 3),
        *,
        objectives: tuple[str, ...] = ("privacy", "loss"),
        least_privacy: float | None = None,
    ) -> None:
        super().__init__(
            space=Levels([f"column{i}" for i in range(len(heights))], upper=heights),
            objective_names=objectives,
            maximize=[OBJECTIVES[name] for name in objectives],
            constraint_names=() if least_privacy is None else ("privacy",),
        )
        self.heights = heights
        self.least_privacy = least_privacy
        self.table = np.arange(100.0)
        self.batches: list[npt.NDArray[np.int64]] = []

    def _values(
        self, X: npt.NDArray[Any]
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64] | None]:
        self.batches.append(X)
        measured = {
            "privacy": np.prod(X + 1, axis=1),
            "loss": X @ np.arange(3, 3 + X.shape[1]),
            "spread": np.abs(2 * X[:, 0] - self.heights[0]),
        }
        values = np.column_stack([measured[name] for name in self.objective_names])
        if self.least_privacy is None:
            return values, None
        return values, (self.least_privacy - measured["privacy"])[:, np.newaxis]

    def _content(self) -> str:
        return f"least privacy {self.least_privacy}"

    def nodes(self) -> npt.NDArray[np.int64]:
        """All genomes, the last level fastest."""
        return np.array(list(itertools.product(*(range(h + 1) for h in self.heights))))


def front_of_all(problem: ToyLattice) -> set[tuple[int, ...]]:
    """Genomes of the true front, each pair of nodes compared."""
    X = problem.nodes()
    values = [tuple(row) for row in problem.minimized(problem._values(X)[0])]
    privacy = np.prod(X + 1, axis=1)
    feasible = [p >= (problem.least_privacy or 0) for p in privacy]
    front = set()
    for i, one in enumerate(values):
        dominated = any(
            feasible[j] and other != one and all(a <= b for a, b in zip(other, one, strict=True))
            for j, other in enumerate(values)
        )
        if feasible[i] and not dominated:
            front.add(tuple(X[i].tolist()))
    return front
