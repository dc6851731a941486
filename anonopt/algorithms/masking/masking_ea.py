"""Masking EA: evolution of masked files, one operator a generation.

Idea: the population holds masked versions of one file, made by many protection methods. Every
generation either changes one cell of one file, or swaps a stretch of cells between one of the
best files and another one. A child takes the place of its own parent if it is not worse, so that
the best file is never lost and the files stay as diverse as they were.

Paper: J. Marés Soler, *Categorical Data Protection on Statistical Datasets and Social Networks*,
PhD thesis, UAB 2013. Algorithm 5, Sections 3.1-3.4 (search), Section 3.5 (parameters).

Decided differently, or where the thesis is silent:

- Individuals are drawn with probability proportional to 1 / score, also within the leader group.
  Eq. 3.3 as printed is proportional to the score, which prefers the worst; ``as_printed=True``
  keeps it.
- Mutation and crossover are equally likely: "randomly choose between mutation and cross".
- The second parent of a crossover is another one than the first.
- Of equal scores the child survives.
- The score is the objective of the problem: `score_max` (Eq. 3.4) or `score_mean` (Eq. 3.2).
- Files that measure worse than others, or are equal, stay in the starting population.
- 10,000 generations are as many populations, the first one included, so 9999 after it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.core.crossover import Crossover
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling

from anonopt._checks import check_number, check_share
from anonopt._typing import AnyArray, IntArray
from anonopt.algorithms.population.evolutionary import EvolutionarySearch, best_first
from anonopt.operators.cells.cell_variation import CellCrossover
from anonopt.operators.cells.crowding import DeterministicCrowding
from anonopt.operators.cells.leader_selection import LeaderSelection
from anonopt.operators.starting_population import StartingPopulation
from anonopt.operators.variation import new_population
from anonopt.problems.spaces import Space


class MaskingEA(EvolutionarySearch):
    """The evolutionary algorithm of Marés for masked files, for a problem of one objective.

    Made for `MaskingProblem` and `ContinuousMaskingProblem`, whose starting population and
    mutation it takes; it works on any integer genomes. Of equal seeds, runs are identical.

    Parameters
    ----------
    pop_size : int
        Most individuals of the starting population, at least 1; the population keeps its size.
    n_generations : int
        Generations after the starting population, at least 1. A termination replaces it.
    prob_mutation : float
        Probability that a generation mutates one individual, else it crosses two; in 0..1. A
        population of one is always mutated.
    prob_crossover : float, optional
        Let both operators act in each generation, by their own probabilities, in 0..1: of two
        parents, drawn as for a crossover, the children are crossed with this one or else copies,
        and then each of them is mutated with `prob_mutation`. These are the thesis's tests 1
        (with ``mutation=GrayCellMutation(prob_cell=...)`` and a `prob_mutation` of 1) and 2 in
        Section 3.5. By default either one or the other acts, as in Algorithm 5.
    n_leaders : int
        Size of the group that first parents come from, N_b of the thesis, at least 1.
    as_printed : bool
        Draw proportional to the score, Eq. 3.3 as printed, not to 1 / score.
    sampling : pymoo Sampling, Population or array (n, n_var), optional
        Starting population; by default that of the problem.
    mutation : pymoo Mutation, optional
        By default that of the space of the problem.
    crossover : pymoo Crossover, optional
        Of two parents and two children, the child of the first parent first. By default
        `CellCrossover`.
    termination : pymoo Termination or tuple, optional

    Raises
    ------
    ValueError
        If a parameter is out of its range; when the algorithm is set up, if the problem has
        several objectives (see ``nsga2`` and ``spea2`` for those).

    Examples
    --------
    >>> import numpy as np
    >>> import anonopt as ao
    >>> class Distance(ao.problems.AnonymizationProblem):
    ...     def _values(self, X):
    ...         return np.abs(X - [3, 1, 2]).sum(axis=1, keepdims=True), None
    >>> problem = Distance(
    ...     space=ao.problems.spaces.Levels(["a", "b", "c"], upper=[9, 9, 9]),
    ...     objective_names=["distance"], maximize=[False],
    ... )
    >>> result = ao.solve(problem, MaskingEA(pop_size=5, n_generations=400), seed=1)
    >>> result.front
       a  b  c  distance
    0  3  1  2       0.0
    """

    n_parents = 2

    def __init__(
        self,
        *,
        pop_size: int = 110,
        n_generations: int = 9_999,
        prob_mutation: float = 0.5,
        prob_crossover: float | None = None,
        n_leaders: int = 2,
        as_printed: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(pop_size=pop_size, n_generations=n_generations, **options)
        self.prob_mutation = check_share("prob_mutation", prob_mutation)
        self.prob_crossover = (
            None if prob_crossover is None else check_share("prob_crossover", prob_crossover)
        )
        self.selection = LeaderSelection(n_leaders=n_leaders, as_printed=as_printed)
        self.survival = DeterministicCrowding()
        self._parents = np.empty(0, dtype=np.int64)

    def _sampling(self, space: Space) -> Sampling:
        return StartingPopulation()

    def _crossover(self, space: Space) -> Crossover:
        return CellCrossover()

    def _offspring(self) -> Population:
        alone = len(self.pop) == 1
        if self.prob_crossover is not None and not alone:
            return self._crossed_and_mutated(self.prob_crossover)
        if alone or self.random_state.random() < self.prob_mutation:
            self._parents = self._selected(1)
            return self._mutated(self.pop[self._parents])
        self._parents = self._selected(2)
        return self._crossed(self._parents[np.newaxis])

    def _crossed_and_mutated(self, prob_crossover: float) -> Population:
        self._parents = self._selected(2)
        if self.random_state.random() < prob_crossover:
            children = self._crossed(self._parents[np.newaxis])
        else:
            children = new_population([one.X.copy() for one in self.pop[self._parents]])
        mutated = np.flatnonzero(self.random_state.random(len(children)) < self.prob_mutation)
        if len(mutated):
            children[mutated] = self._mutated(children[mutated])
        return children

    def _selected(self, n_parents: int) -> IntArray:
        selected = self.selection(
            self.problem, self.pop, 1, n_parents, to_pop=False, random_state=self.random_state
        )
        return np.asarray(selected[0])

    def _replace(self, children: Population) -> IntArray:
        rows = self._parents
        family = Population.merge(self.pop[rows], children)
        population = self.pop.copy()
        population[rows] = self.survival.do(self.problem, family, n_survive=len(rows))
        self.pop = population
        return rows

    def _set_optimum(self) -> None:
        # Nobody else can have become the best; of equal ones that of the population is named.
        changed = self.pop if self.opt is None else self.pop[self._parents]
        candidates = Population.merge(changed, self.opt)
        self.opt = candidates[best_first(candidates)[:1]]


def without_best(problem: Problem, X: AnyArray, share: float) -> AnyArray:
    """Leave the best individuals out of a starting population.

    Mares 2013, Section 3.5, leaves out the best 5 % or 10 % to see whether the search finds as
    good ones again. Hand the rest to `MaskingEA` as ``sampling``.

    Parameters
    ----------
    problem : pymoo Problem
        Of one objective.
    X : array (n, n_var)
        Genomes.
    share : float
        Part that is left out, in 0..1 (1 excluded): ``floor(share * n)`` individuals.

    Returns
    -------
    array
        The others, in their order.

    Raises
    ------
    ValueError
        If the share is out of its range, or the problem has several objectives.
    """
    if problem.n_obj != 1:
        raise ValueError(f"without_best: expected a problem of 1 objective, found {problem.n_obj}")
    if check_number("share", share, least=0) >= 1:
        raise ValueError(f"share: expected a number of at least 0 and below 1, found {share}")
    n_left_out = int(share * len(X))
    F = problem.evaluate(X, return_values_of=["F"])[:, 0]
    return X[np.sort(np.argsort(F, kind="stable")[n_left_out:])]
