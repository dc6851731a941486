"""Draws of PRAM: category codes replaced at random by a Markov matrix, a column at a time.

Fresh draws use the alias method (Walker 1977): whatever the number of categories, one uniform
number and two look-ups a record. Draws with common random numbers use the inverse distribution
function of numbers that are sorted once, so that similar matrices give similar files. Neither
ever yields a category of probability 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonopt._typing import AnyIntArray, FloatArray, IntArray, UnsignedArray
from anonopt.data.columns.markov import checked_probabilities


@dataclass(frozen=True)
class AliasTable:
    """Every row of a Markov matrix as L urns of at most two categories each.

    Attributes
    ----------
    thresholds : float array (L * L,)
        Share of an urn's own category, row after row; 0 for categories of probability 0.
    aliases : int array (L * L,)
        The other category of each urn, in the smallest type that holds it.
    """

    thresholds: FloatArray
    aliases: UnsignedArray

    @classmethod
    def of(cls, probabilities: FloatArray) -> AliasTable:
        """Fill the urns: the poorest category is topped up from the richest, L times.

        Parameters
        ----------
        probabilities : float array (L, L)
            A Markov matrix.
        """
        size = len(probabilities)
        rows = np.arange(size)
        left = probabilities * size
        thresholds = np.ones((size, size))
        aliases = np.tile(rows, (size, 1))
        done = np.zeros((size, size), dtype=bool)
        # The last urn is the richest one: its category has a positive probability.
        for _ in range(size - 1):
            poorest = np.where(done, np.inf, left).argmin(axis=1)
            richest = np.where(done, -np.inf, left).argmax(axis=1)
            share = np.minimum(left[rows, poorest], 1.0)
            thresholds[rows, poorest] = share
            aliases[rows, poorest] = richest
            left[rows, richest] -= 1 - share
            done[rows, poorest] = True
        small = aliases.astype(np.min_scalar_type(size - 1))
        return cls(thresholds.ravel(), small.ravel())

    def draw(self, codes: AnyIntArray, generator: np.random.Generator) -> AnyIntArray:
        """Draw a category for each code.

        Parameters
        ----------
        codes : int array (n,)
        generator : numpy Generator

        Returns
        -------
        int array (n,), of the type of the aliases
        """
        size = int(np.sqrt(len(self.thresholds)))
        places = generator.random(len(codes))
        places *= size
        urns = places.astype(np.intp)
        places -= urns
        cells = codes.astype(np.intp)
        cells *= size
        cells += urns
        # The share of the urn below the threshold is its own category's.
        own = places < self.thresholds.take(cells)
        return np.where(own, urns.astype(self.aliases.dtype), self.aliases.take(cells))


def draw(
    matrix: npt.ArrayLike, codes: npt.ArrayLike, generator: np.random.Generator
) -> AnyIntArray:
    """Mask one column: replace each code by one drawn from its row of a matrix.

    Mares 2013, Section 2.3.1.

    Parameters
    ----------
    matrix : array_like (L, L)
        PRAM matrix.
    codes : int array (n,)
        AnyIntArray ``0..L - 1``.
    generator : numpy Generator

    Returns
    -------
    int array (n,)
        Of the type of the codes.

    Raises
    ------
    ValueError
        If it is no Markov matrix, or a code is none of a category.
    TypeError
        If the codes are not integers.

    Examples
    --------
    >>> draw([[0.0, 1.0], [1.0, 0.0]], np.array([0, 1, 1]), np.random.default_rng(1))
    array([1, 0, 0])
    """
    probabilities = checked_probabilities(matrix)
    given = checked_codes(codes, len(probabilities))
    return AliasTable.of(probabilities).draw(given, generator).astype(given.dtype)


def checked_codes(codes: npt.ArrayLike, n_categories: int) -> AnyIntArray:
    """AnyIntArray of one column as an array, once all are codes of categories.

    Raises
    ------
    TypeError
        If they are not integers.
    ValueError
        If they are not one column, or one is out of ``0..n_categories - 1``.
    """
    given = np.asarray(codes)
    if given.dtype.kind not in "iu":
        raise TypeError(f"codes: expected integers, found {given.dtype}")
    if given.ndim != 1:
        raise ValueError(f"codes: expected one column, found shape {given.shape}")
    wrong = (given < 0) | (given >= n_categories)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(
            f"codes: expected 0..{n_categories - 1}, found {given[row]} at position {row}"
        )
    return given


def draw_table(
    matrix: npt.ArrayLike, counts: npt.ArrayLike, generator: np.random.Generator
) -> IntArray:
    """Mask a table of counts instead of records: how often each category becomes each other.

    Distributed as the counts of a column masked by :func:`draw`, in time that does not depend
    on the number of records.

    Parameters
    ----------
    matrix : array_like (L, L)
        PRAM matrix.
    counts : int array (L,) or (L, M)
        Records of each original category, or of each one together with another column's.
    generator : numpy Generator

    Returns
    -------
    int64 array (L, L) or (L, M, L)
        Records by original category (first axis) and masked category (last axis).

    Raises
    ------
    ValueError
        If it is no Markov matrix, or the counts are no counts of its categories.

    Examples
    --------
    >>> draw_table([[0.0, 1.0], [0.5, 0.5]], [3, 0], np.random.default_rng(1))
    array([[0, 3],
           [0, 0]])
    """
    probabilities = checked_probabilities(matrix)
    given = np.asarray(counts)
    size = len(probabilities)
    if given.dtype.kind not in "iu" or given.ndim not in (1, 2) or len(given) != size:
        raise ValueError(
            f"counts: expected integers of shape ({size},) or ({size}, M), "
            f"found {given.dtype} of shape {given.shape}"
        )
    if (given < 0).any():
        raise ValueError(f"counts: expected numbers of at least 0, found {given.min()}")
    # What is left by rounding goes to the last category, so it must not be one of probability 0.
    order = probabilities.argsort(axis=1)
    # A row may sum to a little more than 1, which its only entry then is.
    ascending = np.minimum(np.take_along_axis(probabilities, order, axis=1), 1.0)
    drawn = np.empty((*given.shape, size), dtype=np.int64)
    for category, (row, places) in enumerate(zip(ascending, order, strict=True)):
        drawn[category][..., places] = generator.multinomial(given[category], row)
    return drawn


def expected_table(matrix: npt.ArrayLike, counts: npt.ArrayLike) -> FloatArray:
    """Expected records of each masked category, without drawing.

    Parameters
    ----------
    matrix : array_like (L, L)
        PRAM matrix.
    counts : array_like (L,) or (L, M)
        Records of each original category, or of each one together with another column's.

    Returns
    -------
    float array (L,) or (L, M)

    Raises
    ------
    ValueError
        If it is no Markov matrix, or the counts are not of its categories.

    Examples
    --------
    >>> expected_table([[0.7, 0.3], [0.4, 0.6]], [50, 50])
    array([55., 45.])
    """
    probabilities = checked_probabilities(matrix)
    given = np.asarray(counts, dtype=np.float64)
    if given.ndim not in (1, 2) or len(given) != len(probabilities):
        size = len(probabilities)
        raise ValueError(
            f"counts: expected shape ({size},) or ({size}, M), found shape {given.shape}"
        )
    return np.asarray(probabilities.T @ given)


class CommonDraws:
    """Draws of one column that depend on the matrix alone: the random numbers stay the same.

    Parameters
    ----------
    codes : int array (n,)
    n_categories : int
    generator : numpy Generator
        Used once, here.

    Examples
    --------
    >>> draws = CommonDraws(np.zeros(4, dtype=int), 2, np.random.default_rng(1))
    >>> [draws.draw(np.array([[1 - p, p], [0, 1]])).tolist() for p in (0.0, 0.5, 0.6, 1.0)]
    [[0, 0, 0, 0], [1, 1, 0, 1], [1, 1, 0, 1], [1, 1, 1, 1]]
    """

    def __init__(
        self, codes: AnyIntArray, n_categories: int, generator: np.random.Generator
    ) -> None:
        numbers = generator.random(len(codes))
        self._order = np.lexsort((numbers, codes))
        counts = np.bincount(codes, minlength=n_categories)
        self._numbers = np.split(numbers[self._order], np.cumsum(counts)[:-1])
        self._tiled = np.tile(np.arange(n_categories), n_categories)

    def draw(self, probabilities: FloatArray) -> IntArray:
        """Draw a category for each code of the column.

        Parameters
        ----------
        probabilities : float array (L, L)
            A Markov matrix.

        Returns
        -------
        int64 array (n,)
        """
        edges = np.cumsum(probabilities, axis=1)
        # From the last category of positive probability on, rounding must leave nothing.
        beyond = np.cumsum(probabilities[:, ::-1], axis=1)[:, ::-1]
        edges[:, :-1][beyond[:, 1:] == 0] = np.inf
        edges[:, -1] = np.inf
        ends = [
            numbers.searchsorted(row) for numbers, row in zip(self._numbers, edges, strict=True)
        ]
        lengths = np.diff(np.array(ends), axis=1, prepend=0)
        drawn = np.empty(len(self._order), dtype=np.int64)
        drawn[self._order] = np.repeat(self._tiled, lengths.ravel())
        return drawn
