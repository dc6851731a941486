"""First populations of random keys: the middle, keys near it, and uniform ones (Bean 1994)."""

from __future__ import annotations

from typing import Any

import numpy as np

from anonopt._checks import check_share
from anonopt._typing import FloatArray, Generator
from anonopt.operators.drawing import GenomeSampling


class RandomKeys(GenomeSampling):
    """The middle of the bounds, then genomes near it, then uniform ones.

    Keys in the middle are what a decoder does unasked, so that is a good start; uniform keys alone,
    as Bean (1994, Section 2) has them, are far from it, and a population of them has to find back.

    Parameters
    ----------
    near : float
        Share of the genomes after the first that are near the middle, in 0..1. With 0 all but the
        first are uniform.
    deviation : float
        Standard deviation of their keys from the middle, as a share of the bounds; at least 0.
        What would be beyond a bound is drawn back from it by as much.

    Raises
    ------
    ValueError
        If the share or the deviation is out of its range.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=2, n_obj=1, xl=0.0, xu=1.0)
    >>> pop = RandomKeys()(problem, 3, random_state=np.random.default_rng(1))
    >>> pop.get("X").round(2).tolist()
    [[0.5, 0.5], [0.55, 0.62], [0.14, 0.95]]
    """

    def __init__(self, *, near: float = 0.5, deviation: float = 0.15) -> None:
        super().__init__()
        self.near = check_share("near", near)
        self.deviation = check_share("deviation", deviation)

    def _sampled(self, problem: Any, n_samples: int, generator: Generator) -> FloatArray:
        if not problem.has_bounds():
            raise ValueError(
                "problem: expected bounds xl and xu of every gene, found "
                f"{type(problem).__name__} without"
            )
        shares = np.full((n_samples, problem.n_var), 0.5)
        n_near = round(self.near * max(n_samples - 1, 0))
        steps = self.deviation * generator.standard_normal((n_near, problem.n_var))
        shares[1 : n_near + 1] += steps
        shares[n_near + 1 :] = generator.random((max(n_samples - 1 - n_near, 0), problem.n_var))
        reflected = np.abs((shares + 1.0) % 2.0 - 1.0)
        return np.asarray(problem.xl + (problem.xu - problem.xl) * reflected)
