"""MemeticPRAM: the front of loss and risk of PRAM matrices, by crossover of rows and gradients.

Idea: keep matrices that no others are better than. Where two neighbours on the front of loss and
risk leave the largest gap, cross them by matrices and rows, and let the children go down the
gradient of the weighted sum of expected loss and risk, the weights being those by which both
parents are equally good. Expected loss and risk are smooth functions of the cells, so where to go
is known in all cells at once, without a draw; the problem then measures the children in its own
way, by draws or expected.

Paper: none; a memetic algorithm (P. Moscato 1989) whose weights follow the gaps of the front, as in
J. Dubois-Lacoste, M. López-Ibáñez, T. Stützle, *Improving the Anytime Behavior of Two-Phase Local
Search*, Annals of Mathematics and Artificial Intelligence 61 (2011); steps of J. Kivinen, M. K.
Warmuth, *Exponentiated Gradient versus Gradient Descent for Linear Predictors*, Information and
Computation 132 (1997). Encoding and figures are those of J. Marés Soler, PhD thesis, UAB 2013,
Section 4.1.

Decided:

- An evaluation is that of matrices by the problem. Steps of the descent are not among them, and are
  counted in ``n_steps_made``: each computes expected figures and, where it is kept, their gradient,
  together two to three times the cost of expected figures.
- A gap is drawn by the area between its two ends in loss and risk. The second parent is the other
  end, or in three of ten matings any matrices of the front.
- Before its steps each row of a child is mixed with a little of the uniform one: a cell of 0 would
  stay 0.
- Steps weight IL and DR whatever the objectives are; `score_max` and `score_mean` alone are their
  own aim. The larger one of two figures leads steps to where both are equal and no further, so for
  `score_max` half of the matings aim at weights that are drawn. The objectives and constraints of
  the problem decide what is kept.
- Of several objectives ranks and crowding distance decide who is kept, as in NSGA-II; of one the
  best are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.problem import Problem

from anonopt._checks import check_integer
from anonopt._typing import AnyArray
from anonopt.algorithms.masking.memetic_search import MemeticSearch
from anonopt.evaluation.aim import Aim
from anonopt.evaluation.pram.matrix_descent import MatrixDescent
from anonopt.operators.matrices.row_variation import RowCrossover, RowMutation
from anonopt.problems.pram.matrix_rules import MatrixRules
from anonopt.problems.pram.pram import PRAMProblem
from anonopt.problems.spaces import Space

UNIFORM = 0.02
"""Share of the uniform row in every row that steps start from."""

DRAWN_WEIGHTS = 0.1, 0.9
"""Range of the drawn weights of loss, those of risk being what is left of 1."""


class MemeticPRAM(MemeticSearch):
    """Memetic search for PRAM matrices, for one objective or several.

    Of equal seeds, runs are identical.

    Parameters
    ----------
    pop_size : int
        Most matrices that are kept, at least 1.
    n_start : int
        Most matrices of the starting population, at least 1; of those of the problem they are
        evenly spread.
    n_generations : int
        Generations after the starting population, at least 1. A termination replaces it.
    n_matings : int
        Matings of a generation, at least 1; each has two children.
    n_steps : int
        Steps down the gradient of each child, at least 1.
    prob_mutation : float
        Probability that a child is mutated before its steps, in 0..1.
    sampling : pymoo Sampling, Population or array (n, n_var), optional
        Starting population; by default that of the problem.
    crossover : pymoo Crossover, optional
        Of two parents and two children; by default `RowCrossover`.
    mutation : pymoo Mutation, optional
        By default `RowMutation`.
    termination : pymoo Termination or tuple, optional

    Attributes
    ----------
    n_steps_made : int
        Steps of all children so far.

    Raises
    ------
    ValueError
        If a parameter is out of its range; when it is set up, if the problem is no `PRAMProblem` of
        Gray codes whose objectives or constraints are figures of files, has rules for its
        matrices, or its columns have too many combinations of categories.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.get_problem("german-pram", objectives=["score_mean"], expected=True)
    >>> result = ao.solve(problem, MemeticPRAM(), budget=40, seed=1)
    >>> result.front["score_mean"].item() < 18
    True
    """

    def __init__(
        self,
        *,
        pop_size: int = 50,
        n_start: int = 20,
        n_generations: int = 100,
        n_matings: int = 1,
        n_steps: int = 8,
        prob_mutation: float = 0.5,
        **options: Any,
    ) -> None:
        super().__init__(
            pop_size=pop_size,
            n_generations=n_generations,
            n_matings=n_matings,
            prob_mutation=prob_mutation,
            **options,
        )
        self.n_start = check_integer("n_start", n_start, least=1)
        self.n_steps = check_integer("n_steps", n_steps, least=1)
        self.n_steps_made = 0

    def particular_refusal(self, problem: Problem) -> str | None:
        """Why it does not take a problem of matrices."""
        if not isinstance(problem, PRAMProblem):
            return f"expected a PRAMProblem, found {type(problem).__name__}"
        if problem.rules != MatrixRules():
            return f"expected matrices without rules, found {problem.rules}"
        if not problem.measures_files:
            return f"expected figures of masked files, found {list(problem.objective_names)}"
        try:
            problem.expected_gradients()
        except ValueError as error:
            return str(error)
        return None

    def _begin(self, problem: Problem) -> None:
        super()._begin(problem)
        self.n_steps_made = 0
        gradients = problem.expected_gradients()
        loss = "IL" if self._aim is None else problem.loss
        self._descent = MatrixDescent(problem.columns, gradients, loss=loss)

    def _sampling(self, space: Space) -> Any:
        start = space.starting_population(self.random_state)
        if start is None:
            return space.sampling()
        spread = np.linspace(0, len(start) - 1, min(self.n_start, len(start)))
        return start[np.rint(spread).astype(np.int64)]

    def _crossover(self, space: Space) -> Crossover:
        return RowCrossover()

    def _mutation(self, space: Space) -> Mutation:
        return RowMutation()

    def _own_aims(self, aim: Aim) -> Sequence[Aim]:
        if not aim.larger:
            return super()._own_aims(aim)
        drawn = self.random_state.random(self.n_matings) < 0.5
        weights = self.random_state.uniform(*DRAWN_WEIGHTS, size=self.n_matings).tolist()
        return [
            Aim(loss=weight, risk=1 - weight) if other else aim
            for other, weight in zip(drawn, weights, strict=True)
        ]

    def _improved(self, genome: AnyArray, aim: Aim) -> AnyArray:
        start = [
            (1 - UNIFORM) * matrix + UNIFORM / len(matrix)
            for matrix in self.problem.space.decode(genome)
        ]
        self.n_steps_made += self.n_steps
        moved = self._descent.moved(start, aim, n_steps=self.n_steps)
        child: AnyArray = self.problem.genome(moved)
        return child
