"""Who wins where on a suite: groups of instances, winners, mean ranks with intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from anonopt.experiments.performance.quality import INDICATORS
from anonopt.experiments.statistics.intervals import bootstrap_interval
from anonopt.experiments.store.runs import ended_well
from anonopt.experiments.suites.results_of_suite import SuiteResults
from anonopt.experiments.tables.notes import notes_on_failures, notes_on_fixed
from anonopt.experiments.tables.samples import Samples, one_each, rank_frame
from anonopt.experiments.tables.significance import interval_frame
from anonopt.experiments.tables.summary import ALIKE, Summary, summary

INDICATOR = "hypervolume"


class Group(NamedTuple):
    """Instances of a family, of one objective or of several.

    Attributes
    ----------
    title : str
    of : Samples
        All algorithms that have runs on any of the instances.
    """

    title: str
    of: Samples

    @property
    def ranked(self) -> Samples:
        """Those of the algorithms that have runs on every instance, so that ranks can be taken."""
        medians = self.of.medians()
        names = [name for name in self.of.algorithms if medians[name].notna().all()]
        values = self.of.values
        return replace(
            self.of, values=values[values["algorithm"].isin(names)], algorithms=names, notes=()
        )


def groups_of(results: SuiteResults, indicator: str = INDICATOR) -> Iterator[Group]:
    """Instances that are told together, in their order.

    Parameters
    ----------
    results : SuiteResults
    indicator : str
        One of those that results have.
    """
    values, fixed = one_each(results.values(indicator), results.deterministic)
    table = results.instances[results.instances["name"].isin(values["problem"])]
    is_one = ~table["objectives"].str.contains(", ")
    for (family, one), rows in table.groupby(["family", is_one], sort=False):
        problems = rows["name"].tolist()
        part = values[values["problem"].isin(problems)].reset_index(drop=True)
        algorithms = list(dict.fromkeys(part["algorithm"]))
        here = frozenset(cell for cell in fixed if cell[0] in problems)
        kind = "one objective" if one else "two objectives or more"
        notes = (*_failures(results, problems), *notes_on_fixed(here))
        yield Group(
            f"{family}, {kind}",
            Samples(
                indicator,
                INDICATORS[indicator].maximize,
                part,
                problems,
                algorithms,
                (*notes, *_missing(results, problems, algorithms)),
                here,
            ),
        )


def _failures(results: SuiteResults, problems: list[str]) -> list[str]:
    runs = results.runs
    bad = runs[~ended_well(runs) & runs["problem"].isin(problems)]
    return notes_on_failures(bad, "worst")


def _missing(results: SuiteResults, problems: list[str], algorithms: list[str]) -> list[str]:
    """Why cells of a group's table are empty."""
    rows = results.left_out
    rows = rows[rows["problem"].isin(problems) & rows["algorithm"].isin(algorithms)]
    reasons = [
        f"{algorithm} on {', '.join(part['problem'])}: {reason}"
        for (algorithm, reason), part in rows.groupby(["algorithm", "reason"], sort=False)
    ]
    return [f"Not run, and not ranked: {'; '.join(reasons)}."] if reasons else []


def winners(results: SuiteResults, *, alpha: float = 0.05) -> pd.DataFrame:
    """Who wins where.

    Parameters
    ----------
    results : SuiteResults
    alpha : float
        Level of the tests; 1 less that of the interval.

    Returns
    -------
    DataFrame
        One row an instance that has runs: ``instance``, ``best`` (algorithms of the best median),
        ``median``, ``low`` and ``high`` (of the first of them; bootstrap interval of its median),
        ``not told apart`` (from the first of them, by the tests of
        :func:`~anonopt.experiments.tables.pairwise.compared` with Holm within the instance) and
        ``worse``.
    """
    rows = []
    for _, of in groups_of(results):
        table = summary(of, alpha=alpha)
        known = interval_frame(of, alpha, np.random.default_rng(0))
        shown = {
            (problem, algorithm): values
            for problem, algorithm, *values in known[
                ["problem", "algorithm", "median", "low", "high"]
            ].itertuples(index=False)
        }
        for problem in of.problems:
            best, alike, worse = _sorted_by_tests(problem, table)
            # Where no run found anything there is no best.
            values = shown[problem, best[0]] if best else [math.nan] * 3
            rows.append((problem, _joined(best), *values, _joined(alike), _joined(worse)))
    columns = ["instance", "best", "median", "low", "high", "not told apart", "worse"]
    order = {name: place for place, name in enumerate(results.instances["name"])}
    frame = pd.DataFrame(rows, columns=columns)
    return frame.sort_values("instance", key=lambda names: names.map(order), ignore_index=True)


def standings(results: SuiteResults, *, alpha: float = 0.05) -> pd.DataFrame:
    """How algorithms stand in each group of instances.

    Parameters
    ----------
    results : SuiteResults
    alpha : float
        As of :func:`winners`.

    Returns
    -------
    DataFrame
        One row a group and an algorithm, the least mean rank first: ``group``, ``algorithm``,
        ``instances`` (on which it ran), ``mean rank`` (by the medians, among the algorithms that
        ran on every instance of the group; NaN of others), ``low`` and ``high`` (bootstrap interval
        over the instances; NaN of fewer than two), ``best``, ``not told apart`` and ``worse``
        (numbers of instances).
    """
    parts = []
    for group in groups_of(results):
        table = summary(group.of, alpha=alpha)
        sorted_by = [_sorted_by_tests(problem, table) for problem in group.of.problems]
        ranks = _rank_intervals(group.ranked, alpha)
        rows = []
        for name in group.of.algorithms:
            counts = [sum(name in names[place] for names in sorted_by) for place in range(3)]
            rank = ranks.get(name, (math.nan,) * 3)
            rows.append((group.title, name, sum(counts), *rank, *counts))
        columns = ["group", "algorithm", "instances", "mean rank", "low", "high"]
        frame = pd.DataFrame(rows, columns=[*columns, "best", "not told apart", "worse"])
        parts.append(frame.sort_values("mean rank", kind="stable"))
    return pd.concat(parts, ignore_index=True)


def _rank_intervals(of: Samples, alpha: float) -> dict[str, tuple[float, float, float]]:
    """Mean rank of each algorithm and its interval."""
    if len(of.algorithms) < 2:
        return {}
    table = rank_frame(of).iloc[:-1]
    rng = np.random.default_rng(0)
    found = {}
    for name in of.algorithms:
        values = table[name].to_numpy()
        interval = (math.nan, math.nan)
        if len(values) > 1:
            interval = bootstrap_interval(
                values, statistic=np.mean, level=1 - alpha, random_state=rng
            )
        found[name] = (float(values.mean()), *interval)
    return found


def _sorted_by_tests(problem: str, table: Summary) -> tuple[list[str], list[str], list[str]]:
    """Algorithms with the best median, those that tests do not tell from it, and those worse."""
    cells = {name: table.cells[problem, name] for name in table.of.algorithms}
    ran = {name: cell for name, cell in cells.items() if not math.isnan(cell.median)}
    best = [name for name, cell in ran.items() if cell.is_best]
    others = [name for name in ran if name not in best]
    alike = [name for name in others if ran[name].mark in ("", ALIKE)]
    return best, alike, [name for name in others if name not in alike]


def _joined(names: list[str]) -> str:
    return ", ".join(names) or "none"
