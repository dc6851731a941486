"""Genomes that are PRAM matrices: how numbers and genes become each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from anonopt._typing import FloatArray
from anonopt.data.columns.gray_codes import gray_decode, gray_encode

Encoding = Literal["gray", "simplex"]
ENCODINGS = ("gray", "simplex")

SCALE = 1000
BITS = 10
"""Gray-coded genes are thousandths, of 10 bits: 0..1023 (Mares 2013, Section 4.1.1)."""


class MatrixGenomes:
    """Matrices as one genome: their cells in row-major order, one matrix after the other.

    Parameters
    ----------
    sizes : sequence of int
        Categories of each matrix.
    encoding : ``"gray"`` or ``"simplex"``
        ``"gray"``: genes are the Gray codes of the integer part of probability times 1000,
        whole numbers 0..1023. ``"simplex"``: genes are the probabilities themselves, numbers
        0..1. In both, a row of a matrix is its genes divided by their sum, and a row of zeros
        is the identity's.

    Raises
    ------
    ValueError
        If the encoding is unknown.

    Examples
    --------
    Mares 2013, Figure 4.1, middle row:

    >>> genomes = MatrixGenomes([3], "gray")
    >>> x = genomes.encode([[[0.185, 0.283, 0.532], [0.609, 0.089, 0.302], [0.002, 0.277, 0.721]]])
    >>> [f"{gene:010b}" for gene in x[3:6]]
    ['1101010001', '0001110101', '0110111001']
    >>> genomes.decode(x)[0][1]
    array([0.609, 0.089, 0.302])
    """

    def __init__(self, sizes: Sequence[int], encoding: Encoding) -> None:
        if encoding not in ENCODINGS:
            raise ValueError(f"encoding: expected one of {list(ENCODINGS)}, found {encoding!r}")
        self.sizes = tuple(sizes)
        self.encoding = encoding
        self.matrix_lengths = tuple(size * size for size in sizes)
        self.row_lengths = tuple(size for size in sizes for _ in range(size))
        self.n_var = sum(self.matrix_lengths)
        self.upper = (1 << BITS) - 1 if encoding == "gray" else 1

    def encode(self, matrices: Sequence[npt.ArrayLike]) -> npt.NDArray[Any]:
        """Genome of matrices.

        Parameters
        ----------
        matrices : sequence of array_like (L, L)
            Probabilities.

        Returns
        -------
        array (n_var,), int64 or float64
        """
        cells = np.concatenate([np.asarray(one, dtype=np.float64).ravel() for one in matrices])
        if self.encoding == "simplex":
            return cells
        # 0.569 * 1000 is 568.9999999999999.
        return gray_encode(np.floor(np.round(cells * SCALE, 9)).astype(np.int64))

    def decode(self, x: npt.NDArray[Any]) -> list[FloatArray]:
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
        cells = gray_decode(x) if self.encoding == "gray" else np.asarray(x, dtype=np.float64)
        wrong = ~((cells >= 0) & (cells <= self.upper))
        if wrong.any():
            gene = int(np.argmax(wrong))
            raise ValueError(
                f"expected genes in 0..{self.upper}, found {cells[gene]} at gene {gene}"
            )
        parts = np.split(cells.astype(np.float64), np.cumsum(self.matrix_lengths)[:-1])
        return [
            row_distributions(part.reshape(size, size))
            for part, size in zip(parts, self.sizes, strict=True)
        ]


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
