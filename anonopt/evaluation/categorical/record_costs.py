"""What it costs to give a record other values: the parts of IL and DR that each record adds.

DBIL, ID and DBRL of a file are sums over its records. EBIL, CTBIL and, as long as the patterns of
agreement keep their order, PRL follow from counts that a moved record changes in a few places. So
the loss and risk of a file in which records moved are known without measuring it, exactly but for
that order.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np

from anonopt._typing import AnyArray, FloatArray, IntArray
from anonopt.evaluation.categorical.combination_tables import CombinationTables, PatternLinks
from anonopt.evaluation.categorical.masking_plan import MaskingPlan
from anonopt.measures.categorical.information_loss import (
    contingency_loss,
    distance_loss,
    information_loss,
)
from anonopt.measures.categorical.interval_disclosure import interval_disclosure
from anonopt.measures.categorical.record_linkage import estimated_ranks

TOLERANCE = 1e-12
"""A record stays where it is unless another place is better by more than this."""
MAX_RANKINGS = 16
"""Rankings of agreement patterns whose links are kept."""


Links: TypeAlias = tuple[IntArray, IntArray, FloatArray]
"""Ranks of agreement, best rank of each record, and what a link to it adds to PRL."""


class RecordCosts:
    """Costs of the records of masked versions of one original, for files whose tables fit.

    M is the number of combinations of categories, V that of columns; a record is known by its
    key, the position of its combination.

    Parameters
    ----------
    plan : MaskingPlan

    Attributes
    ----------
    codes : int64 array (M, V)
        Category codes of each combination.
    cells : int64 array (M, contingency tables)
        Where each combination counts in the contingency tables.
    originals : int64 array (n_rows,)
        Key of each original record.

    Raises
    ------
    ValueError
        If there are too many combinations of categories for tables over all of them.
    """

    def __init__(self, plan: MaskingPlan) -> None:
        reason = too_many_combinations(plan)
        if reason is not None:
            raise ValueError(reason)
        self.plan = plan
        self._tables = tables = CombinationTables(plan)
        n_rows, n_columns = plan.n_rows, plan.n_columns
        places = np.unravel_index(np.arange(len(tables.nearest)), plan.n_categories)
        self.codes = np.ascontiguousarray(np.array(places, dtype=np.int64).T)
        self.cells = tables.subset_starts[:-1] + self.codes @ tables.subset_strides.T
        self.originals = self.keys(plan.original)
        self._starts = np.concatenate([[0], np.cumsum(tables.sizes)[:-1]]).astype(np.int64)
        per_step = [
            information_loss(distance_loss([1], [scale], n_rows) / n_columns, 0.0, 0.0)
            for scale in plan.distances.scales
        ]
        shares = np.repeat(per_step, tables.sizes**2)
        counts = np.arange(n_rows + 1)
        # Nats that EBIL divides by; a column of one category counts 0.
        most = [n_rows * math.log(n) if n > 1 else math.inf for n in plan.n_categories]
        difference = contingency_loss(1, len(plan.subsets), n_rows, n_cells=plan.n_cells)
        self._layout = (self.codes, tables.sizes, self._starts, tables.joint_starts)
        self._losses = (
            tables.steps * shares,
            np.array([information_loss(0.0, 0.0, 100 / one) / n_columns for one in most]),
            counts * np.log(np.maximum(counts, 1)),
            information_loss(0.0, difference, 0.0),
            TOLERANCE,
        )
        self._risks = (
            tables.hits * interval_disclosure(1, n_rows, n_columns),
            tables.distances,
            tables.nearest,
            100 / (tables.ties[tables.tie_rank] * n_rows),
        )
        self._links: dict[bytes, Links] = {}

    def arrays(self) -> tuple[Any, ...]:
        """Layout, cells, losses and risks, as the passes over records take them."""
        return self._layout, self.cells, self._losses, self._risks

    def keys(self, codes: AnyArray) -> IntArray:
        """Key of each record of a file of codes (n_rows, V)."""
        return np.asarray(codes.astype(np.int64) @ self._tables.strides)

    def links(self, masked: IntArray) -> Links:
        """Ranks of agreement, best rank of each record, and what a link to it adds to PRL."""
        records = np.bincount(masked, minlength=len(self.codes))
        ranks = estimated_ranks(records @ self._tables.pairs, self.plan.n_columns, self.plan.n_rows)
        kept = self._links.get(ranks.tobytes())
        if kept is None:
            if len(self._links) >= MAX_RANKINGS:
                self._links.clear()
            links = PatternLinks.of(ranks, self._tables.pairs)
            credit = 100 / (links.ties[links.tie_rank] * self.plan.n_rows)
            kept = self._links[ranks.tobytes()] = (links.ranks, links.best, credit)
        return kept

    def tables(self, masked: IntArray, links: Links) -> RecordTables:
        """Count a masked file, given by the keys of its records."""
        sizes, starts = self._tables.sizes, self._tables.joint_starts
        before, after = self.codes[self.originals], self.codes[masked]
        joints = [
            np.bincount(before[:, j] * size + after[:, j], minlength=size * size)
            for j, size in enumerate(sizes)
        ]
        totals = [np.bincount(after[:, j], minlength=size) for j, size in enumerate(sizes)]
        records = np.bincount(masked, minlength=len(self.codes)).reshape(self.plan.n_categories)
        differences = self._tables.contingency(records) - self._tables.original_counts
        tables = RecordTables(np.concatenate(joints), np.concatenate(totals), differences)
        places = starts[:-1] + before * sizes + after
        agrees = ((before == after) << np.arange(len(sizes))).sum(axis=1)
        ranks, best, likely = links
        per_step, unknown, nats, per_difference, _ = self._losses
        hits, distances, nearest, credit = self._risks
        is_nearest = distances[places].sum(axis=1) == nearest[masked]
        is_likeliest = ranks[agrees] == best[masked]
        entropy = [
            share * (nats[total].sum() - nats[joint].sum())
            for share, total, joint in zip(unknown, totals, joints, strict=True)
        ]
        tables.figures[:] = (
            tables.joint @ per_step + sum(entropy) + per_difference * np.abs(differences).sum(),
            tables.joint @ hits,
            credit[masked[is_nearest]].sum(),
            likely[masked[is_likeliest]].sum(),
        )
        return tables

    def decoded(self, masked: IntArray) -> AnyArray:
        """Codes of a file, (n_rows, V), of the keys of its records."""
        return self.codes[masked]


class RecordTables:
    """Counts of one masked file that moved records change.

    Attributes
    ----------
    joint : int64 array (sum of L**2,)
        Rows of each original and masked category, column by column.
    totals : int64 array (sum of L,)
        Rows of each masked category.
    differences : int64 array (cells,)
        Masked less original counts of the contingency tables.
    figures : float array (4,)
        IL, ID, DBRL and PRL.
    """

    def __init__(self, joint: IntArray, totals: IntArray, differences: IntArray) -> None:
        self.joint, self.totals, self.differences = joint, totals, differences
        self.figures = np.zeros(4)

    def arrays(self) -> tuple[AnyArray, ...]:
        """The tables in the order of the attributes."""
        return self.joint, self.totals, self.differences, self.figures


def too_many_combinations(plan: MaskingPlan) -> str | None:
    """Why the tables over all combinations of categories do not fit; None if they do."""
    if CombinationTables.fit(plan):
        return None
    return (
        "expected columns whose combinations of categories fit tables, found "
        f"{math.prod(plan.n_categories)} combinations of {plan.n_columns} columns"
    )
