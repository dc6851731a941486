"""Similarity of two partitions of the same records, and the information loss of clusterings.

All indices count pairs of records: those together in both partitions, in one, in none. The counts
follow from the table of both labels, never from the pairs themselves. Mares 2013, Section 2.5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from anonopt._typing import IntArray


@dataclass(frozen=True)
class PairCounts:
    """Pairs of records by whether two partitions put them together.

    Attributes
    ----------
    both : int
        Together in both partitions: r.
    first, second : int
        Together in the first or second partition alone: s and t.
    neither : int
        Apart in both: u.

    Examples
    --------
    >>> PairCounts.of([0, 0, 1, 1], [0, 0, 1, 2])
    PairCounts(both=1, first=1, second=0, neither=4)
    """

    both: int
    first: int
    second: int
    neither: int

    @classmethod
    def of(cls, a: npt.ArrayLike, b: npt.ArrayLike) -> PairCounts:
        """Count the pairs of two partitions.

        Parameters
        ----------
        a, b : array_like (n_records,)
            Labels of the clusters of each record, of any kind.

        Raises
        ------
        ValueError
            If they are not of the same length, or there is no record.
        """
        labels = np.asarray(a), np.asarray(b)
        if labels[0].ndim != 1 or labels[0].shape != labels[1].shape or labels[0].size == 0:
            raise ValueError(
                f"expected two partitions of the same records, found labels of shapes "
                f"{labels[0].shape} and {labels[1].shape}"
            )
        first, second = (np.unique(part, return_inverse=True)[1].ravel() for part in labels)
        cells = first.astype(np.int64) * (int(second.max()) + 1) + second
        both = _pairs(np.unique(cells, return_counts=True)[1])
        in_first, in_second = _pairs(np.bincount(first)), _pairs(np.bincount(second))
        n = len(first)
        return cls(
            both=both,
            first=in_first - both,
            second=in_second - both,
            neither=n * (n - 1) // 2 - in_first - in_second + both,
        )


def rand_index(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Share of the pairs that both partitions treat alike, ``(r + u) / (r + s + t + u)``.

    Parameters
    ----------
    a, b : array_like (n_records,)
        Labels of the clusters of each record.

    Returns
    -------
    float
        0..1; 1 for equal partitions, and for a single record.

    Raises
    ------
    ValueError
        If they are not of the same length, or there is no record.

    Examples
    --------
    >>> round(rand_index([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.8333
    """
    return _rand(PairCounts.of(a, b))


def jaccard_index(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Pairs together in both partitions, of those together in any, ``r / (r + s + t)``.

    Parameters
    ----------
    a, b : array_like (n_records,)
        Labels of the clusters of each record.

    Returns
    -------
    float
        0..1; 1 for equal partitions, also where no two records are together in either.

    Raises
    ------
    ValueError
        If they are not of the same length, or there is no record.

    Examples
    --------
    >>> jaccard_index([0, 0, 1, 1], [0, 0, 1, 2]), jaccard_index([0, 1], [1, 0])
    (0.5, 1.0)
    """
    return _jaccard(PairCounts.of(a, b))


def wallace_index(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Pairs together in both partitions, of the geometric mean of those together in each.

    ``r / sqrt(np(a) np(b))`` as printed in Mares 2013, which is the index of Fowlkes and Mallows.

    Parameters
    ----------
    a, b : array_like (n_records,)
        Labels of the clusters of each record.

    Returns
    -------
    float
        0..1; 1 for equal partitions, also where no two records are together in either, and 0
        where they are so in one of them alone.

    Raises
    ------
    ValueError
        If they are not of the same length, or there is no record.

    Examples
    --------
    >>> round(wallace_index([0, 0, 1, 1], [0, 0, 1, 2]), 4), wallace_index([0, 0], [0, 1])
    (0.7071, 0.0)
    """
    return _wallace(PairCounts.of(a, b))


def clustering_loss(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Information loss for clustering (Mares 2013, Eq. 5.3), in percent.

    Parameters
    ----------
    a, b : array_like (n_records,)
        Labels of the records' clusters in the original and in the masked file, found from the
        same starting centroids.

    Returns
    -------
    float
        ``100 * mean of 1 - Rand, 1 - Jaccard and 1 - Wallace``, 0..100, less is better.

    Raises
    ------
    ValueError
        If they are not of the same length, or there is no record.

    Examples
    --------
    >>> round(clustering_loss([0, 0, 1, 1], [0, 0, 1, 2]), 4), clustering_loss([0, 1], [5, 4])
    (31.9853, 0.0)
    """
    pairs = PairCounts.of(a, b)
    return 100 * (3 - _rand(pairs) - _jaccard(pairs) - _wallace(pairs)) / 3


def _pairs(sizes: IntArray) -> int:
    return int((sizes.astype(np.int64) * (sizes - 1) // 2).sum())


def _rand(pairs: PairCounts) -> float:
    alike = pairs.both + pairs.neither
    return _share(alike, alike + pairs.first + pairs.second)


def _jaccard(pairs: PairCounts) -> float:
    return _share(pairs.both, pairs.both + pairs.first + pairs.second)


def _wallace(pairs: PairCounts) -> float:
    first, second = pairs.both + pairs.first, pairs.both + pairs.second
    if first == second:
        return _share(pairs.both, first)
    return pairs.both / math.sqrt(first * second) if pairs.both else 0.0


def _share(part: int, whole: int) -> float:
    """A share; 1 of nothing: then both partitions are the same one."""
    return part / whole if whole else 1.0
