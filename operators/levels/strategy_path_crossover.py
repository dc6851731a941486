"""KGEN's crossover: children between the parents' minimum and maximum node."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
from pymoo.core.evaluator import Evaluator
from pymoo.core.individual import Individual
from pymoo.core.population import Population

from anonopt._checks import check_share
from anonopt._typing import BoolArray, Generator, IntArray
from anonopt.operators.base import integer_genomes
from anonopt.operators.variation import GenomeCrossover, new_population


@runtime_checkable
class AnswersForNodes(Protocol):
    """An algorithm that is asked itself whether nodes are feasible, so that it can count them."""

    def are_feasible(self, nodes: IntArray) -> BoolArray:
        """Whether each node, (n, n_var), is feasible, (n,)."""
        ...


class StrategyPathCrossover(GenomeCrossover):
    """Children that depend on which parents are feasible, that is, k-anonymous.

    De Pascale et al. 2022, Section 3.5. The minimum node has the lower level of the two parents
    in each column, the maximum node the higher one; every child lies between them.

    1. Both parents are feasible: the minimum node if it is feasible, else a random node between
       the minimum node and either parent.
    2. Neither is: the maximum node.
    3. One is: a random node between the minimum node and that parent.

    Where the paper names a single child, the second one is a random node between the minimum
    and the maximum node, so that a mating has two children, as the paper's count of
    evaluations has it. A random node is uniform among the nodes between two others.

    Whether a minimum node is feasible is asked in the first case only, since a node above a
    feasible one is feasible, and one below an infeasible one is not. It is asked of the
    ``algorithm``'s evaluator, so it counts as an evaluation; so does a parent that was not
    evaluated yet. Without constraints every node is feasible and nothing is evaluated.

    Parameters
    ----------
    prob : float
        Probability, per mating, to cross; otherwise the parents are copied. In 0..1.

    Raises
    ------
    ValueError
        If prob is not in 0..1.

    Examples
    --------
    Without constraints the first child is the minimum node:

    >>> import numpy as np
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=4, n_obj=1, xl=0, xu=9)
    >>> parents = Population.new("X", np.array([[1, 2, 8, 4], [5, 2, 3, 7]]))
    >>> crossover = StrategyPathCrossover(prob=1.0)
    >>> children = crossover(problem, [parents], random_state=np.random.default_rng(2))
    >>> children.get("X").tolist()
    [[1, 2, 3, 4], [1, 2, 4, 5]]
    """

    def __init__(self, *, prob: float = 0.9) -> None:
        super().__init__(n_parents=2, n_offsprings=2, prob=check_share("prob", prob))

    def _children(self, problem: Any, matings: Any, algorithm: Any, generator: Generator) -> Any:
        asked = _Feasibility(problem, algorithm)
        feasible = asked.of_parents(matings)
        parents = integer_genomes([[parent.X for parent in mating] for mating in matings])
        parents = parents.swapaxes(0, 1)
        crossed = generator.random(len(matings)) < self.prob.value
        children = _on_paths(parents, feasible, asked, generator) if crossed.any() else parents
        children = np.where(crossed[:, np.newaxis], children, parents)
        return new_population(list(children.reshape(-1, problem.n_var)))


def _on_paths(
    parents: IntArray, feasible: BoolArray, asked: _Feasibility, generator: Generator
) -> IntArray:
    """Children (2, n_matings, n_var) of parents of that shape, which are feasible or not."""
    lowest, highest = parents.min(axis=0), parents.max(axis=0)
    first = np.empty_like(lowest)
    second = _between(lowest, highest, generator)

    both: BoolArray = np.all(feasible, axis=0)
    either: BoolArray = np.any(feasible, axis=0)
    first[both] = lowest[both]
    failed = both.copy()
    failed[both] = ~asked.of_nodes(lowest[both])
    for child, parent in ((first, parents[0]), (second, parents[1])):
        child[failed] = _between(lowest[failed], parent[failed], generator)

    first[~either] = highest[~either]

    one = either & ~both
    feasible_parent = np.where(feasible[0][:, np.newaxis], parents[0], parents[1])
    first[one] = _between(lowest[one], feasible_parent[one], generator)
    return np.stack([first, second])


class _Feasibility:
    """Answers whether nodes are feasible, by the evaluator of a running algorithm."""

    def __init__(self, problem: Any, algorithm: Any) -> None:
        self._algorithm = algorithm
        self._problem = problem if algorithm is None else algorithm.problem
        self._evaluator = Evaluator() if algorithm is None else algorithm.evaluator
        self._constrained = problem.n_ieq_constr + problem.n_eq_constr > 0

    def of_parents(self, matings: Any) -> BoolArray:
        """Whether each parent is, (2, n_matings)."""
        if not self._constrained:
            return np.ones((2, len(matings)), dtype=bool)
        parents = [
            # A copy, so that the population is not changed behind its owner's back.
            parent if parent.evaluated else Individual(X=parent.X)
            for mating in matings
            for parent in mating
        ]
        return self._evaluated(Population.create(*parents)).reshape(-1, 2).T

    def of_nodes(self, nodes: IntArray) -> BoolArray:
        """Whether each node is, (n_nodes,)."""
        if not self._constrained or len(nodes) == 0:
            return np.ones(len(nodes), dtype=bool)
        if isinstance(self._algorithm, AnswersForNodes):
            return self._algorithm.are_feasible(nodes)
        return self._evaluated(Population.new("X", nodes))

    def _evaluated(self, pop: Population) -> BoolArray:
        self._evaluator.eval(self._problem, pop)
        return np.asarray(pop.get("CV")[:, 0] <= 0)


def _between(lowest: IntArray, highest: IntArray, generator: Generator) -> IntArray:
    return generator.integers(lowest, highest, endpoint=True)
