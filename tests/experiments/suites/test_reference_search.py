"""Reference fronts are made of independent runs, and merging makes none worse."""

from __future__ import annotations

import json
from dataclasses import replace

import moocore
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.algorithms import PBGEA
from anonopt.experiments import suite
from anonopt.experiments.suites.reference_search import ReferenceSearch, merged_front
from anonopt.experiments.suites.references import KeptFront, files_of, packaged_fronts
from tests.oracles.archives import dominates

SUITE = "anonopt-2026"
GRAPH, SMALL, PROVEN = "graph-small", "german-pram", "freight-10"


def front_of(points, *, by="a", proven_by="", problem="p"):
    """Best of some points, as files hold them, found by one origin."""
    distinct = np.unique(np.array(points, dtype=np.float64), axis=0)
    best = distinct[moocore.is_nondominated(distinct)]
    origin = {"algorithm": by, "seeds": [1001], "evaluations": 9, "version": "1", "command": "c"}
    return KeptFront(
        objectives=("IL", "DR"),
        front=best,
        origin=np.zeros(len(best), dtype=np.int64),
        origins=(origin,),
        point=best.max(axis=0) + 1,
        proven_by=proven_by,
        problem=problem,
    )


POINTS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12)


@given(POINTS, POINTS)
def test_merged_front_has_the_best_of_both_and_where_each_is_from(one, other):
    old, new = front_of(one, by="old"), front_of(other, by="new")
    merged = merged_front("x", old, new)
    every = {*map(tuple, old.front.tolist()), *map(tuple, new.front.tolist())}
    best = {p for p in every if not any(dominates(q, p, [False, False]) for q in every)}
    assert set(map(tuple, merged.front.tolist())) == best
    names = [merged.origins[i]["algorithm"] for i in merged.origin]
    known = set(map(tuple, old.front.tolist()))
    for point, name in zip(merged.front.tolist(), names, strict=True):
        assert name == ("old" if tuple(point) in known else "new")
    assert set(names) == {origin["algorithm"] for origin in merged.origins}
    assert (merged.front.max(axis=0) <= merged.point).all()


@given(POINTS, POINTS)
def test_merging_again_changes_nothing(one, other):
    once = merged_front("x", front_of(one), front_of(other, by="b"))
    again = merged_front("x", once, front_of(other, by="b"))
    assert files_of({"x": again}) == files_of({"x": once})


def test_exact_front_stays_and_takes_the_place_of_the_best_known():
    exact = front_of([(0, 2), (2, 0)], proven_by="hand", by="proof")
    worse = front_of([(1, 3), (2, 0)])
    assert merged_front("x", exact, worse) is exact
    assert merged_front("x", worse, exact) is exact


@pytest.mark.parametrize("points", [[(0, 1)], [(1, 1)]])
def test_nothing_is_better_than_an_exact_front(points):
    exact = front_of([(0, 2), (2, 0)], proven_by="hand")
    with pytest.raises(ValueError, match="x: expected nothing better than the exact front"):
        merged_front("x", exact, front_of(points))


def test_fronts_of_two_problems_are_not_merged():
    with pytest.raises(ValueError, match="x: expected a front of problem q, found one of p"):
        merged_front("x", front_of([(1, 1)]), front_of([(1, 1)], problem="q"))


@pytest.fixture(scope="module")
def search():
    instances = [replace(suite(SUITE).instance(name), budget=20) for name in (PROVEN, SMALL)]
    return ReferenceSearch(
        SUITE, instances, algorithms=["random", "pbgea"], seeds=[1001, 1002], times=2
    )


@pytest.fixture(scope="module")
def runs(search, tmp_path_factory):
    return search.experiment.run(tmp_path_factory.mktemp("runs") / "a.sqlite", workers=0)


def test_what_is_proven_is_not_run(search):
    assert list(search.proven) == [PROVEN]
    assert set(search.experiment.grid()["problem"]) == {SMALL}
    assert suite(SUITE).reference_search(instances=[PROVEN]).experiment is None


