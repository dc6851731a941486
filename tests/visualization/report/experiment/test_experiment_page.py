"""The report of an experiment says what its tables say, and has something for every file."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from anonopt.experiments import load
from anonopt.visualization.report import page_html
from anonopt.visualization.report.experiment import experiment_page
from anonopt.visualization.report.experiment.compared import compared
from anonopt.visualization.report.experiment.joint_fronts import joint_fronts
from anonopt.visualization.report.experiment.overview import missing_runs
from anonopt.visualization.report.experiment.stored_solutions import rebuild
from tests.experiments.stores_of_tests import experiment
from tests.visualization.report.experiment.stores_of_reports import SCRIPT, STORES, drawn

MOST_BYTES = 10_000_000


def sections(page):
    return {section.title: section for section in page.sections}


def panels(page, section):
    return {panel.title: panel for panel in sections(page)[section].panels}


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return STORES["plain"](tmp_path_factory.mktemp("plain") / "plain.sqlite")


@pytest.fixture(scope="module")
def page(plain):
    return experiment_page(plain)


@pytest.mark.parametrize("name", sorted(set(STORES) - {"thirty algorithms", "plain"}))
def test_every_file_has_a_page(name, tmp_path):
    page = experiment_page(STORES[name](tmp_path / "x.sqlite"))
    html = page_html(page)
    assert len(html.encode()) < MOST_BYTES
    titles = list(sections(page))
    assert titles[0] == "Overview" and titles[-2:] == ["Environment", "Configuration"]
    for section in page.sections:
        for panel in section.panels:
            assert panel.summary, panel.title
            # What is drawn is told as a table, too.
            assert panel.tables or not panel.drawings, panel.title
    assert SCRIPT not in html.replace("&lt;", "<") or name == "hostile names"
    assert f"<td>{SCRIPT}" not in html


def test_equal_files_give_equal_pages(plain, page):
    assert page_html(experiment_page(load(plain.path))) == page_html(page)


def test_tables_are_those_of_the_runs(plain, page):
    found = panels(page, "All problems together")
    (table,) = found["Medians and interquartile ranges of hypervolume"].tables
    assert (table.latex, table.markdown) == (plain.to_latex(), plain.to_markdown())
    assert np.array_equal(
        table.bold.loc["p"].to_numpy(),
        [plain.summary().cells["p", a].is_best for a in plain.algorithms],
    )
    (ranks,) = found["Mean ranks and critical differences"].tables
    assert ranks.frame.equals(plain.ranks())
    tests = {one.caption: one.frame for one in found["Tests"].tables}
    expected = plain.tests()
    assert tests["Nemenyi, p of each pair"].equals(expected.nemenyi)
    assert expected.standing() in found["Mean ranks and critical differences"].summary


def test_curves_are_those_of_the_runs(plain, page):
    panel = panels(page, "Problem p")["Anytime curves"]
    assert [drawing.name for drawing in panel.drawings] == ["hypervolume", "igd_plus", "epsilon"]
    rows = plain.curves("igd_plus", problems=["p"], algorithms=["second"])
    (line,) = [
        trace
        for trace in panel.drawings[1].figure.data
        if trace.legendgroup == "second" and trace.mode == "lines+markers"
    ]
    kept = np.isfinite(rows["median"].to_numpy())
    assert np.array_equal(line.y, rows["median"].to_numpy()[kept])
    assert np.array_equal(line.x, rows["evaluations"].to_numpy()[kept])


def test_joint_fronts_count_the_runs_that_found_a_point(tmp_path):
    runs = STORES["one point"](tmp_path / "x.sqlite")
    of = compared(runs, indicator="hypervolume", indicators=None, budget=None)
    fronts = joint_fronts(of, "p")
    assert fronts.best == [(1.0, 1.0)]
    assert dict(fronts.points[1.0, 1.0].n_runs) == {"first": 1, "second": 1}


def test_natural_units_and_directions(tmp_path):
    runs = STORES["three objectives"](tmp_path / "x.sqlite")
    page = experiment_page(runs)
    assert sections(page)["Problem p"].facts["b"] == "b (more is better)"
    front = panels(page, "Problem p")["Fronts"].tables[0].frame
    facts = runs.problems["p"]
    assert set(map(tuple, front[["a", "b", "c"]].to_numpy())) == set(
        map(tuple, facts.natural(facts.reference_front))
    )


def test_missing_and_failed_runs_are_counted(tmp_path):
    runs = STORES["interrupted"](tmp_path / "x.sqlite")
    of = compared(runs, indicator="hypervolume", indicators=None, budget=None)
    lost = missing_runs(of)
    # Two of the last cell were never run, one was replaced; seed 9 is of one cell alone.
    assert len(lost[lost["seed"] != 9]) == 2
    assert set(lost.loc[lost["seed"] != 9, "algorithm"]) == {"third"}
    page = experiment_page(runs)
    facts = sections(page)["Overview"].facts
    assert facts["Runs that failed"] == "1"
    assert "Failures" in sections(page)


def test_largest_budget_is_reported_and_others_are_named(tmp_path):
    runs = STORES["two budgets"](tmp_path / "x.sqlite")
    page = experiment_page(runs)
    assert sections(page)["Overview"].facts["Budget of a run"] == "12 evaluations"
    (panel,) = sections(page)["Overview"].panels
    assert any("5 evaluations" in note for note in panel.notes)
    other = experiment_page(runs, budget="5 evaluations")
    assert sections(other)["Overview"].facts["Budget of a run"] == "5 evaluations"


def test_traces_of_failures_and_solutions_of_named_problems(tmp_path):
    runs = experiment(algorithms=["random"], budget=20, seeds=[0, 1]).run(
        tmp_path / "x.sqlite", workers=0
    )
    page = experiment_page(runs, most_solutions=2)
    assert len(page.solutions) == 2
    assert "original records" in page.warning
    assert experiment_page(runs, most_solutions=2, sample_rows=0).warning != page.warning
    assert experiment_page(runs, most_solutions=0).solutions == ()
    facts = page.solutions[0].facts
    assert set(facts) == set(runs.problems["german-k-glm"].objectives)


def test_problem_that_cannot_be_made_again_says_so(plain, page):
    found = rebuild(plain, "p")
    assert found.problem is None and "catalogue" in found.why
    notes = panels(page, "Problem p")["Fronts"].notes
    assert any("cannot be opened" in note for note in notes)


def test_changed_problem_is_not_taken_for_the_old_one(tmp_path):
    import sqlite3

    path = tmp_path / "x.sqlite"
    experiment().run(path, workers=0)
    other = shutil.copy(path, tmp_path / "y.sqlite")
    with sqlite3.connect(other) as database:
        database.execute("UPDATE problems SET fingerprint = 'other'")
    assert rebuild(load(path), "german-k-glm").problem is not None
    assert "another one" in rebuild(load(other), "german-k-glm").why


def test_arguments_are_checked_before_work(plain):
    for options, message in (
        ({"indicator": "hypervolum"}, "did you mean hypervolume"),
        ({"indicators": "rr"}, "indicators: expected"),
        ({"budget": "7 evaluations"}, "budget"),
        ({"most_solutions": -1}, "most_solutions"),
        ({"sample_rows": -1}, "sample_rows"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            experiment_page(plain, **options)


def test_drawn_stores_differ_between_algorithms():
    means = {
        name: np.mean([r.F for r in drawn() if r.algorithm == name]) for name in ("first", "third")
    }
    assert means["first"] < means["third"]


def test_runs_that_ended_before_their_budget_are_told(tmp_path):
    algorithms = {"short": ("pbgea", {"n_generations": 1, "pop_size": 4}), "random": "random"}
    runs = experiment(algorithms=algorithms, seeds=[0, 1], budget=30).run(
        tmp_path / "x.sqlite", workers=0
    )
    panel = panels(experiment_page(runs), "Overview")["Runs of each algorithm on each problem"]
    (note,) = (note for note in panel.notes if "ended before their budget" in note)
    assert "short on german-k-glm (2)" in note and "random" not in note
