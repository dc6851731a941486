"""Bounds on measures: how far they are missed, and that searches end up where they are met."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from pymoo.algorithms.moo.ctaea import CTAEA
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.algorithms.soo.nonconvex.ga import GA
from pymoo.optimize import minimize
from pymoo.util.ref_dirs import get_reference_directions

import anonopt as ao
from anonopt.operators import SinglePointCrossover, StepMutation, UniformSampling
from anonopt.problems import LatticeProblem


def table_of(frame: pd.DataFrame, **roles: str) -> ao.Microdata:
    return ao.Microdata(
        frame,
        quasi_identifiers=["age", "zip", "sex"],
        hierarchies={
            "age": ao.Hierarchy.intervals(range(20, 40), width=5, fan_outs=[2]),
            "zip": ao.Hierarchy.text(["8166", "8167", "8266", "8300"]),
            "sex": "flat",
        },
        **roles,
    )


@pytest.fixture(scope="module")
def table() -> ao.Microdata:
    rng = np.random.default_rng(11)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 40, 80),
            "zip": rng.choice(["8166", "8167", "8266", "8300"], 80),
            "sex": rng.choice(["F", "M"], 80),
            "illness": rng.choice(["flu", "cold", "ache"], 80),
        }
    )
    return table_of(frame, sensitive="illness")


def violations(problem: LatticeProblem, nodes: np.ndarray) -> np.ndarray:
    return problem.evaluate(nodes, return_values_of=["G"])


BOUNDS = {"k": 5, "l": 2, "t": 0.3}


@pytest.mark.parametrize("suppression", [0, 4])
def test_violation_is_what_is_missing_in_units_of_the_bound(table, suppression):
    problem = LatticeProblem(table, ["glm"], BOUNDS, suppression=suppression)
    nodes = table.lattice.nodes()
    frame = problem.evaluator.evaluate(nodes, list(BOUNDS))
    G = violations(problem, nodes)
    assert problem.constraint_names == ("k", "l", "t")
    for row, (k, diversity, t) in enumerate(frame[list(BOUNDS)].to_numpy().tolist()):
        expected = [(5 - k) / 5, (2 - diversity) / 2, (t - 0.3) / 0.3]
        assert G[row].tolist() == pytest.approx(expected, abs=1e-8)
    met = (frame["k"] >= 5) & (frame["l"] >= 2) & (frame["t"] <= 0.3)
    assert 0 < met.sum() < len(met)
    np.testing.assert_array_equal((G <= 0).all(axis=1), met)


def test_violation_by_hand():
    frame = pd.DataFrame(
        {
            "age": [20, 20, 20, 39],
            "zip": ["8166"] * 4,
            "sex": ["F"] * 4,
            "illness": ["flu", "flu", "cold", "ache"],
        }
    )
    problem = LatticeProblem(
        table_of(frame, sensitive="illness"), ["height"], {"k": 4, "l": 3, "suppressed": 0}
    )
    # Bottom: classes of 3 rows (2 illnesses) and of 1 row. Ages joined: one class of 4 with 3.
    assert violations(problem, np.array([[0, 0, 0], [3, 0, 0]])).tolist() == [
        [3 / 4, 2 / 3, 0.0],
        [0.0, 0.0, 0.0],
    ]


def test_bound_of_zero_is_counted_in_units_of_one(table):
    problem = LatticeProblem(table, ["k"], {"suppressed": 0}, suppression=6)
    nodes = table.lattice.nodes()
    suppressed = problem.evaluator.evaluate(nodes, ["suppressed"])["suppressed"]
    np.testing.assert_array_equal(violations(problem, nodes)[:, 0], suppressed)
    assert suppressed.max() > 0


def test_rounded_entropy_meets_the_bound_it_equals_by_definition():
    # Three equally frequent illnesses have exactly entropy l = 3, up to rounding.
    frame = pd.DataFrame(
        {
            "age": [20] * 9,
            "zip": ["8166"] * 9,
            "sex": ["F"] * 9,
            "illness": ["flu", "cold", "ache"] * 3,
        }
    )
    problem = LatticeProblem(table_of(frame, sensitive="illness"), ["glm"], {"entropy_l": 3})
    bottom = np.array([[0, 0, 0]])
    value = problem.evaluator.evaluate(bottom, ["entropy_l"])["entropy_l"].iloc[0]
    assert value == pytest.approx(3, abs=1e-12)
    assert violations(problem, bottom).tolist() == [[0.0]]
    just_above = LatticeProblem(problem.table, ["glm"], {"entropy_l": 3 + 1e-6})
    assert violations(just_above, bottom)[0, 0] > 0


def test_fixed_k_stands_beside_the_bounds(table):
    problem = LatticeProblem(table, ["glm"], {"l": 3, "t": 0.2}, k=4, suppression=5)
    nodes = table.lattice.nodes()
    assert problem.constraint_names == ("l", "t", "suppression")
    frame = problem.evaluator.evaluate(nodes, ["l", "t", "suppressed", "feasible"])
    G = violations(problem, nodes)
    np.testing.assert_allclose(G[:, 2], (frame["suppressed"] - 5) / 80)
    np.testing.assert_array_equal(G[:, 2] <= 0, frame["feasible"] == 1)
    met = (frame["feasible"] == 1) & (frame["l"] >= 3) & (frame["t"] <= 0.2)
    assert 0 < met.sum() < (frame["feasible"] == 1).sum()
    np.testing.assert_array_equal((G <= 0).all(axis=1), met)


def test_bound_on_the_suppressed_rows_under_fixed_k(table):
    problem = LatticeProblem(table, ["glm"], {"suppressed": 2}, k=4, suppression=10)
    nodes = table.lattice.nodes()
    suppressed = problem.evaluator.evaluate(nodes, ["suppressed"])["suppressed"].to_numpy()
    G = violations(problem, nodes)
    np.testing.assert_allclose(G[:, 0], (suppressed - 2) / 2)
    np.testing.assert_array_equal((G <= 0).all(axis=1), suppressed <= 2)


def pymoo_search(name: str, problem: LatticeProblem):
    operators = {
        "sampling": UniformSampling(),
        "crossover": SinglePointCrossover(),
        "mutation": StepMutation(),
    }
    if name == "CTAEA":
        return CTAEA(get_reference_directions("das-dennis", 2, n_partitions=11), **operators)
    return {"NSGA2": NSGA2, "GA": GA}[name](pop_size=12, **operators)


@pytest.mark.parametrize(
    ("name", "objectives"), [("NSGA2", ["k", "glm"]), ("CTAEA", ["k", "glm"]), ("GA", ["glm"])]
)
@pytest.mark.parametrize("fixed", [{}, {"k": 3, "suppression": 6}], ids=["reverse", "fixed k"])
def test_pymoos_own_searches_reach_feasible_nodes(table, name, objectives, fixed):
    bounds = {"l": 3, "t": 0.3} if fixed else BOUNDS
    problem = LatticeProblem(table, objectives, bounds, **fixed)
    outcome = minimize(problem, pymoo_search(name, problem), ("n_gen", 15), seed=1)
    X = np.atleast_2d(outcome.X)
    assert (violations(problem, X) <= 0).all()
    frame = problem.evaluator.evaluate(X, ["l", "t", "k"])
    assert (frame["l"] >= bounds["l"]).all()
    assert (frame["t"] <= bounds["t"] + 1e-9).all()
    assert (frame["k"] >= (fixed or bounds)["k"]).all()
    if name == "GA":
        assert outcome.F.tolist() == problem.pareto_front()[0].tolist()


@pytest.mark.parametrize("name", ["pbgea", "nsga2", "spea2", "random", "exhaustive", "lattice-vnd"])
def test_results_never_list_infeasible_nodes(table, name):
    problem = LatticeProblem(table, ["k", "glm"], BOUNDS, suppression=3)
    algorithm = ao.algorithms.get_algorithm(name, problem)
    result = ao.solve(problem, algorithm, budget=60, seed=1)
    assert result.success
    assert (violations(problem, result.X) <= 0).all()
    frame = problem.evaluator.evaluate(result.X, list(BOUNDS))
    assert (frame["k"] >= 5).all()
    assert (frame["l"] >= 2).all()
    assert (frame["t"] <= 0.3 + 1e-9).all()
    nodes = result.history[list(problem.space.names)].to_numpy()
    feasible = (violations(problem, nodes) <= 0).all(axis=1)
    np.testing.assert_array_equal(result.history["feasible"], feasible)
    assert 0 < feasible.sum() < len(feasible)


def test_exhaustive_search_finds_the_exact_front(table):
    problem = LatticeProblem(table, ["k", "glm"], BOUNDS, suppression=3)
    result = ao.solve(problem, ao.algorithms.ExhaustiveSearch())
    np.testing.assert_array_equal(result.F, problem.pareto_front())
    assert (violations(problem, problem.pareto_set()) <= 0).all()


def test_bounds_nothing_meets_are_told_by_name(table):
    problem = LatticeProblem(table, ["glm"], {"k": 81, "l": 4})
    result = ao.solve(problem, ao.algorithms.ExhaustiveSearch())
    assert not result.success
    assert result.front.empty
    assert "fails k by 0.0123457, l by 0.25" in result.message
    assert result.least_infeasible["violation"].tolist() == pytest.approx([1 / 81 + 1 / 4])


def test_sensitive_measures_need_a_sensitive_column(table):
    plain = table_of(table.frame)
    with pytest.raises(ValueError, match="sensitive"):
        LatticeProblem(plain, ["glm"], {"l": 2})
