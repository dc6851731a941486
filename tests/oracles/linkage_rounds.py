"""Rounds of the linkage model in plain numbers, in the order in which arrays are folded."""

from __future__ import annotations

from collections.abc import Sequence

from anonopt.measures.categorical.record_linkage import CHANGE, LEAST, ROUNDS, START


def match_probabilities(counts: Sequence[int], shares: Sequence[float], n_rows: int) -> list[float]:
    """Probability of agreement of matched pairs in each column."""
    prior = 1 / n_rows
    unrelated = _products(shares, 1 - prior)
    m = [START] * len(shares)
    for _ in range(ROUNDS):
        pairs = [
            count * (matched / (matched + rest)) if count > 0 else 0.0
            for count, matched, rest in zip(counts, _products(m, prior), unrelated, strict=True)
        ]
        sums = []
        while len(pairs) > 1:
            differ, agree = pairs[: len(pairs) // 2], pairs[len(pairs) // 2 :]
            # One after the other: sums of Python correct what is rounded.
            total = 0.0
            for one in agree:
                total += one
            sums.insert(0, total)
            pairs = [one + other for one, other in zip(differ, agree, strict=True)]
        new = [min(max(total / pairs[0], LEAST), 1 - LEAST) for total in sums]
        change = max(abs(one - other) for one, other in zip(new, m, strict=True))
        m = new
        if change < CHANGE:
            break
    return m


def _products(shares: Sequence[float], first: float) -> list[float]:
    """Probability of each pattern under independent columns, times `first`."""
    products = [first]
    for share in shares:
        products = [one * (1 - share) for one in products] + [one * share for one in products]
    return products
