"""PRAMEA: a single set of PRAM matrices, changed a little at a time.

Idea: each generation flips one bit of one number of every matrix, or swaps two ranges of numbers
within every matrix, and keeps the outcome if it masks the file better.

Paper: J. Marés Soler, *Categorical Data Protection on Statistical Datasets and Social Networks*,
PhD thesis, Universitat Autònoma de Barcelona, 2013. Algorithm 6 and Sections 4.1.1 to 4.1.4.

Decided where the thesis is silent:

- The matrices of all columns are one genome with one fitness (Eqs. 4.1 to 4.3). Algorithm 6 draws
  mutation or crossover once a generation, for all of them; they are kept or discarded together.
  ``GrayBitFlip(matrices="one")`` and ``RangeSwapCrossover(matrices="one")`` change one at a time.
- Matrices that are as good as those they come from do not replace them.
- The matrices keep the fitness of their evaluation. What is drawn for them depends on them and the
  seed of the problem alone, so the same draws would come again. With draws of its own for each
  candidate, the search also selects lucky draws: the fitness it ends with is a little better than
  that of new draws with the same matrices.
- The 1125 generations come after the first matrices.
- The thesis has no constraints. Here a smaller constraint violation goes first.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from pymoo.core.algorithm import Algorithm
from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.termination import Termination
from pymoo.termination.max_gen import MaximumGenerationTermination
from pymoo.util.display.single import SingleObjectiveOutput

from anonopt.algorithms.masking.course import Course
from anonopt.operators.base import probability
from anonopt.operators.matrices.gray_bit_flip import GrayBitFlip
from anonopt.operators.matrices.range_swap_crossover import RangeSwapCrossover


class PRAMEA(Algorithm):
    """The evolutionary algorithm of Marés Soler for PRAM matrices, for one objective.

    Defaults are the thesis's. Of equal seeds, runs are identical.

    Parameters
    ----------
    n_generations : int
        Generations after the first matrices, at least 1. A termination replaces it.
    prob_mutation : float
        Probability that a generation mutates, else it crosses; in 0..1.
    start : array (n_var,), optional
        Genome of the first matrices; by default ``problem.start``.
    mutation : pymoo Mutation, optional
        By default `GrayBitFlip`.
    crossover : pymoo Crossover, optional
        Of one parent and one child; by default `RangeSwapCrossover`.
    termination : pymoo Termination or tuple, optional

    Raises
    ------
    ValueError
        If a parameter is out of its range, or the crossover has other numbers of parents or
        children.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.get_problem("german-pram", objectives=["score_mean"], expected=True)
    >>> result = ao.solve(problem, PRAMEA(n_generations=50), seed=1)
    >>> result.algorithm.course()["score_mean"].iloc[[0, -1]].round(1).tolist()
    [33.8, 30.0]
    """

    pop: Any

    def __init__(
        self,
        *,
        n_generations: int = 1125,
        prob_mutation: float = 0.5,
        start: npt.ArrayLike | None = None,
        mutation: Mutation | None = None,
        crossover: Crossover | None = None,
        termination: Termination | tuple[Any, ...] | None = None,
    ) -> None:
        if operator.index(n_generations) < 1:
            raise ValueError(f"n_generations: expected at least 1, found {n_generations}")
        if termination is None:
            termination = MaximumGenerationTermination(n_generations + 1)
        super().__init__(termination=termination, output=SingleObjectiveOutput())
        self.prob_mutation = probability(prob_mutation, "prob_mutation")
        self.start = start
        self.mutation = GrayBitFlip() if mutation is None else mutation
        self.crossover = RangeSwapCrossover() if crossover is None else crossover
        if (self.crossover.n_parents, self.crossover.n_offsprings) != (1, 1):
            raise ValueError(
                f"crossover: expected 1 parent and 1 child, found {self.crossover.n_parents} "
                f"and {self.crossover.n_offsprings}"
            )
        self._course = Course()

    def course(self) -> pd.DataFrame:
        """The matrices of each generation: their objective, and IL and DR if they are known.

        Returns
        -------
        DataFrame (n_generations, ...), indexed by ``generation``
            Generation 0 is the first matrices. Natural units.
        """
        return self._course.frame()

    def _setup(self, problem: Problem, **kwargs: Any) -> None:
        self._course = Course()

    def _initialize_infill(self) -> Population:
        start = self.problem.start if self.start is None else self.start
        return Population.new("X", np.array(start)[np.newaxis])

    def _initialize_advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        self.pop = infills
        self._course.note(self.problem, self.pop[0])

    def _infill(self) -> Population:
        generator = self.random_state
        if generator.random() < self.prob_mutation:
            return self.mutation(self.problem, self.pop, random_state=generator)
        parents = np.zeros((1, 1), dtype=np.int64)
        return self.crossover(self.problem, self.pop, parents, random_state=generator)

    def _advance(self, infills: Population, **kwargs: Any) -> None:
        if _rank(infills[0]) < _rank(self.pop[0]):
            self.pop = infills
        self._course.note(self.problem, self.pop[0])


def _rank(individual: Any) -> tuple[float, float]:
    """What the better of two has less of."""
    return max(float(individual.CV[0]), 0.0), float(individual.F[0])
