"""Anytime curves: an indicator over the evaluations, with its spread over seeds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonopt._checks import check_integer
from anonopt._typing import FloatArray
from anonopt.experiments.performance.anytime import indicator_frame
from anonopt.experiments.performance.choice import chosen_runs
from anonopt.experiments.performance.quality import INDICATORS
from anonopt.experiments.store.runs import StoredRuns, ended_well

N_POINTS = 40
"""Numbers of evaluations of a curve, at most."""


def curve_frame(
    runs: StoredRuns,
    indicator: str = "hypervolume",
    *,
    budgets: Iterable[int] | None = None,
    **choice: Any,
) -> pd.DataFrame:
    """Median and quartiles of an indicator over seeds, after numbers of distinct evaluations.

    Parameters
    ----------
    runs : Runs
    indicator : str
    budgets : iterable of int, optional
        Numbers of distinct evaluations; by default those up to the longest run of
        :func:`~anonopt.experiments.performance.curves.evaluation_grid`.
    **choice
        ``budget``, ``problems``, ``algorithms`` and ``failed`` of
        :func:`~anonopt.experiments.performance.choice.chosen_runs`.

    Returns
    -------
    DataFrame
        One row a problem, algorithm and number of evaluations: ``problem``, ``algorithm``,
        ``evaluations``, ``n_runs``, ``lower``, ``median``, ``upper``. Runs that failed count as
        having found nothing from their begin to their end. Where fewer than half of the runs have
        found anything feasible, the median of an indicator without a worst value is infinite.

    Raises
    ------
    ValueError
        If the indicator or a name is unknown, or a budget is below 1.
    """
    table = chosen_runs(runs, **choice)
    longest = int(table["n_unique"].max()) if len(table) else 1
    grid = evaluation_grid(max(longest, 1)) if budgets is None else list(budgets)
    values = indicator_frame(runs, budgets=grid, indicators=[indicator], of=table)
    if not ended_well(table).all():
        values = pd.concat([values, _of_failed(table, sorted(grid), indicator)], ignore_index=True)
    keys = ["problem", "algorithm", "evaluations"]
    rows = [
        (*key, len(part), *quartiles(part[indicator].to_numpy(dtype=np.float64)))
        for key, part in values.groupby(keys, sort=False)
    ]
    return pd.DataFrame(rows, columns=[*keys, "n_runs", "lower", "median", "upper"])


def _of_failed(table: pd.DataFrame, grid: Sequence[int], indicator: str) -> pd.DataFrame:
    """Rows as those of the runs that ended well, for those that did not."""
    bad = table.loc[~ended_well(table), ["problem", "algorithm", "seed"]]
    numbers = pd.DataFrame({"evaluations": grid})
    return bad.merge(numbers, how="cross").assign(**{indicator: INDICATORS[indicator].nothing})


def quartiles(values: FloatArray) -> tuple[float, float, float]:
    """Lower quartile, median and upper quartile, in which infinite values have their place.

    Between a finite and an infinite value there is no other: the quartile is infinite.

    Examples
    --------
    >>> quartiles(np.array([1.0, 2.0, 4.0, np.inf]))
    (1.75, 3.0, inf)
    """
    ordered = np.sort(values)
    found = []
    for share in (0.25, 0.5, 0.75):
        place = share * (len(ordered) - 1)
        low, high = ordered[int(np.floor(place))], ordered[int(np.ceil(place))]
        weight = place - np.floor(place)
        found.append(float(low if low == high else low + weight * (high - low)))
    return found[0], found[1], found[2]


def evaluation_grid(longest: int, *, n_points: int = N_POINTS) -> list[int]:
    """Numbers of evaluations from 1 to the longest, evenly spread on a logarithmic axis.

    Examples
    --------
    >>> evaluation_grid(1000, n_points=7)
    [1, 3, 10, 32, 100, 316, 1000]
    """
    check_integer("longest", longest, least=1)
    exact = np.geomspace(1, longest, check_integer("n_points", n_points, least=2))
    return sorted({int(number) for number in np.rint(exact)})
