"""Random keys, each drawn uniformly (Bean 1994, Section 2)."""

from __future__ import annotations

from typing import Any

from anonopt._typing import FloatArray, Generator
from anonopt.operators.drawing import GenomeSampling


class UniformKeys(GenomeSampling):
    """Real numbers, each uniform in the bounds of its gene.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=2, n_obj=1, xl=0.0, xu=1.0)
    >>> pop = UniformKeys()(problem, 3, random_state=np.random.default_rng(1))
    >>> pop.get("X").round(2).tolist()
    [[0.51, 0.95], [0.14, 0.95], [0.31, 0.42]]
    """

    def _sampled(self, problem: Any, n_samples: int, generator: Generator) -> FloatArray:
        if not problem.has_bounds():
            raise ValueError(
                "problem: expected bounds xl and xu of every gene, found "
                f"{type(problem).__name__} without"
            )
        keys: FloatArray = generator.random((n_samples, problem.n_var))
        return problem.xl + (problem.xu - problem.xl) * keys
