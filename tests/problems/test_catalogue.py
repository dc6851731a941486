"""Named problems: what each name stands for."""

from __future__ import annotations

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
    assert problem.n_solutions == size
    assert problem.evaluator.rule.budget == budget


def test_options_replace_those_of_the_name():
    problem = ao.get_problem("adult-k-glm", suppression=5, objectives=["k"])
    assert problem.objective_names == ("k",)
    assert problem.evaluator.rule.budget == 5


def test_every_problem_is_listed_with_what_is_known_of_its_optimum():
    listed = ao.list_problems()
    assert list(listed.index) == list(PROBLEMS)
    assert (listed != "").all(axis=None)


def test_an_unknown_name_is_answered_with_near_ones():
    with pytest.raises(ValueError, match=r"unknown problem 'adult-k-gln'.*adult-k-glm"):
        ao.get_problem("adult-k-gln")
