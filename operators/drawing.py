"""The base classes of what draws: samplings, which draw genomes, and selections, parents.

They are pymoo's; randomness comes from the generator that is handed in and from nowhere else. An
operator of one's own is one method, which is handed the generator.
"""

from __future__ import annotations

from typing import Any

from pymoo.core.sampling import Sampling
from pymoo.core.selection import Selection

from anonopt._checks import check_integer
from anonopt._typing import AnyArray, Generator, IntArray
from anonopt.operators.base import required_generator


class GenomeSampling(Sampling):
    """Makes the first population; a subclass has `_sampled`."""

    def do(
        self,
        problem: Any,
        n_samples: int,
        *args: Any,
        random_state: Generator | None = None,
        seed: int | None = None,
        **kwargs: Any,
    ) -> Any:
        """Sample a new population.

        Parameters
        ----------
        problem : pymoo Problem
        n_samples : int
            Number of genomes, 0 or more.
        random_state : numpy.random.Generator
            Source of all randomness.
        seed : int, optional
            Used if ``random_state`` is not given.

        Returns
        -------
        pymoo Population (n_samples,)
            Genomes are int64 arrays (n_var,), or what the problem's are otherwise, such as object
            arrays (1,) of trees.

        Raises
        ------
        ValueError
            If neither a generator nor a seed is given, n_samples is negative, or the operator
            is not for the genomes of the problem.
        TypeError
            If random_state is no numpy Generator, or n_samples no whole number.
        """
        generator = required_generator(random_state, self, seed=seed)
        return super().do(problem, n_samples, random_state=generator)

    def _do(
        self,
        problem: Any,
        n_samples: int,
        *args: Any,
        random_state: Generator | None = None,
        **kwargs: Any,
    ) -> AnyArray:
        generator = required_generator(random_state, self)
        return self._sampled(problem, check_integer("n_samples", n_samples, least=0), generator)

    def _sampled(self, problem: Any, n_samples: int, generator: Generator) -> AnyArray:
        """Genomes, (n_samples, n_var)."""
        raise NotImplementedError


class GenomeSelection(Selection):
    """Draws the parents of matings; a subclass has `_selected`."""

    def do(
        self,
        problem: Any,
        pop: Any,
        n_select: int,
        n_parents: int,
        to_pop: bool = True,
        *args: Any,
        random_state: Generator | None = None,
        seed: int | None = None,
        **kwargs: Any,
    ) -> Any:
        """Draw the parents of matings, each mating independently of the others.

        Parameters
        ----------
        problem : pymoo Problem
        pop : pymoo Population
            Evaluated.
        n_select : int
            Number of matings.
        n_parents : int
            Parents of a mating.
        to_pop : bool
            Return individuals instead of rows.
        random_state : numpy.random.Generator
            Source of all randomness.
        seed : int, optional
            Used if ``random_state`` is not given.

        Returns
        -------
        int64 array, or array of Individuals, (n_select, n_parents)

        Raises
        ------
        ValueError
            If neither a generator nor a seed is given.
        TypeError
            If random_state is no numpy Generator.
        """
        generator = required_generator(random_state, self, seed=seed)
        return super().do(problem, pop, n_select, n_parents, to_pop, random_state=generator)

    def _do(
        self,
        problem: Any,
        pop: Any,
        n_select: int,
        n_parents: int,
        *args: Any,
        random_state: Generator | None = None,
        **kwargs: Any,
    ) -> IntArray:
        generator = required_generator(random_state, self)
        return self._selected(problem, pop, n_select, n_parents, generator)

    def _selected(
        self, problem: Any, pop: Any, n_select: int, n_parents: int, generator: Generator
    ) -> IntArray:
        """Rows of the population, (n_select, n_parents)."""
        raise NotImplementedError
