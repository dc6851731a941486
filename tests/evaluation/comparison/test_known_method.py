"""Linkage by an attacker who knows the matrices or the noise, against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.evaluation.categorical.masking_wide import shared_linkage
from anonopt.evaluation.comparison import known_method
from anonopt.evaluation.comparison.known_method import (
    matrix_linkage,
    nearest_by_noise,
    possible_originals,
)
from tests.oracles import known_methods as oracle

seeds = st.integers(0, 2**32 - 1)


@given(seeds, st.integers(1, 12), st.integers(1, 3), st.integers(1, 4))
def test_posterior_linkage_is_that_of_plain_loops(seed, n_rows, n_columns, size):
    rng = np.random.default_rng(seed)
    original, masked = rng.integers(0, size, (2, n_rows, n_columns))
    matrices = []
    for _ in range(n_columns):
        matrix = rng.integers(0, 3, (size, size)) + np.eye(size)
        matrices.append(matrix / matrix.sum(axis=1, keepdims=True))
    wanted = oracle.matrix_linkage(original, masked, matrices)
    assert matrix_linkage(original, masked, matrices) == pytest.approx(wanted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(known_method, "BLOCK", 3)
        assert matrix_linkage(original, masked, matrices) == pytest.approx(wanted)


@given(seeds, st.integers(1, 12), st.integers(1, 3))
def test_noise_linkage_is_that_of_plain_loops(seed, n_rows, n_columns):
    rng = np.random.default_rng(seed)
    original = rng.integers(0, 5, (n_rows, n_columns)).astype(float)
    masked = original + rng.integers(-2, 3, (n_rows, n_columns))
    factor = rng.normal(size=(n_columns, n_columns)) + 3 * np.eye(n_columns)
    covariance = factor @ factor.T
    wanted = oracle.noise_linkage(original, masked, covariance)
    found = shared_linkage(*nearest_by_noise(original, masked, covariance))
    assert found == pytest.approx(wanted)


def test_identity_links_equal_records_alike():
    codes = np.array([[0], [0], [1]])
    assert matrix_linkage(codes, codes, [np.eye(2)]) == pytest.approx(200 / 3)
    # Nothing can have become 1: those two are linked to nobody, the third one to all alike.
    swallowed = [np.array([[1.0, 0], [1.0, 0]])]
    assert matrix_linkage(codes, 1 - codes, swallowed) == pytest.approx(100 / 9)


def test_records_of_no_column_are_all_alike():
    is_linked, ties = nearest_by_noise(np.zeros((3, 0)), np.zeros((3, 0)), np.zeros((0, 0)))
    assert (is_linked.tolist(), ties.tolist()) == ([True] * 3, [3] * 3)


def test_columns_without_noise_are_refused():
    with pytest.raises(ValueError, match="covariance: expected that of noise in every column"):
        nearest_by_noise(np.zeros((2, 1)), np.zeros((2, 1)), np.zeros((1, 1)))


def test_one_possible_original_is_known():
    drawn = [np.array([0, 1, 1]), np.array([1, 1, 2]), np.array([2, 1, 2])]
    assert possible_originals(drawn, np.array([1, 1, 2])).tolist() == [1, -1, -1]
