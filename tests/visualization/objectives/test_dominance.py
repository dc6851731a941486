"""The picture of dominance tells what the definition does, for any solution and direction."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pymoo.problems.multi import ZDT1

import anonopt as ao
from anonopt.visualization import plot_dominance
from tests.visualization.objectives.legends import counts_of, points_of

POINTS = pd.DataFrame({"k": [2, 5, 9, 4, 5], "glm": [10.0, 25.0, 80.0, 90.0, 25.0]})


@given(
    values=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=9),
    maximize=st.tuples(st.booleans(), st.booleans()),
    data=st.data(),
)
@settings(max_examples=12)
def test_points_are_what_the_definition_says(values, maximize, data):
    chosen = data.draw(st.integers(0, len(values) - 1))
    frame = pd.DataFrame(values, columns=["one", "other"])
    figure = plot_dominance(frame, maximize=maximize, chosen=chosen)
    expected = {"dominated by it": [], "dominating it": [], "incomparable": [], "equal to it": []}
    signs = [1 if more else -1 for more in maximize]
    mine = [sign * value for sign, value in zip(signs, values[chosen], strict=True)]
    for row, point in enumerate(values):
        theirs = [sign * value for sign, value in zip(signs, point, strict=True)]
        worse = any(a > b for a, b in zip(mine, theirs, strict=True))
        better = any(a < b for a, b in zip(mine, theirs, strict=True))
        if row == chosen:
            continue
        if worse and better:
            name = "incomparable"
        else:
            name = "dominated by it" if worse else "dominating it" if better else "equal to it"
        expected[name].append(point)
    for name, points in expected.items():
        assert sorted(points_of(figure, name)) == sorted(points)
        assert counts_of(figure).get(name, 0) == len(points)
    best = {
        point
        for point in values
        if not any(
            all(s * a >= s * b for s, a, b in zip(signs, other, point, strict=True))
            and other != point
            for other in values
        )
    }
    assert set(points_of(figure, "dominated by none")) == best


def test_regions_reach_from_the_chosen_point_to_the_corners():
    figure = plot_dominance(POINTS, chosen=1)
    (axes,) = figure.axes
    left, right = axes.get_xlim()
    low, high = axes.get_ylim()
    corners = [(patch.get_x(), patch.get_y()) for patch in axes.patches]
    ends = [
        (patch.get_x() + patch.get_width(), patch.get_y() + patch.get_height())
        for patch in axes.patches
    ]
    # More of k is better, and less of the loss.
    np.testing.assert_allclose(corners, [(left, 25.0), (5.0, low)])
    np.testing.assert_allclose(ends, [(5.0, high), (right, 25.0)])


def test_a_result_is_drawn_with_everything_feasible_it_evaluated():
    problem = ao.problems.LatticeProblem(
        ao.load_dataset("german"), ["k", "glm"], constraints={"k": 3}, suppression=0.01
    )
    result = ao.solve(problem, ao.algorithms.RandomSearch(), budget=40, seed=1)
    figure = plot_dominance(result, log_x=True)
    counts = counts_of(figure)
    related = [counts[name] for name in ("dominated by it", "dominating it", "incomparable")]
    assert sum(related) + counts.get("equal to it", 0) + 1 == result.history["feasible"].sum()
    distinct = result.front[["k", "glm"]].drop_duplicates()
    drawn = set(points_of(figure, "dominated by none"))
    assert drawn == set(distinct.itertuples(index=False, name=None))
    same = plot_dominance(problem, F=result.F)
    assert counts_of(same)["dominated by none"] == len(result.F)


def test_a_plain_pymoo_problem_is_minimized():
    F = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    figure = plot_dominance(ZDT1(), F=F, chosen=2)
    assert counts_of(figure)["dominating it"] == 2
    assert figure.axes[0].get_xlabel() == "F1 (less is better)"


def test_one_constant_point_and_hostile_names_are_drawn(tmp_path):
    path = tmp_path / "one.png"
    frame = pd.DataFrame({"$x_1$": [3.0], "<b>": [3.0]})
    figure = plot_dominance(frame, maximize=[True, False], title="<script> " * 30, path=path)
    assert counts_of(figure)["dominated by none"] == 1
    assert path.read_bytes().startswith(b"\x89PNG")


def test_infinite_points_count_but_are_not_drawn():
    frame = POINTS.assign(glm=[10.0, 25.0, np.inf, 90.0, 25.0])
    figure = plot_dominance(frame, chosen=0)
    assert counts_of(figure)["incomparable"] == 4
    assert len(points_of(figure, "incomparable")) == 3


def test_equal_pictures_are_equal_files(tmp_path):
    for name in "ab":
        plot_dominance(POINTS, path=tmp_path / f"{name}.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


@pytest.mark.parametrize(
    ("points", "options", "error", "message"),
    [
        (POINTS.head(0), {}, ValueError, "expected at least one finite"),
        (POINTS, {"chosen": 5}, ValueError, "chosen"),
        (POINTS, {"chosen": 1.5}, TypeError, "chosen"),
        (POINTS, {"x": "l"}, ValueError, "x: "),
        (POINTS[["k"]], {}, ValueError, "at least two objectives, found"),
        (POINTS.assign(k=[np.nan, 1, 1, 1, 1]), {}, ValueError, "'k': expected numbers, found nan"),
        (POINTS.assign(k=0), {"log_x": True}, ValueError, "above 0"),
        (POINTS.rename(columns={"k": "a"}), {}, ValueError, "unknown measure 'a'"),
        (POINTS, {"maximize": [True]}, ValueError, "expected 2 booleans, found 1"),
        (POINTS, {"path": "a.gif"}, ValueError, "png, pdf, svg"),
        (POINTS, {"F": [[1.0, 2.0]]}, TypeError, "found DataFrame with F"),
        (ZDT1(), {}, TypeError, "found ZDT1 without F"),
        (ZDT1(), {"F": [[1.0]]}, ValueError, r"F: expected shape \(n, 2\), found \(1, 1\)"),
        ([1, 2], {}, TypeError, "expected a Result, a DataFrame or a problem, found list"),
        (POINTS.assign(k=np.inf), {}, ValueError, "expected at least one finite"),
        (POINTS.assign(k=[np.inf, 1, 1, 1, 1]), {"chosen": 0}, ValueError, "finite solution"),
    ],
)
def test_wrong_input_is_named(points, options, error, message):
    with pytest.raises(error, match=message):
        plot_dominance(points, **options)
