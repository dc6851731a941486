"""What runs are measured against: a front, and the point that bounds the hypervolume."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import moocore
import numpy as np

from anonopt._typing import FloatArray
from anonopt.problems.base import AnonymizationProblem

EXACT = "exact front"
OF_ALL_RUNS = "best of all runs of the experiment"

BEYOND = 0.1
"""The reference point is worse than the front by this share of its extent in each objective."""

MAX_ENUMERATED = 200_000
"""Solutions up to which an exact front is computed by evaluating all of them."""


class Reference(NamedTuple):
    """Reference of a problem, minimized.

    Attributes
    ----------
    front : float array (n, n_obj)
        Sorted, without repetition.
    point : float array (n_obj,)
    source : str
        `EXACT` or `OF_ALL_RUNS`, or what its maker says.
    """

    front: FloatArray
    point: FloatArray
    source: str

    @property
    def ideal(self) -> FloatArray:
        """Best value of each objective on the front."""
        return np.asarray(self.front.min(axis=0))

    @property
    def extent(self) -> FloatArray:
        """Range of each objective on the front; 1 where it has none."""
        ranges = np.asarray(self.front.max(axis=0) - self.ideal)
        return np.where(ranges > 0, ranges, 1.0)

    def scaled(self, F: FloatArray) -> FloatArray:
        """Objectives in the unit of the front's extent, its ideal point at 0."""
        return np.asarray((F - self.ideal) / self.extent)


def reference_of(front: FloatArray, source: str) -> Reference:
    """Reference of a set of points: those that no other dominates, and a point beyond.

    Parameters
    ----------
    front : float array (n, n_obj)
        Minimized, finite.
    source : str

    Raises
    ------
    ValueError
        If there is no point, or one is not finite.

    Examples
    --------
    >>> reference = reference_of(np.array([[0.0, 2.0], [1.0, 1.0], [3.0, 0.0], [3.0, 3.0]]), "hand")
    >>> reference.front.tolist(), reference.point.tolist()
    ([[0.0, 2.0], [1.0, 1.0], [3.0, 0.0]], [3.3, 2.2])
    """
    points = np.asarray(front, dtype=np.float64)
    if len(points) == 0 or not np.isfinite(points).all():
        raise ValueError(f"front: expected finite points, found {points.tolist()}")
    distinct = np.unique(points, axis=0)
    kept = distinct[moocore.is_nondominated(distinct)]
    ranges = kept.max(axis=0) - kept.min(axis=0)
    beyond = np.where(ranges > 0, BEYOND * ranges, 1.0)
    return Reference(kept, kept.max(axis=0) + beyond, source)


def exact_reference(problem: AnonymizationProblem) -> Reference | None:
    """Reference from the exact front, where all solutions can be evaluated; None elsewhere."""
    size = problem.space.size
    if not problem.is_enumerable or size is None or size > MAX_ENUMERATED:
        return None
    front = problem.pareto_front()
    points = np.empty((0, problem.n_obj)) if front is None else finite(front)
    return reference_of(points, EXACT) if len(points) else None


def joint_reference(fronts: Iterable[FloatArray]) -> Reference | None:
    """Reference from what all runs found together; None if they found nothing feasible."""
    found = [points for front in fronts if len(points := finite(front))]
    if not found:
        return None
    return reference_of(np.concatenate(found), OF_ALL_RUNS)


def finite(front: FloatArray) -> FloatArray:
    """Points without an infinite objective: those that indicators can measure."""
    return np.asarray(front[np.isfinite(front).all(axis=1)])
