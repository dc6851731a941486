"""Random small problems under the fixed-k rule, with the plain twin of their table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
from hypothesis import strategies as st

from anonopt.data import Hierarchy, Microdata
from anonopt.measures import Measure
from anonopt.measures.measure import FIXED
from anonopt.problems import LatticeProblem
from tests.evaluation.lattice.small_tables import SmallTable, class_bounds, small_tables
from tests.oracles.classes import PlainTable
from tests.oracles.lattice_search import feasible_nodes, minimal_nodes


@dataclass(frozen=True)
class SmallProblem:
    small: SmallTable
    k: int
    budget: int
    bounds: dict[str, float] | None = None

    def problem(self, objective: Any = "height", **options: Any) -> LatticeProblem:
        return LatticeProblem(
            self.small.table,
            [objective],
            k=self.k,
            suppression=self.budget,
            class_bounds=self.bounds,
            **options,
        )

    @property
    def plain(self) -> PlainTable:
        return self.small.plain

    def feasible(self) -> list[tuple[int, ...]]:
        return feasible_nodes(self.plain, self.k, self.budget, self.bounds)

    def minimal(self) -> set[tuple[int, ...]]:
        return minimal_nodes(self.plain, self.k, self.budget, self.bounds)


@st.composite
def small_problems(draw: st.DrawFn) -> SmallProblem:
    """Tables with a k that can be had and a budget below the number of rows."""
    small = draw(small_tables(max_rows=25))
    n_rows = small.table.n_rows
    k = draw(st.integers(1, min(n_rows, 6)))
    return SmallProblem(small, k, draw(st.integers(0, min(n_rows - 1, 5))))


@st.composite
def bounded_problems(draw: st.DrawFn) -> SmallProblem:
    """The same with bounds of classes, of every kind."""
    small = draw(small_tables(max_rows=25, sensitive=some_values))
    n_rows = small.table.n_rows
    k = draw(st.integers(1, min(n_rows, 4)))
    budget = draw(st.just(0) | st.integers(0, min(n_rows - 1, 8)))
    return SmallProblem(small, k, budget, draw(class_bounds()))


def some_values(size: int) -> st.SearchStrategy[list[Any]]:
    """A sensitive column of 1 to 4 values."""
    return st.lists(st.sampled_from("pqrs"), min_size=size, max_size=size)


def glm_of_node(statistics: Any) -> Any:
    """The general loss metric as if nothing were suppressed."""
    return sum(
        statistics.facts.excess_leaves[i][statistics.nodes[:, i]] / max(leaves - 1, 1)
        for i, leaves in enumerate(statistics.facts.n_leaves)
    )


UNSUPPRESSED_GLM = Measure(
    "unsuppressed_glm",
    maximize=False,
    unit="cells",
    range="0..N*s",
    from_statistics=glm_of_node,
    rising=frozenset({FIXED}),
)
"""A user's own measure that is monotone under the fixed-k rule."""

KEPT_DETAIL = Measure(
    "kept_detail",
    maximize=True,
    unit="levels",
    range="-sum of heights..0",
    from_statistics=lambda statistics: -statistics.nodes.sum(axis=1),
    falling=frozenset({FIXED}),
)
"""The same for a measure of which more is better."""


def de_pascale_table(n_rows: int) -> Microdata:
    """First rows of Table 3 (all four) and of Table 8 (three) of De Pascale 2022."""
    frame = pd.DataFrame(
        {
            "age": [24, 28, 42, 49],
            "postcode": [80015, 80019, 85073, 85071],
            "gender": ["F", "M", "F", "M"],
        }
    )[:n_rows]
    ages = [["24", "28", "42", "49"], ["24-25", "28-29", "42-43", "48-49"]]
    ages += [["20-29", "20-29", "40-49", "40-49"], ["*"] * 4]
    codes = ["80015", "80019", "85071", "85073"]
    postcodes = [[code[: 5 - level] + "*" * level for code in codes] for level in range(4)]
    return Microdata(
        frame,
        quasi_identifiers=["age", "postcode", "gender"],
        hierarchies={
            "age": Hierarchy(ages),
            "postcode": Hierarchy([*postcodes, ["8****"] * 4]),
            "gender": Hierarchy([["F", "M"], ["*", "*"]]),
        },
    )
