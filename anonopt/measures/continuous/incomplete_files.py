"""Loss and linkage of masked numeric files in which cells are missing.

A missing cell is as far from every number as the whole range of the column, and equal to another
missing cell. Statistics are those of the cells that are present, of two columns those of the rows
that have both. Without missing cells everything is as for complete files.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import scipy

from anonopt._typing import BoolArray, FloatArray, IntArray
from anonopt.measures.continuous.nearest_records import TIE
from anonopt.measures.continuous.probabilistic_loss import ProbabilisticLoss, file_statistics

FEW_PAIRS = 4096
"""Up to here all pairs of records are measured, which is faster than a tree."""


def incomplete_loss(original: FloatArray, masked: FloatArray) -> float:
    """PIL of the cells that are present: see :class:`ProbabilisticLoss`.

    Means, variances and quantiles are those of the cells of a column that are present, covariances
    and correlations those of the rows in which both cells are. A statistic that the masked file
    has no cells for is lost (100); one that the original has none for does not count.

    Parameters
    ----------
    original, masked : float arrays (n_rows, n_columns)
        NaN is missing.

    Returns
    -------
    float
        0..100, less is better; 0 if no cell of the original is present.

    Examples
    --------
    >>> x = np.array([[1.0], [2.0], [np.nan]])
    >>> incomplete_loss(x, x), incomplete_loss(x, np.full((3, 1), np.nan))
    (0.0, 100.0)
    """
    n_columns = original.shape[1]
    kinds: list[list[float]] = [[] for _ in range(5)]
    for chosen in [(j,) for j in range(n_columns)] + list(combinations(range(n_columns), 2)):
        before, after = (_present(file[:, list(chosen)]) for file in (original, masked))
        if len(before) == 0:
            continue
        if len(after) == 0:
            losses = [100.0, 100.0, 100.0]
        else:
            found = ProbabilisticLoss(before).losses(file_statistics(after))
            if len(chosen) == 1:
                parts = found.means[0], found.covariances[0, 0], found.quantiles[0].mean()
            else:
                parts = found.covariances[0, 1], found.correlations[0, 1], 0.0
            losses = [float(part) for part in parts]
        for kind, loss in zip(kinds[:3] if len(chosen) == 1 else kinds[3:], losses, strict=False):
            kind.append(loss)
    means = [float(np.mean(kind)) for kind in kinds if kind]
    return float(np.mean(means)) if means else 0.0


def _present(values: FloatArray) -> FloatArray:
    return values[~np.isnan(values).any(axis=1)]


def incomplete_distance(original: FloatArray, masked: FloatArray) -> float:
    """DBIL: mean of ``|original - masked| / range``, and 1 between a number and a missing cell.

    Parameters
    ----------
    original, masked : float arrays (n_rows, n_columns)
        NaN is missing. The range of a column is that of the numbers of both files.

    Returns
    -------
    float
        0..100, less is better.

    Examples
    --------
    >>> x = np.array([[0.0], [8.0], [np.nan], [np.nan]])
    >>> incomplete_distance(x, np.array([[0.0], [10.0], [np.nan], [2.0]]))
    30.0
    """
    absent = np.isnan(original), np.isnan(masked)
    both = np.concatenate([original, masked])
    low, high = _ends(both)
    change = np.abs(np.where(absent[0] | absent[1], 0.0, original - masked))
    shares = np.divide(change, high - low, out=np.zeros_like(change), where=high > low)
    return 100.0 * float(np.where(absent[0] != absent[1], 1.0, shares).mean())


def _ends(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Lowest and highest number of each column, 0 where there is none."""
    is_empty = np.isnan(values).all(axis=0)
    low = np.where(np.isnan(values), np.inf, values).min(axis=0)
    high = np.where(np.isnan(values), -np.inf, values).max(axis=0)
    return np.where(is_empty, 0.0, low), np.where(is_empty, 0.0, high)


