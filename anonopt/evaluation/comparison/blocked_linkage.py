"""Record linkage where pairs of records are compared within blocks: bounds of DBRL and PRL.

Records of other blocks are not looked at, but it is known how near they can be at best: they differ
in a column of the blocks. Whatever that leaves open counts as linked in the upper bound alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from anonopt._typing import IntArray, UnsignedArray
from anonopt.data.grouping import pack_codes
from anonopt.evaluation.categorical.masking_wide import record_linkages, shared_linkage
from anonopt.evaluation.categorical.record_pairs import RecordPairs, distinct_records
from anonopt.measures.categorical.record_linkage import estimated_ranks

FAR = np.iinfo(np.int64).max
"""Distance to an original that is not there."""


def linkage_bounds(
    pairs: RecordPairs, codes: UnsignedArray, weights: IntArray, blocks: Sequence[int]
) -> dict[str, float]:
    """Bounds of DBRL and PRL, percent.

    Parameters
    ----------
    pairs : RecordPairs
        Of the originals, with `weights`.
    codes : unsigned int array (n, n_columns)
        Masked records, of the rows of the codes of the plan.
    weights : int64 array (n,)
        Rows of the file that each of them stands for.
    blocks : sequence of int
        Columns in which records have to agree to be compared. Without any all are compared, and the
        bounds are the figures.

    Returns
    -------
    dict
        ``DBRL_least``, ``DBRL_most``, ``PRL_least`` and ``PRL_most``, 0..100.
    """
    if not blocks:
        by_distance, probabilistic = record_linkages(pairs, codes, weights)
        return {
            "DBRL_least": by_distance,
            "DBRL_most": by_distance,
            "PRL_least": probabilistic,
            "PRL_most": probabilistic,
        }
    return _Blocks(pairs, codes, weights, blocks).bounds()


class _Blocks:
    """Masked records and the originals of their blocks."""

    def __init__(
        self, pairs: RecordPairs, codes: UnsignedArray, weights: IntArray, blocks: Sequence[int]
    ) -> None:
        plan = pairs.plan
        self._pairs, self._codes, self._weights, self._blocks = pairs, codes, weights, blocks
        self._masked, self._rows, self._position = distinct_records(
            codes, plan.n_categories, weights
        )
        _, _, original = distinct_records(plan.original, plan.n_categories)
        self._own_count = pairs.counts[original]
        self._inside = (plan.original[:, blocks] == codes[:, blocks]).all(axis=1)

    def bounds(self) -> dict[str, float]:
        """Bounds of both linkages."""
        pairs, n = self._pairs, len(self._masked)
        ranks = estimated_ranks(self._patterns(), pairs.plan.n_columns, pairs.plan.n_rows)
        nearest, likeliest = (np.full(n, FAR) for _ in range(2))
        near_ties, likely_ties = (np.zeros(n, dtype=np.int64) for _ in range(2))
        for members, part in block_parts(pairs, self._masked, self._blocks):
            records = self._masked[members]
            nearest[members], near_ties[members] = part.closest(records)
            best, likely_ties[members] = part.likeliest(records, ranks)
            likeliest[members] = -best
        distances, agreement = pairs.own(self._codes)
        bits = sum(1 << j for j in self._blocks)
        lacks = (np.arange(len(ranks)) & bits) != bits
        outside = np.full(n, -int(ranks[lacks].max()))
        found = self._bounds(distances, nearest, near_ties, self._gaps())
        least, most = self._bounds(-ranks[agreement], likeliest, likely_ties, outside)
        return {
            "DBRL_least": found[0],
            "DBRL_most": found[1],
            "PRL_least": least,
            "PRL_most": most,
        }

    def _bounds(
        self, own: IntArray, best: IntArray, ties: IntArray, outside: IntArray
    ) -> tuple[float, float]:
        """Least and largest linkage; what is smaller is linked first.

        `own` is that of each record and its original, `best` that of the best original of its
        block, and `outside` what no original of another block is better than.
        """
        best, ties, outside = (one[self._position] for one in (best, ties, outside))
        is_best = own == best
        certain = self._inside & is_best & (best < outside)
        # Equal originals are as near, and so are those of the block at the same distance.
        at_least = np.where(self._inside, ties, self._own_count + np.where(is_best, ties, 0))
        return (
            shared_linkage(certain, ties, self._weights),
            shared_linkage(own <= best, at_least, self._weights),
        )

    def _gaps(self) -> IntArray:
        """Least distance of each masked record to an original of another block, or less."""
        plan, gaps = self._pairs.plan, np.full(len(self._masked), FAR)
        for j in self._blocks:
            others = np.unique(self._pairs.originals[:, j])
            n = plan.n_categories[j]
            distances = plan.distances.units[j][
                plan.distances.steps(j, np.arange(n)[:, np.newaxis], others)
            ]
            distances = np.where(np.arange(n)[:, np.newaxis] == others, FAR, distances)
            np.minimum(gaps, distances.min(axis=1)[self._masked[:, j]], out=gaps)
        return gaps

    def _patterns(self) -> IntArray:
        """Pairs of an original and a masked row by the columns in which they agree.

        Those that agree in at least some columns are a sum over the combinations of these; taking
        away those that agree in one more, column by column, leaves those that agree in no others.
        """
        originals, sizes = self._pairs.originals, self._pairs.plan.n_categories
        both = np.concatenate([originals, self._masked])
        patterns = np.empty(1 << len(sizes), dtype=np.int64)
        patterns[0] = int(self._pairs.counts.sum()) * int(self._rows.sum())
        for pattern in range(1, len(patterns)):
            chosen = [j for j in range(len(sizes)) if pattern >> j & 1]
            keys = pack_codes([both[:, j] for j in chosen], [sizes[j] for j in chosen])
            _, group = np.unique(keys, return_inverse=True)
            n = int(group.max()) + 1
            # Numbers of rows are far below 2**53, so floats hold them exactly.
            before = np.bincount(group[: len(originals)], self._pairs.counts, minlength=n)
            after = np.bincount(group[len(originals) :], self._rows, minlength=n)
            patterns[pattern] = before.astype(np.int64) @ after.astype(np.int64)
        for j in range(len(sizes)):
            for pattern in range(len(patterns)):
                if not pattern >> j & 1:
                    patterns[pattern] -= patterns[pattern | 1 << j]
        return patterns


def block_parts(
    pairs: RecordPairs, masked: UnsignedArray, blocks: Sequence[int]
) -> Iterator[tuple[IntArray, RecordPairs]]:
    """Positions of the masked records of each block that has originals, and these.

    Parameters
    ----------
    pairs : RecordPairs
    masked : unsigned int array (n, n_columns)
    blocks : sequence of int
        Columns; all records are one block without any.
    """
    sizes = [pairs.plan.n_categories[j] for j in blocks]
    if not sizes:
        yield np.arange(len(masked)), pairs
        return
    both = np.concatenate([pairs.originals[:, blocks], masked[:, blocks]])
    _, block = np.unique(pack_codes(list(both.T), sizes), return_inverse=True)
    n_blocks = int(block.max()) + 1
    members, originals = (
        np.split(np.argsort(of, kind="stable"), np.cumsum(np.bincount(of, minlength=n_blocks)))
        for of in (block[len(pairs.originals) :], block[: len(pairs.originals)])
    )
    for own, known in zip(members[:-1], originals[:-1], strict=True):
        if len(own) and len(known):
            yield own, pairs.part(known)
