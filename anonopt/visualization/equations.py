"""Equations of PRAM matrices as pictures: one as a tree, a front of them over loss and risk."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from anonopt._typing import FloatArray, IntArray
from anonopt.masking.equations import Equation
from anonopt.masking.equations.text import tree_latex
from anonopt.masking.equations.trees import tree_shape
from anonopt.visualization import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIGNS = {"add": "+", "sub": "−", "mul": "×", "div": "÷"}
"""How functions are drawn."""


MAX_LISTED = 12
"""Equations of a front that are written out; of more, some are taken evenly along the loss."""

_FUNCTION_COLOR, _TERMINAL_COLOR = figures.COLORS[0], figures.COLORS[4]
_TEXT_WIDTH = 80


def plot_equation(
    equation: Equation, *, title: str | None = None, path: str | PathLike[str] | None = None
) -> Figure:
    """Draw an equation as a tree, with its formula above.

    Parameters
    ----------
    equation : Equation
    title : str, optional
        Instead of the formula.
    path : path, optional
        File to write, replaced as a whole if it exists; png, pdf or svg.

    Returns
    -------
    matplotlib Figure
        Not known to pyplot: nothing has to be closed.

    Raises
    ------
    ValueError
        If the ending of the file is unknown.

    Examples
    --------
    >>> figure = plot_equation(Equation.parse("N - freq_i / freq_j"))
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['−', '$N$', '÷', '$f_i$', '$f_j$']
    """
    figures.check_picture(path)
    places = tree_places(equation)
    width = max(3.5, 0.62 * (places[:, 0].max() + 2))
    figure = figures.new_figure(width, 0.8 * equation.depth + 1.2)
    axes = figure.add_subplot()
    _draw_tree(axes, equation, places)
    # Fractions are drawn in the size of the line, however deep they stand.
    formula = equation.latex().replace(r"\frac", r"\dfrac")
    axes.set_title(f"${formula}$" if title is None else title, fontsize=13, pad=12)
    return figures.write_picture(figure, path)


def tree_places(equation: Equation) -> FloatArray:
    """Where the nodes of a tree are drawn.

    Terminals stand side by side in the order of the formula, functions in the middle above
    their operands, every node by its level.

    Returns
    -------
    float array (n_nodes, 2)
        In prefix order: place from the left in steps of a terminal, and minus the level.

    Examples
    --------
    >>> tree_places(Equation.parse("N - freq_i / freq_j")).tolist()
    [[0.75, -0.0], [0.0, -1.0], [1.5, -1.0], [1.0, -2.0], [2.0, -2.0]]
    """
    tree, shape = equation.tree, tree_shape(equation.tree)
    across = np.cumsum([node.arity == 0 for node in tree]) - 1.0
    for place in range(len(tree) - 1, -1, -1):
        if tree[place].arity > 0:
            across[place] = np.mean(across[tree_children(place, tree[place].arity, shape.sizes)])
    return np.column_stack([across, -shape.levels.astype(float)])


def tree_children(place: int, arity: int, sizes: IntArray) -> list[int]:
    """Places of the operands of a node; `sizes` are those of `tree_shape`."""
    if arity == 0:
        return []
    children = [place + 1]
    for _ in range(arity - 1):
        children.append(children[-1] + int(sizes[children[-1]]))
    return children


def _draw_tree(axes: Axes, equation: Equation, places: FloatArray) -> None:
    tree, sizes = equation.tree, tree_shape(equation.tree).sizes
    for place, node in enumerate(tree):
        for child in tree_children(place, node.arity, sizes):
            axes.plot(*places[[place, child]].T, color=figures.LINE_COLOR, linewidth=1.2, zorder=1)
    for node, (x, y) in zip(tree, places, strict=True):
        is_function = node.arity > 0
        color = _FUNCTION_COLOR if is_function else _TERMINAL_COLOR
        label = SIGNS.get(node.name) or f"${tree_latex([node])}$"
        box = {"boxstyle": "circle" if is_function else "round", "edgecolor": color}
        axes.text(
            x,
            y,
            label,
            ha="center",
            va="center",
            fontsize=13,
            zorder=2,
            bbox={**box, "facecolor": "white", "linewidth": 1.6},
        )
    axes.set_xlim(places[:, 0].min() - 0.8, places[:, 0].max() + 0.8)
    axes.set_ylim(places[:, 1].min() - 0.5, 0.5)
    axes.set_axis_off()


def plot_equation_front(
    front: pd.DataFrame,
    *,
    others: Mapping[str, tuple[float, float]] | None = None,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw a front of equations over information loss and disclosure risk, formulas beside.

    Parameters
    ----------
    front : DataFrame (n, ...)
        Columns ``equation`` (text), ``IL``, ``DR`` and, if there is one, ``size``, such as
        ``result.front``. At most `MAX_LISTED` equations are numbered and written out, evenly
        along the loss.
    others : mapping of label to (IL, DR), optional
        Points to compare with, such as standard PRAM matrices.
    title : str, optional
    path : path, optional
        File to write, replaced as a whole if it exists; png, pdf or svg.

    Returns
    -------
    matplotlib Figure
        Not known to pyplot: nothing has to be closed.

    Raises
    ------
    ValueError
        If a column is absent, the front is empty, a value is not finite, there are too many
        other points, or the ending of the file is unknown.

    Examples
    --------
    >>> front = pd.DataFrame({"equation": ["freq_j", "N"], "IL": [30.0, 60.0], "DR": [40.0, 25.0]})
    >>> figure = plot_equation_front(front, others={"frequency": (41.6, 26.1)})
    >>> figure.axes[0].get_xlabel()
    'IL: information loss, the mean of its parts (%, less is better)'
    """
    figures.check_picture(path)
    others = {} if others is None else others
    _check_front(front, others)
    points = front.sort_values(["IL", "DR"], ignore_index=True)
    listed = _evenly(points["IL"].to_numpy(dtype=np.float64))
    figure = figures.new_figure(13.0, 5.6)
    axes, beside = figure.subplots(1, 2, width_ratios=[1.15, 1])
    _draw_points(axes, points, listed, others)
    _list_equations(beside, points.iloc[listed])
    if title:
        axes.set_title(title, loc="left", fontsize=11, pad=10)
    return figures.write_picture(figure, path)


