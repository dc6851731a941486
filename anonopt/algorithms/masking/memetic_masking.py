"""MemeticMasking: the front of loss and risk of masked files, by crossover and descent of records.

Idea: keep masked files that no other is better than. Where two neighbours on the front of loss and
risk leave the largest gap, cross them by whole records, and let every record of the children move
to the values that make the weighted sum of loss and risk least, the weights being those by which
both parents are equally good. Almost all of loss and risk is a sum over records, so where each
record is best is known without measuring the file again.

Paper: none; a memetic algorithm (P. Moscato 1989) whose weights follow the gaps of the front, as in
J. Dubois-Lacoste, M. López-Ibáñez, T. Stützle, *Improving the Anytime Behavior of Two-Phase Local
Search*, Annals of Mathematics and Artificial Intelligence 61 (2011); the starting population is
that of J. Marés Soler, PhD thesis, UAB 2013, Section 3.5.

Decided:

- An evaluation is that of a whole file: a first one, or a child after its passes. A pass looks at
  each block of equal records and each combination of categories; what it computes for them is exact
  but for the order of the agreement patterns of probabilistic linkage, which is that before the
  pass, and is not counted. Comparisons by processor time stand beside those by evaluations.
- A gap is drawn by the area between its two ends in loss and risk. The second parent is the other
  end, or in three of ten matings any file of the front.
- Passes weight IL and DR whatever the objectives are; `score_max` and `score_mean` alone are their
  own aim. The objectives and constraints of the problem decide which files are kept.
- A child of the same objectives as a file that is kept does not enter: the order of the rows aside
  it is mostly the same file.
- Of several objectives ranks and crowding distance decide who is kept, as in NSGA-II; of one the
  best are kept.
"""

from __future__ import annotations

from typing import Any

import moocore
import numpy as np
from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt._checks import check_integer, check_share
from anonopt._typing import FloatArray, IntArray
from anonopt.algorithms.population.evolutionary import EvolutionarySearch, best_first
from anonopt.evaluation.categorical.record_costs import too_many_combinations
from anonopt.evaluation.categorical.record_passes import Aim, RecordPasses
from anonopt.operators.cells.record_variation import CategoryMutation, RecordCrossover
from anonopt.problems.files.masking import MaskingProblem
from anonopt.problems.spaces import Space

OWN_AIMS = {
    # Of files whose larger one of both is the same, less of both is better.
    "score_max": Aim(loss=0.01, risk=0.01, larger=1.0),
    "score_mean": Aim(loss=0.5, risk=0.5),
}
"""Objectives that are their own aim."""

FIGURES = ("anon_IL", "anon_DR")
"""Loss and risk, under the names by which individuals hold them."""

PROB_NEIGHBOUR = 0.7
"""Probability that the second parent is the other end of the gap."""


