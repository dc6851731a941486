"""Panels beside the lattice: objective space with the boxes of an archive, bounds over tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from anonopt._typing import BoolArray, FloatArray
from anonopt.measures.fronts.boxes import boxes
from anonopt.visualization import figures
from anonopt.visualization.lattice.drawn_nodes import Node
from anonopt.visualization.lattice.steps.frames import (
    ANSWER,
    ARCHIVE,
    CHILDREN,
    CURRENT,
    FEASIBLE,
    FRONT,
    INFEASIBLE,
    LatticeFrame,
)
from anonopt.visualization.lattice.styles import (
    BLUE,
    STATE_STYLES,
    VERMILION,
    WINDOW_COLOR,
    plain,
    short,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LINES = 40
"""Lines of a grid of boxes that are drawn along an axis."""


class FramePanel(Protocol):
    """Shows something of a frame on axes of its own."""

    def draw(self, axes: Axes, frame: LatticeFrame) -> None:
        """Draw a frame in place of what is on the axes."""


class ObjectivePanel:
    """Nodes of a frame in the space of the first two objectives.

    Parameters
    ----------
    values : mapping of node to float array (n_obj,)
        Objectives in natural units.
    names : sequence of str (n_obj,)
    maximize : sequence of bool (n_obj,)
    box_sides : float array (n_obj,), optional
        Sides of the boxes of an archive.
    """

    def __init__(
        self,
        values: Mapping[Node, FloatArray],
        names: Sequence[str],
        maximize: Sequence[bool] | BoolArray,
        box_sides: FloatArray | None = None,
    ) -> None:
        self._values = {node: row[:2] for node, row in values.items() if np.isfinite(row).all()}
        self._names, self._maximize = tuple(names), np.asarray(maximize, dtype=bool)[:2]
        self._sides = None if box_sides is None else np.asarray(box_sides)[:2]
        points = np.array([*self._values.values(), *([] if self._values else [np.zeros(2)])])
        self._least, self._largest = points.min(axis=0), points.max(axis=0)

    def draw(self, axes: Axes, frame: LatticeFrame) -> None:
        """Draw the nodes that were evaluated, and the boxes of the archive."""
        axes.clear()
        for state in (INFEASIBLE, FEASIBLE):
            nodes = [node for node, one in frame.states.items() if one == state]
            style = STATE_STYLES[state]
            self._scatter(axes, nodes, style.shape, 26, style.face, style.edge, 0.8)
        best = frame.marks.get(ARCHIVE) or frame.marks.get(FRONT) or frame.marks.get(ANSWER) or ()
        if self._sides is not None:
            held = [node for node in frame.marks.get(ARCHIVE, ()) if node in self._values]
            self._draw_boxes(axes, held, self._sides)
        self._scatter(axes, best, "o", 74, "none", "#000000", 1.8)
        looked_at = [*frame.marks.get(CURRENT, ()), *frame.marks.get(CHILDREN, ())]
        self._scatter(axes, looked_at, "o", 130, "none", VERMILION, 1.8)
        self._label(axes)

    def _scatter(
        self,
        axes: Axes,
        nodes: Sequence[Node],
        marker: str,
        size: float,
        face: str,
        edge: str,
        width: float,
    ) -> None:
        points = np.array([self._values[node] for node in nodes if node in self._values])
        if len(points):
            axes.scatter(
                points[:, 0], points[:, 1], s=size, marker=marker, c=face, edgecolors=edge,
                linewidths=width, zorder=4,
            )  # fmt: skip

    def _draw_boxes(self, axes: Axes, nodes: Sequence[Node], sides: FloatArray) -> None:
        from matplotlib.collections import PatchCollection
        from matplotlib.patches import Rectangle

        for line, low, high, side in zip(
            (axes.axvline, axes.axhline), self._least, self._largest, sides, strict=True
        ):
            first, last = int(np.floor(low / side)), int(np.floor(high / side)) + 1
            if last - first <= MOST_LINES:
                for number in range(first, last + 1):
                    line(number * side, color="#DDDDDD", linewidth=0.6, zorder=1)
        if nodes:
            points = np.array([self._values[node] for node in nodes])
            # The corner of least values of the box of each point.
            numbers = boxes(points, sides, self._maximize)
            corners = np.where(self._maximize, -numbers, numbers) * sides
            drawn = [Rectangle((x, y), sides[0], sides[1]) for x, y in corners.tolist()]
            axes.add_collection(
                PatchCollection(
                    drawn, facecolor=WINDOW_COLOR, edgecolor="#000000", linewidth=1.0, zorder=2
                )
            )

    def _label(self, axes: Axes) -> None:
        margin = 0.07 * np.maximum(self._largest - self._least, 1e-9)
        sides = 0 if self._sides is None else self._sides
        low, high = self._least - margin, self._largest + margin + sides
        axes.set_xlim(low[0], high[0])
        axes.set_ylim(low[1], high[1])
        labels = [
            plain(f"{short(name, 24)} ({'more' if maximize else 'less'} is better)")
            for name, maximize in zip(self._names, self._maximize, strict=False)
        ]
        axes.set_xlabel(labels[0], fontsize=8.5 * figures.font_scale())
        axes.set_ylabel(labels[1], fontsize=8.5 * figures.font_scale())
        title = "objective space" if self._sides is None else "objective space, archive of boxes"
        axes.set_title(title, fontsize=9 * figures.font_scale(), loc="left")
        axes.tick_params(labelsize=8.3 * figures.font_scale())
        axes.spines[["top", "right"]].set_visible(False)


class BoundPanel:
    """Bound and best loss known over the tests, and the gap between them.

    Parameters
    ----------
    frames : sequence of LatticeFrame
        All that will be drawn.
    name : str
        Of the objective.
    """

    def __init__(self, frames: Sequence[LatticeFrame], name: str) -> None:
        course = np.array(frames[-1].bounds, dtype=np.float64).reshape(-1, 3)
        finite = course[:, 1:][np.isfinite(course[:, 1:])]
        self._low = float(finite.min()) if len(finite) else 0.0
        self._high = float(finite.max()) if len(finite) else 1.0
        self._last = max(1, max(frame.n_tests for frame in frames))
        self._name = name

    def draw(self, axes: Axes, frame: LatticeFrame) -> None:
        """Draw the course up to a frame."""
        axes.clear()
        if frame.bounds:
            tests, bound, incumbent = np.array([*frame.bounds, frame.bounds[-1]]).T
            tests[-1] = max(frame.n_tests, tests[-2])
            shown = np.where(np.isfinite(incumbent), incumbent, np.nan)
            axes.fill_between(tests, bound, shown, step="post", color=WINDOW_COLOR, zorder=1)
            axes.step(tests, shown, where="post", color=VERMILION, linewidth=2.0, zorder=3)
            axes.step(tests, bound, where="post", color=BLUE, linewidth=2.0, linestyle="--",
                      zorder=3)  # fmt: skip
            axes.plot(tests[-1], shown[-1], "v", color=VERMILION, zorder=4)
            axes.plot(tests[-1], bound[-1], "^", color=BLUE, zorder=4)
        margin = 0.08 * max(self._high - self._low, 1e-9)
        axes.set_xlim(-0.3, self._last + 0.5)
        axes.set_ylim(self._low - margin, self._high + margin)
        axes.set_xlabel("tests", fontsize=8.5 * figures.font_scale())
        axes.set_ylabel(plain(short(self._name)), fontsize=8.5 * figures.font_scale())
        axes.set_title(
            "▼ best known   ▲ proven bound", fontsize=9 * figures.font_scale(), loc="left"
        )
        axes.tick_params(labelsize=8.3 * figures.font_scale())
        figures.plain_axes(axes)
