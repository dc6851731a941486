"""Top-down specialization: one value after another gives way to its children, in all rows.

Idea: start with every column at its top. Replace a value by its children in all rows, that of the
most gain for each row by which the smallest group shrinks, for as long as no more rows than the
budget allows are in groups that miss k.

Paper: B. C. M. Fung, K. Wang and P. S. Yu, *Top-Down Specialization for Information and Privacy
Preservation*, Proceedings of the 21st International Conference on Data Engineering (2005).

Decided where the paper is silent, or differently:

- the score is gain / (anonymity loss + 1), as the loss may be 0;
- without a target column the gain is in cells of the general loss metric; with one, values that
  tell nothing of the target are specialized as well, after all others;
- numbers have hierarchies as other columns have; the paper cuts them where the target wants it;
- rows of groups that miss k or a bound of classes are suppressed within the budget, the paper has
  none; of equal scores the first column and value are taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anonopt._checks import check_choice
from anonopt.algorithms.recoding.constructive import ConstructiveRecoding
from anonopt.data import Microdata
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.local_recoding.group_rule import GroupRule
from anonopt.local_recoding.taxonomy import GAINS, Gain, check_gain
from anonopt.local_recoding.top_down import top_down_groups


class TopDownRecoding(ConstructiveRecoding):
    """Top-down specialization; see :func:`anonopt.local_recoding.top_down_groups`.

    A value is recoded in the same way in all rows, by subtrees of the hierarchies.

    Parameters
    ----------
    gain : {"auto", "target", "glm"}
        What a specialization gains: information on the target, or cells of the general loss metric.
        ``"auto"`` is the target where the table has one.
    n_k, termination
        As in `ConstructiveRecoding`.

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
    >>> int(ao.solve(problem, TopDownRecoding()).front["k"].iloc[0]) >= 3
    True
    """

    def __init__(self, *, gain: Gain = "auto", **options: Any) -> None:
        super().__init__(**options)
        self.gain = check_choice("gain", gain, GAINS)

    def _check_rule(self, rule: GroupRule) -> None:
        check_gain(rule.table, self.gain)

    def _groups(
        self, table: Microdata, k: int, bounds: Mapping[Any, float], budget: int
    ) -> RecodedGroups:
        return top_down_groups(table, k, gain=self.gain, suppression=budget, class_bounds=bounds)
