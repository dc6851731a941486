"""Classical information loss of masked numeric files (Domingo-Ferrer and Torra 2001)."""

from __future__ import annotations

from typing import Literal

import numpy as np

from anonopt._typing import FloatArray
from anonopt.measures.continuous.probabilistic_loss import (
    TOLERANCE,
    FileStatistics,
    file_statistics,
)

LossKind = Literal["probabilistic", "classical"]
LOSS_KINDS: tuple[LossKind, ...] = ("probabilistic", "classical")
"""Names of the information losses of numeric files; the first one is the default."""


class ClassicalLoss:
    """Information loss by changes of values and of statistics, against one original file.

    The mean of five parts, in percent. With cells x and masked cells x', means m, covariances v
    (variances v_jj), correlations r, and the variation ``|a' - a| / |a|`` of a number a:

    - mean variation of the cells, ``|x'_ij - x_ij| / |x_ij|``;
    - mean variation of the means m_j;
    - mean variation of the covariances v_jl, j <= l, variances among them;
    - mean variation of the variances v_jj;
    - mean of ``|r'_jl - r_jl|``, j < l.

    Each single variation is cut off at 1, and that of a number 0 is 0 if it stays 0 and 1 if not:
    the definition leaves both open, and without it a few cells near 0 decide everything. So the
    loss is in 0..100. Changes of a statistic below a billionth of its natural size are none. With
    one column, which has no correlations, it is the mean of four parts.

    J. Domingo-Ferrer, V. Torra, *A quantitative comparison of disclosure control methods for
    microdata*, in Confidentiality, Disclosure and Data Access, 2001. Mares 2013, Section 3.5, has
    the score of rank swapping from studies that use it; its own loss is
    :class:`~anonopt.measures.continuous.probabilistic_loss.ProbabilisticLoss` by Section 3.4.

    Parameters
    ----------
    original : float array (n_rows, n_columns)

    Examples
    --------
    >>> original = np.array([[1.0, 9.0], [2.0, 7.0], [4.0, 8.0], [9.0, 1.0]])
    >>> loss = ClassicalLoss(original)
    >>> loss(original, file_statistics(original))
    0.0
    >>> masked = original + [1.0, 0.0]
    >>> round(loss(masked, file_statistics(masked)), 2)
    7.15
    """

    def __init__(self, original: FloatArray) -> None:
        self._original = np.ascontiguousarray(original, dtype=np.float64)
        self._statistics = file_statistics(self._original)
        covariances = self._statistics.covariances
        self._diagonal = np.eye(len(covariances), dtype=bool)
        self._pairs = np.triu(~self._diagonal)
        spread = np.sqrt(np.diagonal(covariances))
        self._spread, self._products = spread, spread[:, np.newaxis] * spread

    def __call__(self, masked: FloatArray, statistics: FileStatistics) -> float:
        """Loss of a masked file, 0..100 (min).

        Parameters
        ----------
        masked : float array (n_rows, n_columns)
        statistics : FileStatistics
            Of the same file.
        """
        known = self._statistics
        cells = _variation(np.ascontiguousarray(masked), self._original, 0.0)
        means = _variation(statistics.means, known.means, self._spread)
        covariances = _variation(statistics.covariances, known.covariances, self._products)
        parts = [cells, means, covariances[self._diagonal | self._pairs]]
        parts.append(covariances[self._diagonal])
        if self._pairs.any():
            change = np.abs(statistics.correlations - known.correlations)
            parts.append(np.minimum(change[self._pairs], 1.0))
        return 100.0 * float(np.mean([part.mean() for part in parts]))


def _variation(masked: FloatArray, original: FloatArray, size: FloatArray | float) -> FloatArray:
    """Changes as shares of what was there, at most 1; none below a billionth of the size."""
    change = np.abs(masked - original)
    change[change <= TOLERANCE * np.asarray(size)] = 0.0
    shares = np.ones_like(change)
    np.divide(change, np.abs(original), out=shares, where=change < np.abs(original))
    shares[change == 0] = 0.0
    return shares