def _check_front(front: pd.DataFrame, others: Mapping[str, Any]) -> None:
    if "equation" not in front.columns:
        raise ValueError(f"front: expected a column 'equation', found {list(front.columns)}")
    if len(front) == 0:
        raise ValueError("front: expected at least one equation, found none")
    figures.check_columns("front", front, ("IL", "DR"))
    if len(others) >= len(figures.MARKERS):
        raise ValueError(
            f"others: expected at most {len(figures.MARKERS) - 1} points, found {len(others)}"
        )


def _evenly(losses: FloatArray) -> IntArray:
    """Rows to be written out: all, or those nearest to losses at equal distances."""
    if len(losses) <= MAX_LISTED:
        return np.arange(len(losses))
    wanted = np.linspace(losses.min(), losses.max(), MAX_LISTED)
    return np.unique(np.abs(losses - wanted[:, np.newaxis]).argmin(axis=1))


def _draw_points(
    axes: Axes,
    points: pd.DataFrame,
    listed: IntArray,
    others: Mapping[str, tuple[float, float]],
) -> None:
    sizes = points["size"] if "size" in points.columns else None
    drawn = axes.scatter(
        points["IL"], points["DR"], c=figures.COLORS[0] if sizes is None else sizes, s=42,
        cmap=None if sizes is None else "viridis", edgecolors="white", linewidths=0.7, zorder=3,
        label=f"equations ({len(points)} points)",
    )  # fmt: skip
    if sizes is not None:
        axes.figure.colorbar(drawn, ax=axes, label=figures.axis_label("size"), pad=0.02)
    for number, row in enumerate(listed, start=1):
        axes.annotate(
            str(number), points.loc[row, ["IL", "DR"]].astype(float), xytext=(5, 5),
            textcoords="offset points", fontsize=9, zorder=4,
        )  # fmt: skip
    for (label, place), marker, color in zip(
        others.items(), figures.MARKERS[1:], figures.COLORS[1:], strict=False
    ):
        axes.plot(
            *place, marker=marker, color=color, linestyle="", markersize=8, fillstyle="none",
            markeredgewidth=1.6, label=label, zorder=5,
        )  # fmt: skip
    axes.set_xlabel(figures.axis_label("IL"))
    axes.set_ylabel(figures.axis_label("DR"))
    figures.plain_axes(axes)
    axes.legend(frameon=False, loc="upper right")


def _list_equations(axes: Axes, points: pd.DataFrame) -> None:
    lines = []
    for number, (_, row) in enumerate(points.iterrows(), start=1):
        head = f"{number:>2}  {row['IL']:5.1f} {row['DR']:5.1f}  "
        wrapped = textwrap.wrap(row["equation"], _TEXT_WIDTH - len(head), subsequent_indent="  ")
        lines += [head + wrapped[0], *(" " * len(head) + line for line in wrapped[1:])]
    axes.set_axis_off()
    text = "\n".join(["      IL    DR  weight of cell i, j", *lines])
    axes.text(0, 1, text, va="top", family="monospace", fontsize=9, linespacing=1.4)
