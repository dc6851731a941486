"""Constructive local recodings of small tables, step by step in plain Python.

A table is a list of rows of leaf numbers; `trees[column][level][leaf]` is the number of a value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

Row = Sequence[int]
Tree = Sequence[Sequence[int]]
Label = tuple[int, int]
Group = list[int]


@dataclass(frozen=True)
class PlainRecoding:
    """`allowed` says whether rows may be a group, `missing` which leaf is that of missing cells."""

    rows: Sequence[Row]
    trees: Sequence[Tree]
    ordered: Sequence[bool]
    missing: Sequence[int | None]
    ranges: bool
    allowed: Callable[[Group], bool]

    def leaves(self, column: int) -> int:
        return len(self.trees[column][0])

    def under(self, column: int, level: int, leaf: int) -> list[int]:
        codes = self.trees[column][level]
        return [other for other, code in enumerate(codes) if code == codes[leaf]]

    def level(self, column: int, leaves: Sequence[int]) -> int:
        for level, codes in enumerate(self.trees[column]):
            if len({codes[leaf] for leaf in leaves}) == 1:
                return level
        raise AssertionError("no top")

    def label(self, column: int, leaves: Sequence[int]) -> Label:
        low, high = min(leaves), max(leaves)
        if self.ordered[column] and self.ranges:
            if high == self.missing[column] != low:
                return 0, self.leaves(column) - 1
            return low, high
        covered = self.under(column, self.level(column, leaves), low)
        return covered[0], covered[-1]

    def share(self, column: int, leaves: Sequence[int]) -> float:
        low, high = self.label(column, leaves)
        return (high - low) / max(self.leaves(column) - 1, 1)

    def cells(self, group: Group, column: int) -> list[int]:
        return [self.rows[row][column] for row in group]

    def labels(self, group: Group) -> list[Label]:
        return [self.label(column, self.cells(group, column)) for column in range(len(self.trees))]


def mondrian(plain: PlainRecoding, k: int, *, relaxed: bool) -> list[Group]:
    everything = sorted(range(len(plain.rows)), key=lambda row: (list(plain.rows[row]), row))

    def parts(group: Group, column: int) -> list[list[Group]]:
        cells = set(plain.cells(group, column))
        if not plain.ordered[column]:
            level = plain.level(column, sorted(cells))
            below = plain.trees[column][level - 1]
            in_order = sorted({below[leaf] for leaf in cells})
            return [[[r for r in group if below[plain.rows[r][column]] == v] for v in in_order]]
        along = sorted(group, key=lambda row: plain.rows[row][column])
        if relaxed:
            half = (len(group) + 1) // 2
            return [
                [[r for r in group if r in along[:half]], [r for r in group if r in along[half:]]]
            ]
        cuts = []
        for value in sorted(cells)[:-1]:
            low = [row for row in group if plain.rows[row][column] <= value]
            cuts.append([low, [row for row in group if row not in low]])
        return sorted(cuts, key=lambda cut: abs(len(cut[0]) - len(cut[1])))

    def cut(group: Group) -> list[Group]:
        columns = range(len(plain.trees))
        by_width = sorted(columns, key=lambda one: -plain.share(one, plain.cells(group, one)))
        for column in by_width:
            if len(set(plain.cells(group, column))) == 1:
                continue
            for sides in parts(group, column):
                if all(len(side) >= k and plain.allowed(side) for side in sides):
                    return [final for side in sides for final in cut(side)]
        return [group]

    return cut(everything)


Value = tuple[int, int, int]
"""A column, and the first and last leaf of a value."""
Gain = Callable[[Value], float]


def children(plain: PlainRecoding, value: Value) -> list[Value]:
    column, low, high = value
    if low == high:
        return []
    level = plain.level(column, [low, high]) - 1
    codes = plain.trees[column][level]
    runs = [list(run) for _, run in groupby(range(low, high + 1), key=lambda leaf: codes[leaf])]
    return [(column, run[0], run[-1]) for run in runs]


def groups_of_cut(plain: PlainRecoding, cut: Sequence[Value]) -> list[Group]:
    def values(row: Row) -> tuple[Value, ...]:
        return tuple(
            next(one for one in cut if one[0] == column and one[1] <= leaf <= one[2])
            for column, leaf in enumerate(row)
        )

    found: dict[tuple[Value, ...], Group] = {}
    for number, row in enumerate(plain.rows):
        found.setdefault(values(row), []).append(number)
    return list(found.values())


def in_order_of_tree(plain: PlainRecoding, column: int) -> list[Value]:
    """Values of a column, level by level from the top."""
    found: list[Value] = [(column, 0, plain.leaves(column) - 1)]
    for one in found:
        found += children(plain, one)
    return found


def top_down(plain: PlainRecoding, k: int, budget: int, gain: Gain) -> list[Value]:
    trees = [in_order_of_tree(plain, column) for column in range(len(plain.trees))]
    cut = [tree[0] for tree in trees]

    def state(cut: Sequence[Value]) -> tuple[int, int]:
        """Size of the least group that is kept, and rows that are not."""
        groups = groups_of_cut(plain, cut)
        kept = [group for group in groups if len(group) >= k and plain.allowed(group)]
        n_kept = sum(map(len, kept))
        return min(map(len, kept), default=len(plain.rows)), len(plain.rows) - n_kept

    while True:
        best, chosen = None, None
        least = state(cut)[0]
        for one in (one for tree in trees for one in tree if one in cut and children(plain, one)):
            after = [other for other in cut if other != one] + children(plain, one)
            now, lost = state(after)
            if lost > budget:
                continue
            score = gain(one) / (max(least - now, 0) + 1), gain(one)
            if best is None or score > best:
                best, chosen = score, after
        if chosen is None:
            return cut
        cut = chosen


def bottom_up(
    plain: PlainRecoding, k: int, budget: int, gain: Gain, *, as_printed: bool
) -> list[Value]:
    trees = [in_order_of_tree(plain, column) for column in range(len(plain.trees))]
    cut = [one for tree in trees for one in tree if one[1] == one[2]]

    def lost(cut: Sequence[Value]) -> int:
        groups = groups_of_cut(plain, cut)
        return sum(len(one) for one in groups if not (len(one) >= k and plain.allowed(one)))

    def privacy(cut: Sequence[Value]) -> int:
        return min(map(len, groups_of_cut(plain, cut))) if as_printed else -lost(cut)

    while lost(cut) > budget:
        best, chosen = None, None
        for one in (one for tree in trees for one in tree):
            below = children(plain, one)
            if not below or not all(child in cut for child in below):
                continue
            after = [other for other in cut if other not in below] + [one]
            gained = privacy(after) - privacy(cut)
            loss = gain(one)
            rank = (0, loss / gained, loss) if gained > 0 else (1, loss, 0)
            if best is None or rank < best:
                best, chosen = rank, after
        assert chosen is not None
        cut = chosen
    return cut


def k_member(plain: PlainRecoding, k: int, *, by_height: bool, start: int = 0) -> list[Group]:
    columns = range(len(plain.trees))

    def loss(column: int, leaves: Sequence[int]) -> float:
        if plain.ordered[column] or not by_height:
            return plain.share(column, leaves)
        return plain.level(column, leaves) / max(len(plain.trees[column]) - 1, 1)

    def width(group: Group) -> float:
        total = 0.0
        for column in columns:
            total += loss(column, plain.cells(group, column))
        return total

    left = sorted(range(len(plain.rows)), key=lambda row: (list(plain.rows[row]), row))
    clusters: list[Group] = []
    last = start
    while len(left) >= k:
        last = max(left, key=lambda row: width([last, row]))
        left.remove(last)
        cluster = [last]
        while len(cluster) < k:
            last = min(left, key=lambda row: width([*cluster, row]))
            left.remove(last)
            cluster.append(last)
        clusters.append(cluster)
    for row in left:
        cluster = min(
            clusters, key=lambda one: (len(one) + 1) * width([*one, row]) - len(one) * width(one)
        )
        cluster.append(row)
    return clusters
