"""Boxes: objective space cut into a grid, and dominance between its cells.

R. Dewri, I. Ray, I. Ray, D. Whitley, *On the Identification of Property Based Generalizations
in Microdata Anonymization*, DBSec 2010, Section 5. The archive that keeps one solution a box and
the indicators that count boxes both use the functions of this module.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from anonopt._typing import BoolArray, FloatArray, IntArray

MAX_COORDINATE = 1 << 53
"""Box coordinates must stay below this, so that they are exact as 64-bit floats too."""

INFINITE = 1e30
"""From here on a value counts as infinite. pymoo sees it in the place of infinity, so that what is
infinitely bad ranks last and differences stay finite."""


def is_infinite(values: npt.ArrayLike) -> BoolArray:
    """Tell which values are infinite, or stand for what is.

    Examples
    --------
    >>> is_infinite([1.0, np.inf, -1e30]).tolist()
    [False, True, True]
    """
    return np.asarray(np.abs(np.asarray(values, dtype=np.float64)) >= INFINITE)


def directions(maximize: Sequence[bool] | BoolArray) -> BoolArray:
    """Check the directions of the objectives.

    Parameters
    ----------
    maximize : sequence of bool (n_objectives,)
        True where larger is better.

    Returns
    -------
    bool array (n_objectives,)

    Raises
    ------
    TypeError
        If it is not a flat sequence of at least one boolean.
    """
    flags = np.asarray(maximize)
    if flags.ndim != 1 or flags.dtype != np.bool_:
        raise TypeError(f"maximize: expected one boolean an objective, found {maximize!r}")
    return flags.astype(np.bool_)


def box_sides(eps: npt.ArrayLike, n_objectives: int) -> FloatArray:
    """Check the side lengths of the boxes.

    Parameters
    ----------
    eps : float or array_like (n_objectives,)
        Side lengths in the natural unit of each objective; a single number is used for all.
    n_objectives : int

    Returns
    -------
    float64 array (n_objectives,)

    Raises
    ------
    ValueError
        If there is another number of sides, or one is not positive and finite.
    """
    sides = np.asarray(eps, dtype=np.float64)
    if sides.ndim > 0 and sides.shape != (n_objectives,):
        raise ValueError(
            f"eps: expected one number or one for each of {n_objectives} objectives, "
            f"found shape {sides.shape}"
        )
    if not np.all(np.isfinite(sides) & (sides > 0)):
        raise ValueError(f"eps: expected positive finite side lengths, found {sides.tolist()}")
    return np.broadcast_to(sides, (n_objectives,)).copy()


def boxes(
    values: npt.ArrayLike, eps: npt.ArrayLike, maximize: Sequence[bool] | BoolArray
) -> IntArray:
    """Box of each point, as coordinates of which smaller is better.

    The box of an objective is ``floor(value / eps)`` of its natural value (Dewri 2010,
    Section 5); where larger is better the coordinate is negated after flooring, so that
    Pareto dominance of boxes is always plain minimization.

    Parameters
    ----------
    values : array_like (..., n_objectives)
        Natural values, with their natural sign. What is infinitely bad lies in the last box, of
        coordinate 2**53.
    eps : float or array_like (n_objectives,)
        Side lengths of the boxes in the unit of each objective, positive.
    maximize : sequence of bool (n_objectives,)
        True where larger is better.

    Returns
    -------
    int64 array (..., n_objectives)

    Raises
    ------
    ValueError
        If the shapes do not fit, a value is NaN or infinitely good, a side is not positive, or the
        coordinate of a finite value would be 2**53 or more.
    TypeError
        If maximize is not a sequence of booleans.

    Examples
    --------
    >>> boxes([[7, 250.0], [5, 99.0]], eps=[5, 100], maximize=[True, False]).tolist()
    [[-1, 2], [-1, 0]]
    """
    points = np.asarray(values, dtype=np.float64)
    flags = directions(maximize)
    if points.ndim == 0 or points.shape[-1] != len(flags):
        raise ValueError(
            f"values: expected a last axis of {len(flags)} objectives, found shape {points.shape}"
        )
    with np.errstate(over="ignore"):
        coordinates = np.floor(points / box_sides(eps, len(flags)))
    coordinates[..., flags] *= -1
    # Written so that NaN fails the comparison as well.
    if not np.all(np.abs(coordinates) < MAX_COORDINATE):
        worst = is_infinite(points) & (coordinates > 0)
        if not np.all(worst | (np.abs(coordinates) < MAX_COORDINATE)):
            raise ValueError(
                "values: expected finite values whose box coordinates are below 2**53, "
                f"found coordinates from {coordinates.min()} to {coordinates.max()}"
            )
        coordinates[worst] = MAX_COORDINATE
    return coordinates.astype(np.int64)


def box_corners(
    coordinates: npt.ArrayLike, eps: npt.ArrayLike, maximize: Sequence[bool] | BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Where boxes lie: lowest and highest natural values, the way back from :func:`boxes`.

    Parameters
    ----------
    coordinates : int array_like (..., n_objectives)
        As :func:`boxes` tells them.
    eps : float or array_like (n_objectives,)
        Side lengths of the boxes.
    maximize : sequence of bool (n_objectives,)

    Returns
    -------
    low, high : float64 arrays (..., n_objectives)
        A box holds the values from `low` on that are below `high`.

    Raises
    ------
    ValueError, TypeError
        If the sides or the directions are not as they must be.

    Examples
    --------
    >>> low, high = box_corners([[-1, 2]], eps=[5, 100], maximize=[True, False])
    >>> low.tolist(), high.tolist()
    ([[5.0, 200.0]], [[10.0, 300.0]])
    """
    flags = directions(maximize)
    floors = np.array(coordinates, dtype=np.float64)
    floors[..., flags] *= -1
    sides = box_sides(eps, len(flags))
    # Without a sign where the lowest value is zero.
    return floors * sides + 0.0, (floors + 1) * sides + 0.0


