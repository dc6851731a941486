"""PBG-EA: an evolutionary generator in front of an archive of boxes.

Idea: the archive keeps one solution in each non-dominated box of objective space. Every
generation, parents are picked by binary tournament from the population and the archive
together, where a node is the worse the more its dominators dominate; children of single-point
crossover and one-level mutation are the next population, and are offered to the archive.

Paper: R. Dewri, I. Ray, I. Ray, D. Whitley, *On the Identification of Property Based
Generalizations in Microdata Anonymization*, DBSec 2010. Algorithm 2 and Section 6 (search),
Algorithm 1 and Section 5 (archive), Section 7 (parameters).

Decided where the paper is silent:

- ``P_t`` and the archive are put together as they stand: a node that is in both, or twice in
  the population, counts each time, in the dominance counts and in the tournament;
  ``counts_once=True`` takes the union as a set, which is nearer to the paper's figures.
- 100 iterations are 100 populations, the first one included, so 99 generations after it: the
  paper counts 25 x 100 = 2500 nodes that can be explored.
- The two members of a tournament differ; of two with equal fitness the first drawn wins.
- Tournament winners are paired in the order drawn, which is pairing without replacement, as the
  draws are independent. Of 25 winners the last has no partner: it goes on to mutation alone.
- A mutation that would leave the levels of a column steps inward instead ("appropriate rounding").
- The paper has no constraints. Here a smaller constraint violation dominates, equal ones are
  compared by objectives, and only feasible nodes are offered to the archive.
- A node is evaluated again whenever it comes up; a memoizing evaluator (``solve``) makes that
  free, and its count of distinct nodes is the paper's.
- Other genomes than levels, such as masked files, get the operators of their space.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling
from pymoo.core.variable import Real
from pymoo.util.optimum import filter_optimum

from anonopt._checks import check_flag, check_share
from anonopt._typing import FloatArray, Generator, IntArray
from anonopt.algorithms.population.evolutionary import EvolutionarySearch
from anonopt.measures.fronts.boxes import dominates
from anonopt.operators.archives import BoxArchive
from anonopt.problems.any_problem import maximize_of
from anonopt.problems.spaces import Space, space_of


class PBGEA(EvolutionarySearch):
    """The evolutionary algorithm of Dewri et al. for property based generalizations.

    Defaults are the paper's. The optimum (pymoo's ``opt``) is the archive; ``pop`` is the last
    population. Of equal seeds, runs are identical.

    Parameters
    ----------
    pop_size : int
        Nodes in a population, at least 2.
    eps : float or sequence of float, (n_obj,)
        Side lengths of the boxes, in the natural unit of each objective; positive.
    n_generations : int
        Generations after the first population, at least 1. A termination replaces it.
    prob_crossover : float
        Probability that a pair is crossed, else copied; in 0..1.
    prob_mutation : float, optional
        Probability that a gene of an individual changes, where the mutation of the space is one
        gene by gene; in 0..1, by default the mutation's own (1 / n_var of levels).
    sampling : pymoo Sampling, Population or array, optional
        By default that of the space; of levels, the bottom node, the top node and random ones.
    crossover : pymoo Crossover, optional
        Must make as many children as it takes parents; ``prob_crossover`` is then not used. By
        default that of the space.
    mutation : pymoo Mutation, optional
        ``prob_mutation`` is then not used. By default that of the space.
    counts_once : bool
        Whether parents are picked from population and archive as a set, in which a node that is
        in both, or twice in the population, counts once; else as often as it is there.
    archive : archive, or function of the problem that makes one; optional
        In place of a `BoxArchive` (``eps`` is then not used): an object with ``add(population)``,
        which passes over genomes it holds and returns itself, ``population()`` and a length,
        such as `ParetoArchive`.
    termination : pymoo Termination or tuple, optional

    Attributes
    ----------
    archive : BoxArchive
        The archive, once the algorithm is set up.

    Raises
    ------
    TypeError
        If `counts_once` is neither True nor False.
    ValueError
        If a parameter is out of its range, or the crossover makes another number of children;
        when the algorithm is set up, if eps does not fit the objectives.

    Examples
    --------
    >>> import numpy as np
    >>> from anonopt.runs import solve
    >>> from anonopt.problems.base import AnonymizationProblem
    >>> from anonopt.problems.spaces import Levels
    >>> class Product(AnonymizationProblem):
    ...     def _values(self, X):
    ...         return np.column_stack([X.prod(axis=1), X.sum(axis=1)]), None
    >>> problem = Product(
    ...     space=Levels(["age", "zip", "job"], upper=[5, 5, 3]),
    ...     objective_names=["privacy", "loss"], maximize=[True, False],
    ... )
    >>> result = solve(problem, PBGEA(), budget=80, seed=1)
    >>> result.front.head(1)
       age  zip  job  privacy  loss
    0    5    5    3     75.0  13.0
    """

    def __init__(
        self,
        *,
        pop_size: int = 25,
        eps: float | npt.ArrayLike = 1.0,
        n_generations: int = 99,
        prob_crossover: float = 0.8,
        prob_mutation: float | None = None,
        counts_once: bool = False,
        archive: Any | Callable[[Problem], Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(
            pop_size=pop_size, least_pop_size=2, n_generations=n_generations, **options
        )
        self.eps = eps
        self.prob_crossover = check_share("prob_crossover", prob_crossover)
        self.prob_mutation = (
            None if prob_mutation is None else check_share("prob_mutation", prob_mutation)
        )
        self.counts_once = check_flag("counts_once", counts_once)
        self._given_archive = archive

    def _sampling(self, space: Space) -> Sampling:
        return space.sampling(extremes=True)

    def _crossover(self, space: Space) -> Crossover:
        crossover = space.crossover()
        crossover.prob.set(self.prob_crossover)
        return crossover

    def _mutation(self, space: Space) -> Mutation:
        mutation = space.mutation()
        if self.prob_mutation is not None:
            mutation.prob_var = Real(self.prob_mutation)
        return mutation

    def _begin(self, problem: Problem) -> None:
        super()._begin(problem)
        archive = self._given_archive
        if archive is None:
            archive = BoxArchive(self.eps, maximize_of(problem), key=space_of(problem).key)
        self.archive = archive(problem) if callable(archive) else archive

    def advance(self, infills: Population | None = None, **kwargs: Any) -> Any:
        """As pymoo has it, but the archive is offered the individuals before the optimum is asked.

        Handed over, pymoo would offer them once more afterwards, which costs as much again.
        """
        self._children = infills
        return super().advance(**kwargs)

    def _initialize_advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        self.off = self._children
        super()._initialize_advance(self.off, **kwargs)
        self.archive.add(self.off)

    def _advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        self.off = self._children
        super()._advance(self.off, **kwargs)

    def _offspring(self) -> Population:
        # The optimum is the archive, if that has a member.
        nodes = Population.merge(self.pop, self.opt) if len(self.archive) else self.pop
        if self.counts_once:
            nodes = self._each_once(nodes)
        fitness = dominance_fitness(nodes.get("F"), nodes.get("CV")[:, 0])
        winners = binary_tournament(fitness, self.pop_size, self.random_state)
        return self._mutated(self._paired(nodes, winners))

    def _each_once(self, nodes: Population) -> Population:
        """The first individual of every genome, in their order."""
        key = space_of(self.problem).key
        first = {key(genome): row for row, genome in reversed(list(enumerate(nodes.get("X"))))}
        return nodes[sorted(first.values())]

    def _paired(self, nodes: Population, winners: IntArray) -> Population:
        """Children of winners that follow each other; who is left over comes as a copy."""
        n_parents = self.crossover.n_parents
        n_paired = len(winners) - len(winners) % n_parents
        pairs, alone = winners[:n_paired].reshape(-1, n_parents), nodes[winners[n_paired:]]
        children = self._crossed(pairs, nodes)
        return Population.merge(children, Population.new("X", alone.get("X")))

    def _replace(self, children: Population) -> None:
        self.pop = children
        self.archive.add(children)

    def _set_optimum(self) -> None:
        if len(self.archive) > 0:
            self.opt = self.archive.population()
        else:
            everything = Population.merge(self.opt, self.pop)
            self.opt = filter_optimum(everything, least_infeasible=True)


def dominance_fitness(F: FloatArray, CV: FloatArray) -> IntArray:
    """Sum, over the nodes that dominate a node, of the numbers of nodes those dominate.

    Dewri 2010, Section 6; 0 for non-dominated nodes, and lower is better. A smaller constraint
    violation dominates; equal ones are compared by their objectives.

    Parameters
    ----------
    F : float array (n, n_obj)
        Minimized objectives.
    CV : float array (n,)
        Constraint violations.

    Returns
    -------
    int64 array (n,)

    Examples
    --------
    The first point dominates the two others, the second the third:

    >>> import numpy as np
    >>> dominance_fitness(np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 1.0]]), np.zeros(3))
    array([0, 2, 3])
    """
    less_violated = CV[:, np.newaxis] < CV
    equally_violated = CV[:, np.newaxis] == CV
    dominating = less_violated | (equally_violated & dominates(F[:, np.newaxis], F))
    return np.asarray(dominating.sum(axis=1) @ dominating)


def binary_tournament(fitness: IntArray, n_select: int, generator: Generator) -> IntArray:
    """Winners of tournaments between two different members; lower fitness wins.

    Parameters
    ----------
    fitness : array (n,)
    n_select : int
        Number of tournaments.
    generator : numpy Generator

    Returns
    -------
    int64 array (n_select,)
        Rows of the winners. A single node wins them all.
    """
    n = len(fitness)
    first = generator.integers(n, size=n_select)
    if n == 1:
        return first
    second = generator.integers(n - 1, size=n_select)
    second += second >= first
    return np.where(fitness[second] < fitness[first], second, first)
