"""Mutation of matrices of Gray codes: one bit of one number is flipped."""

from __future__ import annotations

from typing import Any

import numpy as np

from anonopt._checks import check_choice
from anonopt._typing import AnyArray, Generator, IntArray
from anonopt.operators.base import genomes_in_bounds
from anonopt.operators.matrices.matrix_ranges import MATRICES, Matrices, matrix_ranges
from anonopt.operators.variation import IntegerMutation


class GrayBitFlip(IntegerMutation):
    """One bit of one gene of each matrix, both drawn uniformly, is flipped.

    Mares 2013, Section 4.1.2; Algorithm 6 changes every matrix. A gene is a Gray code above its
    lower bound, of as many bits as the range needs; genes of PRAM matrices have 10 bits and use
    all of them. Of a gene whose range is no power of 2, only bits are drawn that keep it within
    its bounds. Genes with a single value are never drawn.

    The space of a problem says by ``matrix_lengths``, the numbers of genes of its matrices, where
    these end; without a space a genome is one matrix.

    Parameters
    ----------
    matrices : ``"each"`` or ``"one"``
        ``"one"``: a single bit of the whole genome is flipped.

    Raises
    ------
    ValueError
        If `matrices` is neither.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.population import Population
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=3, n_obj=1, xl=0, xu=1023)
    >>> pop = Population.new("X", np.array([[0b0011100101, 0b0110010110, 0b1100011110]]))
    >>> child = GrayBitFlip()(problem, pop, random_state=np.random.default_rng(1))[0]
    >>> [f"{gene:010b}" for gene in child.X]
    ['0011100101', '0110110110', '1100011110']
    """

    def __init__(self, *, matrices: Matrices = "each") -> None:
        super().__init__()
        self.matrices = check_choice("matrices", matrices, MATRICES)

    def _mutated(self, problem: Any, X: AnyArray, generator: Generator) -> IntArray:
        genomes, lower, upper = genomes_in_bounds(problem, X)
        spans = upper - lower
        stretches = matrix_ranges(problem) if self.matrices == "each" else [(0, len(spans))]
        for start, end in stretches:
            places = start + np.flatnonzero(spans[start:end])
            if len(places) > 0:
                _flip(genomes, places, lower, spans, generator)
        return genomes


def _flip(
    genomes: IntArray, places: IntArray, lower: IntArray, spans: IntArray, generator: Generator
) -> None:
    """Flip one bit of each genome, in one of the genes at some places."""
    rows = np.arange(len(genomes))
    genes = places[generator.integers(len(places), size=len(rows))]
    bits = np.left_shift(1, np.arange(int(spans.max()).bit_length()))
    flipped = (genomes[rows, genes] - lower[genes])[:, np.newaxis] ^ bits
    allowed = flipped <= spans[genes][:, np.newaxis]
    # The n-th allowed bit of each gene, n drawn below their number.
    wanted = generator.integers(allowed.sum(axis=1))
    chosen = (np.cumsum(allowed, axis=1) > wanted[:, np.newaxis]).argmax(axis=1)
    genomes[rows, genes] = lower[genes] + flipped[rows, chosen]
