"""Improve a local recoding region by region, whatever made it.

A region is a group and the groups nearest to it. Its rows are pooled and grouped anew, greedily and
with noise, and what loses no more takes the place of what was there. That merges and splits groups,
dissolves them into others, moves and swaps single rows: each is a region of few groups.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anonopt._checks import as_generator, check_integer, check_number
from anonopt._typing import BoolArray, Generator, RandomState
from anonopt.data import Microdata
from anonopt.data.recoded_groups import RecodedGroups, check_groups_of
from anonopt.data.suppression import resolve_budget
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.local_recoding.leaf_labels import Labels, leaf_labels
from anonopt.local_recoding.regions.kernel_regions import Partition, Room, Work, room_for, sweep
from anonopt.local_recoding.regions.kernel_regroup import Rules
from anonopt.local_recoding.regions.label_tree import label_tree
from anonopt.local_recoding.regions.region_state import (
    partition_of,
    recoded_groups,
    units_of,
)
from anonopt.measures.lattice.class_bounds import measure_bounds
from anonopt.measures.lattice.suppression_rule import SuppressionRule

N_DRAWS = 1 << 16
"""Random numbers that the regions of one sweep share."""

LEAST_ROWS = 200
"""A region may have so many rows, however small k is."""


@dataclass(frozen=True)
class Regions:
    """How regions are chosen and grouped anew.

    Parameters
    ----------
    n_nearest : int
        Most groups that join the first one of a region; how many is drawn for each region.
    tries : int
        Random groupings of which the best one counts.
    noise : float
        By up to this share costs are raised at random when a group takes its next row.

    Raises
    ------
    ValueError
        If a number is out of its range.
    """

    n_nearest: int = 4
    tries: int = 2
    noise: float = 0.3

    def __post_init__(self) -> None:
        check_integer("n_nearest", self.n_nearest, least=1)
        check_integer("tries", self.tries, least=1)
        check_number("noise", self.noise, least=0)


@dataclass
class Tally:
    """What was done to a recoding so far.

    Attributes
    ----------
    regions : int
        Regions that were grouped anew.
    replaced, improved : int
        Those of them that took the place of what was there, and those that lost less.
    rows : int
        Rows of all regions. Divided by the rows of the table it is the work in decodings: a region
        counts by its share of the rows.
    """

    regions: int = 0
    replaced: int = 0
    improved: int = 0
    rows: int = 0

    def add(self, numbers: Any) -> None:
        """Add the numbers of a sweep, in the order of the attributes."""
        regions, replaced, improved, rows = (int(number) for number in numbers)
        self.regions += regions
        self.replaced += replaced
        self.improved += improved
        self.rows += rows


@dataclass
class Recoding:
    """A recoding that a `RegionSearch` changes.

    Attributes
    ----------
    state : Partition
    tally : Tally
    """

    state: Partition
    tally: Tally = field(default_factory=Tally)


class RegionSearch:
    """Improve recodings of a table region by region.

    It minimizes the general loss metric of recodings whose groups all hold k rows (and, with a
    bound, so many distinct sensitive values), within a budget of suppressed rows.

    Parameters
    ----------
    tuples : DistinctTuples
    rule : SuppressionRule
        With a fixed k; bounds of classes can be those of ``l`` alone.
    weights : mapping of str to float, optional
        Factor of each quasi-identifier's loss, 1 where none is given.
    ranges : bool array (n_quasi_identifiers,), optional
        Columns whose labels are any runs of leaves; those of the others, by default of all, are
        values of the hierarchies.

    Raises
    ------
    ValueError
        If the rule has no fixed k, or bounds another measure.
    """

    def __init__(
        self,
        tuples: DistinctTuples,
        rule: SuppressionRule,
        *,
        weights: Mapping[str, float] | None = None,
        ranges: BoolArray | None = None,
    ) -> None:
        distinct = _distinct(rule)
        self._budget = rule.budget
        self._tree = label_tree(tuples, weights, ranges=ranges)
        self._units, self._unit_of_row = units_of(tuples, by_value=distinct > 0)
        self._rules = Rules(rule.fixed_k, distinct, self._tree.worst, 0.0)
        self._room: Room | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_room": None}

    @property
    def n_rows(self) -> int:
        """Rows of the table."""
        return len(self._unit_of_row)

    def start(self, groups: RecodedGroups) -> Recoding:
        """A recoding that is to be changed.

        Its labels become the lowest that cover the rows, which loses no more unless they were
        ranges and are to be values of the hierarchies; groups of 2k rows or more are split.

        Raises
        ------
        ValueError
            If a group misses k or a bound, or too many rows are suppressed (names how many).
        """
        self._check(groups)
        return Recoding(
            partition_of(
                groups, self._units, self._unit_of_row, self._tree, self._rules, self._budget
            )
        )

    def sweep(
        self,
        recoding: Recoding,
        generator: Generator,
        *,
        regions: Regions | None = None,
        rows: int | None = None,
    ) -> None:
        """Group regions around random groups anew until they had so many rows together.

        Parameters
        ----------
        recoding : Recoding
            Is changed; it never loses more than before.
        generator : numpy Generator
        regions : Regions, optional
        rows : int, optional
            By default those of the table, which counts as one decoding.
        """
        regions = Regions() if regions is None else regions
        state, k = recoding.state, self._rules.k
        lossy = np.flatnonzero(state.alive & (state.cost > 0))
        if not len(lossy):
            return
        rows = self.n_rows if rows is None else check_integer("rows", rows, least=1)
        seeds = generator.choice(lossy, 2 * (rows // k + 1))
        draws = generator.random(N_DRAWS)
        tally = np.zeros(4, dtype=np.int64)
        rules = self._rules._replace(noise=float(regions.noise))
        work = Work(regions.tries, max(4 * k * (regions.n_nearest + 1), LEAST_ROWS), rows)
        if self._room is None or len(self._room.near) != regions.n_nearest:
            self._room = room_for(self._units, k, regions.n_nearest)
        sweep(self._tree, self._units, state, rules, seeds, work, draws, self._room, tally)
        recoding.tally.add(tally)

    def groups(self, recoding: Recoding) -> RecodedGroups:
        """Groups of the rows of the table."""
        return recoded_groups(recoding.state, self._units, self._unit_of_row, self._tree)

    def loss(self, recoding: Recoding) -> float:
        """General loss metric of a recoding; less is better."""
        state = recoding.state
        kept = float((state.rows * state.cost)[state.alive].sum())
        return kept + self._tree.worst * int(state.counts[2])

    def _check(self, groups: RecodedGroups) -> None:
        kept = ~groups.suppressed
        if (small := groups.sizes[kept] < self._rules.k).any():
            raise ValueError(
                f"groups: expected at least {self._rules.k} rows in each, found {small.sum()} "
                f"smaller ones, of {groups.sizes[kept].min()} rows or more"
            )
        if (n_suppressed := int(groups.sizes[~kept].sum())) > self._budget:
            raise ValueError(
                f"groups: expected at most {self._budget} suppressed rows, found {n_suppressed}"
            )
        if self._rules.distinct:
            values = self._units.values[self._unit_of_row]
            pairs = np.unique(np.column_stack([groups.group_of_row, values]), axis=0)
            n_values = np.bincount(pairs[:, 0], minlength=groups.n_groups)[kept]
            if (few := n_values < self._rules.distinct).any():
                raise ValueError(
                    f"groups: expected at least {self._rules.distinct} distinct sensitive values "
                    f"in each, found {few.sum()} groups with fewer"
                )


def _distinct(rule: SuppressionRule) -> int:
    """Distinct sensitive values that each group must hold, 0 for no bound."""
    for bound in rule.bounds:
        if bound.least_distinct is None:
            raise ValueError(
                f"class_bounds: expected a bound of 'l' (distinct values), found {bound!r}; "
                "regions cannot be grouped anew under others"
            )
    return rule.least_distinct


def range_columns(
    table: Microdata, *, labels: Labels, ordered: Collection[Hashable] | None
) -> BoolArray:
    """Columns whose labels can be any runs of leaves, bool array (n_quasi_identifiers,).

    Parameters
    ----------
    table : Microdata
    labels, ordered
        See `regrouped`.

    Raises
    ------
    ValueError
        If `labels` is unknown, or a column is no quasi-identifier.
    """
    columns = leaf_labels(table, labels=labels, ordered=ordered)
    return np.array([column.takes_any_run for column in columns], dtype=np.bool_)


def regrouped(
    table: Microdata,
    groups: RecodedGroups,
    k: int,
    *,
    n_sweeps: int = 20,
    suppression: float = 0.0,
    class_bounds: Mapping[Any, float] | None = None,
    weights: Mapping[str, float] | None = None,
    labels: Labels = "hierarchy",
    ordered: Collection[Hashable] | None = None,
    regions: Regions | None = None,
    random_state: RandomState = None,
) -> RecodedGroups:
    """Improve a local recoding region by region.

    Parameters
    ----------
    table : Microdata
    groups : RecodedGroups
        A recoding that holds to k, the bounds and the budget, such as that of Mondrian or of
        k-member clustering.
    k : int
        Least rows of a group.
    n_sweeps : int
        Times that as many rows are grouped anew as the table has, at least 1.
    suppression : int or float
        Rows that may be suppressed, or their share.
    class_bounds : mapping of str to float, optional
        Bounds of ``l`` alone: distinct sensitive values that each group must hold.
    weights : mapping of str to float, optional
        Factor of each quasi-identifier's loss, 1 where none is given.
    labels : {"hierarchy", "ranges"}
        Whether labels are values of the hierarchies, or in ordered columns any ranges of leaves
        (columns with ``<missing>`` keep to their hierarchy).
    ordered : collection of columns, optional
        As in :func:`mondrian_groups`.
    regions : Regions, optional
        How regions are chosen and grouped anew.
    random_state : int or numpy Generator

    Returns
    -------
    RecodedGroups

    Raises
    ------
    ValueError
        If the groups are not those of the table, or do not hold to k, the bounds or the budget.

    Examples
    --------
    >>> from anonopt.data import load_dataset
    >>> from anonopt.data.recoded_groups import RecodedGroups
    >>> table = load_dataset("patients")
    >>> tops = [[table.hierarchies[name].n_leaves - 1 for name in table.quasi_identifiers]]
    >>> whole = RecodedGroups([0] * table.n_rows, lows=np.zeros_like(tops), highs=tops)
    >>> better = regrouped(table, whole, 3, random_state=1)
    >>> int(better.sizes.min()) >= 3, better.n_groups > 1
    (True, True)
    """
    check_groups_of(table, groups)
    check_integer("n_sweeps", n_sweeps, least=1)
    generator = as_generator(random_state)
    budget = resolve_budget(suppression, table.n_rows)
    rule = SuppressionRule(budget, k, measure_bounds(class_bounds, table))
    ranges = range_columns(table, labels=labels, ordered=ordered)
    search = RegionSearch(DistinctTuples.of(table), rule, weights=weights, ranges=ranges)
    recoding = search.start(groups)
    for _ in range(n_sweeps):
        search.sweep(recoding, generator, regions=regions)
    return search.groups(recoding)
