"""Equivalence classes and the two suppression rules, row by row, in plain Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tests.oracles import statistics

Path = Sequence[str]


@dataclass(frozen=True)
class PlainTable:
    """A table as lists: ``paths[column][value][level]`` is a label; missing cells are None.

    `sensitive_paths` is the same of the sensitive column; `population` has rows like the table.
    """

    rows: Sequence[Sequence[Any]]
    paths: Sequence[Mapping[Any, Path]]
    sensitive: Sequence[Any] | None = None
    target: Sequence[Any] | None = None
    sensitive_paths: Mapping[Any, Path] | None = None
    population: Sequence[Sequence[Any]] | None = None

    def generalized(self, node: Sequence[int]) -> list[tuple[str, ...]]:
        return self._labels(self.rows, node)

    def generalized_population(self, node: Sequence[int]) -> list[tuple[str, ...]]:
        return self._labels(self.population or (), node)

    def _labels(self, rows: Sequence[Sequence[Any]], node: Sequence[int]) -> list[tuple[str, ...]]:
        columns = []
        for path, cells, level in zip(self.paths, zip(*rows, strict=True), node, strict=True):
            label = {value: labels[level] for value, labels in path.items()}
            columns.append([label[cell] for cell in cells])
        return list(zip(*columns, strict=True))

    def n_leaves_under(self, column: int, level: int, label: str) -> int:
        return sum(path[level] == label for path in self.paths[column].values())

    def height(self, column: int) -> int:
        return len(next(iter(self.paths[column].values()))) - 1


def reverse_rule(sizes: Sequence[int], budget: int) -> int:
    """Dewri 2010, Section 6: k = j + 1 for the first j whose sum of E_1..E_{j+1} exceeds."""
    j, rows_up_to = 0, rows_in_classes_of_size(sizes, 1)
    while rows_up_to <= budget:
        j += 1
        rows_up_to += rows_in_classes_of_size(sizes, j + 1)
    return j + 1


def rows_in_classes_of_size(sizes: Sequence[int], i: int) -> int:
    return sum(size for size in sizes if size == i)


def meets(values: Sequence[Any], name: str, bound: float, table: Sequence[Any]) -> bool:
    """Whether the sensitive values of one class meet a bound on them, but for rounding."""
    if name == "l":
        return statistics.n_distinct(values) >= bound
    if name == "entropy_l":
        return statistics.effective_number(values) >= bound - 1e-9
    if name == "recursive_cl":
        return statistics.recursive_c(values) <= bound + 1e-9
    distance = {"t": statistics.equal_distance, "t_ordered": statistics.ordered_distance}[name]
    return distance(values, statistics.shares(table)) <= bound + 1e-9


@dataclass(frozen=True)
class PlainClasses:
    """Classes of a table at a node; `k` None means the reverse rule; `bounds` by measure."""

    table: PlainTable
    node: Sequence[int]
    budget: int
    k: int | None = None
    bounds: Mapping[str, float] | None = None

    @cached_property
    def values(self) -> list[tuple[str, ...]]:
        return self.table.generalized(self.node)

    @cached_property
    def members(self) -> dict[tuple[str, ...], list[int]]:
        """Rows of each class."""
        found: dict[tuple[str, ...], list[int]] = {}
        for row, value in enumerate(self.values):
            found.setdefault(value, []).append(row)
        return found

    @cached_property
    def threshold(self) -> int:
        if self.k is not None:
            return self.k
        return reverse_rule([len(rows) for rows in self.members.values()], self.budget)

    @property
    def all(self) -> list[list[int]]:
        return list(self.members.values())

    def keeps(self, rows: Sequence[int]) -> bool:
        table = self.table.sensitive
        return len(rows) >= self.threshold and all(
            meets([table[row] for row in rows], name, bound, table)
            for name, bound in (self.bounds or {}).items()
        )

    @cached_property
    def kept(self) -> list[list[int]]:
        return [rows for rows in self.all if self.keeps(rows)]

    @cached_property
    def suppressed(self) -> list[int]:
        return [row for rows in self.all if not self.keeps(rows) for row in rows]

    @cached_property
    def n_rows(self) -> int:
        return len(self.table.rows)

    @property
    def n_kept(self) -> int:
        return self.n_rows - len(self.suppressed)
