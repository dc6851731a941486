"""Pictures of PRAM matrices: what a search made of them, and how it went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from anonopt.data.columns.markov import MarkovMatrix
from anonopt.data.csv_files import write_file
from anonopt.visualization.fronts import COLORS, check_picture, rendered
from anonopt.visualization.masking import _check_finite, _empty_figure, _plain, _set_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOR_MAP = "Blues"
MAX_PRINTED = 10
"""Matrices of up to so many categories have their probabilities printed in the cells."""
DARK = 0.6
"""From this probability on, numbers are white on their cell."""
LABEL_LENGTH = 14
"""Characters of a category's label that are shown."""


def plot_matrices(
    matrices: Mapping[str, Sequence[MarkovMatrix]],
    *,
    columns: Sequence[object],
    title: str | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw PRAM matrices as heat maps, those of one column beside each other.

    Parameters
    ----------
    matrices : mapping of label to sequence of MarkovMatrix
        What is compared, such as the matrices before and after a search: one matrix a column
        each.
    columns : sequence
        Names of the columns.
    title : str, optional
        Long lines are broken.
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.

    Returns
    -------
    matplotlib Figure
        Not known to pyplot: nothing has to be closed.

    Raises
    ------
    ValueError
        If there is nothing to draw, there are not as many matrices as columns, or the ending
        of the file is unknown.

    Examples
    --------
    >>> before, after = MarkovMatrix.of([[0.5, 0.5], [0.5, 0.5]]), MarkovMatrix.of(np.eye(2))
    >>> figure = plot_matrices({"before": [before], "after": [after]}, columns=["zone"])
    >>> [axes.get_title() for axes in figure.axes[:2]]
    ['zone, before', 'zone, after']
    """
    picture = None if path is None else check_picture(path)
    _check_matrices(matrices, columns)
    sizes = [matrix.n_categories for matrix in next(iter(matrices.values()))]
    heights = [max(2.2, min(0.42 * size, 6.0)) + 0.9 for size in sizes]
    figure = _empty_figure(5.4 * len(matrices) + 0.6, sum(heights) + 0.5)
    panels = figure.subplots(
        len(columns), len(matrices), squeeze=False, gridspec_kw={"height_ratios": heights}
    )
    for row, name in enumerate(columns):
        for axes, (label, compared) in zip(panels[row], matrices.items(), strict=True):
            image = _draw_matrix(axes, compared[row])
            axes.set_title(f"{name}, {label}", fontsize=11, parse_math=False)
        panels[row, 0].set_ylabel("original category")
    for axes in panels[-1]:
        axes.set_xlabel("masked category")
    figure.colorbar(image, ax=panels, label="probability", shrink=0.6)
    if title:
        figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    if path is not None and picture is not None:
        write_file(path, rendered(figure, picture))
    return figure


def plot_matrix_course(
    course: pd.DataFrame,
    *,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw how a search of PRAM matrices went: score, loss and risk by generation.

    As Mares 2013, Figures 4.4 to 4.9: the score never rises, loss and risk may.

    Parameters
    ----------
    course : DataFrame (n_generations, ...)
        As :meth:`~anonopt.algorithms.PRAMEA.course` tells it; every column is drawn.
    title : str, optional
        Long lines are broken.
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.

    Returns
    -------
    matplotlib Figure
        Not known to pyplot: nothing has to be closed.

    Raises
    ------
    ValueError
        If there is no generation, or no or more than six columns, a value is not finite, or
        the ending of the file is unknown.

    Examples
    --------
    >>> course = pd.DataFrame({"score_mean": [33.8, 24.0], "IL": [42.0, 41.6], "DR": [25.6, 6.4]})
    >>> figure = plot_matrix_course(course)
    >>> figure.axes[0].get_xlabel()
    'generation'
    """
    picture = None if path is None else check_picture(path)
    if len(course) == 0 or not 1 <= len(course.columns) <= len(COLORS):
        raise ValueError(
            f"course: expected at least one generation and 1 to {len(COLORS)} columns, "
            f"found {len(course)} generations of {list(course.columns)}"
        )
    figure = _empty_figure(8.0, 4.8)
    axes = figure.add_subplot()
    for name, color in zip(course.columns, COLORS, strict=False):
        _check_finite(f"course, column {name!r}", course[name])
        axes.plot(course.index, course[name], color=color, linewidth=1.6, label=str(name))
    axes.set_xlabel("generation")
    axes.set_ylabel("%, less is better")
    axes.set_ylim(bottom=0)
    _plain(axes)
    _set_title(figure, axes, title)
    figure.legend(loc="outside lower center", ncols=len(course.columns), frameon=False)
    if path is not None and picture is not None:
        write_file(path, rendered(figure, picture))
    return figure


def _check_matrices(
    matrices: Mapping[str, Sequence[MarkovMatrix]], columns: Sequence[object]
) -> None:
    if not matrices or not columns:
        raise ValueError(
            f"expected at least one set of matrices and one column, "
            f"found {len(matrices)} and {len(columns)}"
        )
    for label, compared in matrices.items():
        if len(compared) != len(columns):
            raise ValueError(
                f"matrices {label!r}: expected one for each of {list(columns)}, "
                f"found {len(compared)}"
            )


def _draw_matrix(axes: Axes, matrix: MarkovMatrix) -> Any:
    probabilities = matrix.probabilities
    image = axes.imshow(probabilities, cmap=COLOR_MAP, vmin=0.0, vmax=1.0, aspect="auto")
    places = np.arange(matrix.n_categories)
    labels = [
        label if len(label) <= LABEL_LENGTH else f"{label[: LABEL_LENGTH - 1]}…"
        for label in matrix.labels
    ]
    turned = max(map(len, labels)) * len(labels) > 45
    axes.set_xticks(places, labels, fontsize=8, rotation=90 if turned else 0)
    axes.set_yticks(places, labels, fontsize=8)
    for text in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        # A dollar sign of a category begins no formula.
        text.set_parse_math(False)
    axes.tick_params(length=0)
    if matrix.n_categories <= MAX_PRINTED:
        for (row, column), share in np.ndenumerate(probabilities):
            color = "white" if share >= DARK else "black"
            axes.text(
                column, row, f"{share:.2f}", ha="center", va="center", fontsize=8, color=color
            )
    return image
