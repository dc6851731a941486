"""LatticeProblem: signs, constraints, exact fronts, what is refused before any search."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from pymoo.optimize import minimize

import anonopt as ao
from anonopt.measures import Measure
from anonopt.problems import LatticeProblem
from anonopt.problems.exact_front import ENUMERATION_LIMIT


@pytest.fixture(scope="module")
def table() -> ao.Microdata:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 40, 60),
            "zip": rng.choice(["8166", "8167", "8266", "8300"], 60),
            "sex": rng.choice(["F", "M"], 60),
            "illness": rng.choice(["flu", "cold", "ache"], 60),
            "income": rng.choice(["low", "high"], 60),
        }
    )
    return ao.Microdata(
        frame,
        quasi_identifiers=["age", "zip", "sex"],
        hierarchies={
            "age": ao.Hierarchy.intervals(range(20, 40), width=5, fan_outs=[2]),
            "zip": ao.Hierarchy.text(["8166", "8167", "8266", "8300"]),
            "sex": "flat",
        },
        sensitive="illness",
        target="income",
    )


def brute_force_front(F: np.ndarray) -> np.ndarray:
    """Rows that no other row dominates, one comparison at a time."""
    keep = [not any(np.all(other <= row) and np.any(other < row) for other in F) for row in F]
    return np.array(keep)


def test_maximized_measures_are_negated(table):
    problem = LatticeProblem(table, ["k", "glm", "l"], suppression=0.05)
    nodes = table.lattice.nodes()
    frame = problem.evaluator.evaluate(nodes, ["k", "glm", "l"])
    expected = np.column_stack([-frame["k"], frame["glm"], -frame["l"]])
    np.testing.assert_array_equal(problem.evaluate(nodes), expected)
    np.testing.assert_array_equal(problem.natural(expected), frame[["k", "glm", "l"]])


def test_exact_front_is_that_of_brute_force(table):
    problem = LatticeProblem(table, ["k", "glm", "cm"], suppression=0.05)
    F = problem.evaluate(table.lattice.nodes())
    expected = F[brute_force_front(F)]
    found = problem.pareto_front()
    np.testing.assert_array_equal(found, expected[np.lexsort(expected.T[::-1])])
    np.testing.assert_array_equal(problem.evaluate(problem.pareto_set()), found)


def test_exact_front_is_computed_once_for_equal_problems(table, monkeypatch):
    first = LatticeProblem(table, ["k", "height"])
    front = first.pareto_front()
    second = LatticeProblem(table, ["k", "height"])
    monkeypatch.setattr(
        second.evaluator, "evaluate_all", lambda *args: pytest.fail("evaluated again")
    )
    assert second.pareto_front() is front


def test_constraints_bound_measures_in_their_own_direction(table):
    problem = LatticeProblem(table, ["glm"], {"k": 4, "t": 0.25}, suppression=0.05)
    nodes = table.lattice.nodes()
    G = problem.evaluate(nodes, return_values_of=["G"])
    frame = problem.evaluator.evaluate(nodes, ["k", "t"])
    np.testing.assert_allclose(G[:, 0], (4 - frame["k"]) / 4)
    np.testing.assert_allclose(G[:, 1], (frame["t"] - 0.25) / 0.25, atol=1e-8)
    met = (frame["k"] >= 4) & (frame["t"] <= 0.25 + 1e-9)
    np.testing.assert_array_equal((G <= 0).all(axis=1), met)
    assert 0 < met.sum() < len(met)


def test_fixed_k_brings_its_own_constraint(table):
    problem = LatticeProblem(table, ["glm"], k=5, suppression=6)
    nodes = table.lattice.nodes()
    G = problem.evaluate(nodes, return_values_of=["G"])
    suppressed = problem.evaluator.evaluate(nodes, ["suppressed"])["suppressed"]
    assert problem.constraint_names == ("suppression",)
    np.testing.assert_allclose(G[:, 0], (suppressed - 6) / 60)


def test_exact_front_holds_feasible_nodes_only(table):
    problem = LatticeProblem(table, ["glm"], k=5, suppression=3)
    frame = problem.evaluator.evaluate_all(["feasible", "glm"])
    best = frame.loc[frame["feasible"] == 1, "glm"].min()
    assert problem.natural(problem.pareto_front()).min() == best


def test_nothing_feasible_has_an_empty_front(table):
    problem = LatticeProblem(table, ["glm"], k=61)
    assert problem.pareto_front().shape == (0, 1)
    assert problem.pareto_set().shape == (0, 3)


def test_weights_change_the_loss_and_the_fingerprint(table):
    plain = LatticeProblem(table, ["glm"])
    weighted = LatticeProblem(table, ["glm"], weights={"sex": 0.0})
    node = np.array([[0, 0, 1]])
    assert plain.evaluate(node)[0, 0] == 60
    assert weighted.evaluate(node)[0, 0] == 0
    assert plain.fingerprint != weighted.fingerprint


@pytest.mark.parametrize(
    "other",
    [
        {"objectives": ["k"]},
        {"objectives": ["k", "glm"], "suppression": 1},
        {"objectives": ["k", "glm"], "k": 2},
        {"objectives": ["k", "glm"], "constraints": {"k": 2}},
        {"objectives": ["k", "glm"], "constraints": {"k": 3}},
    ],
)
def test_fingerprint_tells_problems_apart(table, other):
    assert (
        LatticeProblem(table, ["k", "glm"]).fingerprint
        != LatticeProblem(table, **other).fingerprint
    )


def test_users_measures_are_objectives_and_constraints(table):
    largest = Measure(
        "largest_class",
        maximize=False,
        unit="rows",
        range="1..N",
        from_classes=lambda classes: float(classes.sizes.max()),
    )
    problem = LatticeProblem(table, [largest, "height"], {largest: 30})
    values, G = problem.evaluate(np.array([table.lattice.top]), return_values_of=["F", "G"])
    assert values[0, 0] == 60
    assert G[0, 0] == 1.0
    assert (problem.natural(problem.pareto_front())[:, 0] <= 30).all()


def test_plain_pymoo_runs_on_it(table):
    problem = LatticeProblem(table, ["k", "glm"])
    result = minimize(problem, ao.algorithms.nsga2(problem, pop_size=10), ("n_gen", 5), seed=1)
    np.testing.assert_array_equal(problem.evaluate(result.X), result.F)


def test_pickled_twin_gives_the_same_objectives(table):
    problem = LatticeProblem(table, ["k", "glm", "S_l"], suppression=2, weights={"age": 2.0})
    twin = pickle.loads(pickle.dumps(problem))
    nodes = table.lattice.nodes()
    np.testing.assert_array_equal(problem.evaluate(nodes), twin.evaluate(nodes))
    assert twin.fingerprint == problem.fingerprint


def wide_table(n_columns: int) -> ao.Microdata:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        rng.integers(0, 2, (40, n_columns)), columns=[f"q{i}" for i in range(n_columns)]
    )
    return ao.Microdata(
        frame,
        quasi_identifiers=list(frame.columns),
        hierarchies=dict.fromkeys(frame.columns, "flat"),
    )


def test_a_lattice_too_large_to_enumerate_says_so():
    problem = LatticeProblem(wide_table(70), ["S_k", "height"])
    assert problem.space.size == 2**70 > ENUMERATION_LIMIT
    assert problem.pareto_front() is None
    with pytest.raises(ValueError, match=str(2**70)):
        problem.pareto_set_and_front()
    result = ao.solve(problem, ao.algorithms.nsga2(problem), budget=150, seed=1)
    assert result.success
    assert problem.evaluator.backend == "wide"


def test_a_collision_of_hashes_is_not_reported(monkeypatch):
    problem = LatticeProblem(wide_table(70), ["k", "height"])
    X = np.array([problem.lattice.top, problem.lattice.bottom])
    F = problem.evaluate(X)
    problem.confirm(X, F)
    with pytest.raises(RuntimeError, match="collided"):
        problem.confirm(X, np.add(F, [[0, 0], [1, 0]]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"objectives": ["kk"]}, "unknown measure 'kk'"),
        ({"objectives": ["k"], "constraints": {"t": float("nan")}}, "constraint 't'"),
        ({"objectives": ["feasible"]}, "needs the fixed-k rule"),
        ({"objectives": []}, "at least one"),
        ({"objectives": ["k"], "suppression": 60}, "budget of 0 to 59 rows"),
        ({"objectives": ["k"], "k": 0}, "k: expected a whole number of at least 1"),
    ],
)
def test_bad_arguments_are_refused_before_any_search(table, arguments, message):
    with pytest.raises(ValueError, match=message):
        LatticeProblem(table, **arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"objectives": "k"}, "objectives: expected a list of measures, found 'k'"),
        ({"objectives": [5]}, "measure: expected a name or a Measure, found 5"),
        ({"objectives": ["k"], "constraints": {"k": True}}, "constraint 'k': expected a number"),
        ({"objectives": ["k"], "constraints": {"k": "5"}}, "constraint 'k': expected a number"),
    ],
)
def test_arguments_of_another_type_are_refused(table, arguments, message):
    with pytest.raises(TypeError, match=message):
        LatticeProblem(table, **arguments)


def test_observed_measures_come_with_the_evaluation(table, monkeypatch):
    problem = LatticeProblem(table, ["k", "glm"], suppression=3)
    twin = problem.recording(["suppressed", "S_l"])
    assert twin.table is table
    assert twin.fingerprint == problem.fingerprint
    calls = []
    values = twin.evaluator.values
    monkeypatch.setattr(twin.evaluator, "values", lambda *args: calls.append(1) or values(*args))
    nodes = table.lattice.nodes()
    out = twin.evaluate(nodes, return_as_dictionary=True)
    assert len(calls) == 1
    expected = problem.evaluator.evaluate(nodes, ["suppressed", "S_l"])
    np.testing.assert_array_equal(out["F"], problem.evaluate(nodes))
    np.testing.assert_array_equal(out["anon_suppressed"], expected["suppressed"])
    np.testing.assert_array_equal(out["anon_S_l"], expected["S_l"])


def test_fronts_of_users_measures_are_shared_with_nobody(table):
    def front(factor: int) -> float:
        own = Measure(
            "scaled",
            maximize=False,
            unit="rows",
            range="0..inf",
            from_classes=lambda classes: float(factor * classes.sizes.min()),
        )
        problem = LatticeProblem(table, [own])
        return float(problem.natural(problem.pareto_front())[0, 0])

    # Each function is gone before the next one is made, which may then get its address.
    assert [front(factor) for factor in range(2, 30)] == [float(f) for f in range(2, 30)]


class Penalized(LatticeProblem):
    """Sensible only where the first level is even."""

    penalty = 100.0

    def _values(self, X):
        values, G = super()._values(X)
        values[:, 1] += self.penalty * (X[:, 0] % 2)
        return values, G


class Capped(LatticeProblem):
    """Asks for something of its own."""

    def _values(self, X):
        values, _ = super()._values(X)
        return values, (X.sum(axis=1) - 4.0)[:, np.newaxis]


def test_exact_front_is_that_of_overridden_values(table):
    problem = Penalized(table, ["k", "glm"], suppression=3)
    F = problem.evaluate(table.lattice.nodes())
    expected = F[brute_force_front(F)]
    np.testing.assert_array_equal(problem.pareto_front(), expected[np.lexsort(expected.T[::-1])])
    plain = LatticeProblem(table, ["k", "glm"], suppression=3)
    assert not np.array_equal(problem.pareto_front(), plain.pareto_front())
    assert (plain.objectives_are_measures, problem.objectives_are_measures) == (True, False)


def test_exact_front_is_that_of_overridden_constraints(table):
    problem = Capped(table, ["glm", "k"], {"k": 2})
    assert (problem.pareto_set().sum(axis=1) <= 4).all()
    done = []
    nodes, _ = Capped(table, ["glm", "k"], {"k": 2}).pareto_set_and_front(on_progress=done.append)
    np.testing.assert_array_equal(nodes, problem.pareto_set())
    assert done == [table.lattice.size]


def test_exact_fronts_of_overridden_values_are_shared_with_nobody(table):
    def front(penalty: float) -> list[list[float]]:
        problem = Penalized(table, ["k", "glm"], suppression=3)
        problem.penalty = penalty
        return problem.pareto_front().tolist()

    assert front(0.0) == LatticeProblem(table, ["k", "glm"], suppression=3).pareto_front().tolist()
    assert front(100.0) != front(0.0)


def test_reported_nodes_of_overridden_values_are_confirmed():
    problem = Penalized(wide_table(70), ["k", "height"])
    X = np.array([problem.lattice.top, problem.lattice.bottom])
    F = problem.evaluate(X)
    assert F[0, 1] == 70 + 100
    problem.confirm(X, F)
    with pytest.raises(RuntimeError, match="collided"):
        problem.confirm(X, np.add(F, [[0, 0], [1, 0]]))


def test_protect_follows_the_rules_of_the_problem(table):
    node = np.array([2, 1, 0])
    fixed = LatticeProblem(table, ["glm"], k=4, suppression=10)
    pd.testing.assert_frame_equal(
        fixed.protect(node), table.apply(node.tolist(), k=4, suppression=10)
    )
    reverse = LatticeProblem(table, ["glm", "k"], suppression=0.1)
    pd.testing.assert_frame_equal(
        reverse.protect(node), table.apply(node.tolist(), suppression=0.1)
    )
    plain = LatticeProblem(table, ["glm", "k"])
    assert not plain.protect(node).equals(reverse.protect(node))


def test_protect_refuses_nodes_that_need_more_suppression(table):
    problem = LatticeProblem(table, ["glm"], k=5, suppression=3)
    with pytest.raises(ValueError, match=r"feasible genome, found age=0, .*, misses suppression"):
        problem.protect(table.lattice.bottom)
    with pytest.raises(ValueError, match=r"gene 'age': expected a whole number in 0\.\."):
        problem.protect([99, 0, 0])
