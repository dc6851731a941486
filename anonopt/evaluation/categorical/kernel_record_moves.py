"""Compiled kernel (extra ``fast``): records of one kind move to the record that is best for them.

It computes what `RecordPasses` does without it, to the bit, and is held equal to that by tests.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled

SLACK = 1e-6
"""Bounds are below what they bound by more than sums are rounded."""


@compiled
def move_blocks(static, links, tables, blocks, weights):  # type: ignore[no-untyped-def]
    """Move blocks of records, one after the other; say where each went.

    `static` is ``RecordCosts.arrays()``, `links` ranks, best rank and credit of the records,
    `tables` ``RecordTables.arrays()``, `blocks` original key, masked key and records of each,
    int64 (n, 3), whose second column is overwritten.
    """
    layout, cells, losses, risks = static
    codes, sizes, starts, joint_starts = layout
    distance_loss, unknown, nats, difference_loss, tolerance = losses
    hits, distances, nearest, credit = risks
    ranks, best, likely_credit = links
    joint, totals, differences, figures = tables
    n_records, n_columns, n_subsets = len(codes), len(sizes), cells.shape[1]
    loss_of, risk_of = np.empty((n_columns, sizes.max())), np.empty((n_columns, sizes.max()))
    far = np.empty((n_columns, sizes.max()), np.int64)
    for block in range(len(blocks)):
        original, key, n = blocks[block]
        loss, interval, near, likely = figures
        agrees, apart = np.int64(0), np.int64(0)
        for j in range(n_columns):
            place = joint_starts[j] + codes[original, j] * sizes[j] + codes[key, j]
            at = starts[j] + codes[key, j]
            loss -= n * distance_loss[place] + unknown[j] * (
                nats[totals[at]]
                - nats[totals[at] - n]
                - nats[joint[place]]
                + nats[joint[place] - n]
            )
            interval -= n * hits[place]
            apart += distances[place]
            agrees |= np.int64(codes[original, j] == codes[key, j]) << j
            joint[place] -= n
            totals[at] -= n
        if apart == nearest[key]:
            near -= n * credit[key]
        if ranks[agrees] == best[key]:
            likely -= n * likely_credit[key]
        for subset in range(n_subsets):
            cell = cells[key, subset]
            loss -= difference_loss * (abs(differences[cell]) - abs(differences[cell] - n))
            differences[cell] -= n
        for j in range(n_columns):
            for code in range(sizes[j]):
                place = joint_starts[j] + codes[original, j] * sizes[j] + code
                at = starts[j] + code
                loss_of[j, code] = n * distance_loss[place] + unknown[j] * (
                    nats[totals[at] + n]
                    - nats[totals[at]]
                    - nats[joint[place] + n]
                    + nats[joint[place]]
                )
                risk_of[j, code] = n * hits[place]
                far[j, code] = distances[place]
        least, chosen = np.inf, key
        # A moved record brings a table closer to the original by its records at most.
        nearer = n * difference_loss * n_subsets + SLACK
        for place in range(-1, n_records):
            # The record that the block is has the first say, so that it stays if none is better.
            record = key if place < 0 else place
            of_loss, of_interval, of_near, of_likely = loss, interval, near, likely
            agrees, apart = np.int64(0), np.int64(0)
            for j in range(n_columns):
                code = codes[record, j]
                of_loss += loss_of[j, code]
                of_interval += risk_of[j, code]
                apart += far[j, code]
                agrees |= np.int64(codes[original, j] == code) << j
            if apart == nearest[record]:
                of_near += n * credit[record]
            if ranks[agrees] == best[record]:
                of_likely += n * likely_credit[record]
            risk = 0.5 * (of_interval + max(of_near, of_likely))
            at_least = of_loss - nearer
            if weights[0] * at_least + weights[1] * risk + weights[2] * max(at_least, risk) > least:
                continue
            for subset in range(n_subsets):
                before = differences[cells[record, subset]]
                of_loss += difference_loss * (abs(before + n) - abs(before))
            cost = weights[0] * of_loss + weights[1] * risk + weights[2] * max(of_loss, risk)
            if place < 0:
                cost -= tolerance
            if cost < least:
                least, chosen = cost, record
                figures[0], figures[1], figures[2], figures[3] = (
                    of_loss,
                    of_interval,
                    of_near,
                    of_likely,
                )
        for j in range(n_columns):
            joint[joint_starts[j] + codes[original, j] * sizes[j] + codes[chosen, j]] += n
            totals[starts[j] + codes[chosen, j]] += n
        for subset in range(n_subsets):
            differences[cells[chosen, subset]] += n
        blocks[block, 1] = chosen
