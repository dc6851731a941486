"""Crossover of local recodings: part by part, wherever two parents group the same rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from anonopt._checks import check_share
from anonopt._typing import BoolArray, Generator, IntArray, ObjectArray
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.local_recoding.group_maker import GroupMaker
from anonopt.operators.groups.group_genomes import group_genomes, group_maker
from anonopt.operators.groups.replaced_groups import replaced_groups
from anonopt.operators.variation import GenomeCrossover


class PartitionCrossover(GenomeCrossover):
    """Of each part of the rows that both parents group among themselves, take one parent's groups.

    The parts are as small as can be: groups of one parent and of the other that share a row are in
    one part. The first child takes each part from the parent that loses less there, so it loses no
    more than either; the second takes each from either parent by chance. It is the partition
    crossover of tours (D. Whitley, D. Hains, A. Howe, *Tunneling between Optima*, GECCO 2009) for
    groups. Parents without a common origin have few parts in common, perhaps one: then the children
    are the parents.

    All groups that have a suppressed row in one parent are one part, so the budget is kept.

    Parameters
    ----------
    prob : float
        Probability, per mating, to cross; otherwise the parents are copied. In 0..1.

    Raises
    ------
    ValueError
        If prob is not in 0..1.
    """

    def __init__(self, *, prob: float = 0.9) -> None:
        super().__init__(n_parents=2, n_offsprings=2, prob=check_share("prob", prob))

    def _crossed(self, problem: Any, X: ObjectArray, generator: Generator) -> ObjectArray:
        maker = group_maker(problem)
        children = np.empty(X.shape, dtype=object)
        for mating in range(X.shape[1]):
            one, other = X[:, mating, 0]
            pair = crossed_recodings(maker, one, other, generator)
            children[:, mating] = group_genomes(pair)
        return children


def crossed_recodings(
    maker: GroupMaker, one: RecodedGroups, other: RecodedGroups, generator: Generator
) -> list[RecodedGroups]:
    """The two children of two recodings of a table."""
    part_of_one, part_of_other, n_parts = common_parts(one, other)
    losses = [
        np.bincount(part, weights=maker.losses(groups), minlength=n_parts)
        for part, groups in ((part_of_one, one), (part_of_other, other))
    ]
    from_one = losses[0] <= losses[1]
    by_chance = generator.random(n_parts) < 0.5
    return [
        _joined(one, other, taken[part_of_one], ~taken[part_of_other])
        for taken in (from_one, by_chance)
    ]


def common_parts(one: RecodedGroups, other: RecodedGroups) -> tuple[IntArray, IntArray, int]:
    """Parts of the rows that two recodings group among themselves.

    Returns
    -------
    part_of_one, part_of_other : int arrays (n_groups,)
        Part of each group.
    n_parts : int
    """
    n, n_other = one.n_groups, other.n_groups
    links = np.unique(one.group_of_row.astype(np.int64) * n_other + other.group_of_row)
    left, right = np.divmod(links, n_other)
    # A node more ties what has a suppressed row together.
    tied = np.flatnonzero(np.concatenate([one.suppressed, other.suppressed]))
    left = np.concatenate([left, np.full(len(tied), n + n_other)])
    right = np.concatenate([right + n, tied])
    size = n + n_other + 1
    graph = scipy.sparse.coo_array(
        (np.ones(len(left), dtype=np.int8), (left, right)), shape=(size, size)
    )
    n_parts, part = scipy.sparse.csgraph.connected_components(graph, directed=False)
    return part[:n].astype(np.int64), part[n:-1].astype(np.int64), n_parts


def _joined(
    one: RecodedGroups, other: RecodedGroups, from_one: BoolArray, from_other: BoolArray
) -> RecodedGroups:
    """Some groups of one recoding, and those of another that hold the other rows."""
    rows = np.flatnonzero(~from_one[one.group_of_row])
    if not len(rows):
        return one
    added = np.flatnonzero(from_other)
    number = np.full(other.n_groups, -1, dtype=np.int64)
    number[added] = np.arange(len(added))
    by = RecodedGroups(
        number[other.group_of_row[rows]],
        lows=other.lows[added],
        highs=other.highs[added],
        suppressed=other.suppressed[added],
    )
    return replaced_groups(one, ~from_one, rows, by)
