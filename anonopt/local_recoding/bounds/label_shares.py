"""How far the labels of all nodes bound what single rows can be charged, node by node."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from anonopt._typing import BoolArray, FloatArray, IntArray, WordArray
from anonopt.evaluation.lattice.hashing import value_hashes
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.local_recoding.regions.label_tree import LabelTree

BATCH = 512
"""Nodes between two looks at whether the rest can still matter."""


@dataclass(frozen=True, eq=False)
class LabelNodes:
    """All nodes, by the least that their labels cost, and what tuples are at their levels.

    Attributes
    ----------
    nodes : int64 array (n_nodes, n_quasi_identifiers)
    least : float64 array (n_nodes,)
        What the cheapest label of each node costs a row, in ascending order.
    at : int64 array (n_quasi_identifiers,)
        First of the levels of each column.
    keys : int64 array (n_levels, n_tuples)
        Part of the key of each tuple: tuples of one label have equal sums over the columns.
    losses : float64 array (n_levels, n_tuples)
    rows : int64 array (n_tuples,)
    sets : uint64 array (n_tuples,)
        Sensitive values as bits, 0 where they are not bounded.
    k, least_distinct : int
        Rows and distinct sensitive values that a label has to hold.
    """

    nodes: IntArray
    least: FloatArray
    at: IntArray
    keys: IntArray
    losses: FloatArray
    rows: IntArray
    sets: WordArray
    k: int
    least_distinct: int

    @classmethod
    def of(
        cls, tuples: DistinctTuples, tree: LabelTree, *, k: int, least_distinct: int
    ) -> LabelNodes:
        """All nodes of a table."""
        heights = [len(maps) - 1 for maps in tuples.maps]
        at = np.cumsum([0, *(height + 1 for height in heights)])[:-1]
        losses, keys = [], []
        for a, (maps, parts) in enumerate(zip(tuples.maps, _key_parts(tuples), strict=True)):
            codes = tuples.codes[:, a]
            stored = tree.losses[tree.starts[a] : tree.starts[a] + maps.size].reshape(maps.shape)
            losses += [level[codes] for level in stored]
            keys += [level[codes] for level in parts]
        nodes = np.array(list(product(*(range(height + 1) for height in heights))), dtype=np.int64)
        cheapest = np.array([level.min() for level in losses])
        least = np.zeros(len(nodes))
        for a in range(len(heights)):
            least += cheapest[at[a] + nodes[:, a]]
        order = np.argsort(least, kind="stable")
        no_sets = np.zeros(len(tuples.sizes), dtype=np.uint64)
        return cls(
            nodes[order],
            least[order],
            at.astype(np.int64),
            np.array(keys),
            np.array(losses),
            tuples.sizes.astype(np.int64),
            tuples.present if least_distinct else no_sets,
            k,
            least_distinct,
        )

    def cheapest(self, *, compiled: bool) -> FloatArray:
        """Least cost of a label that holds each tuple and enough rows, (n_tuples,)."""
        out = np.full(len(self.rows), np.inf)
        for first in range(0, len(self.nodes), BATCH):
            if self.least[first] >= out.max():
                break
            batch = self.nodes[first : first + BATCH]
            self._run(batch, np.zeros(len(self.rows)), out, is_first=True, compiled=compiled)
        return out

    def ratios(self, shares: FloatArray, *, compiled: bool) -> FloatArray:
        """Largest ratio of what k rows of a label of each tuple are charged to what they lose.

        Parameters
        ----------
        shares : float64 array (n_tuples,)
            What each row is charged.
        compiled : bool

        Returns
        -------
        float64 array (n_tuples,)
            At least ``1 / MOST_RISE``: beyond that no label was looked at.
        """
        order = np.argsort(-shares, kind="stable")
        dear = MOST_RISE * shares.max()
        n = int(np.searchsorted(self.least, dear))
        out = np.full(len(shares), 1 / MOST_RISE)
        ordered = LabelNodes(
            self.nodes, self.least, self.at, self.keys.take(order, 1), self.losses.take(order, 1),
            self.rows[order], self.sets[order], self.k, self.least_distinct,
        )  # fmt: skip
        ordered._run(self.nodes[:n], shares[order], out, is_first=False, compiled=compiled)
        ratios = np.empty_like(out)
        ratios[order] = out
        return ratios

    def _run(
        self,
        nodes: IntArray,
        shares: FloatArray,
        out: FloatArray,
        *,
        is_first: bool,
        compiled: bool,
    ) -> None:
        if compiled:
            from anonopt.local_recoding.bounds.kernel_shares import node_shares

            rule = np.int64(self.k), np.int64(self.least_distinct)
            node_shares(
                nodes, self.at, self.keys, self.losses, self.rows, self.sets, shares, rule,
                is_first, out,
            )  # fmt: skip
            return
        for node in nodes:
            levels = self.at + node
            keys = self.keys[levels].sum(axis=0)
            values, class_of = self._values(keys, self.losses[levels], shares, is_first=is_first)
            (np.minimum if is_first else np.maximum)(out, values[class_of], out=out)

    def _values(
        self, keys: IntArray, losses: FloatArray, shares: FloatArray, *, is_first: bool
    ) -> tuple[FloatArray, IntArray]:
        """Bound of each label of one node, and the label of each tuple."""
        _, first, class_of = np.unique(keys, return_index=True, return_inverse=True)
        costs = np.zeros(len(first))
        for column in losses:
            costs += column[first]
        sizes = np.bincount(class_of, weights=self.rows).astype(np.int64)
        enough = sizes >= self.k
        if self.least_distinct:
            enough &= self._distinct(class_of, len(first)) >= self.least_distinct
        if is_first:
            return np.where(enough, costs, np.inf), class_of
        order = np.argsort(class_of, kind="stable")
        running = np.cumsum(self.rows[order]) - self.rows[order]
        before = np.empty_like(running)
        before[order] = running - (np.cumsum(sizes) - sizes)[class_of[order]]
        taken = np.minimum(self.rows, np.maximum(self.k - before, 0))
        charged = np.bincount(class_of, weights=taken * shares)
        bounding: BoolArray = enough & (costs > 0)
        return np.where(bounding, charged / np.where(bounding, self.k * costs, 1.0), 0.0), class_of

    def _distinct(self, class_of: IntArray, n_classes: int) -> IntArray:
        held = np.zeros(n_classes, dtype=np.uint64)
        np.bitwise_or.at(held, class_of, self.sets)
        return np.bitwise_count(held).astype(np.int64)


MOST_RISE = 4.0
"""What rows are charged rises by this factor at most in a round."""


def _key_parts(tuples: DistinctTuples) -> tuple[IntArray, ...]:
    """Part of the key of each leaf at each level; sums are equal for equal labels."""
    if tuples.layout is None:
        return value_hashes(tuples.maps)
    return tuple(
        maps.astype(np.int64) << shift
        for maps, shift in zip(tuples.maps, tuples.layout.shifts, strict=True)
    )
