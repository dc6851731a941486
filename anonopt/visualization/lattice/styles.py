"""How nodes look: shape and outline tell what is known of them, rings what part they play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from anonopt.visualization.figures import COLORS, short_text
from anonopt.visualization.lattice.steps.frames import (
    ANSWER,
    ARCHIVE,
    CHILDREN,
    CROSSED,
    CURRENT,
    FEASIBLE,
    FRONT,
    INFEASIBLE,
    MINIMAL,
    PARENTS,
    POPULATION,
    PRUNED,
    TAGGED_FEASIBLE,
    TAGGED_INFEASIBLE,
)

UNSEEN = "not visited"
BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY = COLORS
DARK_BLUE, BROWN, GREY = "#0B4F7D", "#7A4B00", "#767676"

EDGE_COLOR, WINDOW_COLOR = "#C4C4C4", "#FFF3C4"
COLORMAP = "cividis"
EVEN_LUMINANCE = 0.179
"""Where black and white text have the same contrast: (L + 0.05)^2 = 1.05 * 0.05."""

LONGEST_NAME = 32
"""Characters of a quasi-identifier's name that are drawn."""


@dataclass(frozen=True)
class StateStyle:
    """Look of a node by what is known of it."""

    shape: str
    face: str
    edge: str
    line: str = "-"
    width: float = 1.6
    hatch: str | None = None


STATE_STYLES = {
    FEASIBLE: StateStyle("o", SKY, DARK_BLUE),
    INFEASIBLE: StateStyle("s", ORANGE, BROWN),
    TAGGED_FEASIBLE: StateStyle("o", "#E3F2FB", DARK_BLUE, "--", 1.1),
    TAGGED_INFEASIBLE: StateStyle("s", "#FDF0D5", BROWN, "--", 1.1),
    PRUNED: StateStyle("D", "#F2F2F2", "#8F8F8F", "-", 1.0, "//"),
    UNSEEN: StateStyle("o", "#FFFFFF", GREY, ":", 0.9),
}

PLAIN_STYLE = StateStyle("o", "#FFFFFF", "#333333", "-", 1.2)
"""Of lattices of which only the structure is drawn."""

SIZES = {"o": 1.0, "s": 0.88, "D": 0.78}
"""Widths of the shapes, so that they look alike in size."""


@dataclass(frozen=True)
class MarkStyle:
    """Ring around a node that plays a part, and the badge beside it, at a place in widths."""

    color: str
    width: float
    line: str = "-"
    scale: float = 1.22
    badge: str = ""
    place: tuple[float, float] = (-0.62, -0.55)


MARK_STYLES = {
    POPULATION: MarkStyle(PURPLE, 2.0, scale=1.2),
    ARCHIVE: MarkStyle("#000000", 2.2, scale=1.38),
    FRONT: MarkStyle("#000000", 2.2, scale=1.22),
    MINIMAL: MarkStyle(GREEN, 2.2, "--", scale=1.24, badge="m"),
    PARENTS: MarkStyle(GREEN, 2.6, scale=1.22, badge="P"),
    CROSSED: MarkStyle(GREEN, 2.2, "--", scale=1.3, badge="X", place=(0.0, 0.86)),
    CHILDREN: MarkStyle(VERMILION, 2.6, scale=1.24, badge="C", place=(0.0, -0.86)),
    CURRENT: MarkStyle(VERMILION, 2.8, scale=1.4),
    ANSWER: MarkStyle("#000000", 3.2, scale=1.3, badge="★", place=(0.62, -0.55)),
}

MARK_WORDS = {
    CURRENT: "looked at",
    CROSSED: "X  made by crossover",
    PARENTS: "P  parents",
    CHILDREN: "C  children",
    MINIMAL: "m  k-minimal",
    ANSWER: "★  answer",
    FRONT: "front: nothing better is known",
    ARCHIVE: "in the archive",
    POPULATION: "in the population",
}

N_SHADES = 32
"""Of the map of colours, which its bar would have stripes without."""

EXACT_COLORS = tuple(
    dict.fromkeys(
        (
            *("#FFFFFF", "#000000", WINDOW_COLOR, EDGE_COLOR, BLUE),
            *(color for style in STATE_STYLES.values() for color in (style.face, style.edge)),
            *(style.color for style in MARK_STYLES.values()),
        )
    )
)
"""Colours that mean something, which files of few colours keep."""

PATH_STYLE: dict[str, Any] = {"color": BLUE, "linewidth": 2.2}


def exact_colors() -> list[Any]:
    """Colours that a moving picture keeps: those that mean something, and shades of the bar."""
    from matplotlib import colormaps

    shades = colormaps[COLORMAP](np.linspace(0, 1, N_SHADES))
    return [*EXACT_COLORS, *shades]


def plain(text: str) -> str:
    """Text in which matplotlib finds no mathematics, in one line."""
    return " ".join(text.split()).replace("$", r"\$")


def short(name: str, width: int = LONGEST_NAME) -> str:
    """Beginning of a name, in one line."""
    return short_text(name, width)


def text_color(face: tuple[float, ...]) -> str:
    """Black or white, whichever is read on a fill (red, green, blue, ...) in 0..1."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in face[:3]
    )
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if luminance > EVEN_LUMINANCE else "#FFFFFF"
