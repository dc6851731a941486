"""Pictures of experiments hold what the tables say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from anonopt.experiments.performance.curves import curve_frame
from anonopt.experiments.performance.profiles import ecdf_frame, profile_frame
from anonopt.experiments.performance.references import reference_of
from anonopt.experiments.tables.samples import samples
from anonopt.visualization import comparison
from anonopt.visualization.comparison import styles
from anonopt.visualization.comparison.differences import undecided
from tests.experiments.stores_of_tests import HeldRuns, Written

NAMES = ("first", "second", "third")
FRONT = reference_of(np.array([[0.0, 4.0], [1.0, 2.0], [3.0, 0.0]]), "hand")


def held(problems=("p", "q"), extra=()):
    rng = np.random.default_rng(3)
    runs = [
        Written(problem, name, seed, (rng.random((30, 2)) * 4 + place).round(1))
        for problem in problems
        for place, name in enumerate(NAMES)
        for seed in range(4)
    ]
    return HeldRuns([*runs, *extra], references=dict.fromkeys(problems, FRONT))


ALL = {
    "curves": lambda runs, **options: comparison.plot_curves(runs, **options),
    "ecdf": lambda runs, **options: comparison.plot_ecdf(runs, **options),
    "profiles": lambda runs, **options: comparison.plot_performance_profiles(runs, **options),
    "boxes": lambda runs, **options: comparison.plot_boxes(runs, **options),
    "rainclouds": lambda runs, **options: comparison.plot_rainclouds(runs, **options),
    "differences": lambda runs, **options: comparison.plot_critical_differences(runs, **options),
    "attainment": lambda runs, **options: comparison.plot_attainment(runs, "p", **options),
    "attained": lambda runs, **options: comparison.plot_attainment_difference(
        runs, "p", "first", "third", **options
    ),
    "parallel": lambda runs, **options: comparison.plot_parallel_coordinates(runs, "p", **options),
}


@pytest.mark.parametrize("name", ALL)
def test_each_is_one_call_and_writes_its_file(name, tmp_path):
    path = tmp_path / "x.svg"
    figure = ALL[name](held(), path=path, title="a title")
    assert path.stat().st_size > 1000 and b"a title" in path.read_bytes()
    assert figure.axes
    with pytest.raises(ValueError, match=r"path: expected a file ending in one of png, pdf, svg"):
        ALL[name](held(), path="x.gif")


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_cut_with_many_algorithms_of_long_names(name):
    long = [f"{i} of the algorithms with a rather long name" for i in range(12)]
    rng = np.random.default_rng(3)
    runs = HeldRuns(
        [
            Written(problem, algorithm, seed, (rng.random((9, 2)) * 4 + place).round(1))
            for problem in ("p", "q")
            for place, algorithm in enumerate([*NAMES, *long])
            for seed in range(2)
        ],
        references={"p": FRONT, "q": FRONT},
    )
    figure = ALL[name](runs)
    figure.canvas.draw()
    drawn = figure.get_tightbbox()
    width, height = figure.get_size_inches()
    assert min(drawn.x0, drawn.y0) >= -0.02
    assert drawn.x1 <= width + 0.02 and drawn.y1 <= height + 0.02
    # Nor are panels pressed flat by names and legends.
    for axes in figure.axes:
        box = axes.get_window_extent()
        assert min(box.width, box.height) / figure.dpi > 1.2


def test_curves_are_medians_with_bands():
    runs = held()
    figure = comparison.plot_curves(runs, "epsilon", problems=["q"], log_x=False)
    (axes,) = figure.axes
    table = curve_frame(runs, "epsilon")
    for line, name in zip(axes.lines, NAMES, strict=True):
        rows = table[(table["problem"] == "q") & (table["algorithm"] == name)]
        np.testing.assert_array_equal(line.get_xdata(), rows["evaluations"])
        np.testing.assert_array_equal(line.get_ydata(), rows["median"])
        assert line.get_label() == name
    assert len(axes.collections) == 3
    with pytest.raises(ValueError, match="unknown problem 'r'"):
        comparison.plot_curves(runs, problems=["r"])


def test_curves_tell_where_nothing_feasible_is_known():
    nothing = [
        Written("none", name, seed, [[1.0, 1.0]], [False]) for name in NAMES for seed in (0, 1)
    ]
    figure = comparison.plot_curves(held(extra=nothing))
    texts = [[text.get_text() for text in axes.texts] for axes in figure.axes]
    assert ["nothing feasible was found"] in texts and [] in texts
    figure.canvas.draw()


def test_curves_have_gaps_where_nothing_is_found():
    runs = HeldRuns(
        [Written("p", "a", 0, [[1.0, 1.0]] * 4, [False, False, True, True])],
        references={"p": FRONT},
    )
    (axes,) = comparison.plot_curves(runs, "igd_plus", budgets=[1, 2, 3, 4]).axes
    assert np.isnan(axes.lines[0].get_ydata()).tolist() == [True, True, False, False]


@pytest.mark.parametrize(
    ("name", "frame", "x"),
    [("ecdf", ecdf_frame, "evaluations"), ("profiles", profile_frame, "factor")],
)
def test_stairs_are_the_shares(name, frame, x):
    runs = held()
    axes = ALL[name](runs).axes[0]
    table = frame(runs)
    lines = {line.get_label(): line for line in axes.lines}
    for algorithm in NAMES:
        rows = table[table["algorithm"] == algorithm]
        np.testing.assert_array_equal(lines[algorithm].get_xdata()[1:], rows[x])
        np.testing.assert_array_equal(lines[algorithm].get_ydata()[1:], rows["share"])
        assert lines[algorithm].get_drawstyle() == "steps-post"


def test_boxes_tell_what_is_infinite():
    failed = Written("p", "second", 9, [], status="failed")
    axes = comparison.plot_boxes(held(extra=(failed,)), "igd_plus").axes[0]
    assert [text.get_text() for text in axes.get_yticklabels()] == [
        "first",
        "second (1 infinite)",
        "third",
    ]


def test_names_stand_beside_the_first_panel_alone_and_tell_who_has_no_run():
    left_out = HeldRuns(
        [Written("p", "a", 0, [[1.0, 1.0]]), Written("q", "b", 0, [[1.0, 1.0]])],
        references={"p": FRONT, "q": FRONT},
    )
    labels = [
        [text.get_text() for text in axes.get_yticklabels()]
        for axes in comparison.plot_boxes(left_out).axes
    ]
    assert labels == [["a", "b (no run)"], ["(no run)", ""]]


def test_profiles_begin_at_factor_1_also_if_all_are_as_fast():
    runs = HeldRuns(
        [Written("p", name, 0, [[1.0, 1.0]]) for name in NAMES], references={"p": FRONT}
    )
    low, high = comparison.plot_performance_profiles(runs).axes[0].get_xlim()
    assert 0.9 < low < 1 and high == 2


@pytest.mark.parametrize("name", ["ecdf", "profiles"])
def test_number_of_common_problems_is_told_if_it_is_not_all(name):
    assert "problems" not in ALL["ecdf"](held()).axes[0].get_ylabel()
    runs = held(extra=(Written("r", "first", 0, [[1.0, 1.0]]),))
    assert ALL[name](runs).axes[0].get_ylabel().endswith(", 2 of 3 problems")


def test_rainclouds_have_every_value():
    runs = held(problems=("p",))
    (axes,) = comparison.plot_rainclouds(runs, "epsilon").axes
    drops = [
        line for line in axes.lines if line.get_linestyle() == "None" and len(line.get_xdata())
    ]
    expected = runs_values(runs)
    assert [sorted(line.get_xdata()) for line in drops] == [sorted(expected[n]) for n in NAMES]


def runs_values(runs):
    return {name: samples(runs, "epsilon").of("p", name).tolist() for name in NAMES}


def test_critical_differences_join_what_is_not_told_apart():
    figure = comparison.plot_critical_differences(held(), "epsilon")
    texts = [text.get_text().strip() for text in figure.axes[0].texts]
    # Two problems, three algorithms: 2.343701 by the studentized range.
    assert "critical difference 2.34 (level 0.05)" in texts
    assert "first (1.00)" in texts
    assert undecided([1.0, 2.0, 4.0], 1.0) == []
    assert undecided([1.0, 1.9, 2.8, 2.85], 1.0) == [(0, 1), (1, 3)]
    with pytest.raises(ValueError, match="problems: expected at least 2 to rank on, found 1"):
        comparison.plot_critical_differences(held(problems=("p",)))


def test_surfaces_are_stairs_through_their_corners():
    runs = HeldRuns([Written("p", "a", 0, [[1.0, 3.0], [2.0, 1.0]])], references={"p": FRONT})
    (axes,) = comparison.plot_attainment(runs, "p", percentiles=[100]).axes
    (line,) = [line for line in axes.lines if str(line.get_label()).startswith("reached")]
    right, top = axes.get_xlim()[1], axes.get_ylim()[1]
    assert line.get_xdata().tolist() == [1, 1, 2, 2, right]
    assert line.get_ydata().tolist() == [top, 3, 3, 1, 1]
    with pytest.raises(ValueError, match="percentiles: expected at most 5, found 6"):
        comparison.plot_attainment(runs, "p", percentiles=range(1, 7))


def test_surfaces_of_a_maximized_objective_end_at_its_worst():
    runs = HeldRuns(
        [Written("p", "a", 0, [[-8.0, 1.0]])],
        maximize=[True, False],
        references={"p": reference_of(np.array([[-8.0, 1.0], [-2.0, 0.5]]), "hand")},
    )
    (axes,) = comparison.plot_attainment(runs, "p", percentiles=[100], log_x=True).axes
    (line,) = [line for line in axes.lines if str(line.get_label()).startswith("reached")]
    left, top = axes.get_xlim()[0], axes.get_ylim()[1]
    assert line.get_xdata().tolist() == [8, 8, left] and line.get_ydata().tolist() == [top, 1, 1]
    assert left == pytest.approx(2 / 1.1)
    with pytest.raises(ValueError, match="log_x: expected values above 0 of the first objective"):
        comparison.plot_attainment(HeldRuns([Written("p", "a", 0, [[-1.0, 1.0]])]), "p", log_x=True)


def test_differences_are_on_the_side_of_who_is_ahead():
    runs = HeldRuns(
        [Written("p", "a", 0, [[1.0, 1.0]]), Written("p", "b", 0, [[2.0, 2.0]])],
        references={"p": FRONT},
    )
    left, right = comparison.plot_attainment_difference(runs, "p", "a", "b").axes
    assert [len(axes.collections[0].get_paths()) > 0 for axes in (left, right)] == [True, False]
    assert [[text.get_text() for text in axes.texts] for axes in (left, right)] == [[], ["nowhere"]]


def test_parallel_coordinates_of_three_objectives():
    runs = HeldRuns(
        [Written("p", "a", 0, [[0.0, 5.0, -2.0], [1.0, 4.0, -3.0]])],
        objectives=["x", "y", "z"],
        maximize=[False, False, True],
        references={"p": reference_of(np.array([[0.0, 4.0, -3.0]]), "hand")},
    )
    (axes,) = comparison.plot_parallel_coordinates(runs, "p").axes
    # Best at the top, in natural units.
    assert [text.get_text() for text in axes.texts] == ["0", "1", "4", "5", "3", "2"]
    assert len(axes.collections[1].get_segments()) == 2
    (legend,) = axes.figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["reference: hand"]
    with pytest.raises(ValueError, match="unknown problem 'o'; known ones: p, q"):
        comparison.plot_parallel_coordinates(held(), "o")
    single = HeldRuns([Written("p", "a", 0, [[1.0]])], objectives=["x"])
    with pytest.raises(ValueError, match="problem 'p': expected 2 objectives or more, found 1"):
        comparison.plot_parallel_coordinates(single, "p")
    with pytest.raises(ValueError, match="problem 'p': expected 2 objectives, found 1"):
        comparison.plot_attainment(single, "p")


def test_many_algorithms_are_told_apart_without_colour():
    shown = [styles.line_style(index) for index in range(30)]
    assert len({(style["linestyle"], style["marker"]) for style in shown}) == 30
    assert len({style["color"] for style in shown[:8]}) == 8
    assert math.lcm(len(styles.LINES), len(styles.MARKERS)) == 35


@pytest.mark.parametrize("name", ["attainment", "parallel"])
def test_algorithms_without_a_run_are_not_drawn(name):
    failed = Written("p", "fourth", 0, [], status="failed")
    assert [axes.get_title(loc="left") for axes in ALL[name](held(extra=(failed,))).axes] == [
        *NAMES
    ]
    with pytest.raises(ValueError, match="expected runs of 'fourth' on 'p' that ended well"):
        ALL[name](held(extra=(failed,)), algorithms=["fourth"])


def test_boxes_have_quartiles_whiskers_and_the_rest():
    values = [0.0, 1.0, 2.0, 3.0, 4.0, 20.0]
    runs = HeldRuns(
        [Written("p", "a", seed, [[value]]) for seed, value in enumerate(values)],
        objectives=["x"],
        references={"p": reference_of(np.array([[0.0]]), "hand")},
    )
    (axes,) = comparison.plot_boxes(runs, "epsilon").axes
    (box,) = axes.patches
    low, median, high = np.quantile(values, [0.25, 0.5, 0.75])
    assert (box.get_x(), box.get_width()) == pytest.approx((low, high - low))
    flat = [list(map(float, line.get_xdata())) for line in axes.lines]
    assert flat == [[low, 0], [0, 0], [high, 4], [4, 4], [median] * 2, [20]]
