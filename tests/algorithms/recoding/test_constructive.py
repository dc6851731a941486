"""Constructive methods as algorithms: what they hand out, what they refuse, when they end."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pymoo.optimize import minimize

import anonopt as ao
from anonopt.algorithms import ALGORITHMS, get_algorithm
from anonopt.local_recoding import bottom_up_groups, k_member_groups, mondrian_groups
from anonopt.measures import Measure
from anonopt.problems import LocalRecodingProblem
from anonopt.problems.spaces import Groups
from anonopt.runs import solve
from tests.evaluation.lattice.small_tables import eight_people
from tests.local_recoding.constructed import constructions

NAMES = [
    name for name, entry in ALGORITHMS.items() if entry.path.startswith("anonopt.algorithms.reco")
    and not entry.stochastic and not entry.exact
]  # fmt: skip
every = pytest.mark.parametrize("name", NAMES)


def patients(k=3, objectives=("glm",), **options):
    table = ao.load_dataset("patients")
    return LocalRecodingProblem(table, list(objectives), k=k, genome="groups", **options)


def test_names_are_those_of_the_papers():
    assert set(NAMES) >= {"mondrian", "mondrian-relaxed", "top-down", "bottom-up", "k-member"}


@every
@pytest.mark.usefixtures("entropy_guard")
def test_one_recoding_is_built_and_evaluated(name):
    problem = patients()
    result = solve(problem, get_algorithm(name, problem), seed=1)
    assert (result.n_evaluations, result.message, result.success) == (1, "algorithm finished", True)
    frame = result.protect(0)
    assert frame.groupby(list(problem.table.quasi_identifiers)).size().min() >= 3
    other = minimize(problem, get_algorithm(name, problem), seed=9)
    assert other.F.tolist() == result.F[0].tolist()


@every
def test_range_of_k_gives_a_recoding_for_each_of_some(name):
    problem = patients((2, 6), ("k", "glm"))
    result = solve(problem, get_algorithm(name, problem), seed=1)
    assert result.n_evaluations == 5
    assert result.front["k"].min() >= 2
    two = solve(problem, get_algorithm(name, problem, n_k=2), seed=1)
    assert two.n_evaluations == 2
    only = [solve(patients(k, ("k", "glm")), get_algorithm(name, problem)).F for k in (2, 6)]
    assert {tuple(row) for F in only for row in F.tolist()} >= {tuple(row) for row in two.F}


@every
def test_budget_ends_it_early_and_a_pickled_run_goes_on(name):
    problem = patients((2, 6), ("k", "glm"))
    assert solve(problem, get_algorithm(name, problem), budget=2, seed=1).n_unique == 2
    algorithm = get_algorithm(name, problem)
    algorithm.setup(problem, seed=1)
    algorithm.next()
    revived = pickle.loads(pickle.dumps(algorithm))
    for run in (algorithm, revived):
        while run.has_next():
            run.next()
    assert algorithm.result().F.tolist() == revived.result().F.tolist()


@settings(max_examples=12)
@given(constructions(bounded=True), st.sampled_from(NAMES), st.integers(0, 3))
def test_recodings_are_feasible(small, name, budget):
    budget = min(budget, small.table.n_rows - 1)
    problem = LocalRecodingProblem(
        small.table,
        ["glm"],
        k=small.k,
        suppression=budget,
        class_bounds=small.bounds,
        genome="groups",
    )
    algorithm = get_algorithm(name, problem)
    result = solve(problem, algorithm, seed=1)
    assert result.success
    assert problem.suppressed_rows(result.X[0]).sum() <= budget


def test_options_reach_what_is_built():
    problem = patients()
    table = problem.table
    built = {
        "mondrian": ({"labels": "hierarchy"}, mondrian_groups(table, 3, labels="hierarchy")),
        "mondrian-relaxed": (
            {"ordered": ["age"]}, mondrian_groups(table, 3, relaxed=True, ordered=["age"])
        ),
        "k-member": (
            {"nominal": "leaves", "random_state": 4},
            k_member_groups(table, 3, nominal="leaves", random_state=4),
        ),
        "bottom-up": ({"as_printed": True}, bottom_up_groups(table, 3, as_printed=True)),
    }  # fmt: skip
    for name, (options, groups) in built.items():
        result = solve(problem, get_algorithm(name, problem, **options))
        assert result.X[0, 0] == groups, name


@every
def test_other_problems_are_refused(name):
    problem = patients()
    with pytest.raises(ValueError, match="expected a space of groups, found keys"):
        get_algorithm(name, problem.with_genome("keys"))

    class Other(ao.problems.AnonymizationProblem):
        def _values(self, X):
            return [[0.0]] * len(X), None

    other = Other(space=Groups(problem.table), objective_names=["one"], maximize=[False])
    with pytest.raises(ValueError, match="expected a LocalRecodingProblem, found Other"):
        get_algorithm(name, other)
    with pytest.raises(ValueError, match="k: expected at most the 20 rows of the table, found 21"):
        get_algorithm(name, patients(21))


def test_what_cannot_be_met_is_refused():
    odd = Measure("odd", maximize=True, unit="", range="0..1", per_class=lambda c: c.sizes % 2 < 1)
    table = eight_people(sensitive="illness")
    problem = LocalRecodingProblem(
        table, ["glm"], k=2, class_bounds={odd: 1, "l": 1}, genome="groups"
    )
    with pytest.raises(ValueError, match="mondrian-relaxed: class_bounds: expected measures of"):
        get_algorithm("mondrian-relaxed", problem)
    for name in ("mondrian", "k-member", "top-down", "bottom-up"):
        assert solve(problem, get_algorithm(name, problem)).success
    with pytest.raises(ValueError, match="gain='target': expected a table with a target"):
        get_algorithm("top-down", problem, gain="target")
    with pytest.raises(ValueError, match="ordered: expected quasi-identifiers"):
        get_algorithm("mondrian", problem, ordered=["age"])
    for name, option in (("k-member", "nominal"), ("mondrian", "labels"), ("bottom-up", "gain")):
        with pytest.raises(ValueError, match=f"{option}: expected"):
            get_algorithm(name, problem, **{option: "other"})
