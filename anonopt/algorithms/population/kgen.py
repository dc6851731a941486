"""KGEN: a genetic algorithm for k-anonymity with many quasi-identifiers.

Idea: raise the lowest levels to what each column needs on its own. Draw parents that are little
generalized and young; cross them by cases, according to which of them are k-anonymous; move a
child along its strategy path (one level) or to another one (half of the levels). The best of
parents and children survive, nodes that are not k-anonymous last.

Paper: D. De Pascale, G. Cascavilla, D. A. Tamburri, W.-J. van den Heuvel, *Real-world
K-Anonymity Applications: the KGEN approach and its evaluation in Fraudulent Transactions*, 2022.
Algorithm 1, Section 3 (search), Table 7 (parameters).

Decided differently, or where the paper is silent:

- Lower bounds hold the rows in too-small classes of one column against the whole budget: the
  paper's own rule is unsound with suppression, as it says in Section 7. An option keeps it.
- Parents are drawn with probability proportional to (1 - LOG)(1 - age / 10). Eq. 3 as printed
  prefers the most general nodes; an option keeps it.
- The second selection of Algorithm 1 (line 17) keeps the best. Drawing the survivors as the
  parents are drawn, without replacement, loses the best node; an option keeps it.
- A node is in the population once. Where fewer than ``pop_size`` nodes are known, it is smaller.
- Nodes the crossover asks about are evaluations like all others and count as such.
- Less constraint violation ranks first among infeasible nodes.
"""

from __future__ import annotations

import operator
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
from pymoo.core.algorithm import Algorithm
from pymoo.core.initialization import Initialization
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.termination import Termination
from pymoo.termination.max_eval import MaximumFunctionCallTermination
from pymoo.util.display.single import SingleObjectiveOutput

from anonopt._checks import check_choice
from anonopt.algorithms.local.node_memory import require_one_objective, search_bounds
from anonopt.operators.duplicates import GenomeDuplicateElimination
from anonopt.operators.levels.age_penalty_selection import AGE, AgePenaltySelection, ages
from anonopt.operators.levels.horizontal_mutation import HorizontalMutation, SingleStepMutation
from anonopt.operators.levels.sampling import UniformSampling
from anonopt.operators.levels.strategy_path_crossover import StrategyPathCrossover
from anonopt.problems.lattice import LatticeProblem


