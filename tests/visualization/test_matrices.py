"""Pictures of PRAM matrices show the probabilities that are given."""

from __future__ import annotations

import numpy as np
import pytest

from anonopt.data.columns.markov import MarkovMatrix
from anonopt.visualization import plot_matrices

BEFORE = MarkovMatrix.of([[0.5, 0.5], [0.25, 0.75]], labels=["a", "b"])
AFTER = MarkovMatrix.of([[0.1, 0.9], [1.0, 0.0]], labels=["a", "b"])
LARGE = MarkovMatrix.of(
    np.full((16, 16), 1 / 16), labels=[f"category number {i}" for i in range(16)]
)


def test_matrices_of_a_column_stand_beside_each_other():
    figure = plot_matrices({"before": [BEFORE, LARGE], "after": [AFTER, LARGE]}, columns=["x", "y"])
    panels = figure.axes[:4]
    assert [axes.get_title() for axes in panels] == [
        "x, before",
        "x, after",
        "y, before",
        "y, after",
    ]
    for axes, matrix in zip(panels, (BEFORE, AFTER, LARGE, LARGE), strict=True):
        np.testing.assert_array_equal(axes.images[0].get_array(), matrix)
        assert axes.images[0].get_clim() == (0, 1)


def test_small_matrices_have_their_numbers_printed():
    figure = plot_matrices({"before": [BEFORE], "large": [LARGE]}, columns=["x"])
    texts = [[text.get_text() for text in axes.texts] for axes in figure.axes[:2]]
    assert texts == [["0.50", "0.50", "0.25", "0.75"], []]


def test_dollar_signs_of_categories_begin_no_formula(tmp_path):
    matrix = MarkovMatrix.of(np.eye(2), labels=["$0-$10", "$^$"])
    path = tmp_path / "matrix.svg"
    figure = plot_matrices({"$x^$": [matrix]}, columns=["$c_$"], path=path)
    assert path.exists()
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == ["$0-$10", "$^$"]


@pytest.mark.parametrize("ending", ["png", "pdf"])
def test_equal_pictures_are_equal_files(tmp_path, ending):
    contents = []
    for name in ("one", "other"):
        path = tmp_path / f"{name}.{ending}"
        plot_matrices({"before": [BEFORE]}, columns=["x"], title="Matrices", path=path)
        contents.append(path.read_bytes())
    assert contents[0] == contents[1] != b""


@pytest.mark.parametrize(
    ("draw", "found"),
    [
        (lambda: plot_matrices({}, columns=["x"]), "matrices, columns: expected at least one"),
        (lambda: plot_matrices({"a": [BEFORE]}, columns=["x", "y"]), "'a': expected one for each"),
        (
            lambda: plot_matrices({"a": [BEFORE]}, columns=["x"], path="a.bmp"),
            "ending in one of",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, found):
    with pytest.raises(ValueError, match=found):
        draw()
