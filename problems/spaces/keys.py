"""Random keys: real numbers that a decoder reads (Bean 1994)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.sampling import Sampling

from anonopt._typing import AnyArray
from anonopt.operators.keys.random_keys import RandomKeys
from anonopt.problems.spaces.base import Space


class Keys(Space):
    """Real numbers in 0..1, of which a decoder makes a solution.

    Every array of numbers in 0..1 is a genome, so algorithms for real numbers, such as
    differential evolution, particle swarms and CMA-ES, search this space as they are. Keys of 0.5
    are what a decoder does unasked, and the first genome of a population. Many keys are decoded to
    one solution: a run reports one genome for each objective vector.

    Parameters
    ----------
    names : sequence of str, (n_var,)
        Name of each key.

    Raises
    ------
    ValueError
        If there is none.

    References
    ----------
    Bean 1994, Genetic algorithms and random keys for sequencing and optimization.

    Examples
    --------
    >>> space = Keys(["age", "sex"])
    >>> space.text(np.array([0.25, 1.0]))
    'age=0.25, sex=1'
    """

    kind: ClassVar[str] = "keys"
    vtype = float
    # Many keys are decoded to one solution, of which a front would be full.
    records_genomes = False

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names=names, lower=np.zeros(len(names)), upper=np.ones(len(names)))

    def sampling(self, *, extremes: bool = False) -> Sampling:
        """The middle, keys near it and uniform ones; there is no least genome, nor a greatest."""
        return RandomKeys()

    def crossover(self) -> Crossover:
        """Simulated binary crossover (Deb and Agrawal 1995)."""
        from pymoo.operators.crossover.sbx import SBX

        return SBX(prob=0.9, eta=15)

    def mutation(self) -> Mutation:
        """Polynomial mutation (Deb and Goyal 1996)."""
        from pymoo.operators.mutation.pm import PM

        return PM(eta=20)

    def text(self, x: AnyArray) -> str:
        """One genome as text, such as ``age=0.25, sex=1``: four digits of each key."""
        return ", ".join(f"{name}={key:.4g}" for name, key in zip(self.names, x, strict=True))
