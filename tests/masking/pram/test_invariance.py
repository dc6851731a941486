"""Invariant matrices and control of diagonals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.masking import (
    controlled_diagonal,
    controlled_invariant,
    expectation_ratios,
    invariant_matrix,
    is_diagonally_dominant,
    mean_expectation_ratio,
    mixed_with_identity,
    pram_matrix,
)
from anonopt.problems import MatrixRules
from tests.oracles import pram as oracle

CASES = [*range(40)]


def random_case(seed: int, largest: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """A matrix with some zeros, and shares of which some are 0."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, largest))
    matrix = rng.random((size, size)) * (rng.random((size, size)) < 0.6)
    matrix[np.arange(size), rng.integers(size, size=size)] += 0.1
    shares = rng.random(size) * (rng.random(size) < 0.7)
    shares[rng.integers(size)] += 0.1
    return matrix / matrix.sum(axis=1, keepdims=True), shares / shares.sum()


def test_invariance_of_1000_random_matrices():
    for seed in range(1000):
        P, t = random_case(seed, largest=30)
        R = invariant_matrix(P, t)
        assert np.abs(t @ R - t).max() <= 1e-12
        assert np.abs(R.sum(axis=1) - 1).max() <= 1e-12
        assert (R >= 0).all()


@pytest.mark.parametrize("seed", CASES)
def test_two_stages_in_loops_give_the_same(seed):
    P, t = random_case(seed)
    np.testing.assert_allclose(invariant_matrix(P, t), oracle.two_stage(P, t), atol=1e-14)


def test_counts_do_as_well_as_shares():
    P, _ = random_case(3)
    counts = np.arange(1, len(P) + 1)
    np.testing.assert_array_equal(
        invariant_matrix(P, counts), invariant_matrix(P, counts / counts.sum())
    )


def test_category_that_is_never_reached_has_the_row_of_the_identity_in_Q():
    P = np.array([[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])
    R = invariant_matrix(P, [1, 1, 0])
    assert np.isfinite(R).all()
    np.testing.assert_array_equal(R[2], [0, 0, 1])


def test_dominance():
    assert is_diagonally_dominant([[0.51, 0.49], [0.2, 0.8]])
    assert not is_diagonally_dominant([[0.5, 0.5], [0.2, 0.8]])


@given(st.integers(0, 999), st.floats(0, 1))
def test_mixing_with_the_identity_keeps_invariance(seed, alpha):
    P, t = random_case(seed)
    R = invariant_matrix(P, t)
    mixed = mixed_with_identity(R, alpha)
    assert np.abs(t @ mixed - t).max() <= 1e-12
    assert (mixed.diagonal() >= R.diagonal() - 1e-15).all()


@given(st.integers(0, 999), st.floats(0, 1), st.floats(0, 1))
def test_controlled_rows_are_distributions_within_the_bounds(seed, one, other):
    P, _ = random_case(seed)
    lower, upper = sorted((one, other))
    controlled = controlled_diagonal(P, bounds=(lower, upper))
    assert np.abs(controlled.sum(axis=1) - 1).max() <= 1e-12
    assert (controlled >= 0).all()
    if len(P) > 1:
        assert ((controlled.diagonal() >= lower) & (controlled.diagonal() <= upper)).all()
        inside = (P.diagonal() >= lower) & (P.diagonal() <= upper)
        np.testing.assert_array_equal(controlled[inside], P[inside])


def test_a_row_is_lowered_by_the_corrected_equation_and_by_the_printed_one():
    P = np.array([[0.8, 0.1, 0.1], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6]])
    # beta = 0.5: the off-diagonal cells get 0.05 + 0.5 / 2, or 0.05 + 0.5 / 3 as printed.
    bounds = (0.0, 0.4)
    np.testing.assert_allclose(controlled_diagonal(P, bounds=bounds)[0], [0.4, 0.3, 0.3])
    printed = np.array([0.4, 0.05 + 0.5 / 3, 0.05 + 0.5 / 3])
    np.testing.assert_allclose(
        controlled_diagonal(P, bounds=bounds, as_printed=True)[0], printed / printed.sum()
    )


@given(st.integers(0, 999))
def test_invariant_matrix_within_bounds(seed):
    P, t = random_case(seed)
    if len(t) == 1:
        return
    R = invariant_matrix(P, t)
    try:
        controlled = controlled_invariant(R, t)
    except ValueError:
        # What enters the largest category at most leaves the others: 0.45 of them.
        assert 0.25 * t.max() > 0.45 * (1 - t.max()) - 1e-6
        return
    assert np.abs(t @ controlled - t).max() <= 1e-12
    assert np.abs(controlled.sum(axis=1) - 1).max() <= 1e-12
    assert (controlled >= 0).all()
    assert (controlled.diagonal() >= 0.55).all()
    assert (controlled.diagonal() <= 0.75).all()


