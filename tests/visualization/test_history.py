"""How a population went, as a picture."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import anonopt as ao
from anonopt.visualization import plot_history

HISTORY = pd.DataFrame(
    {
        "n_generations": range(5),
        **{
            f"{name}_{summary}": np.linspace(high, high - 3, 5)
            for name in ("score_max", "k", "own")
            for summary, high in (("min", 30), ("mean", 40), ("max", 60))
        },
    }
)


def test_each_figure_has_a_panel_with_its_unit():
    figure = plot_history(HISTORY, title="a title")
    assert [axes.get_ylabel() for axes in figure.axes] == ["score_max (%)", "k (rows)", "own"]
    assert figure.axes[0].get_title(loc="left") == "a title"
    for line, summary in zip(figure.axes[1].lines, ("max", "mean", "min"), strict=True):
        assert line.get_label() == f"{summary} of the population"
        np.testing.assert_array_equal(line.get_ydata(), HISTORY[f"k_{summary}"])
        np.testing.assert_array_equal(line.get_xdata(), HISTORY["n_generations"])


def test_generations_may_be_the_index():
    lines = plot_history(HISTORY.set_index("n_generations")[2:]).axes[0].lines
    np.testing.assert_array_equal(lines[0].get_xdata(), [2, 3, 4])


def test_figures_can_be_chosen():
    figure = plot_history(HISTORY, names=["own", "k"])
    assert [axes.get_ylabel() for axes in figure.axes] == ["own", "k (rows)"]
    with pytest.raises(ValueError, match="names: expected one of 'score_max', 'k', 'own', found"):
        plot_history(HISTORY, names=["l"])


def test_what_is_not_known_leaves_a_gap():
    figure = plot_history(HISTORY.assign(k_max=np.nan))
    assert np.isnan(figure.axes[1].lines[0].get_ydata()).all()


@pytest.mark.parametrize("ending", ["png", "pdf"])
def test_equal_pictures_are_equal_files(ending, tmp_path):
    paths = [tmp_path / f"{name}.{ending}" for name in ("one", "two")]
    for path in paths:
        plot_history(HISTORY, path=path)
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize(
    ("history", "message"),
    [
        (HISTORY[:0], "at least one generation"),
        (HISTORY[["k_min", "k_max"]], "columns such as 'IL_min'"),
        (HISTORY.assign(k_mean=np.inf), "history, column 'k_mean': expected finite values, found"),
    ],
)
def test_what_cannot_be_drawn_is_refused(history, message):
    with pytest.raises(ValueError, match=message):
        plot_history(history)


def test_ending_is_checked_before_anything_is_drawn(tmp_path):
    with pytest.raises(ValueError, match="ending in one of"):
        plot_history(HISTORY[:0], path=tmp_path / "history.gif")


@pytest.mark.parametrize(
    ("problem", "algorithm", "shown"),
    [
        ("german-k-glm", "pbgea", ["k (rows)", "glm (cells)"]),
        ("german-pram", "pramea", ["score_mean (%)", "DR (%)", "IL (%)"]),
    ],
)
def test_population_searches_are_drawn(problem, algorithm, shown):
    options = {"objectives": ["score_mean"], "expected": True} if problem == "german-pram" else {}
    task = ao.get_problem(problem, **options)
    result = ao.solve(task, ao.get_algorithm(algorithm, task), termination=("n_gen", 4), seed=1)
    figure = plot_history(result.algorithm.history())
    assert [axes.get_ylabel() for axes in figure.axes] == shown
