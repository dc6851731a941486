"""A hierarchy as a tree of the values that differ, and what it tells to go from one to its parts.

A global recoding by subtrees is a cut through the tree of each column: values of which each leaf is
under exactly one, the same in all rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from anonopt._checks import check_choice
from anonopt._typing import FloatArray, IntArray
from anonopt.data import Microdata
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.local_recoding.group_rule import GroupRule
from anonopt.local_recoding.leaf_labels import LeafLabels

Gain: TypeAlias = Literal["auto", "target", "glm"]
"""What a specialization gains: what is known of the target, or detail by the loss metric."""

GAINS: tuple[Gain, ...] = ("auto", "target", "glm")


@dataclass(frozen=True, eq=False)
class Taxonomy:
    """Values of a hierarchy that cover different leaves, parents before their children.

    Attributes
    ----------
    lows, highs : int64 arrays (n_values,)
        First and last leaf under each value; value 0 is the top.
    parents : int64 array (n_values,)
        Parent of each value, -1 of the top.
    children : tuple of int64 arrays
        Children of each value, in the order of their leaves.
    leaf_values : int64 array (n_leaves,)
        Value of each leaf.
    gains : float array (n_values,)
        What the table gains where a value is replaced by its children, at least 0.
    """

    lows: IntArray
    highs: IntArray
    parents: IntArray
    children: tuple[IntArray, ...]
    leaf_values: IntArray
    gains: FloatArray

    @classmethod
    def of(cls, labels: LeafLabels, counts: IntArray, *, by_target: bool) -> Taxonomy:
        """The tree of a column.

        Parameters
        ----------
        labels : LeafLabels
        counts : int64 array (n_leaves, n_labels)
            Rows of each leaf with each label of the target; of the glm, (n_leaves, 1).
        by_target : bool
            Whether gains are information on the target in bits, else cells of the general loss
            metric.
        """
        ends = [(0, labels.n_leaves - 1)]
        parents = [-1]
        children: list[IntArray] = []
        for value, (low, high) in enumerate(ends):
            starts = labels.children(low, high).tolist() if low < high else []
            children.append(np.arange(len(ends), len(ends) + len(starts)))
            stops = [start - 1 for start in starts[1:]] + [high] * bool(starts)
            ends += zip(starts, stops, strict=True)
            parents += [value] * len(starts)
        lows, highs = np.array(ends, dtype=np.int64).T
        leaf_values = np.empty(labels.n_leaves, dtype=np.int64)
        single = np.flatnonzero(lows == highs)
        leaf_values[lows[single]] = single
        below = np.vstack([np.zeros_like(counts[:1]), np.cumsum(counts, axis=0)])
        rows = below[highs + 1] - below[lows]
        loss = _uncertainty(rows) if by_target else _leaf_loss(rows, highs - lows)
        gains = np.array(
            [
                loss[one] - loss[those].sum() if len(those) else 0.0
                for one, those in enumerate(children)
            ]
        )
        # A gain is at least 0; rounding may leave it just below.
        return cls(
            lows, highs, np.array(parents), tuple(children), leaf_values, np.maximum(gains, 0.0)
        )

    def __len__(self) -> int:
        return len(self.lows)


def _uncertainty(rows: IntArray) -> FloatArray:
    """Entropy of the target's labels times the rows, in bits, (n_values,)."""
    totals = rows.sum(axis=1, keepdims=True)
    terms = np.where(rows > 0, rows * np.log2(np.maximum(totals, 1) / np.maximum(rows, 1)), 0.0)
    return np.asarray(terms.sum(axis=1))


def _leaf_loss(rows: IntArray, others: IntArray) -> FloatArray:
    """General loss of the rows under each value, in cells, (n_values,)."""
    return np.asarray(rows[:, 0] * others / max(int(others[0]), 1))


def check_gain(table: Microdata, gain: Gain) -> None:
    """Refuse a gain that is unknown, or that of a target that a table lacks, by a ValueError."""
    check_choice("gain", gain, GAINS)
    if gain == "target" and table.target is None:
        raise ValueError("gain='target': expected a table with a target, found none")


def taxonomies(table: Microdata, columns: list[LeafLabels], gain: Gain) -> list[Taxonomy]:
    """The tree of each quasi-identifier, with gains.

    Parameters
    ----------
    table : Microdata
    columns : list of LeafLabels
    gain : {"auto", "target", "glm"}
        ``"auto"`` is the target where the table has one.

    Raises
    ------
    ValueError
        If `gain` is unknown, or the table has no target.
    """
    check_gain(table, gain)
    codes = None if gain == "glm" else table.target_codes
    labels = np.zeros(table.n_rows, dtype=np.int64) if codes is None else codes
    width = 1 if codes is None else len(table.target_labels)
    found = []
    for position, column in enumerate(columns):
        cells = table.codes[:, position].astype(np.int64) * width + labels
        counts = np.bincount(cells, minlength=column.n_leaves * width).reshape(-1, width)
        found.append(Taxonomy.of(column, counts, by_target=codes is not None))
    return found


def groups_of_cut(
    trees: list[Taxonomy], values: IntArray, group_of_row: IntArray, rule: GroupRule
) -> RecodedGroups:
    """The recoding of a cut; groups that miss k or a bound are suppressed.

    Parameters
    ----------
    trees : list of Taxonomy
    values : int64 array (n_rows, n_quasi_identifiers)
        Value of each row in each tree.
    group_of_row : int64 array (n_rows,)
        Rows of the same values are a group; every number from 0 on.
    rule : GroupRule
    """
    first = np.unique(group_of_row, return_index=True)[1]
    shown = values[first]
    lows, highs = (
        np.column_stack([ends[column] for ends, column in zip(side, shown.T, strict=True)])
        for side in ([tree.lows for tree in trees], [tree.highs for tree in trees])
    )
    return RecodedGroups(
        group_of_row, lows=lows, highs=highs, suppressed=rule.suppressed(group_of_row)
    )
