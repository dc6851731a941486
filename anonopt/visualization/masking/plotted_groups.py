"""Groups of records in the plane, such as those of microaggregation."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt._checks import check_integer
from anonopt._typing import FloatArray, IntArray
from anonopt.data.columns.categories import Orders
from anonopt.data.roles import find_columns
from anonopt.masking.groups.aggregation import aggregate
from anonopt.masking.groups.mdav import mdav_steps
from anonopt.masking.groups.records import Records
from anonopt.masking.microaggregation import MDAV
from anonopt.masking.mondrian import Mondrian
from anonopt.visualization import figures
from anonopt.visualization.masking.table_plane import (
    TableAxis,
    apart,
    column_axis,
    component_axes,
    set_up,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKERS = ("o", "s", "^", "D", "v", "P")
"""Of groups by size, in the order of the sizes; the last is that of all sizes left."""


def plot_groups(
    frame: pd.DataFrame,
    groups: MDAV | Mondrian | npt.ArrayLike,
    *,
    plane: Sequence[Hashable] | None = None,
    columns: Sequence[Hashable] | None = None,
    ordinal: Orders | None = None,
    step: int | None = None,
    title: str | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw groups of records in a plane: members, joined to what stands for them, and hulls.

    Parameters
    ----------
    frame : DataFrame (n_rows, ...)
    groups : method with ``groups``, or int array_like (n_rows,)
        `MDAV` or `Mondrian`, whose groups are made; or the number of the group of each row from
        any method, such as the labels of :func:`anonopt.masking.c_median`, -1 where it is in none.
    plane : sequence of 2 columns, optional
        Columns on the axes: numbers, or categories at their codes. By default the columns that
        are grouped, if they are two; the column and the number of the group, if it is one; and of
        more columns the first two principal components of their standardized values.
    columns, ordinal : optional
        Columns that were grouped, by default all, and orders of categories, as for
        :class:`anonopt.masking.MDAV`; for an array. A method brings its own.
    step : int, optional
        Draw the state after so many groups, from 0 to their number, in the order in which they are
        numbered, which for MDAV is that in which they are made. By default all.
    title : str, optional
        Long lines are broken.
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.

    Returns
    -------
    matplotlib Figure
        Not known to pyplot: nothing has to be closed. Crosses are means, medians of ordered and
        modes of other categories, of which rows in one place are moved apart a little; in the
        plane of components they are means. The legend counts groups by size, and rows that are
        not drawn since a number is missing.

    Raises
    ------
    TypeError
        If `groups` is no such method and holds no whole numbers, or with a method `columns` or
        `ordinal` is given.
    ValueError
        If the method does not fit the table, the numbers of groups are not one a row, `plane` is
        not two columns, components are wanted of columns without order, with missing numbers or
        all constant, `step` is out of range, or the ending of the file is unknown.

    Examples
    --------
    >>> from anonopt.masking import MDAV
    >>> frame = pd.DataFrame({"x": [1, 2, 2, 30, 31], "y": [1, 2, 2, 28, 29]})
    >>> figure = plot_groups(frame, MDAV(k=2))
    >>> [text.get_text() for text in figure.legends[0].get_texts()]
    ['group of 2 (1)', 'group of 3 (1)', 'mean, median or mode', 'k = 2 asked']
    """
    figures.check_picture(path)
    records, numbers, k = _read(frame, groups, columns, ordinal)
    n_groups = int(numbers.max()) + 1
    made = n_groups if step is None else check_integer("step", step, least=0, most=n_groups)
    both = _plane(frame, records, numbers, plane)
    places = np.column_stack(apart(both, numbers))
    figure = figures.readable_figure(8.0, 6.0)
    axes = figure.add_subplot()
    set_up(axes, both)
    rest = (numbers < 0) | (numbers >= made)
    _draw_rest(axes, places[rest], told=step is not None)
    centers = _centers(records, both, np.where(rest, -1, numbers))
    _draw_groups(axes, places, numbers, made, centers)
    if step is not None and isinstance(groups, MDAV):
        _draw_seed(axes, records, groups.k, made, places)
    hidden = int(np.isnan(places).any(axis=1).sum())
    notes = [f"k = {k} asked"] if k is not None else []
    notes += [f"not drawn, a number is missing ({hidden:,})"] if hidden else []
    for note in notes:
        axes.plot([], [], linestyle="", label=note)
    figures.set_title(figure, axes, title)
    figure.legend(loc="outside lower center", ncols=figures.legend_columns(3), frameon=False)
    return figures.write_picture(figure, path)


