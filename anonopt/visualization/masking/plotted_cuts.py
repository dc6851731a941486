"""Mondrian's cuts in the plane of two columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from anonopt._checks import check_integer
from anonopt._typing import FloatArray, IntArray
from anonopt.data.roles import find_columns
from anonopt.masking.groups.records import Records
from anonopt.masking.groups.regions import MondrianCut, mondrian_cuts
from anonopt.masking.mondrian import Mondrian
from anonopt.visualization import figures
from anonopt.visualization.masking.table_plane import (
    TableAxis,
    apart,
    column_axis,
    extent,
    set_up,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_NUMBERED = 60
"""Regions up to which cuts are numbered and rows are counted in the picture."""
CUT_COLOR, REGION_COLOR = figures.COLORS[1], figures.COLORS[0]
CELL = 0.36
"""Half the height of a category, in steps between categories."""


@dataclass(frozen=True, eq=False)
class Tile:
    """A region on its way, and the part of the plane that is its.

    Attributes
    ----------
    rows : int64 array
    low, high : float arrays (2,)
        Corners.
    """

    rows: IntArray
    low: FloatArray
    high: FloatArray


def plot_mondrian(
    frame: pd.DataFrame,
    method: Mondrian,
    *,
    step: int | None = None,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw how Mondrian cuts a table of two columns into regions.

    Lines are the cuts, numbered in the order in which they are made, the earlier the thicker; a
    cut lies halfway between the values on its sides. The shaded rectangle of a region covers the
    values of its rows, that is the intervals which take their place, and the number in it counts
    the rows.

    Parameters
    ----------
    frame : DataFrame (n_rows, ...)
    method : Mondrian
        Of two columns, ordered or of numbers: ``Mondrian(k=5, columns=["age", "income"])``.
    step : int, optional
        Draw the state after so many cuts, from 0 to their number; by default all.
    title : str, optional
        Long lines are broken.
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.

    Returns
    -------
    matplotlib Figure
        Not known to pyplot: nothing has to be closed. Rows in one place are moved apart a little
        where an axis has categories. Above 60 regions numbers are left out.

    Raises
    ------
    TypeError
        If `method` is no Mondrian.
    ValueError
        If it is not of two columns, or does not fit the table; if a number is missing, as such
        rows are cut as a table of their own; if `step` is out of range, or the ending of the
        file is unknown.

    Examples
    --------
    >>> frame = pd.DataFrame({"x": [1, 1, 2, 3, 3, 9], "y": [4, 5, 8, 6, 9, 1]})
    >>> figure = plot_mondrian(frame, Mondrian(k=2))
    >>> [text.get_text() for text in figure.legends[0].get_texts()][0]
    '2 regions of 3 rows (k = 2 asked)'
    """
    figures.check_picture(path)
    records, cuts = _read(frame, method)
    made = len(cuts) if step is None else check_integer("step", step, least=0, most=len(cuts))
    plane = column_axis(records, records.columns[0]), column_axis(records, records.columns[1])
    figure = figures.readable_figure(8.0, 6.2)
    axes = figure.add_subplot()
    set_up(axes, plane)
    axes.grid(visible=False)
    tiles = tiles_of(plane, records.n_rows, cuts[:made], draw=_Cuts(axes, len(cuts)))
    for tile in tiles:
        _draw_region(axes, plane, tile, counted=len(cuts) < MAX_NUMBERED)
    numbers = np.empty(records.n_rows, dtype=np.int64)
    for number, tile in enumerate(tiles):
        numbers[tile.rows] = number
    axes.plot(
        *apart(plane, numbers),
        linestyle="",
        marker="o",
        markersize=3.2,
        color="#333333",
        alpha=0.7,
        zorder=3,
    )
    _legend(figure, [len(tile.rows) for tile in tiles], made, method.k)
    figures.set_title(figure, axes, title)
    return figures.write_picture(figure, path)


def mondrian_step_by_step(
    frame: pd.DataFrame, method: Mondrian, *, title: str | None = None
) -> Iterator[Figure]:
    """Pictures of :func:`plot_mondrian` after 0, 1, 2, ... cuts.

    Parameters
    ----------
    frame, method, title
        As for :func:`plot_mondrian`.

    Yields
    ------
    matplotlib Figure

    Raises
    ------
    TypeError, ValueError
        As :func:`plot_mondrian`.
    """
    n_cuts = len(_read(frame, method)[1])
    for step in range(n_cuts + 1):
        text = f"after {step} of {n_cuts} cuts"
        yield plot_mondrian(frame, method, step=step, title=f"{title}, {text}" if title else text)


