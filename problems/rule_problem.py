"""Problems of generalizing one table under a suppression rule: of nodes, and of local recodings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy.typing as npt
import pandas as pd

from anonopt._typing import AnyArray, BoolArray, RandomState
from anonopt.data import Microdata
from anonopt.evaluation.lattice.table_evaluator import TableEvaluator
from anonopt.measures import MEASURES, Measure
from anonopt.problems.measured import Columns, MeasuredProblem, describe

SUPPRESSION = "suppression"
"""Constraint that the fixed-k rule brings along."""


class RuleProblem(MeasuredProblem):
    """Base of the problems whose genomes generalize a table under one suppression rule.

    Subclasses set `table` and `evaluator` before they call the constructor, which is that of
    `MeasuredProblem`, and say how a genome is applied.

    Attributes
    ----------
    table : Microdata
    evaluator : TableEvaluator
    """

    table: Microdata
    evaluator: TableEvaluator[Any]

    @abstractmethod
    def _applied(self, x: AnyArray) -> tuple[pd.DataFrame, BoolArray]:
        """Protected table of a genome, and the mask of its suppressed rows."""

    def _further_measures(self) -> Sequence[Measure]:
        return () if self.evaluator.rule.k is None else (MEASURES["suppressed"],)

    def _further_violations(self, columns: Columns) -> Sequence[AnyArray]:
        rule = self.evaluator.rule
        if rule.k is None:
            return ()
        return [(columns["suppressed"] - rule.budget) / self.table.n_rows]

    def suppressed_rows(self, x: npt.ArrayLike) -> BoolArray:
        """Mask of the rows that :meth:`protect` suppresses, (n_rows,).

        Only it tells them from rows that are generalized to the top in every column.

        Parameters
        ----------
        x : array (n_var,)
            A genome, such as a row of ``result.X``.
        """
        return self._applied(self.space.checked_one(x))[1]

    def _protected(self, x: AnyArray, random_state: RandomState) -> pd.DataFrame:
        return self._applied(x)[0]

    def _facts(self) -> dict[str, object]:
        rule = self.evaluator.rule
        k = "the largest that the budget allows" if rule.k is None else rule.k
        bounds = ", ".join(map(repr, rule.bounds)) or None
        facts = {"rows": self.table.n_rows, "rows that may be suppressed": rule.budget}
        return {**facts, "k": k, "class bounds": bounds}

    def _data(self) -> str:
        rule = self.evaluator.rule
        content: list[Any] = [self.table.fingerprint, rule.budget, rule.k, self.evaluator.weights]
        if rule.bounds:
            content.append(sorted((describe(bound.measure), bound.worst) for bound in rule.bounds))
        return repr(content)
