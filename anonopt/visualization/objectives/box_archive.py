"""The boxes of an archive: what is held, and what its boxes keep out."""

from __future__ import annotations

import math
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from anonopt._typing import BoolArray, FloatArray, IntArray
from anonopt.measures.fronts.boxes import box_corners, boxes, dominates, is_infinite
from anonopt.operators.archives import BoxArchive
from anonopt.runs.result import Result
from anonopt.visualization import figures
from anonopt.visualization.objectives.plane import (
    Plane,
    objectives_of,
    rectangle,
    set_up,
    worst_corner,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_LINES = 60
"""Boxes along an axis; where there are more, their borders are not drawn."""
HELD, DOMINATED = "#BFE3D5", "#E4E4E4"

STYLES = {
    "member": ("o", "black"),
    "in the box of a member": ("s", figures.COLORS[0]),
    "in a dominated box": ("x", figures.COLORS[1]),
    "elsewhere": ("D", figures.COLORS[3]),
}
"""Marker and colour of points, by where they lie."""


def plot_box_archive(
    archive: BoxArchive | Result,
    x: str | None = None,
    y: str | None = None,
    *,
    points: pd.DataFrame | None = None,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw the members of a box archive, their boxes, and the boxes that these dominate.

    A box archive (Dewri 2010, Section 5) cuts objective space into boxes of side ``eps`` and
    keeps one solution a box, of boxes that no other held box dominates. Boxes are computed by the
    function that the archive itself uses, :func:`anonopt.measures.fronts.boxes.boxes`.

    Parameters
    ----------
    archive : BoxArchive or Result
        Of two objectives. Of a result, the archive given to ``solve``, or else that of its
        algorithm, as `PBGEA` has one.
    x, y : str, optional
        Names of the objectives of an archive; those of a result's problem are known.
    points : DataFrame (n, ...), optional
        Solutions that were offered, in natural units, with the columns `x` and `y`; of a result
        by default everything feasible that the run evaluated.
    title : str, optional
        Long lines are broken.
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.

    Returns
    -------
    matplotlib Figure
        Not known to pyplot: nothing has to be closed. Where an axis has more than 60 boxes their
        borders are left out. The legend tells how many points lie where, infinite ones, which
        are not drawn, among them.

    Raises
    ------
    TypeError
        If `archive` is neither.
    ValueError
        If there is no box archive, it is empty or not of two objectives, a column is absent or
        not a number, or the ending of the file is unknown.

    Examples
    --------
    >>> from pymoo.core.population import Population
    >>> F = np.array([[-7.0, 250.0], [-5.0, 240.0], [-3.0, 20.0]])
    >>> pop = Population.new("X", np.array([[0], [1], [2]]), "F", F)
    >>> archive = BoxArchive([5, 100], [True, False]).add(pop)
    >>> offered = pd.DataFrame({"k": -F[:, 0], "glm": F[:, 1]})
    >>> figure = plot_box_archive(archive, "k", "glm", points=offered)
    >>> [text.get_text() for text in figure.legends[0].get_texts()][:2]
    ['member (2)', 'in the box of a member (1)']
    """
    figures.check_picture(path)
    boxed, names, points = _read(archive, x, y, points)
    members = Plane(names, _natural(boxed), boxed.maximize)
    if points is None:
        points = pd.DataFrame(members.values[:0], columns=list(names))
    figures.check_columns("points", points, names, finite=False)
    offered = Plane(names, points[list(names)].to_numpy(dtype=np.float64), boxed.maximize)
    held = boxes(members.values, boxed.eps, boxed.maximize)
    figure = figures.readable_figure(8.0, 5.8)
    axes = figure.add_subplot()
    shown = np.concatenate([plane.values[plane.drawable] for plane in (members, offered)])
    corners = box_corners(held[members.drawable], boxed.eps, boxed.maximize)
    low, high = (np.concatenate([shown, corner]) for corner in corners)
    set_up(axes, members, low.min(axis=0), high.max(axis=0))
    _draw_boxes(axes, held[members.drawable], boxed)
    for (name, (marker, color)), rows in zip(
        STYLES.items(), _places(members, offered, held, boxed), strict=True
    ):
        if name == "elsewhere" and not len(rows):
            continue
        drawn = rows[~is_infinite(rows).any(axis=1)]
        axes.plot(
            drawn[:, 0],
            drawn[:, 1],
            linestyle="",
            marker=marker,
            color=color,
            fillstyle="full" if name == "member" else "none",
            markersize=7,
            markeredgewidth=1.4,
            zorder=4 if name == "member" else 3.5,
            label=f"{name} ({len(rows):,})",
        )
    figures.set_title(figure, axes, title)
    _legend(figure, axes, boxed)
    return figures.write_picture(figure, path)


def _read(
    archive: BoxArchive | Result, x: str | None, y: str | None, points: pd.DataFrame | None
) -> tuple[BoxArchive, tuple[str, str], pd.DataFrame | None]:
    """The archive, the names of its objectives, and what was offered."""
    names: list[str] = [name for name in (x, y) if name is not None]
    found: Any = archive
    if isinstance(archive, Result):
        found = archive.archive
        if found is None:
            found = getattr(archive.algorithm, "archive", None)
        known = list(objectives_of(archive.problem))
        if names not in ([], known):
            raise ValueError(f"x, y: expected {known} in this order, or none, found {names}")
        names = known
        if points is None:
            points = archive.history[archive.history["feasible"].to_numpy(dtype=bool)]
        if not isinstance(found, BoxArchive):
            raise ValueError(
                f"archive: expected a run with a box archive, found {type(found).__name__}"
            )
    elif not isinstance(found, BoxArchive):
        raise TypeError(
            f"archive: expected a BoxArchive or a Result, found {type(archive).__name__}"
        )
    n_objectives = len(found.maximize)
    if n_objectives != 2:
        raise ValueError(f"archive: expected two objectives, found {n_objectives}")
    if len(names) != 2:
        raise ValueError(f"x, y: expected the names of both objectives, found {names}")
    if len(found) == 0:
        raise ValueError("archive: expected at least one member, found none")
    return found, (names[0], names[1]), points


def _natural(archive: BoxArchive) -> FloatArray:
    F: FloatArray = archive.population().get("F")
    return np.where(archive.maximize, -F, F)


def _places(
    members: Plane, offered: Plane, held: IntArray, archive: BoxArchive
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Members, and offered points that are none, by where they lie; in the order of `STYLES`."""
    is_member: BoolArray = (offered.values[:, None] == members.values).all(axis=-1).any(axis=1)
    others = offered.values[~is_member]
    own = boxes(others, archive.eps, archive.maximize)
    in_held = (own[:, None] == held).all(axis=-1).any(axis=1)
    in_dominated = dominates(held, own[:, None]).any(axis=1)
    elsewhere = ~(in_held | in_dominated)
    return members.values, others[in_held], others[in_dominated], others[elsewhere]


def _draw_boxes(axes: Axes, held: IntArray, archive: BoxArchive) -> None:
    low, high = box_corners(held, archive.eps, archive.maximize)
    worst = worst_corner(axes, archive.maximize)
    # From the best corner of a held box on, everything is in it or in a box that it dominates;
    # no held box dominates another, so that those are drawn above.
    for best in np.where(archive.maximize, high, low):
        rectangle(axes, best, worst, facecolor=DOMINATED, edgecolor="none", zorder=0.4, gid="below")
    for corner, other in zip(low, high, strict=True):
        rectangle(
            axes, corner, other, facecolor=HELD, edgecolor="black", lw=1.3, zorder=0.6, gid="held"
        )
    axes.grid(visible=False)
    limits = (axes.get_xlim(), axes.get_ylim())
    for line, (least, most), side in zip(
        (axes.axvline, axes.axhline), limits, archive.eps, strict=True
    ):
        first, last = math.ceil(least / side), math.floor(most / side)
        if last - first < MAX_LINES:
            for border in range(first, last + 1):
                line(border * side, color="#9A9A9A", linewidth=0.7, zorder=0.5)


def _legend(figure: Figure, axes: Axes, archive: BoxArchive) -> None:
    from matplotlib.patches import Patch

    handles, labels = axes.get_legend_handles_labels()
    sides = " x ".join(f"{side:,.6g}" for side in archive.eps)
    patches = {
        f"box that is held ({sides})": Patch(facecolor=HELD, edgecolor="black"),
        "box that one of them dominates": Patch(facecolor=DOMINATED, edgecolor="#9A9A9A"),
    }
    figure.legend(
        [*handles, *patches.values()],
        [*labels, *patches],
        loc="outside lower center",
        ncols=figures.legend_columns(2),
        frameon=False,
    )
