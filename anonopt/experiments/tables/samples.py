"""Values of an indicator that can be compared: one a run, and what had to be decided for it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonopt._checks import check_choice, check_integer
from anonopt._typing import FloatArray
from anonopt.experiments.performance.anytime import (
    check_indicator,
    indicator_frame,
    references_of,
)
from anonopt.experiments.performance.choice import FAILED, chosen_runs
from anonopt.experiments.performance.curves import quartiles
from anonopt.experiments.performance.quality import INDICATORS
from anonopt.experiments.statistics.ranks import ranks
from anonopt.experiments.store.runs import StoredRuns, ended_well
from anonopt.experiments.tables.notes import (
    notes_on_failures,
    notes_on_fixed,
    notes_on_numbers,
    notes_on_unmeasured,
    notes_on_values,
)


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
    fixed : frozenset of (problem, algorithm)
        Where nothing is drawn at random: the one value is no sample of others.
    """

    indicator: str
    maximize: bool
    values: pd.DataFrame
    problems: list[str]
    algorithms: list[str]
    notes: tuple[str, ...]
    fixed: frozenset[tuple[str, str]] = frozenset()

    def of(self, problem: str, algorithm: str) -> FloatArray:
        """Values of an algorithm on a problem, by seed."""
        return self._of_cells.get((problem, algorithm), np.empty(0)).copy()

    @cached_property
    def _of_cells(self) -> dict[tuple[str, str], FloatArray]:
        # Tests of all pairs ask for each cell many times.
        cells = self.values.groupby(["problem", "algorithm"], sort=False)["value"]
        return {
            (str(problem), str(algorithm)): part.to_numpy(dtype=np.float64)
            for (problem, algorithm), part in cells
        }

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
    failed: str = "worst",
    **choice: Any,
) -> Samples:
    """Values of an indicator, one a run.

    Parameters
    ----------
    runs : Runs
    indicator : str
    evaluations : int, optional
        Distinct evaluations after which runs are measured; by default at their ends.
    failed : {"worst", "left out"}
        Runs that failed, or were out of time or memory, count as having found nothing, or not at
        all.
    **choice
        ``budget``, ``problems`` and ``algorithms`` of
        :func:`~anonopt.experiments.performance.choice.chosen_runs`.

    Returns
    -------
    Samples

    Raises
    ------
    ValueError
        If the indicator or a name is unknown, an argument is out of its range, or no run can be
        measured.
    """
    chosen = INDICATORS[check_indicator(indicator)]
    if evaluations is not None:
        check_integer("evaluations", evaluations, least=1)
    check_choice("failed", failed, FAILED)
    table = chosen_runs(runs, **choice)
    last = max(1, int(table["n_unique"].max()))
    found = indicator_frame(runs, budgets=[evaluations or last], indicators=[indicator], of=table)
    values = found[["problem", "algorithm", "seed"]].assign(value=found[indicator])
    bad = table[~ended_well(table)]
    if failed == "worst" and len(bad):
        worst = bad[["problem", "algorithm", "seed"]].assign(value=chosen.nothing)
        values = pd.concat([values, worst], ignore_index=True)
    known = references_of(runs)
    values = values[values["problem"].isin(known)].reset_index(drop=True)
    if len(values) == 0:
        raise ValueError("runs: expected at least one that can be measured, found none")
    values, fixed = one_each(values, runs.deterministic)
    unmeasured = [name for name in _names(table["problem"]) if name not in known]
    problems = [name for name in _names(table["problem"]) if name in set(values["problem"])]
    algorithms = _names(table["algorithm"])
    notes = (
        *notes_on_failures(bad, failed),
        *notes_on_unmeasured(unmeasured),
        *notes_on_numbers(values, problems, algorithms, fixed),
        *notes_on_fixed(fixed),
        *notes_on_values(values),
    )
    return Samples(indicator, chosen.maximize, values, problems, algorithms, notes, fixed)


def one_each(
    values: pd.DataFrame, deterministic: Collection[str]
) -> tuple[pd.DataFrame, frozenset[tuple[str, str]]]:
    """Keep one run of each algorithm that draws nothing at random: others repeat it.

    Parameters
    ----------
    values : DataFrame
        ``problem``, ``algorithm``, ``seed``, ``value``.
    deterministic : collection of str
        Algorithms. Where their values differ all the same, as those of runs that are bounded by
        seconds can, all are kept.

    Returns
    -------
    values : DataFrame
    fixed : frozenset of (problem, algorithm)
    """
    cell = ["problem", "algorithm"]
    is_fixed = values["algorithm"].isin(list(deterministic)) & (
        values.groupby(cell)["value"].transform("nunique") == 1
    )
    kept = values[~(is_fixed & values.duplicated(cell))].reset_index(drop=True)
    return kept, frozenset(values.loc[is_fixed, cell].itertuples(index=False, name=None))


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
    medians = of.complete()
    if len(medians) == 0:
        raise ValueError(
            "problems: expected one on which all algorithms have runs "
            f"({', '.join(of.algorithms)}), found none; choose some with algorithms="
        )
    table = ranks(medians, maximize=of.maximize)
    return pd.concat([table, table.mean().to_frame("mean").T.rename_axis("problem")])


def _names(column: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(column))
