"""Exhaustive search: order, batches, limit."""

from __future__ import annotations

import numpy as np
import pytest
from pymoo.core.problem import Problem
from pymoo.optimize import minimize

from anonopt.algorithms import ExhaustiveSearch
from anonopt.runs import solve
from tests.contracts.toy_problems import ToyLattice, front_of_all


class Shifted(Problem):
    """Bounds that do not begin at zero."""

    def __init__(self):
        super().__init__(n_var=2, n_obj=2, xl=[-1, 2], xu=[1, 3])

    def _evaluate(self, X, out, *args, **kwargs):
        out["F"] = np.column_stack([X[:, 0] ** 2, -X[:, 1]])


@pytest.mark.parametrize("batch_size", [1, 7, 79, 80, 1024])
def test_every_node_once_in_lattice_order(batch_size):
    problem = ToyLattice()
    result = solve(problem, ExhaustiveSearch(batch_size=batch_size))
    np.testing.assert_array_equal(np.concatenate(problem.batches), problem.nodes())
    assert max(len(X) for X in problem.batches) <= batch_size
    assert result.n_evaluations == result.n_unique == 80
    assert result.message == "search space exhausted"


def test_with_plain_minimize_the_optimum_is_the_true_front():
    problem = ToyLattice(least_privacy=4)
    outcome = minimize(problem, ExhaustiveSearch(batch_size=9))
    assert {tuple(x) for x in outcome.X.tolist()} == front_of_all(problem)
    assert outcome.algorithm.evaluator.n_eval == 80


def test_bounds_may_begin_anywhere():
    outcome = minimize(Shifted(), ExhaustiveSearch(batch_size=4))
    assert outcome.X.tolist() == [[0, 3]]
    assert outcome.algorithm.evaluator.n_eval == 6


def test_termination_may_end_it_early():
    result = solve(ToyLattice(), ExhaustiveSearch(batch_size=10, termination=("n_gen", 3)))
    assert (result.n_unique, result.message) == (30, "algorithm finished")


def test_search_space_above_the_limit_is_refused_with_its_size():
    with pytest.raises(ValueError, match="found 1180591620717411303424"):
        solve(ToyLattice((1,) * 70), ExhaustiveSearch())
    with pytest.raises(ValueError, match=r"at most 79 genomes \(option limit\), found 80"):
        solve(ToyLattice(), ExhaustiveSearch(limit=79))
    assert solve(ToyLattice(), ExhaustiveSearch(limit=80)).n_unique == 80


def test_wrong_problems_and_options_are_refused():
    with pytest.raises(ValueError, match=r"batch_size: expected .* of at least 1, found 0"):
        ExhaustiveSearch(batch_size=0)
    with pytest.raises(ValueError, match="whole numbers"):
        minimize(Problem(n_var=1, n_obj=1, xl=0, xu=0.5), ExhaustiveSearch())
