"""Kriging on a lattice: values of nodes estimated from those of evaluated nodes nearby.

What a linear function of the levels explains is taken out first (a ridge regression), so that
far from all evaluated nodes an estimate follows that trend rather than the mean.

D. G. Krige, *A Statistical Approach to Some Basic Mine Valuation Problems on the
Witwatersrand*, 1951; as Gaussian process regression with an exponential covariance: C. E.
Rasmussen, C. K. I. Williams, *Gaussian Processes for Machine Learning*, 2006, Sections 2.2,
4.2.1 and 5.4.2 (leave-one-out residuals).
"""

from __future__ import annotations

import numpy as np
import scipy

from anonopt._typing import FloatArray, IntArray

NUGGET = 0.02
"""Share of the variance that is taken to be noise; it smooths, and keeps the system regular."""

PENALTY = 0.1
"""Of squared slopes, each per standard deviation of its column's levels; it settles what few
nodes leave open."""


class LatticeKriging:
    """Kriging with covariance ``exp(-d / s)``: d is the number of steps between two nodes.

    s is the number of columns, so that a whole lattice of few levels a column is within reach,
    and values that are sums over columns are followed well. A search needs no more than the
    order of its candidates, and is the same within a few percent for ranges s/2 to 4s and
    nuggets from 0.005 to 0.1 (measured with a constant mean in place of the trend).

    Parameters
    ----------
    nodes : int array (n, n_columns)
        Evaluated nodes, at least one, all different.
    values : float array (n, n_values)
        What was measured at them; each value is estimated on its own, with the same weights.

    Attributes
    ----------
    error : float array (n_values,)
        Root mean square of the leave-one-out residuals, the trend being left as it is; 0 for a
        value that is constant.

    Examples
    --------
    >>> nodes = np.array([[0, 0], [0, 2], [2, 0], [2, 2]])
    >>> model = LatticeKriging(nodes, nodes.sum(axis=1, keepdims=True))
    >>> model.predict(np.array([[1, 1], [2, 1]])).round(1).tolist()
    [[2.0], [3.0]]
    """

    def __init__(self, nodes: IntArray, values: FloatArray) -> None:
        self._nodes = nodes.astype(np.float64)
        self._center, self._spread = self._nodes.mean(axis=0), self._nodes.std(axis=0)
        self._mean = values.mean(axis=0)
        levels = self._standardized(self._nodes)
        penalty = PENALTY * np.eye(levels.shape[1])
        self._slopes = np.linalg.solve(
            levels.T @ levels + penalty, levels.T @ (values - self._mean)
        )
        deviations = values - self._trend(self._nodes)
        covariance = self._covariance(self._nodes)
        covariance[np.diag_indices(len(nodes))] += NUGGET
        inverse = scipy.linalg.cho_solve(scipy.linalg.cho_factor(covariance), np.eye(len(nodes)))
        self._weights = inverse @ deviations
        residuals = self._weights / np.diag(inverse)[:, np.newaxis]
        self.error: FloatArray = np.sqrt((residuals**2).mean(axis=0))

    def predict(self, nodes: IntArray) -> FloatArray:
        """Estimate the values of nodes, (n, n_values)."""
        estimated: FloatArray = self._trend(nodes) + self._covariance(nodes) @ self._weights
        return estimated

    def _trend(self, nodes: IntArray | FloatArray) -> FloatArray:
        trend: FloatArray = self._mean + self._standardized(nodes) @ self._slopes
        return trend

    def _standardized(self, nodes: IntArray | FloatArray) -> FloatArray:
        # A column of one level among the evaluated nodes says nothing of its slope.
        spread = np.where(self._spread > 0, self._spread, np.inf)
        levels: FloatArray = (nodes - self._center) / spread
        return levels

    def _covariance(self, nodes: IntArray | FloatArray) -> FloatArray:
        steps = scipy.spatial.distance.cdist(nodes.astype(np.float64), self._nodes, "cityblock")
        covariance: FloatArray = np.exp(-steps / self._nodes.shape[1])
        return covariance


def kriging_shares(
    evaluated: IntArray, nodes: IntArray, *, reach: float, nugget: float
) -> FloatArray:
    """Shares with which values of evaluated nodes enter estimates, for many values at once.

    As `LatticeKriging`, but the slopes of the trend are those of generalized least squares
    (Rasmussen and Williams, Section 2.7), so that steps in one place do not count again and again.

    Parameters
    ----------
    evaluated : int array (n_evaluated, n_columns)
        At least one, all different.
    nodes : int array (n, n_columns)
    reach : float
        Range s of the covariance in multiples of the number of columns.
    nugget : float
        Share of the variance that is taken to be noise.

    Returns
    -------
    float array (n, n_evaluated)
        A row times the values of the evaluated nodes is the estimate of a node.

    Examples
    --------
    >>> evaluated = np.array([[0, 0], [0, 2], [2, 0], [2, 2]])
    >>> shares = kriging_shares(evaluated, np.array([[1, 1]]), reach=1, nugget=0.01)
    >>> shares.round(2).tolist()
    [[0.25, 0.25, 0.25, 0.25]]
    """
    known, others = evaluated.astype(np.float64), nodes.astype(np.float64)
    spread = known.std(axis=0)
    spread[spread == 0] = np.inf
    levels = (known - known.mean(axis=0)) / spread
    scale = reach * known.shape[1]
    covariance = np.exp(-scipy.spatial.distance.cdist(known, known, "cityblock") / scale)
    covariance[np.diag_indices(len(known))] += nugget
    inverse = scipy.linalg.cho_solve(scipy.linalg.cho_factor(covariance), np.eye(len(known)))
    weighted = levels.T @ inverse
    slopes = np.linalg.solve(weighted @ levels + PENALTY * np.eye(levels.shape[1]), weighted)
    slopes -= slopes.mean(axis=1, keepdims=True)
    mean = 1 / len(known)
    weights = inverse @ (np.eye(len(known)) - mean - levels @ slopes)
    trend = mean + (others - known.mean(axis=0)) / spread @ slopes
    shares: FloatArray = (
        trend + np.exp(-scipy.spatial.distance.cdist(others, known, "cityblock") / scale) @ weights
    )
    return shares
