"""Recommendations of a front are those of pymoo's decision making."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from pymoo.decomposition.asf import ASF

from anonopt.visualization.report.runs.recommendation import (
    EQUAL_RULE,
    KNEE_RULE,
    ONLY_RULE,
    knees,
    recommended,
    scaled,
)


def front(n, n_obj, seed):
    points = np.abs(np.random.default_rng(seed).normal(size=(n, n_obj)))
    return points / np.linalg.norm(points, axis=1, keepdims=True)


@pytest.mark.parametrize("n_obj", [2, 3, 5])
def test_recommended_has_the_least_achievement(n_obj):
    F = front(60, n_obj, seed=n_obj)
    for weights in np.random.default_rng(7).dirichlet(np.ones(n_obj), 20):
        values = ASF().do(scaled(F), 1 / weights)
        assert values[recommended(F, weights)] == pytest.approx(values.min(), abs=1e-3)


def test_all_weight_on_one_objective_takes_its_best_value():
    F = front(40, 3, seed=1)
    for place, weights in enumerate(np.eye(3)):
        assert recommended(F, weights) == F[:, place].argmin()


def test_units_do_not_matter():
    F = front(30, 2, seed=2)
    weights = np.array([0.3, 0.7])
    assert recommended(F, weights) == recommended(F * [1000, 0.001] + [5, -3], weights)


def test_of_equal_maxima_the_smaller_sum_is_taken():
    F = np.array(
        [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.5, 0.5, 1.0], [0.5, 0.5, 0.9], [0.0, 0.0, 9]]
    )
    assert recommended(F[:4], np.array([1.0, 1.0, 0.0])) in (2, 3)
    assert recommended(F[:4], np.array([1.0, 1.0, 1e-9])) == 3


def test_infinite_values_are_recommended_last():
    F = np.array([[0.0, 1e30], [1.0, 5.0], [2.0, 4.0]])
    assert recommended(F, np.array([0.5, 0.5])) != 0
    assert recommended(F, np.array([1.0, 0.0])) == 0
    assert np.isfinite(scaled(F)).all()
    assert 0 not in knees(F)[0]


def test_everywhere_infinite_objective():
    F = np.array([[0.0, 1e30], [1.0, 1e30]])
    assert recommended(F, np.array([1.0, 1.0])) == 0
    assert knees(F) == ([0], EQUAL_RULE)


def test_knee_stands_out():
    x = np.linspace(0, 1, 21)
    F = np.column_stack([x, np.where(x < 0.3, 1 - 3 * x, 0.1 * (1 - x) / 0.7)])
    rows, rule = knees(F)
    assert rule == KNEE_RULE
    assert 6 in rows


def test_knees_of_few_points_are_by_equal_weights():
    assert knees(np.array([[1.0, 2.0]])) == ([0], ONLY_RULE)
    assert knees(np.array([[0.0, 2.0], [2.0, 0.0]])) == ([0], EQUAL_RULE)
    assert knees(np.ones((5, 2)))[1] == EQUAL_RULE
    assert knees(np.array([[3.0], [3.0], [3.0]]))[0] == [0]


def test_filters_of_warnings_are_left_as_they_are():
    before = list(warnings.filters)
    knees(front(30, 2, seed=3))
    assert warnings.filters == before


def test_weights_that_are_all_zero_count_as_equal_ones():
    front = np.array([[0.0, 10.0], [4.0, 4.0], [10.0, 0.0]])
    assert recommended(front, np.zeros(2)) == recommended(front, np.ones(2)) == 1
