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


def problem_of(rule):
    table = ao.Microdata(
        pd.DataFrame({"zone": list("ABCAB"), "illness": list("xyxyx")}),
        quasi_identifiers=["zone"],
        hierarchies={"zone": ZONE},
        sensitive="illness",
    )
    return ao.problems.LocalRecodingProblem(table, ["glm"], genome="groups", **rule)


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
    assert len(ao.solve(problem, algorithm, budget=10, seed=1).front) == 0
