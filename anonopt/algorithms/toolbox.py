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
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from deap import base, tools
from pymoo.core.population import Population

from anonopt.measures.fronts.non_dominated import front_rows
from anonopt.operators.base import integer_bounds
from anonopt.operators.levels.crossover import SinglePointCrossover
from anonopt.operators.levels.mutation import StepMutation
from anonopt.operators.levels.sampling import UniformSampling
from anonopt.problems.base import AnonymizationProblem

PENALTY = 1e15
"""An infeasible individual has ``PENALTY * (1 + violation)`` in every objective."""


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


class Individual(list[int]):
    """A genome as a list of levels, with a ``fitness``.

    Parameters
    ----------
    genome : sequence of int
    n_obj : int
        Number of objectives.
    """

    def __init__(self, genome: Iterable[int] = (), *, n_obj: int) -> None:
        super().__init__(genome)
        self.fitness = MinimizedFitness(n_obj)

    def __reduce__(self) -> Any:
        # A list is made empty and then filled, which would leave out n_obj.
        return _revived, (list(self), self.fitness)


def deap_toolbox(problem: AnonymizationProblem, rng: np.random.Generator) -> base.Toolbox:
    """Make a DEAP toolbox for a problem of integer genomes.

    Parameters
    ----------
    problem : AnonymizationProblem
        Every gene has whole bounds.
    rng : numpy Generator
        Source of all randomness of the toolbox.

    Returns
    -------
    deap.base.Toolbox
        With

        - ``individual()`` and ``population(n)``: uniform; a population is of distinct genomes
          where the search space has so many;
        - ``evaluate(individual)``: the minimized objectives, floats (n_obj,); in every objective
          ``1e15 * (1 + violation)`` if a constraint is violated;
        - ``map(function, individuals)``: evaluates all in one call; other functions are mapped
          one by one;
        - ``mate(one, other)``: single-point crossover, in place;
        - ``mutate(individual)``: each level one up or down with probability 1 / n_var, in place;
        - ``select(individuals, k)``: DEAP's ``selNSGA2``, for one objective ``selBest``; neither
          draws;
        - ``front(individuals)``: DataFrame of the feasible ones that none of the others dominates,
          each genome once: genes, then objectives in natural units.

    Raises
    ------
    TypeError
        If the problem or the generator are not of these types.
    ValueError
        If a gene has no whole bounds.

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
    if not isinstance(problem, AnonymizationProblem):
        raise TypeError(f"problem: expected an AnonymizationProblem; found {problem!r}")
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng: expected a numpy Generator; found {rng!r}")
    integer_bounds(problem)
    kit = _Kit(problem, rng)
    toolbox = base.Toolbox()
    for name in ("individual", "population", "evaluate", "map", "mate", "mutate", "front"):
        toolbox.register(name, getattr(kit, name))
    toolbox.register("select", tools.selBest if problem.n_obj == 1 else tools.selNSGA2)
    return toolbox


class _Kit:
    """The functions that a toolbox registers."""

    def __init__(self, problem: AnonymizationProblem, rng: np.random.Generator) -> None:
        self.problem = problem
        self.rng = rng
        self._sampling = UniformSampling()
        # Whether a pair mates is the loop's decision.
        self._crossover = SinglePointCrossover(prob=1.0)
        self._mutation = StepMutation()

    def population(self, n: int) -> list[Individual]:
        sampled = self._sampling(self.problem, n, random_state=self.rng)
        return [Individual(x.tolist(), n_obj=self.problem.n_obj) for x in sampled.get("X")]

    def individual(self) -> Individual:
        return self.population(1)[0]

    def evaluate(self, individual: Individual) -> tuple[float, ...]:
        return self._evaluate_all([individual])[0]

    def map(self, function: Callable[..., Any], *sequences: Iterable[Any]) -> list[Any]:
        registered = getattr(function, "func", function)
        if registered == self.evaluate and len(sequences) == 1:
            return self._evaluate_all(list(sequences[0]))
        return list(map(function, *sequences))

    def mate(self, one: Individual, other: Individual) -> tuple[Individual, Individual]:
        parents = Population.new("X", np.array([one, other], dtype=np.int64))
        children = self._crossover(self.problem, [parents], random_state=self.rng)
        one[:], other[:] = children.get("X").tolist()
        return one, other

    def mutate(self, individual: Individual) -> tuple[Individual]:
        parent = Population.new("X", np.array([individual], dtype=np.int64))
        child = self._mutation(self.problem, parent, random_state=self.rng)
        individual[:] = child.get("X")[0].tolist()
        return (individual,)

    def front(self, individuals: Sequence[Individual]) -> pd.DataFrame:
        genomes = sorted(set(map(tuple, individuals)))
        X = np.array(genomes, dtype=np.int64).reshape(-1, self.problem.n_var)
        F, violation = self._measured(X)
        best = front_rows(X, F, violation <= 0)
        return self.problem.frame(X[best], F[best])

    def _evaluate_all(self, individuals: Sequence[Individual]) -> list[tuple[float, ...]]:
        if not individuals:
            return []
        F, violation = self._measured(np.array(individuals, dtype=np.int64))
        if np.abs(F).max() >= PENALTY:
            raise ValueError(
                f"expected objectives below {PENALTY:g}, from which on an individual is taken "
                f"for infeasible; found {F.flat[np.abs(F).argmax()]:g}"
            )
        penalized = PENALTY * (1 + violation[:, np.newaxis])
        return [tuple(row) for row in np.where(violation[:, np.newaxis] > 0, penalized, F).tolist()]

    def _measured(
        self, X: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        F, G = self.problem.evaluate(X, return_values_of=["F", "G"])
        return F, np.maximum(G, 0).sum(axis=1)


def _revived(genome: list[int], fitness: MinimizedFitness) -> Individual:
    individual = Individual(genome, n_obj=len(fitness.weights))
    individual.fitness = fitness
    return individual
