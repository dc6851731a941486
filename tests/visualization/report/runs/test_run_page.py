"""The page of a run: what is on it, what it discloses, and that it is small."""

from __future__ import annotations

import base64
import gzip
import json
import re

import numpy as np
import pytest

import anonopt as ao
from anonopt.problems import AnonymizationProblem, LatticeProblem
from anonopt.problems.spaces import Levels
from anonopt.visualization.report.page import page_html
from anonopt.visualization.report.runs.run_facts import run_facts
from anonopt.visualization.report.runs.run_page import run_page, saved_run_page
from anonopt.visualization.report.runs.run_solutions import (
    RECORDS_WARNING,
    STATISTICS_WARNING,
    default_sample_rows,
    order_of_importance,
    packed_size,
)
from anonopt.visualization.report.solutions.detail import RECORDS
from tests.visualization.report.hostile_problems import (
    KINDS,
    lattice_problem,
    solutions,
    wide_problem,
)

TEN_MEGABYTES = 10_000_000


def run_of(problem, budget=30):
    if isinstance(problem, str):
        problem = ao.get_problem(problem)
    return ao.solve(problem, ao.get_algorithm("random", problem), budget=budget, seed=1)


def opened_parts(html):
    packed = re.search(r'id="solutions">([^<]*)<', html)[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def headings(page):
    return [section.title for section in page.sections]


def test_page_holds_every_solution_of_the_front():
    result = run_of("german-k-glm")
    html = page_html(run_page(result))
    parts = opened_parts(html)
    assert list(parts) == [str(row) for row in range(len(result.front))]
    assert len(html) < 5_300_000
    for row, (title, part) in parts.items():
        assert title == f"Solution {row}: generalized table"
        assert f"{int(result.front['k'].iloc[int(row)]):,}" in part


def test_equal_results_have_equal_pages():
    result = run_of("german-k-glm")
    first, second = (page_html(run_page(result)) for _ in range(2))
    assert first == second
    # Of another run of the same seed, only the seconds differ.
    again = run_page(run_of("german-k-glm"))
    assert opened_parts(page_html(again)) == opened_parts(first)


@pytest.fixture(scope="module")
def problems():
    return {kind: problem for kind, (problem, _) in solutions().items()}


def test_no_kind_of_problem_is_forgotten(problems):
    assert tuple(problems) == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_problem_has_a_page_without_markup_of_its_data(kind, problems):
    problem = problems[kind]
    result = run_of(problem, budget=6)
    html = page_html(run_page(result, sample_rows=3))
    shown = [html, *(part for _, part in opened_parts(html).values())]
    for text in shown:
        assert "<script>alert" not in text and "<b>x</b>" not in text and "<u>" not in text
    assert any("&lt;script&gt;alert" in part for part in shown[1:])


def test_records_of_ones_own_table_are_not_shown_unless_asked_for():
    own = lattice_problem(suppression=0)
    closed = run_page(run_of(own))
    assert closed.warning == STATISTICS_WARNING
    tables = [
        panel.tables
        for solution in closed.solutions
        for panel in solution.panels
        if panel.title == RECORDS
    ]
    assert tables and not any(tables)
    assert run_page(run_of(own), sample_rows=1).warning == RECORDS_WARNING
    assert default_sample_rows(own) == 0
    assert default_sample_rows(ao.get_problem("german-k-glm")) == 12


def test_registered_problem_may_be_of_a_table_that_is_not_public(monkeypatch):
    ao.register("problems", "own-for-report", lambda **options: lattice_problem(**options))
    try:
        assert default_sample_rows(ao.get_problem("own-for-report")) == 0
    finally:
        ao.problems.PROBLEMS._entries.pop("own-for-report", None)


class Heights(AnonymizationProblem):
    def _values(self, X):
        return X.sum(axis=1, keepdims=True), None


def test_size_of_a_space_may_be_beyond_what_python_writes():
    names = [f"c{number}" for number in range(5000)]
    space = Levels(names, upper=[9] * len(names))
    problem = Heights(space=space, objective_names=["level"], maximize=[False])
    result = ao.solve(problem, ao.algorithms.ga(problem, pop_size=4), budget=4, seed=1)
    facts = run_facts(result).set_index("what")["value"]
    assert facts["solutions"] == "5,000 genes of levels, about 10^5000 in all"


def test_nothing_feasible_shows_the_least_infeasible():
    problem = lattice_problem(constraints={"k": 10**6})
    result = run_of(problem)
    page = run_page(result, sample_rows=5)
    assert headings(page) == ["The run", "Nothing feasible was found", "Course of the search"]
    (least,) = page.solutions
    assert least.facts["violation"] == f"{result.least_infeasible['violation'].iloc[0]:g}"
    assert "misses k" in least.panels[-1].summary
    assert page.warning == STATISTICS_WARNING
    assert "Nothing feasible" in page.lead
    assert "violation" in page_html(page)


def test_single_objective_has_no_weights():
    page = run_page(run_of("freight-5", budget=2000))
    (front,) = [section for section in page.sections if section.title == "Front"]
    (panel,) = front.panels
    assert (panel.title, panel.weights, panel.drawings) == ("Best solutions", None, ())


def test_front_of_one_row():
    problem = lattice_problem(1)
    result = run_of(problem)
    assert len(result.front) == 1
    page_html(run_page(result, sample_rows=5))


def test_solutions_beyond_the_size_are_left_out_and_it_is_said():
    result = run_of("german-k-glm", budget=200)
    whole = run_page(result)
    size = packed_size(whole.solutions[0])
    part = run_page(result, size_budget=4 * size)
    assert 1 <= len(part.solutions) < len(whole.solutions)
    front = next(section for section in part.sections if section.title == "Front")
    assert f"{len(part.solutions)} of {len(result.front)} solutions" in front.panels[0].notes[0]
    opens = front.panels[0].tables[0].opens
    assert [key for key in opens if key is not None] == [one.key for one in part.solutions]
    assert len(run_page(result, size_budget=0).solutions) == 1


def test_seventy_quasi_identifiers_and_two_hundred_points_fit():
    problem = wide_problem(n_rows=60)
    front = np.array([[level] * 70 for level in (0, 1, 2)])
    result = run_of(problem, budget=5)
    page = run_page(result, sample_rows=12)
    size = packed_size(page.solutions[0])
    assert 200 * size * 4 / 3 + 5_000_000 < TEN_MEGABYTES
    assert len(front) == 3


def test_wrapper_of_pymoo():
    from pymoo.constraints.as_penalty import ConstraintsAsPenalty

    problem = ConstraintsAsPenalty(lattice_problem(objectives=["glm"], constraints={"k": 2}))
    result = run_of(problem)
    assert result.success
    assert run_page(result).solutions[0].title.endswith("generalized table")


def test_saved_run_has_the_page_of_its_result(tmp_path):
    result = run_of("german-masking", budget=10)
    ao.save_run(result, tmp_path / "run.npz")
    saved, known = saved_run_page(tmp_path / "run.npz"), run_page(result)
    assert (saved.title, saved.lead) == (known.title, known.lead)
    assert [one.key for one in saved.solutions] == [one.key for one in known.solutions]


def test_saved_run_of_ones_own_problem_names_what_is_missing(tmp_path):
    problem = lattice_problem()
    result = run_of(problem)
    ao.save_run(result, tmp_path / "run.npz")
    with pytest.raises(ValueError, match="expected problem="):
        saved_run_page(tmp_path / "run.npz")
    assert saved_run_page(tmp_path / "run.npz", problem=problem).solutions


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"sample_rows": -1}, "sample_rows: expected"),
        ({"random_state": -1}, "random_state: expected"),
        ({"size_budget": -1}, "size_budget: expected"),
    ],
)
def test_options_out_of_range_are_refused(options, error):
    with pytest.raises(ValueError, match=error):
        run_page(run_of("german-k-glm", budget=3), **options)


def test_what_is_no_result_is_refused():
    with pytest.raises(TypeError, match="expected a Result"):
        run_page("run.npz")


def test_order_of_importance_begins_with_knees_and_best_values():
    F = np.array([[0.0, 9], [1, 7], [4, 4], [6, 3], [9, 0]])
    assert order_of_importance(F, [2]).tolist()[:3] == [2, 0, 4]
    assert sorted(order_of_importance(F, []).tolist()) == [0, 1, 2, 3, 4]
    assert order_of_importance(np.array([[1.0]]), [0]).tolist() == [0]


def test_lattice_problem_stays_as_it_was():
    problem = lattice_problem()
    before = problem.fingerprint
    run_page(run_of(problem), sample_rows=2)
    assert problem.fingerprint == before
    assert isinstance(problem, LatticeProblem)
