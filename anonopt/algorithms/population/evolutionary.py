"""What the evolutionary searches of this library share."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pymoo.core.crossover import Crossover
from pymoo.core.initialization import Initialization
from pymoo.core.mutation import Mutation
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling
from pymoo.core.termination import Termination
from pymoo.termination.max_gen import MaximumGenerationTermination

from anonopt._checks import check_integer
from anonopt._typing import AnyArray, IntArray
from anonopt.algorithms.base import Search
from anonopt.algorithms.population.generations import History
from anonopt.operators.base import check_operator
from anonopt.problems.spaces import Space, space_of


class Matings(NamedTuple):
    """Who was crossed with whom in a generation.

    Attributes
    ----------
    population : pymoo Population
        Individuals that could be parents.
    parents : int64 array (n_matings, n_parents)
        Their rows.
    crossed : pymoo Population (n_parents * n_matings,)
        What crossover made, before any mutation: the first children of all matings, then the
        second ones, and so on.
    """

    population: Population
    parents: IntArray
    crossed: Population


class EvolutionarySearch(Search):
    """Base class: a first population, then offspring that replace some of it.

    Subclasses implement ``_offspring`` and ``_replace``, and name the operators they
    take by default; without that they are those of the problem's space. Operators that are
    handed in are used as they are.

    Parameters
    ----------
    pop_size : int
        Individuals of the first population.
    n_generations : int, optional
        Generations after the first population, at least 1. A termination replaces it.
    sampling : pymoo Sampling, Population, or array (n, n_var), optional
    crossover, mutation : pymoo operators, optional
    archive : object, optional
        Kept in ``archive``; pymoo offers it the individuals of each generation by ``add``.
    termination : pymoo Termination or tuple, optional
    output : pymoo Output, optional

    Attributes
    ----------
    pop_size : int
    initialization, crossover, mutation
        Once it is set up, those that are used.
    archive : object or None
    matings : Matings or None
        Those that the last children come from.
    off : pymoo Population or None
        The last children; those of matings come first, in the order of ``matings.crossed``.
    """

    n_parents: int | None = None
    """Parents and children of the crossovers that fit; None for any number of both."""

    pop: Any
    opt: Any

    def __init__(
        self,
        *,
        pop_size: int,
        n_generations: int | None,
        sampling: Sampling | Population | AnyArray | None = None,
        crossover: Crossover | None = None,
        mutation: Mutation | None = None,
        termination: Termination | tuple[Any, ...] | None = None,
        least_pop_size: int = 1,
        **options: Any,
    ) -> None:
        if n_generations is not None:
            n_generations = check_integer("n_generations", n_generations, least=1)
            if termination is None:
                termination = MaximumGenerationTermination(n_generations + 1)
        super().__init__(termination=termination, **options)
        self.pop_size = check_integer("pop_size", pop_size, least=least_pop_size)
        self._given = sampling, crossover, mutation
        if crossover is not None:
            check_operator("crossover", crossover, Crossover)
            self._check_crossover(crossover)
        if mutation is not None:
            check_operator("mutation", mutation, Mutation)
        # In place of pymoo's list of copies, which it still is.
        self.history: Any = History()

    @abstractmethod
    def _offspring(self) -> Population:
        """Make the children of a generation.

        Returns
        -------
        Population
            Of genomes, one or more, that need not be new: ``Population.new("X", genomes)``.
        """

    @abstractmethod
    def _replace(self, children: Population) -> IntArray | None:
        """Let evaluated children into the population: set ``pop``.

        Parameters
        ----------
        children : Population
            Those of ``_offspring``, in its order.

        Returns
        -------
        int64 array, or None
            The rows of the population that may have changed; None for all.
        """

    def _sampling(self, space: Space) -> Sampling:
        return space.sampling()

    def _crossover(self, space: Space) -> Crossover:
        return space.crossover()

    def _mutation(self, space: Space) -> Mutation:
        return space.mutation()

    def start(self) -> pd.DataFrame:
        """The first population: a row an individual; its objectives, and what else is known."""
        first: pd.DataFrame = self.history.first()
        return first

    def population(self) -> pd.DataFrame:
        """The population as it is now, in the form and order of :meth:`start`."""
        present: pd.DataFrame = self.history.present()
        return present

    def _begin(self, problem: Problem) -> None:
        self.history = History()
        self.matings: Matings | None = None
        self.off: Any = None
        space = space_of(problem)
        sampling, crossover, mutation = self._given
        self.initialization = Initialization(
            self._sampling(space) if sampling is None else sampling
        )
        self.crossover = self._crossover(space) if crossover is None else crossover
        self.mutation = self._mutation(space) if mutation is None else mutation
        self._check_crossover(self.crossover)
        self._repair = space.repair()

    def _check_crossover(self, crossover: Crossover) -> None:
        found = crossover.n_parents, crossover.n_offsprings
        if found[0] != found[1] or self.n_parents not in (None, found[0]):
            expected = "as many children as parents"
            if self.n_parents is not None:
                expected = f"{self.n_parents} parents and as many children"
            raise ValueError(
                f"crossover: expected {expected}, found {found[0]} parents and {found[1]} children"
            )

    def _initialize_infill(self) -> Population:
        return self.initialization.do(
            self.problem, self.pop_size, algorithm=self, random_state=self.random_state
        )

    def _initialize_advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        self.pop = infills
        self.history.start(self.problem, self.pop)

    def _infill(self) -> Population:
        children = self._offspring()
        if not isinstance(children, Population):
            raise TypeError(
                f"{type(self).__name__}._offspring: expected a Population, such as "
                f'Population.new("X", genomes), found {type(children).__name__}'
            )
        if self._repair is not None:
            children = self._repair(self.problem, children, random_state=self.random_state)
        self.off = children
        return children

    def _advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        rows = self._replace(infills)
        self.history.extend_by(self.problem, self.pop, rows)

    def _crossed(self, parents: IntArray, pop: Population | None = None) -> Population:
        """Children of matings, rows (n_matings, n_parents) of a population."""
        pop = self.pop if pop is None else pop
        crossed = self.crossover(
            self.problem, pop, parents, algorithm=self, random_state=self.random_state
        )
        self.matings = Matings(pop, parents, crossed)
        return crossed

    def _mutated(self, pop: Population) -> Population:
        """Mutated copies of individuals."""
        children = self.mutation(self.problem, pop, inplace=False, random_state=self.random_state)
        for child in children:
            # pymoo's own mutations copy what was measured along with the genome.
            child.evaluated.clear()
        return children


def best_first(pop: Population) -> IntArray:
    """Rows of individuals of one objective, by constraint violation, then by objective."""
    violation = np.maximum(pop.get("CV")[:, 0], 0)
    return np.lexsort((pop.get("F")[:, 0], violation))
