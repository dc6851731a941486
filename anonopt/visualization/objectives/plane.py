"""Two objectives of many solutions, as points in natural units, and how their plane is set up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import moocore
import numpy as np
import numpy.typing as npt
import pandas as pd
from pymoo.core.problem import Problem

from anonopt._checks import check_choice
from anonopt._typing import BoolArray, FloatArray
from anonopt.measures.fronts.boxes import is_infinite
from anonopt.problems.any_problem import maximize_of, natural_objectives
from anonopt.runs.result import Result
from anonopt.visualization import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARGIN = 0.08
"""Of the range of the points, on each side of the plane."""
LABEL_WIDTHS = (75, 45)


@dataclass(frozen=True, eq=False)
class Plane:
    """Points over two objectives.

    Attributes
    ----------
    names : two names
        Of the objectives on the axes.
    values : float array (n, 2)
        Natural values; infinite ones cannot be drawn.
    maximize : bool array (2,)
        Whether more of each is better.
    """

    names: tuple[str, str]
    values: FloatArray
    maximize: BoolArray

    @property
    def minimized(self) -> FloatArray:
        """The values with the sign of which less is better, (n, 2)."""
        return np.where(self.maximize, -self.values, self.values)

    @property
    def drawable(self) -> BoolArray:
        """Which points are finite, (n,)."""
        return np.asarray(~is_infinite(self.values).any(axis=1))

    @property
    def non_dominated(self) -> BoolArray:
        """Which points no other dominates, (n,); equal points are both among them."""
        if len(self.values) == 0:
            return np.zeros(0, dtype=bool)
        return np.asarray(moocore.is_nondominated(self.minimized, keep_weakly=True))


def read_plane(
    points: Result | pd.DataFrame | Problem,
    x: str | None,
    y: str | None,
    *,
    F: npt.ArrayLike | None = None,
    maximize: Sequence[bool] | None = None,
) -> Plane:
    """Two objectives of the solutions of a result, a frame, or a problem with its F.

    Raises
    ------
    TypeError
        If `points` is none of them, or `F` is given without a problem or the other way round.
    ValueError
        If an objective is unknown or not a number, or the directions are not known.
    """
    if isinstance(points, Problem) != (F is not None):
        raise TypeError(
            f"points, F: expected a problem with the F of solutions, or another kind of points "
            f"without F, found {type(points).__name__} {'without' if F is None else 'with'} F"
        )
    if isinstance(points, pd.DataFrame):
        names = _axes_of([str(name) for name in points.columns], x, y)
        figures.check_columns("points", points, names, finite=False)
        flags = np.array(figures.directions_of(names, maximize))
        return Plane(names, points[list(names)].to_numpy(dtype=np.float64), flags)
    if isinstance(points, Result):
        problem, F = points.problem, None
        frame = points.history[points.history["feasible"].to_numpy(dtype=bool)]
    elif isinstance(points, Problem):
        problem = points
        minimized = np.asarray(F, dtype=np.float64)
        if minimized.ndim != 2 or minimized.shape[1] != problem.n_obj:
            raise ValueError(f"F: expected shape (n, {problem.n_obj}), found {minimized.shape}")
        frame = pd.DataFrame(natural_objectives(problem, minimized))
    else:
        raise TypeError(
            f"points: expected a Result, a DataFrame or a problem, found {type(points).__name__}"
        )
    objectives = objectives_of(problem)
    names = _axes_of(list(objectives), x, y)
    figures.check_columns("points", frame, names, finite=False)
    known = [objectives[name] for name in names]
    flags = np.array(figures.directions_of(names, known if maximize is None else maximize))
    return Plane(names, frame[list(names)].to_numpy(dtype=np.float64), flags)


def objectives_of(problem: Problem) -> dict[str, bool]:
    """Objectives of a problem by name, and whether more of each is better."""
    names = natural_objectives(problem, np.empty((0, problem.n_obj)))
    return dict(zip(names, maximize_of(problem).tolist(), strict=True))


def _axes_of(names: list[str], x: str | None, y: str | None) -> tuple[str, str]:
    given = [name for name in (x, y) if name is not None]
    for option, name in (("x", x), ("y", y)):
        if name is not None:
            check_choice(option, name, names)
    left = [name for name in names if name not in given]
    if len(given) + len(left) < 2:
        raise ValueError(f"points: expected at least two objectives, found {names}")
    first = left.pop(0) if x is None else x
    return first, left.pop(0) if y is None else y


def set_up(
    axes: Axes,
    plane: Plane,
    low: FloatArray,
    high: FloatArray,
    *,
    logarithmic: tuple[bool, bool] = (False, False),
) -> None:
    """Scales, limits, labels and grid of a plane whose points lie between two corners, each (2,).

    On a logarithmic axis they must be above 0.
    """
    from matplotlib.ticker import FuncFormatter, NullFormatter

    scales = axes.set_xscale, axes.set_yscale
    limits: Any = axes.set_xlim, axes.set_ylim
    for scale, limit, one, other, is_log in zip(
        scales, limits, low, high, logarithmic, strict=True
    ):
        if is_log:
            scale("log")
            factor = max(float(other / one), 1.5) ** MARGIN
            limit(one / factor, other * factor)
        else:
            width = (other - one) * MARGIN if other > one else max(abs(one) * MARGIN, 0.5)
            limit(one - width, other + width)
    labels = [
        figures.wrapped(figures.axis_label(name, bool(flag)), width)
        for name, flag, width in zip(plane.names, plane.maximize, LABEL_WIDTHS, strict=True)
    ]
    axes.set_xlabel(labels[0], labelpad=6, parse_math=False)
    axes.set_ylabel(labels[1], labelpad=6, parse_math=False)
    for axis, is_log in zip((axes.xaxis, axes.yaxis), logarithmic, strict=True):
        if is_log:
            axis.set_minor_formatter(NullFormatter())
        axis.set_major_formatter(FuncFormatter(figures.tick_text))
    figures.plain_axes(axes)


def worst_corner(axes: Axes, maximize: BoolArray) -> FloatArray:
    """Corner of the axes where both objectives are worst, (2,)."""
    limits = np.array([axes.get_xlim(), axes.get_ylim()])
    return np.asarray(np.where(maximize, limits[:, 0], limits[:, 1]))


def rectangle(axes: Axes, one: FloatArray, other: FloatArray, **style: Any) -> None:
    """Draw the rectangle between two opposite corners, each (2,)."""
    from matplotlib.patches import Rectangle

    low, high = np.minimum(one, other), np.maximum(one, other)
    axes.add_patch(Rectangle((low[0], low[1]), *(high - low), **style))


def draw_staircase(axes: Axes, plane: Plane, label: str) -> None:
    """Draw the points that no other dominates as steps."""
    rows = np.flatnonzero(plane.non_dominated & plane.drawable)
    best = plane.values[rows]
    best = best[np.lexsort((best[:, 1], best[:, 0]))]
    axes.plot(
        best[:, 0],
        best[:, 1],
        drawstyle=figures.steps_of(bool(plane.maximize[0])),
        color=figures.LINE_COLOR,
        linewidth=1.6,
        zorder=2.5,
        label=label,
    )