@given(st.integers(0, 999), st.floats(0, 1))
def test_one_alpha_for_all_keeps_invariance_and_reaches_the_upper_bound(seed, upper):
    P, t = random_case(seed)
    R = invariant_matrix(P, t)
    controlled = controlled_invariant(R, t, bounds=(0.0, upper), as_printed=True)
    assert np.abs(t @ controlled - t).max() <= 1e-12
    before, after = R.diagonal().max(), controlled.diagonal().max()
    if before >= upper or len(t) == 1:
        np.testing.assert_array_equal(controlled, R)
        return
    assert after <= upper + 1e-9
    # With a hundredth less of R, the largest entry would be above the bound, unless that is 1.
    assert after + 0.01 * (1 - before) >= min(upper, 1.0) - 1e-9
    off = ~np.eye(len(t), dtype=bool)
    alpha = round(100 * (1 - after) / (1 - before)) / 100
    np.testing.assert_allclose(controlled[off], alpha * R[off], atol=1e-12)


def test_the_row_only_invariance_of_table_4_8_comes_back():
    degrees = [98, 173, 251, 195, 170, 80]
    R = invariant_matrix(pram_matrix("maximum_entropy", degrees, p=0.6), degrees)
    controlled = controlled_invariant(R, degrees, as_printed=True)
    np.testing.assert_array_equal(controlled, mixed_with_identity(R, 0.49))
    ratios = expectation_ratios(controlled, degrees, as_printed=True)
    assert ratios.round(3).tolist() == [0.981, 2.356, 4.838, 2.911, 2.287, 0.740]
    assert round(mean_expectation_ratio(controlled, degrees, as_printed=True), 3) == 2.827
    # The ratio of Gouweleeuw et al. rises with invariance as well.
    assert round(mean_expectation_ratio(controlled, degrees), 3) == 2.504


def test_ratios_along_the_row_are_those_of_the_columns_where_the_matrix_is_symmetric():
    matrix, counts = pram_matrix("maximum_entropy", [3, 4, 9], p=0.7), [3, 4, 9]
    np.testing.assert_allclose(
        expectation_ratios(matrix, counts, as_printed=True), expectation_ratios(matrix, counts)
    )
    skewed = invariant_matrix(matrix, counts)
    assert not np.allclose(
        expectation_ratios(skewed, counts, as_printed=True), expectation_ratios(skewed, counts)
    )


def test_invariant_matrix_that_is_within_the_bounds_stays():
    t = np.array([0.3, 0.7])
    R = mixed_with_identity(invariant_matrix([[0.8, 0.2], [0.3, 0.7]], t), 0.9)
    bounds = float(R.diagonal().min()), float(R.diagonal().max())
    np.testing.assert_array_equal(controlled_invariant(R, t, bounds=bounds), R)


def test_a_single_category_stays_whatever_the_bounds():
    for controlled in (controlled_diagonal([[1.0]]), controlled_invariant([[1.0]], [5])):
        np.testing.assert_array_equal(controlled, [[1.0]])


def test_bound_on_P_is_no_bound_on_R():
    degrees = [98, 173, 251, 195, 170, 80]
    P = pram_matrix("maximum_entropy", degrees, p=0.6)
    assert invariant_matrix(P, degrees).diagonal().max() < 0.55


def test_ratios_of_an_invariant_matrix_follow_from_its_diagonal():
    P, t = random_case(7)
    R = invariant_matrix(P, t)
    used = t > 0
    diagonal = R.diagonal()[used]
    np.testing.assert_allclose(expectation_ratios(R, t)[used], diagonal / (1 - diagonal), rtol=1e-9)


@pytest.mark.parametrize("bounds", [(0.8, 0.7), (-0.1, 0.5), (0.5, 1.1)])
def test_wrong_bounds_are_refused(bounds):
    for control in (controlled_diagonal, lambda P, **k: controlled_invariant(P, [1, 1], **k)):
        with pytest.raises(ValueError, match="bounds: expected 0 <= lower <= upper <= 1"):
            control(np.eye(2), bounds=bounds)


@pytest.mark.parametrize(
    ("bounds", "error"),
    [(("a", "b"), TypeError), (0.5, TypeError), ("ab", TypeError), ((0.5,), ValueError)],
)
def test_bounds_that_are_no_pair_of_numbers_are_refused(bounds, error):
    for control in (controlled_diagonal, lambda P, **k: controlled_invariant(P, [1, 1], **k)):
        with pytest.raises(error, match="bounds: expected"):
            control(np.eye(2), bounds=bounds)
    with pytest.raises(error, match="diagonal: expected"):
        MatrixRules(diagonal=bounds)


def test_as_printed_is_true_or_false():
    for refused in (
        lambda: controlled_diagonal(np.eye(2), as_printed="no"),
        lambda: controlled_invariant(np.eye(2), [1, 1], as_printed="no"),
        lambda: MatrixRules(as_printed="no"),
    ):
        with pytest.raises(TypeError, match="as_printed: expected True or False, found 'no'"):
            refused()


def test_equation_4_6_is_refused_a_matrix_that_is_not_invariant():
    with pytest.raises(ValueError, match=r"matrix: expected an invariant matrix .* share by 0\.1"):
        controlled_invariant([[0.8, 0.2], [0.3, 0.7]], [0.8, 0.2], as_printed=True)


def test_wrong_alpha_is_refused():
    with pytest.raises(ValueError, match=r"alpha: expected a number in 0\.\.1, found 1\.2"):
        mixed_with_identity(np.eye(2), 1.2)
