"""Values of an indicator that can be compared: one a run, and what had to be decided for it."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonopt._checks import check_choice, check_integer
from anonopt._typing import FloatArray
from anonopt.experiments.progress.anytime import check_indicator, indicator_frame
from anonopt.experiments.progress.curves import quartiles
from anonopt.experiments.progress.quality import INDICATORS
from anonopt.experiments.statistics.ranks import ranks
from anonopt.experiments.store.runs import StoredRuns, ended_well

FAILED = ("worst", "left out")
"""What runs that failed count as."""


@dataclass(frozen=True)
class Samples:
    """Values of an indicator, one a run.

    Attributes
    ----------
    indicator : str
    maximize : bool
        Whether more is better.
    values : DataFrame
        ``problem``, ``algorithm``, ``seed``, ``value``.
    problems, algorithms : list of str
        In the order of the experiment; of the problems those that have values.
    notes : tuple of str
        What was decided, and what is missing: sentences.
    """

    indicator: str
    maximize: bool
    values: pd.DataFrame
    problems: list[str]
    algorithms: list[str]
    notes: tuple[str, ...]

    def of(self, problem: str, algorithm: str) -> FloatArray:
        """Values of an algorithm on a problem, by seed."""
        table = self.values
        rows = (table["problem"] == problem) & (table["algorithm"] == algorithm)
        return table.loc[rows, "value"].to_numpy(dtype=np.float64)

    def medians(self) -> pd.DataFrame:
        """Medians over seeds, a row a problem and a column an algorithm; NaN without a run."""
        return self._table(1)

    def ranges(self) -> pd.DataFrame:
        """Interquartile ranges over seeds, as :meth:`medians`."""
        lower, upper = self._table(0), self._table(2)
        # Where both quartiles are infinite there is no range.
        return upper - lower.where(np.isfinite(lower))

    def complete(self) -> pd.DataFrame:
        """Medians of the problems on which every algorithm has a run."""
        return self.medians().dropna()

    def _table(self, which: int) -> pd.DataFrame:
        cells = {
            algorithm: [
                quartiles(sample)[which] if len(sample := self.of(problem, algorithm)) else np.nan
                for problem in self.problems
            ]
            for algorithm in self.algorithms
        }
        return pd.DataFrame(cells, index=pd.Index(self.problems, name="problem"))


def samples(
    runs: StoredRuns,
    indicator: str = "hypervolume",
    *,
    evaluations: int | None = None,
    budget: str | None = None,
    failed: str = "worst",
) -> Samples:
    """Values of an indicator, one a run.

    Parameters
    ----------
    runs : Runs
    indicator : str
    evaluations : int, optional
        Distinct evaluations after which runs are measured; by default at their ends.
    budget : str, optional
        Of the runs, as ``runs.frame`` names it, if there are several.
    failed : {"worst", "left out"}
        Runs that failed, or were out of time or memory, count as having found nothing, or not at
        all.

    Returns
    -------
    Samples

    Raises
    ------
    ValueError
        If the indicator or the budget is unknown, an argument is out of its range, or no run can
        be measured.
    """
    chosen = INDICATORS[check_indicator(indicator)]
    check_choice("failed", failed, FAILED)
    if evaluations is not None:
        check_integer("evaluations", evaluations, least=1)
    table = runs.of_budget(budget)
    last = max(1, int(table["n_unique"].max())) if len(table) else 1
    found = indicator_frame(runs, budgets=[evaluations or last], indicators=[indicator], of=table)
    values = found[["problem", "algorithm", "seed"]].assign(value=found[indicator])
    bad = table[~ended_well(table)]
    notes = _notes_on_failures(bad, failed)
    if failed == "worst" and len(bad):
        worst = bad[["problem", "algorithm", "seed"]].assign(value=chosen.nothing)
        values = pd.concat([values, worst], ignore_index=True)
    order = _names(table["problem"])
    measured = [name for name in order if name in runs.problems and _is_measured(runs, name)]
    lost = [name for name in order if name not in measured]
    if lost:
        notes.append(f"Left out, as nothing feasible is known of them: {', '.join(lost)}.")
    values = values[values["problem"].isin(measured)].reset_index(drop=True)
    if len(values) == 0:
        raise ValueError("runs: expected at least one that can be measured, found none")
    algorithms = _names(table["algorithm"])
    problems = [name for name in measured if name in set(values["problem"])]
    notes += _notes_on_numbers(values, problems, algorithms)
    n_nothing = int(np.isinf(values["value"]).sum())
    if n_nothing:
        notes.append(
            f"{n_nothing} of {len(values)} values are infinite, as nothing feasible was found; "
            "tests count them as far worse than all others, and means of them are infinite."
        )
    return Samples(indicator, chosen.maximize, values, problems, algorithms, tuple(notes))


def rank_frame(of: Samples) -> pd.DataFrame:
    """Ranks of the algorithms on each problem by their medians, and their mean.

    Parameters
    ----------
    of : Samples

    Returns
    -------
    DataFrame (n_problems + 1, n_algorithms)
        1 is the best, equal ones share the mean of theirs; the last row is ``mean``. Problems on
        which an algorithm has no run are left out.

    Raises
    ------
    ValueError
        If there is one algorithm alone, or no problem on which all have runs.
    """
    table = ranks(of.complete(), maximize=of.maximize)
    return pd.concat([table, table.mean().to_frame("mean").T.rename_axis("problem")])


def _is_measured(runs: StoredRuns, problem: str) -> bool:
    return runs.problems[problem].reference_front is not None


def _names(column: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(column))


def _notes_on_failures(bad: pd.DataFrame, failed: str) -> list[str]:
    if len(bad) == 0:
        return []
    counts = Counter(zip(bad["algorithm"], bad["problem"], strict=True))
    where = ", ".join(f"{n} of {one} on {problem}" for (one, problem), n in counts.items())
    fate = "they count as having found nothing" if failed == "worst" else "they are left out"
    return [f"Runs that did not end well: {where}; {fate}."]


def _notes_on_numbers(
    values: pd.DataFrame, problems: list[str], algorithms: list[str]
) -> list[str]:
    counts = Counter(zip(values["problem"], values["algorithm"], strict=True))
    numbers = {key: counts[key] for key in itertools.product(problems, algorithms)}
    most = max(numbers.values())
    few = [
        f"{algorithm} on {problem} {n}" for (problem, algorithm), n in numbers.items() if n < most
    ]
    notes = [f"Runs of each algorithm on each problem: {most}."]
    if few:
        notes = [f"Runs of each algorithm on each problem: {most}, but {', '.join(few)}."]
    lost = [p for p in problems if any(numbers[p, algorithm] == 0 for algorithm in algorithms)]
    if lost:
        notes.append(
            "Not in ranks and tests over problems, as an algorithm has no run there: "
            f"{', '.join(lost)}."
        )
    return notes
