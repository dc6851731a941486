"""Gradients of expected figures are their differences; descents of matrices only go down."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonopt.data.columns.categories import CategoricalColumns
from anonopt.evaluation import MaskingEvaluator
from anonopt.evaluation.aim import Aim
from anonopt.evaluation.pram import matrix_descent
from anonopt.evaluation.pram.expected_gradients import ExpectedGradients
from anonopt.evaluation.pram.matrix_descent import MatrixDescent

PARTS = ("DBIL", "CTBIL", "EBIL", "ID", "DBRL", "PRL")
AIMS = [Aim(0.5, 0.5), Aim(0.9, 0.1), Aim(0.01, 0.01, larger=1.0)]


def columns_of(seed: int, *, missing: bool = False) -> CategoricalColumns:
    """Three columns, one of them ordinal, one of a single category."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "size": rng.choice(list("abcd"), 60, p=[0.5, 0.3, 0.15, 0.05]),
            "colour": rng.choice(list("xyz"), 60),
            "kind": "only",
        }
    )
    if missing:
        frame.loc[::7, "colour"] = None
    return CategoricalColumns.of(frame, ordinal={"size": ["a", "b", "c", "d"]})


def expected(columns: CategoricalColumns) -> ExpectedGradients:
    evaluator = MaskingEvaluator(columns, accelerator="numpy")
    return ExpectedGradients(evaluator.plan)


def random_matrices(columns: CategoricalColumns, rng: np.random.Generator) -> list[np.ndarray]:
    return [rng.dirichlet(np.ones(n), size=n) for n in columns.n_categories]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("missing", [False, True])
def test_a_small_move_changes_a_figure_by_its_slope(part, missing):
    rng = np.random.default_rng(3)
    columns = columns_of(4, missing=missing)
    figures = expected(columns)
    matrices = random_matrices(columns, rng)
    # Rows go on to sum to 1.
    moves = [rng.normal(size=matrix.shape) for matrix in matrices]
    moves = [1e-6 * (move - move.mean(axis=1, keepdims=True)) for move in moves]
    slopes = figures.gradients(matrices, {part: 2.0})
    above, below = (
        getattr(figures.figures([m + sign * d for m, d in zip(matrices, moves, strict=True)]), part)
        for sign in (1, -1)
    )
    change = sum(float((slope * move).sum()) for slope, move in zip(slopes, moves, strict=True))
    assert above - below == pytest.approx(change, rel=1e-5, abs=1e-12)


def test_gradients_of_sums_are_sums_of_gradients():
    columns = columns_of(5)
    figures, matrices = expected(columns), random_matrices(columns, np.random.default_rng(1))
    together = figures.gradients(matrices, dict.fromkeys(PARTS, 0.5))
    apart = [figures.gradients(matrices, {part: 0.5}) for part in PARTS]
    for j, slope in enumerate(together):
        np.testing.assert_allclose(slope, sum(one[j] for one in apart), atol=1e-12)


def test_slopes_are_finite_where_nothing_is_masked():
    columns = columns_of(6)
    slopes = expected(columns).gradients(
        [np.eye(n) for n in columns.n_categories], dict.fromkeys(PARTS, 1.0)
    )
    assert all(np.isfinite(slope).all() for slope in slopes)


@pytest.mark.parametrize("aim", AIMS)
def test_descents_go_down_and_rows_stay_distributions(aim):
    columns = columns_of(7, missing=True)
    figures = expected(columns)
    descent = MatrixDescent(columns, figures)
    matrices = random_matrices(columns, np.random.default_rng(2))
    values = []
    for n_steps in (0, 1, 5, 40):
        moved = descent.moved(matrices, aim, n_steps=n_steps)
        found = figures.figures(moved)
        values.append(aim.of(found.IL, found.DR))
        for matrix in moved:
            assert (matrix >= 0).all()
            np.testing.assert_allclose(matrix.sum(axis=1), 1, atol=1e-12)
    assert values == sorted(values, reverse=True)
    assert values[-1] < 0.8 * values[0]


def test_missing_cells_stay_missing_and_cells_of_zero_stay_zero():
    columns = columns_of(8, missing=True)
    descent = MatrixDescent(columns, expected(columns))
    start = np.array([[0.5, 0.5, 0.0], [0.2, 0.5, 0.3], [0.3, 0.3, 0.4]])
    moved = descent.moved([np.full((4, 4), 0.25), start, [[1.0]]], Aim(0.5, 0.5), n_steps=5)
    assert [matrix.shape for matrix in moved] == [(4, 4), (3, 3), (1, 1)]
    assert moved[1][0, 2] == 0 and not np.array_equal(moved[1], start)


def test_the_slope_of_a_cell_of_zero_does_not_matter():
    matrix, slope = np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[0.0, -1e4], [0.0, 1e4]])
    assert matrix_descent._stepped(matrix, slope).tolist() == [[1.0, 0.0], [1.0, 0.0]]


def test_the_loss_of_an_aim_is_the_one_that_is_asked_for():
    columns = columns_of(9)
    figures = expected(columns)
    start = random_matrices(columns, np.random.default_rng(5))
    moved = MatrixDescent(columns, figures, loss="EBIL").moved(start, Aim(1.0, 0.0), n_steps=60)
    assert figures.figures(moved).EBIL < 0.5 * figures.figures(start).EBIL
