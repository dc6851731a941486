"""Pictures of fronts show the points that are given, labelled, and are written whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.visualization import plot_front

POINTS = pd.DataFrame({"k": [5, 2, 9], "glm": [25.0, 10.0, 80.0], "l": [1, 2, 2]})


def lines_of(figure) -> dict[str, object]:
    """Drawn lines by the label of their front, without the count of points."""
    (axes,) = figure.axes
    return {line.get_label().rpartition(" (")[0]: line for line in axes.get_lines()}


def test_markers_are_the_points_and_the_legend_counts_them():
    figure = plot_front({"found": POINTS, "none": POINTS.head(0)}, "k", "glm")
    line = lines_of(figure)["found"]
    assert line.get_linestyle() == "None"
    assert sorted(zip(*line.get_data(), strict=True)) == [(2, 10.0), (5, 25.0), (9, 80.0)]
    (legend,) = figure.legends
    texts = [text.get_text() for text in legend.get_texts()]
    assert texts == ["found (3 points)", "none (0 points)"]


@given(
    k=st.lists(st.integers(1, 50), min_size=1, max_size=8, unique=True),
    maximize=st.booleans(),
    data=st.data(),
)
def test_steps_are_the_best_that_meets_the_demand(k, maximize, data):
    # Along a front of two objectives, less of one is paid with more of the other.
    ordered = np.sort(k)
    loss = np.arange(len(k)) if maximize else np.arange(len(k))[::-1]
    front = pd.DataFrame({"x": ordered, "y": loss}).sample(frac=1, random_state=1)
    figure = plot_front({"exact": front}, "x", "y", line="exact", maximize=[maximize, False])
    line = lines_of(figure)["exact"]
    drawn_x, drawn_y = line.get_data()
    side = line.get_drawstyle().removeprefix("steps-")
    demand = data.draw(st.integers(int(ordered[0]), int(ordered[-1])))
    met = front["x"] >= demand if maximize else front["x"] <= demand
    if side == "pre":
        shown = drawn_y[np.searchsorted(drawn_x, demand, side="left")]
    else:
        shown = drawn_y[np.searchsorted(drawn_x, demand, side="right") - 1]
    assert shown == front.loc[met, "y"].min()


def test_axes_of_measures_say_meaning_unit_and_direction():
    figure = plot_front({"found": POINTS}, "k", "glm", log_x=True)
    (axes,) = figure.axes
    assert axes.get_xscale() == "log"
    assert axes.get_yscale() == "linear"
    label = axes.get_xlabel()
    assert label == "k: size of the smallest class that is kept (rows, more is better)"
    assert "cells, less is better" in axes.get_ylabel().replace("\n", " ")


def test_axes_of_other_columns_say_the_direction_given():
    front = POINTS.rename(columns={"glm": "cost"})
    figure = plot_front({"found": front}, "k", "cost", maximize=[True, False])
    assert figure.axes[0].get_ylabel() == "cost (less is better)"


def test_long_titles_stay_inside_the_picture():
    from matplotlib.text import Text

    figure = plot_front({"found": POINTS}, "k", "glm", title="Title\n" + "word " * 60)
    figure.canvas.draw()
    (title,) = figure.findobj(
        lambda artist: isinstance(artist, Text) and artist.get_text().startswith("Title\n")
    )
    box = title.get_window_extent()
    width, height = figure.canvas.get_width_height()
    assert min(box.x0, box.y0) >= 0
    assert box.x1 <= width
    assert box.y1 <= height


@pytest.mark.parametrize(
    ("ending", "start"),
    [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml"), ("PNG", b"\x89PN")],
)
def test_file_is_written_in_the_format_of_its_ending(tmp_path, ending, start):
    paths = [tmp_path / f"{name}.{ending}" for name in "ab"]
    for path in paths:
        plot_front({"found": POINTS}, "k", "glm", line="found", path=path)
    assert paths[0].read_bytes().startswith(start)
    if ending != "svg":  # matplotlib salts the identifiers in it
        assert paths[0].read_bytes() == paths[1].read_bytes()


def test_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "front.png"
    path.write_text("precious", encoding="utf-8")

    def fail(self, target):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(KeyboardInterrupt):
        plot_front({"found": POINTS}, "k", "glm", path=path)
    assert path.read_text(encoding="utf-8") == "precious"
    assert list(tmp_path.iterdir()) == [path]


def test_infinite_points_are_left_out():
    infinite = pd.DataFrame({"recursive_cl": [np.inf, 2.0], "glm": [0.0, 7.0]})
    figure = plot_front({"found": infinite}, "recursive_cl", "glm")
    (points,) = figure.axes[0].lines
    assert points.get_xydata().tolist() == [[2.0, 7.0]]


@pytest.mark.parametrize(
    ("fronts", "options", "message"),
    [
        ({}, {}, "at least one front"),
        ({"a": POINTS[["k"]]}, {}, "column 'glm'"),
        ({"a": POINTS}, {"line": "b"}, r"labels \['a'\], found 'b'"),
        ({"a": POINTS.assign(k=[1, 0, 2])}, {"log_x": True}, "above 0 .* found 0"),
        ({"a": POINTS.assign(glm=[1, -1, 2])}, {"log_y": True}, "'glm'.* found -1"),
        ({"a": POINTS.assign(glm=[1, np.nan, 2])}, {}, "'glm': expected numbers, found nan"),
        ({"a": POINTS}, {"maximize": [True]}, "expected 2 booleans, found 1"),
        ({"a": POINTS}, {"path": "front.gif"}, "png, pdf, svg, found 'front.gif'"),
        ({str(n): POINTS for n in range(7)}, {}, "at most 6 markers, found 7"),
    ],
)
def test_wrong_input_is_named(tmp_path, monkeypatch, fronts, options, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=message):
        plot_front(fronts, "k", "glm", **options)
    assert list(tmp_path.iterdir()) == []


def test_directions_of_unknown_columns_must_be_given():
    with pytest.raises(ValueError, match="unknown measure 'cost'"):
        plot_front({"a": POINTS.rename(columns={"glm": "cost"})}, "k", "cost")


def test_import_loads_no_matplotlib_and_drawing_no_pyplot(tmp_path):
    code = f"""
import sys
import pandas as pd
import anonopt.visualization
print("matplotlib" in sys.modules)
front = pd.DataFrame({{"k": [1], "glm": [0.0]}})
anonopt.visualization.plot_front({{"a": front}}, "k", "glm", path={str(tmp_path / "a.png")!r})
print("matplotlib.pyplot" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
