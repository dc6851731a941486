"""Datafly: greedy, feasible, and never below what was infeasible."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from anonopt.algorithms import Datafly
from anonopt.problems import LatticeProblem
from anonopt.runs import solve
from tests.algorithms.small_problems import de_pascale_table, small_problems
from tests.examples import examples


@examples(24)
@given(small_problems())
def test_node_is_feasible_and_reached_by_one_test_a_level(small):
    result = solve(small.problem("height"), Datafly(), seed=1)
    assert result.X[0].tolist() in [list(node) for node in small.feasible()]
    assert result.algorithm.n_tests == result.X[0].sum() + 1


def test_column_with_most_distinct_values_is_raised_first():
    # Four ages, four postcodes, two genders; ties go to the first column: age to level 2
    # (2 values), postcode to 1 (2 values), then age again, as all three have 2 values.
    problem = LatticeProblem(de_pascale_table(4), ["height"], k=2)
    result = solve(problem, Datafly(), seed=1)
    node = result.history[["age", "postcode", "gender"]].to_numpy()[-1]
    # Age at its top, then postcode up to its top: only then do the genders fit.
    np.testing.assert_array_equal(node, [3, 4, 0])
