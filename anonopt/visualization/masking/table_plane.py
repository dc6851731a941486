"""Rows of a table as points in a plane: two of its columns, or two principal components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.masking.groups.records import RecordColumn, Records
from anonopt.masking.groups.remaining import standardized
from anonopt.visualization import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LABEL_LENGTH = 18
MAX_TICKS = 25
"""Categories of an axis that are all written at their ticks; of more, every second, third, ..."""
SPREAD = 0.28
"""How far rows in one place are moved apart, in steps between categories."""
GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


@dataclass(frozen=True, eq=False)
class TableAxis:
    """One axis of the plane.

    Attributes
    ----------
    label : str
    values : float array (n_rows,)
        Numbers, or codes of categories; NaN where a number is missing.
    ticks : tuple of str
        Categories by code; none of numbers.
    """

    label: str
    values: FloatArray
    ticks: tuple[str, ...] = ()


def column_axis(records: Records, column: RecordColumn) -> TableAxis:
    """Axis of a column: its numbers, or its categories at their codes."""
    label = figures.short_text(column.name, 40)
    values = column.values.astype(np.float64)
    if column.kind == "continuous":
        return TableAxis(label, values + float(column.offset))
    labels: Sequence[str] = records.texts(column)
    if records.categorical is not None:
        labels = records.categorical.labels[records.categorical.names.index(column.name)]
    note = "categories in order" if column.kind == "ordinal" else "categories without order"
    return TableAxis(f"{label} ({note})", values, tuple(labels))


def component_axes(records: Records) -> tuple[TableAxis, TableAxis]:
    """Axes of the first two principal components of standardized columns.

    Raises
    ------
    ValueError
        If a column is nominal or misses numbers, or all are constant.
    """
    records.require_order("principal components")
    records.require_complete("principal components")
    matrix = np.column_stack(
        [standardized(column.values.astype(np.float64)) for column in records.columns]
    )
    u, singular, directions = np.linalg.svd(matrix, full_matrices=False)
    if singular[0] == 0.0:
        raise ValueError("columns: expected one whose values differ, found only constant ones")
    shares = singular**2 / np.sum(singular**2)
    axes = []
    for i, order in enumerate(("first", "second")):
        if i < len(singular):
            # The sign is free: the largest weight is positive.
            sign = np.sign(directions[i, np.argmax(np.abs(directions[i]))])
            values, share = u[:, i] * singular[i] * sign, float(shares[i])
        else:
            values, share = np.zeros(records.n_rows), 0.0
        of = f"of {len(records.columns)} columns, {share:.0%} of their variance"
        axes.append(TableAxis(f"{order} principal component ({of})", values))
    return axes[0], axes[1]


def apart(axes: tuple[TableAxis, TableAxis], groups: IntArray) -> tuple[FloatArray, FloatArray]:
    """Places of rows, those of one place moved apart where an axis has categories.

    Rows of one place are laid around it, those of one group beside each other, by the same
    rule each time.
    """
    x, y = axes[0].values.copy(), axes[1].values.copy()
    if not (axes[0].ticks or axes[1].ticks):
        return x, y
    _, place, counts = np.unique(
        np.column_stack([x, y]), axis=0, return_inverse=True, return_counts=True
    )
    place = place.ravel()
    order = np.lexsort((np.arange(len(x)), groups, place))
    starts = np.cumsum(counts) - counts
    rank = np.empty(len(x))
    rank[order] = np.arange(len(x)) - np.repeat(starts, counts)
    n = counts[place]
    if axes[0].ticks and axes[1].ticks:
        # Like the seeds of a sunflower; few of them on a ring.
        few = n <= 8
        angle = np.where(few, rank * 2 * np.pi / n, rank * GOLDEN_ANGLE)
        radius = np.where(n > 1, np.where(few, 1.0, np.sqrt((rank + 0.5) / n)), 0.0)
        x += SPREAD * radius * np.cos(angle)
        y += SPREAD * radius * np.sin(angle)
    else:
        values = x if axes[0].ticks else y
        values += SPREAD * ((2 * rank + 1) / n - 1)
    return x, y


def set_up(axes: Axes, plane: tuple[TableAxis, TableAxis]) -> None:
    """Labels, ticks and limits of the axes of a plane."""
    from matplotlib.ticker import FuncFormatter

    parts: Any = (
        (axes.xaxis, axes.set_xlim, axes.set_xlabel, plane[0]),
        (axes.yaxis, axes.set_ylim, axes.set_ylabel, plane[1]),
    )
    for axis, limit, label, shown in parts:
        label(shown.label, parse_math=False)
        low, high = extent(shown)
        limit(low, high)
        if not shown.ticks:
            axis.set_major_formatter(FuncFormatter(figures.tick_text))
            continue
        places = np.arange(0, len(shown.ticks), -(-len(shown.ticks) // MAX_TICKS))
        texts = [figures.short_text(shown.ticks[place], LABEL_LENGTH) for place in places]
        turned = axis is axes.xaxis and sum(map(len, texts)) > 60 / figures.font_scale()
        axis.set_ticks(places, texts, rotation=90 if turned else 0)
        for text in axis.get_ticklabels():
            text.set_parse_math(False)
    figures.plain_axes(axes)


def extent(axis: TableAxis) -> tuple[float, float]:
    """Lowest and highest value that an axis shows."""
    if axis.ticks:
        return -0.5, len(axis.ticks) - 0.5
    low, high = float(np.nanmin(axis.values)), float(np.nanmax(axis.values))
    margin = 0.06 * (high - low) if high > low else max(0.06 * abs(low), 0.5)
    return low - margin, high + margin
