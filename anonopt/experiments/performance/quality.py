"""How near a set of points is to the reference of its problem, one number an indicator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import moocore
import numpy as np
import pandas as pd
import scipy

from anonopt._typing import FloatArray
from anonopt.experiments.performance.references import Reference, rows_of, volume
from anonopt.measures.fronts.indicators import share_of_boxes

N_WEIGHTS = 200
"""Least number of weight vectors of the R2 indicator."""


@dataclass(frozen=True)
class Indicator:
    """One indicator.

    Attributes
    ----------
    of : callable
        Function of minimized, non-dominated points (n, n_obj), n at least 1, and the reference.
    maximize : bool
        Whether more is better.
    nothing : float
        Its value where nothing feasible was found.
    summary : str
    """

    of: Callable[[FloatArray, Reference], float]
    maximize: bool
    nothing: float
    summary: str


def hypervolume_share(F: FloatArray, reference: Reference) -> float:
    """Hypervolume as a share of that of the reference front, 0..1 for an exact one (max).

    Of one objective: 1 less the relative distance to the best value, and 0 where it is twice as
    bad or worse.
    """
    return volume(F, reference.point) / reference.volume


def igd_plus_scaled(F: FloatArray, reference: Reference) -> float:
    """IGD+ in the unit of the front's extent (min)."""
    return float(moocore.igd_plus(reference.scaled(F), ref=reference.scaled_front))


def epsilon_scaled(F: FloatArray, reference: Reference) -> float:
    """Additive epsilon in the unit of the front's extent (min): the shift that covers the front."""
    return float(moocore.epsilon_additive(reference.scaled(F), ref=reference.scaled_front))


def r2(F: FloatArray, reference: Reference) -> float:
    """R2 of Hansen and Jaszkiewicz (1998) with Tchebycheff utilities from the ideal point (min).

    Mean over uniformly spread weights of the least weighted Tchebycheff distance, in the unit of
    the front's extent.
    """
    apart = np.abs(reference.scaled(F))
    weights = simplex(F.shape[1])
    # One objective at a time: whole arrays over weights and points, nothing of all three at once.
    distances = np.multiply.outer(weights[:, 0], apart[:, 0])
    for weight, distance in zip(weights.T[1:], apart.T[1:], strict=True):
        np.maximum(distances, np.multiply.outer(weight, distance), out=distances)
    return float(distances.min(axis=1).mean())


@cache
def simplex(n_obj: int) -> FloatArray:
    """Weights on a grid of the simplex, at least `N_WEIGHTS` of them (1 for one objective).

    Examples
    --------
    >>> simplex(2).shape, simplex(3).shape
    ((200, 2), (210, 3))
    """
    if n_obj == 1:
        return np.ones((1, 1))
    parts = 1
    while scipy.special.comb(parts + n_obj - 1, n_obj - 1, exact=True) < N_WEIGHTS:
        parts += 1
    grid = np.array(list(_compositions(parts, n_obj)), dtype=np.float64)
    return grid / parts


def _compositions(total: int, n_parts: int) -> list[tuple[int, ...]]:
    if n_parts == 1:
        return [(total,)]
    return [
        (first, *rest)
        for first in range(total + 1)
        for rest in _compositions(total - first, n_parts - 1)
    ]


def share_found(F: FloatArray, reference: Reference) -> float:
    """Share of the points of the reference front that were found, 0..1 (max)."""
    return len(rows_of(F) & reference.rows) / len(reference.rows)


def unit_representation_ratio(F: FloatArray, reference: Reference) -> float:
    """Representation ratio of Dewri et al. (2010) with boxes of side 1 (max)."""
    return share_of_boxes(reference.natural(F), reference.unit_boxes, 1.0, reference.flags)


def mean_convergence_error(F: FloatArray, reference: Reference) -> float:
    """Mean distance from what was found to the reference front, in the unit of its extent (min)."""
    distances, _ = reference.tree.query(reference.scaled(F))
    # In an order of their own, as for the hypervolume.
    return float(np.mean(np.sort(distances)))


INDICATORS: Mapping[str, Indicator] = {
    "hypervolume": Indicator(
        hypervolume_share, True, 0.0, "hypervolume, as a share of the reference front's"
    ),
    "igd_plus": Indicator(igd_plus_scaled, False, np.inf, "IGD+, in extents of the front"),
    "epsilon": Indicator(epsilon_scaled, False, np.inf, "additive epsilon, in extents"),
    "r2": Indicator(r2, False, np.inf, "R2 with Tchebycheff utilities, in extents"),
    "rr": Indicator(
        unit_representation_ratio, True, 0.0, "share of the reference front's boxes of side 1"
    ),
    "ce": Indicator(
        mean_convergence_error, False, np.inf, "mean distance to the front, in its extents"
    ),
    "found": Indicator(share_found, True, 0.0, "share of the reference front's points found"),
}
"""By the names that tables and plots use."""


def list_indicators() -> pd.DataFrame:
    """Tabulate the indicators by which runs are compared.

    Returns
    -------
    DataFrame
        Index: name. Columns: ``direction`` (``max`` or ``min``), ``nothing`` (value of a run that
        found nothing feasible), ``summary``.

    Examples
    --------
    >>> list_indicators().loc["igd_plus", "direction"]
    'min'
    """
    rows = [
        ("max" if one.maximize else "min", one.nothing, one.summary) for one in INDICATORS.values()
    ]
    names = pd.Index(list(INDICATORS), name="name")
    return pd.DataFrame(rows, index=names, columns=["direction", "nothing", "summary"])
