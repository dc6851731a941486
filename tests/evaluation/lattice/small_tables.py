"""Random small tables, as a `Microdata` and as the plain lists of the slow twins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pytest
from hypothesis import strategies as st

from anonopt.data import Hierarchy, Microdata
from anonopt.measures import MEASURES, measure_names
from tests.oracles import measures as oracle
from tests.oracles.classes import PlainClasses, PlainTable
from tests.oracles.measures import (
    NEED_HIERARCHY,
    NEED_K,
    NEED_POPULATION,
    NEED_SENSITIVE,
    NEED_TARGET,
)

MAX_NODES = 48
SENSITIVE = (9, 10, 2, 100, 33, None)
"""Numbers whose order as text is another one, and a missing value."""


@dataclass(frozen=True)
class SmallTable:
    plain: PlainTable
    table: Microdata
    population: pd.DataFrame | None = None

    @property
    def trees(self) -> dict[Any, Hierarchy]:
        """All hierarchies, that of the sensitive column among them."""
        columns = self.table.sensitive_columns
        own = {one.name: one.hierarchy for one in columns if one.hierarchy is not None}
        return {**self.table.hierarchies, **own}

    def measures(self, k: int | None) -> list[str]:
        """Names of all measures that this table and rule allow."""
        out = set() if k is not None else set(NEED_K)
        out |= set() if self.plain.sensitive else NEED_SENSITIVE
        out |= set() if self.plain.target else NEED_TARGET
        out |= set() if self.plain.sensitive_paths else NEED_HIERARCHY
        out |= set() if self.plain.population else NEED_POPULATION
        return [name for name in measure_names("node") if name not in out]

    def classes(
        self,
        node: Sequence[int],
        budget: int,
        k: int | None,
        bounds: Mapping[str, float] | None = None,
    ) -> PlainClasses:
        return PlainClasses(self.plain, tuple(node), budget, k, bounds)


def by_statistics(names: Sequence[str]) -> list[str]:
    return [name for name in names if MEASURES[name].from_statistics is not None]


def tables_of(
    rows: Sequence[Sequence[Any]],
    levels: Sequence[Sequence[Sequence[str]]],
    *,
    sensitive: Sequence[Any] | None = None,
    target: Sequence[Any] | None = None,
    sensitive_levels: Sequence[Sequence[str]] | None = None,
    population: Sequence[Sequence[Any]] | None = None,
) -> SmallTable:
    """A table from its rows; ``levels[column][level][leaf]`` is a label."""
    names = [f"q{column}" for column in range(len(levels))]
    frame = pd.DataFrame(rows, columns=names, dtype=object)
    roles: dict[str, Any] = {}
    for role, values in (("sensitive", sensitive), ("target", target)):
        if values is not None:
            frame[role] = pd.Series(values, index=frame.index)
            roles[role] = role
    trees = {name: Hierarchy(column) for name, column in zip(names, levels, strict=True)}
    sensitive_paths = None
    if sensitive_levels is not None and sensitive is not None:
        trees["sensitive"] = Hierarchy(sensitive_levels)
        by_text = plain_paths(sensitive_levels, sensitive)
        sensitive_paths = {s: by_text[None if s is None else str(s)] for s in sensitive}
    register = None if population is None else pd.DataFrame(population, columns=names, dtype=object)
    table = Microdata(
        frame, quasi_identifiers=names, hierarchies=trees, population=register, **roles
    )
    people = rows if population is None else population
    paths = [
        plain_paths(column, [row[position] for row in people])
        for position, column in enumerate(levels)
    ]
    plain = PlainTable(rows, paths, sensitive, target, sensitive_paths, population)
    return SmallTable(plain, table, register)


def plain_paths(levels: Sequence[Sequence[str]], cells: Sequence[Any]) -> dict[Any, list[str]]:
    """Path of each leaf; a missing cell is its own value below the top."""
    paths: dict[Any, list[str]] = {path[0]: list(path) for path in zip(*levels, strict=True)}
    if None in cells:
        if len(levels) == 1:
            paths = {leaf: [leaf, "*"] for leaf in paths}
        length = len(next(iter(paths.values())))
        paths[None] = ["<missing>"] * (length - 1) + ["*"]
    return paths


@st.composite
def refinements(draw: st.DrawFn, max_height: int) -> list[list[str]]:
    """Labels of a random hierarchy, level by level."""
    n_leaves = draw(st.integers(1, 6)) if max_height else 1
    return draw(levels_above([f"v{leaf}" for leaf in range(n_leaves)], max_height))


@st.composite
def levels_above(draw: st.DrawFn, leaves: list[str], max_height: int) -> list[list[str]]:
    """Labels of a random hierarchy over given leaves."""
    n_leaves = len(leaves)
    height = draw(st.integers(int(n_leaves > 1), max_height))
    groups = list(range(n_leaves))
    levels = [leaves]
    for level in range(1, height):
        parent = draw(st.lists(st.integers(0, n_leaves - 1), min_size=n_leaves, max_size=n_leaves))
        groups = [parent[group] for group in groups]
        levels.append([f"{level}:{group}" for group in groups])
    return [*levels, ["*"] * n_leaves] if height else levels


def few_values(size: int) -> st.SearchStrategy[list[Any] | None]:
    """A sensitive column of 1 to 6 values, or none."""
    pools = st.sampled_from([SENSITIVE[-n:] for n in range(1, len(SENSITIVE) + 1)])
    columns = pools.flatmap(
        lambda pool: st.lists(st.sampled_from(pool), min_size=size, max_size=size)
    )
    return st.none() | columns


def more_than_64_values(size: int) -> st.SearchStrategy[list[Any] | None]:
    """A sensitive column that does not fit the bits of one number; `size` is at least 65."""
    numbers = st.integers(65, size).map(lambda n: [row % n for row in range(size)])
    return numbers.flatmap(st.permutations)


@st.composite
def small_tables(
    draw: st.DrawFn,
    min_rows: int = 1,
    max_rows: int = 40,
    sensitive: Callable[[int], st.SearchStrategy[list[Any] | None]] = few_values,
) -> SmallTable:
    """Tables of 1 to 5 quasi-identifiers with at most `MAX_NODES` nodes or so."""
    levels: list[list[list[str]]] = []
    nodes = 1
    for _ in range(draw(st.integers(1, 5))):
        levels.append(draw(refinements(min(3, MAX_NODES // nodes - 1))))
        nodes *= len(levels[-1])
    cells = [
        st.sampled_from([*column[0], None] if draw(st.booleans()) else column[0])
        for column in levels
    ]
    rows = draw(st.lists(st.tuples(*cells), min_size=min_rows, max_size=max_rows))
    size = len(rows)
    labels = draw(st.sampled_from([(), ("yes",), ("yes", "no"), tuple("abcde")]))
    target = (
        st.lists(st.sampled_from(labels), min_size=size, max_size=size) if labels else st.none()
    )
    values = draw(sensitive(size))
    numbers = sorted({str(value) for value in values or () if value is not None})
    return tables_of(
        rows,
        levels,
        sensitive=values,
        target=draw(target),
        sensitive_levels=draw(st.none() | levels_above(numbers, 3)) if numbers else None,
        population=draw(
            st.none()
            | st.lists(st.tuples(*cells), max_size=20).map(lambda others: [*others, *rows])
        ),
    )


@st.composite
def class_bounds(draw: st.DrawFn) -> dict[str, float]:
    """Bounds on one to three measures of single classes."""
    values = {
        "l": st.integers(1, 4),
        "entropy_l": st.floats(1, 4),
        "recursive_cl": st.floats(0.2, 5),
        "t": st.floats(0, 1),
        "t_ordered": st.floats(0, 1),
    }
    names = draw(st.lists(st.sampled_from(list(values)), min_size=1, max_size=3, unique=True))
    return {name: draw(values[name]) for name in names}


@st.composite
def rules(draw: st.DrawFn, small: SmallTable) -> dict[str, Any]:
    """Options of an evaluator: budget in rows, k or None, and class bounds or None."""
    n_rows = small.table.n_rows
    k = draw(st.none() | st.integers(1, n_rows + 2))
    may_be_bounded = k is not None and small.plain.sensitive is not None
    bounds = draw(st.none() | class_bounds()) if may_be_bounded else None
    return {"suppression": draw(st.integers(0, n_rows - 1)), "k": k, "class_bounds": bounds}


def expected_values(
    small: SmallTable, nodes: Sequence[Sequence[int]], names: Sequence[str], rule: Mapping[str, Any]
) -> dict[str, list[float]]:
    """What the slow twins say, a list a measure."""
    classes = [small.classes(node, *rule.values()) for node in nodes]
    return {name: [oracle.MEASURES[name](found) for found in classes] for name in names}


def assert_equal_values(found: pd.DataFrame, expected: Mapping[str, list[float]]) -> None:
    """Whole numbers exactly, others to 1e-9."""
    for name, values in expected.items():
        for node, (value, wanted) in enumerate(zip(found[name], values, strict=True)):
            exact = isinstance(wanted, int)
            close = wanted if exact else pytest.approx(wanted, rel=1e-9, abs=1e-9)
            assert value == close, f"{name} of node {node}: found {value}, expected {wanted}"


ZIP = Hierarchy([list("abcd"), ["ab", "ab", "cd", "cd"], ["*"] * 4])
SEX = Hierarchy([["f", "m"], ["*", "*"]])


def eight_people(**roles: str) -> Microdata:
    """A table to check by hand; `roles` name ``illness`` and ``cured``."""
    frame = pd.DataFrame(
        {
            "zip": list("aabbccdd"),
            "sex": list("ffmmffmf"),
            "illness": list("pqpppqqq"),
            "cured": list("ynyynnyy"),
        }
    )
    trees = {"zip": ZIP, "sex": SEX}
    return Microdata(frame, quasi_identifiers=["zip", "sex"], hierarchies=trees, **roles)
