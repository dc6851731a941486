"""What one class says about a column, in plain Python: counts, diversity, distances."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Values = Sequence[Any]


def n_distinct(values: Values) -> int:
    return len(set(values))


def most_frequent_count(values: Values) -> int:
    return max(Counter(values).values())


def sum_of_squared_counts(values: Values) -> int:
    """Over the rows, how many rows hold the same value."""
    counts = Counter(values)
    return sum(counts[value] for value in values)


def effective_number(values: Values) -> float:
    """2 to the entropy in bits."""
    return 2.0 ** -sum(share * math.log2(share) for share in shares(values).values())


def recursive_c(values: Values, l: int = 2) -> float:  # noqa: E741
    """The c at which r_1 = c (r_l + ... + r_m)."""
    counts = sorted(Counter(values).values(), reverse=True)
    rest = sum(counts[l - 1 :])
    return counts[0] / rest if rest else math.inf


def shares(values: Values) -> dict[Any, float]:
    """Share of each value that is present."""
    return {value: count / len(values) for value, count in Counter(values).items()}


def equal_distance(values: Values, table: Mapping[Any, float]) -> float:
    """Total variation from the table's shares: half the sum of absolute differences."""
    here = shares(values)
    return sum(abs(here.get(value, 0.0) - share) for value, share in table.items()) / 2


def ordered_distance(values: Values, table: Mapping[Any, float]) -> float:
    """Differences of the cumulative distributions over m - 1; missing values come last."""
    if len(table) == 1:
        return 0.0
    here, running, total = shares(values), 0.0, 0.0
    for value in in_order(table):
        running += here.get(value, 0.0) - table[value]
        total += abs(running)
    return total / (len(table) - 1)


def largest_log_ratio(values: Values, table: Mapping[Any, float]) -> float:
    """Over the table's values; one that is absent here is infinitely far."""
    here = shares(values)
    if set(here) != set(table):
        return math.inf
    return max(abs(math.log(here[value]) - math.log(share)) for value, share in table.items())


def largest_gain(values: Values, table: Mapping[Any, float]) -> float:
    """Relative to the table's share, of the values that are more frequent here."""
    gains = [(share - table[value]) / table[value] for value, share in shares(values).items()]
    return max(0.0, *gains)


def hierarchical_distance(
    values: Values, table: Mapping[Any, float], paths: Mapping[Any, Sequence[str]]
) -> float:
    """Li et al. 2007, Section 4.2.2: what each inner value moves between its children."""
    here, height = shares(values), len(next(iter(paths.values()))) - 1
    extra = {(level, path[level]): 0.0 for path in paths.values() for level in range(height + 1)}
    for value, share in table.items():
        for level, label in enumerate(paths[value]):
            extra[level, label] += here.get(value, 0.0) - share
    cost = 0.0
    for level in range(1, height + 1):
        for node in {path[level] for path in paths.values()}:
            children = {path[level - 1] for path in paths.values() if path[level] == node}
            parts = [extra[level - 1, child] for child in children]
            surplus = sum(part for part in parts if part > 0)
            lack = -sum(part for part in parts if part < 0)
            cost += level / height * min(surplus, lack)
    return cost


def in_order(values: Iterable[Any]) -> list[Any]:
    return sorted(values, key=lambda value: (value is None, 0 if value is None else value))
