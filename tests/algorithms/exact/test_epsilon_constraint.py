"""Fronts of the epsilon-constraint search against those of all nodes.

By default 24 random tables; ``python -m tests.algorithms.exact.test_epsilon_constraint 500`` takes
as many as one likes, under every rule of suppression, and tells how many fronts were equal.
"""

from __future__ import annotations

import copy
import pickle
import sys
from collections import Counter
from typing import Any

import moocore
import numpy as np
import pandas as pd
import pytest
from pymoo.optimize import minimize

import anonopt as ao
from anonopt.optima import pair_refiner, size_sweep
from anonopt.problems import LatticeProblem, bounded_fronts, lattice
from anonopt.runs import MemoizingEvaluator
from tests.histories import assert_same_history

LOSSES = (
    "glm", "generalization_level", "precision_loss", "glm_normalized", "height", "discernibility",
)  # fmt: skip
DIGITS = 9
"""Losses that differ by less are rounded sums of the same numbers."""


def random_table(rng: np.random.Generator) -> ao.Microdata:
    """A few columns of one to five values with random hierarchies; rows that occur repeatedly."""
    frame, hierarchies = {}, {}
    n_rows = int(rng.integers(1, 41))
    for i in range(int(rng.integers(1, 5))):
        n_values = int(rng.integers(1, 6))
        levels = [np.arange(n_values)]
        while len(set(levels[-1])) > 1:
            levels.append(rng.integers(0, len(set(levels[-1])), n_values)[levels[-1]])
        paths = np.array(levels).T
        lines = [[f"{level}:{value}" for level, value in enumerate(path)] for path in paths]
        name = f"q{i}"
        hierarchies[name] = ao.Hierarchy.from_frame(
            pd.DataFrame([[line[0], *line[1:-1], "*"] if len(line) > 1 else [line[0], "*"]
                          for line in lines])
        )  # fmt: skip
        skewed = np.minimum(rng.geometric(rng.uniform(0.2, 0.9), n_rows) - 1, n_values - 1)
        frame[name] = [lines[value][0] for value in skewed]
    frame["s"] = rng.integers(0, 4, n_rows)
    return ao.Microdata(
        pd.DataFrame(frame),
        quasi_identifiers=list(hierarchies),
        hierarchies=hierarchies,
        sensitive="s",
    )


