"""Searches of local recodings where the whole table misses k or a bound: no group is allowed."""

from __future__ import annotations

import pandas as pd
import pytest

import anonopt as ao

ZONE = ao.Hierarchy([["A", "B", "C"], ["N", "N", "C"], ["*", "*", "*"]])
UNMET = [
    ({"k": 6}, "k: expected at most the 5 rows of the table, found 6"),
    ({"k": 6, "suppression": 4}, "k: expected at most the 5 rows of the table, found 6"),
    ({"k": 2, "class_bounds": {"l": 3}}, "bounds that the table as a whole meets, found l >= 3"),
]


def problem_of(rule, genome="groups"):
    table = ao.Microdata(
        pd.DataFrame({"zone": list("ABCAB"), "illness": list("xyxyx")}),
        quasi_identifiers=["zone"],
        hierarchies={"zone": ZONE},
        sensitive="illness",
    )
    return ao.problems.LocalRecodingProblem(table, ["glm"], genome=genome, **rule)


@pytest.mark.parametrize(("rule", "reason"), UNMET)
@pytest.mark.parametrize("name", ["recoding-search", "exact-recoding", "k-member"])
def test_constructions_and_region_searches_refuse_it_before_they_start(name, rule, reason):
    with pytest.raises(ValueError, match=reason):
        ao.algorithms.get_algorithm(name, problem_of(rule))


@pytest.mark.parametrize(("rule", "reason"), UNMET)
@pytest.mark.parametrize("name", ["ga", "pbgea"])
def test_evolutionary_searches_find_nothing_feasible(name, rule, reason):
    problem = problem_of(rule)
    algorithm = ao.algorithms.get_algorithm(name, problem)
    assert len(ao.solve(problem, algorithm, termination=("n_gen", 10), seed=1).front) == 0


@pytest.mark.parametrize(("rule", "reason"), UNMET)
def test_message_of_a_search_by_keys_tells_the_rule_and_no_genes(rule, reason):
    problem = problem_of(rule, "keys")
    message = ao.solve(problem, ao.algorithms.OnePlusOneES(), budget=3, seed=1).message
    assert reason in message
    assert "0.5" not in message


def test_message_of_a_search_by_keys_tells_what_fails_and_no_genes():
    problem = ao.problems.LocalRecodingProblem(
        problem_of({"k": 2}).table, ["glm"], {"average_class_size": 1}, k=2
    )
    message = ao.solve(problem, ao.algorithms.OnePlusOneES(), budget=3, seed=1).message
    assert "the least infeasible fails average_class_size by" in message


def test_searches_of_groups_tell_random_keys_the_way():
    problem = problem_of({"k": 2}, "keys")
    way = r"found keys; problem.with_genome\('groups'\) has such"
    with pytest.raises(ValueError, match=way):
        ao.solve(problem, ao.algorithms.RecodingSearch(), budget=3)
    cells = ao.problems.CellSuppressionProblem(problem.table, k=2)
    with pytest.raises(ValueError, match=r"found keys \(algorithms"):
        ao.solve(cells, ao.algorithms.RecodingSearch(), budget=3)
