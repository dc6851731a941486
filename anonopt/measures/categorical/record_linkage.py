"""Record linkage of a masked file to its original: DBRL and PRL from tables of counts.

Both figures are percentages of records linked correctly, 0..100, less is better. A masked record
that is linked to several originals alike counts as one over their number if the true one is among
them. Mares 2013, Section 2.4.2; Domingo-Ferrer and Torra 2002; Fellegi and Sunter 1969.
"""

from __future__ import annotations

import math

import numpy as np

from anonopt._typing import AnyIntArray, BoolArray, FloatArray, IntArray

START = 0.9
"""Agreement probability of a true pair that the estimation starts from."""
CHANGE = 1e-6
"""The estimation ends when no probability changes by as much as this ..."""
ROUNDS = 500
"""... or after this number of rounds."""
LEAST = 1e-9
"""Probabilities stay this far from 0 and from 1."""
TIE = 1e-9
"""Weights closer than this, relative to their size, are the same weight."""
MAX_COLUMNS = 20
"""There are 2**n_columns patterns of agreement."""
FEW_PATTERNS = 32
"""Up to here plain floats are faster than numpy arrays."""


def linkage(linked: AnyIntArray, ties: AnyIntArray, n_rows: int) -> float:
    """Share of masked records linked correctly, ties shared: DBRL and PRL.

    Parameters
    ----------
    linked : int array (n,)
        Groups of masked records: how many have their true original among those they are
        linked to.
    ties : int array (n,)
        To how many originals each record of the group is linked.
    n_rows : int

    Returns
    -------
    float
        ``100 * sum of linked / ties / n_rows``, 0..100.

    Examples
    --------
    Original 0, 0, 20 masked as 0, 0, 20: the first two records tie between two originals.

    >>> round(linkage(np.array([2, 1]), np.array([2, 1]), 3), 6)
    66.666667
    """
    some = linked > 0
    different, group = np.unique(ties[some], return_inverse=True)
    totals = np.bincount(group, linked[some], minlength=len(different))
    return 100 * math.fsum((totals / different).tolist()) / n_rows


def agreement_shares(pattern_counts: IntArray, n_columns: int) -> FloatArray:
    """Share of all pairs of records that agree in each column: the probabilities u.

    Parameters
    ----------
    pattern_counts : int64 array (2**n_columns,)
        Pairs of an original and a masked record by agreement; bit j of the position is set if
        they agree in column j. They add up to n_rows**2.

    Returns
    -------
    float array (n_columns,)
        Within 1e-9 of neither 0 nor 1.

    Examples
    --------
    >>> agreement_shares(np.array([1, 2, 0, 1]), 2)
    array([0.75, 0.25])
    """
    total = int(pattern_counts.sum())
    patterns = np.arange(len(pattern_counts))
    shares = [
        int(pattern_counts[(patterns >> column) & 1 == 1].sum()) / total
        for column in range(n_columns)
    ]
    return np.clip(shares, LEAST, 1 - LEAST)


def match_probabilities(pattern_counts: IntArray, u: FloatArray, n_rows: int) -> FloatArray:
    """Share of true pairs that agree in each column, by EM: the probabilities m.

    Every pair is a true one with probability ``1 / n_rows``, which stays fixed. m starts at 0.9
    and is estimated anew until its largest change is below 1e-6, or 500 times.

    Parameters
    ----------
    pattern_counts : int64 array (2**n_columns,)
        As in :func:`agreement_shares`.
    u : float array (n_columns,)
    n_rows : int

    Returns
    -------
    float array (n_columns,)
        Within 1e-9 of neither 0 nor 1.

    Examples
    --------
    Two records in one column that agree with themselves alone:

    >>> match_probabilities(np.array([2, 2]), np.array([0.5]), 2).round(3)
    array([0.5])
    """
    counts = pattern_counts.astype(np.float64)
    prior = 1 / n_rows
    unrelated = _pattern_products(u, 1 - prior)
    if len(counts) <= FEW_PATTERNS:
        return _few_patterns(counts, unrelated, len(u), prior)
    # Patterns stand in a table of those of the last columns by those of the first ones: products
    # and sums over one side or the other, instead of column by column.
    half = len(u) // 2
    sides = [(slice(None, half), _patterns(half)), (slice(half, None), _patterns(len(u) - half))]
    shape = (len(sides[1][1]), len(sides[0][1]))
    counts, unrelated = counts.reshape(shape), unrelated.reshape(shape)
    m = np.full(len(u), START)
    for _ in range(ROUNDS):
        first, last = (
            np.where(agrees, m[columns], 1 - m[columns]).prod(axis=1) for columns, agrees in sides
        )
        matched = prior * last[:, np.newaxis] * first
        pairs = counts * (matched / (matched + unrelated))
        totals = pairs.sum(axis=1)
        agreeing = np.concatenate([pairs.sum(axis=0) @ sides[0][1], totals @ sides[1][1]])
        estimate = np.clip(agreeing / totals.sum(), LEAST, 1 - LEAST)
        change = np.abs(estimate - m).max()
        m = estimate
        if change < CHANGE:
            break
    return m