def random_problem(seed: int) -> LatticeProblem:
    rng = np.random.default_rng(seed)
    table = random_table(rng)
    options: dict[str, Any] = {"suppression": int(rng.integers(0, max(table.n_rows // 3, 1)))}
    objectives = ["k", str(rng.choice(LOSSES[:-1]))]
    kind = seed % 4
    if kind == 1:
        objectives.append("l_all")
    elif kind >= 2:
        options["k"] = int(rng.integers(1, min(table.n_rows, 5) + 1))
        if kind == 3:
            options["class_bounds"] = {"l": 2}
    else:
        options["constraints"] = {"k": 2}
        if options["suppression"] == 0:
            objectives[1] = str(rng.choice(LOSSES))
    order = rng.permutation(len(objectives))
    return LatticeProblem(table, [objectives[i] for i in order], **options)


def distinct(F: np.ndarray) -> list[list[float]]:
    points = np.unique(np.round(F, DIGITS) + 0.0, axis=0)
    return points[moocore.is_nondominated(points)].tolist() if len(points) else []


def compared(problem: LatticeProblem) -> int:
    """Points of a front that was found and proven to be what all nodes tell."""
    exact = problem.pareto_front()
    result = ao.solve(problem, ao.algorithms.EpsilonConstraint(), seed=0)
    found = np.empty((0, problem.n_obj)) if result.F is None else result.F
    assert distinct(found) == distinct(exact), repr(problem)
    assert result.proven is (len(exact) > 0)
    assert result.algorithm.gap == 0.0
    return len(distinct(exact))


def checked(seed: int) -> int:
    """Every other table is searched by pairs of columns after a test or two."""
    with pytest.MonkeyPatch.context() as patch:
        if seed // 4 % 2:
            patch.setattr(size_sweep, "TESTS_A_SLICE", 1)
            patch.setattr(size_sweep, "TESTS_BY_LEVELS", 1)
        return compared(random_problem(seed))


@pytest.mark.parametrize("seed", range(24))
def test_front_is_that_of_all_nodes(seed):
    checked(seed)


@pytest.fixture(scope="module")
def problem() -> LatticeProblem:
    return ao.get_problem("german-k-glm")


@pytest.fixture(scope="module")
def proven(problem):
    return ao.solve(problem, ao.algorithms.EpsilonConstraint(), seed=1)


@pytest.mark.parametrize("options", [{}, {"objectives": ["glm", "k"], "k": 4}])
def test_problems_tell_their_front_where_nodes_are_too_many(options, monkeypatch):
    exact = ao.get_problem("german-k-glm", **options).pareto_front()
    monkeypatch.setattr(lattice, "usual_limit", lambda *facts: 10)
    monkeypatch.setattr(lattice, "_FRONTS", {})
    problem = ao.get_problem("german-k-glm", **options)
    assert not problem.is_enumerable
    nodes, F = problem.pareto_set_and_front()
    assert F.tolist() == np.unique(exact, axis=0).tolist()
    assert np.array_equal(problem.evaluate(nodes, return_values_of=["F"]), F)
    monkeypatch.setattr(bounded_fronts, "MOST_TESTS", 0)
    monkeypatch.setattr(lattice, "_FRONTS", {})
    assert problem.pareto_front() is None


@pytest.mark.usefixtures("entropy_guard")
def test_runs_do_not_depend_on_the_seed(problem, proven):
    other = ao.solve(problem, ao.algorithms.EpsilonConstraint(), seed=2)
    assert_same_history(other.history, proven.history)
    assert other.algorithm.n_tests == proven.n_tests > 0
    assert other.message == "algorithm finished"


def test_it_measures_far_fewer_nodes_than_there_are(problem, proven):
    assert proven.proven and distinct(proven.F) == distinct(problem.pareto_front())
    assert proven.n_unique < 2 * len(proven.front) < problem.space.size / 3
    steps = proven.algorithm.gap_history
    assert steps["points"].iloc[-1] == len(proven.front)
    assert steps["gap"].is_monotonic_decreasing and steps["gap"].iloc[-1] == 0


def test_pickled_in_mid_run_it_goes_on_as_if_nothing_had_happened(problem):
    algorithm = ao.algorithms.EpsilonConstraint()
    algorithm.setup(problem, seed=1, evaluator=MemoizingEvaluator())
    for _ in range(3):
        algorithm.next()
    runs = [algorithm, pickle.loads(pickle.dumps(algorithm)), copy.deepcopy(algorithm)]
    for run in runs:
        while run.has_next():
            run.next()
    for run in runs[1:]:
        assert run.n_tests == algorithm.n_tests
        np.testing.assert_array_equal(run.opt.get("X"), algorithm.opt.get("X"))


def test_it_runs_in_pymoo_minimize(problem, proven):
    outcome = minimize(problem, ao.algorithms.EpsilonConstraint(), seed=1)
    assert distinct(outcome.F) == distinct(proven.F)


def test_threads_change_nothing(problem, proven, monkeypatch):
    # Threads are for many columns and large branches alone.
    monkeypatch.setattr(size_sweep, "MANY_COLUMNS", 0)
    monkeypatch.setattr(pair_refiner, "WORTH_THREADS", 0)
    options = {"test_budget": 10_000}
    one = ao.solve(problem, ao.algorithms.EpsilonConstraint(**options))
    two = ao.solve(problem, ao.algorithms.EpsilonConstraint(workers=2, **options))
    assert_same_history(two.history, one.history)
    assert two.n_tests == one.n_tests != proven.n_tests


@pytest.mark.parametrize("budget", [1, 2, 5])
def test_budget_of_evaluations_is_kept(problem, budget):
    result = ao.solve(problem, ao.algorithms.EpsilonConstraint(), budget=budget, seed=1)
    assert result.n_unique == budget and not result.proven
    assert result.algorithm.gap > 0


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.9])
def test_budget_of_tests_is_kept_and_what_is_known_then_is_true(problem, proven, share):
    most = max(int(share * proven.n_tests), 1)
    result = ao.solve(problem, ao.algorithms.EpsilonConstraint(), test_budget=most, seed=1)
    assert result.n_tests <= most and not result.proven
    assert result.message == "budget of tests reached"
    gaps = result.algorithm.gaps
    assert result.algorithm.gap == gaps["gap"].max() > 0
    for k, least in proven.front[["k", "glm"]].itertuples(index=False):
        row = gaps[gaps["k"] <= k].iloc[-1]
        assert row["bound"] <= least + 1e-6 <= row["incumbent"] + 2e-6


def test_out_of_time_it_ends_with_a_gap(problem):
    result = ao.solve(problem, ao.algorithms.EpsilonConstraint(max_seconds=1e-9), seed=1)
    assert result.message == "algorithm finished: most seconds reached"
    assert not result.proven
    assert np.isfinite(result.algorithm.gap)


def test_a_saved_run_goes_on(problem, proven, tmp_path):
    first = ao.solve(problem, ao.algorithms.EpsilonConstraint(), budget=9, seed=1)
    ao.save_run(first, tmp_path / "run.npz")
    resumed = ao.resume_run(tmp_path / "run.npz", problem=problem, extra=1000)
    assert_same_history(resumed.history, proven.history)
    assert resumed.proven and resumed.n_tests == proven.n_tests


def test_a_trace_has_the_nodes_that_were_measured(problem):
    result = ao.solve(problem, ao.algorithms.EpsilonConstraint(trace=True), seed=1)
    trace = result.algorithm.trace()
    assert set(trace["event"]) == {"feasible"}
    assert len(trace) >= len(result.front)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"objectives": ["glm", "cm"]}, "expected 'k', a loss and at most one more objective"),
        ({"objectives": ["k", "glm", "height", "cm"]}, "at most one more objective"),
        ({"objectives": ["k", "cm"], "suppression": 0.1}, "found 'cm'"),
        ({"objectives": ["k", "l", "glm"], "suppression": 0.1}, "third objective .* found 'l'"),
    ],
)
def test_other_objectives_are_refused_at_once(options, reason):
    with pytest.raises(ValueError, match=reason):
        ao.solve(ao.get_problem("german-k-glm", **options), ao.algorithms.EpsilonConstraint())


def test_seconds_have_to_be_positive():
    with pytest.raises(ValueError, match="max_seconds: expected a positive number, found 0"):
        ao.algorithms.EpsilonConstraint(max_seconds=0)


def test_workers_have_to_be_at_least_one():
    with pytest.raises(ValueError, match=r"workers: .*1, found 0"):
        ao.algorithms.EpsilonConstraint(workers=0)


if __name__ == "__main__":
    n_points = Counter(checked(seed) for seed in range(int(sys.argv[1])))
    print(f"{sum(n_points.values())} fronts are equal; tables by number of points: "
          f"{dict(sorted(n_points.items()))}")  # fmt: skip
