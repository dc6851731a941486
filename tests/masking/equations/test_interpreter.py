"""Matrices of equations: all cells at once as one by one, and never NaN or infinite."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from deap import gp
from hypothesis import given
from hypothesis import strategies as st

from anonopt.masking.equations import PRIMITIVES, Equation
from anonopt.masking.equations.interpreter import row_probabilities
from anonopt.masking.equations.primitives import protected_division
from anonopt.operators.trees.tree_sampling import full_tree, grown_tree
from tests.oracles.equations import cell_values, matrix_of, post_order_traversal

CONSTANTS = tuple(Equation.parse(text).tree[0] for text in ("0", "2", "0.5", "1e200"))
SPACE = SimpleNamespace(
    terminals=(*PRIMITIVES.terminals[object], *CONSTANTS),
    functions=tuple(PRIMITIVES.primitives[object]),
)

trees = st.builds(
    lambda draw, depth, seed: draw(SPACE, depth, np.random.default_rng(seed)),
    st.sampled_from([full_tree, grown_tree]),
    st.integers(1, 8),
    st.integers(0, 2**32),
)
counts = st.lists(
    st.one_of(st.integers(0, 50_000), st.floats(0, 1e300, allow_nan=False)), min_size=1, max_size=8
)


@given(tree=trees, frequencies=counts)
def test_all_cells_at_once_have_the_values_of_one_by_one(tree, frequencies):
    equation = Equation(tree)
    values = equation.values(frequencies)
    np.testing.assert_array_equal(values, cell_values(tree, frequencies))
    np.testing.assert_allclose(
        equation.matrix(frequencies), matrix_of(tree, frequencies), rtol=1e-14, atol=1e-300
    )


@given(tree=trees, frequencies=counts)
def test_matrix_is_markov_whatever_happens_inside(tree, frequencies):
    matrix = Equation(tree).matrix(frequencies)
    assert matrix.shape == (len(frequencies),) * 2
    assert np.isfinite(matrix).all()
    assert (matrix >= 0).all()
    assert abs(matrix.sum(axis=1) - 1).max() <= 1e-12


@given(tree=trees)
def test_values_are_those_of_the_tree_compiled_by_deap(tree):
    symbolic = gp.PrimitiveTree(tree)
    f = np.array([5.0, 0.0, 3.0, 3.0])
    with np.errstate(all="ignore"):
        compiled = gp.compile(symbolic, PRIMITIVES)
        expected = compiled(f.sum(), f.max(), f.min(), f[:, np.newaxis], f[np.newaxis, :])
    np.testing.assert_array_equal(Equation(tree).values(f), np.broadcast_to(expected, (4, 4)))


@given(tree=trees)
def test_postfix_is_the_traversal_of_the_thesis(tree):
    names = [node.name for node in post_order_traversal(tree)]
    assert Equation(tree).postfix.split() == names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Rows of weights (1, 1, 1), (1, 1, 1) and (0, 0, 1), as x / 0 is 1.
        ("freq_i / freq_j", [[1 / 3] * 3, [1 / 3] * 3, [0.0, 0.0, 1.0]]),
        ("freq_i - freq_i", np.eye(3)),
        ("freq_j / (N - N)", np.full((3, 3), 1 / 3)),
        ("1e300 * 1e300 * freq_i", np.eye(3)),
        ("1e300 * 1e300 - 1e300 * 1e300", np.eye(3)),
        ("1e308 * freq_j / 4", [[0.5, 0.5, 0.0]] * 3),
    ],
    ids=["division by zero", "zeros", "always by zero", "infinite", "NaN", "sum overflows"],
)
def test_rows_that_fall_back(text, expected):
    np.testing.assert_allclose(Equation.parse(text).matrix([4, 4, 0]), expected, rtol=1e-15)


@given(values=st.lists(st.lists(st.floats(), min_size=3, max_size=3), min_size=3, max_size=3))
def test_any_values_become_probabilities(values):
    before = np.array(values)
    matrix = row_probabilities(before)
    np.testing.assert_array_equal(before, values)
    assert (matrix >= 0).all()
    assert abs(matrix.sum(axis=1) - 1).max() <= 1e-12


def test_quotients_that_are_not_finite_are_1():
    assert [protected_division(a, b) for a, b in ((0.0, 0.0), (1e300, 1e-300), (-5.0, 0.0))] == [
        1
    ] * 3
    array = protected_division(np.array([[0.0], [6.0]]), np.array([[0.0, 3.0]]))
    assert array.tolist() == [[1.0, 0.0], [1.0, 2.0]]


def test_operands_are_in_the_order_of_the_text():
    values = Equation.parse("freq_i - freq_j").values([5, 2])
    assert values.tolist() == [[0.0, 3.0], [-3.0, 0.0]]


def test_frequency_pram_can_be_written_as_an_equation():
    """Off the diagonal, Eq. 2.3 is proportional to N - freq_i - freq_j."""
    from anonopt.masking.pram.pram_matrices import pram_matrix

    frequencies = [98, 173, 251, 195]
    weights = Equation.parse("N - freq_i - freq_j").values(frequencies)
    np.fill_diagonal(weights, 0)
    expected = 0.5 * weights / weights.sum(axis=1, keepdims=True) + 0.5 * np.eye(4)
    np.testing.assert_allclose(pram_matrix("frequency", frequencies, p=0.5), expected)


@pytest.mark.parametrize(
    ("frequencies", "found"),
    [
        ([], r"shape \(0,\)"),
        ([[1, 2]], "shape"),
        ([1, -2], r"-2\.0 at position 1"),
        ([np.nan], "nan"),
    ],
)
def test_frequencies_that_are_none_are_refused(frequencies, found):
    with pytest.raises(ValueError, match=f"frequencies: expected .* found {found}"):
        Equation.parse("N").matrix(frequencies)