class IncompleteRecords:
    """Originals nearest to masked records by the distance of standardized columns, cells missing.

    As :class:`~anonopt.measures.continuous.nearest_records.NearestRecords`, by the mean and
    deviation of the numbers of the original; between a number and a missing cell lies the range of
    the column, or a deviation if that is 0. Records with the same cells missing stand in a tree.

    Parameters
    ----------
    original : float array (n_rows, n_columns)
        NaN is missing.

    Examples
    --------
    >>> x = np.array([[0.0], [10.0], [np.nan]])
    >>> IncompleteRecords(x).ties(np.array([[9.0], [np.nan], [np.nan]])).tolist()
    [0, 0, 1]
    """

    def __init__(self, original: FloatArray) -> None:
        present = [_present(column[:, np.newaxis])[:, 0] for column in original.T]
        spread = np.array([_deviation(values) for values in present])
        low, high = _ends(original)
        self._varies = spread > 0
        self._spread = np.where(self._varies, spread, 1.0)
        self._gaps = np.where(self._varies, (high - low) / self._spread, 1.0) ** 2
        self._points = original / self._spread

    def ties(self, masked: FloatArray) -> IntArray:
        """Number of nearest originals of each masked record, 0 if its own is not among them.

        Parameters
        ----------
        masked : float array (n_rows, n_columns)

        Returns
        -------
        int64 array (n_rows,)
        """
        points = masked / self._spread
        ties = np.zeros(len(points), dtype=np.int64)
        known = list(_patterns(self._points))
        for is_absent, rows in _patterns(points):
            pairs = [
                _Pairs.of(points[rows], self._points[others], is_absent, absent_there, self)
                for absent_there, others in known
            ]
            nearest = np.min([pair.nearest() for pair in pairs], axis=0)
            reach = nearest * (1 + TIE) ** 2
            own = self._own(points[rows], self._points[rows])
            linked = np.flatnonzero(own <= reach)
            if len(linked):
                found = np.sum([pair.within(linked, reach[linked]) for pair in pairs], axis=0)
                # Rounding may put the tree's own distance a little beyond its reach.
                ties[rows[linked]] = np.maximum(found, 1)
        return ties

    def gap(self, differs: BoolArray) -> float:
        """Squared distance of columns in which one of two cells is missing."""
        return float(self._gaps[differs].sum())

    def compared(self, is_absent: BoolArray) -> BoolArray:
        """Columns in which numbers that are not absent tell records apart."""
        return self._varies & ~is_absent

    def _own(self, masked: FloatArray, original: FloatArray) -> FloatArray:
        """Squared distance of masked records to their own originals."""
        absent = np.isnan(masked), np.isnan(original)
        apart = np.where(self._varies & ~(absent[0] | absent[1]), masked - original, 0.0)
        gaps = np.where(absent[0] != absent[1], self._gaps, 0.0)
        return np.asarray((apart**2).sum(axis=1) + gaps.sum(axis=1))


class _Pairs:
    """Masked and original records, each with the same cells missing."""

    def __init__(self, masked: FloatArray, original: FloatArray, gap: float) -> None:
        self._masked, self._original, self._gap = masked, original, gap
        is_small = len(masked) * len(original) <= FEW_PAIRS
        self._tree = None if is_small or masked.shape[1] == 0 else scipy.spatial.cKDTree(original)

    @classmethod
    def of(
        cls,
        masked: FloatArray,
        original: FloatArray,
        absent: BoolArray,
        absent_there: BoolArray,
        records: IncompleteRecords,
    ) -> _Pairs:
        columns = records.compared(absent | absent_there)
        gap = records.gap(absent != absent_there)
        return cls(masked[:, columns], original[:, columns], gap)

    def nearest(self) -> FloatArray:
        """Least squared distance of each masked record."""
        if self._masked.shape[1] == 0:
            return np.full(len(self._masked), self._gap)
        if self._tree is None:
            return np.asarray(self._squares(self._masked).min(axis=1) + self._gap)
        distances, _ = self._tree.query(self._masked)
        return np.asarray(distances) ** 2 + self._gap

    def within(self, rows: IntArray, reach: FloatArray) -> IntArray:
        """Originals of some masked records within squared distances."""
        if self._masked.shape[1] == 0:
            return np.where(self._gap <= reach, len(self._original), 0).astype(np.int64)
        if self._tree is None:
            squares = self._squares(self._masked[rows]) + self._gap
            return np.asarray((squares <= reach[:, np.newaxis]).sum(axis=1), dtype=np.int64)
        left = reach - self._gap
        radius = np.sqrt(np.maximum(left, 0.0))
        found = self._tree.query_ball_point(self._masked[rows], radius, return_length=True)
        return np.where(left >= 0, found, 0).astype(np.int64)

    def _squares(self, masked: FloatArray) -> FloatArray:
        return np.asarray(((masked[:, np.newaxis] - self._original) ** 2).sum(axis=2))


def _deviation(values: FloatArray) -> float:
    # The deviation of equal numbers may be rounded to something above 0.
    return float(values.std()) if len(values) and np.ptp(values) > 0 else 0.0


def _patterns(values: FloatArray) -> Iterator[tuple[BoolArray, IntArray]]:
    """Records by the cells that are missing, and their rows."""
    absent, pattern = np.unique(np.isnan(values), axis=0, return_inverse=True)
    for position, is_absent in enumerate(absent):
        yield is_absent, np.flatnonzero(pattern.ravel() == position)
