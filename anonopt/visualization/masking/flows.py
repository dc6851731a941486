"""Categories that become others: expected by a PRAM matrix, or counted in a masked column."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt._checks import check_share
from anonopt._typing import FloatArray
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.data.columns.markov import MarkovMatrix, checked_frequencies
from anonopt.evaluation.pram.pram_draws import expected_table
from anonopt.visualization import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BAR_WIDTH = 0.035
SLOT_INCHES = 0.22
"""Height that every category has at least, so that labels do not lie on each other."""
GAP_INCHES = 0.06
TOTAL_INCHES = 3.6
"""Height of all records together."""
STAYING = "#B8B8B8"
LABEL_LENGTH = 26
"""Characters of a category's label that are shown."""


def plot_pram_flow(
    matrix: MarkovMatrix | npt.ArrayLike | pd.DataFrame,
    frequencies: npt.ArrayLike,
    *,
    labels: Sequence[object] | None = None,
    merge_below: float = 0.0,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw a PRAM matrix as a flow: what is expected to become of the records of each category.

    On the left the original categories, on the right the masked ones, as high as they are
    frequent; a band is as high as frequency times probability. Bands in grey stay in their
    category, those in colour leave it. Categories that no record has keep their place.

    Parameters
    ----------
    matrix : MarkovMatrix, DataFrame or array_like (L, L)
        Row i, column j: probability that category i becomes category j.
    frequencies : array_like (L,)
        Counts or shares of the original categories; some may be 0.
    labels : sequence of L values, optional
        The categories; by default those that the matrix brings along.
    merge_below : float
        Categories whose share of the records is less than this on both sides are drawn as one;
        0 to 1, by default none. Who moves between them then stays.
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
        If matrix, frequencies or labels are not what they must be or do not fit each other,
        `merge_below` is no share, or the ending of the file is unknown.

    Examples
    --------
    >>> figure = plot_pram_flow([[0.8, 0.2], [0.5, 0.5]], [60, 40], labels=["city", "country"])
    >>> [text.get_text() for text in figure.axes[0].texts][:4]
    ['city  60', 'country  40', 'city  68 (+8)', 'country  32 (−8)']
    """
    figures.check_picture(path)
    markov = MarkovMatrix.of(matrix, labels=labels)
    counts = checked_frequencies(frequencies, n_categories=markov.n_categories)
    # A record of each category is a column of its own, which tells where it comes from.
    flows = expected_table(markov, np.diag(counts)).T
    return _draw(flows, markov.labels, "expected", merge_below, title, path)


def plot_masked_flow(
    original: pd.Series[Any],
    masked: pd.Series[Any],
    *,
    ordinal: Sequence[object] | None = None,
    merge_below: float = 0.0,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw what became of the categories of a column, by any masking method, as a flow.

    As :func:`plot_pram_flow`, with counted records in place of expected ones. Missing cells are
    a category of their own.

    Parameters
    ----------
    original, masked : Series (n_rows,)
        A column before and after, the same rows in the same order.
    ordinal : sequence, optional
        Categories in their order; by default that of the values.
    merge_below : float
        Categories whose share of the records is less than this on both sides are drawn as one;
        0 to 1, by default none. Who moves between them then stays.
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
    TypeError
        If a column is no Series.
    ValueError
        If there is no row, the columns have other numbers of rows, an order lacks a value,
        `merge_below` is no share, or the ending of the file is unknown.

    Examples
    --------
    >>> zone = pd.Series(["a", "a", "b"])
    >>> figure = plot_masked_flow(zone, pd.Series(["a", "b", "b"]))
    >>> [text.get_text() for text in figure.axes[0].texts][:4]
    ['a  2', 'b  1', 'a  1 (−1)', 'b  2 (+1)']
    """
    figures.check_picture(path)
    for name, column in (("original", original), ("masked", masked)):
        if not isinstance(column, pd.Series):
            raise TypeError(f"{name}: expected a Series, found {type(column).__name__}")
    if len(original) != len(masked):
        raise ValueError(f"masked: expected {len(original)} rows, found {len(masked)}")
    before, after = (column.rename("column").to_frame() for column in (original, masked))
    orders = None if ordinal is None else {"column": list(ordinal)}
    columns = CategoricalColumns.of(before, ordinal=orders, others=[after])
    labels = columns.labels[0]
    flows = np.zeros((len(labels), len(labels)))
    np.add.at(flows, (columns.codes[:, 0], columns.encode(after)[:, 0]), 1.0)
    return _draw(flows, labels, "counted", merge_below, title, path)


def _draw(
    flows: FloatArray,
    labels: Sequence[str],
    how: str,
    merge_below: float,
    title: str | None,
    path: str | PathLike[str] | None,
) -> Figure:
    flows, labels = _merged(flows, labels, check_share("merge_below", merge_below))
    before, after = flows.sum(axis=1), flows.sum(axis=0)
    scale = figures.font_scale()
    unit = TOTAL_INCHES / before.sum()
    sides = [_slots(heights * unit, scale) for heights in (before, after)]
    total = max(float(ends[-1]) for _, ends in sides)
    figure = figures.new_figure(8.6 * (0.6 + 0.4 * scale), total + 1.1 * scale)
    axes = figure.add_subplot()
    axes.set_xlim(-BAR_WIDTH, 1.0 + BAR_WIDTH)
    axes.set_ylim(total, 0.0)
    axes.set_axis_off()
    colors = [figures.COLORS[i % len(figures.COLORS)] for i in range(len(labels))]
    _draw_bands(axes, flows * unit, [starts for starts, _ in sides], colors)
    for x, heights, (starts, _), texts, align in (
        (-BAR_WIDTH, before, sides[0], _texts(labels, before), "right"),
        (1.0, after, sides[1], _texts(labels, after, before), "left"),
    ):
        _draw_side(axes, x, heights * unit, starts, texts, align)
    staying = float(np.trace(flows)) / float(before.sum())
    for x, words in ((0.0, "original"), (1.0, f"masked ({how})")):
        axes.annotate(
            words,
            (x, 0.0),
            xytext=(0, 6),
            textcoords="offset points",
            ha="right" if x == 0.0 else "left",
            va="bottom",
            weight="bold",
        )
    if title:
        figure.suptitle(title, x=0.01, ha="left", fontsize=11 * scale, parse_math=False, wrap=True)
    _legend(figure, staying)
    return figures.write_picture(figure, path)


def _merged(
    flows: FloatArray, labels: Sequence[str], share: float
) -> tuple[FloatArray, Sequence[str]]:
    """Flows with rare categories as one, the last."""
    largest = np.maximum(flows.sum(axis=0), flows.sum(axis=1))
    rare = largest < share * flows.sum()
    if rare.sum() < 2:
        return flows, labels
    kept = np.flatnonzero(~rare)
    place = np.full(len(labels), len(kept))
    place[kept] = np.arange(len(kept))
    merged = np.zeros((len(kept) + 1, len(kept) + 1))
    np.add.at(merged, (place[:, None], place), flows)
    return merged, [*(labels[i] for i in kept.tolist()), f"{rare.sum()} rare categories"]


def _slots(heights: FloatArray, scale: float) -> tuple[FloatArray, FloatArray]:
    """Where bars begin, and where their slots end, in inches from the top."""
    slots = np.maximum(heights, scale * SLOT_INCHES)
    gap = scale * GAP_INCHES
    ends = np.cumsum(slots + gap)
    return ends - gap - (slots + heights) / 2, ends


def _draw_bands(
    axes: Axes, heights: FloatArray, starts: list[FloatArray], colors: Sequence[str]
) -> None:
    """Bands between the sides: left by where they go, right by where they come from."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    left = starts[0][:, None] + np.cumsum(heights, axis=1) - heights
    right = starts[1] + np.cumsum(heights, axis=0) - heights
    curve = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
    for (origin, target), height in np.ndenumerate(heights):
        if height <= 0:
            continue
        one, other = left[origin, target], right[origin, target]
        upper = [(0.0, one), (0.5, one), (0.5, other), (1.0, other)]
        lower = [(x, y + height) for x, y in reversed(upper)]
        stays = origin == target
        band = PathPatch(
            Path(np.array([*upper, *lower, upper[0]]), curve),
            facecolor=STAYING if stays else colors[origin],
            edgecolor="white" if height > 0.03 else "none",
            linewidth=0.4,
            alpha=0.55 if stays else 0.8,
            zorder=1 if stays else 2,
            gid=f"{origin}-{target}",
        )
        axes.add_patch(band)


def _draw_side(
    axes: Axes, x: float, heights: FloatArray, starts: FloatArray, texts: list[str], align: str
) -> None:
    from matplotlib.patches import Rectangle

    for start, height, text in zip(starts, heights, texts, strict=True):
        bar = Rectangle((x, start), BAR_WIDTH, height, facecolor="black", edgecolor="none")
        if height == 0.0:
            # What no record has is a line across.
            bar.set(edgecolor="black", linewidth=0.8, linestyle=":")
        axes.add_patch(bar)
        place = x - 0.02 if align == "right" else x + BAR_WIDTH + 0.02
        # A dollar sign of a category begins no formula.
        axes.text(place, start + height / 2, text, ha=align, va="center", parse_math=False)


def _texts(
    labels: Sequence[str], counts: FloatArray, before: FloatArray | None = None
) -> list[str]:
    """Label and number of each category, and by how much it has changed."""
    texts = []
    for i, label in enumerate(labels):
        text = f"{figures.short_text(label, LABEL_LENGTH)}  {_number(counts[i])}"
        if before is not None:
            change = float(counts[i] - before[i])
            sign = "±0" if abs(change) < 1e-9 * before.sum() else f"{_number(change, sign=True)}"
            text = f"{text} ({sign})"
        texts.append(text)
    return texts


def _number(value: float, *, sign: bool = False) -> str:
    text = f"{value:{'+' if sign else ''},.4g}" if abs(value) < 1e4 else f"{value:+,.0f}"
    return (text if sign else text.removeprefix("+")).replace("-", "\N{MINUS SIGN}")


def _legend(figure: Figure, staying: float) -> None:
    from matplotlib.patches import Patch

    patches = {
        f"stay in their category ({staying:.1%})": Patch(facecolor=STAYING, alpha=0.55),
        f"become another one ({1 - staying:.1%}), in the colour of the original": Patch(
            facecolor=figures.COLORS[0], alpha=0.8
        ),
    }
    figure.legend(
        list(patches.values()),
        list(patches),
        loc="outside lower center",
        ncols=figures.legend_columns(2),
        frameon=False,
    )