def test_command_is_that_which_finds_the_same(search):
    assert " ".join(search.command) == (
        "anonopt experiment references --suite anonopt-2026 --times 2 --seed 1001 --seed 1002 "
        "--algorithm random --algorithm pbgea"
    )


def test_options_are_told_in_python():
    small = [suite(SUITE).instance(SMALL)]
    given = {"wide": ("pbgea", {"pop_size": 30}), "mine": PBGEA(pop_size=9), "random": "random"}
    (line,) = ReferenceSearch(SUITE, small, algorithms=given, seeds=[1001], times=2).command
    assert line == (
        "anonopt.experiments.Suite('anonopt-2026').reference_search({'wide': ('pbgea', "
        "{'pop_size': 30}), 'mine': PBGEA(...), 'random': 'random'}, seeds=[1001], times=2)"
    )


def test_best_known_front_is_what_the_runs_found_together(search, runs):
    made = search.merged({}, runs)
    assert list(made) == [PROVEN, SMALL]
    points = np.unique(np.concatenate(runs.fronts(SMALL)), axis=0)
    best = points[moocore.is_nondominated(points)]
    kept = made[SMALL]
    assert np.array_equal(kept.front, best)
    for i, origin in enumerate(kept.origins):
        rows = runs.frame[runs.frame["algorithm"] == origin["algorithm"]]
        own = {tuple(row) for run in rows.index for row in runs.front(run)[1].tolist()}
        assert {tuple(row) for row in kept.front[kept.origin == i].tolist()} <= own
        assert (origin["seeds"], origin["evaluations"]) == ([1001, 1002], 40)


def test_runs_of_another_search_in_the_file_are_not_told_as_its_own(search, runs):
    fewer = ReferenceSearch(
        SUITE,
        [replace(suite(SUITE).instance(SMALL), budget=20)],
        algorithms={"mine": ("random", {"batch_size": 7}), "pbgea": "pbgea"},
        seeds=[1002],
        times=2,
    )
    kept = fewer.merged({}, fewer.experiment.run(runs.path, workers=0))[SMALL]
    assert len(runs.frame) == 4
    for origin in kept.origins:
        assert origin["seeds"] == [1002]
    named = {origin["algorithm"]: origin for origin in kept.origins}
    assert set(named) == {"mine", "pbgea"}
    # What the name does not tell is told.
    assert named["mine"]["made_by"]["name"] == "random"
    assert '"batch_size": 7' in json.dumps(named["mine"]["made_by"])
    assert "made_by" not in named["pbgea"]


def test_runs_that_failed_find_nothing(search, runs, tmp_path, monkeypatch):
    frame = runs.frame.assign(status="failed")
    monkeypatch.setattr(runs, "frame", frame)
    assert list(search.merged({}, runs)) == [PROVEN]


def test_fronts_of_no_instance_are_refused(search):
    with pytest.raises(ValueError, match="unknown instance 'graph-smal'; did you mean graph-small"):
        search.merged({"graph-smal": front_of([(1, 1)])}, None)


def test_folder_is_never_made_worse(search, runs):
    old = search.merged({}, runs)
    better = replace(old[SMALL], front=old[SMALL].front - 1.0)
    other = packaged_fronts(SUITE)[GRAPH]
    made = search.merged({SMALL: better, GRAPH: other}, runs)
    assert np.array_equal(made[SMALL].front, better.front)
    # What was not looked for stays as it is, in the order of the suite.
    assert list(made) == [PROVEN, SMALL, GRAPH]
    assert made[GRAPH] is other


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"seeds": [1001, 9]}, ValueError, "seeds: expected seeds from 1000 on.*found 9"),
        ({"times": 0}, ValueError, "times: expected"),
        ({"times": 2.5}, TypeError, "times"),
        ({"instances": ["graph"]}, ValueError, "instance"),
        ({"algorithms": ["nsga"]}, ValueError, "nsga2"),
        ({"algorithms": ["ola"]}, ValueError, "expected one that takes an instance"),
    ],
)
def test_wrong_searches_are_refused(options, kind, message):
    with pytest.raises(kind, match=message):
        suite(SUITE).reference_search(**{"instances": [GRAPH], **options})
