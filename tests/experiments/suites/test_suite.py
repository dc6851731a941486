"""Suites: fixed instances, budgets of their own, pairs that do not fit with their reasons."""

from __future__ import annotations

import numpy as np
import pytest

import anonopt as ao
from anonopt.algorithms import PBGEA
from anonopt.algorithms.built_in import BUILT_IN
from anonopt.experiments import list_suites, suite
from anonopt.experiments.performance.references import EXACT
from anonopt.experiments.suites.instances import SUITES
from anonopt.experiments.suites.page import as_markdown
from anonopt.experiments.suites.references import packaged_reference

SUITE, LOCAL = "anonopt-2026", "local-2026"
SMALL = "german-k-glm"


def test_suite_is_that_of_its_name():
    assert list_suites() == [SUITE, LOCAL]
    assert suite().name == SUITE
    with pytest.raises(
        ValueError, match=r"unknown suite 'anonopt-2062'; did you mean anonopt-2026"
    ):
        suite("anonopt-2062")


def test_every_instance_has_its_row(whole):
    table = whole.instances
    assert table["name"].tolist() == [one.name for one in SUITES[SUITE]]
    assert table["name"].is_unique and len(table) == 27
    assert not table.isna().any().any()
    assert set(table["family"]) == {"levels", "cells", "matrices", "trees", "visits"}
    assert table.set_index("name").loc[SMALL, ["size", "budget"]].tolist() == ["648", 150]


def test_pairs_that_do_not_fit_have_the_reason_of_the_library():
    chosen = suite(SUITE)
    experiment = chosen.experiment(seeds=range(3), instances=[SMALL, "freight-10"])
    grid, left_out = experiment.grid(), experiment.left_out
    for name in (SMALL, "freight-10"):
        table = ao.list_algorithms(chosen.problem(name)).loc[list(BUILT_IN)]
        ran = grid.loc[grid["problem"] == name]
        assert list(dict.fromkeys(ran["algorithm"])) == table.index[table["fits"]].tolist()
        rows = left_out[left_out["problem"] == name]
        assert rows.set_index("algorithm")["reason"].to_dict() == (
            table.loc[~table["fits"], "reason"].to_dict()
        )
    budgets = grid.groupby(["problem", "algorithm"])["budget"].agg(set)
    assert budgets[SMALL, "pbgea"] == {"150 evaluations"}
    assert budgets["freight-10", "pbgea"] == {"300 evaluations"}
    # What tests nodes has as many tests.
    assert budgets[SMALL, "epsilon-constraint"] == {"150 evaluations, 150 tests"}
    assert budgets["freight-10", "ola"] == {"300 evaluations, 300 tests"}


def test_all_algorithms_are_those_of_the_library_and_not_ones_own():
    ao.register("algorithms", "mine", PBGEA)
    chosen = suite(SUITE)
    by_default = chosen.experiment(seeds=[0], instances=[SMALL]).grid()
    assert "mine" not in set(by_default["algorithm"])
    assert set(chosen.experiment(["mine"], seeds=[0], instances=[SMALL]).grid()["algorithm"]) == {
        "mine"
    }


def test_what_draws_nothing_at_random_runs_once():
    grid = suite(SUITE).experiment(seeds=[4, 5], instances=["freight-10"]).grid()
    seeds = grid.groupby("algorithm")["seed"].agg(list)
    for name in seeds.index:
        assert seeds[name] == ([4, 5] if BUILT_IN[name].stochastic else [4]), name


def test_plain_experiments_still_refuse_what_does_not_fit():
    with pytest.raises(ValueError, match="ga: expected a problem of 1 objective"):
        ao.experiments.Experiment(
            problems=["german-k-glm"], algorithms=["ga"], seeds=[0], budget=10
        )


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"algorithms": ["nsga"]}, ValueError, "nsga2"),
        ({"algorithms": []}, ValueError, "algorithms: expected at least one"),
        ({"algorithms": ["ga"]}, ValueError, "expected one that takes an instance.*ga on german"),
        ({"instances": ["german"]}, ValueError, "instance"),
        ({"instances": []}, ValueError, "instances: expected at least one"),
        ({"instances": [SMALL, SMALL]}, ValueError, "each once"),
        ({"instances": SMALL}, TypeError, "instances: expected a list"),
        ({"seeds": []}, ValueError, "seeds"),
    ],
)
def test_wrong_input_is_refused_before_anything_runs(options, kind, message):
    with pytest.raises(kind, match=message):
        suite(SUITE).experiment(**{"instances": [SMALL], **options})


def test_options_that_are_wrong_are_no_reason_to_leave_out():
    with pytest.raises(ValueError, match="pop_size"):
        suite(SUITE).experiment([("pbgea", {"pop_sise": 3})], instances=[SMALL])


def test_runs_are_measured_against_the_fronts_of_the_suite(tmp_path):
    experiment = suite(SUITE).experiment(
        {"mine": PBGEA(pop_size=10), "all": "exhaustive"}, seeds=range(2), instances=[SMALL]
    )
    runs = experiment.run(tmp_path / "runs.sqlite", workers=0)
    reference = packaged_reference(SUITE, SMALL)
    facts = runs.problems[SMALL]
    assert facts.reference_source == reference.source == f"exact (suite {SUITE})"
    assert np.array_equal(facts.reference_front, reference.front)
    assert np.array_equal(facts.reference_point, reference.point)
    assert len(runs.frame) == 3


def test_runs_of_several_budgets_are_summed_up_where_each_problem_has_one(tmp_path):
    experiment = suite(SUITE).experiment(
        ["pbgea", "random"], seeds=[0], instances=[SMALL, "adult-k-glm"]
    )
    runs = experiment.run(tmp_path / "runs.sqlite", workers=0)
    assert set(runs.frame["budget"]) == {"150 evaluations", "500 evaluations"}
    assert runs.summary().of.problems == [SMALL, "adult-k-glm"]


def test_front_of_the_suite_takes_the_place_of_one_that_the_file_has(tmp_path, monkeypatch):
    experiment = suite(SUITE).experiment(["random"], seeds=[0], instances=[SMALL])
    module = "anonopt.experiments.suites.suite_experiment.packaged_reference"
    with monkeypatch.context() as without:
        without.setattr(module, lambda suite, name: None)
        first = experiment.run(tmp_path / "a", workers=0)
    assert first.problems[SMALL].reference_source == EXACT
    runs = experiment.run(tmp_path / "a", workers=0)
    assert runs.problems[SMALL].reference_source == f"exact (suite {SUITE})"


def test_short_runs_that_estimate_bound_the_tests_of_nodes(monkeypatch):
    asked = []
    monkeypatch.setattr(
        "anonopt.experiments.execution.estimates._timed",
        lambda problem, algorithm, budget: asked.append((budget.evaluations, budget.tests)),
    )
    suite(SUITE).experiment(["samarati", "greedy"], instances=["freight-10"]).estimate()
    assert sorted(asked, key=str) == [(10, 10), (10, None), (40, 40), (40, None)]


def test_local_recodings_are_a_suite_of_their_own_without_stored_results(tmp_path):
    local = suite(LOCAL)
    assert set(local.instances["family"]) == {"keys"}
    assert set(local.instances["reference"]) == {f"best known (suite {LOCAL})"}
    experiment = local.experiment(["es", "random"], seeds=[0], instances=["patients-local-glm"])
    runs = experiment.run(tmp_path / "a.sqlite", workers=0)
    told = as_markdown(local.results(experiment, runs))
    assert "| patients-local-glm | keys | LocalRecodingProblem | glm |" in told
