"""Masking EA: evolution of masked files, one operator a generation.

Idea: the population holds masked versions of one file, made by many protection methods. Every
generation either changes one cell of one file, or swaps a stretch of cells between one of the
best files and another one. A child takes the place of its own parent if it is not worse, so that
the best file is never lost and the files stay as diverse as they were.

Paper: J. Marés Soler, *Categorical Data Protection on Statistical Datasets and Social Networks*,
PhD thesis, UAB 2013. Algorithm 5, Sections 3.1-3.4 (search), Section 3.5 (parameters).

Decided differently, or where the thesis is silent:

- Individuals are drawn with probability proportional to 1 / score, also within the leader group.
  Eq. 3.3 as printed is proportional to the score, which prefers the worst; an option keeps it.
- Mutation and crossover are equally likely: "randomly choose between mutation and cross".
- The second parent of a crossover is another one than the first.
- Of equal scores the child survives.
- The score is the objective of the problem: `score_max` (Eq. 3.4) or `score_mean` (Eq. 3.2).
- Files that measure worse than others, or are equal, stay in the starting population.
"""

from __future__ import annotations

import operator
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
from pymoo.core.algorithm import Algorithm
from pymoo.core.crossover import Crossover
from pymoo.core.initialization import Initialization
from pymoo.core.mutation import Mutation
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling
from pymoo.core.termination import Termination
from pymoo.termination.max_gen import MaximumGenerationTermination
from pymoo.util.display.single import SingleObjectiveOutput

from anonopt._checks import check_choice
from anonopt.algorithms.growing_array import GrowingArray
from anonopt.algorithms.local.node_memory import require_one_objective
from anonopt.operators.cells.cell_variation import CellCrossover
from anonopt.operators.cells.crowding import DeterministicCrowding
from anonopt.operators.cells.leader_selection import LeaderSelection
from anonopt.operators.starting_population import StartingPopulation
from anonopt.problems.base import EXTRA, AnonymizationProblem
from anonopt.problems.spaces import space_of

FIGURES = ("IL", "DR")
"""Further values of masked files whose course is told, where the problem brings them."""

SUMMARIES = ("min", "mean", "max")


