"""Mondrian, relaxed: rows at the median may go to either side of a cut.

Idea: as strict Mondrian, but halve the rows themselves: those of the median's value are dealt out
to both sides, so that a group of twice k rows can be cut in every ordered column where its rows
differ.

Paper: K. LeFevre, D. J. DeWitt and R. Ramakrishnan, *Mondrian Multidimensional K-Anonymity*,
Proceedings of the 22nd International Conference on Data Engineering (2006), Section 3.2.

Decided where the paper is silent, or differently:

- rows of the median's value are dealt out in the order of their other values, those of equal values
  in the order of the table; the lower half has the odd row;
- a column in which all rows of a group are equal is not cut;
- nominal columns, widths, equally wide columns and bounds of classes are as in strict Mondrian;
- groups of equal labels are one class, so that bounds are refused of which it is not known whether
  two groups that meet them do so together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anonopt.algorithms.recoding.constructive import LabelledRecoding
from anonopt.data import Microdata
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.local_recoding.group_rule import GroupRule
from anonopt.local_recoding.mondrian import mondrian_groups


class RelaxedMondrianRecoding(LabelledRecoding):
    """Relaxed Mondrian over hierarchies; see :func:`anonopt.local_recoding.mondrian_groups`.

    Parameters
    ----------
    labels, ordered, n_k, termination
        As in `LabelledRecoding`.

    Raises
    ------
    ValueError
        As `MondrianRecoding`, or if groups that meet a bound of classes need not meet it together.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.problems.LocalRecodingProblem(
    ...     ao.load_dataset("patients"), ["glm", "k"], k=3, genome="groups"
    ... )
    >>> ao.solve(problem, RelaxedMondrianRecoding()).front["k"].tolist()
    [3.0]
    """

    def _check_rule(self, rule: GroupRule) -> None:
        super()._check_rule(rule)
        rule.require_united_bounds()

    def _groups(
        self, table: Microdata, k: int, bounds: Mapping[Any, float], budget: int
    ) -> RecodedGroups:
        return mondrian_groups(
            table, k, relaxed=True, labels=self.labels, ordered=self.ordered, class_bounds=bounds
        )
