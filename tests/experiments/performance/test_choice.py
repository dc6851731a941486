"""Which runs are compared, and what failed and missing ones count as."""

from __future__ import annotations

import math
import sqlite3

import numpy as np
import pytest

from anonopt.experiments import load
from anonopt.experiments.performance.attainment import attainment_difference, attainment_frame
from anonopt.experiments.performance.choice import chosen_runs, common_problems
from anonopt.experiments.performance.curves import curve_frame
from anonopt.experiments.performance.profiles import ecdf_frame, profile_frame
from anonopt.experiments.performance.references import EXACT, OF_ALL_RUNS, reference_of
from anonopt.experiments.performance.targets import runtime_frame
from tests.experiments.stores_of_tests import HeldRuns, Written, written_runs

FRONT = reference_of(np.array([[0.0, 4.0], [1.0, 2.0], [3.0, 0.0]]), "hand")
POINTS = [[5.0, 5.0], [1.0, 2.0]]


def held(*more: Written) -> HeldRuns:
    """`a` and `b` on `p`, `a` alone, and without success, on `q`."""
    runs = [
        Written("p", "a", 0, POINTS),
        Written("p", "b", 0, POINTS),
        Written("q", "a", 0, POINTS[:1]),
    ]
    return HeldRuns([*runs, *more], references={"p": FRONT, "q": FRONT})


def test_runs_are_chosen_by_name_and_by_their_end():
    runs = held(Written("q", "b", 0, [], status="failed"))
    assert len(chosen_runs(runs)) == 4 and common_problems(chosen_runs(runs)) == ["p", "q"]
    assert common_problems(chosen_runs(runs, failed="left out")) == ["p"]
    only = chosen_runs(runs, problems=["q"], algorithms=["b", "a"])
    assert only["algorithm"].tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="failed: expected one of 'worst', 'left out', found 'no'"):
        chosen_runs(runs, failed="no")


@pytest.mark.parametrize("frame", [ecdf_frame, profile_frame])
def test_runtimes_are_compared_on_common_problems(frame):
    # On `q` nobody else could fail to reach a target.
    shared = frame(held(), "found", targets=[0.3])
    assert shared.equals(frame(held(), "found", targets=[0.3], problems=["p"]))
    assert shared.groupby("algorithm")["share"].max().tolist() == [1, 1]
    with pytest.raises(ValueError, match=r"all algorithms have runs \(a, b\), found none"):
        frame(HeldRuns([Written("p", "a", 0, POINTS), Written("q", "b", 0, POINTS)]))


def test_failed_runs_found_nothing_on_their_curve():
    runs = held(*(Written("p", "b", seed, [], status="out of time") for seed in (1, 2)))
    rows = curve_frame(runs, "epsilon", problems=["p"], algorithms=["b"], budgets=[1, 2])
    assert rows[["evaluations", "n_runs", "median"]].values.tolist() == [
        [1, 3, math.inf],
        [2, 3, math.inf],
    ]
    assert curve_frame(runs, "hypervolume", budgets=[2], algorithms=["b"])["median"].tolist() == [0]
    left = curve_frame(runs, "epsilon", failed="left out", algorithms=["b"], budgets=[2])
    assert left["n_runs"].tolist() == [1] and math.isfinite(left["median"][0])


def test_failed_runs_reach_no_target_even_an_easy_one():
    failed = Written("p", "b", 1, [], status="failed")
    times = runtime_frame(held(failed), "hypervolume", targets=[0.0], algorithms=["b"])
    assert times["evaluations"].tolist()[0] == 1 and math.isnan(times["evaluations"][1])
    assert times["spent"].tolist() == [2, 0]


def test_targets_that_nothing_meets_are_reached_at_once():
    runs = HeldRuns([Written("p", "a", 0, POINTS, [False, True])], references={"p": FRONT})
    times = runtime_frame(runs, "hypervolume", targets=[0.0, 0.1])
    assert times["evaluations"].tolist() == [1, 2]


def test_failed_runs_attain_nothing_but_are_counted():
    runs = HeldRuns(
        [
            *(Written("p", "a", seed, POINTS) for seed in range(2)),
            Written("p", "b", 0, POINTS),
            Written("p", "b", 1, [], status="failed"),
        ],
        references={"p": FRONT},
    )
    assert len(attainment_frame(runs, "p", "b", percentiles=[50])) == 1
    assert len(attainment_frame(runs, "p", "b", percentiles=[75])) == 0
    assert len(attainment_frame(runs, "p", "b", percentiles=[75], failed="left out")) == 1
    assert attainment_difference(runs, "p", "a", "b")["difference"].tolist() == [0.5]
    with pytest.raises(ValueError, match="second: expected as many runs as 'a', 2, found 1 of 'b'"):
        attainment_difference(runs, "p", "a", "b", failed="left out")


def test_references_of_all_runs_are_of_the_runs_that_are_there(tmp_path):
    path = tmp_path / "runs.db"
    written_runs(path, [Written("p", "a", 0, [[3.0, 1.0]]), Written("p", "b", 0, [[1.0, 3.0]])])
    with sqlite3.connect(path) as database:
        # As an experiment leaves it that was killed before it came to references.
        database.execute(
            "UPDATE problems SET reference_front = NULL, reference_point = NULL, "
            "reference_source = NULL, n_reference = NULL"
        )
    facts = load(path).problems["p"]
    assert facts.reference_front.tolist() == [[1, 3], [3, 1]]
    assert facts.reference_source == OF_ALL_RUNS and facts.reference_point.tolist() == [3.2, 3.2]
    shares = load(path).indicators(budgets=[1])["hypervolume"]
    assert shares.max() < 1

    # As one leaves it that was killed after more runs than its reference knows of.
    with sqlite3.connect(path) as database:
        database.execute(
            "UPDATE problems SET reference_front = f.objectives, n_reference = 1, "
            "reference_point = '[3.3, 1.1]', reference_source = ? FROM fronts AS f WHERE run = 1",
            (OF_ALL_RUNS,),
        )
    assert load(path).indicators(budgets=[1])["hypervolume"].equals(shares)

    with sqlite3.connect(path) as database:
        database.execute("UPDATE problems SET reference_source = ?", (EXACT,))
    assert load(path).problems["p"].reference_front.tolist() == [[3, 1]]
