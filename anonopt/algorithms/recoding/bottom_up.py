"""Bottom-up generalization: children give way to their parent in all rows, until k is met.

Idea: start with the values themselves. Replace all children of a value by it in all rows, at the
least loss for the privacy that is gained, until no more rows than the budget allows are in groups
that miss k.

Paper: K. Wang, P. S. Yu and S. Chakraborty, *Bottom-Up Generalization: A Data Mining Solution to
Privacy Protection*, Proceedings of the 4th International Conference on Data Mining (2004).

Decided where the paper is silent, or differently:

- privacy is gained by each row less in groups that miss k or a bound of classes; the paper's is the
  size of the smallest group (``as_printed=True``), which does not grow as long as two small groups
  are apart;
- where no generalization gains privacy, that of the least loss is made;
- without a target column the loss is in cells of the general loss metric;
- rows of groups that still miss k at the end are suppressed within the budget, the paper has none;
  of equal ones the first column and value are taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anonopt._checks import check_choice, check_flag
from anonopt.algorithms.recoding.constructive import ConstructiveRecoding
from anonopt.data import Microdata
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.local_recoding.bottom_up import bottom_up_groups
from anonopt.local_recoding.group_rule import GroupRule
from anonopt.local_recoding.taxonomy import GAINS, Gain, check_gain


class BottomUpRecoding(ConstructiveRecoding):
    """Bottom-up generalization; see :func:`anonopt.local_recoding.bottom_up_groups`.

    A value is recoded in the same way in all rows, by subtrees of the hierarchies.

    Parameters
    ----------
    gain : {"auto", "target", "glm"}
        What a generalization loses: information on the target, or cells of the general loss metric.
        ``"auto"`` is the target where the table has one.
    as_printed : bool
        Whether privacy is the size of the smallest group, as in the paper.
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
    >>> int(ao.solve(problem, BottomUpRecoding()).front["k"].iloc[0]) >= 3
    True
    """

    def __init__(self, *, gain: Gain = "auto", as_printed: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.gain = check_choice("gain", gain, GAINS)
        self.as_printed = check_flag("as_printed", as_printed)

    def _check_rule(self, rule: GroupRule) -> None:
        check_gain(rule.table, self.gain)

    def _groups(
        self, table: Microdata, k: int, bounds: Mapping[Any, float], budget: int
    ) -> RecodedGroups:
        return bottom_up_groups(
            table,
            k,
            gain=self.gain,
            suppression=budget,
            class_bounds=bounds,
            as_printed=self.as_printed,
        )
