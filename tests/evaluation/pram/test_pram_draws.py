"""Draws of PRAM: never a category of probability 0, and the right frequencies."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from anonopt.evaluation.pram.pram_draws import (
    AliasTable,
    CommonDraws,
    draw,
    draw_table,
    expected_table,
)
from tests.oracles import pram as oracle

TRIDIAGONAL = np.array(
    [
        [0.7, 0.3, 0.0, 0.0, 0.0],
        [0.2, 0.7, 0.1, 0.0, 0.0],
        [0.0, 0.1, 0.7, 0.2, 0.0],
        [0.0, 0.0, 0.1, 0.7, 0.2],
        [0.0, 0.0, 0.0, 0.3, 0.7],
    ]
)


def random_matrix(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 40))
    matrix = rng.random((size, size)) ** 3 * (rng.random((size, size)) < 0.5)
    matrix[np.arange(size), rng.integers(size, size=size)] += 0.01
    return matrix / matrix.sum(axis=1, keepdims=True)


def by_alias(matrix, codes, rng):
    return draw(matrix, codes, rng)


def by_common_numbers(matrix, codes, rng):
    return CommonDraws(codes, len(matrix), rng).draw(matrix)


def by_table(matrix, codes, rng):
    """Masked codes in an order of their own: only their numbers matter here."""
    table = draw_table(matrix, np.bincount(codes, minlength=len(matrix)), rng)
    order = np.argsort(codes, kind="stable")
    masked = np.empty(len(codes), dtype=int)
    masked[order] = np.repeat(np.tile(np.arange(len(matrix)), len(matrix)), table.ravel())
    return masked


every_way = pytest.mark.parametrize("way", [by_alias, by_common_numbers, by_table])


def transitions(matrix, codes, masked) -> np.ndarray:
    size = len(matrix)
    return np.bincount(codes * size + masked, minlength=size * size).reshape(size, size)


@every_way
def test_a_change_of_probability_0_never_happens(way):
    codes = np.repeat(np.arange(5), 20_000)
    moved = transitions(TRIDIAGONAL, codes, way(TRIDIAGONAL, codes, np.random.default_rng(1)))
    assert moved[TRIDIAGONAL == 0].sum() == 0
    assert (moved[TRIDIAGONAL > 0] > 0).all()
    assert moved.sum() == 100_000


@given(st.integers(0, 2000))
def test_urns_hold_exactly_the_probabilities(seed):
    matrix = random_matrix(seed)
    size = len(matrix)
    table = AliasTable.of(matrix)
    thresholds, aliases = table.thresholds.reshape(size, size), table.aliases.reshape(size, size)
    held = thresholds / size
    for category, row in enumerate(aliases):
        np.add.at(held[category], row, (1 - thresholds[category]) / size)
    np.testing.assert_allclose(held, matrix, atol=1e-14)
    assert (held[matrix == 0] == 0).all()


@every_way
def test_frequencies_over_many_seeds_are_those_of_the_matrix(way):
    codes = np.repeat(np.arange(5), [50, 20, 30, 60, 40])
    possible = TRIDIAGONAL > 0
    expected = (np.bincount(codes)[:, np.newaxis] * TRIDIAGONAL)[possible]
    statistics = []
    for seed in range(400):
        masked = way(TRIDIAGONAL, codes, np.random.default_rng(seed))
        observed = transitions(TRIDIAGONAL, codes, masked)[possible]
        statistics.append(((observed - expected) ** 2 / expected).sum())
    freedom = possible.sum() - 5
    total = sum(statistics)
    # The sum of independent statistics is chi-square again; the fifth of a percent at each end.
    low, high = scipy.stats.chi2.ppf([0.002, 0.998], freedom * len(statistics))
    assert low < total < high


def test_one_choice_a_record_is_distributed_alike():
    codes = np.repeat(np.arange(5), 400)
    rng = np.random.default_rng(3)
    slow = oracle.drawn([TRIDIAGONAL], codes[:, np.newaxis], rng)[:, 0]
    fast = draw(TRIDIAGONAL, codes, rng)
    tables = np.array([transitions(TRIDIAGONAL, codes, masked) for masked in (slow, fast)])
    counts = tables[:, TRIDIAGONAL > 0]
    assert scipy.stats.chi2_contingency(counts).pvalue > 0.001


@every_way
def test_cumulated_rounding_does_not_reach_the_last_category(way):
    # 0.7 + 0.2 + 0.1 accumulates to 0.9999999999999999.
    matrix = np.array([[0.7, 0.2, 0.1, 0.0]] * 4)

    class Highest:
        """The largest number that a generator draws."""

        def random(self, n):
            return np.full(n, np.nextafter(1.0, 0.0))

        multinomial = np.random.default_rng(1).multinomial

    masked = way(matrix, np.zeros(1000, dtype=int), Highest())
    assert (masked < 3).all()


def test_categories_that_must_not_change_stay():
    matrix = np.array([[1.0, 0.0, 0.0], [0.3, 0.4, 0.3], [0.2, 0.2, 0.6]])
    codes = np.repeat(np.arange(3), 1000)
    masked = draw(matrix, codes, np.random.default_rng(1))
    assert (masked[codes == 0] == 0).all()
    assert (masked[codes != 0] == 0).any()


def test_type_of_the_codes_is_kept():
    for dtype in (np.int8, np.uint16, np.int64):
        assert (
            draw(np.eye(2), np.array([0, 1], dtype=dtype), np.random.default_rng(1)).dtype == dtype
        )


def test_common_numbers_make_similar_files_of_similar_matrices():
    codes = np.repeat(np.arange(5), 1000)
    draws = CommonDraws(codes, 5, np.random.default_rng(1))
    other = 0.99 * TRIDIAGONAL + 0.01 * np.eye(5)
    assert (draws.draw(TRIDIAGONAL) != draws.draw(other)).mean() < 0.02
    rng = np.random.default_rng(2)
    assert (draw(TRIDIAGONAL, codes, rng) != draw(other, codes, rng)).mean() > 0.2


def test_expected_table_is_no_transposed_product():
    matrix = [[0.7, 0.3], [0.4, 0.6]]
    np.testing.assert_allclose(expected_table(matrix, [0.5, 0.5]), [0.55, 0.45])
    np.testing.assert_allclose(expected_table(matrix, [[10, 0], [0, 10]]), [[7, 4], [3, 6]])


def test_table_draws_take_every_matrix_that_is_one():
    above = [[1 + 9e-13, 0.0], [0.0, 1.0]]
    np.testing.assert_array_equal(
        draw_table(above, [3, 4], np.random.default_rng(1)), [[3, 0], [0, 4]]
    )


def test_table_draws_keep_the_other_column():
    counts = np.array([[3, 1, 0], [5, 0, 2]])
    drawn = draw_table([[0.5, 0.5], [0.1, 0.9]], counts, np.random.default_rng(1))
    assert drawn.shape == (2, 3, 2)
    np.testing.assert_array_equal(drawn.sum(axis=2), counts)


@pytest.mark.parametrize(
    ("codes", "error", "found"),
    [
        ([0, 2], ValueError, r"expected 0\.\.1, found 2 at position 1"),
        ([-1], ValueError, r"expected 0\.\.1, found -1 at position 0"),
        ([[0, 1]], ValueError, r"expected one column, found shape \(1, 2\)"),
        ([0.0], TypeError, "expected integers, found float64"),
    ],
)
def test_wrong_codes_are_refused(codes, error, found):
    with pytest.raises(error, match=found):
        draw(np.eye(2), codes, np.random.default_rng(1))


@pytest.mark.parametrize("counts", [[1, 2, 3], [0.5, 0.5], [[[1]], [[1]]], [1, -1]])
def test_wrong_counts_are_refused(counts):
    with pytest.raises(ValueError, match="counts: expected"):
        draw_table(np.eye(2), counts, np.random.default_rng(1))
