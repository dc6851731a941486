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
  that of new draws with the same matrices. Algorithm 6 to the letter evaluates both matrices in
  each comparison, while Section 4.1.5 says that the score "never increases", as it may then:
  ``redraw_parent=True``.
- The 1125 generations come after the first matrices.
- The thesis has no constraints. Here a smaller constraint violation goes first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.core.crossover import Crossover
from pymoo.core.evaluator import Evaluator
from pymoo.core.individual import Individual
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt._checks import check_flag, check_share
from anonopt._typing import IntArray
from anonopt.algorithms.population.evolutionary import EvolutionarySearch
from anonopt.operators.matrices.range_swap_crossover import RangeSwapCrossover
from anonopt.problems.pram.pram import PRAMProblem
from anonopt.problems.spaces import Space


class PRAMEA(EvolutionarySearch):
    """The evolutionary algorithm of Marés Soler for PRAM matrices, for one objective.

    Defaults are the thesis's. Of equal seeds, runs are identical.

    Parameters
    ----------
    n_generations : int
        Generations after the first matrices, at least 1. A termination replaces it.
    prob_mutation : float
        Probability that a generation mutates, else it crosses; in 0..1.
    sampling : pymoo Sampling, Population or array (1, n_var), optional
        The first matrices; by default the first of the problem's starting population.
    mutation : pymoo Mutation, optional
        By default that of the space, `GrayBitFlip`.
    crossover : pymoo Crossover, optional
        Of one parent and one child; by default `RangeSwapCrossover`.
    redraw_parent : bool
        Measure the matrices anew, by other draws, whenever they are compared with their child:
        Algorithm 6 to the letter. No lucky draw lasts. The new measurements are not counted as
        evaluations and not in the record of a run; ``population()`` and ``history()`` show them.
    termination : pymoo Termination or tuple, optional

    Raises
    ------
    ValueError
        If a parameter is out of its range, or the crossover has other numbers of parents or
        children; when the search is set up, if the problem is not one of one objective on
        Gray-coded matrices, or `redraw_parent` is asked for and its matrices have no draws of
        their own.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.get_problem("german-pram", objectives=["score_mean"], expected=True)
    >>> result = ao.solve(problem, PRAMEA(n_generations=50), seed=1)
    >>> result.algorithm.history()["score_mean_min"].iloc[[0, -1]].round(1).tolist()
    [33.8, 30.0]
    """

    n_parents = 1

    def __init__(
        self,
        *,
        n_generations: int = 1125,
        prob_mutation: float = 0.5,
        redraw_parent: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(pop_size=1, n_generations=n_generations, **options)
        self.redraw_parent = check_flag("redraw_parent", redraw_parent)
        self.prob_mutation = check_share("prob_mutation", prob_mutation)

    def _begin(self, problem: Problem) -> None:
        super()._begin(problem)
        if self.redraw_parent:
            if not isinstance(problem, PRAMProblem):
                raise ValueError(
                    f"redraw_parent: expected a PRAMProblem, found {type(problem).__name__}"
                )
            problem.redrawn(0)

    def _sampling(self, space: Space) -> Any:
        start = space.starting_population(self.random_state)
        return space.sampling() if start is None else start[:1]

    def _crossover(self, space: Space) -> Crossover:
        return RangeSwapCrossover()

    def _offspring(self) -> Population:
        if self.random_state.random() < self.prob_mutation:
            return self._mutated(self.pop)
        return self._crossed(np.zeros((1, 1), dtype=np.int64))

    def _replace(self, children: Population) -> IntArray | None:
        if self.redraw_parent:
            self.pop = self._redrawn(self.pop)
        if _rank(children[0]) < _rank(self.pop[0]):
            self.pop = children
        return None

    def _redrawn(self, pop: Population) -> Population:
        again = Population.new("X", pop.get("X"))
        Evaluator().eval(self.problem.redrawn(self.n_iter), again)
        return again


def _rank(individual: Individual) -> tuple[float, float]:
    """What the better of two has less of."""
    return max(float(individual.CV[0]), 0.0), float(individual.F[0])
