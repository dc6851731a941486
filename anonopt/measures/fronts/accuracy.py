"""Accuracy: how near a node comes to the optimum, by heights in the lattice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from anonopt._typing import FloatArray


def node_accuracy(
    nodes: npt.ArrayLike, *, optimum: npt.ArrayLike, worst: npt.ArrayLike
) -> FloatArray:
    """Accuracy of nodes (max), 1 at the height of the optimum, 0 at the top.

    De Pascale et al. 2022, Eq. 4: ``1 - |H(S) - H(opt)| / (H(worst) - H(opt))``, where the
    height H of a node is the sum of its levels, and the worst node is the last one of the
    strategy path, the top of the lattice.

    Parameters
    ----------
    nodes : int array_like (n_nodes, n_quasi_identifiers)
    optimum, worst : int array_like (n_quasi_identifiers,)

    Returns
    -------
    float array (n_nodes,)
        At most 1; below 0 for a node further below the optimum than that is below the top. If
        the optimum is the top, 1 for nodes of that height, else -inf.

    Raises
    ------
    ValueError
        If the numbers of levels differ, or the optimum is higher than the worst node.

    Examples
    --------
    >>> node_accuracy([[2, 1, 0], [2, 2, 1]], optimum=[2, 1, 0], worst=[3, 4, 1]).tolist()
    [1.0, 0.6]
    """
    found, best, last = (np.asarray(node, dtype=np.int64) for node in (nodes, optimum, worst))
    if found.ndim != 2 or best.shape != found.shape[1:] or last.shape != best.shape:
        raise ValueError(
            "expected nodes (n_nodes, n_columns), optimum and worst (n_columns,), found shapes "
            f"{found.shape}, {best.shape} and {last.shape}"
        )
    span = int(last.sum() - best.sum())
    if span < 0:
        raise ValueError(
            f"expected an optimum at most as high as the worst node, {last.sum()}; "
            f"found {best.sum()}"
        )
    distances = np.abs(found.sum(axis=1) - best.sum())
    if span == 0:
        return np.where(distances == 0, 1.0, -np.inf)
    return np.asarray(1 - distances / span)


def mean_accuracy(accuracies: npt.ArrayLike, weights: Sequence[float] | None = None) -> float:
    """Weighted arithmetic mean of accuracies (max).

    De Pascale et al. 2022, Eq. 5.

    Parameters
    ----------
    accuracies : float array_like (n,)
    weights : sequence of float (n,), optional
        At least 0, not all 0; equal ones if left out.

    Raises
    ------
    ValueError
        If there is no accuracy, or the weights do not fit.

    Examples
    --------
    >>> mean_accuracy([1.0, 0.5, 0.0], weights=[2, 1, 1])
    0.625
    """
    values = np.asarray(accuracies, dtype=np.float64)
    shares = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=np.float64)
    if shares.shape != values.shape or (shares < 0).any() or not shares.sum() > 0:
        raise ValueError(
            f"expected {len(values)} weights of at least 0, not all 0, found {shares.tolist()}"
        )
    return float(values @ shares / shares.sum())
