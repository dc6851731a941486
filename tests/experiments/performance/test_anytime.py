"""Indicators over the budget, curves, targets and attainment, against plain loops."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.experiments.performance.anytime import after, improvements, indicator_frame
from anonopt.experiments.performance.attainment import attainment_difference, attainment_frame
from anonopt.experiments.performance.curves import curve_frame, evaluation_grid, quartiles
from anonopt.experiments.performance.profiles import ecdf_frame, profile_frame
from anonopt.experiments.performance.quality import INDICATORS
from anonopt.experiments.performance.references import reference_of
from anonopt.experiments.performance.targets import (
    BEST,
    default_targets,
    expected_running_time,
    runtime_frame,
    target_frame,
)
from anonopt.experiments.store.contents import Evaluations
from anonopt.measures.fronts.boxes import INFINITE
from tests.experiments.stores_of_tests import HeldRuns, Written, written_runs
from tests.oracles import comparisons as oracle

values = st.integers(0, 5) | st.sampled_from([math.inf, INFINITE])
evaluated = st.lists(st.tuples(values, values, st.booleans()), min_size=1, max_size=12)
REFERENCE = reference_of(np.array([[0.0, 4.0], [1.0, 2.0], [3.0, 0.0]]), "hand")


def evaluations(rows: list[tuple[float, float, bool]]) -> Evaluations:
    F = np.array([row[:2] for row in rows], dtype=float)
    return Evaluations(F, np.array([row[2] for row in rows]), np.zeros(len(rows)))


def slow_values(rows, name):
    def of(front):
        return INDICATORS[name].of(np.array(front), REFERENCE)

    return oracle.values_after_each(
        [row[:2] for row in rows], [row[2] for row in rows], of, INDICATORS[name].nothing
    )


@given(evaluated, st.lists(st.integers(1, 15), min_size=1, max_size=4, unique=True))
def test_indicators_after_budgets_are_those_of_what_was_found(rows, budgets):
    names = list(INDICATORS)
    found = after(evaluations(rows), sorted(budgets), REFERENCE, names)
    for column, name in enumerate(names):
        slow = slow_values(rows, name)
        expected = [slow[min(budget, len(slow)) - 1] for budget in sorted(budgets)]
        np.testing.assert_allclose(found[:, column], expected, atol=1e-12)


@given(evaluated, st.sampled_from(sorted(INDICATORS)))
def test_improvements_are_all_changes(rows, name):
    numbers, changed = improvements(evaluations(rows), REFERENCE, name)
    current, replayed = INDICATORS[name].nothing, []
    steps = dict(zip(numbers.tolist(), changed.tolist(), strict=True))
    for number in range(1, len(rows) + 1):
        current = steps.get(number, current)
        replayed.append(current)
    np.testing.assert_allclose(replayed, slow_values(rows, name), atol=1e-12)


@given(st.lists(evaluated, min_size=1, max_size=3), st.sampled_from(sorted(BEST)))
def test_runtimes_are_those_of_a_walk_through_all_values(runs, name):
    targets = default_targets(name)[::4]
    stored = HeldRuns(
        [
            Written("p", "a", seed, [row[:2] for row in rows], [row[2] for row in rows])
            for seed, rows in enumerate(runs)
        ],
        references={"p": REFERENCE},
    )
    times = runtime_frame(stored, name, targets=targets)
    table = target_frame(stored, name, targets=targets)
    ecdf = ecdf_frame(stored, name, targets=targets)
    maximize = INDICATORS[name].maximize
    slow = [
        [oracle.first_good_number(values, target, maximize=maximize) for target in targets]
        for values in (slow_values(rows, name) for rows in runs)
    ]
    np.testing.assert_array_equal(times["evaluations"], np.ravel(slow))
    for column, target in enumerate(targets):
        reached = [row[column] for row in slow]
        spent = sum(len(r) if math.isnan(x) else x for x, r in zip(reached, runs, strict=True))
        n_reached = sum(not math.isnan(x) for x in reached)
        row = table[table["target"] == target].iloc[0]
        assert (row["n_runs"], row["n_reached"]) == (len(runs), n_reached)
        assert row["expected"] == (spent / n_reached if n_reached else math.inf)
    for _, step in ecdf.iterrows():
        share = np.mean([not x > step["evaluations"] and not math.isnan(x) for x in np.ravel(slow)])
        assert step["share"] == pytest.approx(share)


def test_expected_running_time_counts_what_failures_spent():
    # As COCO: (10 + 100 + 30) evaluations for 2 successes.
    assert expected_running_time(np.array([10, np.nan, 30]), np.array([50, 100, 50])) == 70
    assert expected_running_time(np.array([np.nan]), np.array([50])) == math.inf


def two_algorithms(path: Path):
    """On `p`, `fast` reaches the front at once, `slow` after its second or never."""
    front = [[0.0, 4.0], [1.0, 2.0], [3.0, 0.0]]
    return written_runs(
        path / "runs.db",
        [
            Written("p", "fast", 0, front),
            Written("p", "fast", 1, front),
            Written("p", "slow", 0, [[5.0, 5.0], *front]),
            Written("p", "slow", 1, [[5.0, 5.0], [4.0, 4.0]]),
            Written("p", "slow", 2, [], status="failed"),
        ],
    )


def test_targets_profiles_and_failed_runs(tmp_path):
    runs = two_algorithms(tmp_path)
    table = target_frame(runs, "found", targets=[0.3, 1.0]).set_index(["target", "algorithm"])
    assert table.loc[(0.3, "fast"), "expected"] == 1
    # The first point of the front at number 2, and never within 2 evaluations.
    assert table.loc[(0.3, "slow"), "expected"] == 4
    assert table.loc[(1.0, "slow"), "expected"] == 6
    assert table.loc[(1.0, "slow"), "median"] == math.inf
    # The run that failed counts as a run without success, or in no figure.
    assert table.loc[(1.0, "slow"), ["n_runs", "n_reached", "n_failed"]].tolist() == [3, 1, 1]
    assert table.loc[(0.3, "slow"), "median"] == math.inf
    left = target_frame(runs, "found", targets=[0.3], failed="left out").iloc[1]
    assert left[["n_runs", "n_reached", "n_failed", "median"]].tolist() == [2, 1, 1, math.inf]
    ecdf = ecdf_frame(runs, "found", targets=[0.3, 1.0])
    assert ecdf[ecdf["algorithm"] == "slow"]["share"].tolist() == [1 / 6, 2 / 6, 2 / 6]
    profile = profile_frame(runs, "found", targets=[0.3, 1.0])
    assert profile.values.tolist() == [
        ["fast", 1.0, 1.0],
        ["fast", 4.0, 1.0],
        ["slow", 2.0, 0.5],
        ["slow", 4.0, 1.0],
        ["slow", 4.0, 1.0],
    ]


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [
        (indicator_frame, {"budgets": []}, "budgets: expected at least one, found none"),
        (indicator_frame, {"budgets": [0]}, "budgets: expected"),
        (curve_frame, {"indicator": "hypervolum"}, "unknown indicator.*did you mean hypervolume"),
        (runtime_frame, {"targets": []}, "targets: expected at least one, found none"),
        (runtime_frame, {"indicator": "r2"}, "targets: expected numbers for 'r2'"),
        (runtime_frame, {"budget": "7 evaluations"}, "unknown budget '7 evaluations'"),
    ],
)
def test_wrong_questions_are_refused(tmp_path, function, options, message):
    with pytest.raises(ValueError, match=message):
        function(two_algorithms(tmp_path), **options)


def test_runs_of_several_budgets_are_not_mixed(tmp_path):
    runs = written_runs(
        tmp_path / "runs.db",
        [Written("p", "a", 0, [[n, 0.0]] * n, budget=n) for n in (2, 3)],
    )
    with pytest.raises(ValueError, match="budget: expected one of '2 evaluations', '3 eval"):
        curve_frame(runs)
    assert curve_frame(runs, budget="3 evaluations")["n_runs"].tolist() == [1, 1, 1]
    assert len(indicator_frame(runs, budgets=[1])) == 2


@given(st.lists(st.integers(0, 9), min_size=1, max_size=7))
def test_quartiles_are_those_of_numpy(sample):
    expected = np.quantile(sample, [0.25, 0.5, 0.75])
    assert quartiles(np.array(sample, dtype=float)) == pytest.approx(expected)
    infinite = quartiles(np.array([*sample, math.inf, math.inf, *[math.inf] * len(sample)]))
    assert infinite[1:] == (math.inf, math.inf) and not math.isnan(infinite[0])


def test_curves_are_quartiles_over_seeds(tmp_path):
    rows = [[[5.0, 5.0], [1.0, 2.0]], [[0.0, 4.0], [3.0, 0.0]], [[3.0, 3.0], [3.0, 0.0]]]
    runs = written_runs(
        tmp_path / "runs.db",
        [Written("p", "a", seed, F) for seed, F in enumerate(rows)],
        references={"p": REFERENCE},
    )
    curves = curve_frame(runs, "epsilon", budgets=[1, 2])
    values = indicator_frame(runs, budgets=[1, 2], indicators=["epsilon"])
    for number in (1, 2):
        sample = values.loc[values["evaluations"] == number, "epsilon"]
        row = curves[curves["evaluations"] == number].iloc[0]
        assert row[["lower", "median", "upper"]].tolist() == pytest.approx(
            np.quantile(sample, [0.25, 0.5, 0.75])
        )
    assert evaluation_grid(1) == [1] and evaluation_grid(3) == [1, 2, 3]


def test_problem_of_which_nothing_is_known_has_no_values(tmp_path):
    runs = written_runs(tmp_path / "runs.db", [Written("p", "a", 0, [[1.0, 1.0]], [False])])
    assert indicator_frame(runs, budgets=[1])["hypervolume"].isna().all()
    assert target_frame(runs)["n_reached"].sum() == 0


fronts = st.lists(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=4), min_size=1, max_size=4
)


def held(first, second=(), maximize=(False, False)):
    signs = [-1 if larger else 1 for larger in maximize]
    return HeldRuns(
        [
            Written("p", name, seed, [[s * v for s, v in zip(signs, q, strict=True)] for q in run])
            for name, runs in (("x", first), ("y", second))
            for seed, run in enumerate(runs)
        ],
        maximize=maximize,
    )


@given(fronts, st.sampled_from([25.0, 50.0, 75.0, 100.0]))
def test_attainment_surface_bounds_what_the_share_of_runs_attains(runs, percent):
    surface = attainment_frame(held(runs), "p", "x", percentiles=[percent])
    corners = surface[["a", "b"]].to_numpy().tolist()
    assert sorted(corners) == [list(p) for p in oracle.non_dominated(corners)]
    for goal in np.ndindex(5, 5):
        is_attained = oracle.attained_share(runs, goal) * 100 >= percent - 1e-9
        assert is_attained == any(oracle.weakly_dominates(c, goal) for c in corners), goal


def test_surfaces_are_in_natural_units():
    runs = held([[(5, 1), (3, 0)]], maximize=(True, False))
    surface = attainment_frame(runs, "p", "x", percentiles=[100])
    assert surface.to_dict("list") == {"percentile": [100, 100], "a": [5, 3], "b": [1, 0]}


@given(fronts, fronts)
def test_differences_are_those_of_the_shares(first, second):
    n = min(len(first), len(second))
    first, second = first[:n], second[:n]
    rows = attainment_difference(held(first, second), "p", "x", "y").to_numpy()
    for goal in np.ndindex(5, 5):
        expected = oracle.attained_share(first, goal) - oracle.attained_share(second, goal)
        # A rectangle has its lower edges, not its upper ones.
        inside = (rows[:, :2] <= goal).all(axis=1) & (goal < rows[:, 2:4]).all(axis=1)
        assert inside.sum() <= 1
        assert rows[inside, 4].sum() == pytest.approx(expected), goal


def test_attainment_refuses_what_it_cannot_compare():
    runs = held([[(0, 1)], [(1, 0)]], [[(1, 1)]])
    with pytest.raises(ValueError, match="second: expected as many runs as 'x', 2, found 1 of 'y'"):
        attainment_difference(runs, "p", "x", "y")
    with pytest.raises(ValueError, match="unknown algorithm 'z'"):
        attainment_frame(runs, "p", "z")
    with pytest.raises(ValueError, match="percentiles: expected numbers above 0"):
        attainment_frame(runs, "p", "x", percentiles=[0])
    single = HeldRuns([Written("p", "x", 0, [[1]])], objectives=["a"])
    with pytest.raises(ValueError, match=r"problem 'p': expected 2\.\.3 objectives, found 1"):
        attainment_frame(single, "p", "x")
    assert isinstance(attainment_frame(runs, "p", "x", evaluations=1), pd.DataFrame)