def _read(frame: pd.DataFrame, method: Mondrian) -> tuple[Records, list[MondrianCut]]:
    if not isinstance(method, Mondrian):
        raise TypeError(f"method: expected Mondrian, found {type(method).__name__}")
    names = find_columns(frame, method.columns, ordinal=method.ordinal)
    if len(names) != 2:
        raise ValueError(
            f"method: expected Mondrian of two columns, found {list(names)} (name two in columns=)"
        )
    records = Records.of(frame, names, method.ordinal)
    records.require_complete("this picture")
    # Refuses what does not fit the table.
    method.groups(frame)
    return records, mondrian_cuts(records, method.k)


def tiles_of(
    plane: tuple[TableAxis, TableAxis], n_rows: int, cuts: list[MondrianCut], *, draw: Any = None
) -> list[Tile]:
    """Parts of the plane after some cuts, in the order of their first rows.

    Parameters
    ----------
    plane : pair of TableAxis
    n_rows : int
    cuts : list of MondrianCut
        The first ones, in their order.
    draw : callable, optional
        Called with the number of each cut, the cut, the tile that is cut, and the place.
    """
    ends = np.array([extent(axis) for axis in plane])
    whole = Tile(np.arange(n_rows), ends[:, 0], ends[:, 1])
    tiles = {whole.rows.tobytes(): whole}
    for number, cut in enumerate(cuts, start=1):
        tile = tiles.pop(np.sort(np.concatenate([cut.lower, cut.upper])).tobytes())
        values = plane[cut.column].values
        place = (values[cut.lower].max() + values[cut.upper].min()) / 2
        if draw is not None:
            draw(number, cut, tile, place)
        high, low = tile.high.copy(), tile.low.copy()
        high[cut.column] = low[cut.column] = place
        for side in (Tile(cut.lower, tile.low, high), Tile(cut.upper, low, tile.high)):
            tiles[side.rows.tobytes()] = side
    return sorted(tiles.values(), key=lambda tile: int(tile.rows[0]))


class _Cuts:
    """Draws cuts."""

    def __init__(self, axes: Axes, n_cuts: int) -> None:
        self._axes = axes
        self._numbered = n_cuts < MAX_NUMBERED

    def __call__(self, number: int, cut: MondrianCut, tile: Tile, place: float) -> None:
        other = 1 - cut.column
        ends = np.empty((2, 2))
        ends[:, cut.column] = place
        ends[:, other] = tile.low[other], tile.high[other]
        width = max(0.8, 3.4 - 0.55 * cut.depth)
        self._axes.plot(
            ends[:, 0],
            ends[:, 1],
            color=CUT_COLOR,
            linewidth=width,
            zorder=2.5,
            gid=f"cut {number}",
        )
        if self._numbered:
            # Not in the middle, where the cuts of both sides often end.
            x, y = 0.86 * ends[0] + 0.14 * ends[1]
            self._axes.text(
                x,
                y,
                str(number),
                ha="center",
                va="center",
                fontsize="small",
                color="white",
                zorder=5,
                bbox={"boxstyle": "circle,pad=0.15", "facecolor": CUT_COLOR, "edgecolor": "white"},
            )


def _draw_region(
    axes: Axes, plane: tuple[TableAxis, TableAxis], tile: Tile, *, counted: bool
) -> None:
    from matplotlib.patches import Rectangle

    values = np.column_stack([axis.values[tile.rows] for axis in plane])
    reach = np.array([CELL if axis.ticks else 0.0 for axis in plane])
    low, high = values.min(axis=0) - reach, values.max(axis=0) + reach
    axes.add_patch(
        Rectangle(
            (low[0], low[1]),
            *(high - low),
            facecolor=f"{REGION_COLOR}26",
            edgecolor=REGION_COLOR,
            linewidth=1.0,
            zorder=1.5,
            gid="region",
        )
    )
    if counted:
        axes.text(
            (low[0] + high[0]) / 2,
            (low[1] + high[1]) / 2,
            f"{len(tile.rows):,}",
            ha="center",
            va="center",
            weight="bold",
            color="#003A5C",
            zorder=4,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 1.0},
        )


def _legend(figure: Figure, sizes: list[int], n_cuts: int, k: int) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    least, most = min(sizes), max(sizes)
    rows = f"{least:,} rows" if least == most else f"{least:,} to {most:,} rows"
    regions = f"{len(sizes):,} region{'s' * (len(sizes) != 1)} of {rows} (k = {k} asked)"
    handles: list[Any] = [
        Patch(facecolor=f"{REGION_COLOR}26", edgecolor=REGION_COLOR),
        Line2D([], [], color=CUT_COLOR, linewidth=2.4),
    ]
    labels = [regions, f"{n_cuts:,} cut{'s' * (n_cuts != 1)}, in their order"]
    figure.legend(
        handles, labels, loc="outside lower center", ncols=figures.legend_columns(2), frameon=False
    )
