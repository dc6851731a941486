"""Losses as functions of tables: worked figures, and entropy from a PRAM matrix."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.measures.categorical.information_loss import (
    contingency_loss,
    entropy_loss,
    joint_pairs,
    matrix_entropy_loss,
)


@st.composite
def joint_counts(draw: st.DrawFn):
    size = draw(st.integers(2, 5))
    row = st.lists(st.integers(0, 9), min_size=size, max_size=size)
    table = np.array(draw(st.lists(row, min_size=size, max_size=size)))
    table[0, 0] += 1
    return table


@given(joint_counts())
def test_entropy_from_the_matrix_that_the_counts_show_is_that_from_the_counts(joint):
    frequencies = joint.sum(axis=1)
    matrix = np.where(
        frequencies[:, np.newaxis] > 0,
        joint / np.maximum(frequencies, 1)[:, np.newaxis],
        np.eye(len(joint)),
    )
    by_counts = entropy_loss([joint_pairs(joint)], [len(joint)], int(joint.sum()))
    by_matrix = matrix_entropy_loss(matrix, frequencies, joint.sum(axis=0))
    assert by_matrix == pytest.approx(by_counts)
    assert 0 <= by_counts <= 100 + 1e-9


@given(joint_counts())
def test_entropy_as_a_share_of_what_there_was(joint):
    n = int(joint.sum())
    shares = joint.sum(axis=1) / n
    own = -math.fsum(share * math.log(share) for share in shares if share > 0)
    by_size, by_log, by_own = (
        entropy_loss([joint_pairs(joint)], [len(joint)], n, entropies=entropies)
        for entropies in (None, [math.log(len(joint))], [own])
    )
    assert by_log == by_size
    assert by_own * own == pytest.approx(by_size * math.log(len(joint)))
    together = np.zeros_like(joint)
    together[:, 0] = joint.sum(axis=1)
    lost = entropy_loss([joint_pairs(together)], [len(joint)], n, entropies=[own])
    assert lost == pytest.approx(100 if own > 0 else 0)


def test_posterior_of_the_worked_matrix():
    # P(original a | seen a) = .35 / .55 and P(a | b) = .15 / .45.
    def entropy(p: float) -> float:
        return -(p * math.log(p) + (1 - p) * math.log(1 - p))

    matrix = np.array([[0.7, 0.3], [0.4, 0.6]])
    seen = entropy(0.35 / 0.55), entropy(0.15 / 0.45)
    only_a = matrix_entropy_loss(matrix, np.array([0.5, 0.5]), np.array([8, 0]))
    assert only_a == pytest.approx(100 * seen[0] / math.log(2))
    expected = matrix_entropy_loss(matrix, np.array([1, 1]))
    assert expected == pytest.approx(100 * (0.55 * seen[0] + 0.45 * seen[1]) / math.log(2))


def test_extremes_of_entropy():
    equal = np.array([5.0, 5.0])
    assert matrix_entropy_loss(np.eye(2), equal) == 0
    assert matrix_entropy_loss(np.full((2, 2), 0.5), equal) == pytest.approx(100)
    assert matrix_entropy_loss(np.ones((1, 1)), np.array([3.0])) == 0


def test_declared_but_unseen_category_is_finite():
    matrix = np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.0, 0.0, 1.0]])
    loss = matrix_entropy_loss(matrix, np.array([5, 5, 0]), np.array([4, 4, 2]))
    assert 0 < loss < 100


def test_masked_category_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match=r"category 1: expected 0 rows.*found 2"):
        matrix_entropy_loss(np.array([[1.0, 0], [1, 0]]), np.array([1, 1]), np.array([0, 2]))
    with pytest.raises(ValueError, match="shape"):
        matrix_entropy_loss(np.eye(3), np.array([1, 1]))


def test_difference_a_cell_is_the_printed_equation():
    # Original a, a, b masked as a, c, c: counts 2, 1, 0 and 1, 0, 2.
    assert contingency_loss(4, 1, 3) == pytest.approx(100 * 4 / 6)
    # Eq. 2.11: 4 / 3 a cell.
    assert contingency_loss(4, 1, 3, n_cells=3) == pytest.approx(100 * 4 / 3)


@pytest.mark.parametrize("entropies", [[], [1.0, 2.0], [math.nan], [math.inf], [-1.0]])
def test_entropies_that_cannot_be_are_refused(entropies: list[float]) -> None:
    joint = np.array([2, 1, 1]), np.array([3, 3, 1])
    with pytest.raises(ValueError, match=r"entropies: expected .*found"):
        entropy_loss([joint], [2], 4, entropies=entropies)
