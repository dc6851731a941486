"""Matrices: encodings, names of genes, parts, operators."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymoo.operators.crossover.sbx import SBX
from pymoo.operators.mutation.pm import PM

from anonopt.operators import GrayBitFlip, SimplexRepair, SinglePointCrossover
from anonopt.problems.spaces import Matrices
from anonopt.problems.spaces.matrices import row_distributions

LABELS = [["a", "b"], ["x", "y", "z"]]


def test_figure_4_1():
    matrix = [[0.185, 0.283, 0.532], [0.609, 0.089, 0.302], [0.002, 0.277, 0.721]]
    space = Matrices([["a", "b", "c"]], "gray")
    x = space.encode([matrix])
    assert [f"{x[i]:010b}" for i in (0, 4, 8)] == ["0011100101", "0001110101", "1110111001"]
    np.testing.assert_allclose(space.decode(x)[0], matrix, atol=1e-12)


@given(st.integers(0, 1000))
def test_thousandths_are_exact(thousandths):
    share = thousandths / 1000
    space = Matrices([["a", "b"]], "gray")
    (matrix,) = space.decode(space.encode([[[share, 1 - share], [0, 1]]]))
    assert matrix[0, 0] == pytest.approx(share, abs=1e-15)


def test_probabilities_are_their_own_genes():
    space = Matrices(LABELS, "simplex")
    matrices = [np.full((2, 2), 0.5), np.eye(3)]
    x = space.encode(matrices)
    assert x.tolist() == [0.5] * 4 + np.eye(3).ravel().tolist()
    for found, matrix in zip(space.decode(x), matrices, strict=True):
        np.testing.assert_array_equal(found, matrix)


def test_tiny_weights_make_a_matrix_too():
    (matrix,) = Matrices([["a", "b"]], "simplex").decode(np.array([5e-324, 5e-324, 0.0, 5e-324]))
    np.testing.assert_array_equal(matrix, [[0.5, 0.5], [0.0, 1.0]])


def test_rows_are_divided_by_their_sums():
    weights = np.array([[1.0, 3.0], [0.0, 0.0]])
    np.testing.assert_array_equal(row_distributions(weights), [[0.25, 0.75], [0.0, 1.0]])


def test_genes_are_named_by_column_and_categories():
    named = Matrices([["a", "b"]], columns=["zone"])
    assert named.names == ("zone: a -> a", "zone: a -> b", "zone: b -> a", "zone: b -> b")
    assert Matrices(LABELS).names[:2] == ("matrix 1: a -> a", "matrix 1: a -> b")
    assert Matrices(LABELS).names[-1] == "matrix 2: z -> z"


@pytest.mark.parametrize(
    ("encoding", "highest", "size"), [("gray", 1023, 1024**13), ("simplex", 1, None)]
)
def test_bounds_and_parts(encoding, highest, size):
    space = Matrices(LABELS, encoding)
    assert (space.matrix_lengths, space.row_lengths) == ((4, 9), (2, 2, 3, 3, 3))
    assert space.sizes == (2, 3)
    assert (set(space.lower), set(space.upper)) == ({0}, {highest})
    assert space.size == size


def test_operators_follow_the_encoding():
    gray, simplex = Matrices(LABELS, "gray"), Matrices(LABELS, "simplex")
    assert isinstance(gray.crossover(), SinglePointCrossover)
    assert isinstance(gray.mutation(), GrayBitFlip)
    assert gray.repair() is None
    assert isinstance(simplex.crossover(), SBX)
    assert isinstance(simplex.mutation(), PM)
    assert isinstance(simplex.repair(), SimplexRepair)


@pytest.mark.parametrize(("encoding", "wrong"), [("gray", 1024), ("simplex", 1.5)])
def test_genes_beyond_their_range_are_refused(encoding, wrong):
    space = Matrices(LABELS, encoding)
    x = np.zeros(13)
    x[12] = wrong
    with pytest.raises(ValueError, match=rf"gene 'matrix 2: z -> z': .*, found {wrong}"):
        space.checked(x[np.newaxis])
    with pytest.raises(ValueError, match="gene 'matrix 2: z -> z': expected a number"):
        space.decode(x if encoding == "simplex" else x.astype(int))


def test_unknown_encoding_is_refused():
    with pytest.raises(ValueError, match="encoding: expected one of 'gray', 'simplex'"):
        Matrices(LABELS, "binary")


def test_description_follows_labels_and_encoding():
    described = {
        str(space.describe())
        for space in (Matrices(LABELS), Matrices(LABELS, "simplex"), Matrices(LABELS[:1]))
    }
    assert len(described) == 3
