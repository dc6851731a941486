"""Problems of generalizing one table under a suppression rule: of nodes, and of local recodings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from os import PathLike
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

    def protect(
        self,
        x: npt.ArrayLike,
        *,
        random_state: RandomState = None,
        to: str | PathLike[str] | None = None,
        flag: str | None = None,
    ) -> Any:
        """Protected table that a genome stands for, with the problem's own rules.

        Parameters
        ----------
        x : array (n_var,)
            A genome, such as a row of ``result.X``.
        random_state : int or numpy Generator, optional
            Not used: nothing is left to chance.
        to : path, optional
            Parquet or CSV file that the rows are written to, in place of being returned: see
            :meth:`anonopt.Microdata.apply`.
        flag : str, optional
            With `to`, name of a column that is added and says which rows are suppressed.

        Returns
        -------
        DataFrame, or Series
            The protected table; with `to` the report of what was written.

        Raises
        ------
        ValueError
            If it is no genome of the space or an infeasible one, or `to` is given to a problem of
            local recodings; or, with `to`, as :meth:`anonopt.Microdata.apply`.
        """
        if to is None:
            if flag is not None:
                raise ValueError("flag: expected with to=, found it alone")
            return super().protect(x, random_state=random_state)
        return self._written(self._feasible(x), to, flag)

    def _protected(self, x: AnyArray, random_state: RandomState) -> pd.DataFrame:
        return self._applied(x)[0]

    def _written(self, x: AnyArray, to: str | PathLike[str], flag: str | None) -> pd.Series[Any]:
        """Write the protected table of a genome; the report."""
        found = type(self).__name__
        raise ValueError(f"to: expected with a problem of lattice nodes, found {found}")

    @property
    def _rule_options(self) -> dict[str, Any]:
        """The rule as `Microdata.apply` takes it."""
        rule = self.evaluator.rule
        bounds = {bound.measure: bound.worst for bound in rule.bounds}
        return {"k": rule.k, "suppression": rule.budget, "class_bounds": bounds}

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
