"""Pictures of figures over the level of anonymity."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonopt.visualization import Panel, mean_curves, plot_levels

CURVES = pd.DataFrame({"IL": [0.2, 0.3, 0.35], "DR": [0.4, 0.1, 0.0]}, index=[2, 3, 20])


def test_every_curve_is_drawn_as_it_is():
    figure = plot_levels([Panel("a", CURVES, "loss", "rises"), Panel("b", CURVES[["DR"]], "risk")])
    first, second = figure.axes
    assert [line.get_label() for line in first.lines] == ["IL", "DR"]
    for line, (_, curve) in zip(first.lines, CURVES.items(), strict=True):
        np.testing.assert_array_equal(line.get_xdata(), CURVES.index)
        np.testing.assert_array_equal(line.get_ydata(), curve)
    assert first.get_xlabel().endswith("\nrises")
    assert second.get_ylabel() == "risk"
    assert first.get_ylim() == second.get_ylim()
    assert first.get_ylim()[0] == 0


def test_odd_panels_leave_a_place_empty():
    figure = plot_levels([Panel(str(i), CURVES, "y") for i in range(3)])
    assert [axes.get_visible() for axes in figure.axes] == [True, True, True, False]


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_equal_pictures_are_equal_files(ending, tmp_path):
    contents = []
    for name in ("one", "two"):
        path = tmp_path / f"{name}.{ending}"
        plot_levels([Panel("a", CURVES, "y")], n_columns=1, title="t", path=path)
        contents.append(path.read_bytes())
    assert len(contents[0]) > 1000
    if ending != "svg":
        assert contents[0] == contents[1]


def test_means_of_runs():
    runs = {3: pd.DataFrame({"IL": [0.2, 0.4]}), 2: pd.DataFrame({"IL": [0.1, 0.1]})}
    curves = mean_curves(runs)
    assert curves.index.tolist() == [2, 3]
    assert curves["IL"].tolist() == pytest.approx([0.1, 0.3])


@pytest.mark.parametrize(
    ("panels", "message"),
    [
        ([], "at least one, found none"),
        ([Panel("a", CURVES.iloc[:0], "y")], "panel 'a': .* found 2 curves and 0 levels"),
        ([Panel("a", pd.DataFrame(np.ones((1, 7))), "y")], "found 7 curves and 1 levels"),
        (
            [Panel("a", CURVES.assign(DR=[0.1, np.nan, 0]), "y")],
            "panel 'a', curve 'DR', k = 3: expected a finite value, found nan",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(panels, message):
    with pytest.raises(ValueError, match=message):
        plot_levels(panels)


def test_other_endings_are_refused(tmp_path):
    with pytest.raises(ValueError, match="ending in one of"):
        plot_levels([Panel("a", CURVES, "y")], path=tmp_path / "a.gif")


def test_a_figure_that_a_run_misses_is_missing():
    curves = mean_curves({2: pd.DataFrame({"IL": [0.1, np.nan]})})
    with pytest.raises(ValueError, match="curve 'IL', k = 2: expected a finite value"):
        plot_levels([Panel("a", curves, "y")])


def test_panels_need_a_column():
    with pytest.raises(ValueError, match=r"n_columns: .* at least 1, found 0"):
        plot_levels([Panel("a", CURVES, "y")], n_columns=0)
