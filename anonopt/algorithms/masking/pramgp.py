"""PRAMGP: steady-state genetic programming for the equations of PRAM matrices.

Idea: each generation, a few equations of a small population meet in a tournament. The better half
are crossed or mutated, and their children take the places of the worse half where they are better,
so no good equation is ever lost.

Paper: J. Marés Soler, *Categorical Data Protection on Statistical Datasets and Social Networks*,
PhD thesis, Universitat Autònoma de Barcelona, 2013. Algorithm 7 and Sections 4.2.2 to 4.2.4;
subtree operators and half-and-half in Section 2.2.

Decided where the thesis is silent:

- Four equations meet in a tournament, the fewest that leave a pair to be crossed.
- All winners are crossed, in pairs of neighbours in rank, or all are mutated.
- The best child is compared with the worst loser, the next one with the next, and takes its place
  if it is better; equal ones stay.
- Algorithm 7 computes the fitness of the tournament anew in each generation. Here an equation keeps
  the fitness of its first evaluation; what is drawn for it depends on the equation and the seed of
  the problem alone, so a lucky draw would come again.
- The 1500 generations come after the first population.
- Nothing keeps equal equations out of the population. ``eliminate_duplicates`` does, as Section 2.1
  suggests for steady-state algorithms: a child that is in the population already does not enter.
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
from pymoo.core.duplicate import DuplicateElimination, NoDuplicateElimination
from pymoo.core.initialization import Initialization
from pymoo.core.mutation import Mutation
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling
from pymoo.core.termination import Termination
from pymoo.termination.max_gen import MaximumGenerationTermination
from pymoo.util.display.single import SingleObjectiveOutput

from anonopt.algorithms.masking.course import Course
from anonopt.operators.base import probability
from anonopt.operators.trees.subtree_crossover import SubtreeCrossover
from anonopt.operators.trees.tree_mutation import SubtreeMutation
from anonopt.operators.trees.tree_sampling import HalfAndHalfSampling


class PRAMGP(Algorithm):
    """The genetic programming algorithm of Marés Soler, for one objective.

    Defaults are the thesis's. Of equal seeds, runs are identical.

    Parameters
    ----------
    pop_size : int
        Equations in the population, at least the size of a tournament.
    n_generations : int
        Generations after the first population, at least 1. A termination replaces it.
    n_tournament : int
        Equations that meet in a tournament, a multiple of 4.
    crossover_rate : float
        Probability that the winners of a generation are crossed, else mutated; in 0..1.
    eliminate_duplicates : pymoo DuplicateElimination, optional
        Keeps children out that are in the population already, or twice among them.
    sampling : pymoo Sampling, optional
        By default half-and-half.
    crossover : pymoo Crossover, optional
        Two parents, two children; by default of subtrees.
    mutation : pymoo Mutation, optional
        By default of a subtree.
    termination : pymoo Termination or tuple, optional

    Raises
    ------
    ValueError
        If a parameter is out of its range, or the crossover has other numbers of parents or
        children.

    Examples
    --------
    >>> from anonopt.runs import solve
    >>> from anonopt.problems import get_problem
    >>> problem = get_problem("german-pram-equations", objectives=["score_max"], expected=True)
    >>> result = solve(problem, PRAMGP(n_generations=20), seed=1)
    >>> result.front["score_max"].item() < 45
    True
    """

    def __init__(
        self,
        *,
        pop_size: int = 6,
        n_generations: int = 1500,
        n_tournament: int = 4,
        crossover_rate: float = 0.5,
        eliminate_duplicates: DuplicateElimination | None = None,
        sampling: Sampling | None = None,
        crossover: Crossover | None = None,
        mutation: Mutation | None = None,
        termination: Termination | tuple[Any, ...] | None = None,
    ) -> None:
        if operator.index(n_generations) < 1:
            raise ValueError(f"n_generations: expected at least 1, found {n_generations}")
        if termination is None:
            termination = MaximumGenerationTermination(n_generations + 1)
        super().__init__(termination=termination, output=SingleObjectiveOutput())
        self.n_tournament = operator.index(n_tournament)
        if self.n_tournament < 4 or self.n_tournament % 4:
            raise ValueError(f"n_tournament: expected a multiple of 4, found {n_tournament}")
        self.pop_size = operator.index(pop_size)
        if self.pop_size < self.n_tournament:
            raise ValueError(
                f"pop_size: expected at least the {n_tournament} equations of a tournament, "
                f"found {pop_size}"
            )
        self.crossover_rate = probability(crossover_rate, "crossover_rate")
        self.eliminate_duplicates = (
            NoDuplicateElimination() if eliminate_duplicates is None else eliminate_duplicates
        )
        self.initialization = Initialization(
            HalfAndHalfSampling() if sampling is None else sampling
        )
        self.crossover = SubtreeCrossover(prob=1.0) if crossover is None else crossover
        if (self.crossover.n_parents, self.crossover.n_offsprings) != (2, 2):
            raise ValueError(
                f"crossover: expected two parents and two children, found "
                f"{self.crossover.n_parents} and {self.crossover.n_offsprings}"
            )
        self.mutation = SubtreeMutation() if mutation is None else mutation
        self._course = Course()

    def course(self) -> pd.DataFrame:
        """The best equation of each generation: its objective, and IL and DR if they are known.

        Returns
        -------
        DataFrame (n_generations + 1, ...), indexed by ``generation``
            Generation 0 is the first population. Natural units.
        """
        return self._course.frame()

    def _setup(self, problem: Problem, **kwargs: Any) -> None:
        self._course = Course()

    def _initialize_infill(self) -> Population:
        return self.initialization.do(
            self.problem, self.pop_size, algorithm=self, random_state=self.random_state
        )

    def _initialize_advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        self._note()

    def _infill(self) -> Population:
        met = self.random_state.choice(len(self.pop), self.n_tournament, replace=False)
        met = met[_ranking(self.pop[met])]
        winners, self._losers = np.split(met, 2)
        if self.random_state.random() < self.crossover_rate:
            children = self.crossover(
                self.problem, self.pop, winners.reshape(-1, 2), random_state=self.random_state
            )
        else:
            children = self.mutation(
                self.problem, self.pop[winners], random_state=self.random_state
            )
        return children

    def _advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        children = self.eliminate_duplicates.do(infills, self.pop)
        best_first = children[_ranking(children)]
        for child, loser in zip(best_first, self._losers[::-1], strict=False):
            if _merit(child) < _merit(self.pop[loser]):
                self.pop[loser] = child
        self._note()

    def _note(self) -> None:
        best = int(_ranking(self.pop)[0])
        self._course.note(self.problem, self.pop[best])


def _merit(individual: Any) -> tuple[float, float]:
    """Constraint violation and objective; the lesser is the better."""
    return float(individual.CV[0]), float(individual.F[0])


def _ranking(population: Population) -> npt.NDArray[np.int64]:
    """Places of the individuals, best first; equal ones in their order."""
    merits = np.array([_merit(individual) for individual in population]).reshape(-1, 2)
    return np.lexsort(merits.T[::-1])
