"""Classical information loss: against plain loops, at the edges, and what follows from it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonopt as ao
from anonopt.evaluation.continuous.continuous_evaluator import ContinuousMaskingEvaluator
from anonopt.measures.continuous.classical_loss import ClassicalLoss
from anonopt.measures.continuous.probabilistic_loss import file_statistics
from anonopt.problems import ContinuousMaskingProblem
from tests.oracles import continuous as oracle

SEEDS = st.integers(0, 2**32 - 1)


def files(seed, *, n_rows=30, n_columns=3):
    """An original with zeros and negative numbers, and a masked file with changes of all sizes."""
    rng = np.random.default_rng(seed)
    original = rng.normal(1.0, 5.0, (n_rows, n_columns)).round(1)
    original[rng.random(original.shape) < 0.1] = 0.0
    original[:, -1] += original[:, 0]
    noise = rng.normal(0, 10.0 ** rng.integers(-3, 2), original.shape)
    return original, original + noise * (rng.random(original.shape) < 0.5)


def loss(original, masked):
    return ClassicalLoss(original)(masked, file_statistics(masked))


@given(SEEDS, st.integers(1, 4))
@settings(max_examples=30)
def test_equals_plain_loops(seed, n_columns):
    original, masked = files(seed, n_columns=n_columns)
    found = loss(original, masked)
    assert found == pytest.approx(oracle.classical_loss(original, masked), abs=1e-9)
    assert 0 <= found <= 100


@given(SEEDS)
@settings(max_examples=20)
def test_rows_and_columns_can_be_shuffled_in_both_files(seed):
    original, masked = files(seed)
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(original)), rng.permutation(3)
    both = (file[rows][:, columns] for file in (original, masked))
    assert loss(*both) == pytest.approx(loss(original, masked), abs=1e-9)


@given(SEEDS, st.floats(0.001, 1000))
@settings(max_examples=20)
def test_units_do_not_matter(seed, scale):
    original, masked = files(seed)
    assert loss(original * scale, masked * scale) == pytest.approx(loss(original, masked), abs=1e-6)


def test_rows_that_change_places_lose_their_cells_alone():
    original, _ = files(1)
    masked = original[::-1]
    cells = np.mean(
        [oracle.variation(a, b) for a, b in zip(original.ravel(), masked.ravel(), strict=True)]
    )
    assert loss(original, masked) == pytest.approx(100 * cells / 5)


def test_each_change_counts_as_the_whole_at_most():
    original = np.array([[1.0], [2.0]])
    assert loss(original, original * 1e9) == 100.0
    zeros = np.array([[0.0], [0.0]])
    assert loss(zeros, zeros) == 0.0
    assert loss(zeros, zeros + 1e-3) == 50.0  # cells and mean of four parts


def numeric_frames():
    original, masked = files(7)
    columns = ["a", "b", "c"]
    return pd.DataFrame(original, columns=columns), pd.DataFrame(masked, columns=columns)


def test_compare_takes_it_for_il_and_the_scores():
    original, masked = numeric_frames()
    default = ao.compare(original, masked)
    classical = ao.compare(original, masked, information_loss="classical")
    expected = oracle.classical_loss(original.to_numpy(), masked.to_numpy())
    assert default["IL"] == default["PIL"] == classical["PIL"]
    assert classical["IL"] == pytest.approx(expected)
    assert classical["score_mean"] == pytest.approx((expected + default["DR"]) / 2)
    assert classical["score_max"] == pytest.approx(max(expected, default["DR"]))


def test_where_it_is_not_defined():
    original, masked = numeric_frames()
    with pytest.raises(ValueError, match="'probabilistic' of files with missing cells"):
        ao.compare(original, masked.mask(masked > 5), information_loss="classical")
    words = pd.DataFrame({"x": list("ab")})
    with pytest.raises(ValueError, match="'probabilistic' of files of categories"):
        ao.compare(words, words, information_loss="classical")
    with pytest.raises(ValueError, match=r"information_loss: expected one of .*found 'old'"):
        ao.compare(words, words, information_loss="old")


def test_states_that_follow_changed_cells_measure_it_to_the_bit():
    original, masked = files(3)
    evaluator = ContinuousMaskingEvaluator(original, information_loss="classical")
    state = evaluator.measure(original).apply(np.arange(original.size), masked.ravel())
    assert state.figures() == evaluator.measure(masked).figures() == evaluator.figures(masked)
    assert state.undo().values(["IL", "PIL"]).tolist() == [0.0, 0.0]


def test_problems_of_both_losses_are_told_apart():
    frame = pd.DataFrame({"a": [10, 20, 30, 40], "b": [5, 1, 7, 3]})
    default, classical = (
        ContinuousMaskingProblem(frame, ["IL"], information_loss=loss)
        for loss in ("probabilistic", "classical")
    )
    assert default.fingerprint == ContinuousMaskingProblem(frame, ["IL"]).fingerprint
    assert default.fingerprint != classical.fingerprint
    masked = frame.assign(b=[5, 1, 7, 1])
    x = classical.genomes([masked])
    expected = oracle.classical_loss(*(one.to_numpy(float) for one in (frame, masked)))
    assert classical.evaluate(x)[0, 0] == pytest.approx(expected)
