"""A recoding that is improved region by region."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from anonopt._checks import check_integer, check_number
from anonopt._typing import Generator
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.local_recoding.kernel_regions import Partition, sweep
from anonopt.local_recoding.kernel_regroup import Rules, room_for
from anonopt.local_recoding.label_tree import label_tree
from anonopt.local_recoding.region_state import (
    partition_of,
    recoded_groups,
    units_of,
    with_budget,
)

N_DRAWS = 1 << 16
"""Random numbers that the regions of one sweep share."""


@dataclass(frozen=True)
class Regions:
    """How regions are chosen and grouped anew.

    Attributes
    ----------
    n_nearest : int
        Most groups that join the first one of a region; how many is drawn for each region.
    tries : int
        Random groupings of which the best one counts.
    noise : float
        By up to this share costs are raised at random when a group takes its next row.
    """

    n_nearest: int = 8
    tries: int = 2
    noise: float = 0.3

    def __post_init__(self) -> None:
        check_integer("n_nearest", self.n_nearest, least=1)
        check_integer("tries", self.tries, least=1)
        check_number("noise", self.noise, least=0)


class RegionSearch:
    def __init__(
        self,
        tuples: DistinctTuples,
        *,
        k: int,
        budget: int = 0,
        distinct: int = 0,
        weights: Mapping[str, float] | None = None,
    ) -> None:
        self.tree = label_tree(tuples, weights)
        self.units, self.unit_of_row = units_of(tuples, by_value=distinct > 0)
        self.rules = Rules(k, distinct, self.tree.worst, 0.0)
        self.budget = budget
        shape = len(self.unit_of_row), len(self.tree.starts), self.units.n_values, k
        self._rooms = room_for(*shape), room_for(*shape)

    def start(self, groups):
        state = partition_of(groups, self.units, self.unit_of_row, self.tree, self.rules)
        return with_budget(state, self.budget)

    def sweep(self, state, rows, generator, regions=Regions(), tally=None):
        rules = self.rules._replace(noise=float(regions.noise))
        lossy = np.flatnonzero(state.alive & (state.cost > 0))
        tally = np.zeros(4, dtype=np.int64) if tally is None else tally
        if not len(lossy): return tally
        k = rules.k
        seeds = generator.choice(lossy, 2 * rows // k + 1)
        draws = generator.random(N_DRAWS)
        sweep(self.tree, self.units, state, rules, seeds, regions.tries, regions.n_nearest, max(4*k*(regions.n_nearest+1), 200), rows, draws, self._rooms, tally)
        return tally

    def groups(self, state):
        return recoded_groups(state, self.units, self.unit_of_row, self.tree)

    def loss(self, state):
        return float((state.rows * state.cost)[state.alive].sum()) + self.tree.worst * int(state.counts[2])
