"""The whole picture of a search: lattice, legend, colour bar, panel, title and what happened."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from anonopt.visualization import figures
from anonopt.visualization.lattice.drawn_nodes import DrawnNodes
from anonopt.visualization.lattice.legends import Legend
from anonopt.visualization.lattice.panels import FramePanel
from anonopt.visualization.lattice.picture import LatticePicture, NodeColors
from anonopt.visualization.lattice.steps.frames import LatticeFrame
from anonopt.visualization.lattice.styles import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEFT, RIGHT, BOTTOM = 0.65, 0.15, 0.5
GAP, SIDE = 0.3, 3.15
"""Inches: margins, and between the lattice and the column beside it, which has this width."""

PANEL_HEIGHT, BAR_HEIGHT = 2.35, 0.13
INCHES_A_NODE, INCHES_A_ROW = 0.8, 0.74
SMALLEST, LARGEST = (4.2, 3.9), (20.0, 13.0)
"""Width and height of the lattice, in inches."""

TITLE_SIZE, TEXT_SIZE = 11.0, 9.5
LINE = 0.19
"""Height of a line of text, in inches."""

GROWTH = 0.6
"""Share of the growth of text by which the figure grows."""

CHARACTERS_AN_INCH = 13.0
MOST_TEXT_LINES = 4


class LatticeBoard:
    """A figure on which the frames of a search are drawn, one in place of the other.

    Parameters
    ----------
    drawn : DrawnNodes
    frames : sequence of LatticeFrame
        All that will be drawn, so that nothing moves from one to the next.
    colors : NodeColors, optional
    panel : FramePanel, optional
    labels : ``"auto"`` or bool
    title : str
    tells : bool
        Whether the text of a frame is written below the title.
    reasons, order, structure : bool
        As of `Legend`, `LatticePicture`.
    """

    def __init__(
        self,
        drawn: DrawnNodes,
        frames: Sequence[LatticeFrame],
        *,
        colors: NodeColors | None = None,
        panel: FramePanel | None = None,
        labels: Any = "auto",
        title: str = "",
        tells: bool = False,
        reasons: bool = False,
        order: bool = True,
        structure: bool = False,
    ) -> None:
        n_rows = len(np.unique(drawn.places[:, 1]))
        scale = figures.font_scale()
        # Larger text needs a larger figure, but is there to be large in it.
        grown = 1 + GROWTH * (scale - 1)
        left, bottom, side_width, line = (scale * one for one in (LEFT, BOTTOM, SIDE, LINE))
        panel_height = grown * PANEL_HEIGHT
        sizes = np.array([INCHES_A_NODE * drawn.widest, INCHES_A_ROW * n_rows])
        width, height = np.clip(grown * sizes, grown * np.array(SMALLEST), LARGEST).tolist()
        if panel is not None:
            height = max(height, panel_height + scale * 3.2)
        whole = left + width + GAP + side_width + RIGHT
        self._n_frames, self._characters = len(frames), int(whole * CHARACTERS_AN_INCH / scale)
        titles = textwrap.wrap(title, int(0.86 * self._characters))
        n_lines = max(len(self._lines(frame)) for frame in frames) if tells else 0
        top = 0.2 + 1.26 * line * len(titles) + line * n_lines + 0.1 * bool(titles or n_lines)
        tall = bottom + height + top
        self.figure = figures.new_figure(whole, tall)
        self.figure.set_layout_engine("none")
        self.axes = self._axes(left, bottom, width, height)
        self.panel = panel
        side = left + width + GAP
        self._panel_axes: Axes | None = None
        legend_top = bottom + height
        if panel is not None:
            low = bottom + height - panel_height + 0.1
            inner = (side_width - scale * 0.5, panel_height - 0.35)
            self._panel_axes = self._axes(side + scale * 0.4, low, *inner)
            legend_top = low - scale * 0.6
        self._legend_place = {
            "loc": "upper left",
            "bbox_to_anchor": (side / whole, legend_top / tall),
            "bbox_transform": self.figure.transFigure,
        }
        self.picture = LatticePicture(
            self.axes, drawn, colors=colors, labels=labels, structure=structure
        )
        self._legend = Legend(self.picture, frames, reasons=reasons, order=order)
        self._order = order
        if colors is not None:
            bar = (side_width - 0.4 * scale, grown * BAR_HEIGHT)
            draw_bar(self.figure, colors, self._axes(side + 0.05, bottom + 0.1, *bar))
        top_place = (left - 0.45 * scale) / whole
        for number, words in enumerate(titles):
            self.figure.text(
                top_place, 1 - (0.16 + 1.26 * line * number) / tall, plain(words), va="top",
                fontsize=scale * TITLE_SIZE, fontweight="bold",
            )  # fmt: skip
        self._text = self.figure.text(
            top_place, 1 - (0.2 + 1.26 * line * len(titles)) / tall, "", va="top",
            fontsize=scale * TEXT_SIZE, linespacing=1.25,
        )  # fmt: skip
        self._tells = tells

    def draw(self, frame: LatticeFrame) -> Figure:
        """Draw a frame; returns the figure."""
        self.picture.draw(frame, order=self._order)
        self._legend.draw(self.axes, frame, **self._legend_place)
        if self._tells:
            self._text.set_text("\n".join(map(plain, self._lines(frame))))
        if self.panel is not None and self._panel_axes is not None:
            self.panel.draw(self._panel_axes, frame)
        return self.figure

    def _axes(self, left: float, bottom: float, width: float, height: float) -> Axes:
        """Axes at a place in inches."""
        wide, tall = self.figure.get_size_inches()
        return self.figure.add_axes((left / wide, bottom / tall, width / wide, height / tall))

    def _lines(self, frame: LatticeFrame) -> list[str]:
        text = frame.text
        if self._n_frames > 1:
            text = f"Step {frame.step} of {self._n_frames}. {text}"
        return textwrap.wrap(
            " ".join(text.split()), self._characters, max_lines=MOST_TEXT_LINES, placeholder=" …"
        )


def draw_bar(figure: Figure, colors: NodeColors, axes: Axes) -> None:
    """Draw the colour bar of values on axes, its label above it."""
    bar = figure.colorbar(colors.scale, cax=axes, orientation="horizontal")
    scale = figures.font_scale()
    bar.ax.tick_params(labelsize=8.3 * scale)
    bar.outline.set_linewidth(0.6)
    label = "\n".join(textwrap.wrap(plain(colors.label), 42)[:3])
    bar.ax.set_title(label, fontsize=8.5 * scale, loc="left", pad=4)
