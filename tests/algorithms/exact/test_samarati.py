"""Samarati's search: a feasible node of least height."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given

from anonopt.algorithms import Samarati
from anonopt.data import Microdata, load_dataset
from anonopt.problems import LatticeProblem
from anonopt.runs import solve
from tests.algorithms.small_problems import small_problems
from tests.examples import examples


@examples(24)
@given(small_problems())
def test_height_is_least_and_the_node_minimal(small):
    result = solve(small.problem("height"), Samarati(), seed=1)
    assert result.front["height"].iloc[0] == min(sum(node) for node in small.feasible())
    (node,) = result.algorithm.minimal_nodes.tolist()
    assert tuple(node) in small.minimal()


@examples(30)
@given(small_problems())
def test_node_is_the_first_feasible_one_of_its_height(small):
    result = solve(small.problem("height"), Samarati(), seed=1)
    feasible = small.feasible()
    least = min(sum(node) for node in feasible)
    first = min(node for node in feasible if sum(node) == least)
    assert result.X.tolist() == [list(first)]


def test_of_several_nodes_of_least_height_the_first_is_reported():
    frame = pd.DataFrame({"zone": [*"aabb"], "sex": [*"fmfm"]})
    table = Microdata(
        frame, quasi_identifiers=["zone", "sex"], hierarchies={"zone": "flat", "sex": "flat"}
    )
    # Either column may go: (0, 1) and (1, 0) are both feasible.
    result = solve(LatticeProblem(table, ["height"], k=2), Samarati(), seed=1)
    assert result.X.tolist() == [[0, 1]]


def test_few_heights_are_looked_at():
    problem = LatticeProblem(load_dataset("adult"), ["glm"], k=5, suppression=0.01)
    result = solve(problem, Samarati(), seed=1)
    assert result.success
    # The heights halve from 22 to 1: five steps after the top node.
    assert result.algorithm.n_iter <= 8
    assert result.algorithm.n_tests < problem.lattice.size / 3


def test_large_lattice_is_refused_with_its_size():
    problem = LatticeProblem(load_dataset("adult"), ["glm"], k=5, suppression=0.01)
    with pytest.raises(ValueError, match=r"at most 1000 nodes \(option limit\), found 17920"):
        solve(problem, Samarati(limit=1000), seed=1)
