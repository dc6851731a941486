"""Feasible, minimal and best nodes of a small table, every node looked at in plain Python."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

from tests.oracles.classes import PlainTable

Node = tuple[int, ...]


def all_nodes(table: PlainTable) -> list[Node]:
    heights = [table.height(column) for column in range(len(table.paths))]
    return list(itertools.product(*(range(height + 1) for height in heights)))


def small_class_rows(table: PlainTable, node: Sequence[int], k: int) -> int:
    sizes = Counter(table.generalized(node)).values()
    return sum(size for size in sizes if size < k)


def feasible_nodes(table: PlainTable, k: int, budget: int) -> list[Node]:
    return [node for node in all_nodes(table) if small_class_rows(table, node, k) <= budget]


def is_above(node: Node, other: Node) -> bool:
    return node != other and all(a >= b for a, b in zip(node, other, strict=True))


def minimal_nodes(table: PlainTable, k: int, budget: int) -> set[Node]:
    feasible = feasible_nodes(table, k, budget)
    return {node for node in feasible if not any(is_above(node, other) for other in feasible)}
