"""A DEAP toolbox of a problem, for people who write their loop with DEAP.

F.-A. Fortin, F.-M. De Rainville, M.-A. Gardner, M. Parizeau, C. Gagné, *DEAP: Evolutionary
Algorithms Made Easy*, Journal of Machine Learning Research 13 (2012).

Decided differently from what DEAP's tutorials do, and why:

- Individuals are of a class of this module: those of ``deap.creator`` are lost in other processes.
- All that is registered draws from the numpy Generator handed in; DEAP's own operators draw from
  the global generator of ``random``.
- ``map`` evaluates all individuals of a generation in one call.
- Infeasible individuals get a fitness that every feasible one dominates, and that is the better
  the less they violate; this works with each selection of DEAP. ``ConstrainedFitness`` does not:
  it cannot be hashed, as ``selNSGA2`` needs, and lets infeasible ones dominate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from deap import base, gp, tools
from pymoo.core.population import Population

from anonopt._typing import AnyArray, FloatArray, Generator
from anonopt.measures.fronts.boxes import INFINITE
from anonopt.measures.fronts.non_dominated import front_rows
from anonopt.problems.base import AnonymizationProblem, check_problem

PENALTY = 10 * INFINITE
"""An infeasible individual has ``PENALTY * (1 + violation)`` in every objective."""

DTYPES = {int: np.int64, float: np.float64}
"""Type of an array of genomes that are numbers, by the ``vtype`` of their space."""


class MinimizedFitness(base.Fitness):  # type: ignore[misc]  # DEAP has no types
    """Fitness of minimized objectives, as pymoo has them.

    Parameters
    ----------
    n_obj : int
        Number of objectives.
    """

    def __init__(self, n_obj: int) -> None:
        self.weights = (-1.0,) * n_obj
        super().__init__()

    def __deepcopy__(self, memo: dict[int, Any]) -> MinimizedFitness:
        twin = type(self)(len(self.weights))
        twin.wvalues = self.wvalues
        return twin


class Individual(list[Any]):
    """A genome as a list of its genes, with a ``fitness``.

    Parameters
    ----------
    genome : sequence of int or float
    n_obj : int
        Number of objectives.
    """

    def __init__(self, genome: Iterable[Any] = (), *, n_obj: int) -> None:
        super().__init__(genome)
        self.fitness = MinimizedFitness(n_obj)

    def __reduce__(self) -> Any:
        # A list is made empty and then filled, which would leave out n_obj.
        return _revived, (type(self), list(self), self.fitness)


class TreeIndividual(gp.PrimitiveTree):  # type: ignore[misc]  # DEAP has no types
    """An equation as DEAP's tree, with a ``fitness``.

    Parameters
    ----------
    nodes : sequence of DEAP nodes
        In prefix order.
    n_obj : int
        Number of objectives.
    """

    def __init__(self, nodes: Iterable[Any], *, n_obj: int = 1) -> None:
        super().__init__(nodes)
        self.fitness = MinimizedFitness(n_obj)

    def __reduce__(self) -> Any:
        return _revived, (type(self), list(self), self.fitness)


AnyIndividual: TypeAlias = Individual | TreeIndividual


def deap_toolbox(problem: AnonymizationProblem, rng: Generator) -> base.Toolbox:
    """Make a DEAP toolbox for a problem of any space, with the operators of ``problem.space``.

    Individuals are lists of genes; of equations, DEAP's trees.

    Parameters
    ----------
    problem : AnonymizationProblem
    rng : numpy Generator
        Source of all randomness of the toolbox.

    Returns
    -------
    deap.base.Toolbox
        With

        - ``individual()`` and ``population(n)``: as pymoo's algorithms start; uniform distinct
          levels, masked files of many methods (there may be fewer than n), random trees, ...;
        - ``evaluate(individual)``: the minimized objectives, floats (n_obj,); in every objective
          ``1e31 * (1 + violation)`` if a constraint is violated;
        - ``map(function, individuals)``: evaluates all in one call; other functions are mapped
          one by one;
        - ``mate(one, other)`` and ``mutate(individual)``: crossover and mutation of the space, in
          place, such as single-point crossover and levels one up or down;
        - ``select(individuals, k)``: DEAP's ``selNSGA2``, for one objective ``selBest``; neither
          draws;
        - ``front(individuals)``: DataFrame of the feasible ones that none of the others dominates,
          each genome once: genes, then objectives in natural units.

    Raises
    ------
    TypeError
        If the problem or the generator are not of these types.

    Examples
    --------
    >>> import numpy as np
    >>> import anonopt as ao
    >>> problem = ao.get_problem("german-k-glm")
    >>> toolbox = ao.deap_toolbox(problem, np.random.default_rng(1))
    >>> population = toolbox.population(n=20)
    >>> for one, fitness in zip(population, toolbox.map(toolbox.evaluate, population)):
    ...     one.fitness.values = fitness
    >>> [len(toolbox.select(population, 5)), len(toolbox.select(population, 10))]
    [5, 10]
    >>> toolbox.front(population).columns.tolist()[-2:]
    ['k', 'glm']
    """
    check_problem(problem)
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng: expected a numpy Generator, found {rng!r}")
    kit = _Kit(problem, rng)
    toolbox = base.Toolbox()
    for name in ("individual", "population", "evaluate", "map", "mate", "mutate", "front"):
        toolbox.register(name, getattr(kit, name))
    toolbox.register("select", tools.selBest if problem.n_obj == 1 else tools.selNSGA2)
    return toolbox


class _Kit:
    """The functions that a toolbox registers."""

    def __init__(self, problem: AnonymizationProblem, rng: Generator) -> None:
        self.problem = problem
        self.rng = rng
        self._holds_trees = problem.space.kind == "trees"
        self._sampling = problem.space.sampling()
        self._crossover, self._mutation = problem.space.certain_operators()
        self._repair = problem.space.repair()

    def population(self, n: int) -> list[AnyIndividual]:
        sampled = self._sampling(self.problem, n, random_state=self.rng)
        n_obj = self.problem.n_obj
        if self._holds_trees:
            return [TreeIndividual(x[0], n_obj=n_obj) for x in sampled.get("X")]
        return [Individual(x.tolist(), n_obj=n_obj) for x in sampled.get("X")]

    def individual(self) -> AnyIndividual:
        return self.population(1)[0]

    def evaluate(self, individual: AnyIndividual) -> tuple[float, ...]:
        return self._evaluate_all([individual])[0]

    def map(self, function: Callable[..., Any], *sequences: Iterable[Any]) -> list[Any]:
        registered = getattr(function, "func", function)
        if registered == self.evaluate and len(sequences) == 1:
            return self._evaluate_all(list(sequences[0]))
        return list(map(function, *sequences))

    def mate(self, one: AnyIndividual, other: AnyIndividual) -> tuple[AnyIndividual, AnyIndividual]:
        parents = Population.new("X", self._genomes([one, other]))
        self._replace([one, other], self._crossover(self.problem, [parents], random_state=self.rng))
        return one, other

    def mutate(self, individual: AnyIndividual) -> tuple[AnyIndividual]:
        parent = Population.new("X", self._genomes([individual]))
        self._replace([individual], self._mutation(self.problem, parent, random_state=self.rng))
        return (individual,)

    def front(self, individuals: Sequence[AnyIndividual]) -> pd.DataFrame:
        found = self._genomes(individuals)
        # Each genome once.
        rows = {self.problem.space.key(x): row for row, x in enumerate(found)}
        X = found[list(rows.values())]
        F, violation = self._measured(X)
        best = front_rows(X, F, violation <= 0)
        return self.problem.frame(X[best], F[best])

    def _genomes(self, individuals: Sequence[AnyIndividual]) -> AnyArray:
        n_var, vtype = self.problem.space.n_var, self.problem.space.vtype
        if vtype is not object:
            if not individuals:
                return np.empty((0, n_var), dtype=DTYPES[vtype])
            genomes = np.array(individuals, dtype=DTYPES[vtype]).reshape(len(individuals), -1)
            if genomes.shape[1] != n_var:
                raise ValueError(f"individual: expected {n_var} genes, found {genomes.shape[1]}")
            return genomes
        # numpy would take genes apart that are lists, such as trees.
        genomes = np.empty((len(individuals), n_var), dtype=object)
        for row, individual in enumerate(individuals):
            for gene, value in enumerate([individual] if self._holds_trees else individual):
                genomes[row, gene] = value
        return genomes

    def _replace(self, individuals: Sequence[AnyIndividual], children: Population) -> None:
        if self._repair is not None:
            children = self._repair(self.problem, children, random_state=self.rng)
        for individual, x in zip(individuals, children.get("X"), strict=True):
            genes = x[0] if self._holds_trees else x.tolist()
            # DEAP's trees take no whole tree in place of themselves.
            list.__setitem__(individual, slice(None), genes)

    def _evaluate_all(self, individuals: Sequence[AnyIndividual]) -> list[tuple[float, ...]]:
        if not individuals:
            return []
        F, violation = self._measured(self._genomes(individuals))
        if np.abs(F).max() >= PENALTY:
            raise ValueError(
                f"objectives: expected numbers below {PENALTY:g}, from which on an individual is "
                f"taken for infeasible, found {F.flat[np.abs(F).argmax()]:g}"
            )
        penalized = PENALTY * (1 + violation[:, np.newaxis])
        return [tuple(row) for row in np.where(violation[:, np.newaxis] > 0, penalized, F).tolist()]

    def _measured(self, X: AnyArray) -> tuple[FloatArray, FloatArray]:
        F, G = self.problem.evaluate(X, return_values_of=["F", "G"])
        return F, np.maximum(G, 0).sum(axis=1)


def _revived(
    cls: type[AnyIndividual], genome: list[Any], fitness: MinimizedFitness
) -> AnyIndividual:
    individual = cls(genome, n_obj=len(fitness.weights))
    individual.fitness = fitness
    return individual
