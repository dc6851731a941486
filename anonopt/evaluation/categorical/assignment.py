"""Probabilistic linkage that gives each masked record another original: linear assignment.

Records that are equal are one node with a supply, so the assignment of N x N records becomes a
flow between distinct originals and distinct masked records. The flow is found as a linear
program that passes through one node for every value of every set of columns: a pair that agrees in
these columns can meet there, for the weight of agreeing in them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy

from anonopt._typing import BoolArray, FloatArray, IntArray, UnsignedArray
from anonopt.data.grouping import pack_codes
from anonopt.evaluation.categorical.masking_plan import MaskingPlan
from anonopt.evaluation.categorical.record_pairs import RecordPairs, distinct_records
from anonopt.measures.categorical.record_linkage import (
    agreement_shares,
    match_probabilities,
    pattern_weights,
)

MAX_PAIRS = 2**24
"""Most pairs of distinct originals and distinct masked records."""
TIGHT = 1e-7
"""Reduced costs below this are 0."""
BALANCED = 1e-10
"""Flows are even enough when supplies and demands hold to this share."""
ROUNDS = 10_000


class Assignment(NamedTuple):
    """A largest assignment of masked records to originals.

    Attributes
    ----------
    weight : float
        Sum of the weights of all pairs that are linked.
    linkage : float
        Records that are linked correctly, in percent, on average over ties.
    """

    weight: float
    linkage: float


def assign_records(plan: MaskingPlan, codes: UnsignedArray) -> Assignment:
    """PRL by linear sum assignment (Domingo-Ferrer and Torra 2002; Mares 2013, Section 2.4.2).

    Each masked record is linked to one original and each original to one masked record, so that
    the sum of the weights is the largest. Many assignments reach it, and one of them alone would
    depend on the order of the rows. The credit is therefore that of the even one among them: of
    all largest flows between groups of equal records the one of greatest entropy, with the records
    of a group linked at random.

    Parameters
    ----------
    plan : MaskingPlan
        The original.
    codes : unsigned int array (n_rows, n_columns)
        The masked file.

    Raises
    ------
    ValueError
        If there are more than 2**24 pairs of distinct originals and masked records.
    """
    pairs = RecordPairs(plan)
    masked, demand, masked_position = distinct_records(codes, plan.n_categories)
    n_pairs = len(pairs.originals) * len(masked)
    if n_pairs > MAX_PAIRS:
        raise ValueError(
            f"one-to-one linkage: expected at most {MAX_PAIRS} pairs of distinct records, "
            f"found {n_pairs}"
        )
    patterns = pairs.nearest(masked, demand)[2]
    u = agreement_shares(patterns, plan.n_columns)
    weights = pattern_weights(match_probabilities(patterns, u, plan.n_rows), u)
    matrix = weights[pairs.agreement(masked)].T
    flow = _largest_flow(pairs.originals, masked, (pairs.counts, demand), weights, matrix, plan)
    _, _, position = distinct_records(plan.original, plan.n_categories)
    share = flow / np.outer(pairs.counts, demand)
    credit = share[position, masked_position]
    return Assignment(
        weight=float((flow * matrix).sum()),
        # In order of size, so that the order of the rows does not decide the last bits.
        linkage=100 * float(np.sort(credit).sum()) / plan.n_rows,
    )


def _largest_flow(
    originals: UnsignedArray,
    masked: UnsignedArray,
    supplies: tuple[IntArray, IntArray],
    weights: FloatArray,
    matrix: FloatArray,
    plan: MaskingPlan,
) -> FloatArray:
    """The even one of the flows of the largest weight, (n_originals, n_masked)."""
    n_columns = plan.n_columns
    gains = weights[1 << np.arange(n_columns)] - weights[0]
    if (gains >= 0).all():
        ends = _meeting_points(originals, masked, n_columns, plan.n_categories)
    else:
        # Agreement that speaks against a pair could be left out at a meeting point.
        ends = _direct_points(matrix.shape)
    flow, potentials = _solved(ends, supplies, weights, matrix)
    reduced = potentials[0][:, np.newaxis] + potentials[1] - matrix
    is_tight = reduced <= TIGHT * max(1.0, float(np.abs(matrix).max()))
    return _even_flow(is_tight, flow, supplies)


class _Points(NamedTuple):
    """Edges of the program: of originals to meeting points, and of these to masked records."""

    original: IntArray
    original_point: IntArray
    masked: IntArray
    masked_point: IntArray
    pattern: IntArray | None


def _meeting_points(
    originals: UnsignedArray, masked: UnsignedArray, n_columns: int, n_categories: tuple[int, ...]
) -> _Points:
    """One point for each set of columns and its values that occur in both files."""
    both = np.concatenate([originals, masked])
    n = len(originals)
    parts: list[tuple[IntArray, IntArray, IntArray, IntArray]] = []
    pattern_of_point: list[IntArray] = []
    first = 0
    for pattern in range(1 << n_columns):
        chosen = [j for j in range(n_columns) if pattern >> j & 1]
        if chosen:
            keys = pack_codes([both[:, j] for j in chosen], [n_categories[j] for j in chosen])
        else:
            keys = np.zeros(len(both), dtype=np.int64)
        shared = np.intersect1d(keys[:n], keys[n:])
        ends = []
        for part in (keys[:n], keys[n:]):
            place = np.minimum(np.searchsorted(shared, part), len(shared) - 1)
            inside = np.flatnonzero(shared[place] == part) if len(shared) else np.zeros(0, int)
            ends += [inside, first + place[inside]]
        parts.append((ends[0], ends[1], ends[2], ends[3]))
        pattern_of_point.append(np.full(len(shared), pattern))
        first += len(shared)
    joined = [np.concatenate(side) for side in zip(*parts, strict=True)]
    return _Points(joined[0], joined[1], joined[2], joined[3], np.concatenate(pattern_of_point))


def _direct_points(shape: tuple[int, ...]) -> _Points:
    """One point for each pair."""
    points = np.arange(shape[0] * shape[1])
    original, masked = np.divmod(points, shape[1])
    return _Points(original, points, masked, points, None)


def _solved(
    points: _Points, supplies: tuple[IntArray, IntArray], weights: FloatArray, matrix: FloatArray
) -> tuple[FloatArray, tuple[FloatArray, FloatArray]]:
    """A flow of the largest weight between originals and masked records, and its potentials."""
    n_originals, n_masked = matrix.shape
    value = matrix.ravel() if points.pattern is None else weights[points.pattern]
    n_in, n_out, n_points = len(points.original), len(points.masked), len(value)
    ones_in, ones_out = np.ones(n_in), np.ones(n_out)
    rows = np.concatenate(
        [
            points.original,
            n_originals + points.original_point,
            n_originals + points.masked_point,
            n_originals + n_points + points.masked,
        ]
    )
    columns_in, columns_out = np.arange(n_in), n_in + np.arange(n_out)
    columns = np.concatenate([columns_in, columns_in, columns_out, columns_out])
    entries = np.concatenate([ones_in, ones_in, -ones_out, ones_out])
    n_nodes = n_originals + n_points + n_masked
    balance: Any = scipy.sparse.csr_array(
        scipy.sparse.coo_array((entries, (rows, columns)), shape=(n_nodes, n_in + n_out))
    )
    program: Any = scipy.optimize.linprog(
        np.concatenate([-value[points.original_point], np.zeros(n_out)]).astype(np.float64),
        A_eq=balance,
        b_eq=np.concatenate([supplies[0], np.zeros(n_points), supplies[1]]).astype(np.float64),
        method="highs",
    )
    if program.status != 0:
        raise FloatingPointError(f"one-to-one linkage: no optimum found: {program.message}")
    duals = -np.asarray(program.eqlin.marginals)
    amounts = np.rint(program.x)
    into = scipy.sparse.coo_array(
        (amounts[:n_in], (points.original, points.original_point)), shape=(n_originals, n_points)
    ).tocsr()
    out = scipy.sparse.coo_array(
        (amounts[n_in:], (points.masked_point, points.masked)), shape=(n_points, n_masked)
    ).tocsr()
    through = np.asarray(into.sum(axis=0)).ravel()
    scale = np.divide(1.0, through, out=np.zeros(n_points), where=through > 0)
    flow = np.asarray((into.multiply(scale[np.newaxis, :]).tocsr() @ out).toarray())
    return flow, (duals[:n_originals], duals[n_originals + n_points :])


def _even_flow(
    is_tight: BoolArray, flow: FloatArray, supplies: tuple[IntArray, IntArray]
) -> FloatArray:
    """The flow of greatest entropy among those of the largest weight.

    These are the flows along tight edges. Such an edge is used by one of them if it lies on a
    cycle of edges that can take more and used edges that can give some back; scaling rows and
    columns in turn then makes the flow even.
    """
    n_originals, n_masked = flow.shape
    used = flow > 0
    ahead, back = np.nonzero(is_tight | used), np.nonzero(used)
    n = n_originals + n_masked
    graph = scipy.sparse.coo_array(
        (
            np.ones(len(ahead[0]) + len(back[0])),
            (
                np.concatenate([ahead[0], n_originals + back[1]]),
                np.concatenate([n_originals + ahead[1], back[0]]),
            ),
        ),
        shape=(n, n),
    ).tocsr()
    _, part = scipy.sparse.csgraph.connected_components(graph, directed=True, connection="strong")
    possible = (is_tight & (part[:n_originals, np.newaxis] == part[n_originals:])) | used
    supply, demand = supplies[0].astype(np.float64), supplies[1].astype(np.float64)
    edges = scipy.sparse.csr_array(possible.astype(np.float64))
    rows, columns = np.ones(n_originals), np.ones(n_masked)
    for _ in range(ROUNDS):
        rows = supply / (edges @ columns)
        columns = demand / (edges.T @ rows)
        error = np.abs(rows * (edges @ columns) - supply).max()
        if error <= BALANCED * supply.max():
            break
    return np.asarray(possible * np.outer(rows, columns))
