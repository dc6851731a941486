"""Lower bounds of the columns: the paper's table, its counter-example, soundness."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from anonopt.algorithms import column_bounds
from anonopt.evaluation import LatticeEvaluator
from tests.algorithms.small_problems import de_pascale_table, small_problems
from tests.oracles.lattice_search import all_nodes, small_class_rows


def test_table_3_of_de_pascale():
    evaluator = LatticeEvaluator(de_pascale_table(4), k=2)
    for rule in ("sound", "no_suppression"):
        bounds = column_bounds(evaluator.tuples.facts, k=2, budget=0, rule=rule)
        assert bounds.tolist() == [2, 1, 0]


def test_table_8_of_de_pascale_the_printed_rule_excludes_a_feasible_node():
    # A limit of 35 % of three rows is one row.
    evaluator = LatticeEvaluator(de_pascale_table(3), k=2, suppression=0.35)
    facts = evaluator.tuples.facts
    assert evaluator.rule.budget == 1
    assert column_bounds(facts, k=2, budget=1, rule="no_suppression").tolist() == [3, 4, 1]
    assert column_bounds(facts, k=2, budget=1).tolist() == [2, 1, 0]
    # Rows of 24 and 28 are a class, the row of 42 is suppressed: feasible.
    assert evaluator.small_class_rows(np.array([[2, 1, 1]]), 2).tolist() == [1]
    # What the paper calls 2-anonymous in its Section 7 exceeds the limit: rows 2 and 3 were
    # removed, each for another column, and the row that is left is alone.
    assert evaluator.small_class_rows(np.array([[0, 0, 0], [2, 1, 0]]), 2).tolist() == [3, 3]


@given(small_problems())
def test_every_feasible_node_lies_above_the_sound_bounds(small):
    facts = small.problem().evaluator.tuples.facts
    bounds = column_bounds(facts, k=small.k, budget=small.budget)
    feasible = small.feasible()
    assert all(np.all(bounds <= node) for node in feasible)
    # Nothing above them would do for a column: each is reached by some feasible node.
    assert np.array_equal(np.min(feasible, axis=0), bounds)


@given(small_problems())
def test_bound_of_a_column_is_its_lowest_feasible_level(small):
    facts = small.problem().evaluator.tuples.facts
    for rule, allowed in (("sound", small.budget), ("no_suppression", 0)):
        found = column_bounds(facts, k=small.k, budget=small.budget, rule=rule)
        top = all_nodes(small.plain)[-1]
        for column, height in enumerate(top):
            alone = [(*top[:column], level, *top[column + 1 :]) for level in range(height + 1)]
            rows = [small_class_rows(small.plain, node, small.k) for node in alone]
            assert found[column] == next(i for i, n in enumerate(rows) if n <= allowed)


def test_columns_stop_at_the_top_where_no_level_is_feasible():
    facts = LatticeEvaluator(de_pascale_table(4), k=2).tuples.facts
    assert column_bounds(facts, k=5, budget=0).tolist() == [3, 4, 1]
