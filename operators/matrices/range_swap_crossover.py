"""Crossover of one parent with itself: two ranges of its numbers change places."""

from __future__ import annotations

from typing import Any

import numpy as np

from anonopt._checks import check_choice
from anonopt._typing import Generator, IntArray
from anonopt.operators.base import genomes_in_bounds
from anonopt.operators.matrices.matrix_ranges import MATRICES, Matrices, matrix_ranges
from anonopt.operators.variation import IntegerCrossover


class RangeSwapCrossover(IntegerCrossover):
    """Swap two ranges of equal length, which do not overlap, within each matrix of a genome.

    Mares 2013, Section 4.1.2, where a single individual makes up the population; Algorithm 6
    changes every matrix. The first position s is drawn uniformly from the genes of the matrix,
    the second one, r, from the others, and the length from
    ``1..min(end - s, end - r, |s - r|)``, end being the position after the matrix. The thesis
    draws the last offset of the ranges from 0 up to that minimum, both included, at which they
    would overlap by one gene.

    The space of a problem says by ``matrix_lengths``, the numbers of genes of its matrices, where
    these end; without a space a genome is one matrix. Genes that would leave their bounds stay
    where they are.

    Parameters
    ----------
    matrices : ``"each"`` or ``"one"``
        ``"one"``: only the matrix changes that one gene, drawn uniformly from all, belongs to.

    Raises
    ------
    ValueError
        If `matrices` is neither.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.population import Population
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=9, n_obj=1, xl=0, xu=9)
    >>> parent = Population.new("X", np.arange(9)[np.newaxis])
    >>> child = RangeSwapCrossover()(problem, [parent], random_state=np.random.default_rng(4))[0]
    >>> child.X.tolist()
    [0, 1, 2, 3, 7, 8, 6, 4, 5]
    """

    def __init__(self, *, matrices: Matrices = "each") -> None:
        super().__init__(n_parents=1, n_offsprings=1, prob=1.0)
        self.matrices = check_choice("matrices", matrices, MATRICES)

    def _crossed(self, problem: Any, X: IntArray, generator: Generator) -> IntArray:
        genomes, lower, upper = genomes_in_bounds(problem, X[0])
        ranges = matrix_ranges(problem)
        for genome in genomes:
            for start, end in ranges if self.matrices == "each" else _drawn(ranges, generator):
                part = slice(start, end)
                _swap(genome[part], lower[part], upper[part], generator)
        return genomes[np.newaxis]


def _drawn(ranges: list[tuple[int, int]], generator: Generator) -> list[tuple[int, int]]:
    """The range of one matrix, as probable as it has genes."""
    gene = int(generator.integers(ranges[-1][1]))
    return [(start, end) for start, end in ranges if start <= gene < end]


def _swap(genes: IntArray, lower: IntArray, upper: IntArray, generator: Generator) -> None:
    """Swap two ranges of the genes of one matrix, in place."""
    size = len(genes)
    if size == 1:
        return
    first = int(generator.integers(size))
    second = int(generator.integers(size - 1))
    second += second >= first
    length = int(generator.integers(1, 1 + min(size - first, size - second, abs(first - second))))
    one, other = np.arange(first, first + length), np.arange(second, second + length)
    fits = (lower[one] <= genes[other]) & (genes[other] <= upper[one])
    fits &= (lower[other] <= genes[one]) & (genes[one] <= upper[other])
    one, other = one[fits], other[fits]
    genes[one], genes[other] = genes[other], genes[one]
