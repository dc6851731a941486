"""Methods that build a local recoding step by step, and look at no objective."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Hashable, Mapping
from typing import Any

import numpy as np
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt._checks import check_choice, check_integer
from anonopt.algorithms.base import Search
from anonopt.data import Microdata
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.local_recoding.group_rule import GroupRule
from anonopt.local_recoding.leaf_labels import LABELS, Labels, leaf_labels
from anonopt.problems.local_recoding import LocalRecodingProblem


class ConstructiveRecoding(Search):
    """Base class: builds one recoding for a k, hands it out, and ends.

    Where the problem has a range of k, it builds one for each of some of them, the smallest first.
    Objectives, weights and constraints besides those of classes have no influence on what is
    built; the problem evaluates it.

    Subclasses implement ``_groups``.

    Parameters
    ----------
    n_k : int
        Most values of k for which a recoding is built where the problem has a range of k, at least
        1: the whole numbers nearest to equal steps of their logarithm.
    termination : pymoo Termination or tuple, optional
        A rule that may end the search early.
    """

    ends_by_itself = True

    def __init__(self, *, n_k: int = 10, **options: Any) -> None:
        super().__init__(**options)
        self.n_k = check_integer("n_k", n_k, least=1)
        self._n_built = 0
        self._built = Population()

    @abstractmethod
    def _groups(
        self, table: Microdata, k: int, bounds: Mapping[Any, float], budget: int
    ) -> RecodedGroups:
        """Build a recoding.

        Parameters
        ----------
        table : Microdata
        k : int
        bounds : mapping of Measure to float
            Those of classes.
        budget : int
            Rows that may be suppressed.
        """

    def particular_refusal(self, problem: Problem) -> str | None:
        """Why it does not take a problem of groups."""
        if not isinstance(problem, LocalRecodingProblem):
            return f"expected a LocalRecodingProblem, found {type(problem).__name__}"
        rule = problem.evaluator.rule
        try:
            self._check_rule(
                GroupRule.of(problem.table, problem.k[0], class_bounds=_bounds_of(problem)),
            )
        except ValueError as error:
            return str(error)
        return None if rule.k is not None else "expected a problem with a fixed k, found none"

    def _check_rule(self, rule: GroupRule) -> None:
        """Refuse what the method cannot meet, by a ValueError."""

    def _begin(self, problem: Problem) -> None:
        low, high = problem.k
        # A k above the number of rows can be had by no recoding.
        high = min(high, problem.table.n_rows)
        self._ks = np.unique(np.geomspace(low, high, self.n_k).round().astype(np.int64))
        self._n_built = 0
        self._built = Population()

    def _infill(self) -> Population:
        problem = self.problem
        k = int(self._ks[self._n_built])
        groups = self._groups(problem.table, k, _bounds_of(problem), problem.evaluator.rule.budget)
        self._n_built += 1
        return Population.new("X", problem.space.genomes([groups]))

    def _advance(self, infills: Any = None, **kwargs: Any) -> None:
        self.pop = self._built = Population.merge(self._built, infills)
        if self._n_built == len(self._ks):
            self.termination.terminate()


class LabelledRecoding(ConstructiveRecoding):
    """Base class of methods that know ordered columns, and may label them by ranges.

    Parameters
    ----------
    labels : {"ranges", "hierarchy"}
        Whether the label of an ordered column is the range of its leaves, such as ``[17, 24]``, or
        the lowest value of the hierarchy that covers it. Those of the other columns are values of
        the hierarchy.
    ordered : collection of columns, optional
        Ordered quasi-identifiers, such as those of :meth:`anonopt.Hierarchy.ordered`; by default
        those whose leaves are numbers or dates in increasing order.
    n_k, termination
        As in `ConstructiveRecoding`.
    """

    def __init__(
        self,
        *,
        labels: Labels = "ranges",
        ordered: Collection[Hashable] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.labels, self.ordered = check_choice("labels", labels, LABELS), ordered

    def _check_rule(self, rule: GroupRule) -> None:
        leaf_labels(rule.table, labels=self.labels, ordered=self.ordered)


def _bounds_of(problem: LocalRecodingProblem) -> dict[Any, float]:
    return {bound.measure: bound.worst for bound in problem.evaluator.rule.bounds}
