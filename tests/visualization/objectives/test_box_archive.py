"""The picture of a box archive shows its members, and as dominated what its boxes keep out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pymoo.core.population import Population

import anonopt as ao
from anonopt.measures.fronts.boxes import box_corners, boxes, dominates
from anonopt.operators.archives import BoxArchive, ParetoArchive
from anonopt.visualization import plot_box_archive
from tests.visualization.objectives.legends import counts_of, points_of


def archive_of(values, eps, maximize) -> BoxArchive:
    natural = np.asarray(values, dtype=float)
    F = np.where(maximize, -natural, natural)
    population = Population.new("X", np.arange(len(F))[:, None], "F", F)
    return BoxArchive(eps, list(maximize)).add(population)


def is_inside(point, patch) -> bool:
    x, y, width, height = patch.get_x(), patch.get_y(), patch.get_width(), patch.get_height()
    return x <= point[0] <= x + width and y <= point[1] <= y + height


grids = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=10)


@given(values=grids, eps=st.sampled_from([1, 2, 3]), up=st.tuples(st.booleans(), st.booleans()))
@settings(max_examples=10)
def test_shaded_is_what_held_boxes_dominate(values, eps, up):
    archive = archive_of(values, eps, np.array(up))
    frame = pd.DataFrame(values, columns=["a", "b"])
    figure = plot_box_archive(archive, "a", "b", points=frame)
    F = archive.population().get("F")
    members = np.where(up, -F, F)
    held = boxes(members, eps, list(up))
    (axes,) = figure.axes
    below = [patch for patch in axes.patches if patch.get_gid() == "below"]
    own = [patch for patch in axes.patches if patch.get_gid() == "held"]
    assert len(own) == len(members)
    # The middle of every box that is in sight.
    for point in np.ndindex(*(-(-10 // eps),) * 2):
        middle = (np.array(point) + 0.5) * eps
        box = boxes(middle, eps, list(up))
        limits = (axes.get_xlim(), axes.get_ylim())
        if not all(low < place < high for (low, high), place in zip(limits, middle, strict=True)):
            continue
        is_held = bool((box == held).all(axis=1).any())
        assert any(is_inside(middle, patch) for patch in own) == is_held
        shaded = any(is_inside(middle, patch) for patch in below) and not is_held
        assert shaded == bool(dominates(held, box).any())
    counts = counts_of(figure)
    assert counts["member"] == len(members)
    others = [point for point in values if list(point) not in members.tolist()]
    in_held = [p for p in others if (boxes(p, eps, list(up)) == held).all(axis=1).any()]
    assert counts["in the box of a member"] == len(in_held)
    assert counts["in a dominated box"] == len(others) - len(in_held)
    assert "elsewhere" not in counts


@given(values=grids, eps=st.floats(0.1, 3), up=st.tuples(st.booleans(), st.booleans()))
def test_a_point_lies_between_the_corners_of_its_box(values, eps, up):
    points = np.array(values, dtype=float)
    low, high = box_corners(boxes(points, eps, list(up)), eps, list(up))
    assert np.all(low <= points + 1e-9)
    assert np.all(points < high + 1e-9)
    np.testing.assert_allclose(high - low, eps)


def test_the_archive_of_a_result_is_drawn_with_what_was_offered():
    problem = ao.get_problem("german-k-glm")
    result = ao.solve(
        problem, ao.algorithms.PBGEA(eps=[25, 500], n_generations=8), budget=60, seed=1
    )
    figure = plot_box_archive(result)
    counts = counts_of(figure)
    assert counts["member"] == len(result.algorithm.archive)
    drawn = sorted(points_of(figure, "member"))
    natural = problem.natural(result.algorithm.archive.population().get("F"))
    assert drawn == sorted(map(tuple, natural.tolist()))
    given = ao.solve(
        problem,
        ao.algorithms.RandomSearch(),
        budget=30,
        seed=1,
        archive=BoxArchive([25, 500], problem.maximize),
    )
    assert counts_of(plot_box_archive(given))["member"] == len(given.archive)


def test_fine_boxes_have_no_borders_and_infinite_points_are_counted(tmp_path):
    archive = archive_of([[3.0, np.inf], [2.0, 5000.0]], [1, 1], np.array([True, False]))
    path = tmp_path / "a.png"
    offered = pd.DataFrame({"$k$": [1.0, 3.0], "<b>": [5001.0, np.inf]})
    figure = plot_box_archive(archive, "$k$", "<b>", points=offered, path=path)
    assert counts_of(figure)["member"] == 2
    assert len(points_of(figure, "member")) == 1
    again = tmp_path / "b.png"
    plot_box_archive(archive, "$k$", "<b>", points=offered, path=again)
    assert path.read_bytes() == again.read_bytes()


def test_points_of_another_archive_lie_elsewhere():
    archive = archive_of([[5, 5]], 1, np.array([False, False]))
    figure = plot_box_archive(archive, "a", "b", points=pd.DataFrame({"a": [1.0], "b": [1.0]}))
    assert counts_of(figure)["elsewhere"] == 1


ONE = archive_of([[5, 5]], 1, np.array([False, False]))


@pytest.mark.parametrize(
    ("archive", "names", "options", "error", "message"),
    [
        (BoxArchive(1, [True, False]), ("a", "b"), {}, ValueError, "at least one member"),
        (BoxArchive(1, [True]), ("a", "b"), {}, ValueError, "two objectives, found 1"),
        (ONE, ("a",), {}, ValueError, r"names of both objectives, found \['a'\]"),
        (ParetoArchive(), ("a", "b"), {}, TypeError, "found ParetoArchive"),
        (ONE, ("a", "b"), {"points": pd.DataFrame({"a": [1]})}, ValueError, "column 'b'"),
        (ONE, ("a", "b"), {"path": "a.gif"}, ValueError, "png, pdf, svg"),
    ],
)
def test_wrong_input_is_named(archive, names, options, error, message):
    with pytest.raises(error, match=message):
        plot_box_archive(archive, *names, **options)


def test_a_run_without_boxes_is_refused():
    problem = ao.get_problem("german-k-glm")
    result = ao.solve(problem, ao.algorithms.RandomSearch(), budget=5, seed=1)
    with pytest.raises(ValueError, match="expected a run with a box archive, found NoneType"):
        plot_box_archive(result)
