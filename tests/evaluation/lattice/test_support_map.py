"""The support map: Table 4 of De Pascale 2022, and equality with the evaluator."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.evaluation import LatticeEvaluator, SupportMap
from tests.algorithms.small_problems import de_pascale_table
from tests.evaluation.lattice.small_tables import small_tables


def test_table_4_of_de_pascale():
    entries = SupportMap(de_pascale_table(4)).entries("age")
    level_2 = entries[entries["level"] == 2]
    assert level_2["value"].tolist() == ["20-29", "40-49"]
    # The paper numbers rows from 1.
    assert level_2["rows"].tolist() == [(0, 1), (2, 3)]
    top = entries[entries["level"] == 3]
    assert top[["value", "rows"]].to_numpy().tolist() == [["*", (0, 1, 2, 3)]]


def test_intersection_of_age_level_2_and_postcode_level_1():
    support = SupportMap(de_pascale_table(4))
    assert support.classes([2, 1, 1]) == [frozenset({0, 1}), frozenset({2, 3})]
    assert support.k([2, 1, 1]) == 2
    assert support.classes([2, 1, 0]) == [frozenset({row}) for row in range(4)]
    assert support.small_class_rows([2, 1, 0], 2) == 4


@given(small_tables(max_rows=15), st.integers(1, 6), st.data())
def test_it_equals_the_evaluator(small, k, data):
    table = small.table
    node = [data.draw(st.integers(0, height)) for height in table.lattice.heights]
    support, evaluator = SupportMap(table), LatticeEvaluator(table)
    nodes = np.array([node])
    assert support.small_class_rows(node, k) == evaluator.small_class_rows(nodes, k)[0]
    assert support.k(node) == evaluator.evaluate([node], ["k"])["k"].iloc[0]
    sizes = sorted(map(len, support.classes(node)))
    assert sizes == sorted(evaluator.class_table(node).sizes.tolist())
    assert sorted(row for rows in support.classes(node) for row in rows) == list(
        range(table.n_rows)
    )


def test_unknown_columns_and_nodes_are_refused():
    support = SupportMap(de_pascale_table(4))
    with pytest.raises(ValueError, match="'crime'"):
        support.entries("crime")
    with pytest.raises(ValueError, match="age"):
        support.classes([4, 0, 0])
