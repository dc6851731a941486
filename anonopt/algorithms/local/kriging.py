"""Kriging on a lattice: values of nodes estimated from those of evaluated nodes nearby.

D. G. Krige, *A Statistical Approach to Some Basic Mine Valuation Problems on the
Witwatersrand*, 1951; as Gaussian process regression with an exponential covariance: C. E.
Rasmussen, C. K. I. Williams, *Gaussian Processes for Machine Learning*, 2006, Sections 2.2,
4.2.1 and 5.4.2 (leave-one-out residuals).
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.spatial.distance import cdist

from anonopt._typing import FloatArray, IntArray

NUGGET = 0.02
"""Share of the variance that is taken to be noise; it smooths, and keeps the system regular."""


class LatticeKriging:
    """Kriging with covariance ``exp(-d / s)``: d is the number of steps between two nodes.

    s is the number of columns, so that a whole lattice of few levels a column is within reach,
    and values that are sums over columns are followed well. A search needs no more than the
    order of its candidates, and is the same within a few percent for ranges s/2 to 4s and
    nuggets from 0.005 to 0.1.

    Parameters
    ----------
    nodes : int array (n, n_columns)
        Evaluated nodes, at least one, all different.
    values : float array (n, n_values)
        What was measured at them; each value is estimated on its own, with the same weights.

    Attributes
    ----------
    error : float array (n_values,)
        Root mean square of the leave-one-out residuals; 0 for a value that is constant.

    Examples
    --------
    >>> nodes = np.array([[0, 0], [0, 2], [2, 0], [2, 2]])
    >>> model = LatticeKriging(nodes, nodes.sum(axis=1, keepdims=True))
    >>> model.predict(np.array([[1, 1], [2, 1]])).round(1).tolist()
    [[2.0], [2.9]]
    """

    def __init__(self, nodes: IntArray, values: FloatArray) -> None:
        self._nodes = nodes.astype(np.float64)
        self._mean = values.mean(axis=0)
        covariance = self._covariance(self._nodes)
        covariance[np.diag_indices(len(nodes))] += NUGGET
        inverse = cho_solve(cho_factor(covariance), np.eye(len(nodes)))
        self._weights = inverse @ (values - self._mean)
        residuals = self._weights / np.diag(inverse)[:, np.newaxis]
        self.error: FloatArray = np.sqrt((residuals**2).mean(axis=0))

    def predict(self, nodes: IntArray) -> FloatArray:
        """Estimate the values of nodes, (n, n_values)."""
        estimated: FloatArray = self._mean + self._covariance(nodes) @ self._weights
        return estimated

    def _covariance(self, nodes: IntArray | FloatArray) -> FloatArray:
        steps = cdist(nodes.astype(np.float64), self._nodes, "cityblock")
        covariance: FloatArray = np.exp(-steps / self._nodes.shape[1])
        return covariance
