"""OLA: all k-minimal nodes, and the optimum of losses that are monotone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from anonopt.algorithms import OLA, BranchAndBound, ExhaustiveSearch, Incognito
from anonopt.data import Hierarchy, Microdata, load_dataset
from anonopt.problems import LatticeProblem
from anonopt.runs import solve
from tests.algorithms.small_problems import UNSUPPRESSED_GLM, small_problems
from tests.examples import examples


@examples(30)
@given(small_problems())
def test_minimal_nodes_are_those_of_the_slow_twin(small):
    result = solve(small.problem("height"), OLA(), seed=1)
    assert {tuple(node) for node in result.algorithm.minimal_nodes.tolist()} == small.minimal()
    assert result.front["height"].iloc[0] == min(sum(node) for node in small.feasible())


@examples(16)
@given(small_problems())
def test_exact_searches_find_the_same_optimum(small):
    for objective in ("generalization_level", "height", UNSUPPRESSED_GLM):
        problem = small.problem(objective)
        wanted = solve(problem, ExhaustiveSearch(), seed=1).F[0, 0]
        for algorithm in (OLA(), Incognito(), BranchAndBound()):
            found = solve(problem, algorithm, seed=1)
            assert found.F[0, 0] == pytest.approx(wanted, rel=1e-9, abs=1e-12)


def test_tags_spare_most_tests():
    problem = LatticeProblem(load_dataset("adult"), ["height"], k=5, suppression=0.01)
    result = solve(problem, OLA(), seed=1)
    assert result.algorithm.n_tests < problem.lattice.size / 4
    feasible = problem.evaluator.evaluate_all(["feasible"])["feasible"].to_numpy(dtype=bool)
    ranks = problem.lattice.index(result.algorithm.minimal_nodes)
    lower, upper = problem.lattice.edges()
    minimal = feasible.copy()
    minimal[upper[feasible[lower]]] = False
    assert np.array_equal(ranks, np.flatnonzero(minimal))


def many_columns() -> LatticeProblem:
    """Ten rows, eleven columns of three levels: 177147 nodes."""
    names = [f"q{i}" for i in range(11)]
    codes = np.random.default_rng(3).integers(4, size=(10, 11))
    levels = [["a", "b", "c", "d"], ["ab", "ab", "cd", "cd"], ["*"] * 4]
    table = Microdata(
        _frame(codes, names),
        quasi_identifiers=names,
        hierarchies=dict.fromkeys(names, Hierarchy(levels)),
    )
    return LatticeProblem(table, ["height"], k=2, suppression=0)


def _frame(codes, names):
    import pandas as pd

    return pd.DataFrame(np.array(list("abcd"))[codes], columns=names)


def test_many_columns_and_few_rows():
    problem = many_columns()
    assert problem.lattice.size == 177_147
    results = {cls: solve(problem, cls(), seed=1) for cls in (OLA, Incognito, BranchAndBound)}
    least = {result.front["height"].min() for result in results.values()}
    assert len(least) == 1
    np.testing.assert_array_equal(
        results[OLA].algorithm.minimal_nodes, results[Incognito].algorithm.minimal_nodes
    )
    for result in results.values():
        assert 0 < result.algorithm.n_tests < 177_147


@pytest.mark.parametrize("objective", ["glm", "precision_loss"])
def test_objective_that_can_improve_upwards_is_refused(objective):
    table = load_dataset("adult", quasi_identifiers=["sex", "race"])
    with pytest.raises(ValueError, match=f"OLA: expected .* found '{objective}'"):
        solve(LatticeProblem(table, [objective], k=5, suppression=0.1), OLA(), seed=1)
    # Without suppression it cannot.
    result = solve(LatticeProblem(table, [objective], k=5), OLA(), seed=1)
    assert result.success


def test_large_lattice_is_refused_with_its_size():
    with pytest.raises(ValueError, match=r"at most 100 nodes \(option limit\), found 177147"):
        solve(many_columns(), OLA(limit=100), seed=1)
