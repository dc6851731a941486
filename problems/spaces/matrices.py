"""PRAM matrices: their cells in row-major order, one matrix after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from pymoo.core.crossover import Crossover
from pymoo.core.mutation import Mutation
from pymoo.core.repair import Repair
from pymoo.core.sampling import Sampling

from anonopt._checks import check_choice
from anonopt._typing import AnyArray, FloatArray, Generator
from anonopt.data.columns.gray_codes import gray_decode, gray_encode
from anonopt.operators.levels.crossover import SinglePointCrossover
from anonopt.operators.matrices.gray_bit_flip import GrayBitFlip
from anonopt.operators.matrices.simplex_repair import SimplexRepair
from anonopt.operators.starting_population import StartingPopulation
from anonopt.problems.spaces.base import Space

Encoding = Literal["gray", "simplex"]
ENCODINGS = ("gray", "simplex")

SCALE = 1000
BITS = 10
"""Gray-coded genes are thousandths, of 10 bits: 0..1023 (Mares 2013, Section 4.1.1)."""


class Matrices(Space):
    """Matrices as one genome.

    Parameters
    ----------
    labels : sequence of sequences of str
        Categories of each matrix.
    encoding : ``"gray"`` or ``"simplex"``
        ``"gray"``: genes are the Gray codes of the integer part of probability times 1000,
        whole numbers 0..1023. ``"simplex"``: genes are the probabilities themselves, numbers
        0..1. In both, a row of a matrix is its genes divided by their sum, and a row of zeros
        is the identity's.
    columns : sequence of str, optional
        Names of the columns that are masked, for the names of the genes.
    start : function of a numpy Generator, returns genomes (n, n_var); optional
        Matrices that a search starts with.

    Attributes
    ----------
    sizes : tuple of int
        Categories of each matrix.

    Raises
    ------
    ValueError
        If the encoding is unknown.

    Examples
    --------
    Mares 2013, Figure 4.1, middle row:

    >>> space = Matrices([["a", "b", "c"]], "gray")
    >>> x = space.encode([[[0.185, 0.283, 0.532], [0.609, 0.089, 0.302], [0.002, 0.277, 0.721]]])
    >>> [f"{gene:010b}" for gene in x[3:6]]
    ['1101010001', '0001110101', '0110111001']
    >>> space.decode(x)[0][1]
    array([0.609, 0.089, 0.302])
    """

    kind: ClassVar[str] = "matrices"

    def __init__(
        self,
        labels: Sequence[Sequence[str]],
        encoding: Encoding = "gray",
        *,
        columns: Sequence[str] = (),
        start: Callable[[Generator], AnyArray] | None = None,
    ) -> None:
        self.encoding = check_choice("encoding", encoding, ENCODINGS)
        self.vtype = int if encoding == "gray" else float
        self.sizes = tuple(map(len, labels))
        self.highest = (1 << BITS) - 1 if encoding == "gray" else 1
        self._start = start
        titles = columns or [f"matrix {i + 1}" for i in range(len(labels))]
        n_var = sum(self.matrix_lengths)
        super().__init__(
            names=[
                f"{title}: {before} -> {after}"
                for title, categories in zip(titles, labels, strict=True)
                for before in categories
                for after in categories
            ],
            lower=np.zeros(n_var),
            upper=np.full(n_var, self.highest),
        )

    @property
    def matrix_lengths(self) -> tuple[int, ...]:
        """Genes of each matrix."""
        return tuple(size * size for size in self.sizes)

    @property
    def row_lengths(self) -> tuple[int, ...]:
        """Genes of each row of the matrices."""
        return tuple(size for size in self.sizes for _ in range(size))

    def sampling(self, *, extremes: bool = False) -> Sampling:
        """The starting population."""
        return StartingPopulation()

    def crossover(self) -> Crossover:
        """Gray codes: single-point crossover. Real numbers: SBX."""
        if self.vtype is int:
            return SinglePointCrossover()
        from pymoo.operators.crossover.sbx import SBX

        return SBX(prob=0.9, eta=15)

    def mutation(self) -> Mutation:
        """Gray codes: one bit flips. Real numbers: polynomial mutation."""
        if self.vtype is int:
            return GrayBitFlip()
        from pymoo.operators.mutation.pm import PM

        return PM(eta=20)

    def repair(self) -> Repair | None:
        """Real numbers: rows that sum to 1."""
        return None if self.vtype is int else SimplexRepair()

    def starting_population(self, generator: Generator) -> AnyArray | None:
        """Genomes of named matrices: an array (n, n_var)."""
        return None if self._start is None else self._start(generator)

    def encode(self, matrices: Sequence[npt.ArrayLike]) -> AnyArray:
        """Genome of matrices; Gray codes lose all but three decimals.

        Parameters
        ----------
        matrices : sequence of array_like (L, L)
            Probabilities.

        Returns
        -------
        array (n_var,), int64 or float64
        """
        cells = np.concatenate([np.asarray(one, dtype=np.float64).ravel() for one in matrices])
        if self.vtype is float:
            return cells
        # 0.569 * 1000 is 568.9999999999999.
        return gray_encode(np.floor(np.round(cells * SCALE, 9)).astype(np.int64))

    def decode(self, x: AnyArray) -> list[FloatArray]:
        """Matrices of a genome.

        Parameters
        ----------
        x : array (n_var,)

        Returns
        -------
        list of float arrays (L, L)
            Rows sum to 1 within 1e-12.

        Raises
        ------
        ValueError
            If a gene is not in its range.
        """
        cells = gray_decode(x) if self.vtype is int else np.asarray(x, dtype=np.float64)
        wrong = ~((cells >= 0) & (cells <= self.highest))
        if wrong.any():
            gene = int(np.argmax(wrong))
            raise ValueError(
                f"gene {self.gene_name(gene)}: expected a number in 0..{self.highest}, "
                f"found {cells[gene]}"
            )
        parts = np.split(cells.astype(np.float64), np.cumsum(self.matrix_lengths)[:-1])
        return [
            row_distributions(part.reshape(size, size))
            for part, size in zip(parts, self.sizes, strict=True)
        ]

    def describe(self) -> list[Any]:
        """What tells this space from others."""
        return [*super().describe(), self.encoding]


def row_distributions(weights: FloatArray) -> FloatArray:
    """Markov matrix of weights: each row divided by its sum, a row of zeros the identity's.

    Parameters
    ----------
    weights : float array (L, L), at least 0

    Returns
    -------
    float array (L, L)
        Rows sum to 1 within 1e-12.

    Examples
    --------
    >>> row_distributions(np.array([[1.0, 3.0], [0.0, 0.0]]))
    array([[0.25, 0.75],
           [0.  , 1.  ]])
    """
    # By the largest first: sums of the smallest numbers there are would not be normal numbers.
    largest = weights.max(axis=1, keepdims=True)
    empty = largest[:, 0] == 0
    scaled = weights / np.where(largest == 0, 1.0, largest)
    scaled[empty] = np.eye(len(weights))[empty]
    return np.asarray(scaled / scaled.sum(axis=1, keepdims=True))
