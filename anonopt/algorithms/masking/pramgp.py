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

from typing import Any

import numpy as np
from pymoo.core.crossover import Crossover
from pymoo.core.duplicate import DuplicateElimination, NoDuplicateElimination
from pymoo.core.mutation import Mutation
from pymoo.core.population import Population

from anonopt._checks import check_integer, check_share
from anonopt._typing import IntArray
from anonopt.algorithms.population.evolutionary import EvolutionarySearch
from anonopt.operators.trees.subtree_crossover import SubtreeCrossover
from anonopt.operators.trees.tree_mutation import SubtreeMutation
from anonopt.problems.spaces import Space


class PRAMGP(EvolutionarySearch):
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
    prob_mutation : float
        Probability that the winners of a generation are mutated, else crossed; in 0..1.
    eliminate_duplicates : pymoo DuplicateElimination, optional
        Keeps children out that are in the population already, or twice among them.
    sampling : pymoo Sampling, Population or array, optional
        By default that of the space, half-and-half.
    crossover : pymoo Crossover, optional
        Two parents, two children; by default of subtrees.
    mutation : pymoo Mutation, optional
        By default of a subtree.
    termination : pymoo Termination or tuple, optional

    Raises
    ------
    ValueError
        If a parameter is out of its range, or the crossover has other numbers of parents or
        children; when the search is set up, if the problem is not one of one objective on trees.

    Examples
    --------
    >>> from anonopt.runs import solve
    >>> from anonopt.problems import get_problem
    >>> problem = get_problem("german-pram-equations", objectives=["score_max"], expected=True)
    >>> result = solve(problem, PRAMGP(n_generations=20), seed=1)
    >>> result.front["score_max"].item() < 45
    True
    """

    n_parents = 2

    def __init__(
        self,
        *,
        pop_size: int = 6,
        n_generations: int = 1500,
        n_tournament: int = 4,
        prob_mutation: float = 0.5,
        eliminate_duplicates: DuplicateElimination | None = None,
        **options: Any,
    ) -> None:
        self.n_tournament = check_integer("n_tournament", n_tournament, least=4)
        if self.n_tournament % 4:
            raise ValueError(f"n_tournament: expected a multiple of 4, found {n_tournament}")
        super().__init__(
            pop_size=pop_size,
            least_pop_size=self.n_tournament,
            n_generations=n_generations,
            **options,
        )
        self.prob_mutation = check_share("prob_mutation", prob_mutation)
        self.eliminate_duplicates = (
            NoDuplicateElimination() if eliminate_duplicates is None else eliminate_duplicates
        )

    def _crossover(self, space: Space) -> Crossover:
        return SubtreeCrossover(prob=1.0)

    def _mutation(self, space: Space) -> Mutation:
        return SubtreeMutation()

    def _offspring(self) -> Population:
        met = self.random_state.choice(len(self.pop), self.n_tournament, replace=False)
        met = met[_ranking(self.pop[met])]
        winners, self._losers = np.split(met, 2)
        if self.random_state.random() < 1 - self.prob_mutation:
            return self._crossed(winners.reshape(-1, 2))
        return self._mutated(self.pop[winners])

    def _replace(self, children: Population) -> None:
        children = self.eliminate_duplicates.do(children, self.pop)
        best_first = children[_ranking(children)]
        for child, loser in zip(best_first, self._losers[::-1], strict=False):
            if _merit(child) < _merit(self.pop[loser]):
                self.pop[loser] = child


def _merit(individual: Any) -> tuple[float, float]:
    """Constraint violation and objective; the lesser is the better."""
    return float(individual.CV[0]), float(individual.F[0])


def _ranking(population: Population) -> IntArray:
    """Places of the individuals, best first; equal ones in their order."""
    merits = np.array([_merit(individual) for individual in population]).reshape(-1, 2)
    return np.lexsort(merits.T[::-1])