class KGEN(Algorithm):
    """The genetic algorithm of De Pascale et al. for a problem of one objective.

    Made for `LatticeProblem` under the fixed-k rule with the objective ``generalization_level``;
    it takes any problem of one objective on integer levels. Defaults are the paper's. Of equal
    seeds, runs are identical.

    Parameters
    ----------
    pop_size : int
        Nodes in a population, at least 2.
    n_evaluations : int
        Evaluations after which it ends, at least 1. A termination replaces it.
    prob_crossover : float
        Probability that a pair is crossed, else copied; in 0..1.
    prob_mutation : float
        Probability that one level of a child moves by one; in 0..1.
    prob_horizontal : float
        Probability that half of the levels of a child are raised and lowered; in 0..1.
    bounds : ``"sound"`` or ``"printed"``
        Lower bounds, see :func:`~anonopt.algorithms.exact.column_bounds.column_bounds`. The printed
        ones can exclude the optimum when rows may be suppressed.
    selection : ``"sound"`` or ``"printed"``
        Parents by ``(1 - LOG)(1 - age / 10)``, or by Eq. 3 as printed.
    survival : ``"best"`` or ``"drawn"``
        The best survive, or line 17 of Algorithm 1: drawn like parents, without replacement.
    termination : pymoo Termination or tuple, optional

    Raises
    ------
    ValueError
        If a parameter is out of its range; when the algorithm is set up, if the problem has
        several objectives, or its genomes are not integers with bounds.

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

    opt: Any

    def __init__(
        self,
        *,
        pop_size: int = 100,
        n_evaluations: int = 5000,
        prob_crossover: float = 0.9,
        prob_mutation: float = 0.2,
        prob_horizontal: float = 0.4,
        bounds: Literal["sound", "printed"] = "sound",
        selection: Literal["sound", "printed"] = "sound",
        survival: Literal["best", "drawn"] = "best",
        termination: Termination | tuple[Any, ...] | None = None,
    ) -> None:
        if operator.index(n_evaluations) < 1:
            raise ValueError(f"expected n_evaluations of at least 1; found {n_evaluations}")
        if termination is None:
            termination = MaximumFunctionCallTermination(n_evaluations)
        super().__init__(termination=termination, output=SingleObjectiveOutput())
        self.pop_size = operator.index(pop_size)
        if self.pop_size < 2:
            raise ValueError(f"expected pop_size of at least 2; found {pop_size}")
        check_choice("bounds", bounds, ("sound", "printed"))
        check_choice("selection", selection, ("sound", "printed"))
        check_choice("survival", survival, ("best", "drawn"))
        self.bounds = bounds
        self.survival = survival
        self.selection = AgePenaltySelection(as_printed=selection == "printed")
        self.crossover = StrategyPathCrossover(prob=prob_crossover)
        self.mutation = SingleStepMutation(prob=prob_mutation)
        self.horizontal_mutation = HorizontalMutation(prob=prob_horizontal)

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
            raise ValueError("expected a run with at least one generation; found none")
        if not isinstance(self.problem, LatticeProblem):
            raise ValueError(f"expected a LatticeProblem; found {type(self.problem).__name__}")
        return self.problem.evaluator.attribute_loss(self.opt[0].X.astype(np.int64))

    def _setup(self, problem: Problem, **kwargs: Any) -> None:
        require_one_objective(problem, "KGEN")
        lower, upper = search_bounds(problem, rule=self.bounds)
        # The operators draw levels within the raised bounds; what they make is evaluated by the
        # problem itself.
        self._space = Problem(
            n_var=problem.n_var,
            n_obj=1,
            n_ieq_constr=problem.n_ieq_constr,
            n_eq_constr=problem.n_eq_constr,
            xl=lower,
            xu=upper,
        )

    def _initialize_infill(self) -> Population:
        initialization = Initialization(
            UniformSampling(), eliminate_duplicates=GenomeDuplicateElimination()
        )
        return initialization.do(self._space, self.pop_size, random_state=self.random_state)

    def _initialize_advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        self.pop = infills

    def _infill(self) -> Population:
        n_matings = -(-self.pop_size // self.crossover.n_offsprings)
        parents = self.selection(
            # LOG is that of the lattice, not of the part of it that is searched.
            self.problem,
            self.pop,
            n_matings,
            self.crossover.n_parents,
            to_pop=False,
            random_state=self.random_state,
        )
        children = self.crossover(
            self._space, self.pop, parents, algorithm=self, random_state=self.random_state
        )
        for mutation in (self.mutation, self.horizontal_mutation):
            children = mutation(self._space, children, random_state=self.random_state)
        return children

    def _advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        population: Population = self.pop
        for parent, age in zip(population, ages(population).tolist(), strict=True):
            parent.data[AGE] = age + 1
        distinct = GenomeDuplicateElimination().do(Population.merge(population, infills))
        n_survive = min(self.pop_size, len(distinct))
        self.pop = distinct[self._survivors(distinct, n_survive)]

    def _survivors(self, pop: Population, n_survive: int) -> npt.NDArray[np.int64]:
        """Rows of the individuals that live on."""
        if self.survival == "best":
            return _best_first(pop)[:n_survive]
        probabilities = self.selection.probabilities(self.problem, pop)
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
        self.opt = everything[_best_first(everything)[:1]]


def _best_first(pop: Population) -> npt.NDArray[np.int64]:
    """Rows by constraint violation, then by objective."""
    violation = np.maximum(pop.get("CV")[:, 0], 0)
    return np.lexsort((pop.get("F")[:, 0], violation))
