"""Distributions of runtimes over all problems and targets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import FloatArray
from anonopt.experiments.performance.choice import chosen_runs, common_problems
from anonopt.experiments.performance.targets import runtime_frame, target_frame
from anonopt.experiments.store.runs import StoredRuns


def ecdf_frame(
    runs: StoredRuns,
    indicator: str = "hypervolume",
    *,
    targets: Iterable[float] | None = None,
    **choice: Any,
) -> pd.DataFrame:
    """Distribution of runtimes: share of pairs of run and target reached, over the evaluations.

    It is of the problems on which all algorithms have runs, or it would compare those that are easy
    for one with those that are hard for another.

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
        One row a step: ``algorithm``, ``evaluations``, ``share`` of all pairs of the algorithm,
        0..1. The last row of each algorithm is at its longest run.

    Raises
    ------
    ValueError
        If the indicator or a name is unknown, there is no target, or no problem on which all
        algorithms have runs.
    """
    choice["problems"] = compared_problems(runs, **choice)
    times = runtime_frame(runs, indicator, targets=targets, **choice)
    parts = []
    for algorithm, part in times.groupby("algorithm", sort=False):
        reached = part["evaluations"].dropna().to_numpy()
        ends, shares = _steps(reached, float(part["spent"].max()), of=len(part))
        parts.append(pd.DataFrame({"algorithm": algorithm, "evaluations": ends, "share": shares}))
    return pd.concat(parts, ignore_index=True)


def compared_problems(runs: StoredRuns, **choice: Any) -> list[str]:
    """Problems on which all algorithms have runs.

    Raises
    ------
    ValueError
        If there is none, or a name is unknown.
    """
    table = chosen_runs(runs, **choice)
    shared = common_problems(table)
    if not shared:
        names = ", ".join(dict.fromkeys(table["algorithm"]))
        raise ValueError(
            f"problems: expected one on which all algorithms have runs ({names}), found none; "
            "choose some with algorithms="
        )
    return shared


def profile_frame(
    runs: StoredRuns,
    indicator: str = "hypervolume",
    *,
    targets: Iterable[float] | None = None,
    **choice: Any,
) -> pd.DataFrame:
    """Performance profiles: how often an algorithm is within a factor of the fastest.

    E. D. Dolan, J. J. More, *Benchmarking optimization software with performance profiles*,
    Mathematical Programming 91 (2002), of expected running times to targets, and of the problems on
    which all algorithms have runs.

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
        One row a step: ``algorithm``, ``factor`` (expected running time by the shortest of all
        algorithms, at least 1), ``share`` of the pairs of problem and target that some algorithm
        reaches, 0..1. The last row of each algorithm is at the largest factor of all.

    Raises
    ------
    ValueError
        If the indicator or a name is unknown, there is no target, or no problem on which all
        algorithms have runs.
    """
    choice["problems"] = compared_problems(runs, **choice)
    table = target_frame(runs, indicator, targets=targets, **choice)
    times = table.pivot(index=["problem", "target"], columns="algorithm", values="expected")
    shortest = times.min(axis=1)
    # A target that nobody reaches tells nothing apart.
    factors = times[np.isfinite(shortest)].div(shortest[np.isfinite(shortest)], axis=0)
    known = factors.to_numpy()[np.isfinite(factors.to_numpy())]
    last = float(known.max()) if len(known) else 1.0
    parts = []
    for algorithm in dict.fromkeys(table["algorithm"]):
        own = factors[algorithm].to_numpy()
        ends, shares = _steps(own[np.isfinite(own)], last, of=max(1, len(factors)))
        parts.append(pd.DataFrame({"algorithm": algorithm, "factor": ends, "share": shares}))
    return pd.concat(parts, ignore_index=True)


def _steps(values: FloatArray, last: float, *, of: int) -> tuple[FloatArray, FloatArray]:
    """Steps of the share of `of` that is at most a value, and its end at the last."""
    steps, counts = np.unique(values, return_counts=True)
    return np.concatenate([steps, [last]]), np.concatenate([counts, [0]]).cumsum() / of
