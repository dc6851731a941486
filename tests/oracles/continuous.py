"""Slow twins of the figures of masked numeric files: plain loops over records and columns."""

from __future__ import annotations

import math
from itertools import combinations
from statistics import NormalDist

import numpy as np


def mid_rank(column, value):
    """Originals below, plus half of the equal ones, plus 1/2."""
    return sum(x < value for x in column) + (sum(x == value for x in column) + 1) / 2


def interval_disclosure(original, masked):
    n_rows, n_columns = original.shape
    inside = 0
    for p in range(1, 11):
        for i in range(n_rows):
            for j in range(n_columns):
                column = original[:, j]
                apart = abs(mid_rank(column, original[i, j]) - mid_rank(column, masked[i, j]))
                inside += 100 * apart <= p * n_rows
    return 100 * inside / (10 * n_rows * n_columns)


def distance_linkage(original, masked):
    spread = [x.std() if len(set(x)) > 1 else 0.0 for x in original.T]
    linked = 0.0
    for i, y in enumerate(masked):
        distances = [
            math.sqrt(sum(((y[j] - x[j]) / s) ** 2 for j, s in enumerate(spread) if s > 0))
            for x in original
        ]
        nearest = [k for k, d in enumerate(distances) if d <= min(distances) * (1 + 1e-9)]
        linked += (i in nearest) / len(nearest)
    return 100 * linked / len(masked)


def agreement(original, x, y, percent):
    """Columns in which an original record x and a masked one y agree, as bits."""
    window = percent * len(original) / 100
    bits = 0
    for j in range(len(x)):
        column = original[:, j]
        apart = abs(mid_rank(column, x[j]) - mid_rank(column, y[j]))
        bits |= (apart <= window + 1e-12) << j
    return bits


def probabilistic_linkage(original, masked, percent=5, agreement=agreement):
    """Fellegi-Sunter with agreement of ranks: fixed prior, EM, ties shared."""
    n_rows, n_columns = original.shape
    table = [[agreement(original, x, y, percent) for x in original] for y in masked]
    pairs = [bits for row in table for bits in row]
    u = [
        min(max(sum(bits >> j & 1 for bits in pairs) / len(pairs), 1e-9), 1 - 1e-9)
        for j in range(n_columns)
    ]
    m = [0.9] * n_columns

    def probability(shares, bits):
        return math.prod(s if bits >> j & 1 else 1 - s for j, s in enumerate(shares))

    for _ in range(500):
        matched = [probability(m, bits) / n_rows for bits in pairs]
        other = [probability(u, bits) * (1 - 1 / n_rows) for bits in pairs]
        g = [a / (a + b) for a, b in zip(matched, other, strict=True)]
        new = [
            sum(w for w, bits in zip(g, pairs, strict=True) if bits >> j & 1) / sum(g)
            for j in range(n_columns)
        ]
        new = [min(max(share, 1e-9), 1 - 1e-9) for share in new]
        change = max(abs(a - b) for a, b in zip(new, m, strict=True))
        m = new
        if change < 1e-6:
            break

    def weight(bits):
        return sum(
            math.log(m[j] / u[j]) if bits >> j & 1 else math.log((1 - m[j]) / (1 - u[j]))
            for j in range(n_columns)
        )

    linked = 0.0
    for i, row in enumerate(table):
        weights = [weight(bits) for bits in row]
        best = max(weights)
        ties = [k for k, w in enumerate(weights) if best - w <= 1e-9 * max(1, abs(best))]
        linked += (i in ties) / len(ties)
    return 100 * linked / n_rows


def rank_swapping_linkage(original, masked, percent):
    linked = 0.0
    everywhere = (1 << original.shape[1]) - 1
    for i, y in enumerate(masked):
        possible = [
            k for k, x in enumerate(original) if agreement(original, x, y, percent) == everywhere
        ]
        linked += (1 / len(possible)) if i in possible else 0.0
    return 100 * linked / len(masked)


