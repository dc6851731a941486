"""Accuracy of De Pascale 2022, Eqs. 4 and 5."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.measures import mean_accuracy, node_accuracy

TOP = [3, 4, 1]


def test_optimum_has_accuracy_1_and_the_top_0():
    found = node_accuracy([[2, 1, 0], TOP], optimum=[2, 1, 0], worst=TOP)
    assert found.tolist() == [1.0, 0.0]


def test_only_heights_count():
    found = node_accuracy([[0, 4, 1], [3, 1, 1], [1, 0, 0]], optimum=[2, 1, 0], worst=TOP)
    np.testing.assert_allclose(found, [1 - 2 / 5, 1 - 2 / 5, 1 - 2 / 5])


def test_where_the_optimum_is_the_top_nothing_else_is_accurate():
    assert node_accuracy([TOP, [2, 4, 1]], optimum=TOP, worst=TOP).tolist() == [1.0, -np.inf]


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9)), min_size=1))
def test_mean_with_weights_is_the_mean_of_repeated_values(pairs):
    values, weights = zip(*pairs, strict=True)
    if sum(weights) == 0:
        with pytest.raises(ValueError, match="weights"):
            mean_accuracy(values, weights)
        return
    repeated = np.repeat(values, weights)
    assert mean_accuracy(values, weights) == pytest.approx(repeated.mean())
    assert mean_accuracy(values) == pytest.approx(np.mean(values))


@pytest.mark.parametrize("weights", [[1], [1, -1]])
def test_weights_that_do_not_fit_are_refused(weights):
    with pytest.raises(ValueError, match="expected 2 weights"):
        mean_accuracy([1.0, 0.5], weights)


def test_an_optimum_above_the_worst_node_is_refused():
    with pytest.raises(ValueError, match="as high as the worst node, 1"):
        node_accuracy([[0, 0, 0]], optimum=[2, 1, 0], worst=[1, 0, 0])
    with pytest.raises(ValueError, match="shapes"):
        node_accuracy([[0, 0]], optimum=[2, 1, 0], worst=TOP)
