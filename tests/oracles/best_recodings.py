"""The least loss of any local recoding of a few rows: every partition is tried, in plain Python.

A group of a partition gets the lowest label of each hierarchy that covers its rows; any of them may
be suppressed instead, as a whole. Groups of equal labels are one class.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class PlainProblem:
    """`paths[column][value]` are the labels of a value from itself to the top."""

    rows: Sequence[Sequence[str]]
    paths: Sequence[dict[str, list[str]]]
    k: int
    budget: int = 0
    distinct: int = 0
    sensitive: Sequence[str] = ()
    weights: Sequence[float] = ()

    def weight(self, column: int) -> float:
        return self.weights[column] if self.weights else 1.0

    def label(self, column: int, values: set[str]) -> frozenset[str]:
        """Leaves under the lowest label that covers some values."""
        paths = self.paths[column]
        for level in range(len(next(iter(paths.values())))):
            labels = {paths[value][level] for value in values}
            if len(labels) == 1:
                return frozenset(leaf for leaf in paths if paths[leaf][level] in labels)
        raise AssertionError("a hierarchy without a top")

    def cost(self, group: Sequence[int]) -> float:
        """What a row of a group loses."""
        total = 0.0
        for column, paths in enumerate(self.paths):
            label = self.label(column, {self.rows[row][column] for row in group})
            if len(paths) > 1:
                total += self.weight(column) * (len(label) - 1) / (len(paths) - 1)
        return total

    @property
    def suppression(self) -> float:
        return sum(self.weight(column) for column in range(len(self.paths)))

    def is_allowed(self, group: Sequence[int]) -> bool:
        values = {self.sensitive[row] for row in group} if self.distinct else set()
        return len(group) >= self.k and len(values) >= self.distinct

    def least_loss(self) -> float:
        """Loss of the best recoding, infinite if there is none."""
        best = float("inf")
        for partition in partitions(list(range(len(self.rows)))):
            kept = [group for group in partition if self.is_allowed(group)]
            n_suppressed = len(self.rows) - sum(map(len, kept))
            if n_suppressed <= self.budget:
                loss = sum(len(group) * self.cost(group) for group in kept)
                best = min(best, loss + n_suppressed * self.suppression)
        return best


def partitions(rows: list[int]) -> Iterator[list[list[int]]]:
    """All partitions of some rows into groups."""
    if not rows:
        yield []
        return
    first, *others = rows
    for partition in partitions(others):
        for place in range(len(partition)):
            yield [*partition[:place], [first, *partition[place]], *partition[place + 1 :]]
        yield [[first], *partition]