def moment(x, y, r, s):
    return float(np.mean((x - x.mean()) ** r * (y - y.mean()) ** s))


def correlation(x, y):
    product = moment(x, x, 2, 0) * moment(y, y, 2, 0)
    return moment(x, y, 1, 1) / math.sqrt(product) if product > 0 else 0.0


def statistics(values):
    """Every statistic of a file by kind and columns."""
    found = {}
    n_columns = values.shape[1]
    for i in range(n_columns):
        x = values[:, i]
        found["mean", i] = float(x.mean())
        found["variance", i] = moment(x, x, 2, 0)
        for level in range(5, 100, 5):
            found["quantile", i, level] = float(np.quantile(x, level / 100))
    for i, j in combinations(range(n_columns), 2):
        x, y = values[:, i], values[:, j]
        found["covariance", i, j] = moment(x, y, 1, 1)
        found["correlation", i, j] = correlation(x, y)
    return found


def deviation(values, key):
    """Large-sample standard deviation of a statistic, by Mateo-Sanz's moments."""
    kind, i, *rest = key
    n_rows, x = len(values), values[:, i]
    if kind == "mean":
        return math.sqrt(moment(x, x, 2, 0) / n_rows)
    if kind == "variance":
        return math.sqrt(max(moment(x, x, 4, 0) - moment(x, x, 2, 0) ** 2, 0) / n_rows)
    if kind == "quantile":
        q = rest[0] / 100
        error = math.sqrt(q * (1 - q) / n_rows)
        low, high = max(q - error, 0), min(q + error, 1)
        width = float(np.quantile(x, high) - np.quantile(x, low))
        return error * width / (high - low)
    y = values[:, rest[0]]
    if kind == "covariance":
        return math.sqrt(max(moment(x, y, 2, 2) - moment(x, y, 1, 1) ** 2, 0) / n_rows)
    a, b, r = moment(x, x, 2, 0), moment(y, y, 2, 0), correlation(x, y)
    if a * b == 0:
        return 0.0
    variance = moment(x, y, 2, 2) / (a * b)
    variance += r * r / 4 * (moment(x, x, 4, 0) / a**2 + moment(y, y, 4, 0) / b**2)
    variance += r * r / 2 * moment(x, y, 2, 2) / (a * b)
    variance -= r * moment(x, y, 3, 1) / (a * math.sqrt(a * b))
    variance -= r * moment(x, y, 1, 3) / (b * math.sqrt(a * b))
    return math.sqrt(max(variance, 0) / n_rows)


def probabilistic_loss(original, masked):
    """PIL where no standard deviation is 0."""
    before, after = statistics(original), statistics(masked)
    by_kind = {}
    for key, value in before.items():
        steps = abs(after[key] - value) / deviation(original, key)
        by_kind.setdefault(key[0], []).append(100 * (2 * NormalDist().cdf(steps) - 1))
    return float(np.mean([np.mean(losses) for losses in by_kind.values()]))


def variation(before, after):
    """Change as a share of what was there, at most 1."""
    if after == before:
        return 0.0
    return 1.0 if before == 0 else min(abs(after - before) / abs(before), 1.0)


def classical_loss(original, masked):
    """Loss of Domingo-Ferrer and Torra 2001: cells, means, covariances, variances, correlations."""
    before, after = statistics(original), statistics(masked)
    cells = [variation(a, b) for a, b in zip(original.ravel(), masked.ravel(), strict=True)]

    def changes(*kinds):
        return [variation(before[key], after[key]) for key in before if key[0] in kinds]

    parts = [cells, changes("mean"), changes("covariance", "variance"), changes("variance")]
    pairs = [key for key in before if key[0] == "correlation"]
    if pairs:
        parts.append([min(abs(after[key] - before[key]), 1.0) for key in pairs])
    return 100 * sum(sum(part) / len(part) for part in parts) / len(parts)


def is_missing(value):
    return value != value


