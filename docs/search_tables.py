"""What the tables that compare searches share."""

from __future__ import annotations

from typing import Any

import moocore
import pandas as pd

from anonopt.experiments.statistics.pairs import holm, wilcoxon


def hypervolume(points: Any) -> float:
    """Share of the square up to a loss and risk of 100 that points dominate."""
    return float(moocore.hypervolume(points, ref=[100.0, 100.0])) / 10_000


def p_values(runs: pd.DataFrame, column: str, ours: str) -> dict[str, str]:
    """Wilcoxon's p of each other search against ours, corrected by Holm.

    Parameters
    ----------
    runs : DataFrame
        A row for each search and seed: ``search``, ``seed`` and the column.
    """
    values = runs.pivot(index="seed", columns="search", values=column)
    others = [search for search in runs["search"].unique() if search != ours]
    tests = [wilcoxon(values[ours], values[search]).p_value for search in others]
    return {search: f"{p_value:.1e}" for search, p_value in zip(others, holm(tests), strict=True)}
