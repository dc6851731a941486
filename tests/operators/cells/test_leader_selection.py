"""Scores that leaders are found by."""

from __future__ import annotations

import numpy as np
import pytest
from pymoo.core.population import Population

from anonopt.operators import LeaderSelection
from anonopt.operators.cells.leader_selection import scores


def evaluated(F, CV=None):
    F = np.array(F, dtype=float)
    violation = np.zeros(len(F)) if CV is None else np.array(CV, dtype=float)
    return Population.new("F", F.reshape(len(F), -1), "CV", violation[:, np.newaxis])


@pytest.mark.parametrize(
    ("F", "CV", "expected"),
    [
        ([20, 40], None, [20, 40]),
        # What is at least 0 stays, however small; below it the best is moved to 1.
        ([0.25, 3], None, [0.25, 3]),
        ([0, 3], None, [0, 3]),
        ([-0.5, 3], None, [1, 4.5]),
        # An infeasible one comes after the worst feasible one, whatever its objective.
        ([2, 7, -9], [0, 0, 0.5], [2, 7, 7.5]),
        ([2, 1, 3], [0, 4, 0], [2, 7, 3]),
        ([5, 6], [2, 3], [2, 3]),
    ],
)
def test_scores(F, CV, expected):
    assert scores(evaluated(F, CV)).tolist() == expected


def test_probabilities_of_small_scores_and_of_zeros():
    probabilities = LeaderSelection().probabilities
    np.testing.assert_allclose(probabilities(evaluated([0.25, 0.5])), [2 / 3, 1 / 3])
    np.testing.assert_allclose(probabilities(evaluated([1, 2])), [2 / 3, 1 / 3])
    assert probabilities(evaluated([0, 0, 5])).tolist() == [0.5, 0.5, 0]
    printed = LeaderSelection(as_printed=True).probabilities
    assert printed(evaluated([0, 0])).tolist() == [0.5, 0.5]


@pytest.mark.parametrize("shape", [(2, 2), (2, 0)])
def test_several_objectives_are_refused(shape):
    with pytest.raises(ValueError, match="individuals of 1 objective, found objectives of shape"):
        scores(evaluated(np.zeros(shape)))
