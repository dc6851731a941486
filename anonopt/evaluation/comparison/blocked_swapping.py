"""Linkage against rank swapping where pairs of records are compared within blocks: bounds of RSRL.

A masked value can come from a range of categories, so the originals that a record can come from lie
in a box. How many rows a box has in the columns of the blocks is known without comparing records:
no more than those can be candidates outside the block.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np

from anonopt._typing import IntArray, UnsignedArray
from anonopt.data.grouping import pack_codes
from anonopt.evaluation.categorical.masking_wide import shared_linkage
from anonopt.evaluation.categorical.record_pairs import RecordPairs, distinct_records
from anonopt.evaluation.comparison.blocked_linkage import block_parts
from anonopt.measures.categorical.rank_swapping_linkage import candidate_ranges

MAX_CELLS = 2**24
"""Combinations of the columns of the blocks of which rows are counted."""
MAX_CORNERS = 2**8
"""Corners of a box in these columns."""


def swapping_bounds(
    pairs: RecordPairs, codes: UnsignedArray, weights: IntArray, blocks: Sequence[int], p: float
) -> dict[str, float]:
    """Bounds of RSRL, percent.

    Parameters
    ----------
    pairs, codes, weights, blocks
        As for :func:`anonopt.evaluation.comparison.blocked_linkage.linkage_bounds`.
    p : float
        Percent of the rows that ranks were swapped within.

    Returns
    -------
    dict
        ``RSRL_least`` and ``RSRL_most``, 0..100. They are the figure itself without blocks, and
        where all columns of the blocks are nominal: such values are not swapped.
    """
    plan = pairs.plan
    ranges = []
    for j, (size, n_ordered) in enumerate(
        zip(plan.n_categories, plan.distances.n_ordered, strict=True)
    ):
        counts = _rows_of_values(pairs, j)
        ranges.append(candidate_ranges(counts[:n_ordered] if n_ordered else None, size, p))
    masked, _, position = distinct_records(codes, plan.n_categories)
    is_linked = np.ones(len(codes), dtype=bool)
    for j, (first, last) in enumerate(ranges):
        original, found = plan.original[:, j], codes[:, j]
        is_linked &= (first[found] <= original) & (original <= last[found])
    inside, outside = np.zeros((2, len(masked)), dtype=np.int64)
    if blocks:
        outside[:] = _rows_of_boxes(pairs, masked, blocks, ranges)
    is_asked = np.bincount(position[is_linked], minlength=len(masked)) > 0
    for members, part in block_parts(pairs, masked, blocks):
        asked = members[is_asked[members]]
        inside[asked] = part.n_within(masked[asked], ranges)
        outside[members] -= part.counts.sum() if blocks else 0
    most = inside + outside
    for j, (first, last) in enumerate(ranges):
        upto = np.concatenate([[0], np.cumsum(_rows_of_values(pairs, j))])
        values = masked[:, j]
        np.minimum(most, upto[last[values] + 1] - upto[first[values]], out=most)
    _, _, of_original = distinct_records(plan.original, plan.n_categories)
    is_inside = (plan.original[:, blocks] == codes[:, blocks]).all(axis=1)
    least = inside[position] + np.where(is_inside, 0, pairs.counts[of_original])
    return {
        "RSRL_least": shared_linkage(is_linked, np.maximum(most[position], 1), weights),
        "RSRL_most": shared_linkage(is_linked, np.maximum(least, 1), weights),
    }


def _rows_of_values(pairs: RecordPairs, column: int) -> IntArray:
    """Rows of the original of each category."""
    size = pairs.plan.n_categories[column]
    # Numbers of rows are far below 2**53, so floats hold them exactly.
    return np.bincount(pairs.originals[:, column], pairs.counts, minlength=size).astype(np.int64)


def _rows_of_boxes(
    pairs: RecordPairs,
    masked: UnsignedArray,
    blocks: Sequence[int],
    ranges: Sequence[tuple[IntArray, IntArray]],
) -> IntArray:
    """Original rows within the ranges of the columns of the blocks, (n,); or all rows."""
    sizes = [pairs.plan.n_categories[j] for j in blocks]
    if prod(size + 1 for size in sizes) > MAX_CELLS or 1 << len(blocks) > MAX_CORNERS:
        return np.full(len(masked), int(pairs.counts.sum()))
    keys = pack_codes(list(pairs.originals[:, blocks].T), sizes)
    counts = np.bincount(keys, pairs.counts, minlength=prod(sizes)).astype(np.int64)
    upto = np.zeros([size + 1 for size in sizes], dtype=np.int64)
    upto[(slice(1, None),) * len(sizes)] = counts.reshape(sizes)
    for axis in range(len(sizes)):
        np.cumsum(upto, axis=axis, out=upto)
    ends = [(ranges[j][0][masked[:, j]], ranges[j][1][masked[:, j]] + 1) for j in blocks]
    found = np.zeros(len(masked), dtype=np.int64)
    for corner in product((0, 1), repeat=len(blocks)):
        sign = (-1) ** (len(blocks) - sum(corner))
        found += sign * upto[tuple(end[side] for end, side in zip(ends, corner, strict=True))]
    return found