def dominates(first: npt.NDArray[np.number], second: npt.NDArray[np.number]) -> BoolArray:
    """Pareto dominance of minimized vectors.

    Parameters
    ----------
    first, second : arrays (..., n_objectives)
        Smaller is better; the leading axes are broadcast against each other.

    Returns
    -------
    bool array (...)
        True where ``first`` is nowhere larger and somewhere smaller than ``second``.

    Examples
    --------
    >>> points = np.array([[1, 2], [1, 3], [0, 4]])
    >>> dominates(points[:, np.newaxis], points).astype(int).tolist()
    [[0, 1, 0], [0, 0, 0], [0, 0, 0]]
    """
    no_worse = np.all(first <= second, axis=-1)
    better = np.any(first < second, axis=-1)
    return np.asarray(no_worse & better)


def box_bound(upper_bounds: npt.ArrayLike, eps: npt.ArrayLike) -> int:
    """Largest number of boxes none of which dominates another (Dewri 2010, Theorem 2).

    The product of the numbers of boxes along all objectives but the one with the fewest. For
    values in ``0..K`` there are ``floor(K / eps) + 1`` boxes along an objective. The paper
    counts ``K / eps``, which is too few whenever a value can be K itself, or eps does not divide
    K: values 1, 2, 3 with eps 2 lie in two boxes, not in 1.5.

    Parameters
    ----------
    upper_bounds : array_like (n_objectives,)
        Largest natural value K of each objective, 0 or more; the smallest is taken to be 0.
    eps : float or array_like (n_objectives,)
        Side lengths of the boxes.

    Returns
    -------
    int
        An exact integer of any length.

    Raises
    ------
    ValueError
        If a bound is negative or not finite, or eps does not fit.

    Examples
    --------
    >>> box_bound([100, 14, 241296], eps=[10, 4, 1000])
    2662
    """
    tops = np.asarray(upper_bounds, dtype=np.float64)
    if tops.ndim != 1 or len(tops) == 0 or not np.all(np.isfinite(tops) & (tops >= 0)):
        raise ValueError(
            "upper_bounds: expected one finite number of 0 or more for each objective, "
            f"found {tops.tolist()}"
        )
    counts = [int(count) + 1 for count in np.floor(tops / box_sides(eps, len(tops)))]
    return math.prod(sorted(counts)[1:])
