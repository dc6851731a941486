"""Indicators: how near a found front is to the true one, and how much of it is covered.

Convergence error and representation ratio are those of R. Dewri, I. Ray, I. Ray, D. Whitley, *On
the Identification of Property Based Generalizations in Microdata Anonymization*, DBSec 2010,
Section 7. Hypervolume and IGD+ come from moocore. All take objectives in natural units and sign,
as arrays or as frames with one column an objective.

An infinite value, such as recursive diversity where a class has a single sensitive value, says
that nothing is worse. A point that has one lies in the last box of that objective; it dominates no
volume and is at no distance, so hypervolume, IGD+ and the convergence error leave it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import moocore
import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from anonopt._checks import check_choice
from anonopt._typing import BoolArray, FloatArray
from anonopt.measures.fronts.boxes import boxes, directions, is_infinite
from anonopt.measures.registry import get_measure

Front: TypeAlias = "npt.ArrayLike | pd.DataFrame"
Directions: TypeAlias = "Sequence[bool] | BoolArray | None"


def representation_ratio(
    front: Front, true_front: Front, *, eps: npt.ArrayLike, maximize: Directions = None
) -> float:
    """Share of the non-dominated boxes of the true front that hold a found point (max).

    Dewri 2010, Section 7 (RR). A box is held if a found point has the same box vector.

    Parameters
    ----------
    front : array_like or DataFrame (n_found, n_objectives)
        Found points; may be empty, which gives 0.
    true_front : array_like or DataFrame (n_true, n_objectives)
        Points of the true front; not empty.
    eps : float or array_like (n_objectives,)
        Side lengths of the boxes, in the unit of each objective and in the order of the columns
        of ``true_front``.
    maximize : sequence of bool (n_objectives,), optional
        True where larger is better. May be left out for frames whose columns are named as
        measures.

    Returns
    -------
    float
        In 0..1.

    Raises
    ------
    ValueError
        If the shapes or columns do not fit, a value is NaN or infinitely good, ``true_front`` is
        empty, or the directions are neither given nor known.

    Examples
    --------
    Three boxes of the true front are non-dominated, the found points hold one of them:

    >>> true_front = [[2, 10.0], [5, 25.0], [9, 80.0], [8, 85.0]]
    >>> representation_ratio([[5, 22.0]], true_front, eps=[1, 10], maximize=[True, False])
    0.3333333333333333
    """
    found, true, flags = _compared(front, true_front, maximize)
    return share_of_boxes(found, non_dominated_boxes(true, eps, flags), eps, flags)


def non_dominated_boxes(
    true_front: FloatArray, eps: npt.ArrayLike, maximize: Sequence[bool] | BoolArray
) -> set[tuple[int, ...]]:
    """Boxes of the points of a true front that no other box dominates."""
    distinct = np.unique(boxes(true_front, eps, maximize), axis=0)
    return {tuple(box) for box in distinct[moocore.is_nondominated(distinct)].tolist()}


def share_of_boxes(
    found: FloatArray,
    marked: set[tuple[int, ...]],
    eps: npt.ArrayLike,
    maximize: Sequence[bool] | BoolArray,
) -> float:
    """Share of marked boxes that hold a found point, 0..1."""
    held = {tuple(box) for box in boxes(found, eps, maximize).tolist()}
    return len(marked & held) / len(marked)


def convergence_error(
    front: Front, true_front: Front, *, reduction: Literal["sum", "mean"] = "sum"
) -> float:
    """Distance of the found points to the true front (min).

    Dewri 2010, Section 7 (CE). Both sets are divided, per objective, by the largest value in the
    true front; an objective that is 0 all over the true front is left as it is. CE is the sum
    over the found points of the Euclidean distance to the nearest true one. The figures printed
    in the paper fit the mean over the found points.

    Parameters
    ----------
    front : array_like or DataFrame (n_found, n_objectives)
        Found points; not empty.
    true_front : array_like or DataFrame (n_true, n_objectives)
        Points of the true front; not empty.
    reduction : {"sum", "mean"}
        Add the distances up, or average them over the found points.

    Returns
    -------
    float
        0 or more; 0 if every found point is one of the true front.

    Raises
    ------
    ValueError
        If the shapes or columns do not fit, a value is NaN, a set has no finite point, an objective
        of the true front is negative everywhere, or the reduction is unknown.

    Examples
    --------
    >>> convergence_error([[2, 10], [5, 30]], [[2, 10], [5, 20]])
    0.5
    >>> convergence_error([[2, 10], [5, 30]], [[2, 10], [5, 20]], reduction="mean")
    0.25
    """
    check_choice("reduction", reduction, ("sum", "mean"))
    found, true = _aligned(front, true_front)
    found, true = _finite(found, "front"), _finite(true, "true_front")
    scale = true.max(axis=0)
    if np.any(scale < 0):
        raise ValueError(
            "true_front: expected objectives whose largest value is 0 or more, "
            f"found largest values {scale.tolist()}"
        )
    scale[scale == 0] = 1.0
    distances, _ = scipy.spatial.cKDTree(true / scale).query(found / scale)
    return float(np.sum(distances) if reduction == "sum" else np.mean(distances))


def hypervolume(front: Front, *, reference: npt.ArrayLike, maximize: Directions = None) -> float:
    """Volume of objective space between the front and a reference point (max).

    Points that are not better than the reference in every objective add nothing.

    Parameters
    ----------
    front : array_like or DataFrame (n_points, n_objectives)
        Points; may be empty, which gives 0.
    reference : array_like (n_objectives,)
        Reference point in natural units, worse than the points.
    maximize : sequence of bool (n_objectives,), optional
        True where larger is better. May be left out for frames whose columns are named as
        measures.

    Returns
    -------
    float
        0 or more, in the product of the objectives' units.

    Raises
    ------
    ValueError
        If the shapes do not fit, a value is NaN, or the directions are neither given nor
        known.

    Examples
    --------
    >>> hypervolume([[2, 10], [5, 20]], reference=[0, 40], maximize=[True, False])
    120.0
    """
    points = _points(front, "front")
    flags = _known_directions(maximize, front, n_objectives=points.shape[1])
    corner = np.asarray(reference, dtype=np.float64)
    if corner.shape != flags.shape or not np.all(np.isfinite(corner)):
        raise ValueError(
            f"reference: expected {len(flags)} finite numbers, found {corner.tolist()}"
        )
    points = points[~is_infinite(points).any(axis=1)]
    if len(points) == 0:
        return 0.0
    return float(moocore.hypervolume(points, ref=corner, maximise=flags))


def igd_plus(front: Front, true_front: Front, *, maximize: Directions = None) -> float:
    """Mean distance from the true points to the region the found ones dominate, IGD+ (min).

    H. Ishibuchi, H. Masuda, Y. Tanigaki, Y. Nojima, *Modified Distance Calculation in
    Generational Distance and Inverted Generational Distance*, EMO 2015. The objectives are taken
    as they are: divide them by their ranges first if the units differ.

    Parameters
    ----------
    front : array_like or DataFrame (n_found, n_objectives)
        Found points; not empty.
    true_front : array_like or DataFrame (n_true, n_objectives)
        Points of the true front; not empty.
    maximize : sequence of bool (n_objectives,), optional
        True where larger is better. May be left out for frames whose columns are named as
        measures.

    Returns
    -------
    float
        0 or more.

    Raises
    ------
    ValueError
        If the shapes or columns do not fit, a value is NaN, a set has no finite point, or the
        directions are neither given nor known.

    Examples
    --------
    The point (5, 20) of the true front is missed: (6, 22) is worse by 2 in the second objective.

    >>> igd_plus([[2, 10], [6, 22]], [[2, 10], [5, 20]], maximize=[True, False])
    1.0
    """
    found, true, flags = _compared(front, true_front, maximize)
    found, true = _finite(found, "front"), _finite(true, "true_front")
    return float(moocore.igd_plus(found, ref=true, maximise=flags))


def _compared(
    front: Front, true_front: Front, maximize: Directions
) -> tuple[FloatArray, FloatArray, BoolArray]:
    found, true = _aligned(front, true_front)
    named = true_front if isinstance(true_front, pd.DataFrame) else front
    return found, true, _known_directions(maximize, named, n_objectives=true.shape[1])


def _aligned(front: Front, true_front: Front) -> tuple[FloatArray, FloatArray]:
    if isinstance(front, pd.DataFrame) and isinstance(true_front, pd.DataFrame):
        expected, present = list(true_front.columns), list(front.columns)
        if sorted(map(str, expected)) != sorted(map(str, present)):
            raise ValueError(
                f"front: expected the columns of true_front {expected}, found {present}"
            )
        front = front[expected]
    found, true = _points(front, "front"), _points(true_front, "true_front")
    if len(true) == 0:
        raise ValueError("true_front: expected at least one point, found none")
    if found.shape[1] != true.shape[1]:
        raise ValueError(
            f"front: expected {true.shape[1]} objectives as in true_front, found {found.shape[1]}"
        )
    return found, true


def _points(front: Front, name: str) -> FloatArray:
    points = np.array(front, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] == 0:
        raise ValueError(
            f"{name}: expected shape (n_points, n_objectives), found shape {points.shape}"
        )
    missing = np.isnan(points)
    if missing.any():
        row, column = np.argwhere(missing)[0]
        raise ValueError(f"{name}: expected numbers, found nan in row {row}, column {column}")
    return points


def _finite(points: FloatArray, name: str) -> FloatArray:
    """Points without an infinite value, at least one."""
    finite = points[~is_infinite(points).any(axis=1)]
    if len(finite) == 0:
        raise ValueError(
            f"{name}: expected at least one point of finite values, found none among {len(points)}"
        )
    return finite


def _known_directions(maximize: Directions, front: Front, *, n_objectives: int) -> BoolArray:
    if maximize is not None:
        flags = directions(maximize)
    elif isinstance(front, pd.DataFrame):
        flags = np.array([get_measure(str(name)).maximize for name in front.columns])
    else:
        raise ValueError(
            "maximize: expected one boolean an objective, found None; "
            "only a frame with columns named as measures may leave it out"
        )
    if len(flags) != n_objectives:
        raise ValueError(
            f"maximize: expected one boolean for each of {n_objectives} objectives, "
            f"found {len(flags)}"
        )
    return flags
