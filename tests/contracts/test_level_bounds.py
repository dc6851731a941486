"""What every search does on a lattice of which the lowest levels are cut off."""

from __future__ import annotations

import numpy as np
import pytest

import anonopt as ao
from anonopt.algorithms import ALGORITHMS, get_algorithm
from anonopt.algorithms.node_tests import TestingSearch
from anonopt.problems import LatticeProblem
from anonopt.problems.spaces import Levels
from anonopt.runs import solve
from tests.algorithms.small_problems import de_pascale_table
from tests.contracts.toy_problems import ToyLattice

NAMES = [
    name
    for name, entry in ALGORITHMS.items()
    if (entry.spaces is None or Levels.kind in entry.spaces) and not entry.real_numbers
]

every = pytest.mark.parametrize("name", NAMES)

BOUNDS = (4, 2, 1, 0, 3)
COLUMNS = ["age", "education", "race", "sex", "native-country"]


def problem_for(name: str, **options) -> LatticeProblem:
    entry = ALGORITHMS[name]
    others = ["k"] if entry.node_measures else [] if entry.single_objective else ["glm"]
    table = ao.load_dataset("adult", quasi_identifiers=COLUMNS)
    return LatticeProblem(table, ["height", *others], k=50, suppression=0.01, **options)


@pytest.fixture(scope="module")
def nodes_above() -> tuple[np.ndarray, np.ndarray]:
    """All nodes above the bounds, and which are feasible, from the problem without bounds."""
    table = ao.load_dataset("adult", quasi_identifiers=COLUMNS)
    nodes = table.lattice.nodes()
    nodes = nodes[(nodes >= BOUNDS).all(axis=1)]
    whole = LatticeProblem(table, ["height"], k=50, suppression=0.01)
    return nodes, whole.evaluate(nodes, return_values_of=["G"])[:, 0] <= 0


@every
def test_no_node_below_the_bounds_is_evaluated_or_tested(name, nodes_above):
    problem = problem_for(name, bounds=BOUNDS)
    traced = {"trace": True} if name_traces(name, problem) else {}
    result = solve(problem, get_algorithm(name, problem, **traced), budget=150, seed=1)
    looked_at = [result.history[COLUMNS].to_numpy()]
    if traced:
        looked_at.append(result.algorithm.trace()[COLUMNS].to_numpy())
    assert all((nodes >= BOUNDS).all() for nodes in looked_at)
    assert result.success
    if ALGORITHMS[name].exact:
        nodes, feasible = nodes_above
        least = result.F[:, 0].min()
        assert least == nodes[feasible].sum(axis=1).min()
        assert least > solve_whole(name).F[:, 0].min() > 0


def name_traces(name: str, problem: LatticeProblem) -> bool:
    return isinstance(get_algorithm(name, problem), TestingSearch)


def solve_whole(name: str) -> ao.Result:
    problem = problem_for(name)
    return solve(problem, get_algorithm(name, problem), seed=1)


@pytest.mark.parametrize("name", ["ola", "incognito"])
def test_minimal_nodes_are_those_above_the_bounds(name, nodes_above):
    problem = problem_for(name, bounds=BOUNDS)
    found = solve(problem, get_algorithm(name, problem), seed=1).algorithm.minimal_nodes
    nodes, feasible = nodes_above
    good = {tuple(node) for node in nodes[feasible].tolist()}
    below = [
        [tuple(node - step) for step in np.eye(5, dtype=int).tolist()] for node in nodes[feasible]
    ]
    minimal = {
        tuple(node.tolist())
        for node, lower in zip(nodes[feasible], below, strict=True)
        if not any(one in good for one in lower)
    }
    assert {tuple(node) for node in found.tolist()} == minimal
    assert minimal


