"""Equivalence classes as sorted packed keys: the numpy kernels of every back end."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from anonopt._typing import IntArray, WordArray
from anonopt.evaluation.lattice.tuples import MASK_VALUES, DistinctTuples
from anonopt.measures.lattice.class_labels import NodeLabels
from anonopt.measures.lattice.class_table import ClassTable
from anonopt.measures.lattice.sparse_counts import SparseCounts
from anonopt.measures.lattice.statistics import SENSITIVE, SENSITIVE_COUNTS, TARGET
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.lattice.value_counts import DenseCounts

Integers = TypeVar("Integers", np.int64, np.uint64)


@dataclass(frozen=True, eq=False)
class PackedClasses:
    """Classes at one node: keys in ascending order and what is counted in each class.

    Counts of values are kept as 64-bit words of several counts each. No count can exceed the
    number of rows, for which its part of the word is wide enough, so words add up without
    a carry from one count to the next.

    Attributes
    ----------
    keys : int64 array (n_classes,)
    member : int64 array (n_classes,)
        A tuple of each class.
    sizes : int64 array (n_classes,)
    present : uint64 array (n_classes,) or (0,)
        Sets of sensitive values as bits.
    sensitive, target : uint64 arrays (n_classes, n_words)
    sparse_sensitive, sparse_target : SparseCounts, optional
        In place of these where there are too many values.
    """

    keys: IntArray
    member: IntArray
    sizes: IntArray
    present: WordArray
    sensitive: WordArray
    target: WordArray
    sparse_sensitive: SparseCounts | None = None
    sparse_target: SparseCounts | None = None

    @classmethod
    def of_tuples(
        cls, tuples: DistinctTuples, keys: IntArray, needs: Collection[str]
    ) -> PackedClasses:
        """Classes of distinct tuples under given keys (n_tuples,), with what is needed."""
        nothing = np.zeros((len(keys), 0), dtype=np.uint64)
        by_sets = SENSITIVE in needs and tuples.n_sensitive <= MASK_VALUES
        sensitive = SENSITIVE_COUNTS in needs or (SENSITIVE in needs and not by_sets)
        dense_sensitive = tuples.is_dense(tuples.sensitive_column)
        dense_target = tuples.is_dense(tuples.target_column)
        return cls(
            keys=keys,
            member=np.arange(len(keys)),
            sizes=tuples.sizes,
            present=tuples.present if by_sets else np.zeros(0, dtype=np.uint64),
            sensitive=tuples.sensitive.view(np.uint64)
            if sensitive and dense_sensitive
            else nothing,
            target=tuples.target.view(np.uint64) if TARGET in needs and dense_target else nothing,
            sparse_sensitive=tuples.sparse_sensitive if sensitive and not dense_sensitive else None,
            sparse_target=tuples.sparse_target if TARGET in needs and not dense_target else None,
        )

    def merged(self, keys: IntArray, *, ascending: bool) -> PackedClasses:
        """Merge the classes that get the same new key.

        Parameters
        ----------
        keys : int64 array (n_classes,)
            New keys of the classes.
        ascending : bool
            Whether `keys` are known to be in ascending order.
        """
        source, order = self, None
        if not ascending:
            order = sorting_order(keys)
            keys, source = keys[order], self._taken(order)
        last = np.flatnonzero(keys[1:] != keys[:-1])
        sparse_sensitive, sparse_target = self._sparse_merged(order, last)
        if len(last) == len(keys) - 1:
            return replace(
                source, keys=keys, sparse_sensitive=sparse_sensitive, sparse_target=sparse_target
            )
        last = np.append(last, len(keys) - 1)
        starts = np.zeros_like(last)
        np.add(last[:-1], 1, out=starts[1:])
        present = source.present
        return PackedClasses(
            keys=keys[last],
            member=source.member[last],
            sizes=_run_sums(source.sizes, last),
            present=np.bitwise_or.reduceat(present, starts) if len(present) else present,
            sensitive=_run_sums(source.sensitive, last),
            target=_run_sums(source.target, last),
            sparse_sensitive=sparse_sensitive,
            sparse_target=sparse_target,
        )

    def _sparse_merged(
        self, order: IntArray | None, last: IntArray
    ) -> tuple[SparseCounts | None, SparseCounts | None]:
        """Counts without zeros of the classes merged up to the positions `last` of an order."""
        sensitive, target = self.sparse_sensitive, self.sparse_target
        if sensitive is None and target is None:
            return None, None
        new_class = np.zeros(len(self.sizes), dtype=np.int64)
        new_class[last + 1] = 1
        new_class = np.cumsum(new_class)
        if order is not None:
            of_position, new_class = new_class, np.empty_like(new_class)
            new_class[order] = of_position
        n_classes = len(last) + 1
        return (
            None if sensitive is None else sensitive.merged(new_class, n_classes),
            None if target is None else target.merged(new_class, n_classes),
        )

    def _taken(self, order: IntArray) -> PackedClasses:
        return PackedClasses(
            keys=self.keys,
            member=self.member[order],
            sizes=self.sizes[order],
            present=self.present[order] if self.present.size else self.present,
            sensitive=self.sensitive[order] if self.sensitive.size else self.sensitive,
            target=self.target[order] if self.target.size else self.target,
        )

    def table(
        self, tuples: DistinctTuples, rule: SuppressionRule, node: tuple[int, ...]
    ) -> ClassTable:
        """These classes as measures see them."""
        sensitive = DenseCounts(self.sensitive.view(tuples.lane)[:, : tuples.n_sensitive])
        target = DenseCounts(self.target.view(tuples.lane)[:, : tuples.n_labels])
        # A user's measure must not change the classes from which others are derived.
        sizes = self.sizes.view()
        sizes.flags.writeable = False
        return ClassTable(
            facts=tuples.facts,
            rule=rule,
            labels=NodeLabels(tuples.facts, node, Decoder(self.member, tuples, node)),
            sizes=sizes,
            sensitive=sensitive if sensitive.n_values else self.sparse_sensitive,
            target=target if target.n_values else self.sparse_target,
            distinct=np.bitwise_count(self.present).astype(np.int64) if len(self.present) else None,
        )


@dataclass(frozen=True, eq=False)
class Decoder:
    """Turns class numbers into the codes of their generalized values, by a tuple of each.

    Attributes
    ----------
    member : int64 array (n_classes,)
    tuples : DistinctTuples
    node : tuple of int (n_quasi_identifiers,)
    """

    member: IntArray
    tuples: DistinctTuples
    node: tuple[int, ...]

    def __call__(self, classes: IntArray) -> IntArray:
        """Codes of the values of classes (n,) at the node, (n, n_quasi_identifiers)."""
        tuples, members = self.tuples, self.member[classes]
        codes = np.empty((len(members), len(self.node)), dtype=np.int64)
        for i, level in enumerate(self.node):
            codes[:, i] = tuples.maps[i][level][tuples.codes[members, i]]
        return codes


def sizes_of_groups(keys: IntArray) -> IntArray:
    """How often each distinct key occurs, in ascending order of keys, (n_distinct,).

    The keys, at least one, are sorted in place.

    Examples
    --------
    >>> sizes_of_groups(np.array([5, 2, 5, 0])).tolist()
    [1, 1, 2]
    """
    keys.sort()
    ends = np.flatnonzero(keys[1:] != keys[:-1])
    sizes = np.empty(len(ends) + 1, dtype=np.int64)
    sizes[:-1] = ends
    sizes[-1] = len(keys) - 1
    sizes[1:] -= ends
    sizes[0] += 1
    return sizes


def sorting_order(keys: IntArray) -> IntArray:
    """What ``np.argsort(keys, kind="stable")`` returns, several times faster.

    The position is put into the low bits of the key, and the sums are sorted: processors sort
    numbers by vector instructions. Where a key fills all bits (hashes), its own low bits give
    way; the rare case of two keys that differ in no other bit is left to ``np.argsort``.

    Examples
    --------
    >>> sorting_order(np.array([5, 2, 5, 0])).tolist()
    [3, 1, 0, 2]
    """
    bits = np.int64((len(keys) - 1).bit_length())
    positions = np.arange(len(keys))
    low = (np.int64(1) << bits) - 1
    if keys.min() >= 0 and int(keys.max()) >> int(62 - bits) == 0:
        return np.asarray(np.sort((keys << bits) | positions) & low)
    mixed = np.sort((keys & ~low) | positions)
    order = mixed & low
    ordered = keys[order]
    differing = mixed[1:] ^ mixed[:-1]
    alike = (differing >= 0) & (differing <= low)
    if np.any(alike & (ordered[1:] != ordered[:-1])):
        return np.argsort(keys, kind="stable")
    return np.asarray(order)


def _run_sums(values: npt.NDArray[Integers], last: IntArray) -> npt.NDArray[Integers]:
    """Sum runs of rows that end at the positions `last`.

    Differences of a running total are several times faster than ``np.add.reduceat`` on the
    many short runs there are; in whole numbers they are exact.
    """
    if values.ndim == 2 and values.shape[1] == 0:
        return values[: len(last)]
    totals = np.cumsum(values, axis=0, dtype=values.dtype).take(last, axis=0)
    sums = np.empty_like(totals)
    sums[0] = totals[0]
    np.subtract(totals[1:], totals[:-1], out=sums[1:])
    return sums
