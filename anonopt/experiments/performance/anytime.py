"""Indicators of runs after each part of their budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import moocore
import numpy as np
import pandas as pd

from anonopt._checks import check_integer, unknown
from anonopt._typing import BoolArray, FloatArray, IntArray
from anonopt.experiments.performance.quality import INDICATORS, Indicator
from anonopt.experiments.performance.references import Reference, is_finite
from anonopt.experiments.store.contents import Evaluations
from anonopt.experiments.store.runs import StoredRuns, ended_well

_CHUNK = 64
"""Evaluations that are compared with a front at a time."""


def after(
    found: Evaluations, budgets: Sequence[int], reference: Reference, indicators: Sequence[str]
) -> FloatArray:
    """Indicators of one run after numbers of distinct evaluations.

    Parameters
    ----------
    found : Evaluations
    budgets : sequence of int
        Numbers of distinct evaluations, in rising order; past the end of the run its last values
        hold.
    reference : Reference
    indicators : sequence of str
        Keys of `INDICATORS`.

    Returns
    -------
    float array (n_budgets, n_indicators)
        Of the non-dominated set of what is feasible. Points of which an objective is infinite are
        at no distance and dominate no volume; they are left out, as from all indicators.
    """
    usable = found.feasible & is_finite(found.F)
    chosen = [INDICATORS[name] for name in indicators]
    values = np.empty((len(budgets), len(chosen)))
    front = np.empty((0, found.F.shape[1]))
    seen = 0
    for i, budget in enumerate(budgets):
        new = found.F[seen:budget][usable[seen:budget]]
        seen = max(seen, min(budget, len(found.F)))
        if i and not _adds(front, new):
            values[i] = values[i - 1]
            continue
        front = _joined(front, new)
        values[i] = [_value(indicator, front, reference) for indicator in chosen]
    return values


def improvements(
    found: Evaluations, reference: Reference, indicator: str
) -> tuple[IntArray, FloatArray]:
    """Values of an indicator of one run, each time its non-dominated set changes.

    Parameters
    ----------
    found : Evaluations
    reference : Reference
    indicator : str
        Key of `INDICATORS`.

    Returns
    -------
    evaluations : int array (n_changes,)
        Distinct evaluations after which the set is another one, in rising order.
    values : float array (n_changes,)
        Of the set from then on. Before the first change nothing was found.
    """
    chosen = INDICATORS[indicator]
    usable = np.flatnonzero(found.feasible & is_finite(found.F))
    front = np.empty((0, found.F.shape[1]))
    numbers: list[int] = []
    values: list[float] = []
    for start in range(0, len(usable), _CHUNK):
        chunk = usable[start : start + _CHUNK]
        # Most points are dominated by what was found before; they are told apart at once.
        for index in chunk[~_covered(front, found.F[chunk])]:
            point = found.F[index]
            if _covered(front, point[np.newaxis])[0]:
                continue
            front = np.concatenate([front[~(front >= point).all(axis=1)], point[np.newaxis]])
            numbers.append(int(index) + 1)
            values.append(chosen.of(front, reference))
    return np.array(numbers, dtype=np.int64), np.array(values, dtype=np.float64)


def _adds(front: FloatArray, new: FloatArray) -> bool:
    """Whether any of the new points is not weakly dominated by the front."""
    if len(new) == 0:
        return False
    if len(front) == 0:
        return True
    return not bool(_covered(front, new[moocore.is_nondominated(new)]).all())


def _covered(front: FloatArray, points: FloatArray) -> BoolArray:
    """Which points some point of the front weakly dominates."""
    is_below = np.all(front[np.newaxis] <= points[:, np.newaxis], axis=2)
    return np.asarray(np.any(is_below, axis=1), dtype=np.bool_)


def _joined(front: FloatArray, new: FloatArray) -> FloatArray:
    together = np.concatenate([front, new])
    if len(together) == 0:
        return together
    is_kept: BoolArray = np.asarray(moocore.is_nondominated(together), dtype=np.bool_)
    return np.asarray(together[is_kept])


def _value(indicator: Indicator, front: FloatArray, reference: Reference) -> float:
    return indicator.nothing if len(front) == 0 else indicator.of(front, reference)


def check_indicator(name: str) -> str:
    """Name of an indicator; returns it.

    Raises
    ------
    ValueError
        If there is none of this name.
    """
    if name not in INDICATORS:
        raise ValueError(unknown("indicator", name, INDICATORS))
    return name


def references_of(runs: StoredRuns) -> dict[str, Reference]:
    """References that the file of an experiment holds, by problem; those without are left out."""
    return {
        name: Reference(
            facts.reference_front,
            facts.reference_point,
            facts.reference_source or "",
            facts.maximize,
        )
        for name, facts in runs.problems.items()
        if facts.reference_front is not None and facts.reference_point is not None
    }


def indicator_frame(
    runs: StoredRuns,
    *,
    budgets: Iterable[int],
    indicators: Iterable[str] = ("hypervolume",),
    of: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Indicators of all runs that ended well, after numbers of distinct evaluations.

    Parameters
    ----------
    runs : StoredRuns
    budgets : iterable of int
        Numbers of distinct evaluations, each at least 1; past the end of a run its last values
        hold.
    indicators : iterable of str
        Keys of `INDICATORS`.
    of : DataFrame, optional
        Rows of ``runs.frame``; by default all.

    Returns
    -------
    DataFrame
        One row a run and budget: ``run``, ``problem``, ``algorithm``, ``seed``, ``evaluations``
        and a column an indicator. Problems of which nothing feasible is known have NaN.

    Raises
    ------
    ValueError
        If there is no budget, one is below 1, or an indicator is unknown.
    """
    numbers = sorted({check_integer("budgets", budget, least=1) for budget in budgets})
    if not numbers:
        raise ValueError("budgets: expected at least one, found none")
    names = [check_indicator(name) for name in indicators]
    frame = runs.frame if of is None else of
    done = frame[ended_well(frame)]
    references = references_of(runs)
    values = np.full((len(done), len(numbers), len(names)), np.nan)
    row_of = {run: row for row, run in enumerate(done.index)}
    for run, found in runs.all_evaluations(done.index):
        reference = references.get(str(done.at[run, "problem"]))
        if reference is not None:
            values[row_of[run]] = after(found, numbers, reference, names)
    n = len(numbers)
    return pd.DataFrame(
        {
            "run": np.repeat(done.index.to_numpy(), n),
            **{key: np.repeat(done[key].to_numpy(), n) for key in ("problem", "algorithm", "seed")},
            "evaluations": np.tile(numbers, len(done)),
            **dict(zip(names, values.reshape(-1, len(names)).T, strict=True)),
        }
    )
