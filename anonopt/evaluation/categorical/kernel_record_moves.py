"""Compiled kernel (extra ``fast``): records of one kind move to the record that is best for them.

It computes what `RecordPasses` does without it, to the bit, and is held equal to that by tests.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import compiled, inlined

SLACK = 1e-6
"""Bounds are below what they bound by more than sums are rounded."""


@inlined
def _take_away(static, links, tables, original, key, n):  # type: ignore[no-untyped-def]
    """Take a block out of the tables; loss and risks of the records that are left."""
    (codes, sizes, starts, joint_starts), cells, losses, risks = static
    distance_loss, unknown, nats, difference_loss, _ = losses
    hits, distances, nearest, credit = risks
    ranks, best, likely_credit = links
    joint, totals, differences, figures = tables
    loss, interval, near, likely = figures
    agrees, apart = np.int64(0), np.int64(0)
    for j in range(len(sizes)):
        place = joint_starts[j] + codes[original, j] * sizes[j] + codes[key, j]
        at = starts[j] + codes[key, j]
        loss -= n * distance_loss[place] + unknown[j] * (
            nats[totals[at]] - nats[totals[at] - n] - nats[joint[place]] + nats[joint[place] - n]
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
    for subset in range(cells.shape[1]):
        cell = cells[key, subset]
        loss -= difference_loss * (abs(differences[cell]) - abs(differences[cell] - n))
        differences[cell] -= n
    return loss, interval, near, likely


@inlined
def _price_codes(static, tables, original, n, prices):  # type: ignore[no-untyped-def]
    """Write what a block costs with each code of each column: loss, interval risk, distance."""
    (codes, sizes, starts, joint_starts), _, (distance_loss, unknown, nats, _, _), risks = static
    hits, distances, _, _ = risks
    joint, totals, _, _ = tables
    loss_of, risk_of, far = prices
    for j in range(len(sizes)):
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


@inlined
def _choose(static, links, tables, block, left, prices, weights):  # type: ignore[no-untyped-def]
    """The record that is best for a block, whose figures are written; itself among equals."""
    (codes, sizes, _, _), cells, (_, _, _, difference_loss, tolerance), risks = static
    _, _, nearest, credit = risks
    ranks, best, likely_credit = links
    _, _, differences, figures = tables
    loss_of, risk_of, far = prices
    original, key, n = block
    least, chosen = np.inf, key
    # A moved record brings a table closer to the original by its records at most.
    nearer = n * difference_loss * cells.shape[1] + SLACK
    for place in range(-1, len(codes)):
        # The record that the block is has the first say, so that it stays if none is better.
        record = key if place < 0 else place
        loss, interval, near, likely = left
        agrees, apart = np.int64(0), np.int64(0)
        for j in range(len(sizes)):
            code = codes[record, j]
            loss += loss_of[j, code]
            interval += risk_of[j, code]
            apart += far[j, code]
            agrees |= np.int64(codes[original, j] == code) << j
        if apart == nearest[record]:
            near += n * credit[record]
        if ranks[agrees] == best[record]:
            likely += n * likely_credit[record]
        risk = 0.5 * (interval + max(near, likely))
        at_least = loss - nearer
        if weights[0] * at_least + weights[1] * risk + weights[2] * max(at_least, risk) > least:
            continue
        for subset in range(cells.shape[1]):
            before = differences[cells[record, subset]]
            loss += difference_loss * (abs(before + n) - abs(before))
        cost = weights[0] * loss + weights[1] * risk + weights[2] * max(loss, risk)
        if place < 0:
            cost -= tolerance
        if cost < least:
            least, chosen = cost, record
            figures[0], figures[1], figures[2], figures[3] = loss, interval, near, likely
    return chosen


@inlined
def _put(static, tables, original, key, n):  # type: ignore[no-untyped-def]
    """Put a block into the tables as another record."""
    (codes, sizes, starts, joint_starts), cells, _, _ = static
    joint, totals, differences, _ = tables
    for j in range(len(sizes)):
        joint[joint_starts[j] + codes[original, j] * sizes[j] + codes[key, j]] += n
        totals[starts[j] + codes[key, j]] += n
    for subset in range(cells.shape[1]):
        differences[cells[key, subset]] += n


@compiled
def move_blocks(static, links, tables, blocks, weights):  # type: ignore[no-untyped-def]
    """Move blocks of records, one after the other; say where each went.

    `static` is ``RecordCosts.arrays()``, `links` ranks, best rank and credit of the records,
    `tables` ``RecordTables.arrays()``, `blocks` original key, masked key and records of each,
    int64 (n, 3), whose second column is overwritten.
    """
    sizes = static[0][1]
    most = np.int64(0)
    for j in range(len(sizes)):
        most = max(most, sizes[j])
    shape = (len(sizes), most)
    prices = (np.empty(shape), np.empty(shape), np.empty(shape, np.int64))
    for i in range(len(blocks)):
        original, key, n = blocks[i]
        left = _take_away(static, links, tables, original, key, n)
        _price_codes(static, tables, original, n, prices)
        chosen = _choose(static, links, tables, (original, key, n), left, prices, weights)
        _put(static, tables, original, chosen, n)
        blocks[i, 1] = chosen