class MaskingEA(Algorithm):
    """The evolutionary algorithm of Marés for masked files, for a problem of one objective.

    Made for `MaskingProblem` and `ContinuousMaskingProblem`, whose starting population and
    mutation it takes; it works on any integer genomes. Of equal seeds, runs are identical.

    Parameters
    ----------
    pop_size : int
        Most individuals of the starting population, at least 1; the population keeps its size.
    n_generations : int
        Generations, the starting population included, at least 1. A termination replaces it.
    prob_mutation : float
        Probability that a generation mutates one individual, else it crosses two; in 0..1. A
        population of one is always mutated.
    n_leaders : int
        Size of the group that first parents come from, N_b of the thesis, at least 1.
    selection : ``"sound"`` or ``"printed"``
        Proportional to 1 / score, or to the score: Eq. 3.3 as printed.
    sampling : pymoo Sampling, or int array (n, n_var), optional
        Starting population; by default that of the problem.
    mutation : pymoo Mutation, optional
        By default that of the problem, or `CellMutation`.
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

    opt: Any
    pop: Any

    def __init__(
        self,
        *,
        pop_size: int = 110,
        n_generations: int = 10_000,
        prob_mutation: float = 0.5,
        n_leaders: int = 2,
        selection: Literal["sound", "printed"] = "sound",
        sampling: Sampling | npt.NDArray[Any] | None = None,
        mutation: Mutation | None = None,
        crossover: Crossover | None = None,
        termination: Termination | tuple[Any, ...] | None = None,
    ) -> None:
        n_generations = _at_least_one("n_generations", n_generations)
        if termination is None:
            termination = MaximumGenerationTermination(n_generations)
        super().__init__(termination=termination, output=SingleObjectiveOutput())
        self.pop_size = _at_least_one("pop_size", pop_size)
        if not 0 <= prob_mutation <= 1:
            raise ValueError(f"prob_mutation: expected 0..1; found {prob_mutation}")
        self.prob_mutation = prob_mutation
        check_choice("selection", selection, ("sound", "printed"))
        self.selection = LeaderSelection(n_leaders=n_leaders, as_printed=selection == "printed")
        self.survival = DeterministicCrowding()
        self.initialization = Initialization(StartingPopulation() if sampling is None else sampling)
        self.mutation = mutation
        self.crossover = CellCrossover() if crossover is None else crossover
        if (self.crossover.n_parents, self.crossover.n_offsprings) != (2, 2):
            raise ValueError(
                f"expected a crossover of 2 parents and 2 children; found "
                f"{self.crossover.n_parents} and {self.crossover.n_offsprings}"
            )
        self._parents = np.empty(0, dtype=np.int64)
        self._figures: dict[str, npt.NDArray[np.float64]] = {}
        self._course: dict[str, GrowingArray] = {}
        self._start = pd.DataFrame()

    def course(self) -> pd.DataFrame:
        """How the population went, generation by generation.

        Returns
        -------
        DataFrame (n_generations, ...), indexed by ``generation``
            The least, mean and largest value in the population of the objective, and of IL and
            DR where the problem brings them: columns such as ``score_max_min``, ``IL_mean``;
            natural units.
        """
        columns = {
            f"{name}_{summary}": rows.view()[:, i]
            for name, rows in self._course.items()
            for i, summary in enumerate(SUMMARIES)
        }
        course = pd.DataFrame(columns)
        return course.set_index(pd.RangeIndex(1, len(course) + 1, name="generation"))

    def start(self) -> pd.DataFrame:
        """The starting population: a row an individual, its objective, and IL and DR if known."""
        return self._start

    def population(self) -> pd.DataFrame:
        """The population as it is now, in the form and order of :meth:`start`."""
        return pd.DataFrame(self._figures)

    def _setup(self, problem: Problem, **kwargs: Any) -> None:
        require_one_objective(problem, "MaskingEA")
        if self.mutation is None:
            self.mutation = space_of(problem).mutation()

    def _initialize_infill(self) -> Population:
        return self.initialization.do(
            self.problem, self.pop_size, algorithm=self, random_state=self.random_state
        )

    def _initialize_advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        self.pop = infills
        self._figures = self._figures_of(self.pop)
        self._course = {name: GrowingArray() for name in self._figures}
        self._start = self.population()
        self._note_course()

    def _infill(self) -> Population:
        alone = len(self.pop) == 1
        if alone or self.random_state.random() < self.prob_mutation:
            self._parents = self._selected(1)
            variation: Any = self.mutation
            return variation(self.problem, self.pop[self._parents], random_state=self.random_state)
        self._parents = self._selected(2)
        return self.crossover(
            self.problem, self.pop, self._parents[np.newaxis], random_state=self.random_state
        )

    def _selected(self, n_parents: int) -> npt.NDArray[np.int64]:
        selected = self.selection(
            self.problem, self.pop, 1, n_parents, to_pop=False, random_state=self.random_state
        )
        return np.asarray(selected[0])

    def _advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        rows = self._parents
        family = Population.merge(self.pop[rows], infills)
        population = self.pop.copy()
        population[rows] = self.survival.do(self.problem, family, n_survive=len(rows))
        self.pop = population
        for name, values in self._figures_of(self.pop[rows]).items():
            self._figures[name][rows] = values
        self._note_course()

    def _set_optimum(self) -> None:
        # Nobody else can have become the best; of equal ones that of the population is named.
        changed = self.pop if self.opt is None else self.pop[self._parents]
        candidates = Population.merge(changed, self.opt)
        violation = np.maximum(candidates.get("CV")[:, 0], 0)
        self.opt = candidates[np.lexsort((candidates.get("F")[:, 0], violation))[:1]]

    def _figures_of(self, pop: Population) -> dict[str, npt.NDArray[np.float64]]:
        F = pop.get("F")
        natural = self.problem.natural(F) if hasattr(self.problem, "natural") else F
        names = getattr(self.problem, "objective_names", ("F",))
        figures = {names[0]: np.array(natural[:, 0], dtype=np.float64)}
        for name in FIGURES:
            if all(f"{EXTRA}{name}" in individual.data for individual in pop):
                figures.setdefault(name, pop.get(f"{EXTRA}{name}").astype(np.float64))
        return figures

    def _note_course(self) -> None:
        for name, values in self._figures.items():
            row = [values.min(), values.mean(), values.max()]
            self._course[name].extend(np.array([row]))


def without_best(
    problem: AnonymizationProblem, X: npt.NDArray[Any], share: float
) -> npt.NDArray[Any]:
    """Leave the best individuals out of a starting population.

    Mares 2013, Section 3.5, leaves out the best 5 % or 10 % to see whether the search finds as
    good ones again. Hand the rest to `MaskingEA` as ``sampling``.

    Parameters
    ----------
    problem : AnonymizationProblem
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
    require_one_objective(problem, "without_best")
    if not 0 <= share < 1:
        raise ValueError(f"share: expected at least 0 and below 1; found {share}")
    n_left_out = int(share * len(X))
    F = problem.evaluate(X, return_values_of=["F"])[:, 0]
    return X[np.sort(np.argsort(F, kind="stable")[n_left_out:])]


def _at_least_one(name: str, value: int) -> int:
    number = operator.index(value)
    if number < 1:
        raise ValueError(f"expected {name} of at least 1; found {value}")
    return number
