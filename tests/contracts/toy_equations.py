"""A small problem of equations, for operators and algorithms on trees."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from deap import gp

from anonopt.masking.equations import Equation
from anonopt.masking.equations.primitives import constant, is_constant
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.spaces import Trees

TREE_OPERATORS = (
    "HalfAndHalfSampling",
    "SimpleEquationSampling",
    "SubtreeCrossover",
    "SubtreeMutation",
    "PointMutation",
    "HoistMutation",
    "CollapseMutation",
    "ExpansionMutation",
    "ConstantMutation",
)
"""Names of the registered operators whose genomes are trees."""

FREQUENCIES = (7.0, 1.0, 4.0, 0.0)


def text_with_ones(tree: gp.PrimitiveTree) -> str:
    """Text of a tree with 1 for each constant."""
    one = constant(1.0)
    return Equation(gp.PrimitiveTree([one if is_constant(node) else node for node in tree])).text


class ToyEquations(AnonymizationProblem):
    """How far the matrix of an equation is from a given one, and how large the equation is.

    The matrix that is sought sends every category to each other one by its frequency, which
    ``freq_j`` does exactly. With ``largest`` there is a constraint on the size.
    """

    def __init__(
        self,
        *,
        objectives: tuple[str, ...] = ("distance", "size"),
        max_depth: int = 4,
        largest: int | None = None,
    ) -> None:
        super().__init__(
            space=Trees(max_depth=max_depth),
            objective_names=objectives,
            maximize=[False] * len(objectives),
            constraint_names=() if largest is None else ("size",),
        )
        self.largest = largest
        self.table = np.tile(np.array(FREQUENCIES) / sum(FREQUENCIES), (len(FREQUENCIES), 1))
        self.batches: list[npt.NDArray[np.object_]] = []

    def _values(
        self, X: npt.NDArray[Any]
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64] | None]:
        self.batches.append(X.copy())
        equations = [self.space.equation(x) for x in X]
        sizes = np.array([equation.size for equation in equations], dtype=float)
        measured = {
            "distance": [abs(e.matrix(FREQUENCIES) - self.table).sum() for e in equations],
            "size": sizes,
        }
        values = np.column_stack([measured[name] for name in self.objective_names])
        return values, None if self.largest is None else (sizes - self.largest)[:, np.newaxis]

    def _content(self) -> str:
        return f"largest {self.largest}"
