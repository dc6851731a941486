"""Draws one frame: nodes, lines between them, paths, rings and numbers, on matplotlib Axes."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from anonopt._typing import FloatArray
from anonopt.visualization import figures
from anonopt.visualization.lattice.drawn_nodes import DrawnNodes, Node, as_nodes
from anonopt.visualization.lattice.steps.frames import FEASIBLE, INFEASIBLE, MARKS, LatticeFrame
from anonopt.visualization.lattice.styles import (
    COLORMAP,
    EDGE_COLOR,
    MARK_STYLES,
    PATH_STYLE,
    PLAIN_STYLE,
    SIZES,
    STATE_STYLES,
    UNSEEN,
    WINDOW_COLOR,
    StateStyle,
    plain,
    short,
    text_color,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable

LARGEST_NODE = 40.0
"""Width of a node in points."""

SMALLEST_FONT, LARGEST_FONT = 5.5, 9.5
MESH = 120
"""Nodes from which on lines are faint."""

MOST_ORDERED = 100
"""Nodes up to which visits are numbered."""

SHORT_TEXT = 2
"""Characters for which a round spot is enough."""

LABELS = ("auto", True, False)


@dataclass(frozen=True, eq=False)
class NodeColors:
    """Values that nodes are filled by.

    Attributes
    ----------
    values : mapping of node to float
    label : str
        Name, unit and direction, for the colour bar.
    least, largest : float
        Of the finite values.
    """

    values: Mapping[Node, float]
    label: str
    least: float
    largest: float

    @property
    def scale(self) -> ScalarMappable:
        """Colours of values."""
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import Normalize

        return ScalarMappable(Normalize(self.least, self.largest), COLORMAP)

    @classmethod
    def of(cls, values: Mapping[Node, float], label: str) -> NodeColors:
        """With a range in which everything finite lies, also where all values are equal."""
        finite = [value for value in values.values() if np.isfinite(value)] or [0.0]
        least, largest = min(finite), max(finite)
        if least == largest:
            least, largest = least - 0.5, largest + 0.5
        return cls(values, label, least, largest)


class LatticePicture:
    """Draws frames of one lattice on the same axes.

    Parameters
    ----------
    axes : matplotlib Axes
    drawn : DrawnNodes
    colors : NodeColors, optional
        Fills of nodes that were tested or evaluated; by default those of their states.
    labels : ``"auto"`` or bool
        Whether levels are written in the nodes; ``"auto"`` where they can be read.
    structure : bool
        Whether there is nothing but structure, so that nothing is called not visited.
    """

    def __init__(
        self,
        axes: Axes,
        drawn: DrawnNodes,
        *,
        colors: NodeColors | None = None,
        labels: Any = "auto",
        structure: bool = False,
    ) -> None:
        self.axes, self.drawn, self.colors = axes, drawn, colors
        self._nodes, self._rows = as_nodes(drawn.nodes), drawn.rows
        self._structure = structure
        # What no frame replaces, once it is drawn.
        self._lasting: set[Artist] = set()
        box = axes.get_window_extent()
        points = 72 / axes.figure.dpi
        across = box.width * points / max(drawn.widest, 2)
        n_rows = len(np.unique(drawn.places[:, 1]))
        self._scale = figures.font_scale()
        largest = LARGEST_NODE * (1 + 0.6 * (self._scale - 1))
        self.width = float(min(largest, 0.78 * across, 0.62 * box.height * points / n_rows))
        longest = max(len(_levels(node)) for node in self._nodes)
        font = 0.9 * self.width / (0.6 * longest)
        self.font = min(LARGEST_FONT * self._scale, max(font, SMALLEST_FONT))
        self.are_labelled = font >= SMALLEST_FONT if labels == "auto" else bool(labels)

    def draw(self, frame: LatticeFrame, *, order: bool = True) -> None:
        """Draw a frame in place of what is on the axes."""
        if not self._lasting:
            self._set_up()
            self._draw_edges()
            self._lasting = set(self.axes.get_children())
        for artist in self.axes.get_children():
            if artist not in self._lasting and artist is not self.axes.get_legend():
                artist.remove()
        if frame.heights is not None:
            low, high = frame.heights
            self.axes.axhspan(low - 0.5, high + 0.5, color=WINDOW_COLOR, zorder=0)
        faces = self._draw_nodes(frame)
        for path in frame.paths:
            self._draw_path(path)
        for mark in MARKS:
            self._draw_mark(mark, [n for n in frame.marks.get(mark, ()) if n in self._rows])
        self._write_levels(frame, faces)
        if order and len(self._nodes) <= MOST_ORDERED:
            self._write_order(frame)

    def state_of(self, frame: LatticeFrame, node: Node) -> str:
        """What is known of a node."""
        return frame.states.get(node, UNSEEN)

    def _set_up(self) -> None:
        heights = np.unique(self.drawn.places[:, 1])
        half = max(self.drawn.widest, 2) / 2
        self.axes.set_xlim(-half - 0.1, half + 0.1)
        self.axes.set_ylim(heights[0] - 0.6, heights[-1] + 0.6)
        step = max(1, len(heights) // 20)
        self.axes.set_yticks(heights[::step])
        self.axes.set_xticks([])
        self.axes.set_ylabel("height (sum of the levels)", fontsize=9 * self._scale)
        names = ", ".join(short(name) for name in self.drawn.names)
        self.axes.set_xlabel(
            plain(f"a node: levels of {short(names, 110)}"), fontsize=9 * self._scale
        )
        self.axes.tick_params(labelsize=8.5 * self._scale, length=0)
        self.axes.spines[:].set_visible(False)

    def _draw_edges(self) -> None:
        from matplotlib.collections import LineCollection

        many = len(self._nodes) > MESH
        segments = self.drawn.places[self.drawn.edges]
        lines = LineCollection(
            list(segments),
            colors=EDGE_COLOR,
            linewidths=0.4 if many else 0.9,
            alpha=0.5 if many else 1.0,
            zorder=1,
        )
        self.axes.add_collection(lines)

    def _draw_nodes(self, frame: LatticeFrame) -> dict[Node, tuple[float, ...]]:
        """Draw all nodes; returns their fills."""
        from matplotlib.colors import to_rgba

        groups: dict[tuple[str, bool], list[Node]] = defaultdict(list)
        for node in self._nodes:
            faded = bool(frame.within) and node not in frame.within
            groups[self.state_of(frame, node), faded].append(node)
        faces: dict[Node, tuple[float, ...]] = {}
        for (state, faded), nodes in groups.items():
            style = self.style_of(state)
            fills = [self._face(node, state) or to_rgba(style.face) for node in nodes]
            faces.update(zip(nodes, fills, strict=True))
            self._scatter(nodes, style, fills, alpha=0.3 if faded else 1.0)
        return faces

    def style_of(self, state: str) -> StateStyle:
        """Look of a state in this picture."""
        return PLAIN_STYLE if self._structure and state == UNSEEN else STATE_STYLES[state]

    def _face(self, node: Node, state: str) -> tuple[float, ...] | None:
        if self.colors is None or state not in (FEASIBLE, INFEASIBLE):
            return None
        value = self.colors.values.get(node, np.nan)
        if np.isnan(value):
            return None
        red, green, blue, alpha = self.colors.scale.to_rgba(np.array([value]))[0].tolist()
        return red, green, blue, alpha

    def _scatter(
        self,
        nodes: Sequence[Node],
        style: StateStyle,
        fills: Sequence[tuple[float, ...]],
        *,
        alpha: float,
    ) -> None:
        places = self._places(nodes)
        self.axes.scatter(
            places[:, 0],
            places[:, 1],
            s=(self.width * SIZES[style.shape]) ** 2,
            marker=style.shape,
            c=list(fills),
            edgecolors=style.edge,
            linewidths=style.width,
            linestyles=style.line,
            hatch=style.hatch,
            alpha=alpha,
            zorder=4,
        )

    def _draw_mark(self, mark: str, nodes: Sequence[Node]) -> None:
        if not nodes:
            return
        style, places = MARK_STYLES[mark], self._places(nodes)
        self.axes.scatter(
            places[:, 0],
            places[:, 1],
            s=(self.width * style.scale) ** 2,
            marker="o",
            facecolors="none",
            edgecolors=style.color,
            linewidths=style.width,
            linestyles=style.line,
            zorder=6,
        )
        for place in places if style.badge else ():
            self._write_beside(place, style.badge, style.place, weight="bold", color=style.color)

    def _draw_path(self, path: Sequence[Node]) -> None:
        from matplotlib.patches import FancyArrowPatch

        shown = [node for node in path if node in self._rows]
        for start, end in itertools.pairwise(shown):
            is_edge = sum(abs(a - b) for a, b in zip(start, end, strict=True)) == 1
            (tail, head) = self._places([start, end])
            self.axes.add_patch(
                FancyArrowPatch(
                    tuple(tail),
                    tuple(head),
                    arrowstyle="-|>",
                    mutation_scale=11,
                    shrinkA=self.width / 2 + 1,
                    shrinkB=self.width / 2 + 2,
                    connectionstyle="arc3" if is_edge else "arc3,rad=0.18",
                    zorder=5,
                    **PATH_STYLE,
                )
            )

    def _write_levels(self, frame: LatticeFrame, faces: Mapping[Node, tuple[float, ...]]) -> None:
        marked = {node for nodes in frame.marks.values() for node in nodes}
        for node in self._nodes:
            if not self.are_labelled and node not in marked:
                continue
            place = self._places([node])[0]
            if self.are_labelled:
                faded = bool(frame.within) and node not in frame.within
                seen = node in frame.states or self._structure
                self.axes.text(
                    place[0],
                    place[1],
                    _levels(node),
                    fontsize=self.font,
                    ha="center",
                    va="center",
                    color=text_color(faces[node]) if seen else "#4D4D4D",
                    alpha=0.4 if faded else 1.0,
                    zorder=8,
                )
            else:
                self._write_beside(place, _levels(node), (0.0, 0.95), size=7.0 * self._scale)

    def _write_order(self, frame: LatticeFrame) -> None:
        for node, number in frame.order.items():
            if node in self._rows:
                place = self._places([node])[0]
                self._write_beside(
                    place, str(number), (0.62, 0.55), size=min(8.3 * self._scale, self.font)
                )

    def _write_beside(
        self,
        place: FloatArray,
        text: str,
        offset: tuple[float, float],
        *,
        size: float | None = None,
        **style: Any,
    ) -> None:
        """Write at an offset in widths of a node, on a white spot."""
        from matplotlib.transforms import ScaledTranslation

        figure = self.axes.figure
        right, up = (part * self.width / 72 for part in offset)
        at = self.axes.transData + ScaledTranslation(right, up, figure.dpi_scale_trans)
        size = 8.5 * self._scale if size is None else size
        if len(text) <= SHORT_TEXT:
            self.axes.plot(
                [place[0]], [place[1]], "o", color="white", markersize=1.1 * size, transform=at,
                zorder=9, clip_on=False,
            )  # fmt: skip
        self.axes.text(
            place[0], place[1], text, fontsize=size, ha="center", va="center", transform=at,
            zorder=10, **style,
        )  # fmt: skip

    def _places(self, nodes: Sequence[Node]) -> FloatArray:
        return self.drawn.places[[self._rows[node] for node in nodes]]


def _levels(node: Node) -> str:
    return ",".join(map(str, node))