def incomplete_distance(original, masked):
    """DBIL where cells are missing: 0 between two missing ones, 1 between one and a number."""
    shares = []
    for x, y in zip(original.T, masked.T, strict=True):
        numbers = [v for v in (*x, *y) if not is_missing(v)]
        for a, b in zip(x, y, strict=True):
            if is_missing(a) or is_missing(b):
                shares.append(float(is_missing(a) != is_missing(b)))
            else:
                width = max(numbers) - min(numbers)
                shares.append(abs(a - b) / width if width else 0.0)
    return 100 * sum(shares) / len(shares)


def incomplete_rank(column, value):
    """Mid-rank among the numbers of a column; missing cells are far from all of them."""
    return -math.inf if is_missing(value) else mid_rank([x for x in column if x == x], value)


def ranks_apart(column, a, b):
    ranks = incomplete_rank(column, a), incomplete_rank(column, b)
    return 0.0 if ranks[0] == ranks[1] else abs(ranks[0] - ranks[1])


def incomplete_agreement(original, x, y, percent):
    window = percent * len(original) / 100
    return sum(
        (ranks_apart(column, a, b) <= window + 1e-12) << j
        for j, (column, a, b) in enumerate(zip(original.T, x, y, strict=True))
    )


def incomplete_interval_disclosure(original, masked):
    inside = [
        100 * ranks_apart(x, a, b) <= p * len(original)
        for p in range(1, 11)
        for x, y in zip(original.T, masked.T, strict=True)
        for a, b in zip(x, y, strict=True)
    ]
    return 100 * sum(inside) / len(inside)


def incomplete_distance_linkage(original, masked):
    gaps, spreads = [], []
    for x in original.T:
        numbers = np.array([v for v in x if not is_missing(v)])
        spread = numbers.std() if len(set(numbers)) > 1 else 0.0
        spreads.append(spread)
        gaps.append((max(numbers) - min(numbers)) / spread if spread else 1.0)

    def square(x, y):
        total = 0.0
        for a, b, gap, spread in zip(x, y, gaps, spreads, strict=True):
            if is_missing(a) or is_missing(b):
                total += (is_missing(a) != is_missing(b)) * gap**2
            elif spread:
                total += ((a - b) / spread) ** 2
        return total

    linked = 0.0
    for i, y in enumerate(masked):
        distances = [math.sqrt(square(x, y)) for x in original]
        nearest = [k for k, d in enumerate(distances) if d <= min(distances) * (1 + 1e-9)]
        linked += (i in nearest) / len(nearest)
    return 100 * linked / len(masked)


def incomplete_rank_swapping_linkage(original, masked, percent):
    def is_candidate(x, y):
        for column, a, b in zip(original.T, x, y, strict=True):
            n_present = sum(not is_missing(v) for v in column)
            if ranks_apart(column, a, b) > max(percent * n_present / 100, 1) + 1e-12:
                return False
        return True

    linked = 0.0
    for i, y in enumerate(masked):
        possible = [k for k, x in enumerate(original) if is_candidate(x, y)]
        linked += (i in possible) / max(len(possible), 1)
    return 100 * linked / len(masked)


def incomplete_loss(original, masked):
    """PIL of the cells that are present, where no standard deviation is 0."""
    by_kind = {}
    n_columns = original.shape[1]
    for chosen in [(j,) for j in range(n_columns)] + list(combinations(range(n_columns), 2)):
        before, after = (
            np.array([row for row in file[:, list(chosen)] if not any(map(is_missing, row))])
            for file in (original, masked)
        )
        kept, found = statistics(before), statistics(after)
        for key, value in kept.items():
            if len({part for part in key[1:3] if key[0] != "quantile"}) == len(chosen) or (
                key[0] == "quantile" and len(chosen) == 1
            ):
                steps = abs(found[key] - value) / deviation(before, key)
                loss = 100 * (2 * NormalDist().cdf(steps) - 1)
                by_kind.setdefault(key[0], []).append(loss)
    return float(np.mean([np.mean(losses) for losses in by_kind.values()]))
