"""Distributions of runtimes over all problems and targets."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from anonopt.experiments.progress.targets import runtime_frame, target_frame
from anonopt.experiments.store.runs import StoredRuns


def ecdf_frame(
    runs: StoredRuns,
    indicator: str = "hypervolume",
    *,
    targets: Iterable[float] | None = None,
    budget: str | None = None,
) -> pd.DataFrame:
    """Distribution of runtimes: share of pairs of run and target reached, over the evaluations.

    Parameters
    ----------
    runs : Runs
    indicator : str
    targets : iterable of float, optional
        As :func:`~anonopt.experiments.progress.targets.runtime_frame`.
    budget : str, optional
        As :func:`~anonopt.experiments.progress.targets.runtime_frame`.

    Returns
    -------
    DataFrame
        One row a step: ``algorithm``, ``evaluations``, ``share`` of all pairs that the algorithm
        has on all problems, 0..1. The last row of each algorithm is at its longest run.

    Raises
    ------
    ValueError
        If the indicator or the budget is unknown, or there is no target.
    """
    times = runtime_frame(runs, indicator, targets=targets, budget=budget)
    parts = []
    for algorithm, part in times.groupby("algorithm", sort=False):
        steps, counts = np.unique(part["evaluations"].dropna(), return_counts=True)
        ends = np.concatenate([steps, [float(part["spent"].max())]])
        shares = np.concatenate([counts, [0]]).cumsum() / len(part)
        parts.append(pd.DataFrame({"algorithm": algorithm, "evaluations": ends, "share": shares}))
    columns = ["algorithm", "evaluations", "share"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def profile_frame(
    runs: StoredRuns,
    indicator: str = "hypervolume",
    *,
    targets: Iterable[float] | None = None,
    budget: str | None = None,
) -> pd.DataFrame:
    """Performance profiles: how often an algorithm is within a factor of the fastest.

    E. D. Dolan, J. J. More, *Benchmarking optimization software with performance profiles*,
    Mathematical Programming 91 (2002), of expected running times to targets.

    Parameters
    ----------
    runs : Runs
    indicator : str
    targets : iterable of float, optional
        As :func:`~anonopt.experiments.progress.targets.runtime_frame`.
    budget : str, optional
        As :func:`~anonopt.experiments.progress.targets.runtime_frame`.

    Returns
    -------
    DataFrame
        One row a step: ``algorithm``, ``factor`` (expected running time by the shortest of all
        algorithms, at least 1), ``share`` of the pairs of problem and target that some algorithm
        reaches, 0..1. The last row of each algorithm is at the largest factor of all.

    Raises
    ------
    ValueError
        If the indicator or the budget is unknown, or there is no target.
    """
    table = target_frame(runs, indicator, targets=targets, budget=budget)
    names = ["algorithm", "factor", "share"]
    if len(table) == 0:
        return pd.DataFrame(columns=names)
    times = table.pivot(index=["problem", "target"], columns="algorithm", values="expected")
    shortest = times.min(axis=1)
    # A target that nobody reaches tells nothing apart.
    factors = times[np.isfinite(shortest)].div(shortest[np.isfinite(shortest)], axis=0)
    known = factors.to_numpy()[np.isfinite(factors.to_numpy())]
    last = float(known.max()) if len(known) else 1.0
    parts = []
    for algorithm in dict.fromkeys(table["algorithm"]):
        own = factors[algorithm].to_numpy()
        steps, counts = np.unique(own[np.isfinite(own)], return_counts=True)
        ends = np.concatenate([steps, [last]])
        shares = np.concatenate([counts, [0]]).cumsum() / max(1, len(factors))
        parts.append(pd.DataFrame({"algorithm": algorithm, "factor": ends, "share": shares}))
    return pd.concat(parts, ignore_index=True)
