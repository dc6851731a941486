"""Mondrian, strict: groups of rows are cut for as long as every part may be a group.

Idea: start with all rows in one group and cut it at the median of its widest column, the parts
likewise, until no cut leaves k rows on every side. Each group is recoded to what it covers, so that
values are kept fine where rows are many.

Paper: K. LeFevre, D. J. DeWitt and R. Ramakrishnan, *Mondrian Multidimensional K-Anonymity*,
Proceedings of the 22nd International Conference on Data Engineering (2006), Section 3.1.

Decided where the paper is silent, or differently:

- the width of a column is the share of the hierarchy's leaves that the label covers; of equally
  wide columns the first is cut;
- where the median cannot be cut at, the cut is made at the value that halves the rows best;
- a nominal column is cut into the children of its label, all of which need k rows;
- cuts have to meet bounds of classes as they meet k; nothing is suppressed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anonopt.algorithms.recoding.constructive import LabelledRecoding
from anonopt.data import Microdata
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.local_recoding.group_rule import GroupRule
from anonopt.local_recoding.mondrian import mondrian_groups


class MondrianRecoding(LabelledRecoding):
    """Strict Mondrian over hierarchies; see :func:`anonopt.local_recoding.mondrian_groups`.

    Parameters
    ----------
    labels, ordered, n_k, termination
        As in `LabelledRecoding`.

    Raises
    ------
    ValueError
        If an option is out of its range; when the search is set up, if k is above the number of
        rows or the table as a whole misses a bound of classes.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.problems.LocalRecodingProblem(
    ...     ao.load_dataset("patients"), ["glm", "k"], k=3, genome="groups"
    ... )
    >>> ao.solve(problem, MondrianRecoding()).front["k"].tolist()
    [3.0]
    """

    def _check_rule(self, rule: GroupRule) -> None:
        super()._check_rule(rule)
        if self.labels == "hierarchy":
            rule.require_united_bounds()

    def _groups(
        self, table: Microdata, k: int, bounds: Mapping[Any, float], budget: int
    ) -> RecodedGroups:
        return mondrian_groups(
            table, k, labels=self.labels, ordered=self.ordered, class_bounds=bounds
        )
