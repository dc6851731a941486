"""anonopt solve: what the library finds, written and drawn."""

from __future__ import annotations

import pandas as pd
import pytest

from anonopt.algorithms import get_algorithm
from anonopt.measures.fronts.indicators import representation_ratio
from anonopt.problems import get_problem
from anonopt.runs import solve as search

PROBLEM = "german-k-glm"
SHORT = ["--budget", 60, "--seed", 3]


@pytest.fixture(scope="module")
def expected():
    problem = get_problem(PROBLEM)
    return problem, search(problem, get_algorithm("nsga2", problem), budget=60, seed=3)


def test_json_equals_the_library(run, expected):
    problem, result = expected
    outcome = run("solve", PROBLEM, "--algorithm", "nsga2", *SHORT, "--json")
    found = outcome.json
    assert outcome.code == 0
    assert pd.DataFrame(found["front"]).equals(
        result.front.astype(pd.DataFrame(found["front"]).dtypes)
    )
    assert (found["n_unique"], found["seed"]) == (60, 3)
    assert found["message"] == result.message
    ratio = representation_ratio(
        problem.natural(result.F),
        problem.natural(problem.pareto_front()),
        eps=1,
        maximize=problem.maximize,
    )
    assert found["representation_ratio"] == ratio
    assert 0 < ratio < 1


def test_same_seed_same_output(run, tmp_path):
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for file in files:
        assert run("solve", PROBLEM, *SHORT, "--output", file).code == 0
    assert files[0].read_bytes() == files[1].read_bytes()


def test_front_is_written_and_drawn(run, tmp_path, expected):
    table, picture = tmp_path / "front.csv", tmp_path / "front.png"
    words = ["--algorithm", "nsga2", *SHORT, "--output", table, "--plot", picture]
    outcome = run("solve", PROBLEM, *words)
    assert outcome.code == 0
    written = pd.read_csv(table)
    _, result = expected
    assert list(written.columns) == list(result.front.columns)
    assert written["glm"].tolist() == pytest.approx(result.front["glm"].tolist())
    assert picture.read_bytes().startswith(b"\x89PNG")
    for text in (str(table), str(picture), "distinct evaluations:", "of the exact front"):
        assert text in outcome.out


def test_exhaustive_search_needs_no_budget_and_finds_everything(run):
    found = run("solve", PROBLEM, "--algorithm", "exhaustive", "--json").json
    assert found["n_unique"] == get_problem(PROBLEM).space.size
    assert found["representation_ratio"] == 1


def test_options_of_the_problem_are_handed_on(run):
    words = ["--algorithm", "random", *SHORT, "--json"]
    shares = [
        run("solve", PROBLEM, *words, "--suppression", text).json["front"] for text in ("0.01", 10)
    ]
    assert shares[0] == shares[1]
    front = run("solve", PROBLEM, *words, "--constraint", "k=5").json["front"]
    assert min(point["k"] for point in front) >= 5


def test_domains_with_categories_that_no_row_has(run):
    words = ("solve", "german-pram", "--empty-categories", "--budget", "2", "--json")
    assert "status: A11 -> ." in run(*words).json["front"][0]


def test_objectives_replace_those_of_the_problem(run):
    words = [*SHORT, "--objective", "height", "--objective", "cm"]
    found = run("solve", PROBLEM, *words, "--json")
    assert {"height", "cm"} < set(found.json["front"][0])
    assert "glm" not in found.json["front"][0]


def test_nothing_feasible_shows_the_nearest(run, tmp_path):
    output = tmp_path / "front.csv"
    words = ["solve", PROBLEM, *SHORT, "--constraint", "k=2000", "--output", output]
    outcome = run(*words, "--json")
    assert outcome.code == 1
    assert outcome.json["front"] == []
    assert outcome.json["representation_ratio"] is None
    assert len(outcome.json["least_infeasible"]) == 1
    assert not output.exists()
    assert "No feasible solution was found; the nearest is" in run(*words).out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["adult-k-gml"], "unknown problem 'adult-k-gml'; did you mean adult-k-glm"),
        ([PROBLEM, "--algorithm", "pbega"], "unknown algorithm 'pbega'; did you mean pbgea"),
        ([PROBLEM, "--algorithm", "ga"], "expected a problem of 1 objective"),
        ([PROBLEM, "--suppression", "few"], "--suppression: expected a share such as 0.01"),
        ([PROBLEM, "--suppression", "1.5"], "1.5"),
        ([PROBLEM, "--objective", "kk"], "unknown measure 'kk'"),
        ([PROBLEM, "--objective", "glm", "--plot", "front.png"], "--plot: expected a problem of"),
        (
            ["german-k-glm", "--algorithm", "pramea"],
            "pramea: expected a space of matrices, found levels (algorithms that fit: pbgea, ",
        ),
        (["german-pram", "--suppression", "0.1"], "german-pram does not take these options"),
        (["german-k-glm", "--empty-categories"], "german-k-glm does not take these options"),
        ([PROBLEM, "--suppression", "1000"], "1000 rows"),
        ([PROBLEM, "--constraint", "k"], "--constraint: expected a measure and a number"),
        ([PROBLEM, "--constraint", "kk=2"], "unknown measure 'kk'"),
        ([PROBLEM, "--budget", 0], "--budget"),
        ([PROBLEM, "--plot", "front.gif"], "png, pdf, svg"),
        ([PROBLEM, "--output", "none/front.csv"], "expected an existing folder"),
        ([], "PROBLEM"),
    ],
)
def test_wrong_input_is_named(run, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    outcome = run("solve", *words)
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "algorithm"),
    [
        ([PROBLEM], "pbgea"),
        (["german-pram"], "nsga2"),
        (["german-masking"], "nsga2"),
        (["german-pram-equations"], "nsga2"),
        (["graph-small"], "nsga2"),
        (["german-pram-equations", "--objective", "score_max"], "ga"),
    ],
)
def test_without_a_name_a_fitting_algorithm_searches(run, words, algorithm):
    outcome = run("solve", *words, "--budget", 12)
    assert outcome.code == 0
    assert f"{words[0]} with {algorithm}" in outcome.err
    assert ("levels of" in outcome.out) is (words == [PROBLEM])


@pytest.mark.parametrize("option", ["--output", "--plot"])
def test_existing_file_needs_force(run, tmp_path, option):
    path = tmp_path / "front.png"
    path.write_text("precious", encoding="utf-8")
    outcome = run("solve", PROBLEM, *SHORT, option, path)
    assert outcome.code == 2
    assert "--force" in outcome.err
    assert path.read_text(encoding="utf-8") == "precious"
    assert run("solve", PROBLEM, *SHORT, option, path, "--force").code == 0
    assert path.read_bytes() != b"precious"


def test_three_objectives_are_drawn_as_a_projection(run, tmp_path):
    picture = tmp_path / "front.svg"
    outcome = run("solve", "adult-k-l-glm", "--budget", 30, "--plot", picture)
    assert outcome.code == 0
    assert picture.read_text(encoding="utf-8").startswith("<?xml")
