"""Mutation and crossover of masked files: genomes of one category code for each cell.

A genome has as many genes as the file has cells, in row-major order, so nothing here looks at
all bounds or changes the type of the codes. The space of the problem is told which cells of a
child can differ from its parent, so that the child can be measured from what is known of the
parent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anonopt._checks import check_share
from anonopt._typing import AnyArray, Generator
from anonopt.operators.base import integer_genomes, own_space
from anonopt.operators.variation import GenomeCrossover, GenomeMutation, new_population


class CellMutation(GenomeMutation):
    """One cell, drawn uniformly, gets another of its categories, drawn uniformly.

    Mares 2013, Section 3.3: "randomly selecting a value and changing it by a randomly selected
    value among all valid values for the specific attribute". The value itself is not among
    those drawn; a cell that has one category only stays.

    Parameters
    ----------
    prob_cell : float, optional
        Change each cell with this probability, in 0..1, and not exactly one; what the thesis tried
        as its test 1 in Section 3.5.

    Raises
    ------
    ValueError
        If prob_cell is not in 0..1; when it mutates, if a code is out of its bounds.

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

    def __init__(self, *, prob_cell: float | None = None) -> None:
        super().__init__(prob=1.0)
        self.prob_cell = None if prob_cell is None else check_share("prob_cell", prob_cell)

    def _mutants(self, problem: Any, pop: Any, generator: Generator) -> Any:
        return new_population([self._changed_copy(problem, one.X, generator) for one in pop])

    def _changed_copy(self, problem: Any, parent: AnyArray, generator: Generator) -> AnyArray:
        child = _integers(parent)
        cells = self._drawn(len(child), generator)
        for cell in cells:
            low, high, value = int(problem.xl[cell]), int(problem.xu[cell]), int(child[cell])
            if not low <= value <= high:
                raise ValueError(
                    f"X: expected a code in {low}..{high} at cell {cell}, found {value}"
                )
            child[cell] = self._other(value, low, high, generator)
        if cells:
            _note(problem, child, parent, cells[0], cells[-1])
        return child

    def _drawn(self, n_cells: int, generator: Generator) -> list[int]:
        """Cells that are changed, in ascending order."""
        if self.prob_cell is None:
            return [int(generator.integers(n_cells))]
        drawn: list[int] = np.flatnonzero(generator.random(n_cells) < self.prob_cell).tolist()
        return drawn

    def _other(self, value: int, low: int, high: int, generator: Generator) -> int:
        """Another value of a cell whose values are low..high."""
        if low == high:
            return value
        drawn = int(generator.integers(low, high))
        return drawn + (drawn >= value)


class GrayCellMutation(CellMutation):
    """One bit of one cell, drawn uniformly, is flipped, up to its highest bit that is set.

    Genes are xors of the Gray codes of masked and original number, so the bits of a gene are those
    of the perturbation (Mares 2013, Section 3.3): of a gene of s bits, bit k of 1..s is flipped,
    k drawn uniformly. A gene of 0, an unchanged cell, gets bit 1, which makes it a neighbour of
    the original. A gene never gets longer than that, and every gene is that of a value. Where
    bounds are not those of whole bits, as in other problems, bits that lead beyond them are not
    drawn. Parameters are those of :class:`CellMutation`.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.population import Population
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=3, n_obj=1, xl=0, xu=255)
    >>> pop = Population.new("X", np.array([[0, 0b101, 0b110000]]))
    >>> mutate, rng = GrayCellMutation(), np.random.default_rng(2)
    >>> for _ in range(2):
    ...     print([f"{gene:b}" for gene in mutate(problem, pop, random_state=rng)[0].X])
    ['0', '101', '110010']
    ['1', '101', '110000']
    """

    def _other(self, value: int, low: int, high: int, generator: Generator) -> int:
        neighbours = [value ^ 1 << bit for bit in range(max(value.bit_length(), 1))]
        within = [gene for gene in neighbours if low <= gene <= high]
        return within[int(generator.integers(len(within)))] if within else value


class CellCrossover(GenomeCrossover):
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
        super().__init__(n_parents=2, n_offsprings=2, prob=check_share("prob", prob))

    def _children(self, problem: Any, matings: Any, algorithm: Any, generator: Generator) -> Any:
        crossed = generator.random(len(matings)) < self.prob.value
        pairs = [
            _swapped(problem, (one.X, other.X), generator) if cross else _copies(one.X, other.X)
            for (one, other), cross in zip(matings, crossed, strict=True)
        ]
        return new_population([pair[side] for side in range(2) for pair in pairs])


def _swapped(
    problem: Any, parents: tuple[AnyArray, AnyArray], generator: Generator
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
