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

from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.problem import Problem

from anonopt._checks import check_integer
from anonopt._typing import AnyArray
from anonopt.algorithms.masking.memetic_search import MemeticSearch
from anonopt.evaluation.aim import Aim
from anonopt.evaluation.categorical.record_costs import too_many_combinations
from anonopt.evaluation.categorical.record_passes import RecordPasses
from anonopt.operators.cells.record_variation import CategoryMutation, RecordCrossover
from anonopt.problems.files.masking import MaskingProblem
from anonopt.problems.spaces import Space


class MemeticMasking(MemeticSearch):
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
        super().__init__(
            pop_size=pop_size,
            n_generations=n_generations,
            n_matings=n_matings,
            prob_mutation=prob_mutation,
            **options,
        )
        self.n_passes = check_integer("n_passes", n_passes, least=1)

    def particular_refusal(self, problem: Problem) -> str | None:
        """Why it does not take a problem of cells."""
        if not isinstance(problem, MaskingProblem):
            return f"expected a MaskingProblem, found {type(problem).__name__}"
        return too_many_combinations(problem.evaluator.plan)

    def _begin(self, problem: Problem) -> None:
        super()._begin(problem)
        evaluator = problem.evaluator
        self._passes = RecordPasses(evaluator.plan, compiled=evaluator.compiled)

    def _crossover(self, space: Space) -> Crossover:
        return RecordCrossover()

    def _mutation(self, space: Space) -> Mutation:
        return CategoryMutation()

    def _improved(self, genome: AnyArray, aim: Aim) -> AnyArray:
        space = self.problem.space
        file = genome.reshape(space.shape)
        moved = self._passes.moved(file, aim, self.random_state, n_passes=self.n_passes)
        return moved.reshape(-1).astype(space.dtype)
