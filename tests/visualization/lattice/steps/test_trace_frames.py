"""Frames of searches by tests say what the trace says, step by step."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

import anonopt as ao
from anonopt.algorithms import OLA, BranchAndBound, Datafly, Incognito, Samarati
from anonopt.data import load_frame
from anonopt.visualization import lattice_frames
from tests.visualization.lattice.steps.searches import (
    TESTING,
    TESTS,
    least_problem,
    trace_rows,
    traced,
)

searches = pytest.mark.parametrize("search", TESTING, ids=lambda search: search.__name__)


def told_tests(frames):
    """Number, node and outcome of each test, from the words of the frames."""
    pattern = re.compile(r"Test (\d+): (\(.*?\)) is (feasible|infeasible)")
    found = [(frame, pattern.match(frame.text)) for frame in frames]
    return [(frame, match.groups()) for frame, match in found if match]


@searches
def test_each_test_of_the_trace_is_a_frame_in_its_order(search):
    result = traced(search)
    told = told_tests(lattice_frames(result))
    made = [row for row in trace_rows(result) if row[1] in TESTS]
    assert len(told) == len(made) == result.n_tests
    for number, ((frame, words), (node, event, _, n_tests)) in enumerate(
        zip(told, made, strict=True), start=1
    ):
        assert words == (str(number), str(node), event)
        assert frame.n_tests == n_tests == number
        assert frame.states[node] == event
        assert frame.marks["looked at"] == (node,)


@searches
def test_states_are_those_of_the_trace_so_far(search):
    """After each frame of a test, what is known is what the trace told until then."""
    result = traced(search)
    top = (3, 3, 1)
    for frame, (number, _, _) in told_tests(lattice_frames(result)):
        rows = [row for row in trace_rows(result) if row[3] < int(number)]
        rows += [row for row in trace_rows(result) if row[3] == int(number) and row[1] in TESTS]
        tested = {node: event for node, event, _, _ in rows if event in TESTS}
        assert {node: frame.states[node] for node in tested} == tested
        assert list(frame.order) == list(dict.fromkeys(tested))
        assert list(frame.order.values()) == list(range(1, len(tested) + 1))
        assert frame.states[top] == "feasible"
        if search is not BranchAndBound:
            known = {node for node, _, _, _ in rows} | {top}
            concluded = set(frame.states) - known
            tags = [row for row in trace_rows(result) if row[3] == int(number)]
            assert concluded <= {node for node, _, _, _ in tags}


@searches
def test_last_frame_knows_all_and_shows_the_answer(search):
    result = traced(search)
    frames = lattice_frames(result)
    assert [frame.step for frame in frames] == list(range(1, len(frames) + 1))
    last = frames[-1]
    assert last.marks["answer"] == tuple(map(tuple, result.X.tolist()))
    assert (last.n_tests, last.n_evaluations) == (result.n_tests, result.n_unique)
    events = {node: set() for node, *_ in trace_rows(result)}
    for node, event, _, _ in trace_rows(result):
        events[node].add(event)
    evaluated = {tuple(node) for node in result.history.iloc[:, 1:4].to_numpy().tolist()}
    for node, told in events.items():
        known = (told & TESTS) or ({"feasible"} if node in evaluated else told)
        assert last.states[node] in known
    n_nodes = len(set(events) | evaluated)
    assert len(last.states) >= n_nodes
    if search is not BranchAndBound:
        assert len(last.states) == n_nodes


def test_every_state_is_true():
    """Feasible and infeasible, tested or tagged, agree with the nodes themselves."""
    problem = least_problem()
    nodes = problem.lattice.nodes()
    suppressed = problem.evaluator.suppressed_rows(nodes)
    truth = {
        tuple(node): "feasible" if n == 0 else "infeasible"
        for node, n in zip(nodes.tolist(), suppressed, strict=True)
    }
    for search in TESTING:
        for frame in lattice_frames(traced(search)):
            for node, state in frame.states.items():
                assert state == "pruned" or state.removeprefix("tagged ") == truth[node]


def test_heights_of_samarati_close_in_on_the_least_one():
    result = traced(Samarati)
    windows = [frame.heights for frame in lattice_frames(result) if frame.heights]
    windows = [window for window, _ in itertools.groupby(windows)]
    assert windows == [(0, 7), (4, 7), (4, 5), (4, 4)]
    for frame in lattice_frames(result):
        if frame.text.startswith("Test"):
            (node,) = frame.marks["looked at"]
            low, high = frame.heights
            assert sum(node) == (low + high) // 2


def test_paths_of_ola_are_halved():
    for frame, (number, *_) in told_tests(lattice_frames(traced(OLA))):
        (path,) = frame.paths
        steps = np.diff(np.array(path), axis=0)
        assert (steps.sum(axis=1) == 1).all() and (steps >= 0).all()
        assert frame.marks["looked at"][0] in path
        if number == "1":
            assert frame.marks["looked at"][0] == path[len(path) // 2]


def test_path_of_datafly_is_its_trace():
    result = traced(Datafly)
    (path,) = lattice_frames(result)[-1].paths
    assert list(path) == [node for node, *_ in trace_rows(result)]


def test_incognito_looks_at_one_lattice_of_columns_after_another():
    sizes = []
    for frame in lattice_frames(traced(Incognito)):
        if frame.text.startswith("Lattice of"):
            sizes.append(len(frame.within))
        if frame.text.startswith("Test"):
            assert frame.marks["looked at"][0] in frame.within
    assert sizes == [4, 4, 2, 16, 8, 8, 32]


def test_bounds_of_branch_and_bound_meet():
    result = traced(BranchAndBound)
    frames = lattice_frames(result)
    tests, bound, incumbent = np.array(frames[-1].bounds).T
    assert (np.diff(tests) >= 0).all()
    assert (np.diff(bound) >= 0).all() and (np.diff(incumbent) <= 0).all()
    assert bound[-1] == incumbent[-1] == result.algorithm.incumbent == result.F[0, 0]
    for earlier, later in itertools.pairwise(frames):
        assert later.bounds[: len(earlier.bounds)] == earlier.bounds


def test_pruned_nodes_of_branch_and_bound_are_not_better():
    problem = least_problem()
    last = lattice_frames(traced(BranchAndBound))[-1]
    pruned = [node for node, state in last.states.items() if state == "pruned"]
    values = problem.evaluate(np.array(pruned), return_values_of=["F"])
    assert len(pruned) > 3 and values.min() >= last.bounds[-1][2] - 1e-12


def test_tags_after_a_test_are_told_with_it():
    result = traced(OLA)
    (first, _), *_ = told_tests(lattice_frames(result))
    below = [row for row in trace_rows(result) if row[2] == "below (3, 1, 0)"]
    assert f"so {len(below)} untagged nodes below it must be infeasible" in first.text
    assert all(first.states[node] == "tagged infeasible" for node, *_ in below)
    assert set(first.reasons) == {node for node, *_ in below}


@searches
def test_nothing_feasible_is_told(search):
    problem = least_problem(k=21)
    frames = lattice_frames(ao.solve(problem, search(trace=True)))
    assert "infeasible" in frames[0].text and "nothing" in frames[-1].text
    assert "answer" not in frames[-1].marks


@searches
def test_budget_of_tests_ends_the_frames(search):
    result = ao.solve(least_problem(), search(trace=True), test_budget=3)
    frames = lattice_frames(result)
    assert len(told_tests(frames)) == result.n_tests <= 3
    assert "proven" not in frames[-1].text


def test_columns_may_be_called_as_the_trace_calls_its_own():
    frame = load_frame("patients").rename(
        columns={"age": "event", "postcode": "reason", "sex": "n_tests"}
    )
    names = ["event", "reason", "n_tests"]
    table = ao.Microdata(frame, quasi_identifiers=names, hierarchies=dict.fromkeys(names, "flat"))
    problem = ao.problems.LatticeProblem(table, ["height"], k=3)
    for search in (OLA, Datafly, Incognito):
        result = ao.solve(problem, search(trace=True))
        assert len(told_tests(lattice_frames(result))) == result.n_tests
