"""One small space of each kind, and a problem that measures nothing of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from anonopt._typing import AnyArray, FloatArray
from anonopt.masking.equations import Equation
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.spaces import Cells, Keys, Levels, Matrices, Space, Trees, Visits
from tests.contracts.other_genomes import Word, WordSpace, words
from tests.contracts.problem_kinds import KINDS


def _files(generator: np.random.Generator) -> AnyArray:
    return generator.integers(0, 2, (5, 6)).astype(np.int8)


def _matrices(generator: np.random.Generator) -> AnyArray:
    return generator.integers(0, 1024, (5, 13))


def _shares(generator: np.random.Generator) -> AnyArray:
    rows = [generator.dirichlet([1.0] * size, (5, size)) for size in (2, 3)]
    return np.hstack([part.reshape(5, -1) for part in rows])


RECODINGS: Any = KINDS["local recoding"].make().space
"""Knows the rule that recodings follow, as operators on them must."""

SPACES: dict[str, Space] = {
    "levels": Levels(["age", "sex"], upper=[40, 30], lower=[1, 0]),
    "visits": Visits(4),
    "cells": Cells(3, [3, 1], start=_files),
    "gray cells": Cells(3, [3, 1], start=_files, gray=True),
    "gray matrices": Matrices([["a", "b"], ["x", "y", "z"]], "gray", start=_matrices),
    "simplex matrices": Matrices([["a", "b"], ["x", "y", "z"]], "simplex", start=_shares),
    "keys": Keys(["weight", "exponent"]),
    "groups": RECODINGS,
    "trees": Trees(max_depth=3),
    "words": WordSpace(),
}
"""The library's, and one that is none of them."""

UNEQUAL: dict[str, tuple[AnyArray, AnyArray]] = {
    "levels": (np.array([2, 0]), np.array([2, 1])),
    "visits": (np.array([0, 1, 2, 3]), np.array([0, 1, 3, 2])),
    "cells": (np.array([3, 1, 0, 0, 1, 0]), np.array([3, 1, 0, 0, 1, 1])),
    "gray cells": (np.zeros(6, dtype=np.int8), np.ones(6, dtype=np.int8)),
    "gray matrices": (np.zeros(13, dtype=np.int64), np.full(13, 1023)),
    "simplex matrices": (np.zeros(13), np.ones(13)),
    "keys": (np.array([0.0, 1.0]), np.array([0.5, 1.0])),
    "groups": tuple(RECODINGS.genomes([RECODINGS.top(), RECODINGS.top().suppressing([True])])),
    "trees": (
        Trees(max_depth=3).genomes([Equation.parse("N - freq_i")])[0],
        Trees(max_depth=3).genomes([Equation.parse("freq_i - N")])[0],
    ),
    "words": (words([Word("ab")])[0], words([Word("ba")])[0]),
}
"""Two genomes of each that are not the same solution."""


class Unmeasured(AnonymizationProblem):
    """Every genome is as good as any other."""

    def __init__(self, space: Space) -> None:
        super().__init__(space=space, objective_names=["nothing"], maximize=[False])

    def _values(self, X: AnyArray) -> tuple[FloatArray, Any]:
        return np.zeros((len(X), 1)), None
