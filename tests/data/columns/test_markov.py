"""Markov matrices with labels."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

from anonopt.data.columns.markov import MarkovMatrix, checked_frequencies


@pytest.mark.parametrize(
    ("matrix", "found"),
    [
        ([[0.7, 0.4], [0.4, 0.6]], r"rows that sum to 1, found sum 1\.1 in row 'a'"),
        ([[1.2, -0.2], [0.0, 1.0]], r"at least 0, found -0\.2 in row 'a', column 'b'"),
        ([[0.5, 0.5], [np.nan, 1.0]], r"at least 0, found nan in row 'b', column 'a'"),
        ([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5]], r"expected shape \(2, 2\), found shape \(2, 3\)"),
        ([0.5, 0.5], r"expected shape \(2, 2\), found shape \(2,\)"),
        ([[0.7, 0.3 + 1e-11], [0.4, 0.6]], "rows that sum to 1"),
        ([[1, 0], [1]], r"matrix: expected rows of numbers, all of one length, found \[\[1, 0\]"),
        ([["x", 0], [0, 1]], "matrix: expected rows of numbers, .* found .*'x'"),
        ([[1j, 0], [0, 1]], "matrix: expected rows of numbers, .* found .*1j"),
    ],
)
def test_what_is_no_markov_matrix_is_refused_with_what_was_found(matrix, found):
    with pytest.raises(ValueError, match=found):
        MarkovMatrix.of(matrix, labels=["a", "b"])


def test_rows_must_sum_to_1_columns_need_not():
    matrix = MarkovMatrix.of([[0.7, 0.3], [0.4, 0.6]], labels=["a", "b"])
    assert matrix.n_categories == 2
    np.testing.assert_array_equal(np.asarray(matrix), [[0.7, 0.3], [0.4, 0.6]])


def test_labels_in_another_order_are_refused():
    frame = pd.DataFrame([[0.7, 0.3], [0.4, 0.6]], index=["b", "a"], columns=["b", "a"])
    with pytest.raises(ValueError, match=r"\['a', 'b'\] in this order, found \['b', 'a'\]"):
        MarkovMatrix.of(frame, labels=["a", "b"])
    with pytest.raises(ValueError, match=r"in this order, found \['b', 'a'\]"):
        MarkovMatrix.of(MarkovMatrix.of(frame), labels=["a", "b"])
    crossed = frame.set_axis(["a", "b"], axis=1)
    with pytest.raises(ValueError, match=r"found rows \['b', 'a'\] and columns \['a', 'b'\]"):
        MarkovMatrix.of(crossed)


def test_labels_occur_once():
    with pytest.raises(ValueError, match="each label once, found 'a' twice"):
        MarkovMatrix.of(np.eye(2), labels=["a", "a"])


def test_no_labels_are_too_few():
    with pytest.raises(ValueError, match=r"expected shape \(0, 0\), found shape \(2, 2\)"):
        MarkovMatrix.of(np.eye(2), labels=[])


def test_labels_are_compared_as_text():
    frame = pd.DataFrame(np.eye(2), index=[1.0, 2.0], columns=[1, 2])
    assert MarkovMatrix.of(frame, labels=["1", "2"]).labels == ("1", "2")


def test_it_is_read_only_and_its_source_may_change():
    source = np.eye(2)
    matrix = MarkovMatrix.of(source)
    source[0, 0] = 5
    for twin in (matrix, pickle.loads(pickle.dumps(matrix)), copy.deepcopy(matrix)):
        np.testing.assert_array_equal(twin.probabilities, np.eye(2))
        with pytest.raises(ValueError, match="read-only"):
            twin.probabilities[0, 0] = 0


def test_it_survives_a_table():
    matrix = MarkovMatrix.of([[0.7, 0.3], [0.4, 0.6]], labels=["x", "y"])
    back = MarkovMatrix.of(matrix.to_frame(), labels=["x", "y"])
    np.testing.assert_array_equal(back.probabilities, matrix.probabilities)


@pytest.mark.parametrize(
    ("frequencies", "found"),
    [
        ([1, -2], r"at least 0, found -2\.0 at position 1"),
        ([0, 0], "only zeros"),
        ([], r"found shape \(0,\)"),
        ([[1, 2]], r"found shape \(1, 2\)"),
        ([np.inf, 1], "found inf at position 0"),
    ],
)
def test_what_are_no_frequencies_is_refused(frequencies, found):
    with pytest.raises(ValueError, match=found):
        checked_frequencies(frequencies)
