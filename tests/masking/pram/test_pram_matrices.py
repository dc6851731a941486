"""Named PRAM matrices, against the printed ones and the equations in loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.masking import pram_matrix
from tests.oracles import pram as oracle

DEGREE = [98, 173, 251, 195, 170, 80, 33, 0]
"""Mares 2013, Table 4.2."""

TABLE_4_1 = np.array(
    [
        [0.500, 0.067, 0.060, 0.065, 0.067, 0.076, 0.080, 0.083],
        [0.073, 0.500, 0.058, 0.064, 0.066, 0.075, 0.080, 0.083],
        [0.072, 0.064, 0.500, 0.062, 0.064, 0.074, 0.080, 0.083],
        [0.073, 0.065, 0.057, 0.500, 0.066, 0.075, 0.080, 0.083],
        [0.073, 0.066, 0.058, 0.064, 0.500, 0.075, 0.080, 0.083],
        [0.074, 0.068, 0.061, 0.066, 0.068, 0.500, 0.080, 0.083],
        [0.075, 0.068, 0.062, 0.067, 0.069, 0.076, 0.500, 0.083],
        [0.075, 0.069, 0.062, 0.067, 0.069, 0.077, 0.081, 0.500],
    ]
)

counts = st.lists(st.integers(0, 50), min_size=1, max_size=12).filter(any)
shares = st.floats(0, 1)


def test_table_4_1_to_the_printed_digits():
    matrix = pram_matrix("frequency", DEGREE, p=0.5)
    # The fifth entry of the first row is 0.0676, printed as 0.067.
    assert matrix[0, 4] == pytest.approx(0.5 * 732 / (6 * 902))
    matrix[0, 4] = 0.067
    np.testing.assert_array_equal(matrix.round(3), TABLE_4_1)


@given(st.lists(st.integers(1, 50), min_size=3, max_size=12), shares)
def test_frequency_matrix_is_equation_2_3(T, p):
    np.testing.assert_allclose(
        pram_matrix("frequency", T, p=p), oracle.frequency_matrix(T, p), rtol=1e-12, atol=1e-15
    )


@given(counts.filter(lambda T: len(T) > 1), shares)
def test_diagonal_matrix_is_equations_2_4_and_2_5(T, theta):
    np.testing.assert_allclose(
        pram_matrix("diagonal", T, theta=theta),
        oracle.diagonal_matrix(T, theta),
        rtol=1e-12,
        atol=1e-15,
    )


@given(counts, shares, st.sampled_from(["frequency", "diagonal", "maximum_entropy"]), st.booleans())
def test_rows_are_distributions_whatever_the_frequencies(T, share, name, as_shares):
    frequencies = np.array(T) / sum(T) if as_shares else T
    parameter = {"theta": share} if name == "diagonal" else {"p": share}
    matrix = pram_matrix(name, frequencies, **parameter)
    assert (matrix >= 0).all()
    np.testing.assert_allclose(matrix.sum(axis=1), 1, rtol=0, atol=1e-12)


@given(counts)
def test_matrices_without_parameters(T):
    size = len(T)
    np.testing.assert_array_equal(pram_matrix("identity", T), np.eye(size))
    np.testing.assert_array_equal(pram_matrix("uniform", T), np.full((size, size), 1 / size))


def test_cases_in_which_equation_2_3_is_undefined():
    np.testing.assert_allclose(pram_matrix("frequency", [3, 1], p=0.7), [[0.7, 0.3], [0.3, 0.7]])
    matrix = pram_matrix("frequency", [0, 9, 0], p=0.6)
    np.testing.assert_allclose(matrix[1], [0.2, 0.6, 0.2])
    np.testing.assert_array_equal(pram_matrix("frequency", [4], p=0.1), [[1.0]])


def test_half_is_the_default():
    for name, parameter in (("frequency", "p"), ("maximum_entropy", "p"), ("diagonal", "theta")):
        np.testing.assert_array_equal(
            pram_matrix(name, DEGREE), pram_matrix(name, DEGREE, **{parameter: 0.5})
        )


@pytest.mark.parametrize(
    ("name", "options", "found"),
    [
        ("frequencies", {}, "expected one of .*'frequency'.*, found 'frequencies'"),
        ("frequency", {"theta": 0.5}, "'frequency': expected only p, found theta"),
        ("diagonal", {"p": 0.5}, "'diagonal': expected only theta, found p"),
        ("uniform", {"p": 0.5}, "'uniform': expected no parameter, found p"),
        ("frequency", {"p": 1.5}, r"p: expected a number in 0\.\.1, found 1\.5"),
        ("diagonal", {"theta": -0.1}, r"theta: expected a number in 0\.\.1, found -0\.1"),
    ],
)
def test_wrong_names_and_parameters_are_refused(name, options, found):
    with pytest.raises(ValueError, match=found):
        pram_matrix(name, DEGREE, **options)
