"""Named problems: what each name stands for."""

from __future__ import annotations

import numpy as np
import pytest

import anonopt as ao
from anonopt.problems import PROBLEMS


@pytest.mark.parametrize(
    ("name", "objectives", "size", "budget"),
    [
        ("adult-k-glm", ("k", "glm"), 17920, 301),
        ("adult-k-l-glm", ("k", "l", "glm"), 17920, 301),
        ("adult-sk-glm", ("S_k", "glm"), 17920, 0),
        ("adult-sk-sl-glm", ("S_k", "S_l", "glm"), 17920, 0),
        ("adult-k-glm-cm", ("k", "glm", "cm"), 8960, 301),
        ("german-k-glm", ("k", "glm"), 648, 10),
    ],
)
def test_a_name_stands_for_a_task(name, objectives, size, budget):
    problem = ao.get_problem(name)
    assert problem.objective_names == objectives
    assert problem.space.size == size
    assert problem.evaluator.rule.budget == budget


def test_options_replace_those_of_the_name():
    problem = ao.get_problem("adult-k-glm", suppression=5, objectives=["k"])
    assert problem.objective_names == ("k",)
    assert problem.evaluator.rule.budget == 5


def test_every_problem_is_listed_with_what_is_known_of_its_optimum():
    listed = ao.list_problems()
    assert list(listed.index) == list(PROBLEMS)
    assert listed.columns.tolist() == ["space", "objectives", "summary", "paper", "optimum"]
    assert (listed != "").all(axis=None)


@pytest.mark.parametrize(
    "name",
    [
        "adult-sk-sl-glm",
        "adult-k-glm-cm",
        "german-cells",
        "graph-small",
        "german-masking",
        "german-pram",
        "adult-pram-equations",
    ],
)
def test_space_and_objectives_are_listed_as_they_are(name):
    problem, listed = ao.get_problem(name), ao.list_problems().loc[name]
    assert listed["space"] == problem.space.kind
    assert listed["objectives"] == ", ".join(problem.objective_names)


def test_an_unknown_name_is_answered_with_near_ones():
    with pytest.raises(ValueError, match=r"unknown problem 'adult-k-gln'.*adult-k-glm"):
        ao.get_problem("adult-k-gln")


@pytest.mark.parametrize(("n_columns", "k"), [(5, 5), (50, 2)])
def test_cargo_problems_are_named_by_their_columns(n_columns, k, shared_data, monkeypatch):
    monkeypatch.setenv("ANONOPT_DATA_DIR", str(shared_data))
    problem = ao.get_problem(f"cargo-{n_columns}", k=k)
    assert problem.space.names[:2] == ("i1_rcs_p", "i1_rcs_e")
    assert problem.space.size == 5**n_columns
    assert problem.objective_names == ("generalization_level",)
    assert (problem.evaluator.rule.k, problem.evaluator.rule.budget) == (k, 19)


def test_cargo_problems_are_listed_without_their_data(tmp_path, monkeypatch):
    monkeypatch.setenv("ANONOPT_DATA_DIR", str(tmp_path))
    names = ao.list_problems().index
    sizes = [*range(5, 51), 64, 97]
    assert [name for name in names if name.startswith("cargo-")] == [
        *(f"cargo-{n}" for n in sizes),
        *(f"cargo-{n}-k-glm" for n in sizes),
    ]


@pytest.mark.parametrize("kind", ["masking", "pram", "pram-equations"])
def test_whole_domains_are_an_option_of_the_problems_that_mask(kind):
    problem = ao.get_problem(f"german-{kind}", empty_categories=True)
    assert problem.columns.n_categories == (5, 6, 6)
    assert problem.fingerprint != ao.get_problem(f"german-{kind}").fingerprint
    assert problem.recipe.options == {"empty_categories": True}
    x = problem.space.sampling()(problem, 2, random_state=np.random.default_rng(1)).get("X")
    assert np.isfinite(problem.evaluate(x)).all()


def test_only_those_have_it():
    with pytest.raises(TypeError, match="empty_categories"):
        ao.get_problem("german-k-glm", empty_categories=True)


@pytest.mark.parametrize(
    ("name", "kind", "objectives"),
    [
        ("german-local-glm", "keys", ("glm",)),
        ("german-groups-l-glm", "groups", ("glm",)),
        ("german-local-k-glm", "keys", ("k", "glm")),
    ],
)
def test_local_recodings_are_named_by_what_their_genomes_are(name, kind, objectives):
    problem, listed = ao.get_problem(name), ao.list_problems().loc[name]
    assert problem.space.kind == listed["space"] == kind
    assert problem.objective_names == objectives
    assert listed["objectives"] == ", ".join(objectives)


def test_options_of_local_recodings_replace_those_of_the_name():
    problem = ao.get_problem("patients-local-glm", k=5, cuts="strict", genome="groups")
    assert (problem.k, problem.cuts, problem.space.kind) == ((5, 5), "strict", "groups")
    same = ao.get_problem("patients-groups-glm", k=5, cuts="strict")
    assert problem.fingerprint == same.fingerprint
    front = ao.get_problem("patients-local-glm", k=(2, 5), objectives=["k", "glm"])
    assert front.space.names[-1] == "k of the cuts"
