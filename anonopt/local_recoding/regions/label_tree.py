"""Labels of hierarchies as flat arrays: what kernels that join labels and price them read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from anonopt._typing import BoolArray, CodeArray, FloatArray, IntArray
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.evaluation.local.label_tables import LabelTables


class LabelTree(NamedTuple):
    """Hierarchies of the quasi-identifiers, one after the other.

    A label of a column is a pair of numbers: a leaf that it covers, and its level in the
    hierarchy. The entry of leaf ``i`` at level ``l`` of column ``a`` is at
    ``starts[a] + l * leaves[a] + i``. In columns that are recoded to ranges, where any run of
    leaves is a label, the pair is the first leaf and the number of leaves after it, and entry
    ``starts[a] + n`` is that of n leaves after the first.

    Attributes
    ----------
    codes : int32 array (n_entries,)
        Code of the label: leaves of one label have the same.
    losses : float64 array (n_entries,)
        What the label costs a row: ``weight * (m - 1) / (M - 1)``.
    lows, highs : int32 arrays (n_entries,)
        First and last leaf that the label covers.
    starts, leaves : int64 arrays (n_quasi_identifiers,)
    is_range : bool array (n_quasi_identifiers,)
    worst : float
        What the labels of all leaves cost a row, as its suppression does.
    """

    codes: CodeArray
    losses: FloatArray
    lows: CodeArray
    highs: CodeArray
    starts: IntArray
    leaves: IntArray
    is_range: BoolArray
    worst: float


def label_tree(
    tuples: DistinctTuples,
    weights: Mapping[str, float] | None = None,
    *,
    ranges: BoolArray | None = None,
) -> LabelTree:
    """Hierarchies of a table as flat arrays.

    Parameters
    ----------
    tuples : DistinctTuples
    weights : mapping of str to float, optional
        Factor of each quasi-identifier's loss, 1 where none is given.
    ranges : bool array (n_quasi_identifiers,), optional
        Columns that are recoded to ranges of leaves and not to values of their hierarchy.
    """
    tables = LabelTables.of(tuples, weights)
    is_range = np.zeros(len(tables.at), dtype=np.bool_) if ranges is None else ranges
    tops = tables.at + (tables.heights + 1) * tables.leaves - 1
    losses = tables.losses.copy()
    for column in np.flatnonzero(is_range):
        first, n = tables.at[column], tables.leaves[column]
        losses[first : first + n] = losses[tops[column]] * np.arange(n) / max(n - 1, 1)
    factors = [(weights or {}).get(name, 1.0) for name in tuples.facts.names]
    return LabelTree(
        codes=tables.values,
        losses=losses,
        lows=tables.lows,
        highs=tables.highs,
        starts=tables.at,
        leaves=tables.leaves,
        is_range=is_range,
        worst=float(sum(factors)),
    )


def label_bounds(tree: LabelTree, labels: CodeArray) -> tuple[CodeArray, CodeArray]:
    """First and last leaf of labels.

    Parameters
    ----------
    tree : LabelTree
    labels : int32 array (n, 2, n_quasi_identifiers)

    Returns
    -------
    lows, highs : int32 arrays (n, n_quasi_identifiers)
    """
    leaf, level = labels[:, 0], labels[:, 1]
    at = tree.starts + np.where(tree.is_range, 0, level) * tree.leaves + leaf
    lows = np.where(tree.is_range, leaf, tree.lows[at])
    return lows, np.where(tree.is_range, leaf + level, tree.highs[at])


def lowest_labels(tree: LabelTree, lows: CodeArray, highs: CodeArray) -> CodeArray:
    """The lowest labels that cover the leaves from one to another.

    Parameters
    ----------
    tree : LabelTree
    lows, highs : int32 arrays (n, n_quasi_identifiers)

    Returns
    -------
    int32 array (n, 2, n_quasi_identifiers)
    """
    labels = np.zeros((len(lows), 2, len(tree.starts)), dtype=np.int32)
    labels[:, 0] = lows
    for a in range(len(tree.starts)):
        if tree.is_range[a]:
            labels[:, 1, a] = highs[:, a] - lows[:, a]
            continue
        at = np.full(len(lows), tree.starts[a])
        while (differ := tree.codes[at + lows[:, a]] != tree.codes[at + highs[:, a]]).any():
            labels[differ, 1, a] += 1
            at[differ] += tree.leaves[a]
    return labels


def label_costs(tree: LabelTree, labels: CodeArray) -> FloatArray:
    """What labels cost a row: summed column by column, as kernels do, to the bit.

    Parameters
    ----------
    tree : LabelTree
    labels : int32 array (n, 2, n_quasi_identifiers)

    Returns
    -------
    float64 array (n,)
    """
    costs = np.zeros(len(labels))
    for a in range(len(tree.starts)):
        leaf, level = labels[:, 0, a], labels[:, 1, a]
        within = level if tree.is_range[a] else level * tree.leaves[a] + leaf
        costs += tree.losses[tree.starts[a] + within]
    return costs
