"""What operators on local recodings need of the table and the rule that the recodings are for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from anonopt._typing import BoolArray, FloatArray, Generator, IntArray
from anonopt.data.hierarchies.leaf_ranges import value_ends
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.evaluation.local.cut_decoder import CutDecoder
from anonopt.local_recoding.regions.region_search import RegionSearch
from anonopt.local_recoding.regions.whole_table import whole_refusal
from anonopt.measures.lattice.suppression_rule import SuppressionRule


class GroupMaker:
    """Makes local recodings of one table under one rule, and improves them.

    Parameters
    ----------
    decoder : CutDecoder
    tuples : DistinctTuples
    rule : SuppressionRule
        With a fixed k.
    weights : mapping of str to float, optional
        Factor of each quasi-identifier's loss.
    """

    def __init__(
        self,
        decoder: CutDecoder,
        tuples: DistinctTuples,
        rule: SuppressionRule,
        weights: Mapping[str, float] | None,
    ) -> None:
        self._decoder, self._tuples, self._rule, self._weights = decoder, tuples, rule, weights

    def decoded(self, generator: Generator | None = None) -> RecodedGroups:
        """The recoding of random keys; without a generator, that of keys of 0.5."""
        return self._decoder.decode(self._keys(generator))

    def regrown(self, rows: IntArray, budget: int, generator: Generator) -> RecodedGroups:
        """Cut some rows anew by random keys.

        Parameters
        ----------
        rows : int64 array (n,)
        budget : int
            Rows among them that may be suppressed.
        generator : numpy Generator

        Returns
        -------
        RecodedGroups
            Of these rows: ``group_of_unit[i]`` is the group of ``rows[i]``.
        """
        return self._decoder.regrow(rows, self._keys(generator), budget=budget)

    @cached_property
    def regions(self) -> RegionSearch:
        """Improves recodings region by region.

        Raises
        ------
        ValueError
            If the rule has bounds of classes other than ``l``.
        """
        return RegionSearch(self._tuples, self._rule, weights=self._weights)

    def regions_of(self, ranges: BoolArray) -> RegionSearch:
        """As `regions`, with labels of some columns that are any runs of leaves.

        Parameters
        ----------
        ranges : bool array (n_quasi_identifiers,)
        """
        return RegionSearch(self._tuples, self._rule, weights=self._weights, ranges=ranges)

    @property
    def regroups(self) -> bool:
        """Whether recodings can be improved region by region under the rule."""
        return self._rule.bounds_distinct_alone and self.refusal is None

    @cached_property
    def refusal(self) -> str | None:
        """Why no recoding of the table holds to the rule; None if there may be one."""
        return whole_refusal(self._tuples, self._rule)

    def losses(self, groups: RecodedGroups) -> FloatArray:
        """General loss metric of each group, float64 array (n_groups,); less is better.

        Parameters
        ----------
        groups : RecodedGroups
            Of the table, or of some of its rows.
        """
        names, leaves = self._tuples.facts.names, self._tuples.facts.n_leaves
        costs = np.zeros(groups.n_groups)
        for a, name in enumerate(names):
            weight = 1.0 if self._weights is None else self._weights.get(name, 1.0)
            lost = (groups.highs[:, a] - groups.lows[:, a]) / max(leaves[a] - 1, 1)
            costs += weight * np.where(groups.suppressed, 1.0, lost)
        return np.asarray(costs * groups.sizes)

    def raised(self, low: int, high: int, column: int) -> tuple[int, int]:
        """First and last leaf of the next label above one, in a column; of the top, its own."""
        for codes in self._tuples.maps[column]:
            lower, upper = (int(ends[codes[low]]) for ends in value_ends(codes))
            if lower <= low and upper >= high and upper - lower > high - low:
                return lower, upper
        return low, high

    @property
    def rule(self) -> SuppressionRule:
        """What groups must meet."""
        return self._rule

    def _keys(self, generator: Generator | None) -> FloatArray:
        n = len(self._decoder.names)
        return np.full(n, 0.5) if generator is None else generator.random(n)
