"""Measures of a local recoding from their definitions, row by row in plain Python.

A label is the set of leaves that it covers. What does not look at labels is as in
`tests.oracles.measures`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tests.oracles import measures
from tests.oracles.classes import PlainClasses, reverse_rule

Label = frozenset[Any]


@dataclass(frozen=True)
class PlainRecoding(PlainClasses):
    """`labels[row][column]` is a label, `flags[row]` whether the row is suppressed anyhow."""

    labels: Sequence[tuple[Label, ...]] = ()
    flags: Sequence[bool] = ()

    @cached_property
    def values(self) -> list[Any]:
        return list(zip(self.labels, self.flags, strict=True))

    @cached_property
    def threshold(self) -> int:
        if self.k is not None:
            return self.k
        sizes = [len(rows) for rows in self.all if not self.flags[rows[0]]]
        if not sizes:
            return max(len(rows) for rows in self.all)
        return reverse_rule(sizes, max(self.budget - sum(self.flags), 0))

    def keeps(self, rows: Sequence[int]) -> bool:
        return not self.flags[rows[0]] and super().keeps(rows)

    def level(self, column: int, label: Label) -> int:
        paths = self.table.paths[column]
        return next(
            level
            for level in range(self.table.height(column) + 1)
            if len({paths[leaf][level] for leaf in label}) == 1
        )

    def mean_level(self, column: int) -> float:
        rows = [row for rows in self.kept for row in rows] or range(self.n_rows)
        return sum(self.level(column, self.labels[row][column]) for row in rows) / len(rows)


def glm(recoding: PlainRecoding) -> float:
    total, n_columns = 0.0, len(recoding.table.paths)
    for column in range(n_columns):
        n_leaves = len(recoding.table.paths[column])
        for rows in recoding.kept:
            m = len(recoding.labels[rows[0]][column])
            total += len(rows) * (m - 1) / (n_leaves - 1) if n_leaves > 1 else 0.0
    return total + len(recoding.suppressed) * n_columns


def generalization_level(recoding: PlainRecoding) -> float:
    shares = [
        recoding.mean_level(column) / height if (height := recoding.table.height(column)) else 0.0
        for column in range(len(recoding.table.paths))
    ]
    return sum(shares) / len(shares)


def precision_loss(recoding: PlainRecoding) -> float:
    kept = recoding.n_kept / recoding.n_rows
    return kept * generalization_level(recoding) + 1 - kept


def height(recoding: PlainRecoding) -> float:
    return sum(recoding.mean_level(column) for column in range(len(recoding.table.paths)))


def nonuniform_entropy(recoding: PlainRecoding) -> float:
    total, rows = 0.0, recoding.table.rows
    for column in range(len(recoding.table.paths)):
        values = [row[column] for row in rows]
        for row, value in enumerate(values):
            covered = sum(other in recoding.labels[row][column] for other in values)
            total -= math.log2(values.count(value) / covered)
        left_out = [recoding.labels[row][column] for row in recoding.suppressed]
        for n in Counter(left_out).values():
            total -= n * math.log2(n / len(left_out))
    return total


def people(recoding: PlainRecoding, row: int) -> int:
    """Rows of the population that a row's labels cover; of the class without a population."""
    register = recoding.table.population
    if register is None:
        return recoding.values.count(recoding.values[row])
    return sum(
        all(cell in label for cell, label in zip(person, recoding.labels[row], strict=True))
        for person in register
    )


def journalist_risk(recoding: PlainRecoding) -> float:
    return max((1 / people(recoding, rows[0]) for rows in recoding.kept), default=1.0)


def marketer_risk(recoding: PlainRecoding) -> float:
    risks = [1 / people(recoding, row) for rows in recoding.kept for row in rows]
    return sum(risks) / len(risks) if risks else 1.0


MEASURES: dict[str, Callable[[Any], float]] = {
    **measures.MEASURES,
    "glm": glm,
    "glm_normalized": lambda c: glm(c) / (c.n_rows * len(c.table.paths)),
    "generalization_level": generalization_level,
    "precision_loss": precision_loss,
    "height": height,
    "nonuniform_entropy": nonuniform_entropy,
    "journalist_risk": journalist_risk,
    "marketer_risk": marketer_risk,
}
