"""What the tables that compare searches share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import moocore
import pandas as pd

from anonopt.experiments.statistics.pairs import holm, wilcoxon

SEEDS = range(20)
FRONT = ["IL", "DR"]


def hypervolume(points: Any) -> float:
    """Share of the square up to a loss and risk of 100 that points dominate."""
    return float(moocore.hypervolume(points, ref=[100.0, 100.0])) / 10_000


def value_of(F: Any) -> float:
    """Hypervolume of loss and risk, or the least score."""
    return hypervolume(F) if F.shape[1] == len(FRONT) else float(F.min())


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


def table(runs: pd.DataFrame, searches: Mapping[str, list[str]], *, counts: list[str]) -> str:
    """Medians, and in each problem tests against its first search, which is ours.

    Parameters
    ----------
    runs : DataFrame
        A row for each run: ``problem``, ``search``, ``seed``, ``value``, ``seconds`` and counts.
    searches : mapping of problem to list of str
    counts : list of str
        Columns whose medians are whole numbers.
    """
    head = ["problem", "search", *counts, "median", "least", "most", "p", "seconds"]
    lines = [" | ".join(head), " | ".join(["---"] * len(head))]
    for name, of_problem in runs.groupby("problem", sort=False):
        ours, *_ = names = searches[str(name)]
        tests = p_values(of_problem, "value", ours)
        # Hypervolumes are shares, scores go up to 100.
        digits = 4 if of_problem["value"].max() <= 1 else 2
        for search in names:
            its = of_problem[of_problem["search"] == search]
            values = its["value"]
            cells = [
                str(name),
                search,
                *(f"{its[count].median():.0f}" for count in counts),
                *(f"{one:.{digits}f}" for one in (values.median(), values.min(), values.max())),
                tests.get(search, ""),
                f"{its['seconds'].median():.1f}",
            ]
            lines.append(" | ".join(cells))
    return "\n".join(f"| {line} |" for line in lines)


def all_runs(
    searches: Mapping[str, list[str]],
    runs_of: Callable[[str, int, set[Any]], Iterator[dict[str, Any]]],
) -> pd.DataFrame:
    """Runs of the file that the command names, after those that it does not hold.

    Parameters
    ----------
    searches : mapping of problem to list of str
        All problems there are; the command may name some of them after the file.
    runs_of : function of a problem, a seed, and the (problem, search, seed) that are done
        Yields the rows of the others.
    """
    kept = Path(sys.argv[1])
    rows = pd.read_csv(kept).to_dict("records") if kept.exists() else []
    done = {(row["problem"], row["search"], row["seed"]) for row in rows}
    for name in sys.argv[2:] or searches:
        for seed in SEEDS:
            rows += list(runs_of(name, seed, done))
            pd.DataFrame(rows).to_csv(kept, index=False)
    return pd.DataFrame(rows)
