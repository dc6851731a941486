"""Moments and durations as pandas writes those of a whole column, some rows at a time.

Whether pandas writes times of day, and how many digits of seconds, depends on all cells of a
column: on whether any is not at midnight, or has a part of a second. So one cell of each kind that
occurs is found first, and goes with every part of the column as it is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

Finest = Mapping[str, "pd.Series[Any]"]
"""By column, a few cells that no other one has finer parts than."""

_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
"""Units of a second."""


def has_moments(cells: pd.Series[Any]) -> bool:
    """Whether cells are moments or durations."""
    return cells.dtype.kind in "mM"


def finest_cells(parts: Iterable[pd.DataFrame]) -> dict[str, pd.Series[Any]]:
    """Cells of the moments of a table with the finest parts: not at midnight, below a second, ...

    Parameters
    ----------
    parts : iterable of DataFrame
        Rows of the table, one part after the other, with the same columns.

    Examples
    --------
    >>> days = pd.to_datetime(["2014-09-03 00:00", "2014-09-03 07:00", "2014-09-03 08:00"])
    >>> finest_cells([pd.DataFrame({"day": days})])["day"].tolist()
    [Timestamp('2014-09-03 07:00:00')]
    """
    found: dict[str, pd.Series[Any]] = {}
    for part in parts:
        for name, cells in part.items():
            if has_moments(cells):
                known = [found[str(name)]] if str(name) in found else []
                found[str(name)] = _finest([*known, cells])
        if all(len(cells) == len(_steps(cells)) for cells in found.values()):
            break
    return found


def with_texts(frame: pd.DataFrame, finest: Finest) -> pd.DataFrame:
    """A part of a table with moments as texts, all cells of a column alike.

    Parameters
    ----------
    frame : DataFrame (n, n_columns)
    finest : mapping of str to Series
        See :func:`finest_cells`.

    Returns
    -------
    DataFrame (n, n_columns)
        Missing cells are None.

    Examples
    --------
    >>> days = pd.DataFrame({"day": pd.to_datetime(["2014-09-03 00:00", "2014-09-03 07:00"])})
    >>> with_texts(days[:1], finest_cells([days]))["day"].tolist()
    ['2014-09-03 00:00:00']
    """
    columns = {
        place: _texts(cells, finest.get(str(name)))
        for place, (name, cells) in enumerate(frame.items())
        if has_moments(cells)
    }
    if not columns:
        return frame
    found = [columns.get(place, frame.iloc[:, place]) for place in range(frame.shape[1])]
    return pd.concat(found, axis=1).set_axis(frame.columns, axis=1)


def _texts(cells: pd.Series[Any], finest: pd.Series[Any] | None) -> pd.Series[Any]:
    both = cells if finest is None else pd.concat([cells, finest.astype(cells.dtype)])
    column = pd.DataFrame({"v": both})
    # In one piece, as pandas looks at each piece on its own.
    text = column.to_csv(
        index=False, header=False, lineterminator="\n", chunksize=max(len(both), 1), na_rep="-"
    )
    lines = [None if line == "-" else line for line in text.split("\n")[: len(cells)]]
    return pd.Series(lines, index=cells.index, dtype=object)


def _steps(cells: pd.Series[Any]) -> list[int]:
    """Units of a day, a second, a thousandth and a millionth of one, in that of the cells."""
    second = _SECOND[_unit(cells)]
    return [86_400 * second, *(second // part for part in (1, 10**3, 10**6) if second >= part)]


def _unit(cells: pd.Series[Any]) -> str:
    return str(cells.dt.unit)


def _finest(parts: Sequence[pd.Series[Any]]) -> pd.Series[Any]:
    """For each unit the first cell that is not whole in it."""
    cells = pd.concat(parts).dropna().reset_index(drop=True)
    local = cells.dt.tz_localize(None) if isinstance(cells.dtype, pd.DatetimeTZDtype) else cells
    numbers = local.to_numpy().view(np.int64)
    steps = [step for step in _steps(cells) if step > 1]
    firsts = {int(np.argmax(numbers % step != 0)) for step in steps if (numbers % step != 0).any()}
    found: pd.Series[Any] = cells.iloc[sorted(firsts)]
    return found
