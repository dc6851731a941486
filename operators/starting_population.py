"""Sampling: the population that a problem itself starts with."""

from __future__ import annotations

from typing import Any

import numpy as np

from anonopt._typing import AnyArray, Generator
from anonopt.operators.base import own_space
from anonopt.operators.levels.sampling import UniformSampling


class StartingPopulation(UniformSampling):
    """The genomes that ``problem.space`` says a search starts with, uniform ones without such.

    If there are more than are asked for, they are drawn without replacement and keep their
    order; if there are fewer, the population is smaller. Mares 2013, Section 3.1, starts with
    masked files of many protection methods: uniform ones are far from any file that is of use.

    Examples
    --------
    >>> import numpy as np
    >>> import anonopt as ao
    >>> problem = ao.get_problem("german-pram")
    >>> len(StartingPopulation()(problem, 50, random_state=np.random.default_rng(1)))
    50
    """

    def _sampled(self, problem: Any, n_samples: int, generator: Generator) -> AnyArray:
        space = own_space(problem)
        X: AnyArray | None = None if space is None else space.starting_population(generator)
        if X is None:
            return super()._sampled(problem, n_samples, generator)
        if len(X) <= n_samples:
            return X
        return X[np.sort(generator.choice(len(X), n_samples, replace=False))]
