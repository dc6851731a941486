"""Feasible, minimal and best nodes of a small table, every node looked at in plain Python."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

from tests.oracles.classes import PlainClasses, PlainTable

Node = tuple[int, ...]


def all_nodes(table: PlainTable) -> list[Node]:
    heights = [table.height(column) for column in range(len(table.paths))]
    return list(itertools.product(*(range(height + 1) for height in heights)))


def small_class_rows(table: PlainTable, node: Sequence[int], k: int) -> int:
    sizes = Counter(table.generalized(node)).values()
    return sum(size for size in sizes if size < k)


def suppressed_rows(
    table: PlainTable, node: Sequence[int], k: int, bounds: Mapping[str, float] | None
) -> int:
    return len(PlainClasses(table, node, 0, k, bounds).suppressed)


def feasible_nodes(
    table: PlainTable, k: int, budget: int, bounds: Mapping[str, float] | None = None
) -> list[Node]:
    nodes = all_nodes(table)
    return [node for node in nodes if suppressed_rows(table, node, k, bounds) <= budget]


def is_above(node: Node, other: Node) -> bool:
    return node != other and all(a >= b for a, b in zip(node, other, strict=True))


def minimal_nodes(
    table: PlainTable, k: int, budget: int, bounds: Mapping[str, float] | None = None
) -> set[Node]:
    feasible = feasible_nodes(table, k, budget, bounds)
    return {node for node in feasible if not any(is_above(node, other) for other in feasible)}
