"""Duplicates: genomes recognized by a key, in one pass over a population."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.duplicate import DuplicateElimination

from anonopt._typing import AnyArray, BoolArray
from anonopt.operators.base import MAX_EXACT

DIGEST_SIZE = 16
"""Bytes of a digest."""


def genome_key(x: npt.ArrayLike) -> bytes:
    """Key of a genome: equal exactly where all genes are equal as numbers.

    Parameters
    ----------
    x : array_like of numbers, any shape
        Genes; their type does not matter: 3, 3.0 and an int32 3 are the same gene.

    Returns
    -------
    bytes
        The genes as 64-bit floats, in row-major order.

    Raises
    ------
    ValueError
        If a gene is NaN, which equals nothing, or a whole number too large to be exact.
    TypeError
        If the genes are not numbers.

    Examples
    --------
    >>> genome_key([2, 0, 1]) == genome_key(np.array([2.0, -0.0, 1.0]))
    True
    """
    genes = np.asarray(x)
    if genes.dtype.kind not in "iufb":
        raise TypeError(f"x: expected a genome of numbers, found dtype {genes.dtype}")
    numbers = genes.astype(np.float64)
    if genes.dtype.kind == "f":
        if np.isnan(numbers).any():
            raise ValueError(f"x: expected a genome without NaN, found {genes.tolist()}")
        numbers += 0.0  # -0.0 becomes 0.0, which has other bytes
    elif np.abs(numbers).max(initial=0.0) >= MAX_EXACT:
        raise ValueError(f"x: expected whole numbers below 2**53, found {genes.tolist()}")
    return numbers.tobytes()


def genome_keys(X: AnyArray) -> list[bytes]:
    """Key of each of several genomes, as :func:`genome_key` has it.

    Parameters
    ----------
    X : array of numbers (n, n_var)

    Returns
    -------
    list of n bytes

    Raises
    ------
    TypeError, ValueError
        As :func:`genome_key`.

    Examples
    --------
    >>> X = np.array([[2, 0, 1], [0, 0, 3]])
    >>> genome_keys(X) == [genome_key(x) for x in X]
    True
    """
    together = genome_key(X)
    length = len(together) // max(len(X), 1)
    return [together[start : start + length] for start in range(0, len(together), length)]


def key_digest(key: bytes | memoryview) -> bytes:
    """Digest of 16 bytes that stands for a key, however long that is.

    Parameters
    ----------
    key : bytes, or contiguous memoryview

    Returns
    -------
    bytes
        Of SHA-256: no two of a run's genomes are ever expected to share one.
    """
    return hashlib.sha256(key).digest()[:DIGEST_SIZE]


class GenomeDuplicateElimination(DuplicateElimination):
    """Remove individuals whose genome occurs earlier, or in another population.

    Equal genomes are found by their keys, in time linear in the number of individuals. The first
    of several equal ones stays.

    Parameters
    ----------
    key : function of a genome, returns bytes; optional
        By default :func:`genome_key`. For other genomes the `genome_key` method of the problem.

    Examples
    --------
    >>> from pymoo.core.population import Population
    >>> pop = Population.new("X", np.array([[0, 1], [2, 1], [0, 1]]))
    >>> GenomeDuplicateElimination().do(pop).get("X").tolist()
    [[0, 1], [2, 1]]
    >>> GenomeDuplicateElimination().do(pop, Population.new("X", np.array([[2, 1]]))).get("X")
    array([[0, 1]])
    """

    def __init__(self, *, key: Callable[[AnyArray], bytes] = genome_key) -> None:
        super().__init__()
        self.key = key

    def _do(self, pop: Any, other: Any, is_duplicate: BoolArray) -> BoolArray:
        keys = [self.key(individual.X) for individual in pop]
        if other is None:
            seen: set[bytes] = set()
            for row, key in enumerate(keys):
                is_duplicate[row] |= key in seen
                seen.add(key)
        else:
            elsewhere = {self.key(individual.X) for individual in other}
            is_duplicate |= np.array([key in elsewhere for key in keys], dtype=np.bool_)
        return is_duplicate
