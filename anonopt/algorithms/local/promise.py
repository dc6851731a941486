"""What is expected of nodes before they are evaluated: by how far they miss being dominated."""

from __future__ import annotations

import numpy as np

from anonopt._typing import BoolArray, FloatArray, IntArray
from anonopt.algorithms.growing_array import GrowingArray
from anonopt.algorithms.local.bounds import OptimisticBounds
from anonopt.algorithms.local.kriging import LatticeKriging

WINDOW = 300
"""Nodes that kriging learns from: those evaluated last lie around the archive."""

LEAST_ERROR = 1e-9
"""Standard error of a value that is known exactly."""


class Promise:
    """Estimates the criteria of nodes from those of others, and what they promise.

    Parameters
    ----------
    bounds : OptimisticBounds
        Tell what follows from a node alone, which is not estimated.
    """

    def __init__(self, bounds: OptimisticBounds) -> None:
        self._bounds = bounds
        self._evaluated, self._criteria = GrowingArray(), GrowingArray()

    def learn(self, nodes: IntArray, criteria: FloatArray) -> None:
        """Take in evaluated nodes.

        Parameters
        ----------
        nodes : int64 array (n, n_attributes)
        criteria : float64 array (n, n_criteria)
            Minimized objectives, then violations of constraints.
        """
        self._evaluated.extend(nodes)
        self._criteria.extend(criteria)

    def of(self, nodes: IntArray, bounds: FloatArray, goals: FloatArray) -> FloatArray:
        """What nodes promise, (n,); more is better.

        The standard errors by which they are estimated to miss being dominated, or being feasible
        if that is fewer; while nothing is feasible, their estimated violation.

        Parameters
        ----------
        nodes : int64 array (n, n_attributes)
        bounds : float64 array (n, n_criteria)
            That no criterion is below.
        goals : float64 array (n_members, n_obj + 1)
            Objectives and violation of the archive.
        """
        estimates, errors = self._estimate(nodes, bounds)
        n_obj = goals.shape[1] - 1
        violation = estimates[:, n_obj:]
        feasible = goals[:, n_obj] == 0
        if not feasible.any():
            return np.asarray(-np.maximum(violation, 0).sum(axis=1))
        members = _scaled(goals[feasible, :n_obj])
        promise = least_advantage(estimates[:, :n_obj], members, errors[:n_obj])
        feasibility = -violation / errors[n_obj:]
        return np.asarray(np.min(np.column_stack([promise, feasibility]), axis=1))

    def _estimate(self, nodes: IntArray, bounds: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Scaled criteria of nodes, (n, n_criteria), and standard errors."""
        evaluated, criteria = self._evaluated.view()[-WINDOW:], self._criteria.view()[-WINDOW:]
        model = LatticeKriging(evaluated, _scaled(criteria) - self._scaled_known(evaluated))
        estimates = self._scaled_known(nodes) + model.predict(nodes)
        estimates = np.maximum(estimates, _scaled(bounds))
        return estimates, np.maximum(model.error, LEAST_ERROR)

    def _scaled_known(self, nodes: IntArray) -> FloatArray:
        known = self._bounds.known(nodes)
        known[~np.isfinite(known)] = 0.0
        return _scaled(known)


def _scaled(values: FloatArray) -> FloatArray:
    # An infinite violation has no place in a model; 1e21 is beyond every count.
    scaled: FloatArray = np.arcsinh(np.clip(values, -1e21, 1e21))
    return scaled


def weakly_dominated(F: FloatArray, by: FloatArray) -> BoolArray:
    """Whether each vector is weakly dominated by one of others.

    Parameters
    ----------
    F : float array (n, n_obj)
        Minimized objectives.
    by : float array (n_by, n_obj)

    Returns
    -------
    bool array (n,)
        True where a row of `by` is nowhere larger.

    Examples
    --------
    >>> weakly_dominated(np.array([[1.0, 2.0], [3.0, 1.0]]), by=np.array([[1.0, 2.0]])).tolist()
    [True, False]
    """
    no_better: BoolArray = np.ones((len(F), len(by)), dtype=np.bool_)
    for own, others in zip(F.T, by.T, strict=True):
        np.logical_and(no_better, others <= own[:, np.newaxis], out=no_better)
    return np.asarray(no_better.any(axis=1))


def least_advantage(F: FloatArray, others: FloatArray, errors: FloatArray) -> FloatArray:
    """By how many standard errors each estimate misses being dominated by the others.

    Parameters
    ----------
    F : float array (n, n_obj)
        Estimated, minimized objectives.
    others : float array (n_others, n_obj)
        At least one.
    errors : float array (n_obj,)
        Standard errors of the estimates, positive.

    Returns
    -------
    float array (n,)
        The largest advantage over an objective of each other, for the other where that is
        least; 0 or below where one weakly dominates.

    Examples
    --------
    >>> others = np.array([[1.0, 4.0], [3.0, 2.0]])
    >>> least_advantage(np.array([[2.0, 3.0], [4.0, 4.0]]), others, np.array([0.5, 1.0]))
    array([ 1., -2.])
    """
    advantage = np.full((len(F), len(others)), -np.inf)
    for own, other, error in zip(F.T, others.T, errors, strict=True):
        advantage = np.maximum(advantage, (other - own[:, np.newaxis]) / error)
    least: FloatArray = advantage.min(axis=1)
    return least
