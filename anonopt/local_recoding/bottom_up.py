"""Bottom-up generalization: children give way to their parent in all rows, until k is met.

Paper: K. Wang, P. S. Yu and S. Chakraborty, *Bottom-Up Generalization: A Data Mining Solution to
Privacy Protection*, ICDM 2004.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from anonopt._progress import told
from anonopt._typing import BoolArray, FloatArray, IntArray
from anonopt.data import Microdata
from anonopt.data.grouping import group_rows
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.data.suppression import resolve_budget
from anonopt.local_recoding.group_rule import GroupRule
from anonopt.local_recoding.labelled_groups import tuple_of_row
from anonopt.local_recoding.leaf_labels import leaf_labels
from anonopt.local_recoding.taxonomy import Gain, Taxonomy, groups_of_cut, taxonomies


def bottom_up_groups(
    table: Microdata,
    k: int,
    *,
    gain: Gain = "auto",
    suppression: float = 0.0,
    class_bounds: Mapping[Any, float] | None = None,
    as_printed: bool = False,
) -> RecodedGroups:
    """Generalize a global recoding by subtrees from the values themselves (Wang 2004).

    In each step all children of one value of one quasi-identifier, which have to be in use, are
    replaced by it in all rows. It is the one of the least loss per privacy gain; where none gains
    privacy, of the least loss (of several the first column, and the first value of its tree). It
    ends as soon as the rows of groups that miss k or a bound are within the budget; these are
    suppressed.

    The privacy gain is by how many the rows in groups that miss k or a bound become fewer; as
    printed, by how many rows the smallest group grows, which is nothing as long as two small
    groups are apart. The loss is what the same specialization gains in :func:`top_down_groups`.

    Parameters
    ----------
    table : Microdata
    k : int
        Least rows of a group, from 1 to the number of rows.
    gain : {"auto", "target", "glm"}
        What is lost: information on the target, or cells of the general loss metric. ``"auto"`` is
        the target where the table has one.
    suppression : int or float
        Budget: a number of rows if it is an integer, else a share of the rows in 0..1.
    class_bounds : mapping of str or Measure to float, optional
        Worst value of a measure that a group may have, such as ``{"l": 3}``.
    as_printed : bool
        Whether privacy is the size of the smallest group.

    Returns
    -------
    RecodedGroups

    Raises
    ------
    ValueError
        As :func:`top_down_groups`.

    Examples
    --------
    >>> from anonopt.data import load_dataset
    >>> groups = bottom_up_groups(load_dataset("patients"), 3)
    >>> int(groups.sizes.min()) >= 3
    True
    """
    budget = resolve_budget(suppression, table.n_rows)
    rule = GroupRule.of(table, k, class_bounds=class_bounds, budget=budget)
    search = _Generalization(rule, taxonomies(table, leaf_labels(table), gain), as_printed)
    report, first = told(), max(search.n_missing, 1)
    while search.n_missing > budget:
        search.step()
        report(1 - search.n_missing / first)
    values = search.values[search.group_of_row]
    return groups_of_cut(search.trees, values, search.group_of_row, rule)


class _Generalization:
    """A cut of each tree, and the groups that it makes."""

    def __init__(self, rule: GroupRule, trees: list[Taxonomy], as_printed: bool) -> None:
        self._rule, self.trees, self._as_printed = rule, trees, as_printed
        self.group_of_row = tuple_of_row(rule.table)
        first = np.unique(self.group_of_row, return_index=True)[1]
        leaves = rule.table.codes[first]
        # Value of each group in each tree.
        self.values: IntArray = np.column_stack(
            [tree.leaf_values[column] for tree, column in zip(trees, leaves.T, strict=True)]
        )
        self._used: list[BoolArray] = []
        for tree in trees:
            used = np.zeros(len(tree), dtype=bool)
            used[tree.leaf_values] = True
            self._used.append(used)
        self._measure_groups()

    def step(self) -> None:
        """Make the best generalization; there is one, as the top of all columns is allowed."""
        best: tuple[float, ...] | None = None
        chosen = (-1, -1)
        for position, tree in enumerate(self.trees):
            parents = self._candidates(position)
            if len(parents) == 0:
                continue
            privacy = self._privacy_gains(position, parents)
            losses = tree.gains[parents]
            for parent, loss, gained in zip(parents, losses, privacy, strict=True):
                rank = (0.0, loss / gained, loss) if gained > 0 else (1.0, loss, 0.0)
                if best is None or rank < best:
                    best, chosen = rank, (position, int(parent))
        self._make(*chosen)

    def _candidates(self, position: int) -> IntArray:
        """Values all of whose children are in use, ascending."""
        tree, used = self.trees[position], self._used[position]
        return np.array(
            [one for one, those in enumerate(tree.children) if len(those) and used[those].all()],
            dtype=np.int64,
        )

    def _privacy_gains(self, position: int, parents: IntArray) -> FloatArray:
        """What each generalization gains, (n_parents,)."""
        tree = self.trees[position]
        place = np.full(len(tree), -1)
        place[parents] = np.arange(len(parents))
        above = tree.parents[self.values[:, position]]
        owner = np.where(above >= 0, place[above], -1)
        groups = np.flatnonzero(owner >= 0)
        gains = np.zeros(len(parents))
        if len(groups) == 0:
            return gains
        merged, sizes, allowed = self._merged(position, groups, above[groups])
        owner_of_merged = np.empty(len(sizes), dtype=np.int64)
        owner_of_merged[merged] = owner[groups]
        if self._as_printed:
            least = np.full(len(parents), self._rule.table.n_rows)
            np.minimum.at(least, owner_of_merged, sizes)
            least = np.minimum(least, self._least_beside(owner, len(parents)))
            return np.asarray(least - self._sizes.min(), dtype=np.float64)
        small = ~self._allowed[groups]
        before = np.bincount(owner[groups], self._sizes[groups] * small, minlength=len(parents))
        after = np.bincount(owner_of_merged, sizes * ~allowed, minlength=len(parents))
        return np.asarray(before - after)

    def _least_beside(self, owner: IntArray, n_owners: int) -> IntArray:
        """Least group that has another owner than each one, or none, (n_owners,)."""
        least = np.full(n_owners + 1, self._rule.table.n_rows)
        np.minimum.at(least, owner, self._sizes)
        order = np.argsort(least, kind="stable")
        beside = np.full(n_owners, least[order[0]])
        if order[0] < n_owners:
            beside[order[0]] = least[order[1]]
        return beside

    def _merged(
        self, position: int, groups: IntArray, values: IntArray
    ) -> tuple[IntArray, IntArray, BoolArray]:
        """Number of the merged group of each, their sizes, and which meet k and the bounds."""
        columns = list(self.values[groups].T)
        columns[position] = values
        n_merged, merged = group_rows(columns, [len(tree) for tree in self.trees])
        sizes = np.bincount(merged, self._sizes[groups], minlength=n_merged).astype(np.int64)
        if not self._rule.rule.bounds:
            return merged, sizes, sizes >= self._rule.k
        place = np.full(len(self._sizes), -1)
        place[groups] = merged
        rows = np.flatnonzero(place[self.group_of_row] >= 0)
        return merged, sizes, self._rule.allowed(place[self.group_of_row[rows]], rows)

    def _make(self, position: int, parent: int) -> None:
        tree = self.trees[position]
        children = tree.children[parent]
        self._used[position][children] = False
        self._used[position][parent] = True
        self.values[np.isin(self.values[:, position], children), position] = parent
        n_groups, merged = group_rows(list(self.values.T), [len(tree) for tree in self.trees])
        values = np.empty((n_groups, len(self.trees)), dtype=np.int64)
        values[merged] = self.values
        self.values = values
        self.group_of_row = merged[self.group_of_row]
        self._measure_groups()

    def _measure_groups(self) -> None:
        self._sizes = np.bincount(self.group_of_row)
        self._allowed = ~self._rule.suppressed(self.group_of_row)
        self.n_missing = int(self._sizes[~self._allowed].sum())