def groups_step_by_step(
    frame: pd.DataFrame, groups: MDAV | Mondrian | npt.ArrayLike, **options: Any
) -> Iterator[Figure]:
    """Pictures of :func:`plot_groups` after 0, 1, 2, ... groups.

    Parameters
    ----------
    frame, groups, **options
        As for :func:`plot_groups`.

    Yields
    ------
    matplotlib Figure

    Raises
    ------
    TypeError, ValueError
        As :func:`plot_groups`.
    """
    _, numbers, _ = _read(frame, groups, options.get("columns"), options.get("ordinal"))
    n_groups = int(numbers.max()) + 1
    title = options.pop("title", None)
    for step in range(n_groups + 1):
        text = f"after {step} of {n_groups} groups"
        yield plot_groups(
            frame, groups, step=step, title=f"{title}, {text}" if title else text, **options
        )


def _read(
    frame: pd.DataFrame, groups: Any, columns: Sequence[Hashable] | None, ordinal: Orders | None
) -> tuple[Records, IntArray, int | None]:
    """Columns that are grouped, group of each row, and the k asked."""
    if isinstance(groups, MDAV | Mondrian):
        if columns is not None or ordinal is not None:
            raise TypeError(
                f"columns, ordinal: expected none beside a method, which has its own, found "
                f"{columns!r} and {ordinal!r}"
            )
        names = find_columns(frame, groups.columns, ordinal=groups.ordinal)
        numbers = groups.groups(frame)
        return Records.of(frame, names, groups.ordinal), numbers, groups.k
    names = find_columns(frame, columns, ordinal=ordinal)
    numbers = np.asarray(groups)
    if numbers.dtype.kind not in "iu":
        raise TypeError(
            f"groups: expected MDAV, Mondrian or whole numbers, found {type(groups).__name__}"
        )
    if numbers.shape != (len(frame),):
        raise ValueError(f"groups: expected shape ({len(frame)},), found {numbers.shape}")
    if numbers.min() < -1:
        raise ValueError(f"groups: expected numbers of at least -1, found {numbers.min()}")
    return Records.of(frame, names, ordinal), numbers.astype(np.int64), None


def _plane(
    frame: pd.DataFrame, records: Records, numbers: IntArray, plane: Sequence[Hashable] | None
) -> tuple[TableAxis, TableAxis]:
    grouped = [column.name for column in records.columns]
    if plane is None and len(grouped) > 2:
        return component_axes(records)
    names = grouped if plane is None else list(plane)
    if plane is not None and (len(names) != 2 or any(name not in grouped for name in names)):
        raise ValueError(f"plane: expected two of the columns {grouped}, found {names}")
    axes = [column_axis(records, records.columns[grouped.index(name)]) for name in names]
    if len(axes) == 1:
        axes.append(TableAxis("number of the group", numbers.astype(np.float64)))
    return axes[0], axes[1]


def _centers(
    records: Records, both: tuple[TableAxis, TableAxis], numbers: IntArray
) -> dict[int, FloatArray]:
    """What stands for each group that is made, as a place (2,)."""
    rows = np.flatnonzero(numbers >= 0)
    if len(rows) == 0:
        return {}
    known, compact = np.unique(numbers[rows], return_inverse=True)
    _, first = np.unique(compact, return_index=True)
    columns = {column_axis(records, column).label: column for column in records.columns}
    coordinates = []
    for axis in both:
        if axis.label in columns:
            column = columns[axis.label]
            values = aggregate(column.part(rows), compact).astype(np.float64) + column.offset
            coordinates.append(values[first])
        else:
            totals = np.bincount(compact, weights=axis.values[rows])
            coordinates.append(totals / np.bincount(compact))
    return dict(zip(known.tolist(), np.column_stack(coordinates), strict=True))


