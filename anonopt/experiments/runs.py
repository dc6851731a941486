"""The runs of an experiment: what its file holds, and what is made of it in one call."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pymoo.core.problem import Problem
from pymoo.core.result import Result as PymooResult

from anonopt._checks import check_list
from anonopt.experiments.exports.folder import export
from anonopt.experiments.exports.pymoo_result import pymoo_result
from anonopt.experiments.performance.anytime import indicator_frame
from anonopt.experiments.performance.choice import CHOICE, check_options
from anonopt.experiments.performance.curves import curve_frame
from anonopt.experiments.performance.references import OF_ALL_RUNS, joint_reference
from anonopt.experiments.performance.targets import target_frame
from anonopt.experiments.store.contents import ProblemFacts
from anonopt.experiments.store.runs import StoredRuns
from anonopt.experiments.tables.samples import Samples, rank_frame, samples
from anonopt.experiments.tables.significance import Significance, significance
from anonopt.experiments.tables.summary import Summary, summary


class Runs(StoredRuns):
    """The runs of an experiment, as its file holds them now.

    Parameters
    ----------
    path : path
        Read only; a running experiment may go on writing it.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is none of an experiment.
    """

    @cached_property
    def problems(self) -> dict[str, ProblemFacts]:
        """What the file says of each problem, by name.

        Where the exact front is not known, or not yet, runs are measured against what all of them
        found so far: an experiment that goes on, or was killed, can be looked at like any other.
        """
        return {name: self._with_reference(facts) for name, facts in super().problems.items()}

    def _with_reference(self, facts: ProblemFacts) -> ProblemFacts:
        if facts.reference_source not in (None, OF_ALL_RUNS):
            return facts
        reference = joint_reference(self.fronts(facts.name))
        if reference is None:
            return facts
        return replace(
            facts,
            reference_front=reference.front,
            reference_point=reference.point,
            reference_source=reference.source,
        )

    def indicators(
        self,
        *,
        budgets: Iterable[int],
        indicators: Iterable[str] = ("hypervolume",),
    ) -> pd.DataFrame:
        """Indicators of each run after numbers of distinct evaluations.

        As :func:`~anonopt.experiments.performance.anytime.indicator_frame`; `budgets` are those
        numbers.
        """
        return indicator_frame(
            self,
            budgets=check_list("budgets", budgets, "whole numbers"),
            indicators=check_list("indicators", indicators, "names"),
        )

    def curves(
        self,
        indicator: str = "hypervolume",
        *,
        budgets: Iterable[int] | None = None,
        **choice: Any,
    ) -> pd.DataFrame:
        """Median and quartiles of an indicator over the evaluations.

        As :func:`~anonopt.experiments.performance.curves.curve_frame`: `budgets` are numbers of
        distinct evaluations. Its other options are ``budget`` (of the runs, if there are
        several), ``problems``, ``algorithms``, ``failed``.
        """
        check_options("curves", choice, CHOICE)
        if budgets is not None:
            budgets = check_list("budgets", budgets, "whole numbers")
        return curve_frame(self, indicator, budgets=budgets, **choice)

    def targets(
        self,
        indicator: str = "hypervolume",
        *,
        targets: Iterable[float] | None = None,
        **choice: Any,
    ) -> pd.DataFrame:
        """Runs that reach targets, and their expected running time.

        As :func:`~anonopt.experiments.performance.targets.target_frame`, with its options
        ``budget``, ``problems``, ``algorithms``, ``failed``.
        """
        check_options("targets", choice, CHOICE)
        if targets is not None:
            targets = check_list("targets", targets, "numbers")
        return target_frame(self, indicator, targets=targets, **choice)

    def samples(self, indicator: str = "hypervolume", **options: Any) -> Samples:
        """Values of an indicator, one a run, with notes on what had to be decided.

        Options as :func:`~anonopt.experiments.tables.samples.samples`: ``evaluations``,
        ``budget``, ``problems``, ``algorithms``, ``failed``.
        """
        check_options("options", options, ("evaluations", *CHOICE))
        return samples(self, indicator, **options)

    def ranks(self, indicator: str = "hypervolume", **options: Any) -> pd.DataFrame:
        """Ranks of the algorithms on each problem, and their mean.

        As :func:`~anonopt.experiments.tables.samples.rank_frame`; options as :meth:`samples`.
        """
        return rank_frame(self.samples(indicator, **options))

    def tests(
        self,
        indicator: str = "hypervolume",
        *,
        alpha: float = 0.05,
        rope: float = 0.01,
        random_state: int | np.random.Generator = 0,
        **options: Any,
    ) -> Significance:
        """All tests of the comparison in one report.

        As :func:`~anonopt.experiments.tables.significance.significance`; options as
        :meth:`samples`.
        """
        return significance(
            self.samples(indicator, **options), alpha=alpha, rope=rope, random_state=random_state
        )

    def summary(
        self,
        indicator: str = "hypervolume",
        *,
        alpha: float = 0.05,
        control: str | None = None,
        **options: Any,
    ) -> Summary:
        """Medians and ranges, the best and what is significant, as papers print them.

        As :func:`~anonopt.experiments.tables.summary.summary`; options as :meth:`samples`.
        """
        return summary(self.samples(indicator, **options), alpha=alpha, control=control)

    def to_latex(
        self,
        indicator: str = "hypervolume",
        *,
        digits: int = 4,
        caption: str | None = None,
        label: str | None = None,
        columns: int | None = None,
        **options: Any,
    ) -> str:
        """Table of :meth:`summary`, whose options it takes, for LaTeX with booktabs.

        As :meth:`~anonopt.experiments.tables.summary.Summary.to_latex`.

        Raises
        ------
        TypeError
            If `caption` or `label` is no text.
        ValueError
            If an argument is out of its range, or as :meth:`samples`.
        """
        for name, text in (("caption", caption), ("label", label)):
            if text is not None and not isinstance(text, str):
                raise TypeError(f"{name}: expected a text, found {text!r}")
        table = self.summary(indicator, **options)
        return table.to_latex(digits=digits, caption=caption, label=label, columns=columns)

    def to_markdown(
        self, indicator: str = "hypervolume", *, digits: int = 4, **options: Any
    ) -> str:
        """Table of :meth:`summary`, whose options it takes, in Markdown."""
        return self.summary(indicator, **options).to_markdown(digits=digits)

    def export(
        self, folder: str | PathLike[str], *, format: str = "parquet", force: bool = False
    ) -> list[Path]:
        """Write the runs for other tools, see :func:`anonopt.experiments.exports.folder.export`.

        Parameters
        ----------
        folder : path
        format : str
            ``"parquet"``, ``"csv"``, ``"iohinspector"`` or ``"moocore"``.
        force : bool
            Whether files of the folder are replaced.

        Returns
        -------
        list of Path
            Files that were written.
        """
        return export(self, folder, format=format, force=force)

    def to_pymoo(self, run: int, *, problem: Problem | None = None) -> PymooResult:
        """Result of a run as pymoo's ``minimize`` hands it back.

        Parameters
        ----------
        run : int
            Its number, of the index of ``frame``.
        problem : pymoo Problem, optional

        Returns
        -------
        pymoo.core.result.Result
            See :func:`anonopt.experiments.exports.pymoo_result.pymoo_result`.
        """
        return pymoo_result(self, run, problem=problem)


def load(path: str | PathLike[str]) -> Runs:
    """Read the file of an experiment.

    Parameters
    ----------
    path : path

    Returns
    -------
    Runs

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is none of an experiment.
    """
    return Runs(path)
