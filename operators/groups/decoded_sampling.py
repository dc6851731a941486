"""First populations of local recodings: decoded from random keys."""

from __future__ import annotations

from typing import Any

from anonopt._typing import Generator, ObjectArray
from anonopt.operators.drawing import GenomeSampling
from anonopt.operators.groups.group_genomes import group_genomes, group_maker


class DecodedSampling(GenomeSampling):
    """Recodings of random keys; the first is that of keys of 0.5.

    Examples
    --------
    >>> import numpy as np
    >>> import anonopt as ao
    >>> problem = ao.problems.LocalRecodingProblem(
    ...     ao.load_dataset("patients"), ["glm"], k=3, genome="groups"
    ... )
    >>> pop = DecodedSampling()(problem, 2, random_state=np.random.default_rng(1))
    >>> [type(individual.X[0]).__name__ for individual in pop]
    ['RecodedGroups', 'RecodedGroups']
    """

    def _sampled(self, problem: Any, n_samples: int, generator: Generator) -> ObjectArray:
        maker = group_maker(problem)
        sources = [None, *[generator] * (n_samples - 1)][:n_samples]
        return group_genomes([maker.decoded(source) for source in sources])
