"""A small problem of real numbers with a known optimum."""

from __future__ import annotations

from typing import Any

import numpy as np

from anonopt._typing import AnyArray, FloatArray
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.spaces import Matrices

TARGET = np.array([0.9, 0.1, 0.3, 0.7])


class Distance(AnonymizationProblem):
    """Distance of a matrix of two categories to a given one; a gene may be bounded from below."""

    def __init__(self, *, least: float | None = None, plateau: float = 0.0) -> None:
        space = Matrices([["a", "b"]], "simplex")
        super().__init__(
            space=space,
            objective_names=["distance"],
            maximize=[False],
            constraint_names=() if least is None else ("least",),
        )
        self.least, self.plateau = least, plateau
        self.batches: list[FloatArray] = []

    def _values(self, X: AnyArray) -> tuple[FloatArray, Any]:
        self.batches.append(X)
        distances = np.abs(X - TARGET).sum(axis=1, keepdims=True)
        if self.plateau:
            distances = np.ceil(distances / self.plateau)
        return distances, None if self.least is None else self.least - X[:, 1:2]

    def _content(self) -> str:
        return f"{self.least} {self.plateau}"
