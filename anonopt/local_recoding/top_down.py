"""Top-down specialization: one value after another gives way to its children, in all rows.

Paper: B. C. M. Fung, K. Wang and P. S. Yu, *Top-Down Specialization for Information and Privacy
Preservation*, ICDE 2005.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from anonopt._progress import told
from anonopt._typing import IntArray
from anonopt.data import Microdata
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.data.suppression import resolve_budget
from anonopt.local_recoding.group_rule import GroupRule
from anonopt.local_recoding.leaf_labels import leaf_labels
from anonopt.local_recoding.taxonomy import Gain, Taxonomy, groups_of_cut, taxonomies


def top_down_groups(
    table: Microdata,
    k: int,
    *,
    gain: Gain = "auto",
    suppression: float = 0.0,
    class_bounds: Mapping[Any, float] | None = None,
) -> RecodedGroups:
    """Specialize a global recoding by subtrees from the top (Fung 2005).

    Every quasi-identifier starts at its top value. In each step one value of one quasi-identifier
    is replaced by its children in all rows; it has to be allowed: the rows of groups that then
    miss k or a bound, which are suppressed, are within the budget. Of the allowed ones it is that
    of the largest score::

        gain / (anonymity loss + 1)

    (of several the first column, and the first value of its tree). The anonymity loss is by how
    much the smallest group that is kept shrinks; the gain is information on the target, or cells
    of the general loss metric. It ends when no specialization is allowed.

    Parameters
    ----------
    table : Microdata
    k : int
        Least rows of a group, from 1 to the number of rows.
    gain : {"auto", "target", "glm"}
        ``"auto"`` is the target where the table has one. Values that tell nothing of the target are
        specialized last.
    suppression : int or float
        Budget: a number of rows if it is an integer, else a share of the rows in 0..1.
    class_bounds : mapping of str or Measure to float, optional
        Worst value of a measure that a group may have, such as ``{"l": 3}``.

    Returns
    -------
    RecodedGroups

    Raises
    ------
    ValueError
        If k is above the number of rows, the table as a whole misses a bound, an option is out of
        its range, or the target is asked for and there is none.

    Examples
    --------
    >>> from anonopt.data import load_dataset
    >>> groups = top_down_groups(load_dataset("patients"), 3)
    >>> int(groups.sizes.min()) >= 3
    True
    """
    budget = resolve_budget(suppression, table.n_rows)
    rule = GroupRule.of(table, k, class_bounds=class_bounds, budget=budget)
    columns = leaf_labels(table)
    search = _Specialization(rule, taxonomies(table, columns, gain))
    report = told()
    n_steps = sum(len(tree) for tree in search.trees)
    step = 0
    while search.step():
        step += 1
        report(min(step / n_steps, 1.0))
    return groups_of_cut(search.trees, search.values, search.group_of_row, rule)


class _Specialization:
    """A cut of each tree, and the groups that it makes."""

    def __init__(self, rule: GroupRule, trees: list[Taxonomy]) -> None:
        self._rule, self.trees = rule, trees
        self.values: IntArray = np.zeros(rule.table.codes.shape, dtype=np.int64, order="F")
        self.group_of_row: IntArray = np.zeros(rule.table.n_rows, dtype=np.int64)
        self._measure_groups()
        # Feasibility need not be monotone under bounds, so what is not allowed may be later.
        self._cut = [(position, 0) for position, tree in enumerate(trees) if len(tree.children[0])]

    def step(self) -> bool:
        """Make the best specialization that is allowed; False if there is none."""
        best: tuple[float, float] | None = None
        chosen, split = -1, None
        for number, (position, value) in enumerate(self._cut):
            gain = float(self.trees[position].gains[value])
            if best is not None and gain < best[0]:
                continue
            found = self._tried(position, value)
            if found is None:
                continue
            least, parts = found
            score = gain / (max(self._least - least, 0) + 1)
            if best is None or (score, gain) > best:
                best, chosen, split = (score, gain), number, parts
        if split is None:
            return False
        self._make(chosen, *split)
        return True

    def _tried(
        self, position: int, value: int
    ) -> tuple[int, tuple[IntArray, IntArray, IntArray]] | None:
        """Least kept group after a specialization, rows, children and groups; None if forbidden."""
        rows = np.flatnonzero(self.values[:, position] == value)
        tree = self.trees[position]
        children = tree.children[value]
        leaves = self._rule.table.codes[rows, position]
        child = np.searchsorted(tree.lows[children], leaves, side="right") - 1
        _, part_of_row = np.unique(
            self.group_of_row[rows] * len(children) + child, return_inverse=True
        )
        touched = np.zeros(len(self._sizes), dtype=bool)
        touched[self.group_of_row[rows]] = True
        least = self._least_of(self._sizes[~touched & self._kept])
        n_suppressed = int(self._sizes[~touched & ~self._kept].sum())
        if len(rows):
            kept = self._rule.allowed(part_of_row, rows)
            sizes = np.bincount(part_of_row)
            least = min(least, self._least_of(sizes[kept]))
            n_suppressed += int(sizes[~kept].sum())
        if n_suppressed > self._rule.rule.budget:
            return None
        return least, (rows, children[child], part_of_row)

    def _least_of(self, sizes: IntArray) -> int:
        return int(sizes.min(initial=self._rule.table.n_rows))

    def _make(self, number: int, rows: IntArray, children: IntArray, parts: IntArray) -> None:
        position, value = self._cut.pop(number)
        tree = self.trees[position]
        self.values[rows, position] = children
        self._cut += [
            (position, int(one)) for one in tree.children[value] if len(tree.children[one])
        ]
        self._cut.sort()
        self.group_of_row[rows] = len(self._sizes) + parts
        _, self.group_of_row = np.unique(self.group_of_row, return_inverse=True)
        self._measure_groups()

    def _measure_groups(self) -> None:
        self._sizes = np.bincount(self.group_of_row)
        self._kept = ~self._rule.suppressed(self.group_of_row)
        self._least = self._least_of(self._sizes[self._kept])
