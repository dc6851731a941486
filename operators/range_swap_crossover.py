"""Crossover of one parent with itself: two ranges of its genes change places."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from anonopt.operators.crossover import _IntegerCrossover
from anonopt.operators.genomes import IntArray, genomes_in_bounds, required_generator


class RangeSwapCrossover(_IntegerCrossover):
    """Swap two ranges of equal length, which do not overlap, within one matrix of a genome.

    Mares 2013, Section 4.1.2, where a single individual makes up the population. The first
    position s is drawn uniformly from all genes, the second one, r, from the other genes of
    the same matrix, and the length from ``1..min(end - s, end - r, |s - r|)``, end being the
    position after the matrix. The thesis draws the last offset of the ranges from 0 up to that
    minimum, both included, at which they would overlap by one gene.

    A problem says by ``matrix_lengths``, the numbers of genes of its matrices, where these end;
    without it a genome is one matrix. Genes that would leave their bounds stay where they are.

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

    def __init__(self) -> None:
        super().__init__(n_parents=1, n_offsprings=1, prob=1.0)

    def _do(
        self,
        problem: Any,
        X: npt.NDArray[Any],
        *args: Any,
        random_state: np.random.Generator | None = None,
        **kwargs: Any,
    ) -> IntArray:
        generator = required_generator(random_state, self)
        genomes, lower, upper = genomes_in_bounds(problem, X[0])
        lengths = np.array(getattr(problem, "matrix_lengths", (problem.n_var,)))
        ends = np.cumsum(lengths)
        for genome in genomes:
            _swap(genome, ends, lower, upper, generator)
        return genomes[np.newaxis]


def _swap(
    genome: IntArray,
    ends: IntArray,
    lower: IntArray,
    upper: IntArray,
    generator: np.random.Generator,
) -> None:
    first = int(generator.integers(len(genome)))
    matrix = int(np.searchsorted(ends, first, side="right"))
    start, end = int(ends[matrix - 1]) if matrix else 0, int(ends[matrix])
    if end - start == 1:
        return
    second = start + int(generator.integers(end - start - 1))
    second += second >= first
    length = int(generator.integers(1, 1 + min(end - first, end - second, abs(first - second))))
    one, other = np.arange(first, first + length), np.arange(second, second + length)
    fits = (lower[one] <= genome[other]) & (genome[other] <= upper[one])
    fits &= (lower[other] <= genome[one]) & (genome[one] <= upper[other])
    one, other = one[fits], other[fits]
    genome[one], genome[other] = genome[other], genome[one]
