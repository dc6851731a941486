"""Which solution of a front to take: knees, and the best one by a reader's weights."""

from __future__ import annotations

import warnings

import numpy as np
from pymoo.decomposition.aasf import AASF

from anonopt._typing import FloatArray
from anonopt.measures.fronts.boxes import INFINITE

RHO = 1e-4
"""Share of the sum in the augmented achievement function: it decides between equal maxima."""

LEAST_WEIGHT = 1e-6
"""Stands for a weight of 0, by which pymoo would divide."""

KNEE_RULE = "pymoo's HighTradeoffPoints, the best of each objective left out"
EQUAL_RULE = "equal weights, as no point stands out by its trade-off"
ONLY_RULE = "the only point"

WEIGHT_RULE = (
    "pymoo's AASF (augmented achievement scalarizing function): each objective counts as its "
    "distance from the best value on the front, in units of its range there, times its weight; "
    "the solution whose largest weighted distance is least is recommended (of equal ones, that of "
    "the smaller sum)."
)


def scaled(F: FloatArray) -> FloatArray:
    """Minimized objectives of a front from 0, the best value, to 1, the worst finite one.

    Parameters
    ----------
    F : float array (n, n_obj)
        Infinitely bad values are 1e30, as pymoo sees them; they become 2.

    Examples
    --------
    >>> scaled(np.array([[0.0, 7.0], [5.0, 7.0], [10.0, 1e30]])).tolist()
    [[0.0, 0.0], [0.5, 0.0], [1.0, 2.0]]
    """
    finite = np.where(INFINITE > F, F, np.nan)
    with warnings.catch_warnings():
        # Of an objective that is infinite everywhere nothing can be said.
        warnings.simplefilter("ignore", RuntimeWarning)
        low, high = np.nanmin(finite, axis=0), np.nanmax(finite, axis=0)
    ranges = np.where(high > low, high - low, 1.0)
    return np.asarray(np.where(np.isnan(finite), 2.0, (finite - np.nan_to_num(low)) / ranges))


def recommended(F: FloatArray, weights: FloatArray) -> int:
    """Row of a front that is best by weights of the objectives.

    Parameters
    ----------
    F : float array (n, n_obj)
        Minimized, n at least 1.
    weights : float array (n_obj,)
        At least 0; the larger, the more an objective counts. All 0 count as equal ones, as on
        the page.

    Examples
    --------
    >>> front = np.array([[0.0, 10.0], [4.0, 4.0], [10.0, 0.0]])
    >>> recommended(front, np.array([0.5, 0.5])), recommended(front, np.array([0.9, 0.1]))
    (1, 0)
    """
    total = weights.sum()
    equal = np.full(len(weights), 1.0 / len(weights))
    shares = np.maximum(weights / total if total > 0 else equal, LEAST_WEIGHT)
    values = AASF(rho=RHO, eps=0.0).do(scaled(F), 1.0 / shares)
    return int(np.argmin(values))


def knees(F: FloatArray) -> tuple[list[int], str]:
    """Rows where giving up a little of one objective gains much of another, and by which rule.

    Parameters
    ----------
    F : float array (n, n_obj)
        Minimized, n at least 1.

    Returns
    -------
    rows : list of int
        At least one: without a point that stands out, the one by equal weights.
    rule : str
        How they were found.
    """
    if len(F) == 1:
        return [0], ONLY_RULE
    usable = np.flatnonzero((INFINITE > F).all(axis=1))
    # Equal points gain nothing from each other.
    _, first = np.unique(F[usable], axis=0, return_index=True)
    rows = usable[np.sort(first)]
    if len(rows) > 2 and F.shape[1] > 1:
        # Loading it warns of what it imports, and it turns warnings off for the whole program.
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            from pymoo.mcdm.high_tradeoff import HighTradeoffPoints

            found = HighTradeoffPoints().do(scaled(F)[rows])
        ends = set(scaled(F)[rows].argmin(axis=0).tolist())
        inner = [int(rows[one]) for one in found if one not in ends] if found is not None else []
        if inner:
            return inner, KNEE_RULE
    return [recommended(F, np.ones(F.shape[1]))], EQUAL_RULE
