"""Sampling: the population that a problem itself starts with."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from anonopt.operators.base import required_generator
from anonopt.operators.levels.sampling import UniformSampling


class StartingPopulation(UniformSampling):
    """The genomes of ``problem.starting_population(generator)``, uniform ones where it has none.

    If there are more than are asked for, they are drawn without replacement and keep their
    order; if there are fewer, the population is smaller. Mares 2013, Section 3.1, starts with
    masked files of many protection methods: uniform ones are far from any file that is of use.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=2, n_obj=1, xl=0, xu=3)
    >>> problem.starting_population = lambda generator: np.array([[0, 1], [2, 3]])
    >>> StartingPopulation()(problem, 50, random_state=np.random.default_rng(1)).get("X").tolist()
    [[0, 1], [2, 3]]
    """

    def _do(
        self,
        problem: Any,
        n_samples: int,
        *args: Any,
        random_state: np.random.Generator | None = None,
        **kwargs: Any,
    ) -> npt.NDArray[Any]:
        generator = required_generator(random_state, self)
        own = getattr(problem, "starting_population", None)
        X: npt.NDArray[Any] | None = None if own is None else own(generator)
        if X is None:
            return super()._do(problem, n_samples, *args, random_state=generator, **kwargs)
        if len(X) <= n_samples:
            return X
        return X[np.sort(generator.choice(len(X), n_samples, replace=False))]