def _draw_rest(axes: Axes, places: FloatArray, *, told: bool) -> None:
    """Rows in no group; of a step also where there are none, as all legends are of one size."""
    if len(places) == 0 and not told:
        return
    axes.plot(
        places[:, 0],
        places[:, 1],
        linestyle="",
        marker="o",
        color="#777777",
        fillstyle="none",
        markersize=5,
        zorder=2,
        label=f"in no group yet ({len(places):,})",
    )


def _draw_groups(
    axes: Axes, places: FloatArray, numbers: IntArray, made: int, centers: dict[int, FloatArray]
) -> None:
    """Groups that are made, each in a colour that the next has not, with the marker of its size."""
    sizes = np.bincount(numbers[numbers >= 0], minlength=1)
    occurring = np.unique(sizes[sizes > 0])
    for style, size in enumerate(occurring[: len(MARKERS)].tolist()):
        is_last = style == len(MARKERS) - 1 and len(occurring) > len(MARKERS)
        chosen = np.flatnonzero(sizes >= size if is_last else sizes == size)
        words = f"of {size} to {occurring[-1]}" if is_last else f"of {size}"
        chosen = chosen[chosen < made]
        marker: dict[str, Any] = {"linestyle": "", "marker": MARKERS[style], "markersize": 6}
        label = f"group{'s' * (len(chosen) != 1)} {words} ({len(chosen):,})"
        axes.plot([], [], **marker, color=figures.LINE_COLOR, label=label)
        for group in chosen.tolist():
            members = places[numbers == group]
            members = members[~np.isnan(members).any(axis=1)]
            color = figures.COLORS[group % len(figures.COLORS)]
            _draw_group(axes, members, centers[group], color)
            axes.plot(
                members[:, 0],
                members[:, 1],
                **marker,
                color=color,
                markeredgecolor="white",
                markeredgewidth=0.6,
                zorder=3,
                gid=f"group {group}",
            )
    if len(occurring) == 0:
        return
    together = np.array([*centers.values(), (np.nan, np.nan)])
    axes.plot(
        together[:, 0],
        together[:, 1],
        linestyle="",
        marker="+",
        color="black",
        markersize=9,
        markeredgewidth=1.6,
        zorder=4,
        label="mean, median or mode",
    )


def _draw_group(axes: Axes, members: FloatArray, center: FloatArray, color: str) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Polygon
    from scipy.spatial import ConvexHull, QhullError

    if not np.isnan(center).any():
        spokes = [np.array([member, center]) for member in members]
        axes.add_collection(
            LineCollection(spokes, colors=color, linewidths=0.9, zorder=2), autolim=False
        )
    try:
        hull = members[ConvexHull(members).vertices] if len(members) > 2 else None
    except QhullError:
        # Members on a line have none.
        return
    if hull is not None:
        axes.add_patch(
            Polygon(hull, facecolor=f"{color}22", edgecolor=color, linewidth=1.1, zorder=1)
        )


def _draw_seed(axes: Axes, records: Records, k: int, made: int, places: FloatArray) -> None:
    """The record around which MDAV made the latest group."""
    if any(column.lacks_numbers for column in records.columns):
        return
    seed = mdav_steps(records, k)[made - 1].seed if made else None
    place = [places[seed]] if seed is not None else []
    axes.plot(
        [x for x, _ in place],
        [y for _, y in place],
        linestyle="",
        marker="o",
        markersize=14,
        fillstyle="none",
        color="black",
        markeredgewidth=1.8,
        zorder=5,
        label="seed of the latest group",
    )
