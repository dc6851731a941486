"""Small tables with what constructive recodings need, and their plain twins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from anonopt.data import Microdata
from anonopt.data.recoded_groups import RecodedGroups, check_groups_of
from anonopt.data.values import MISSING
from tests.evaluation.lattice.small_tables import SmallTable, class_bounds, small_tables
from tests.oracles.classes import meets
from tests.oracles.constructed_groups import Group, PlainRecoding


@dataclass(frozen=True)
class Construction:
    small: SmallTable
    k: int
    ordered: tuple[str, ...]
    ranges: bool
    bounds: Mapping[str, float] | None = None

    @property
    def table(self) -> Microdata:
        return self.small.table

    @property
    def options(self) -> dict[str, Any]:
        """What functions with labels take."""
        return {
            "labels": "ranges" if self.ranges else "hierarchy",
            "ordered": self.ordered,
            "class_bounds": self.bounds,
        }

    @property
    def plain(self) -> PlainRecoding:
        table = self.table
        trees = [table.hierarchies[column] for column in table.quasi_identifiers]
        ends = [tree.labels[0][-1] == MISSING and tree.n_leaves > 1 for tree in trees]
        return PlainRecoding(
            table.codes.tolist(),
            [tree.maps.tolist() for tree in trees],
            [column in self.ordered for column in table.quasi_identifiers],
            [tree.n_leaves - 1 if end else None for tree, end in zip(trees, ends, strict=True)],
            self.ranges,
            self.allows,
        )

    def allows(self, group: Group) -> bool:
        """Whether rows meet the bounds."""
        values = self.small.plain.sensitive or ()
        return all(
            meets([values[row] for row in group], name, bound, values)
            for name, bound in (self.bounds or {}).items()
        )

    def is_held(self, groups: RecodedGroups) -> bool:
        """Whether every class that is kept holds k and the bounds."""
        check_groups_of(self.table, groups)
        classes: dict[Any, Group] = {}
        for row, group in enumerate(groups.group_of_row.tolist()):
            if not groups.suppressed[group]:
                label = (*groups.lows[group].tolist(), *groups.highs[group].tolist())
                classes.setdefault(label, []).append(row)
        return all(len(rows) >= self.k and self.allows(rows) for rows in classes.values())


@st.composite
def constructions(draw: st.DrawFn, *, bounded: bool = False) -> Construction:
    small = draw(small_tables(max_rows=12))
    names = list(small.table.quasi_identifiers)
    ordered = draw(st.lists(st.sampled_from(names), unique=True))
    found = Construction(
        small, draw(st.integers(1, min(small.table.n_rows, 5))), tuple(ordered), draw(st.booleans())
    )
    if not bounded or small.plain.sensitive is None:
        return found
    bounds = draw(class_bounds())
    whole = list(range(small.table.n_rows))
    bound = Construction(small, found.k, found.ordered, found.ranges, bounds)
    return bound if bound.allows(whole) else found


def shown(groups: RecodedGroups) -> list[tuple[list[int], list[tuple[int, int]]]]:
    """Rows and labels of each group, sorted."""
    rows: list[list[int]] = [[] for _ in range(groups.n_groups)]
    for row, group in enumerate(groups.group_of_row.tolist()):
        rows[group].append(row)
    labels = [
        list(zip(low, high, strict=True))
        for low, high in zip(groups.lows.tolist(), groups.highs.tolist(), strict=True)
    ]
    return sorted(zip(rows, labels, strict=True))


def expected(plain: PlainRecoding, groups: Sequence[Group]) -> list[Any]:
    """The same of the groups of a twin."""
    return sorted((sorted(group), plain.labels(group)) for group in groups)