def test_the_problem_is_that_of_the_nodes_above(nodes_above):
    problem = problem_for("nsga2", bounds=np.array(BOUNDS))
    nodes, feasible = nodes_above
    assert problem.space.size == len(nodes)
    assert problem.xl.tolist() == list(BOUNDS)
    assert problem.lattice.size > len(nodes)
    front = problem.pareto_set()
    assert (front >= BOUNDS).all()
    F = problem.evaluate(nodes[feasible], return_values_of=["F"])
    better = (F[:, np.newaxis] <= problem.pareto_front()).all(axis=2)
    better &= (F[:, np.newaxis] < problem.pareto_front()).any(axis=2)
    assert not better.any()
    with pytest.raises(ValueError, match=r"gene 'age': expected a whole number in 4\.\.6, found 3"):
        problem.evaluate(np.array([[3, 2, 1, 0, 3]]))
    assert "bounds=[4, 2, 1, 0, 3]" in repr(problem)
    assert problem.fingerprint != problem_for("nsga2").fingerprint
    assert problem_for("nsga2", bounds=(0,) * 5).fingerprint == problem_for("nsga2").fingerprint


def test_rules_are_those_of_the_columns():
    table = de_pascale_table(3)
    for rule, lowest in (("sound", [2, 1, 0]), ("no_suppression", [3, 4, 1])):
        problem = LatticeProblem(table, ["height"], k=2, suppression=0.35, bounds=rule)
        assert problem.xl.tolist() == lowest
        free = LatticeProblem(table, ["height"], k=2, suppression=0.35)
        drawn = solve(free, ao.algorithms.RandomSearch(bounds=rule), seed=1)
        assert drawn.n_unique == problem.space.size
        assert (drawn.history[list(free.space.names)].to_numpy() >= lowest).all()


def test_random_search_on_the_reduced_lattice_of_a_problem_without_bounds():
    problem = ToyLattice((4, 3, 3))
    search = ao.algorithms.RandomSearch(bounds=(3, 3, 0))
    result = solve(problem, search, seed=2)
    assert sorted(result.history[list(problem.space.names)].to_numpy().tolist()) == [
        [first, 3, last] for first in (3, 4) for last in range(4)
    ]


@pytest.mark.parametrize(
    ("bounds", "error", "message"),
    [
        ((0, 0), ValueError, r"bounds: expected 3 levels, one a column, found 2"),
        ((4, 0, 0), ValueError, r"bounds: column 'age': expected a level in 0\.\.3, found 4"),
        ((0, -1, 0), ValueError, r"bounds: expected a whole number of at least 0, found -1"),
        ((0, 0.5, 0), TypeError, r"bounds: expected a whole number of at least 0, found 0\.5"),
        ("printed", ValueError, "bounds: expected 'no_suppression', as the rule is called now"),
        ("soud", ValueError, "bounds: expected one of 'sound', 'no_suppression', found 'soud'"),
        (3, TypeError, "bounds: expected a level for each column, or one of 'sound'"),
        ([[1], [2, 3]], TypeError, r"bounds: expected a whole number .*, found \[1\]"),
        (np.eye(3), TypeError, "bounds: expected a level for each column"),
    ],
)
def test_wrong_bounds_are_refused_before_any_search(bounds, error, message):
    table = de_pascale_table(4)
    with pytest.raises(error, match=message):
        LatticeProblem(table, ["height"], k=2, bounds=bounds)
    problem = LatticeProblem(table, ["height"], k=2)
    for search in (ao.algorithms.RandomSearch, ao.algorithms.KGEN):
        with pytest.raises(error, match=message):
            solve(problem, search(bounds=bounds), seed=1)


def test_rules_need_a_fixed_k_and_bounds_need_levels():
    table = de_pascale_table(4)
    with pytest.raises(ValueError, match=r"bounds: expected a problem with a fixed k \(option k\)"):
        LatticeProblem(table, ["height"], bounds="sound")
    problem = LatticeProblem(table, ["height"])
    with pytest.raises(ValueError, match=r"expected a fixed k .* bounds='sound', found none"):
        get_algorithm("random", problem, bounds="sound")
    files = ao.get_problem("german-masking")
    with pytest.raises(ValueError, match="expected genomes of levels with the option bounds"):
        get_algorithm("random", files, bounds=[1, 1])
    raised = LatticeProblem(table, ["height"], k=2, bounds=(1, 1, 0))
    with pytest.raises(ValueError, match=r"column 'postcode': expected a level in 1\.\.4, found 0"):
        solve(raised, ao.algorithms.RandomSearch(bounds=(1, 0, 0)), seed=1)