class MemeticMasking(EvolutionarySearch):
    """Memetic search for masked files of categories, for one objective or several.

    Of equal seeds, runs are identical, with compiled passes (extra ``fast``) and without.

    Parameters
    ----------
    pop_size : int
        Most files of the starting population and of those kept, at least 1.
    n_generations : int
        Generations after the starting population, at least 1. A termination replaces it.
    n_matings : int
        Matings of a generation, at least 1; each has two children.
    n_passes : int
        Most passes over the records of a child, at least 1.
    prob_mutation : float
        Probability that a child is mutated before its passes, in 0..1.
    sampling : pymoo Sampling, Population or array (n, n_var), optional
        Starting population; by default that of the problem.
    crossover : pymoo Crossover, optional
        Of two parents and two children; by default `RecordCrossover`.
    mutation : pymoo Mutation, optional
        By default `CategoryMutation`.
    termination : pymoo Termination or tuple, optional

    Raises
    ------
    ValueError
        If a parameter is out of its range; when it is set up, if the problem is no
        `MaskingProblem`, or its columns have too many combinations of categories.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.get_problem("german-masking", objectives=["score_max"])
    >>> result = ao.solve(problem, MemeticMasking(), budget=150, seed=1)
    >>> result.front["score_max"].item() < 20
    True
    """

    n_parents = 2

    def __init__(
        self,
        *,
        pop_size: int = 110,
        n_generations: int = 100,
        n_matings: int = 5,
        n_passes: int = 2,
        prob_mutation: float = 0.1,
        **options: Any,
    ) -> None:
        super().__init__(pop_size=pop_size, n_generations=n_generations, **options)
        self.n_matings = check_integer("n_matings", n_matings, least=1)
        self.n_passes = check_integer("n_passes", n_passes, least=1)
        self.prob_mutation = check_share("prob_mutation", prob_mutation)

    def particular_refusal(self, problem: Problem) -> str | None:
        """Why it does not take a problem of cells."""
        if not isinstance(problem, MaskingProblem):
            return f"expected a MaskingProblem, found {type(problem).__name__}"
        return too_many_combinations(problem.evaluator.plan)

    def _begin(self, problem: Problem) -> None:
        super()._begin(problem)
        evaluator = problem.evaluator
        self._passes = RecordPasses(evaluator.plan, compiled=evaluator.compiled)
        names = tuple(problem.objective_names)
        self._aim = OWN_AIMS.get(names[0]) if len(names) == 1 and not problem.constraints else None

    def _crossover(self, space: Space) -> Crossover:
        return RecordCrossover()

    def _mutation(self, space: Space) -> Mutation:
        return CategoryMutation()

    def _offspring(self) -> Population:
        parents, aims = self._matings()
        children = self._crossed(parents)
        mutated = np.flatnonzero(self.random_state.random(len(children)) < self.prob_mutation)
        if len(mutated):
            children[mutated] = self._mutated(children[mutated])
        space = self.problem.space
        # All first children come before the second ones.
        for child, aim in zip(children, [*aims, *aims], strict=True):
            file = child.X.reshape(space.shape)
            moved = self._passes.moved(file, aim, self.random_state, n_passes=self.n_passes)
            child.X = moved.reshape(-1).astype(space.dtype)
        return children

    def _matings(self) -> tuple[IntArray, list[Aim]]:
        """Rows of the parents, (n_matings, 2), and what the children of each aim at."""
        generator, n = self.random_state, self.n_matings
        if self._aim is not None:
            return generator.integers(len(self.pop), size=(n, 2)), [self._aim] * n
        rows, figures = self._front()
        if len(rows) == 1:
            return np.repeat(rows, 2 * n).reshape(n, 2), [Aim(loss=0.5, risk=0.5)] * n
        gaps = np.abs(np.diff(figures, axis=0))
        areas = gaps.prod(axis=1)
        drawn = generator.choice(len(gaps), size=n, p=areas / areas.sum())
        ends = rows[np.column_stack([drawn, drawn + 1])]
        parents = np.where(generator.random((n, 1)) < 0.5, ends, ends[:, ::-1])
        others = generator.random(n) >= PROB_NEIGHBOUR
        parents[others, 1] = generator.choice(rows, size=int(others.sum()))
        weights = gaps[drawn] / gaps[drawn].sum(axis=1, keepdims=True)
        return parents, [Aim(loss=float(risk), risk=float(loss)) for loss, risk in weights]

    def _front(self) -> tuple[IntArray, FloatArray]:
        """Files of the least loss and risk: rows, and IL and DR (n, 2), by ascending loss."""
        figures = np.column_stack(
            [np.asarray(self.pop.get(name), dtype=np.float64).reshape(-1) for name in FIGURES]
        )
        rows = np.flatnonzero(moocore.is_nondominated(figures))
        rows = rows[np.argsort(figures[rows, 0], kind="stable")]
        return rows, figures[rows]

    def _replace(self, children: Population) -> IntArray | None:
        known = {one.tobytes() for one in self.pop.get("F")}
        new = []
        for row, child in enumerate(children):
            key = child.F.tobytes()
            if key not in known:
                known.add(key)
                new.append(row)
        self.pop = self._survivors(Population.merge(self.pop, children[new]))
        return None

    def _survivors(self, pop: Population) -> Population:
        if len(pop) <= self.pop_size:
            return pop
        if self.problem.n_obj == 1:
            return pop[best_first(pop)[: self.pop_size]]
        # pymoo's survival loads matplotlib, which takes longer than most searches.
        from pymoo.operators.survival.rank_and_crowding import RankAndCrowding

        return RankAndCrowding().do(
            self.problem, pop, n_survive=self.pop_size, random_state=self.random_state
        )
