"""Generalization levels, and other genomes of a few whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling

from anonopt._typing import FloatArray, IntArray
from anonopt.operators.base import integer_bounds, own_space
from anonopt.operators.levels.crossover import SinglePointCrossover
from anonopt.operators.levels.mutation import StepMutation
from anonopt.operators.levels.sampling import ExtremesSampling, UniformSampling
from anonopt.problems.spaces.base import Space


class Levels(Space):
    """Whole numbers within bounds, of which neighbours differ by 1 in one gene.

    Parameters
    ----------
    names : sequence of str, (n_var,)
        Name of each gene, such as the quasi-identifiers; empty where genes have none.
    upper : sequence of int, (n_var,)
        Largest level of each gene.
    lower : sequence of int, (n_var,), optional
        Least level of each gene, by default 0.
    records_genomes : bool
        As in :class:`Space`.

    Raises
    ------
    ValueError
        If there is no gene, or bounds are not whole, crossed, or of another length.

    Examples
    --------
    >>> space = Levels(["age", "sex"], upper=[2, 1])
    >>> space.size, space.text(np.array([2, 0]))
    (6, 'age=2, sex=0')
    >>> space.neighbors([2, 0]).tolist()
    [[1, 0], [2, 1]]
    """

    kind: ClassVar[str] = "levels"
    vtype = int
    lower: FloatArray
    upper: FloatArray

    def __init__(
        self,
        names: Sequence[str] = (),
        *,
        upper: npt.ArrayLike,
        lower: npt.ArrayLike | None = None,
        records_genomes: bool = True,
    ) -> None:
        highest = np.asarray(upper).reshape(-1)
        super().__init__(
            names=names,
            n_var=None if len(names) else len(highest),
            lower=np.zeros(len(highest)) if lower is None else lower,
            upper=highest,
        )
        self.records_genomes = records_genomes

    def sampling(self, *, extremes: bool = False) -> Sampling:
        """Uniform distinct genomes; with `extremes`, the least and the greatest come first."""
        return ExtremesSampling() if extremes else UniformSampling()

    def crossover(self) -> Crossover:
        """Single-point crossover."""
        return SinglePointCrossover()

    def mutation(self) -> Mutation:
        """Each level one up or down, inward at a bound, with probability 1 / n_var."""
        return StepMutation()

    def neighbors(self, x: npt.ArrayLike) -> IntArray:
        """Genomes that differ by 1 in one gene, within bounds, gene by gene."""
        genome = np.asarray(x, dtype=np.int64)
        steps = np.repeat(np.eye(self.n_var, dtype=np.int64), 2, axis=0)
        steps[::2] *= -1
        near = genome + steps
        return near[((near >= self.lower) & (near <= self.upper)).all(axis=1)]


def space_of(problem: Any) -> Space:
    """Space of a problem; that of its bounds if it is a plain pymoo problem of whole numbers.

    Parameters
    ----------
    problem : pymoo Problem

    Raises
    ------
    TypeError
        If it is no problem.
    ValueError
        If it has no space, and no whole bounds either.
    """
    if not isinstance(problem, Problem):
        raise TypeError(
            f"problem: expected a problem, such as get_problem makes, found {problem!r}"
        )
    own: Space | None = own_space(problem)
    if own is not None:
        return own
    lower, upper = integer_bounds(problem)
    return Levels(lower=lower, upper=upper)
