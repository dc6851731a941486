"""Mutation of local recodings: cuts of a region are undone, and it is cut otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np

from anonopt._checks import check_integer
from anonopt._typing import BoolArray, Generator, IntArray, ObjectArray
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.local_recoding.group_maker import GroupMaker
from anonopt.operators.groups.group_genomes import group_genomes, group_maker
from anonopt.operators.groups.replaced_groups import replaced_groups
from anonopt.operators.variation import GenomeMutation


class RegrowthMutation(GenomeMutation):
    """Undo cuts above a group and grow what was below them again by random keys.

    The label of a random group is raised in random columns. All groups whose labels lie within
    that box give up their rows, which are cut anew as if they were the table. Of the old and the
    new groups the better ones are kept, the new ones if they lose as much.

    Parameters
    ----------
    most_steps : int
        The label is raised by a random number of steps, up to this, each in a random column;
        at least 1.
    keep_better : bool
        Keep the old groups where they lose less; else the new ones are taken whatever they lose.
    prob : float
        Probability of each individual to be changed; otherwise it is copied. In 0..1.

    Raises
    ------
    ValueError
        If an option is out of its range.
    """

    def __init__(self, *, most_steps: int = 4, keep_better: bool = True, prob: float = 1.0) -> None:
        super().__init__(prob=prob)
        self.most_steps = check_integer("most_steps", most_steps, least=1)
        self.keep_better = keep_better

    def _mutated(self, problem: Any, X: ObjectArray, generator: Generator) -> ObjectArray:
        maker = group_maker(problem)
        return group_genomes([self._regrown(maker, x[0], generator) for x in X])

    def _regrown(
        self, maker: GroupMaker, groups: RecodedGroups, generator: Generator
    ) -> RecodedGroups:
        kept = np.flatnonzero(~groups.suppressed)
        if not len(kept):
            return groups
        seed = kept[generator.integers(len(kept))]
        n_steps = int(generator.integers(1, self.most_steps, endpoint=True))
        inside = _groups_within(groups, *_raised_box(maker, groups, seed, n_steps, generator))
        rows = np.flatnonzero(inside[groups.group_of_row])
        budget = maker.rule.budget - int(groups.sizes[groups.suppressed].sum())
        regrown = maker.regrown(rows, max(budget, 0), generator)
        old, new = maker.losses(groups)[inside].sum(), maker.losses(regrown).sum()
        if self.keep_better and new > old:
            return groups
        return replaced_groups(groups, inside, rows, regrown)


def _raised_box(
    maker: GroupMaker, groups: RecodedGroups, seed: int, n_steps: int, generator: Generator
) -> tuple[IntArray, IntArray]:
    """Label of a group, raised by so many steps: first and last leaf in each column."""
    lows, highs = groups.lows[seed].astype(np.int64), groups.highs[seed].astype(np.int64)
    for column in generator.integers(len(lows), size=n_steps).tolist():
        lows[column], highs[column] = maker.raised(int(lows[column]), int(highs[column]), column)
    return lows, highs


def _groups_within(groups: RecodedGroups, lows: IntArray, highs: IntArray) -> BoolArray:
    """Kept groups whose labels lie within a box, (n_groups,)."""
    inside = (groups.lows >= lows).all(axis=1) & (groups.highs <= highs).all(axis=1)
    return np.asarray(inside & ~groups.suppressed)
