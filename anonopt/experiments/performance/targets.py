"""How many evaluations it takes to reach targets: runtimes, their distribution, their mean.

As COCO, N. Hansen, A. Auger, R. Ros, O. Mersmann, T. Tusar, D. Brockhoff, *COCO: a platform for
comparing continuous optimizers in a black-box setting*, Optimization Methods and Software 36
(2021), Section 4, without its simulated restarts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from anonopt._checks import check_number
from anonopt._typing import FloatArray
from anonopt.experiments.performance.anytime import check_indicator, improvements, references_of
from anonopt.experiments.performance.choice import chosen_runs
from anonopt.experiments.performance.quality import INDICATORS
from anonopt.experiments.store.runs import StoredRuns, ended_well

BEST = {"hypervolume": 1.0, "rr": 1.0, "found": 1.0, "igd_plus": 0.0, "epsilon": 0.0, "ce": 0.0}
"""Value of the reference front itself, of the indicators of which it is the same everywhere."""

PRECISIONS = tuple(np.geomspace(1e-3, 10**-0.25, 12).round(6).tolist())
"""Distances to the best value of the targets that are taken by default."""


def default_targets(indicator: str) -> list[float]:
    """Targets from easy to hard.

    Raises
    ------
    ValueError
        If the indicator is unknown, or its best value depends on the problem.

    Examples
    --------
    >>> default_targets("hypervolume")[:2], default_targets("igd_plus")[-1]
    ([0.437659, 0.683772], 0.001)
    """
    check_indicator(indicator)
    if indicator not in BEST:
        raise ValueError(
            f"targets: expected numbers for {indicator!r}, whose best value depends on the "
            "problem, found none"
        )
    sign = -1 if INDICATORS[indicator].maximize else 1
    return [round(BEST[indicator] + sign * step, 6) for step in sorted(PRECISIONS, reverse=True)]


def runtime_frame(
    runs: StoredRuns,
    indicator: str = "hypervolume",
    *,
    targets: Iterable[float] | None = None,
    **choice: Any,
) -> pd.DataFrame:
    """Distinct evaluations after which each run first reached each target.

    Parameters
    ----------
    runs : Runs
    indicator : str
    targets : iterable of float, optional
        In the unit of the indicator; by default those of
        :func:`~anonopt.experiments.performance.targets.default_targets`.
    **choice
        ``budget``, ``problems``, ``algorithms`` and ``failed`` of
        :func:`~anonopt.experiments.performance.choice.chosen_runs`.

    Returns
    -------
    DataFrame
        One row a run and a target, from easy to hard: ``run``, ``problem``, ``algorithm``,
        ``seed``, ``target``, ``evaluations`` (NaN if it was not reached), ``spent`` (evaluations of
        the whole run; 0 if it broke off without an answer). Runs that failed reach no target, nor
        do runs on problems of which nothing feasible is known.

    Raises
    ------
    ValueError
        If the indicator or a name is unknown, or there is no target.
    """
    maximize = INDICATORS[check_indicator(indicator)].maximize
    wanted = default_targets(indicator) if targets is None else targets
    goals = sorted({check_number("targets", goal) for goal in wanted}, reverse=not maximize)
    if not goals:
        raise ValueError("targets: expected at least one, found none")
    table = chosen_runs(runs, **choice)
    references = references_of(runs)
    at_once = _is_met(INDICATORS[indicator].nothing, goals, maximize=maximize)
    reached = np.full((len(table), len(goals)), np.nan)
    row_of = {run: row for row, run in enumerate(table.index)}
    for run, found in runs.all_evaluations(table.index[ended_well(table)]):
        reference = references.get(str(table.at[run, "problem"]))
        if reference is not None:
            numbers, values = improvements(found, reference, indicator)
            times = first_reached(numbers, values, goals, maximize=maximize)
            reached[row_of[run]] = np.where(at_once, 1.0, times)
    n = len(goals)
    keys = ("problem", "algorithm", "seed")
    return pd.DataFrame(
        {
            "run": np.repeat(table.index.to_numpy(), n),
            **{key: np.repeat(table[key].to_numpy(), n) for key in keys},
            "target": np.tile(goals, len(table)),
            "evaluations": reached.ravel(),
            "spent": np.repeat(table["n_unique"].to_numpy(), n),
        }
    )


def first_reached(
    numbers: Iterable[int], values: FloatArray, targets: Iterable[float], *, maximize: bool
) -> FloatArray:
    """Number at which the values are first as good as each target; NaN where they never are.

    Examples
    --------
    >>> first_reached([3, 8], np.array([0.5, 0.9]), [0.4, 0.9, 1.0], maximize=True).tolist()
    [3.0, 8.0, nan]
    """
    at = np.asarray(list(numbers), dtype=np.float64)
    reached = []
    for target in targets:
        hits = at[values >= target] if maximize else at[values <= target]
        reached.append(hits[0] if len(hits) else np.nan)
    return np.array(reached, dtype=np.float64)


def _is_met(value: float, targets: Iterable[float], *, maximize: bool) -> list[bool]:
    return [value >= goal if maximize else value <= goal for goal in targets]


def target_frame(
    runs: StoredRuns,
    indicator: str = "hypervolume",
    *,
    targets: Iterable[float] | None = None,
    **choice: Any,
) -> pd.DataFrame:
    """Fixed-target table: how many runs reach a target, and after how many evaluations.

    Parameters
    ----------
    runs : Runs
    indicator : str
    targets : iterable of float, optional
        As :func:`~anonopt.experiments.performance.targets.runtime_frame`.
    **choice
        As :func:`~anonopt.experiments.performance.targets.runtime_frame`.

    Returns
    -------
    DataFrame
        One row a problem, target and algorithm: ``problem``, ``target``, ``algorithm``,
        ``n_runs``, ``n_reached``, ``median``, ``expected`` and ``n_failed``. ``median`` is over
        all runs, and infinite where half of them or more do not reach the target. ``expected`` is
        the expected running time: the evaluations that all runs spent until they reached the
        target, or ended, by the number of those that reached it; infinite if none did. ``n_failed``
        tells how many of the runs failed: they count as having reached nothing, or are in no
        figure if they are left out.

    Raises
    ------
    ValueError
        If the indicator or a name is unknown, or there is no target.
    """
    times = runtime_frame(runs, indicator, targets=targets, **choice)
    table = chosen_runs(runs, **{**choice, "failed": "worst"})
    failed = table[~ended_well(table)].groupby(["problem", "algorithm"]).size()
    rows = []
    for (problem, target, algorithm), part in times.groupby(
        ["problem", "target", "algorithm"], sort=False
    ):
        reached = part["evaluations"].to_numpy(dtype=np.float64)
        rows.append(
            {
                "problem": problem,
                "target": target,
                "algorithm": algorithm,
                "n_runs": len(part),
                "n_reached": int((~np.isnan(reached)).sum()),
                "median": _median(reached),
                "expected": expected_running_time(reached, part["spent"].to_numpy()),
                "n_failed": int(failed.get((problem, algorithm), 0)),
            }
        )
    return pd.DataFrame(rows)


def _median(reached: FloatArray) -> float:
    """Median in which runs without success are infinite."""
    with np.errstate(invalid="ignore"):
        return float(np.median(np.where(np.isnan(reached), np.inf, reached)))


def expected_running_time(evaluations: FloatArray, spent: FloatArray) -> float:
    """Evaluations until a target is reached once, if a run that ends without it is begun anew.

    Parameters
    ----------
    evaluations : float array (n_runs,)
        At which each run reached the target; NaN if it did not.
    spent : array (n_runs,)
        Evaluations of the whole run.

    Returns
    -------
    float
        Infinite if no run reached it.

    Examples
    --------
    >>> expected_running_time(np.array([10.0, np.nan, 30.0]), np.array([100, 100, 100]))
    70.0
    """
    reached = ~np.isnan(evaluations)
    if not reached.any():
        return np.inf
    return float(np.where(reached, evaluations, spent).sum() / reached.sum())
