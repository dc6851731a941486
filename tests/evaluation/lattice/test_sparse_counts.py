"""Counts without zeros against whole tables of counts: on their own and behind every back end."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from anonopt import LatticeEvaluator, Microdata
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.measures.lattice.sparse_counts import SparseCounts, count_values
from anonopt.measures.lattice.value_counts import DenseCounts, is_dense
from tests.evaluation.lattice.small_tables import (
    assert_equal_values,
    by_statistics,
    expected_values,
    more_than_64_values,
    rules,
    small_tables,
)
from tests.examples import examples

pytest.importorskip("numba", reason="the compiled kernels need the extra 'fast'")


@st.composite
def both_counts(draw):
    """The same counts in both forms, and a distribution of the values."""
    n_classes, n_values = draw(st.integers(1, 5)), draw(st.integers(1, 8))
    further = st.tuples(st.integers(0, n_classes - 1), st.integers(0, n_values - 1))
    firsts = st.tuples(*[st.integers(0, n_values - 1)] * n_classes)
    pairs = [*enumerate(draw(firsts)), *draw(st.lists(further, max_size=20))]
    owners, values = np.array(draw(st.permutations(pairs))).T
    table = np.zeros((n_classes, n_values), dtype=np.uint16)
    np.add.at(table, (owners, values), 1)
    sparse = SparseCounts.of_pairs(owners, values, n_classes=n_classes, n_values=n_values)
    weights = draw(st.lists(st.integers(1, 9), min_size=n_values, max_size=n_values))
    return DenseCounts(table), sparse, np.array(weights) / sum(weights)


@given(both_counts())
def test_both_forms_say_the_same(counts):
    dense, sparse, shares = counts
    sizes = dense.table().sum(axis=1)
    assert len(sparse) == len(dense)
    assert sparse.table().tolist() == dense.table().tolist()
    assert len(sparse.numbers) == np.count_nonzero(dense.table()) <= sizes.sum()
    assert sparse.distinct().tolist() == dense.distinct().tolist()
    assert sparse.largest().tolist() == dense.largest().tolist()
    for n_values in range(4):
        assert sparse.beyond(n_values).tolist() == dense.beyond(n_values).tolist()
    gaps = dense.cumulative_gaps(sizes, shares)
    assert sparse.cumulative_gaps(sizes, shares).tolist() == pytest.approx(gaps, abs=1e-12)
    every = np.indices(dense.table().shape).reshape(2, -1)
    assert sparse.at(*every).tolist() == dense.at(*every).tolist()
    totals = [
        one.total(np.abs(one.numbers / one.of_class(sizes) - one.of_value(shares)), absent=shares)
        for one in (dense, sparse)
    ]
    assert totals[1].tolist() == pytest.approx(totals[0], abs=1e-12)
    most = [one.most(one.numbers - 0.5, absent=-0.5) for one in (dense, sparse)]
    assert most[1].tolist() == most[0].tolist()


@given(both_counts(), st.data())
def test_both_forms_choose_and_group_alike(counts, data):
    dense, sparse, shares = counts
    chosen = np.array([data.draw(st.booleans()) for _ in range(len(dense))])
    assert sparse.chosen(chosen).table().tolist() == dense.chosen(chosen).table().tolist()
    groups = np.unique([data.draw(st.integers(0, 3)) for _ in shares], return_inverse=True)[1]
    assert sparse.grouped(groups).table().tolist() == dense.grouped(groups).table().tolist()
    new = np.unique([data.draw(st.integers(0, 2)) for _ in range(len(dense))], return_inverse=True)
    merged = sparse.merged(new[1], len(new[0])).table()
    expected = [dense.table()[new[1] == one].sum(axis=0).tolist() for one in range(len(new[0]))]
    assert merged.tolist() == expected


def test_small_tables_are_whole_and_large_ones_are_not():
    assert is_dense(20_000, 16, 30_000)
    assert is_dense(2_000_000, 64, 2_000_000)
    assert not is_dense(1_000_000, 1_000_000, 1_000_000)
    assert not is_dense(100_000, 5_000, 100_000)
    rows = np.arange(6_000)
    counts = count_values(rows, rows, n_classes=6_000, n_values=6_000)
    assert isinstance(counts, SparseCounts)
    assert len(counts.numbers) == 6_000


def test_a_whole_table_that_is_too_large_is_refused():
    counts = SparseCounts.of_pairs(np.arange(3), np.arange(3), n_classes=1 << 20, n_values=1 << 20)
    with pytest.raises(ValueError, match="found 1048576 classes of 1048576 values"):
        counts.table()


class Sparse:
    """Evaluators that count no zeros, however small the table is."""

    def __enter__(self):
        self._patch = pytest.MonkeyPatch()
        self._patch.setattr(DistinctTuples, "is_dense", lambda tuples, column: False)

    def __exit__(self, *error):
        self._patch.undo()


BACK_ENDS = list(product(("numpy", "numba"), ("rollup", "direct", "wide")))
many_values = small_tables(min_rows=66, max_rows=75, sensitive=more_than_64_values)


@given(small_tables() | many_values, st.data())
@examples(8)
def test_every_back_end_gives_the_same_without_zeros(small, data):
    rule = data.draw(rules(small))
    names = small.measures(rule["k"])
    expected = LatticeEvaluator(small.table, accelerator="numpy", **rule).evaluate_all(names)
    counted = by_statistics(names)
    with Sparse():
        for accelerator, backend in BACK_ENDS:
            options = {"accelerator": accelerator, "backend": backend, **rule}
            found = LatticeEvaluator(small.table, **options).evaluate_all(names)
            assert_frame_equal(found, expected, rtol=1e-12, atol=1e-12)
            assert_frame_equal(found[counted], expected[counted], check_exact=True)
        node = expected.iloc[len(expected) // 2, : len(small.table.quasi_identifiers)].tolist()
        found = LatticeEvaluator(small.table, **rule).evaluate([node], names)
        assert_equal_values(found, expected_values(small, [node], names, rule))


@given(small_tables(), st.data())
@settings(max_examples=30)
def test_property_vectors_without_zeros(small, data):
    if small.plain.sensitive is None:
        return
    node = [data.draw(st.integers(0, height)) for height in small.table.lattice.heights]
    expected = LatticeEvaluator(small.table).property_vector(node, "sensitive_count")
    with Sparse():
        found = LatticeEvaluator(small.table).property_vector(node, "sensitive_count")
    assert found.tolist() == expected.tolist()


def test_a_real_table_without_zeros(adult):
    table = Microdata(
        adult.frame,
        quasi_identifiers=["age", "race", "sex"],
        hierarchies={name: adult.hierarchies[name] for name in ("age", "race", "sex")},
        sensitive="occupation",
    )
    names = ["l", "entropy_l", "recursive_cl", "t", "t_ordered", "S_l", "suppressed"]
    options = {"k": 5, "suppression": 0.01, "class_bounds": {"l": 3, "t": 0.4}}
    expected = LatticeEvaluator(table, **options).evaluate_all(names)
    with Sparse():
        found = LatticeEvaluator(table, **options).evaluate_all(names)
    assert_frame_equal(found, expected, rtol=1e-12)


def test_nobody_can_change_the_counts_of_others(adult):
    evaluator = LatticeEvaluator(adult)
    node = list(adult.lattice.top)
    classes = evaluator.class_table(node)
    before = classes.counted_sensitive().numbers.copy()
    classes.sensitive_counts()[:] = 0
    for counts in (
        classes.counted_sensitive(),
        SparseCounts.of_pairs(*[np.zeros(1, int)] * 2, n_classes=1, n_values=1),
    ):
        with pytest.raises(ValueError, match="read-only"):
            counts.numbers[...] = 0
    assert classes.counted_sensitive().numbers.tolist() == before.tolist()
