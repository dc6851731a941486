"""Joint counts of two columns of a file, before and after it was masked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from anonopt._typing import BoolArray, FloatArray, IntArray
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.data.columns.numeric_values import numeric_values
from anonopt.data.columns.scaled_columns import ScaledColumns
from anonopt.visualization.report.solutions.detail import Drawing, Part, counted
from anonopt.visualization.report.solutions.detail_figures import heat_maps

if TYPE_CHECKING:
    import plotly.graph_objects as go

MAX_CATEGORIES = 20
"""Categories of a column that are told apart; the least frequent ones are joined."""

N_INTERVALS = 10
"""Intervals that numbers are counted in."""

N_LISTED = 10
"""Cells of the table that are listed: those that changed most."""

OTHERS = "all others"
BEFORE, AFTER, DIFFERENCE = "original", "masked", "masked − original"


@dataclass(frozen=True)
class CountedColumn:
    """A column of both files, as codes of a few labels.

    Attributes
    ----------
    name : str
    labels : list of str
    before, after : int arrays (n_rows,)
    """

    name: str
    labels: list[str]
    before: IntArray
    after: IntArray


def contingency_part(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    columns: CategoricalColumns | ScaledColumns,
    changed: BoolArray,
) -> Part:
    """Contingency tables of the two columns that changed most.

    Parameters
    ----------
    original, masked : DataFrame (n_rows, ...)
    columns : CategoricalColumns or ScaledColumns
        The masked columns, at least two.
    changed : bool array (n_rows, n_columns)
        Cells that differ.
    """
    order = np.argsort(-changed.sum(axis=0), kind="stable")[:2]
    if isinstance(columns, CategoricalColumns):
        codes = columns.encode(masked)
        first, second = (of_categories(columns, codes, j) for j in np.sort(order).tolist())
        note = f"Of a column at most {MAX_CATEGORIES} categories are told apart."
    else:
        names = [columns.names[j] for j in np.sort(order).tolist()]
        numbers = [numeric_values(frame, names) for frame in (original, masked)]
        first, second = (
            of_numbers(str(name), numbers[0][:, j], numbers[1][:, j])
            for j, name in enumerate(names)
        )
        note = f"Numbers are counted in {N_INTERVALS} intervals of equal width."
    before, after = joint_counts(first, second)

    def figure() -> go.Figure:
        return heat_maps(
            {BEFORE: before, AFTER: after, DIFFERENCE: after - before},
            rows=first.labels,
            columns=second.labels,
            row_name=first.name,
            column_name=second.name,
            difference=DIFFERENCE,
        )

    n_moved = int(np.abs(after - before).sum()) // 2
    return Part(
        "Contingency before and after",
        f"Records by {first.name} and {second.name}, the two columns that changed most. Between "
        f"the two tables {counted(n_moved, 'record')} of {len(original):,} moved, not counting "
        f"moves that cancel out. The cells that changed most are listed.",
        _listed(before, after, first, second),
        drawing=Drawing(
            figure,
            "Heat maps: joint counts in the original, in the masked file, and their difference.",
        ),
        notes=(note,),
        discloses="statistics",
    )


def of_categories(columns: CategoricalColumns, masked: Any, place: int) -> CountedColumn:
    """A column of categories; more than `MAX_CATEGORIES` are joined from the rarest on.

    Parameters
    ----------
    columns : CategoricalColumns
        The original.
    masked : int array (n_rows, n_columns)
        Codes of the masked file.
    place : int
        Of the column.
    """
    labels = list(columns.labels[place])
    before, after = (codes[:, place].astype(np.int64) for codes in (columns.codes, masked))
    name = str(columns.names[place])
    if len(labels) <= MAX_CATEGORIES:
        return CountedColumn(name, labels, before, after)
    counts = np.bincount(np.concatenate([before, after]), minlength=len(labels))
    kept = np.sort(np.argsort(-counts, kind="stable")[: MAX_CATEGORIES - 1])
    places = np.full(len(labels), len(kept), dtype=np.int64)
    places[kept] = np.arange(len(kept))
    return CountedColumn(
        name, [*(labels[code] for code in kept), OTHERS], places[before], places[after]
    )


def of_numbers(name: str, original: FloatArray, masked: FloatArray) -> CountedColumn:
    """A column of numbers in intervals of equal width over both files.

    Examples
    --------
    >>> column = of_numbers("age", np.array([0.0, 10.0]), np.array([5.0, 10.0]))
    >>> column.before.tolist(), column.after.tolist(), column.labels[5]
    ([0, 9], [5, 9], '5 to 6')
    """
    edges = np.histogram_bin_edges(np.concatenate([original, masked]), bins=N_INTERVALS)
    before, after = (
        np.searchsorted(edges[1:-1], numbers, side="right").astype(np.int64)
        for numbers in (original, masked)
    )
    pairs = zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
    labels = [f"{low:,.4g} to {high:,.4g}" for low, high in pairs]
    return CountedColumn(name, labels, before, after)


def joint_counts(first: CountedColumn, second: CountedColumn) -> tuple[FloatArray, FloatArray]:
    """Records by two columns: float arrays (n_first, n_second), before and after."""
    shape = len(first.labels), len(second.labels)
    before, after = (
        np.bincount(rows * shape[1] + columns, minlength=shape[0] * shape[1])
        .reshape(shape)
        .astype(np.float64)
        for rows, columns in ((first.before, second.before), (first.after, second.after))
    )
    return before, after


def _listed(
    before: FloatArray, after: FloatArray, first: CountedColumn, second: CountedColumn
) -> pd.DataFrame:
    moves = after - before
    order = np.argsort(-np.abs(moves).ravel(), kind="stable")[:N_LISTED]
    rows, columns = np.unravel_index(order, moves.shape)
    cells = [
        [first.labels[i] for i in rows.tolist()],
        [second.labels[j] for j in columns.tolist()],
        *(counts[rows, columns].astype(int).tolist() for counts in (before, after, moves)),
    ]
    names = [first.name, second.name, BEFORE, AFTER, "difference"]
    frame = pd.DataFrame(dict(enumerate(cells)))
    frame.columns = pd.Index(names)
    return frame
