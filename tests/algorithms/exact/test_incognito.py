"""Incognito: all k-minimal nodes, with a sound rule for subsets of the columns."""

from __future__ import annotations

import pytest
from hypothesis import given

from anonopt.algorithms import Incognito
from anonopt.data import load_dataset
from anonopt.problems import LatticeProblem
from anonopt.runs import solve
from tests.algorithms.small_problems import de_pascale_table, small_problems
from tests.examples import examples


@pytest.mark.parametrize("accelerator", ["numpy", "auto"])
@examples(16)
@given(small=small_problems())
def test_minimal_nodes_are_those_of_the_slow_twin(accelerator, small):
    result = solve(small.problem("height", accelerator=accelerator), Incognito(), seed=1)
    assert {tuple(node) for node in result.algorithm.minimal_nodes.tolist()} == small.minimal()
    assert result.front["height"].iloc[0] == min(sum(node) for node in small.feasible())


def test_subsets_leave_little_of_the_whole_lattice():
    problem = LatticeProblem(de_pascale_table(4), ["height"], k=2)
    result = solve(problem, Incognito(), seed=1)
    assert result.algorithm.minimal_nodes.tolist() == [[2, 1, 1], [3, 4, 0]]
    assert result.algorithm.n_tests < problem.lattice.size / 2


def test_too_many_nodes_are_refused_with_their_number():
    table = load_dataset("adult", quasi_identifiers=["sex", "race"])
    problem = LatticeProblem(table, ["height"], k=5)
    with pytest.raises(ValueError, match=r"at most 8 nodes \(option limit\), found 9"):
        solve(problem, Incognito(limit=8), seed=1)
