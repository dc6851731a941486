"""Figures and tables of a run are those of its result."""

from __future__ import annotations

import moocore
import numpy as np
import pytest

import anonopt as ao
from anonopt.visualization.report.runs import run_course, run_facts, run_front
from anonopt.visualization.report.runs.recommendation import knees


def run_of(name, algorithm, budget=60, **options):
    problem = ao.get_problem(name)
    return ao.solve(problem, ao.get_algorithm(algorithm, problem, **options), budget=budget, seed=1)


@pytest.fixture(scope="module")
def two():
    return run_of("german-k-glm", "nsga2", budget=300)


@pytest.fixture(scope="module")
def three():
    return run_of("adult-k-l-glm", "nsga2", budget=120)


def test_points_of_the_front_carry_their_row(two):
    rows, _ = knees(two.F)
    figure = run_front.front_figure(two, rows)
    points, marked, *moved = figure.data
    assert list(points.customdata) == list(range(len(two.front)))
    np.testing.assert_array_equal(points.x, two.front["k"])
    np.testing.assert_array_equal(points.y, two.front["glm"])
    assert list(marked.customdata) == rows
    assert [list(trace.x) for trace in moved] == [[None], [None]]
    assert "more is better" in figure.layout.xaxis.title.text.replace("<br>", " ")


def test_parallel_coordinates_have_the_better_end_at_the_top(three):
    figure = run_front.parallel_figure(three, [0])
    lines = figure.data[:-2]
    assert [line.customdata[0] for line in lines] == list(range(len(three.front)))
    heights = np.array([line.y for line in lines])
    for place, (name, maximize) in enumerate(
        zip(three.problem.objective_names, three.problem.maximize, strict=True)
    ):
        values = three.front[name].to_numpy()
        best = values.max() if maximize else values.min()
        assert (heights[:, place] == 1).tolist() == (values == best).tolist()


def test_every_pair_has_a_panel_of_its_own(three):
    figure = run_front.pairs_figure(three, [0])
    assert len(figure.data) == 12
    np.testing.assert_array_equal(figure.data[4].y, three.front["glm"])


def test_many_lines_are_thinned_with_both_ends():
    F = np.column_stack([np.arange(1000.0), -np.arange(1000.0)])
    rows = run_front.drawn_lines(F)
    assert len(rows) == run_front.MAX_LINES
    assert (rows[0], rows[-1]) == (0, 999)


def test_hypervolume_is_that_of_moocore(two):
    course = run_course.hypervolume_course(two)
    found = run_course.evaluations_of(two)
    front = two.F[np.isfinite(two.F).all(axis=1)]
    extent = np.ptp(front, axis=0)
    point = front.max(axis=0) + 0.1 * extent
    whole = moocore.hypervolume(front, ref=point)
    assert course["hypervolume"].iloc[-1] == pytest.approx(1.0)
    for row in course.iloc[::20].itertuples():
        n = int(row.evaluations)
        part = found.F[:n][found.feasible[:n]]
        expected = moocore.hypervolume(part, ref=point) / whole if len(part) else 0.0
        assert row.hypervolume == pytest.approx(expected)


def test_best_values_never_get_worse_and_end_on_the_front(two):
    best = run_course.best_course(two)
    assert best["glm"].diff().max() <= 0
    assert best["k"].diff().min() >= 0
    assert best["glm"].iloc[-1] == two.front["glm"].min()
    assert best["k"].iloc[-1] == two.front["k"].max()


def test_history_is_thinned_and_says_so(two):
    table, note = run_course.history_table(two)
    assert len(table) <= run_course.MAX_HISTORY < len(two.history)
    assert f"of {len(two.history):,} evaluations" in note
    best = run_course.best_course(two)["glm"]
    first = int(best.idxmin())
    assert str(first + 1) in set(map(str, table["evaluation"]))


def test_short_history_is_whole():
    table, note = run_course.history_table(run_of("german-k-glm", "nsga2", budget=30))
    assert len(table) == 30
    assert note == "All 30 evaluations."


def test_tests_of_nodes_are_those_of_the_trace():
    problem = ao.get_problem("freight-5")
    result = ao.solve(problem, ao.get_algorithm("ola", problem, trace=True), seed=1)
    trace = run_course.trace_of(result)
    table = run_course.tests_table(trace)
    assert table["nodes"].sum() == len(trace)
    figure = run_course.tests_figure(trace)
    ends = {line.name: line.y[-1] for line in figure.data}
    assert ends == trace["event"].value_counts().astype(float).to_dict()
    assert run_course.trace_of(ao.solve(problem, ao.algorithms.OLA(), seed=1)) is None


def test_single_objective():
    result = run_of("freight-5", "ola", budget=None)
    assert run_course.hypervolume_course(result).empty
    assert len(run_course.course_figure(result).data) == 1


def test_population_is_drawn_by_generation(two):
    history = run_course.population_history(run_of("german-k-glm", "pbgea"))
    figure = run_course.population_figure(history)
    assert len(figure.data) == 6
    assert run_course.population_history(run_of("german-k-glm", "random", budget=10)) is None


def test_nothing_feasible():
    problem = ao.problems.LatticeProblem(ao.load_dataset("german"), ["k", "glm"], {"k": 10**6})
    result = ao.solve(problem, ao.algorithms.RandomSearch(), budget=5, seed=1)
    assert run_course.hypervolume_course(result).empty
    assert len(run_course.course_figure(result).data) == 2
    facts = dict(run_facts.run_facts(result).to_numpy())
    assert facts["points found"] == run_facts.NOTHING
    assert "optimality" not in facts


def test_commands_repeat_the_run(two):
    text = run_facts.again(two)
    names = {}
    exec(text, names)
    assert names["result"].front.equals(two.front)


def test_run_of_ones_own_problem_has_no_commands():
    problem = ao.problems.LatticeProblem(ao.load_dataset("german"), ["k", "glm"])
    result = ao.solve(problem, ao.algorithms.PBGEA(), budget=10, seed=1)
    assert run_facts.again(result) == ""
    facts = dict(run_facts.run_facts(result).to_numpy())
    assert facts["problem"] == "LatticeProblem"
    assert facts["algorithm"] == "pbgea"
    assert facts["optimality"] == run_facts.NOT_PROVEN
