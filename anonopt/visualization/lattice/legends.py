"""What the shapes, rings and lines of a picture mean, beside it."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from anonopt.visualization import figures
from anonopt.visualization.lattice.picture import LatticePicture
from anonopt.visualization.lattice.steps.frames import (
    MARKS,
    PRUNED,
    STATES,
    TAGGED_FEASIBLE,
    TAGGED_INFEASIBLE,
    LatticeFrame,
)
from anonopt.visualization.lattice.styles import (
    MARK_STYLES,
    MARK_WORDS,
    PATH_STYLE,
    UNSEEN,
    WINDOW_COLOR,
    plain,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH = 34
"""Characters of a line of the legend."""

MOST_REASONS = 3


class Legend:
    """Legend of a picture, which lists what occurs in any of the frames.

    Parameters
    ----------
    picture : LatticePicture
    frames : sequence of LatticeFrame
        All frames that will be drawn.
    reasons : bool
        Whether it is told why nodes were tagged or pruned.
    order : bool
        Whether visits are numbered in the picture.
    """

    def __init__(
        self,
        picture: LatticePicture,
        frames: Sequence[LatticeFrame],
        *,
        reasons: bool,
        order: bool,
    ) -> None:
        self._picture, self._tells_reasons = picture, reasons
        nodes = set(picture.drawn.rows)
        self._nodes = nodes
        self._texts: list[str] = []
        used = {state for frame in frames for state in frame.states.values()}
        unseen = any(len(nodes & set(frame.states)) < len(nodes) for frame in frames)
        self._states = [state for state in STATES if state in used]
        self._states += [UNSEEN] if unseen and used else []
        self._marks = [
            mark for mark in MARKS if any(nodes & set(f.marks.get(mark, ())) for f in frames)
        ]
        self._has_paths = any(frame.paths for frame in frames)
        self._has_heights = any(frame.heights is not None for frame in frames)
        self._is_numbered = order and any(frame.order for frame in frames)

    def draw(self, axes: Axes, frame: LatticeFrame, **place: Any) -> None:
        """Put the legend of a frame on axes, with the numbers of nodes."""
        handles, texts = [], []
        for state, text in zip(self._states, self._counted(frame), strict=True):
            handles.append(self._state_handle(state))
            texts.append(text)
        for mark in self._marks:
            handles.append(_ring(mark))
            texts.append(MARK_WORDS[mark])
        if self._has_paths:
            handles.append(_line(**PATH_STYLE))
            texts.append("path")
        if self._has_heights:
            handles.append(_patch(WINDOW_COLOR))
            texts.append("heights still looked at")
        if self._is_numbered:
            size = 6 * figures.font_scale()
            handles.append(_line(linestyle="", marker="$1$", color="#000000", markersize=size))
            texts.append("number of the visit")
        if handles and texts != self._texts:
            self._texts = texts
            axes.legend(
                handles,
                [_wrapped(text) for text in texts],
                frameon=False,
                fontsize=8.5 * figures.font_scale(),
                handlelength=1.8,
                labelspacing=0.75,
                borderaxespad=0,
                **place,
            )

    def _counted(self, frame: LatticeFrame) -> Iterable[str]:
        counts = Counter(self._picture.state_of(frame, node) for node in self._nodes)
        for state in self._states:
            text = f"{state}: {counts[state]}"
            if self._tells_reasons and state in (PRUNED, TAGGED_FEASIBLE, TAGGED_INFEASIBLE):
                text += _reasons(frame, state)
            yield text

    def _state_handle(self, state: str) -> Any:
        style = self._picture.style_of(state)
        has_values = self._picture.colors is not None and state in STATES[:2]
        return _marker(
            marker=style.shape,
            face="#FFFFFF" if has_values else style.face,
            edge=style.edge,
            width=style.width,
            line=style.line,
            hatch=style.hatch,
        )


def _reasons(frame: LatticeFrame, state: str) -> str:
    """Why nodes of a state were tagged or pruned, the most frequent reasons first."""
    found = Counter(
        frame.reasons[node]
        for node, one in frame.states.items()
        if one == state and frame.reasons.get(node)
    )
    if state != PRUNED and len(found) > MOST_REASONS:
        return ""
    if len(found) == 1:
        return f" ({next(iter(found))})"
    told = [f"{count}: {reason}" for reason, count in found.most_common(MOST_REASONS)]
    if len(found) > MOST_REASONS:
        told.append("others for other reasons")
    return f" ({'; '.join(told)})" if told else ""


def _wrapped(text: str) -> str:
    # Nodes stay whole.
    whole = re.sub(r"(?<=\d), (?=\d)", ",\N{NO-BREAK SPACE}", plain(text))
    return "\n".join(textwrap.wrap(whole, WIDTH))


def _line(**style: Any) -> Any:
    from matplotlib.lines import Line2D

    return Line2D([], [], **style)


def _patch(color: str) -> Any:
    from matplotlib.patches import Patch

    return Patch(facecolor=color, edgecolor="none")


def _ring(mark: str) -> Any:
    style = MARK_STYLES[mark]
    return _marker(
        marker="o", face="none", edge=style.color, width=style.width, line=style.line, hatch=None
    )


def _marker(
    *, marker: str, face: str, edge: str, width: float, line: str, hatch: str | None
) -> Any:
    """A node of the legend: lines know no dashed outlines, collections do."""
    from matplotlib.collections import PathCollection
    from matplotlib.markers import MarkerStyle
    from matplotlib.transforms import IdentityTransform

    shape = MarkerStyle(marker)
    path = shape.get_path().transformed(shape.get_transform())
    handle = PathCollection(
        [path],
        sizes=[110 * figures.font_scale() ** 2],
        facecolors=[face],
        edgecolors=[edge],
        linewidths=[width],
        linestyles=[line],
        hatch=hatch,
    )
    handle.set_transform(IdentityTransform())
    return handle
