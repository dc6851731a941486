"""The base classes of crossovers and mutations.

They are pymoo's, with four promises more: randomness comes from the generator that is handed in
and from nowhere else; parents are not changed; children are new and not evaluated yet; genomes of
whole numbers are 64-bit integers. An operator of one's own is one method, which is handed the
generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.population import Population
from pymoo.core.variable import get

from anonopt._typing import AnyArray, Generator, IntArray
from anonopt.operators.base import genomes_in_bounds, integer_genomes, required_generator


class GenomeCrossover(Crossover):
    """Makes children of parents; a subclass has `_crossed`, or `_children` for whole matings.

    Parameters
    ----------
    n_parents, n_offsprings : int
        Of each mating.
    prob : float
        Probability, per mating, to cross; otherwise the parents are copied. In 0..1.
    """

    def do(
        self,
        problem: Any,
        pop: Any,
        parents: Any = None,
        *args: Any,
        algorithm: Any = None,
        random_state: Generator | None = None,
        seed: int | None = None,
        **kwargs: Any,
    ) -> Any:
        """Make children; the parents are not changed.

        Parameters
        ----------
        problem : pymoo Problem
        pop : pymoo Population, or sequence of matings
            Individuals ``parents`` points into; without ``parents``, the individuals of each
            mating themselves.
        parents : int array (n_matings, n_parents), optional
            Rows of ``pop`` that mate.
        algorithm : pymoo Algorithm, optional
            The search, for crossovers that ask its evaluator.
        random_state : numpy.random.Generator
            Source of all randomness.
        seed : int, optional
            Used if ``random_state`` is not given.

        Returns
        -------
        pymoo Population (n_offsprings * n_matings,) of new individuals, none of them evaluated
            All first children, then all second ones. Genomes are int64 arrays (n_var,); of
            masked files, of the integer type of their parents; of equations, object arrays (1,)
            of new trees.

        Raises
        ------
        ValueError
            If neither a generator nor a seed is given, or a genome is none of the problem.
        TypeError
            If random_state is no numpy Generator, or genes are of another type.
        """
        generator = required_generator(random_state, self, seed=seed)
        matings = pop if parents is None else [pop[rows] for rows in parents]
        return self._children(problem, matings, algorithm, generator)

    def _children(self, problem: Any, matings: Any, algorithm: Any, generator: Generator) -> Any:
        """Population of the children of matings; here pymoo's way, by `_crossed`."""
        return super().do(problem, matings, random_state=generator)

    def _do(
        self,
        problem: Any,
        X: AnyArray,
        *args: Any,
        random_state: Generator | None = None,
        **kwargs: Any,
    ) -> AnyArray:
        return self._crossed(problem, X, required_generator(random_state, self))

    def _crossed(self, problem: Any, X: AnyArray, generator: Generator) -> AnyArray:
        """Children (n_offsprings, n_matings, n_var) of parents (n_parents, n_matings, n_var)."""
        raise NotImplementedError


class IntegerCrossover(GenomeCrossover):
    """Crossover of genomes of whole numbers; `_crossed` is handed int64 copies."""

    def _children(self, problem: Any, matings: Any, algorithm: Any, generator: Generator) -> Any:
        children = super()._children(problem, matings, algorithm, generator)
        children.set("X", integer_genomes(children.get("X")))
        return children

    def _do(self, problem: Any, X: AnyArray, *args: Any, **kwargs: Any) -> AnyArray:
        return super()._do(problem, integer_genomes(X), *args, **kwargs)


class GenomeMutation(Mutation):
    """Makes changed copies; a subclass has `_mutated`, or `_mutants` for whole populations.

    Parameters
    ----------
    prob : float
        Probability of each individual to be changed; otherwise it is copied. In 0..1.
    """

    def do(
        self,
        problem: Any,
        pop: Any,
        inplace: bool = False,
        *args: Any,
        random_state: Generator | None = None,
        seed: int | None = None,
        **kwargs: Any,
    ) -> Any:
        """Make a mutated copy of a population; the given one is not changed.

        Parameters
        ----------
        problem : pymoo Problem
        pop : pymoo Population (n,)
        inplace : bool
            Must be False. pymoo's own mutations change the given individuals, which then keep
            objective values that are not those of their genomes.
        random_state : numpy.random.Generator
            Source of all randomness.
        seed : int, optional
            Used if ``random_state`` is not given.

        Returns
        -------
        pymoo Population (n,) of new individuals, none of them evaluated
            Genomes are int64 arrays (n_var,); of masked files, of the integer type of their
            parents; of equations, object arrays (1,) of new trees.

        Raises
        ------
        ValueError
            If neither a generator nor a seed is given, a genome is none of the problem, or
            inplace is True.
        TypeError
            If random_state is no numpy Generator, or genes are of another type.
        """
        if inplace:
            raise ValueError(f"{self.name}: expected inplace=False, found True")
        generator = required_generator(random_state, self, seed=seed)
        return self._mutants(problem, pop, generator)

    def _mutants(self, problem: Any, pop: Any, generator: Generator) -> Any:
        """Population of changed copies; here all genomes at once, by `_mutated`."""
        X = pop.get("X")
        mutated = self._mutated(problem, X, generator)
        # As pymoo has it, the individuals to change are drawn last.
        chosen = generator.random(len(pop)) <= get(self.prob)
        return new_population(
            list(np.where(chosen[:, np.newaxis], mutated, X.astype(mutated.dtype)))
        )

    def _mutated(self, problem: Any, X: AnyArray, generator: Generator) -> AnyArray:
        """Every genome as it is once changed, (n, n_var); the given ones are not changed."""
        raise NotImplementedError


class IntegerMutation(GenomeMutation):
    """Mutation of genomes of whole numbers; a subclass has `_changed`."""

    def _mutated(self, problem: Any, X: AnyArray, generator: Generator) -> IntArray:
        return self._changed(*genomes_in_bounds(problem, X), generator)

    def _changed(
        self, genomes: IntArray, lower: IntArray, upper: IntArray, generator: Generator
    ) -> IntArray:
        """Every genome as it is once changed.

        Parameters
        ----------
        genomes : int64 array (n, n_var)
            Within the bounds; a copy, which may be written to.
        lower, upper : int64 arrays (n_var,)
            Bounds of each gene, both inclusive.
        generator : numpy Generator
        """
        raise NotImplementedError


def new_population(genomes: Sequence[AnyArray]) -> Any:
    """Population of new individuals of these genomes, each an array (n_var,) of its own type."""
    population = Population.empty(len(genomes))
    for individual, genome in zip(population, genomes, strict=True):
        individual.X = genome
    return population