def _patterns(n_columns: int) -> BoolArray:
    """Which columns each pattern says agree, (2**n_columns, n_columns)."""
    patterns = np.arange(1 << n_columns)[:, np.newaxis]
    return np.asarray(patterns >> np.arange(n_columns) & 1 == 1)


def _pattern_products(shares: FloatArray, first: float) -> FloatArray:
    """Probability of each pattern under independent columns, times `first`, (2**n_columns,)."""
    products = np.array([first])
    for share in shares:
        products = np.concatenate([products * (1 - share), products * share])
    return products


def _few_patterns(
    counts: FloatArray, unrelated: FloatArray, n_columns: int, prior: float
) -> FloatArray:
    """The same rounds in plain floats."""
    rows = [
        (pattern, count, rest)
        for pattern, (count, rest) in enumerate(
            zip(counts.tolist(), unrelated.tolist(), strict=True)
        )
        if count > 0
    ]
    members = [
        [position for position, row in enumerate(rows) if row[0] >> column & 1]
        for column in range(n_columns)
    ]
    # The probabilities of all patterns are products of pairs; the last column varies slowest.
    slowest_first = range(n_columns - 1, -1, -1)
    m = [START] * n_columns
    for _ in range(ROUNDS):
        factors = [prior]
        for column in slowest_first:
            agree = m[column]
            differ = 1 - agree
            factors = [part * share for part in factors for share in (differ, agree)]
        pairs = [
            count * (factors[pattern] / (factors[pattern] + rest)) for pattern, count, rest in rows
        ]
        total = sum(pairs)
        change = 0.0
        for column, positions in enumerate(members):
            share = sum([pairs[position] for position in positions]) / total
            share = min(max(share, LEAST), 1 - LEAST)
            change = max(change, abs(share - m[column]))
            m[column] = share
        if change < CHANGE:
            break
    return np.array(m)


def pattern_weights(m: FloatArray, u: FloatArray) -> FloatArray:
    """Weight of each agreement pattern.

    Parameters
    ----------
    m, u : float arrays (n_columns,)

    Returns
    -------
    float array (2**n_columns,)
        Sum over the columns of ``log(m / u)`` where the pair agrees and
        ``log((1 - m) / (1 - u))`` where it does not.

    Examples
    --------
    >>> pattern_weights(np.array([0.9]), np.array([0.5])).round(3)
    array([-1.609,  0.588])
    """
    weights = np.zeros(1)
    for column in range(len(u) - 1, -1, -1):
        parts = math.log((1 - m[column]) / (1 - u[column])), math.log(m[column] / u[column])
        weights = (weights[:, np.newaxis] + parts).ravel()
    return weights


def pattern_ranks(m: FloatArray, u: FloatArray) -> IntArray:
    """Rank of each agreement pattern by its weight, the same for equal weights.

    Weights closer than 1e-9 of their size are equal, since rounding may not decide between
    patterns of the same weight.

    Parameters
    ----------
    m, u : float arrays (n_columns,)

    Returns
    -------
    int64 array (2**n_columns,)
        0 for the smallest weight; a larger rank is linked first.

    Examples
    --------
    >>> pattern_ranks(np.array([0.9, 0.9]), np.array([0.5, 0.5])).tolist()
    [0, 1, 1, 2]
    """
    weights = pattern_weights(m, u)
    order = np.argsort(weights, kind="stable")
    ascending = weights[order]
    steps = np.diff(ascending) > TIE * np.maximum(1, np.abs(ascending[1:]))
    ranks = np.empty(len(weights), dtype=np.int64)
    ranks[order] = np.concatenate([[0], np.cumsum(steps)])
    return ranks


def estimated_ranks(pattern_counts: IntArray, n_columns: int, n_rows: int) -> IntArray:
    """Ranks of the agreement patterns under the probabilities that their counts tell.

    Parameters
    ----------
    pattern_counts : int64 array (2**n_columns,)
        As in :func:`agreement_shares`.
    n_columns, n_rows : int

    Returns
    -------
    int64 array (2**n_columns,)
        See :func:`pattern_ranks`.

    Examples
    --------
    Three records in one column that agree with themselves alone:

    >>> estimated_ranks(np.array([6, 3]), 1, 3).tolist()
    [0, 1]
    """
    u = agreement_shares(pattern_counts, n_columns)
    return pattern_ranks(match_probabilities(pattern_counts, u, n_rows), u)


def check_columns(n_columns: int) -> None:
    """Raise if there are too many columns for a table of agreement patterns."""
    if n_columns > MAX_COLUMNS:
        raise ValueError(
            f"expected at most {MAX_COLUMNS} columns (there are 2**n agreement patterns), "
            f"found {n_columns}"
        )
