"""KGEN: a genetic algorithm for k-anonymity with many quasi-identifiers.

Idea: raise the lowest levels to what each column needs on its own. Draw parents that are little
generalized and young; cross them by cases, according to which of them are k-anonymous; move a
child along its strategy path (one level) or to another one (half of the levels). The best of
parents and children survive, nodes that are not k-anonymous last.

Paper: D. De Pascale, G. Cascavilla, D. A. Tamburri, W.-J. van den Heuvel, *Real-world
K-Anonymity Applications: the KGEN approach and its evaluation in Fraudulent Transactions*, 2022.
Algorithm 1, Section 3 (search), Table 7 (parameters).

Decided differently, or where the paper is silent:

- Lower bounds hold the rows in too-small classes of one column against the whole budget, as
  Table 8 does; ``bounds="no_suppression"`` is Section 3.2 to the letter. Section 7 calls the
  reduction unsound with suppression, which the first rule is not.
- Parents are drawn with probability proportional to (1 - LOG)(1 - age / 10). Eq. 3 as printed
  prefers the most general nodes.
- The second selection of Algorithm 1 (line 17) keeps the best. Drawing the survivors as the
  parents are drawn, without replacement, loses the best node.
- Nodes the crossover asks about are evaluations like all others and count as such. The paper
  counts two a mating, those of the children: "a single evaluation run in KGEN analyzes more than
  one single node" (Section 6). ``counts_tests=False`` is its way of counting.
- ``as_printed=True`` keeps these three (parents, survivors, counting) as the paper has them.
- A node is in the population once. Where fewer than ``pop_size`` nodes are known, it is smaller.
- The first population counts; whether the paper's does, it does not say.
- Less constraint violation ranks first among infeasible nodes.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
from pymoo.core.crossover import Crossover
from pymoo.core.initialization import Initialization
from pymoo.core.mutation import Mutation
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling
from pymoo.termination.max_eval import MaximumFunctionCallTermination

from anonopt._checks import check_choice, check_flag, check_share
from anonopt._typing import BoolArray, IntArray
from anonopt.algorithms.local.node_memory import search_bounds
from anonopt.algorithms.node_tests import TESTS_USED_UP, TestingSearch
from anonopt.algorithms.population.evolutionary import EvolutionarySearch, Matings, best_first
from anonopt.evaluation.lattice.column_bounds import LevelBounds, check_level_bounds
from anonopt.operators.duplicates import GenomeDuplicateElimination
from anonopt.operators.levels.age_penalty_selection import AGE, AgePenaltySelection, ages
from anonopt.operators.levels.horizontal_mutation import HorizontalMutation, SingleStepMutation
from anonopt.operators.levels.sampling import UniformSampling
from anonopt.operators.levels.strategy_path_crossover import StrategyPathCrossover
from anonopt.optima.node_search import NoTestLeft
from anonopt.problems.any_problem import lattice_of
from anonopt.problems.lattice import LatticeProblem
from anonopt.problems.spaces import Space

N_EVALUATIONS = 5000
"""Evaluations of the paper (Table 7)."""


class KGEN(EvolutionarySearch, TestingSearch):
    """The genetic algorithm of De Pascale et al. for a problem of one objective.

    Made for `LatticeProblem` under the fixed-k rule with the objective ``generalization_level``;
    it takes any problem of one objective on levels. Defaults are the paper's. Of equal seeds,
    runs are identical.

    Parameters
    ----------
    pop_size : int
        Nodes in a population, at least 2.
    n_generations : int, optional
        Generations after the first population, at least 1; by default it ends after the 5000
        evaluations of the paper. A termination replaces it.
    prob_crossover : float
        Probability that a pair is crossed, else copied; in 0..1.
    prob_mutation : float
        Probability that one level of a child moves by one; in 0..1.
    prob_horizontal : float
        Probability that half of the levels of a child are raised and lowered; in 0..1.
    as_printed : bool
        Follow the paper to the letter: parents by Eq. 3; survivors drawn like parents; tests of
        the crossover not counted.
    bounds : ``"sound"``, ``"no_suppression"``, sequence of int (n_var,), or None
        Lowest levels, or the rule that they follow from, see
        :func:`~anonopt.evaluation.lattice.column_bounds.column_bounds`; None for the problem's
        own. The second rule can exclude the optimum when rows may be suppressed. Of problems
        without a fixed k, a rule adds nothing to their own bounds.
    counts_tests : bool, optional
        Whether nodes that the crossover asks about count as evaluations: for the 5000, for a
        termination by evaluations, and in ``result.n_evaluations``. By default they do, or as
        printed. A budget of distinct evaluations holds for all nodes either way.
    selection : AgePenaltySelection, optional
        Of parents; by default, by ``(1 - LOG)(1 - age / 10)``, or as printed.
    survival : ``"best"`` or ``"drawn"``, optional
        The best survive, or they are drawn like parents, without replacement; by default the
        best, or as printed.
    sampling : pymoo Sampling, Population or array, optional
        By default distinct uniform nodes within the lower bounds.
    crossover : pymoo Crossover, optional
        Must make as many children as it takes parents; ``prob_crossover`` is then not used. It
        is handed the algorithm, and may ask ``algorithm.are_feasible(nodes)``. By default
        `StrategyPathCrossover`.
    mutation : pymoo Mutation, optional
        Comes before the horizontal one; ``prob_mutation`` is then not used. By default
        `SingleStepMutation`.
    termination : pymoo Termination or tuple, optional
    test_budget, trace
        As in `TestingSearch`; the nodes are those the crossover asks about.

    Attributes
    ----------
    n_tests : int
        Nodes the crossover asked about.

    Raises
    ------
    TypeError
        If a flag is neither True nor False.
    ValueError
        If a parameter is out of its range; when the algorithm is set up, if the problem has
        several objectives, or its genomes are no levels.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.problems.LatticeProblem(
    ...     ao.load_dataset("adult"), ["generalization_level"], k=5, suppression=0.01
    ... )
    >>> result = ao.solve(problem, KGEN(), budget=500, seed=1)
    >>> result.front["generalization_level"].round(4).tolist()
    [0.4063]
    >>> result.algorithm.attribute_loss()["level"].tolist() == result.X[0].tolist()
    True
    """

    def __init__(
        self,
        *,
        pop_size: int = 100,
        n_generations: int | None = None,
        prob_crossover: float = 0.9,
        prob_mutation: float = 0.2,
        prob_horizontal: float = 0.4,
        as_printed: bool = False,
        bounds: LevelBounds = "sound",
        counts_tests: bool | None = None,
        selection: AgePenaltySelection | None = None,
        survival: Literal["best", "drawn"] | None = None,
        termination: Any = None,
        **options: Any,
    ) -> None:
        if termination is None and n_generations is None:
            termination = MaximumFunctionCallTermination(N_EVALUATIONS)
        super().__init__(
            pop_size=pop_size,
            least_pop_size=2,
            n_generations=n_generations,
            termination=termination,
            **options,
        )
        self.as_printed = check_flag("as_printed", as_printed)
        self.bounds = check_level_bounds(bounds)
        self.counts_tests = (
            not as_printed if counts_tests is None else check_flag("counts_tests", counts_tests)
        )
        if survival is None:
            survival = "drawn" if as_printed else "best"
        self.survival = check_choice("survival", survival, ("best", "drawn"))
        self.selection = (
            AgePenaltySelection(as_printed=as_printed) if selection is None else selection
        )
        self.prob_crossover = check_share("prob_crossover", prob_crossover)
        self.prob_mutation = check_share("prob_mutation", prob_mutation)
        self.horizontal_mutation = HorizontalMutation(
            prob=check_share("prob_horizontal", prob_horizontal)
        )

    def attribute_loss(self) -> pd.DataFrame:
        """Loss of the best node by quasi-identifier, as `LatticeEvaluator.attribute_loss`.

        Returns
        -------
        DataFrame

        Raises
        ------
        ValueError
            If nothing was evaluated yet, or the problem is no `LatticeProblem`.
        """
        if self.pop is None or len(self.pop) == 0:
            raise ValueError("expected a run with at least one generation, found none")
        lattice = lattice_of(self.problem)
        if lattice is None:
            raise ValueError(f"expected a LatticeProblem, found {type(self.problem).__name__}")
        loss: pd.DataFrame = lattice.evaluator.attribute_loss(self.opt[0].X.astype(np.int64))
        return loss

    def are_feasible(self, nodes: IntArray) -> BoolArray:
        """Evaluate nodes, (n, n_var), that have to be feasible or not; counted as tests.

        Raises
        ------
        NoTestLeft
            If they are more than the budget of tests allows; those within it are tested.
        """
        tested = Population.new("X", nodes[: self._n_tests_left(len(nodes))])
        self.evaluator.eval(self.problem, tested, count_evals=self.counts_tests, algorithm=self)
        feasible = np.asarray(tested.get("CV")[:, 0] <= 0)
        self._note_tests(nodes[: len(tested)], feasible, "minimum node of two feasible parents")
        if len(tested) < len(nodes):
            raise NoTestLeft
        return feasible

    def _sampling(self, space: Space) -> Sampling:
        return UniformSampling()

    def _crossover(self, space: Space) -> Crossover:
        return StrategyPathCrossover(prob=self.prob_crossover)

    def _mutation(self, space: Space) -> Mutation:
        return SingleStepMutation(prob=self.prob_mutation)

    def _begin(self, problem: Problem) -> None:
        super()._begin(problem)
        lower, upper = search_bounds(problem, self.bounds)
        # LOG is that of the lattice, not of the part of it that is searched.
        is_lattice = isinstance(problem, LatticeProblem)
        self._whole = Problem(
            n_var=problem.n_var,
            n_obj=1,
            xl=np.zeros(problem.n_var) if is_lattice else problem.xl,
            xu=problem.xu,
            vtype=int,
        )
        # The operators draw levels within the raised bounds; what they make is evaluated by the
        # problem itself.
        self._raised = Problem(
            n_var=problem.n_var,
            n_obj=1,
            n_ieq_constr=problem.n_ieq_constr,
            n_eq_constr=problem.n_eq_constr,
            xl=lower,
            xu=upper,
            vtype=int,
        )
        self.initialization = Initialization(
            self.initialization.sampling, eliminate_duplicates=GenomeDuplicateElimination()
        )

    def _initialize_infill(self) -> Population:
        return self.initialization.do(
            self._raised, self.pop_size, algorithm=self, random_state=self.random_state
        )

    def _infill(self) -> Population:
        try:
            return super()._infill()
        except NoTestLeft:
            self.end(TESTS_USED_UP)
            return Population.new("X", self.opt.get("X"))

    def _offspring(self) -> Population:
        n_matings = -(-self.pop_size // self.crossover.n_offsprings)
        parents = self.selection(
            self._whole,
            self.pop,
            n_matings,
            self.crossover.n_parents,
            to_pop=False,
            random_state=self.random_state,
        )
        children = self.crossover(
            self._raised, self.pop, parents, algorithm=self, random_state=self.random_state
        )
        self.matings = Matings(self.pop, parents, children)
        for mutation in (self.mutation, self.horizontal_mutation):
            children = mutation(
                self._raised, children, inplace=False, random_state=self.random_state
            )
        return children

    def _replace(self, children: Population) -> None:
        population: Population = self.pop
        for parent, age in zip(population, ages(population).tolist(), strict=True):
            parent.data[AGE] = age + 1
        distinct = GenomeDuplicateElimination().do(Population.merge(population, children))
        n_survive = min(self.pop_size, len(distinct))
        self.pop = distinct[self._survivors(distinct, n_survive)]

    def _survivors(self, pop: Population, n_survive: int) -> IntArray:
        """Rows of the individuals that live on."""
        if self.survival == "best":
            return best_first(pop)[:n_survive]
        probabilities = self.selection.probabilities(self._whole, pop)
        likely = np.flatnonzero(probabilities)
        if len(likely) < n_survive:
            # Individuals of probability 0 fill up what the others leave free.
            rest = self.random_state.permutation(np.flatnonzero(probabilities == 0))
            return np.concatenate([likely, rest[: n_survive - len(likely)]])
        drawn = self.random_state.choice(len(pop), n_survive, replace=False, p=probabilities)
        return np.asarray(drawn)

    def _set_optimum(self) -> None:
        # With drawn survivors the best node may be lost to the population.
        everything = Population.merge(self.opt, self.pop)
        self.opt = everything[best_first(everything)[:1]]
