"""Optimistic bounds: never violated at any node, and not idle."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt import LatticeEvaluator, load_dataset
from anonopt.algorithms.local.bounding_measures import BOUNDING, KNOWN
from anonopt.algorithms.local.bounds import OptimisticBounds, bound_of
from anonopt.measures import MEASURES, Measure, measure_names
from anonopt.measures.measure import BOUNDED, FIXED, LASTING, REVERSE, UNSUPPRESSED, rule_name
from anonopt.problems import LatticeProblem
from tests.contracts.toy_problems import ToyLattice
from tests.evaluation.lattice.small_tables import rules, small_tables
from tests.examples import examples
from tests.oracles.measures import NEED_HIERARCHY, NEED_K, NEED_POPULATION

ROUNDING = 1e-9
"""Sums of shares with and without suppression differ in the last digits."""

RULES = {
    REVERSE: {"suppression": 0.05},
    FIXED: {"suppression": 0.05, "k": 5},
    UNSUPPRESSED: {"suppression": 0.0},
    LASTING: {"suppression": 0.05, "k": 5, "class_bounds": {"l": 2}},
    BOUNDED: {"suppression": 0.05, "k": 5, "class_bounds": {"l": 2, "t": 0.6}},
}

median_size = Measure(
    "median_size",
    maximize=True,
    unit="rows",
    range="1..N",
    from_classes=lambda classes: float(np.median(classes.sizes)),
)


def whole_lattice(problem):
    """Nodes, minimized criteria and bounding of all nodes."""
    nodes = problem.lattice.nodes()
    F, G = problem.evaluate(nodes, return_values_of=["F", "G"])
    bounds = OptimisticBounds(problem)
    return nodes, np.column_stack([F, G]), bounding_at(problem, bounds, nodes)


def bounding_at(problem, bounds, nodes):
    if not bounds.measures:
        return np.empty((len(nodes), 0))
    found = problem.evaluator.values(nodes, bounds.measures)
    return np.column_stack([found[measure.name] for measure in bounds.measures])


@given(small_tables(), st.data())
@examples(60)
def test_no_bound_is_violated_at_any_node(small, data):
    rule = data.draw(rules(small))
    # Objectives are finite, which recursive (c, l)-diversity is not always; "feasible" is the
    # name of a column of results.
    names = sorted(set(small.measures(rule["k"])) - {"recursive_cl", "feasible"})
    bounded = data.draw(st.sets(st.sampled_from(names)))
    limits = {name: data.draw(st.integers(0, 20)) for name in sorted(bounded)}
    problem = LatticeProblem(
        small.table, [*names, median_size], limits, accelerator="numpy", **rule
    )
    nodes, criteria, bounding = whole_lattice(problem)
    bounds = OptimisticBounds(problem)
    order = np.array(data.draw(st.permutations(range(len(nodes)))))
    n_first = data.draw(st.integers(0, len(nodes)))
    n_second = data.draw(st.integers(0, len(nodes) - n_first))
    for rows in (order[:n_first], order[n_first : n_first + n_second]):
        bounds.learn(nodes[rows], criteria[rows], bounding[rows])
        found = bounds.at(nodes)
        slack = ROUNDING * (1 + np.abs(criteria))
        violated = np.argwhere(~(found <= criteria + slack))
        assert len(violated) == 0, (
            f"{[*problem.objective_names, 'median', *problem.constraint_names][violated[0][1]]} "
            f"of node {nodes[violated[0][0]]}"
        )


@given(small_tables(), st.data())
@examples(25)
def test_bounds_of_two_parts_are_those_of_the_whole(small, data):
    problem = LatticeProblem(small.table, ["k", "glm"], {"S_k": 3}, suppression=0)
    nodes, criteria, bounding = whole_lattice(problem)
    split = data.draw(st.integers(0, len(nodes)))
    bounds = OptimisticBounds(problem)
    bounds.learn(nodes[:split], criteria[:split], bounding[:split])
    before = bounds.at(nodes)
    bounds.learn(nodes[split:], criteria[split:], bounding[split:])
    assert len(bounds) == len(nodes)
    later = np.maximum(before, bounds.at(nodes, since=split))
    np.testing.assert_array_equal(later, bounds.at(nodes))


@pytest.mark.parametrize("rule", RULES)
def test_what_every_measure_is_bounded_by(rule):
    """The table of bounds, by hand; everything else declares nothing."""
    table = load_dataset("german")
    evaluator = LatticeEvaluator(table, **RULES[rule])
    assert rule_name(evaluator.rule) == rule
    known, directed, bounding = set(), set(), {}
    absent = NEED_HIERARCHY | NEED_POPULATION | (set() if "k" in RULES[rule] else NEED_K)
    for name in set(measure_names("node")) - absent:
        bound = bound_of(evaluator.measure(name), evaluator)
        if bound.bounding is not None:
            bounding[name] = bound.bounding.name
        elif bound.known is not None:
            known.add(name)
        elif bound.direction:
            directed.add(name)
    assert known == KNOWN
    cm = {"cm": "cm_all", "cm_normalized": "cm_all_normalized"}
    if rule == REVERSE:
        assert directed == {"k", "l_all", "S_k", "S_l", "highest_risk"}
        assert bounding == cm | {
            "l": "l_best", "discernibility": "S_k", "S_k_kept": "S_k", "S_l_kept": "S_l",
        }  # fmt: skip
    elif rule == BOUNDED:
        assert directed == {"S_k", "S_l", "l_all"}
        assert bounding == cm | {"discernibility": "S_k"}
    elif rule in (FIXED, LASTING):
        assert {"S_k", "S_l", "l_all", "suppressed", "feasible"} <= directed
        assert not {"k", "l", "glm", "cm"} & directed
        assert bounding == cm | {"discernibility": "S_k"}
    else:
        assert bounding == {}
        assert {"k", "l", "S_k", "cm", "t", "discernibility"} <= directed
        assert "average_class_size" not in directed


@pytest.mark.parametrize("rule", BOUNDING)
def test_bounding_measures_rise_and_stand_for_measures_that_do_not(rule):
    evaluator = LatticeEvaluator(load_dataset("german"), **RULES[rule])
    for name, bounding in BOUNDING[rule].items():
        assert bounding.monotonicity(evaluator.rule) == 1
        assert MEASURES[name].monotonicity(evaluator.rule) == 0


def test_a_measure_of_the_user_has_a_bound_only_where_it_declares_a_direction():
    evaluator = LatticeEvaluator(load_dataset("german"), suppression=0.05)
    declared = Measure(
        "my_smallest",
        maximize=True,
        unit="rows",
        range="1..N",
        from_classes=lambda classes: float(classes.sizes.min()),
        rising=frozenset({REVERSE}),
    )
    namesake = Measure("glm", maximize=False, unit="", range="", from_classes=lambda classes: 0.0)
    assert bound_of(declared, evaluator).direction == -1
    stranger = Measure("IL", maximize=False, unit="", range="", from_classes=lambda classes: 0.0)
    for measure in (median_size, namesake, stranger):
        bound = bound_of(measure, evaluator)
        assert (bound.direction, bound.known, bound.bounding) == (0, None, None)


def test_weights_of_the_loss_are_part_of_what_is_known():
    table = load_dataset("german")
    weights = {table.quasi_identifiers[0]: 3.0}
    problem = LatticeProblem(table, ["glm"], suppression=0.0, weights=weights)
    nodes = problem.lattice.nodes()
    np.testing.assert_array_equal(OptimisticBounds(problem).known(nodes), problem.evaluate(nodes))


def test_bounds_prune_most_of_a_lattice_that_is_known_in_part():
    """Bounds that are true but say nothing would be of no use."""
    problem = LatticeProblem(load_dataset("german"), ["k", "l", "glm", "cm"], suppression=0.05)
    nodes, criteria, bounding = whole_lattice(problem)
    order = np.random.default_rng(1).permutation(len(nodes))
    known = np.unique([0, len(nodes) - 1, *order[: len(nodes) // 4]])
    bounds = OptimisticBounds(problem)
    bounds.learn(nodes[known], criteria[known], bounding[known])
    gap = (criteria - bounds.at(nodes)) / np.ptp(criteria, axis=0)
    assert (gap.mean(axis=0) < 0.2).all(), gap.mean(axis=0)


def test_what_was_not_measured_bounds_nothing():
    problem = LatticeProblem(load_dataset("german"), ["cm", "k"], suppression=0.05)
    bottom, top = np.array([problem.lattice.bottom]), np.array([problem.lattice.top])
    bounds = OptimisticBounds(problem)
    bounds.learn(bottom, problem.evaluate(bottom), np.array([[np.nan]]))
    assert bounds.at(top)[0, 0] == -np.inf
    bounds.learn(bottom, problem.evaluate(bottom), bounding_at(problem, bounds, bottom))
    assert bounds.at(top)[0, 0] > 0


def test_other_problems_have_no_bounds():
    problem = ToyLattice((2, 1), least_privacy=3)
    nodes = problem.nodes()
    bounds = OptimisticBounds(problem)
    bounds.learn(nodes, np.zeros((6, 3)), np.empty((6, 0)))
    assert bounds.measures == ()
    assert (bounds.at(nodes) == -np.inf).all()


def test_blocks_change_nothing(monkeypatch):
    problem = LatticeProblem(load_dataset("german"), ["k", "cm"], suppression=0.05)
    nodes, criteria, bounding = whole_lattice(problem)
    bounds = OptimisticBounds(problem)
    bounds.learn(nodes[::7], criteria[::7], bounding[::7])
    at_once = bounds.at(nodes)
    monkeypatch.setattr("anonopt.algorithms.local.bounds.LARGEST_BLOCK", 500)
    np.testing.assert_array_equal(bounds.at(nodes), at_once)


def test_comparison_of_nodes_by_hand():
    """The bound of k at each node of a 3 x 2 lattice is the least k seen above it."""
    problem = LatticeProblem(load_dataset("german", quasi_identifiers=["job", "housing"]), ["k"])
    nodes = problem.lattice.nodes()
    values = -np.arange(10.0, 10.0 + len(nodes))[:, np.newaxis]
    bounds = OptimisticBounds(problem)
    bounds.learn(nodes[3:], values[3:], np.empty((len(nodes) - 3, 0)))
    for row, node in enumerate(nodes):
        above = [i for i in range(3, len(nodes)) if (nodes[i] >= node).all()]
        expected = max((values[i, 0] for i in above), default=-np.inf)
        assert bounds.at(nodes[row : row + 1])[0, 0] == expected
    assert len(list(itertools.product(*map(range, problem.lattice.heights)))) > 1
