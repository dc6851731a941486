"""Passes over the records of a masked file that move each to the values that are best for it.

A pass is a coordinate descent: blocks of records that share their original and masked values are
taken out of the file, one block after the other, and put back as the record that makes the aim
least, what all others are at that moment being known.
"""

from __future__ import annotations

import numpy as np

from anonopt._typing import AnyArray, Generator, IntArray
from anonopt.evaluation.aim import Aim
from anonopt.evaluation.categorical.masking_plan import MaskingPlan
from anonopt.evaluation.categorical.record_costs import Links, RecordCosts, RecordTables

SHARES = (1.0, 0.03, 0.01, 0.003, 0.001)
"""Most records of a block, in shares of the rows; each pass draws one."""

MOST_BLOCKS = 4096
"""Blocks of a pass; of more, as many are drawn."""


class RecordPasses:
    """Moves records of masked versions of one original.

    Parameters
    ----------
    plan : MaskingPlan
    compiled : bool
        Whether passes are compiled (extra ``fast``); the records are the same, to the bit.

    Raises
    ------
    ValueError
        If the combinations of categories are too many, see `RecordCosts`.

    Examples
    --------
    >>> import anonopt as ao
    >>> german = ao.get_problem("german-masking")
    >>> passes = RecordPasses(german.evaluator.plan, compiled=german.evaluator.compiled)
    >>> original = german.evaluator.original.codes
    >>> rng = np.random.default_rng(1)
    >>> masked = passes.moved(original, Aim(loss=0.3, risk=0.7), rng, n_passes=3)
    >>> figures = german.evaluator.measure(masked).figures()
    >>> before = german.evaluator.measure(original).figures()
    >>> figures.DR < 30 < before.DR
    True
    """

    def __init__(self, plan: MaskingPlan, *, compiled: bool) -> None:
        self.costs = RecordCosts(plan)
        self.compiled = compiled

    def __deepcopy__(self, memo: dict[int, object]) -> RecordPasses:
        return self

    def moved(self, codes: AnyArray, aim: Aim, generator: Generator, *, n_passes: int) -> AnyArray:
        """A file in which records moved.

        Parameters
        ----------
        codes : int array (n_rows, V)
            The masked file, which is not changed.
        aim : Aim
        generator : numpy Generator
        n_passes : int
            Most passes; there are fewer where a pass of the finest blocks moves nothing.

        Returns
        -------
        int64 array (n_rows, V)
        """
        masked = self.costs.keys(codes)
        for _ in range(n_passes):
            share = SHARES[int(generator.integers(len(SHARES)))]
            n_moved = self._pass(masked, aim, share, generator)
            if n_moved == 0 and share == SHARES[-1]:
                break
        return self.costs.decoded(masked)

    def _pass(self, masked: IntArray, aim: Aim, share: float, generator: Generator) -> int:
        """Move records of a file, whose keys are overwritten; how many moved."""
        rows, ends = self._blocks(masked, share, generator)
        starts = np.concatenate([[0], ends[:-1]])
        order = generator.permutation(len(ends))[:MOST_BLOCKS]
        first = rows[starts[order]]
        sizes = (ends - starts)[order]
        blocks = np.column_stack([self.costs.originals[first], masked[first], sizes])
        links = self.costs.links(masked)
        tables = self.costs.tables(masked, links)
        weights = np.array(aim, dtype=np.float64)
        before = blocks[:, 1].copy()
        if self.compiled:
            from anonopt.evaluation.categorical.kernel_record_moves import move_blocks

            move_blocks(self.costs.arrays(), links, tables.arrays(), blocks, weights)
        else:
            for block in blocks:
                block[1] = self._best_record(links, tables, block, weights)
        changed = np.flatnonzero(blocks[:, 1] != before)
        for block in changed:
            part = rows[starts[order[block]] : ends[order[block]]]
            masked[part] = blocks[block, 1]
        return int(sizes[changed].sum())

    def _blocks(
        self, masked: IntArray, share: float, generator: Generator
    ) -> tuple[IntArray, IntArray]:
        """Rows, block after block, and where each block ends."""
        most = max(1, int(share * len(masked)))
        shuffled = generator.permutation(len(masked))
        kinds = (self.costs.originals * len(self.costs.codes) + masked)[shuffled]
        order = np.argsort(kinds, kind="stable")
        rows, kinds = shuffled[order], kinds[order]
        is_first = np.concatenate([[True], kinds[1:] != kinds[:-1]])
        first = np.flatnonzero(is_first)
        within = np.arange(len(kinds)) - first[np.cumsum(is_first) - 1]
        begins = np.flatnonzero(within % most == 0)
        return rows, np.concatenate([begins[1:], [len(rows)]])

    def _best_record(
        self,
        links: Links,
        tables: RecordTables,
        block: IntArray,
        weights: AnyArray,
    ) -> int:
        """Key of the record that a block of records becomes; the tables follow.

        The twin of the compiled kernel: sums are in the same order.
        """
        (codes, sizes, starts, joint_starts), cells, losses, risks = self.costs.arrays()
        per_step, unknown, nats, per_difference, tolerance = losses
        hits, distances, nearest, credit = risks
        ranks, best, likely_credit = links
        joint, totals, differences = tables.joint, tables.totals, tables.differences
        original, key, n = (int(one) for one in block)
        own, its = codes[original], codes[key]
        places, at = joint_starts[:-1] + own * sizes + its, starts + its
        loss, interval, near, likely = tables.figures.tolist()
        entropy = nats[totals[at]] - nats[totals[at] - n] - nats[joint[places]]
        taken = n * per_step[places] + unknown * (entropy + nats[joint[places] - n])
        for j in range(len(sizes)):
            loss -= float(taken[j])
            interval -= n * float(hits[places[j]])
        joint[places] -= n
        totals[at] -= n
        agrees = int(((own == its) << np.arange(len(sizes))).sum())
        near -= n * credit[key] if distances[places].sum() == nearest[key] else 0.0
        likely -= n * likely_credit[key] if ranks[agrees] == best[key] else 0.0
        for cell in cells[key]:
            loss -= per_difference * (abs(differences[cell]) - abs(differences[cell] - n))
            differences[cell] -= n
        of_loss = np.full(len(codes), loss)
        of_interval = np.full(len(codes), interval)
        apart, agreement = np.zeros((2, len(codes)), dtype=np.int64)
        for j, size in enumerate(sizes):
            place = slice(*(joint_starts[j] + own[j] * size + (0, size)))
            total = totals[starts[j] : starts[j] + size]
            entropy = nats[total + n] - nats[total] - nats[joint[place] + n]
            added = n * per_step[place] + unknown[j] * (entropy + nats[joint[place]])
            of_loss += added[codes[:, j]]
            of_interval += (n * hits[place])[codes[:, j]]
            apart += distances[place][codes[:, j]]
            agreement |= (codes[:, j] == own[j]).astype(np.int64) << j
        for subset in range(cells.shape[1]):
            counts = differences[cells[:, subset]]
            of_loss += per_difference * (np.abs(counts + n) - np.abs(counts))
        of_near = np.where(apart == nearest, near + n * credit, near)
        of_likely = np.where(ranks[agreement] == best, likely + n * likely_credit, likely)
        risk = 0.5 * (of_interval + np.maximum(of_near, of_likely))
        cost = weights[0] * of_loss + weights[1] * risk + weights[2] * np.maximum(of_loss, risk)
        cost[key] -= tolerance
        chosen = int(np.argmin(cost))
        chosen = chosen if cost[chosen] < cost[key] else key
        tables.figures[:] = of_loss[chosen], of_interval[chosen], of_near[chosen], of_likely[chosen]
        joint[joint_starts[:-1] + own * sizes + codes[chosen]] += n
        totals[starts + codes[chosen]] += n
        differences[cells[chosen]] += n
        return chosen
