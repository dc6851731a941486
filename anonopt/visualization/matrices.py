"""PRAM matrices as heat maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from anonopt.data.columns.markov import MarkovMatrix
from anonopt.visualization import figures

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
    figures.check_picture(path)
    _check_matrices(matrices, columns)
    sizes = [matrix.n_categories for matrix in next(iter(matrices.values()))]
    heights = [max(2.2, min(0.42 * size, 6.0)) + 0.9 for size in sizes]
    figure = figures.new_figure(5.4 * len(matrices) + 0.6, sum(heights) + 0.5)
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
    return figures.write_picture(figure, path)


def _check_matrices(
    matrices: Mapping[str, Sequence[MarkovMatrix]], columns: Sequence[object]
) -> None:
    if not matrices or not columns:
        raise ValueError(
            f"matrices, columns: expected at least one of each, "
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
