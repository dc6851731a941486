"""Exact fronts of whole lattices: parts, threads and bounds change nothing of what is found."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonopt as ao
from anonopt.evaluation.lattice import parts
from anonopt.evaluation.lattice.rollup import RollUp
from anonopt.problems import LatticeProblem, exact_front
from anonopt.problems.box_bounds import BoxBounds
from tests.evaluation.lattice.small_tables import by_statistics, rules, small_tables
from tests.examples import examples
from tests.oracles.archives import non_dominated


@pytest.fixture
def small_parts(monkeypatch):
    """Parts of few nodes, and bounds asked of every lattice."""
    monkeypatch.setattr(exact_front, "PRUNED_FROM", 1)
    monkeypatch.setattr(exact_front, "LOOKED_AT", 5)
    monkeypatch.setattr(parts, "PART", 6)
    monkeypatch.setattr(parts, "PIECE", 2)


@st.composite
def problems(draw, accelerator):
    """Problems of some measures of a small table, made with each number of threads."""
    small = draw(small_tables(max_rows=25))
    rule = draw(rules(small))
    names = [one for one in by_statistics(small.measures(rule["k"])) if one != "feasible"]
    objectives = draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
    constraints = {"height": draw(st.integers(0, 6))} if draw(st.booleans()) else {}
    heights = small.table.lattice.heights
    lower = [draw(st.integers(0, height)) for height in heights] if draw(st.booleans()) else None

    def make(workers):
        return LatticeProblem(
            small.table,
            objectives,
            constraints,
            bounds=lower,
            accelerator=accelerator,
            workers=workers,
            **rule,
        )

    return make


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("accelerator", ["numpy", "auto"])
@given(st.data())
@examples(8)
def test_the_front_is_that_of_all_nodes(accelerator, data):
    make = data.draw(problems(accelerator))
    problem = make(1)
    lower, upper = problem.xl.astype(int), problem.xu.astype(int)
    nodes = ao.Lattice((upper - lower).tolist()).nodes() + lower
    F, G = problem.evaluate(nodes, return_values_of=["F", "G"])
    feasible = np.flatnonzero((G <= 0).all(axis=1))
    best = non_dominated(F[feasible].tolist(), [False] * F.shape[1])
    expected = sorted((tuple(F[row]), tuple(nodes[row])) for row in feasible[best])
    for workers in (1, 2):
        told = []
        X, found = make(workers)._enumerate(told.append)
        assert [(tuple(f), tuple(x)) for f, x in zip(found, X, strict=True)] == expected
        assert sorted(told) == told
        assert told[-1] == len(nodes)


@given(st.data())
@settings(max_examples=12)
def test_no_node_between_two_is_better_than_the_bound(data):
    problem = data.draw(problems("numpy"))(1)
    nodes = problem.lattice.nodes()
    first, second = (nodes[data.draw(st.integers(0, len(nodes) - 1))] for _ in range(2))
    lower, upper = np.minimum(first, second), np.maximum(first, second)
    between = nodes[((nodes >= lower) & (nodes <= upper)).all(axis=1)]
    best = BoxBounds(problem.evaluator, problem.measures).best(lower, upper)
    found = problem.evaluator.values(between, problem.measures)
    for one in problem.measures:
        if one.maximize:
            assert (found[one.name] <= best[one.name]).all()
        else:
            assert (found[one.name] >= best[one.name]).all()


def test_most_nodes_are_left_out(monkeypatch):
    problem = LatticeProblem(ao.load_dataset("german"), ["k", "glm"], suppression=0.01)
    expected = problem._enumerate(None)
    monkeypatch.setattr(exact_front, "PRUNED_FROM", 1)
    monkeypatch.setattr(parts, "PIECE", 8)
    measured = []
    room = RollUp._room

    def counted(self, plan, n_nodes):
        measured.append(n_nodes)
        return room(self, plan, n_nodes)

    monkeypatch.setattr(RollUp, "_room", counted)
    for one, other in zip(problem._enumerate(None), expected, strict=True):
        np.testing.assert_array_equal(one, other)
    assert sum(measured) < 0.8 * problem.lattice.size


def test_a_limit_names_the_nodes_and_the_time():
    problem = LatticeProblem(ao.load_dataset("german"), ["k", "glm"])
    with pytest.raises(ValueError, match=r"at most 600 nodes, found 648; .* take up to .* seconds"):
        problem.pareto_set_and_front(limit=600)
    with pytest.raises(ValueError, match=r"limit: expected .* at least 1, found 0"):
        problem.pareto_set_and_front(limit=0)
    assert len(problem.pareto_set_and_front(limit=648)[0]) == len(problem.pareto_front())


def test_bounds_of_the_objectives_make_the_usual_limit_larger(monkeypatch):
    monkeypatch.setattr(exact_front, "ENUMERATION_LIMIT", 600)
    german = ao.load_dataset("german")
    bounded = LatticeProblem(german, ["k", "glm"], suppression=0.03)
    assert bounded.is_enumerable
    assert len(bounded.pareto_front()) > 1
    free = LatticeProblem(german, ["k", "cm"], suppression=0.03)
    assert not free.is_enumerable
    assert free.pareto_front() is None
    monkeypatch.setattr(exact_front, "BOUNDED_LIMIT", 640)
    assert not bounded.is_enumerable
