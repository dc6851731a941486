"""What runs are measured against: a front, and the point that bounds the hypervolume."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import moocore
import numpy as np
import scipy

from anonopt._typing import BoolArray, FloatArray
from anonopt.measures.fronts.boxes import is_infinite
from anonopt.measures.fronts.indicators import non_dominated_boxes
from anonopt.problems.base import AnonymizationProblem

EXACT = "exact front"
OF_ALL_RUNS = "best of all runs of the experiment"

BEYOND = 0.1
"""The reference point is worse than the front by this share of its range in each objective.

Where the front has no range, it is worse by the whole unit: twice as bad."""

MAX_ENUMERATED = 200_000
"""Solutions up to which an exact front is computed by evaluating all of them."""


@dataclass(frozen=True, eq=False)
class Reference:
    """Reference of a problem, minimized; what indicators ask of it is computed once.

    Attributes
    ----------
    front : float array (n, n_obj)
        Sorted, without repetition.
    point : float array (n_obj,)
    source : str
        `EXACT` or `OF_ALL_RUNS`, or what its maker says.
    maximize : bool array (n_obj,), optional
        Objectives that are larger the better in natural units, in which boxes are counted; by
        default none.
    """

    front: FloatArray
    point: FloatArray
    source: str
    maximize: BoolArray | None = None

    @cached_property
    def ideal(self) -> FloatArray:
        """Best value of each objective on the front."""
        return np.asarray(self.front.min(axis=0))

    @cached_property
    def extent(self) -> FloatArray:
        """Unit of each objective, see :func:`extent_of`."""
        return extent_of(self.front)

    @cached_property
    def scaled_front(self) -> FloatArray:
        """The front as :meth:`scaled`."""
        return self.scaled(self.front)

    @cached_property
    def tree(self) -> scipy.spatial.cKDTree:
        """Of the scaled front, to look up nearest points."""
        return scipy.spatial.cKDTree(self.scaled_front)

    @cached_property
    def volume(self) -> float:
        """Hypervolume of the front, see :func:`volume`."""
        return volume(self.front, self.point)

    @cached_property
    def unit_boxes(self) -> set[tuple[int, ...]]:
        """Boxes of side 1 of the front that no other box of it dominates."""
        return non_dominated_boxes(self.natural(self.front), 1.0, self.flags)

    @cached_property
    def flags(self) -> BoolArray:
        """Whether each objective is larger the better in natural units."""
        least = np.zeros(self.front.shape[1], dtype=np.bool_)
        return least if self.maximize is None else self.maximize

    def natural(self, F: FloatArray) -> FloatArray:
        """Minimized objectives in natural units."""
        return np.asarray(np.where(self.flags, -F, F))

    @cached_property
    def rows(self) -> set[bytes]:
        """Points of the front, as :func:`rows_of`."""
        return rows_of(self.front)

    def scaled(self, F: FloatArray) -> FloatArray:
        """Objectives in the unit of the front's extent, its ideal point at 0."""
        return np.asarray((F - self.ideal) / self.extent)


def extent_of(front: FloatArray) -> FloatArray:
    """Range of each objective on a front; where it has none, the size of its value there.

    So distances to a front of a single point are relative: of one objective, 0.02 is 2 percent off
    the best value. Where that value is 0, the unit is 1.

    Examples
    --------
    >>> extent_of(np.array([[1.0, -8.0, 0.0], [4.0, -8.0, 0.0]])).tolist()
    [3.0, 8.0, 1.0]
    """
    ranges = front.max(axis=0) - front.min(axis=0)
    sizes = np.abs(front[0])
    return np.where(ranges > 0, ranges, np.where(sizes > 0, sizes, 1.0))


def volume(F: FloatArray, point: FloatArray) -> float:
    """Hypervolume of minimized points; of one objective, how far the best is below the point."""
    if F.shape[1] == 1:
        return float(max(point[0] - F.min(), 0.0))
    # Sums differ in their last digits with the order of points, and equal sets have to be tied.
    return float(moocore.hypervolume(F[np.lexsort(F.T[::-1])], ref=point))


def rows_of(F: FloatArray) -> set[bytes]:
    """Points that can be looked up; 0 and -0 are one."""
    return {row.tobytes() for row in np.ascontiguousarray(F + 0.0)}


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
    if len(points) == 0 or not is_finite(points).all():
        raise ValueError(f"front: expected finite points, found {points.tolist()}")
    distinct = np.unique(points, axis=0)
    kept = distinct[moocore.is_nondominated(distinct)]
    extent = extent_of(kept)
    beyond = np.where(kept.max(axis=0) > kept.min(axis=0), BEYOND * extent, extent)
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
    return np.asarray(front[is_finite(front)])


def is_finite(F: FloatArray) -> BoolArray:
    """Which points have no infinite objective, nor what pymoo sees in the place of one.

    Examples
    --------
    >>> is_finite(np.array([[1.0, 2.0], [1.0, np.inf], [1e30, 2.0]])).tolist()
    [True, False, False]
    """
    return np.asarray(~(is_infinite(F) | np.isnan(F)).any(axis=1), dtype=np.bool_)
