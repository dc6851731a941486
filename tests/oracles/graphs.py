"""Slow twins of the social graphs: dictionaries, loops, the formulas of the thesis as printed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

LEVELS = {
    "locality": 1,
    "administrative area level 1": 4,
    "country": 5,
    "continent": 6,
    "world": 7,
    "sublocality": 0,
    "point of interest": 0,
}


def branch(name, parent_of):
    """The path from a location to the root, itself included."""
    path = []
    while name is not None:
        path.append(name)
        name = parent_of[name]
    return path


def location_distance(first, second, parent_of, level_of):
    """Eq. 6.1, with either location on the branch of the other."""
    if second in branch(first, parent_of) or first in branch(second, parent_of):
        return Fraction(abs(level_of[first] - level_of[second]), 7)
    return Fraction(1)


def common_ancestor(names, parent_of):
    """First location of one branch that is on all of the others."""
    for candidate in branch(names[0], parent_of):
        if all(candidate in branch(name, parent_of) for name in names):
            return candidate
    raise ValueError("no common root")


def node_distance(first, second, parent_of, level_of):
    """Mean distance of two profiles, (location or None, topics)."""
    parts = [Fraction(a != b) for a, b in zip(first[1], second[1], strict=True)]
    if first[0] is not None:
        parts.append(location_distance(first[0], second[0], parent_of, level_of))
    return sum(parts) / len(parts)


def clusters(profiles, k, visits, parent_of, level_of):
    """Algorithm 14 with the draws given: all distances sorted anew for each cluster."""
    n = len(profiles)
    n_full = n // k if n % k == 0 else n // k - 1
    visited, made = [], []
    for node in [*visits, *range(n)]:
        if len(made) == n_full:
            break
        if node in visited:
            continue
        free = [other for other in range(n) if other not in visited and other != node]
        free.sort(
            key=lambda other, node=node: (
                node_distance(profiles[node], profiles[other], parent_of, level_of),
                other,
            )
        )
        members = [node, *free[: k - 1]]
        visited += members
        made.append(members)
    rest = [node for node in range(n) if node not in visited]
    return [*made, rest] if rest else made


def borda(rows: Sequence[Sequence[str]]) -> list[str]:
    """Scores of a vote, the first appearance breaking ties; the last one fills up."""
    n = len(rows[0])
    points: Counter[str] = Counter()
    for row in rows:
        for place, topic in enumerate(row):
            points[topic] += n - place
    first = list(points)  # dictionaries keep the order of first appearance
    ranked = sorted(first, key=lambda topic: (-points[topic], first.index(topic)))
    return [ranked[min(place, len(ranked) - 1)] for place in range(n)]


def links(values_of_rows, values_of_columns, edges, *, directed):
    """Matrix of links between categories, as a dictionary."""
    matrix: defaultdict[tuple[str, str], int] = defaultdict(int)
    for i, j in edges:
        matrix[values_of_rows[i], values_of_columns[j]] += 1
        if not directed and i != j:
            matrix[values_of_rows[j], values_of_columns[i]] += 1
    return matrix


def matrix_loss(before, after):
    """Eq. 6.4 of two matrices."""
    total = sum(before.values())
    if total == 0:
        return 0.0
    cells = {*before, *after}
    return sum(abs(before.get(c, 0) - after.get(c, 0)) for c in cells) / (2 * total)


def distribution_loss(before, after):
    """Eq. 6.6 of the values before and after."""
    if not before:
        return 0.0
    first, second = Counter(before), Counter(after)
    values = {*first, *second}
    return sum(abs(first[v] - second[v]) for v in values) / (2 * len(before))


def star(node, values, edges, *, directed):
    """What the neighbours of a node say, and how each is tied to it."""
    ties: defaultdict[int, set[str]] = defaultdict(set)
    for i, j in edges:
        if i == node:
            ties[j].add("out" if directed else "tie")
        if j == node:
            ties[i].add("in" if directed else "tie")
    return Counter(
        (values[other], "loop" if other == node else tuple(sorted(kinds)))
        for other, kinds in ties.items()
    )


def matched(values, masked_values, edges, *, directed, with_root=False):
    """Eq. 6.10: compare the star of each node with that of every node."""
    nodes = range(len(values))
    return [
        any(
            star(i, values, edges, directed=directed)
            == star(j, masked_values, edges, directed=directed)
            and (not with_root or values[i] == masked_values[j])
            for j in nodes
        )
        for i in nodes
    ]


def cheapest_degrees(degrees: Sequence[int], k: int) -> int:
    """Least total raise that makes degrees k-anonymous, over all ways to part the sorted ones."""
    falling = sorted(degrees, reverse=True)

    def best(start):
        if start == len(falling):
            return 0
        costs = [
            sum(falling[start] - d for d in falling[start:end]) + best(end)
            for end in range(start + k, len(falling) + 1)
        ]
        return min(costs, default=float("inf"))

    return best(0)


def tied_until_degrees_are_shared(n_nodes, edges, rng, cheapest):
    """Ties added by Supergraph and Probing, which looks at all degrees again after each failure.

    `cheapest` raises a list of degrees until they are k-anonymous.
    """
    degrees = [sum(node in edge for edge in edges) for node in range(n_nodes)]
    wanted = np.array(degrees)
    failures = 0
    while True:
        missing = np.array(cheapest(wanted)) - degrees
        added = None if missing.sum() % 2 else _ties_that_are_missing(missing, edges, rng)
        if added is not None:
            return added
        for _ in range(1 + failures // 8):
            if wanted.min() < n_nodes - 1:
                wanted[rng.choice(np.flatnonzero(wanted == wanted.min()))] += 1
        failures += 1


def _ties_that_are_missing(missing, edges, rng):
    missing = missing.copy()
    known = {frozenset(edge) for edge in edges}
    order = rng.permutation(np.flatnonzero(missing)).tolist()
    added = []
    while any(missing):
        node = max(order, key=lambda v: missing[v])
        others = [v for v in order if v != node and missing[v] and {v, node} not in known]
        others.sort(key=lambda v: -missing[v])
        if len(others) < missing[node]:
            return None
        for other in others[: missing[node]]:
            added.append([node, other])
            known.add(frozenset([node, other]))
            missing[other] -= 1
        missing[node] = 0
    return added
