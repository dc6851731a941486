"""Random keys, each drawn uniformly (Bean 1994, Section 2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from anonopt._typing import FloatArray, Generator
from anonopt.operators.drawing import GenomeSampling


class UniformKeys(GenomeSampling):
    """Real numbers, each uniform in the bounds of its gene.

    Parameters
    ----------
    middle : bool, default=False
        Whether the first genome is the middle of the bounds instead. Nothing is drawn for it.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=2, n_obj=1, xl=0.0, xu=1.0)
    >>> pop = UniformKeys(middle=True)(problem, 3, random_state=np.random.default_rng(1))
    >>> pop.get("X").round(2).tolist()
    [[0.5, 0.5], [0.51, 0.95], [0.14, 0.95]]
    """

    def __init__(self, *, middle: bool = False) -> None:
        super().__init__()
        self.middle = middle

    def _sampled(self, problem: Any, n_samples: int, generator: Generator) -> FloatArray:
        if not problem.has_bounds():
            raise ValueError(
                "problem: expected bounds xl and xu of every gene, found "
                f"{type(problem).__name__} without"
            )
        n_drawn = max(n_samples - self.middle, 0)
        keys = generator.random((n_drawn, problem.n_var))
        if self.middle and n_samples:
            keys = np.concatenate([np.full((1, problem.n_var), 0.5), keys])
        return np.asarray(problem.xl + (problem.xu - problem.xl) * keys)
