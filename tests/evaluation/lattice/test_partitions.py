"""Partitions refined column by column count what the slow twin counts, with and without numba."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.evaluation.accelerator import has_numba
from anonopt.evaluation.lattice.partitions import Partition, PartitionRefiner
from anonopt.evaluation.lattice.tuples import DistinctTuples
from tests.evaluation.lattice.small_tables import SmallTable, small_tables
from tests.oracles.lattice_search import all_nodes, small_class_rows

both = pytest.mark.parametrize(
    "compiled",
    [False, pytest.param(True, marks=pytest.mark.skipif(not has_numba(), reason="numba"))],
)


def refiner_of(small: SmallTable, k: int, budget: int, *, compiled: bool) -> PartitionRefiner:
    tuples = DistinctTuples.of(small.table)
    return PartitionRefiner(tuples, k=k, budget=budget, compiled=compiled)


@st.composite
def decisions(draw: st.DrawFn) -> tuple[SmallTable, int, tuple[int, ...], list[int]]:
    """A table, a k, a node and an order of the columns."""
    small = draw(small_tables(max_rows=25))
    node = draw(st.sampled_from(all_nodes(small.plain)))
    return small, draw(st.integers(1, 6)), node, draw(st.permutations(range(len(node))))


def is_consistent(partition: Partition, n_rows: int, k: int) -> bool:
    sizes = np.add.reduceat(partition.rows, partition.starts[:-1]) if len(partition.rows) else []
    return bool(np.all(np.array(sizes) >= k)) and sum(sizes) + partition.suppressed == n_rows


@both
@given(drawn=decisions())
def test_refining_suppresses_what_the_node_does(compiled, drawn):
    small, k, node, order = drawn
    refiner = refiner_of(small, k, 0, compiled=compiled)
    partition = refiner.start()
    top = all_nodes(small.plain)[-1]
    decided = list(top)
    for position, column in enumerate(order):
        rest = np.array(order[position:], dtype=np.int64)
        partition = refiner.merge(partition, rest, np.array(node))
        partition = refiner.refine(partition, column, node[column])
        decided[column] = node[column]
        if tuple(decided) != top:
            assert partition.suppressed == small_class_rows(small.plain, decided, k)
            assert is_consistent(partition, small.table.n_rows, k)
    n_classes = len(set(small.plain.generalized(node)))
    assert len(partition.starts) - 1 <= n_classes


@both
@given(drawn=decisions(), budget=st.integers(0, 5))
def test_lowest_levels_are_feasible_alone_and_no_lower_ones_are(compiled, drawn, budget):
    small, k, node, order = drawn
    first, *rest = order
    refiner = refiner_of(small, k, budget, compiled=compiled)
    partition = refiner.refine(refiner.start(), first, node[first])
    found = np.zeros(len(node), dtype=np.int64)
    costs = np.tile(np.arange(9.0), (len(node), 1))
    added, tests = refiner.lowest_levels(
        partition, np.array(rest, dtype=np.int64), found, costs=costs, limit=np.inf
    )
    top = all_nodes(small.plain)[-1]
    for column in rest:
        for level in range(top[column]):
            alone = list(top)
            alone[first], alone[column] = node[first], level
            feasible = small_class_rows(small.plain, alone, k) <= budget
            assert feasible == (level >= found[column]) or k > small.table.n_rows
    assert added == found[rest].sum()
    assert tests == sum(min(found[column] + 1, top[column]) for column in rest)


@both
def test_search_for_levels_stops_at_the_limit(compiled, shared_data):
    from anonopt.data import cargo_columns, load_dataset

    table = load_dataset("cargo", quasi_identifiers=cargo_columns(5), data_dir=shared_data)
    tuples = DistinctTuples.of(table)
    refiner = PartitionRefiner(tuples, k=5, budget=19, compiled=compiled)
    costs = np.tile(np.arange(5.0), (5, 1))
    node, columns = np.zeros(5, dtype=np.int64), np.arange(5)
    added, _ = refiner.lowest_levels(refiner.start(), columns, node, costs=costs, limit=1.0)
    assert added >= 1
    assert node[-1] == 0
