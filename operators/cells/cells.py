"""Mutation and crossover of masked files: genomes of one category code for each cell.

A genome has as many genes as the file has cells, in row-major order, so nothing here looks at
all bounds or changes the type of the codes. The space of the problem is told
which cells of a child can differ from its parent, so that the child can be measured from what is
known of the parent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.population import Population

from anonopt._typing import AnyArray
from anonopt.operators.base import integer_genomes, own_space, probability, required_generator


class CellMutation(Mutation):
    """One cell, drawn uniformly, gets another of its categories, drawn uniformly.

    Mares 2013, Section 3.3: "randomly selecting a value and changing it by a randomly selected
    value among all valid values for the specific attribute". The value itself is not among
    those drawn; a cell that has one category only stays.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.population import Population
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=4, n_obj=1, xl=0, xu=[1, 3, 1, 3])
    >>> pop = Population.new("X", np.array([[0, 3, 1, 0]], dtype=np.int8))
    >>> child = CellMutation()(problem, pop, random_state=np.random.default_rng(3))[0]
    >>> child.X
    array([0, 3, 1, 1], dtype=int8)
    """

    def __init__(self) -> None:
        super().__init__(prob=1.0)

    def do(
        self,
        problem: Any,
        pop: Any,
        inplace: bool = False,
        *args: Any,
        random_state: np.random.Generator | None = None,
        seed: int | None = None,
        **kwargs: Any,
    ) -> Any:
        """Make a mutated copy of each individual; the given ones are not changed.

        Parameters
        ----------
        problem : pymoo Problem
            Bounds are whole numbers.
        pop : pymoo Population
        inplace : bool
            Must be False, as for the other mutations of this library.
        random_state : numpy.random.Generator
            Source of all randomness.
        seed : int, optional
            Used if ``random_state`` is not given.

        Returns
        -------
        pymoo Population of new individuals, none of them evaluated
            Genomes have the integer type of their parents.

        Raises
        ------
        ValueError
            If neither a generator nor a seed is given, the cell that is drawn is out of its
            bounds, or inplace is True.
        """
        if inplace:
            raise ValueError(f"{self.name}: expected inplace=False, found True")
        generator = required_generator(random_state, self, seed=seed)
        return _new_population([self._mutated(problem, one.X, generator) for one in pop])

    def _mutated(self, problem: Any, parent: AnyArray, generator: np.random.Generator) -> AnyArray:
        child = _integers(parent)
        cell = int(generator.integers(len(child)))
        low, high, value = int(problem.xl[cell]), int(problem.xu[cell]), int(child[cell])
        if not low <= value <= high:
            raise ValueError(f"expected a code in {low}..{high} at cell {cell}, found {value}")
        child[cell] = self._changed(value, low, high, generator)
        _note(problem, child, parent, cell, cell)
        return child

    def _changed(self, value: int, low: int, high: int, generator: np.random.Generator) -> int:
        """Another value of a cell whose values are low..high."""
        if low == high:
            return value
        drawn = int(generator.integers(low, high))
        return drawn + (drawn >= value)


class CellCrossover(Crossover):
    """Two parents swap the cells between two points, both included.

    Mares 2013, Section 3.3: the first point s is drawn uniformly from all cells, the second one
    uniformly from s to the last cell. Each child is its own parent outside of the two points.

    Parameters
    ----------
    prob : float
        Probability, per mating, to swap; otherwise the parents are copied. In 0..1.

    Raises
    ------
    ValueError
        If prob is not in 0..1.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.population import Population
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=5, n_obj=1, xl=0, xu=9)
    >>> parents = Population.new("X", np.array([[1, 2, 3, 4, 5], [6, 7, 8, 9, 0]]))
    >>> children = CellCrossover()(problem, [parents], random_state=np.random.default_rng(3))
    >>> children.get("X").tolist()
    [[6, 7, 3, 4, 5], [1, 2, 8, 9, 0]]
    """

    def __init__(self, *, prob: float = 1.0) -> None:
        super().__init__(n_parents=2, n_offsprings=2, prob=probability(prob, "prob"))

    def do(
        self,
        problem: Any,
        pop: Any,
        parents: Any = None,
        *args: Any,
        random_state: np.random.Generator | None = None,
        seed: int | None = None,
        **kwargs: Any,
    ) -> Any:
        """Make children; the parents are not changed.

        Parameters
        ----------
        problem : pymoo Problem
        pop : pymoo Population, or sequence of matings
            Individuals ``parents`` points into; without ``parents``, the two individuals of each
            mating themselves.
        parents : int array (n_matings, 2), optional
            Rows of ``pop`` that mate.
        random_state : numpy.random.Generator
            Source of all randomness.
        seed : int, optional
            Used if ``random_state`` is not given.

        Returns
        -------
        pymoo Population of 2 * n_matings new individuals
            The children of all first parents, then those of all second ones. Genomes have the
            integer type of their parents.

        Raises
        ------
        ValueError
            If neither a generator nor a seed is given, or a gene is not a whole number.
        """
        generator = required_generator(random_state, self, seed=seed)
        matings = pop if parents is None else [pop[rows] for rows in parents]
        crossed = generator.random(len(matings)) < self.prob.value
        pairs = [
            _swapped(problem, (one.X, other.X), generator) if cross else _copies(one.X, other.X)
            for (one, other), cross in zip(matings, crossed, strict=True)
        ]
        return _new_population([pair[side] for side in range(2) for pair in pairs])


def _swapped(
    problem: Any, parents: tuple[AnyArray, AnyArray], generator: np.random.Generator
) -> tuple[AnyArray, AnyArray]:
    one, other = _copies(*parents)
    first = int(generator.integers(len(one)))
    last = int(generator.integers(first, len(one)))
    swapped = slice(first, last + 1)
    one[swapped], other[swapped] = other[swapped].copy(), one[swapped].copy()
    for child, parent in zip((one, other), parents, strict=True):
        _note(problem, child, parent, first, last)
    return one, other


def _copies(one: AnyArray, other: AnyArray) -> tuple[AnyArray, AnyArray]:
    return _integers(one), _integers(other)


def _integers(genome: AnyArray) -> AnyArray:
    """Copy of a genome in its own type, or as 64-bit integers where that is none."""
    return genome.copy() if genome.dtype.kind == "i" else integer_genomes(genome)


def _note(problem: Any, child: AnyArray, parent: AnyArray, first: int, last: int) -> None:
    space = own_space(problem)
    if space is not None:
        space.note_offspring(child, parent, first, last)


def _new_population(genomes: Sequence[AnyArray]) -> Any:
    population = Population.empty(len(genomes))
    for individual, genome in zip(population, genomes, strict=True):
        individual.X = genome
    return population
