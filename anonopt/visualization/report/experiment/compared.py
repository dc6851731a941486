"""What a report of an experiment is about: its runs of one budget, and how they are measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from anonopt._checks import check_list
from anonopt._typing import FloatArray
from anonopt.experiments.performance.anytime import check_indicator, references_of
from anonopt.experiments.performance.references import Reference
from anonopt.experiments.runs import Runs
from anonopt.experiments.store.contents import ProblemFacts
from anonopt.experiments.store.runs import ended_well
from anonopt.experiments.tables.samples import Samples
from anonopt.visualization.report import plots
from anonopt.visualization.report.parts import Entry
from anonopt.visualization.report.solutions.detail import shortened


@dataclass(frozen=True)
class Compared:
    """Runs of one budget, and how they are measured.

    Attributes
    ----------
    runs : Runs
    budget : str or None
        Of the runs that are compared, as ``runs.frame`` names it; None if there is one.
    indicator : str
        Of tables and tests.
    indicators : tuple of str
        Of curves; the first is `indicator`.
    """

    runs: Runs
    budget: str | None
    indicator: str
    indicators: tuple[str, ...]

    @cached_property
    def frame(self) -> pd.DataFrame:
        """Runs that are compared, as in ``runs.frame``."""
        return self.runs.of_budget(self.budget)

    @cached_property
    def done(self) -> pd.DataFrame:
        """Those that ended well."""
        return self.frame[ended_well(self.frame)]

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """How each algorithm is drawn; the same in all figures, and in other pictures."""
        return {name: plots.series(name, i) for i, name in enumerate(self.runs.algorithms)}

    @cached_property
    def references(self) -> dict[str, Reference]:
        """What is measured against, of the problems of which something feasible is known."""
        return references_of(self.runs)

    @cached_property
    def samples(self) -> Samples | None:
        """Values of the indicator, one a run; None if no run can be measured."""
        try:
            return self.runs.samples(self.indicator, budget=self.budget)
        except ValueError:
            return None

    @property
    def problems(self) -> list[str]:
        """Names of the problems of the runs, in their order."""
        return list(dict.fromkeys(self.frame["problem"]))

    @property
    def algorithms(self) -> list[str]:
        """Names of the algorithms of the runs, in their order."""
        return list(dict.fromkeys(self.frame["algorithm"]))

    def finished(self, problem: str) -> list[str]:
        """Algorithms of which a run on a problem ended well."""
        return list(dict.fromkeys(self.done.loc[self.done["problem"] == problem, "algorithm"]))


def compared(
    runs: Runs, *, indicator: str, indicators: Sequence[str] | None, budget: str | None
) -> Compared:
    """Choose what a report is about.

    Raises
    ------
    ValueError
        If an indicator or the budget is unknown.
    """
    check_indicator(indicator)
    others = [] if indicators is None else check_list("indicators", indicators, "names")
    shown = dict.fromkeys([indicator, *(check_indicator(name) for name in others)])
    if budget is None:
        each = runs.frame.groupby(["problem", "algorithm"])["budget"].nunique()
        if (each > 1).any():
            # From small to large: the last of the longest list.
            budget = str(runs.frame["budget"].iloc[-1])
    runs.of_budget(budget)
    return Compared(runs, budget, indicator, tuple(shown))


def minimized(values: FloatArray, facts: ProblemFacts) -> FloatArray:
    """Minimized objectives (..., n_obj) of those in natural units."""
    return np.asarray(np.where(facts.maximize, -values, values))


def names_text(names: Sequence[str], *, most: int = 6) -> str:
    """Names in a sentence, long ones cut.

    Examples
    --------
    >>> names_text(["a", "b", "c"]), names_text(list("abcdefgh"), most=2)
    ('a, b and c', 'a, b and 6 more')
    """
    names = [shortened(name) for name in names]
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else list(names))


def count_text(number: int, noun: str) -> str:
    """A number and its noun.

    Examples
    --------
    >>> count_text(1, "run"), count_text(1200, "run")
    ('1 run', '1,200 runs')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
