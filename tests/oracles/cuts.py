"""Cuts from the top down, row by row in plain Python; twin of the decoder of local recodings.

Units are rows that are alike: dictionaries with ``codes``, a set of ``values``, and ``rows``, their
number. A group is a list of [unit, rows of it in the group].
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from anonopt.evaluation.local.cut_scores import bits_left

Unit = dict[str, Any]
Group = list[list[Any]]


@dataclass
class PlainCuts:
    """The decoder: what it is given, and the groups that it makes.

    ``maps[column][level][leaf]`` is a code; ``weights[column][level]`` counts levels from 1.
    ``holds_enough`` is asked of lists of units where it is given, in place of `least_distinct`.
    """

    maps: Sequence[Sequence[Sequence[int]]]
    weights: Sequence[Sequence[float]]
    column_weights: Sequence[float]
    exponent: float
    price: float
    k: int
    cuts: str
    least_distinct: int = 0
    budget: int = 0
    holds_enough: Callable[[Group], bool] | None = None
    groups: list[Group] = field(default_factory=list)
    suppressed: list[bool] = field(default_factory=list)

    def run(self, units: Sequence[Unit]) -> None:
        rows = [[unit, unit["rows"]] for unit in units]
        self.bits = bits_left(n_rows(rows), min(self.k, n_rows(rows) + 1)).tolist()
        self.cut(rows)

    def cut(self, group: Group) -> None:
        n = n_rows(group)
        barred: set[int] = set()
        while n >= 2 * self.k or (self.budget > 0 and n > self.k):
            best, best_score = None, 0.0
            for column in range(len(self.maps)):
                for cut in self.cuts_of(group, column):
                    if not (cut["lent"] and column in barred) and cut["score"] > best_score:
                        best, best_score = cut, cut["score"]
            if best is None:
                break
            if best["lent"] and not self.lend(best["parts"], best["rest"]):
                barred.add(best["column"])
                continue
            if best["lent"]:
                self.finish(best["rest"], False)
            if best["suppresses"]:
                self.budget -= n_rows(best["rest"])
            for part in best["parts"]:
                self.cut([pair for pair in part if pair[1] > 0])
            if best["suppresses"]:
                self.finish(best["rest"], True)
            elif best["rest"] and not best["lent"]:
                self.cut(best["rest"])
            return
        self.finish(group, False)

    def cuts_of(self, group: Group, column: int) -> list[dict[str, Any]]:
        level = self.level(column, [unit["codes"][column] for unit, _ in group])
        if level == 0:
            return []
        below: dict[int, Group] = {}
        for pair in group:
            below.setdefault(self.maps[column][level - 1][pair[0]["codes"][column]], []).append(
                list(pair)
            )
        children = [below[code] for code in sorted(below)]
        parts = [child for child in children if self.enough(child)]
        small = [child for child in children if not self.enough(child)]
        if not parts:
            return []
        found = []
        rest = self.united(group, small, column, level)
        whole = {"column": column, "parts": parts, "rest": rest, "lent": 0, "suppresses": False}
        if not rest:
            found.append(whole)
        elif self.enough(rest):
            if self.cuts != "strict":
                found.append(whole)
        else:
            if self.cuts == "balanced":
                found += self.completed(group, whole, column, level)
            if 0 < n_rows(rest) <= self.budget:
                found.append({**whole, "suppresses": True})
        for cut in found:
            cut["score"] = self.score(group, cut, level)
        return found

    def completed(
        self, group: Group, cut: dict[str, Any], column: int, level: int
    ) -> list[dict[str, Any]]:
        parts, rest = cut["parts"], cut["rest"]
        lent = max(self.k - n_rows(rest), self.least_distinct - len(values(rest)))
        if self.holds_enough is None and lent <= sum(n_rows(part) - self.k for part in parts):
            return [{**cut, "lent": lent}]
        while len(parts) > 1:
            smallest = min(parts, key=n_rows)
            parts = [part for part in parts if part is not smallest]
            rest = self.united(group, [rest, smallest], column, level)
            if self.enough(rest):
                return [{**cut, "parts": parts, "rest": rest}]
        return []

    def united(self, group: Group, children: list[Group], column: int, level: int) -> Group:
        """The rows of some children, in the order of the group."""
        units = [unit for child in children for unit, _ in child]
        return [list(pair) for pair in group if any(pair[0] is unit for unit in units)]

    def score(self, group: Group, cut: dict[str, Any], level: int) -> float:
        column, rest, lent = cut["column"], n_rows(cut["rest"]), cut["lent"]
        loss = self.loss(column, level, group)
        saved, used = 0.0, self.bits[n_rows(group)]
        largest: Group = []
        for part in cut["parts"]:
            saved += n_rows(part) * (loss - self.loss(column, level - 1, part))
            used -= self.bits[n_rows(part)]
            if n_rows(part) > n_rows(largest):
                largest = part
        if cut["suppresses"]:
            kept = added(self.losses(group))
            saved -= self.price * (rest * (added(self.column_weights) - kept))
        else:
            used -= self.bits[rest + lent]
        if lent:
            saved -= lent * (loss - self.loss(column, level - 1, largest))
            used += self.bits[n_rows(largest)] - self.bits[max(n_rows(largest) - lent, 0)]
        if saved <= 0:
            return 0.0
        return self.weights[column][level] * saved / math.pow(max(used, 1.0), self.exponent)

    def lend(self, parts: list[Group], rest: Group) -> bool:
        """Lend rows to a rest until it holds enough; they are given back if it never does."""
        lent: list[tuple[list[Any], int]] = []
        while not self.enough(rest):
            needs_values = len(values(rest)) < self.least_distinct
            lenders = [
                (self.joined_loss(rest, pair[0]), pair[0]["place"], pair, most)
                for part in parts
                for pair in part
                if (most := self.may_lend(part, pair, rest if needs_values else None)) > 0
            ]
            if not lenders:
                for pair, n in lent:
                    pair[1] += n
                return False
            _, _, pair, most = min(lenders, key=lambda lender: lender[:2])
            n = 1 if needs_values else min(most, max(self.k - n_rows(rest), 1))
            pair[1] -= n
            rest.append(Loan([pair[0], n]))
            lent.append((pair, n))
        return True

    def may_lend(self, part: Group, pair: list[Any], lacking: Group | None) -> int:
        most = min(pair[1], n_rows(part) - self.k)
        if self.least_distinct:
            alike = sum(n for unit, n in part if unit["values"] == pair[0]["values"])
            most = min(most, alike - 1)
            if lacking is not None and pair[0]["values"] <= values(lacking):
                return 0
        return most

    def joined_loss(self, rest: Group, unit: Unit) -> float:
        return added(self.losses([*rest, [unit, 1]]))

    def enough(self, group: Group) -> bool:
        if self.holds_enough is not None:
            return n_rows(group) >= self.k and self.holds_enough(group)
        return n_rows(group) >= self.k and len(values(group)) >= self.least_distinct

    def losses(self, group: Group) -> list[float]:
        """Loss of one row by the labels of a group, column by column."""
        return [
            self.loss(column, self.level(column, [u["codes"][column] for u, _ in group]), group)
            for column in range(len(self.maps))
        ]

    def loss(self, column: int, level: int, group: Group) -> float:
        low, high = self.label(column, level, group[0][0]["codes"][column])
        leaves = len(self.maps[column][0])
        return self.column_weights[column] * (high - low) / max(leaves - 1, 1)

    def label(self, column: int, level: int, leaf: int) -> tuple[int, int]:
        codes = self.maps[column][level]
        covered = [other for other in range(len(codes)) if codes[other] == codes[leaf]]
        return covered[0], covered[-1]

    def level(self, column: int, leaves: list[int]) -> int:
        """Level of the lowest label that covers some leaves."""
        return next(
            level
            for level, codes in enumerate(self.maps[column])
            if len({codes[leaf] for leaf in leaves}) == 1
        )

    def finish(self, group: Group, suppressed: bool) -> None:
        self.groups.append(group)
        self.suppressed.append(suppressed)

    def group_of_row(self, rows_of_unit: Sequence[Sequence[int]]) -> list[int]:
        """Group of each row: what is left of a unit has its first rows, then come the loans."""
        found = {}
        for unit, rows in enumerate(rows_of_unit):
            pieces = [
                (isinstance(pair, Loan), number, pair[1])
                for number, group in enumerate(self.groups)
                for pair in group
                if pair[0]["place"] == unit
            ]
            # Sorting is stable, so that loans keep the order in which they were made.
            pieces.sort(key=lambda piece: piece[0])
            numbers = [number for _, number, n in pieces for _ in range(n)]
            found.update(zip(rows, numbers, strict=True))
        return [found[row] for row in range(len(found))]

    def labels(self, group: Group) -> list[tuple[int, int]]:
        """First and last leaf of each label of a group."""
        found = []
        for column in range(len(self.maps)):
            leaves = [unit["codes"][column] for unit, _ in group]
            found.append(self.label(column, self.level(column, leaves), leaves[0]))
        return found


class Loan(list[Any]):
    """Unit and rows that were lent."""


def added(numbers: Sequence[float]) -> float:
    """The sum, one after the other: ``sum`` rounds otherwise in some versions of Python."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def n_rows(group: Group) -> int:
    return sum(rows for _, rows in group)


def values(group: Group) -> set[Any]:
    return {value for unit, rows in group if rows > 0 for value in unit["values"]}
