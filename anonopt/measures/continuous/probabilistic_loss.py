"""Probabilistic information loss of masked numeric files (Mateo-Sanz et al. 2005)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from anonopt._typing import FloatArray

LEVELS = np.arange(5, 100, 5) / 100.0
"""Levels of the quantiles: 5 %, 10 % ... 95 %."""

TOLERANCE = 1e-9
"""Share of a statistic's natural size below which two values of it are the same."""


class FileStatistics(NamedTuple):
    """What the loss compares of a file of N rows and V columns.

    Attributes
    ----------
    means : float array (V,)
    covariances : float array (V, V)
        Divided by N; variances in the diagonal.
    correlations : float array (V, V)
        Pearson's; 0 beside a constant column.
    quantiles : float array (V, 19)
        At 5 % to 95 %, linear between order statistics (numpy's default).
    """

    means: FloatArray
    covariances: FloatArray
    correlations: FloatArray
    quantiles: FloatArray


def column_location(column: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """Mean, deviations from it and quantiles of one column.

    Parameters
    ----------
    column : float array (n_rows,)

    Returns
    -------
    mean : float
    deviations : float array (n_rows,)
        Exactly 0 where all values are the same.
    quantiles : float array (19,)
    """
    ordered = np.sort(column)
    # The rounded mean of equal numbers may differ from them.
    mean = float(ordered[0]) if ordered[0] == ordered[-1] else float(column.mean())
    return mean, column - mean, quantiles_of(ordered, LEVELS)


def quantiles_of(ordered: FloatArray, levels: npt.ArrayLike) -> FloatArray:
    """Quantiles of sorted values, linear between order statistics.

    Parameters
    ----------
    ordered : float array (n,)
    levels : array of numbers of 0 to 1, of any shape

    Returns
    -------
    float array of the shape of `levels`
    """
    at = np.asarray(levels) * (len(ordered) - 1)
    below = np.floor(at).astype(np.int64)
    above = np.minimum(below + 1, len(ordered) - 1)
    return np.asarray(ordered[below] + (at - below) * (ordered[above] - ordered[below]))


def covariances_with(deviations: FloatArray, column: int) -> FloatArray:
    """Covariances of one column with all.

    Parameters
    ----------
    deviations : float array (V, N), in row-major order
        Deviations of each column from its mean.
    column : int

    Returns
    -------
    float array (V,)
    """
    # Not a matrix product: its sums depend on how many columns are multiplied at once.
    return np.asarray((deviations * deviations[column]).sum(axis=1) / deviations.shape[1])


def correlations_of(covariances: FloatArray) -> FloatArray:
    """Correlations of covariances (V, V); 0 beside a column of variance 0."""
    spread = np.sqrt(np.diagonal(covariances))
    products = spread[:, np.newaxis] * spread
    correlations = np.zeros_like(covariances)
    np.divide(covariances, products, out=correlations, where=products > 0)
    return correlations


def file_statistics(values: FloatArray) -> FileStatistics:
    """Statistics of a file.

    Parameters
    ----------
    values : float array (n_rows, n_columns)
    """
    n_rows, n_columns = values.shape
    means, deviations = np.empty(n_columns), np.empty((n_columns, n_rows))
    quantiles = np.empty((n_columns, len(LEVELS)))
    for column in range(n_columns):
        location = column_location(values[:, column])
        means[column], deviations[column], quantiles[column] = location
    covariances = np.array([covariances_with(deviations, column) for column in range(n_columns)])
    return FileStatistics(means, covariances, correlations_of(covariances), quantiles)


def sampling_deviations(values: FloatArray, statistics: FileStatistics) -> FileStatistics:
    """Large-sample standard deviations of the statistics of a file.

    With central moments ``m_rs = mean(x**r * y**s)`` of two centred columns and N rows:

    - mean: ``sqrt(m_20 / N)``;
    - variance: ``sqrt((m_40 - m_20**2) / N)``;
    - covariance: ``sqrt((m_22 - m_11**2) / N)``;
    - correlation r: ``sqrt(mean(e**2) / N)`` with ``e = u*v - r*(u**2 + v**2)/2`` of standardized
      columns u, v, which expands to Mateo-Sanz's sum of moments m_40, m_31, m_22, m_13, m_04;
    - quantile of level q: ``sqrt(q*(1 - q)/N)`` divided by the density there. The density is that
      of the data: ``h / (Q(q + h) - Q(q - h)) * 2`` with ``h = sqrt(q*(1 - q)/N)``, levels cut to
      0..1, so the deviation is half of the distance between the quantiles one standard error
      below and above (Woodruff 1952). Mateo-Sanz et al. leave the estimate of the density open.

    Parameters
    ----------
    values : float array (n_rows, n_columns)
        The original file.
    statistics : FileStatistics
        Of the same file.

    Returns
    -------
    FileStatistics
        Of the same shapes. 0 for a constant column, for a correlation of 1 or -1, and for a
        quantile within a value that many rows share.
    """
    n_rows, n_columns = values.shape
    deviations = np.array([column_location(column)[1] for column in values.T])
    variances = np.diagonal(statistics.covariances)
    spread = np.sqrt(variances)
    units = np.divide(
        deviations,
        spread[:, np.newaxis],
        out=np.zeros_like(deviations),
        where=spread[:, np.newaxis] > 0,
    )
    covariances, correlations = (np.zeros((n_columns, n_columns)) for _ in range(2))
    for i in range(n_columns):
        products = deviations[i] * deviations
        covariances[i] = (products - statistics.covariances[i][:, np.newaxis]).std(axis=1)
        r = statistics.correlations[i][:, np.newaxis]
        influence = units[i] * units - r * (units[i] ** 2 + units**2) / 2
        correlations[i] = np.sqrt((influence**2).mean(axis=1))
    error = np.sqrt(LEVELS * (1 - LEVELS) / n_rows)
    low, high = np.maximum(LEVELS - error, 0.0), np.minimum(LEVELS + error, 1.0)
    ordered = np.sort(values, axis=0).T
    widths = np.array([quantiles_of(x, high) - quantiles_of(x, low) for x in ordered])
    return FileStatistics(
        np.sqrt(variances / n_rows),
        covariances / np.sqrt(n_rows),
        correlations / np.sqrt(n_rows),
        widths * (error / (high - low)),
    )


class ProbabilisticLoss:
    """Probabilistic information loss against one original file.

    The loss of a statistic is ``100 * (2*Phi(|masked - original| / sd) - 1)``: the probability
    that a sample's statistic is nearer to the original's than the masked one is, if `sd` is its
    large-sample standard deviation (see
    :func:`~anonopt.measures.continuous.probabilistic_loss.sampling_deviations`). PIL is the mean
    over five kinds of statistics (means, variances, covariances, correlations, quantiles at 5 % to
    95 %), of each the mean over its statistics, so that the many covariances do not outweigh the
    means. With one column, which has neither covariances nor correlations, it is the mean over
    three.

    Where `sd` is 0 the loss is 0 if the statistic is the same, to within a billionth of its
    natural size, and 100 otherwise.

    J. M. Mateo-Sanz, J. Domingo-Ferrer, F. Sebé, *Probabilistic information loss measures in
    confidentiality protection of continuous microdata*, Data Mining and Knowledge Discovery 11,
    2005; Mares 2013, Section 3.4.

    Parameters
    ----------
    original : float array (n_rows, n_columns)

    Examples
    --------
    >>> original = np.array([[1.0, 9.0], [2.0, 7.0], [4.0, 8.0], [9.0, 1.0]])
    >>> loss = ProbabilisticLoss(original)
    >>> loss(file_statistics(original))
    0.0
    >>> round(loss(file_statistics(original + [1.0, 0.0])), 2)
    10.31
    """

    def __init__(self, original: FloatArray) -> None:
        self.statistics = file_statistics(original)
        self.deviations = sampling_deviations(original, self.statistics)
        spread = np.sqrt(np.diagonal(self.statistics.covariances))
        products = spread[:, np.newaxis] * spread
        self._sizes = FileStatistics(
            spread, products, np.ones_like(products), spread[:, np.newaxis]
        )

    def __call__(self, masked: FileStatistics) -> float:
        """PIL of a masked file with these statistics, 0..100 (min).

        Parameters
        ----------
        masked : FileStatistics
        """
        losses = self.losses(masked)
        diagonal = np.eye(len(losses.means), dtype=bool)
        pairs = np.triu(~diagonal)
        kinds = [losses.means, losses.covariances[diagonal], losses.quantiles]
        if pairs.any():
            kinds += [losses.covariances[pairs], losses.correlations[pairs]]
        return float(np.mean([kind.mean() for kind in kinds]))

    def losses(self, masked: FileStatistics) -> FileStatistics:
        """Loss of each statistic, 0..100, in the shapes of the statistics."""
        parts = zip(masked, self.statistics, self.deviations, self._sizes, strict=True)
        return FileStatistics(*(_loss(*part) for part in parts))


def _loss(
    masked: FloatArray, original: FloatArray, deviation: FloatArray, size: FloatArray
) -> FloatArray:
    change = np.abs(masked - original)
    change[change <= TOLERANCE * size] = 0.0
    certain = deviation <= TOLERANCE * size
    steps = np.divide(change, deviation, out=np.zeros_like(change), where=~certain)
    # 2 * Phi(z) - 1 = erf(z / sqrt(2)), without the loss of digits near 0.
    loss = 100.0 * scipy.special.erf(steps / np.sqrt(2.0))
    return np.asarray(np.where(certain, np.where(change > 0, 100.0, 0.0), loss))
