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
        shares = uniform_keys(n_samples, problem.n_var, generator, middle=self.middle)
        return np.asarray(problem.xl + (problem.xu - problem.xl) * shares)


def uniform_keys(n: int, n_var: int, generator: Generator, *, middle: bool) -> FloatArray:
    """Genomes of uniform keys in 0..1, the first of them in the middle if that is wanted.

    Parameters
    ----------
    n, n_var : int
        Genomes, and keys of each.
    generator : numpy Generator
    middle : bool

    Returns
    -------
    float array (n, n_var)
    """
    keys = generator.random((max(n - middle, 0), n_var))
    return np.concatenate([np.full((min(n, int(middle)), n_var), 0.5), keys])
