"""A small problem on integer levels, for the operators to work on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from pymoo.core.problem import Problem


class LevelProblem(Problem):
    """Two conflicting objectives on integer levels; asked for, a bound on their sum of levels."""

    def __init__(
        self, lower: Sequence[int], upper: Sequence[int], *, least_total: int | None = None
    ) -> None:
        super().__init__(
            n_var=len(upper),
            n_obj=2,
            n_ieq_constr=0 if least_total is None else 1,
            xl=np.array(lower),
            xu=np.array(upper),
        )
        self.least_total = least_total

    def _evaluate(self, X, out, *args, **kwargs):
        weights = np.arange(1, self.n_var + 1)
        out["F"] = np.column_stack([X @ weights, ((X - self.xu) ** 2).sum(axis=1)])
        if self.least_total is not None:
            out["G"] = self.least_total - X.sum(axis=1)


@pytest.fixture
def level_problem() -> Callable[..., LevelProblem]:
    return LevelProblem
