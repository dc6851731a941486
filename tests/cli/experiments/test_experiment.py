"""``anonopt experiment`` runs a grid from a file, goes on where it was ended, and refuses early."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from anonopt.algorithms.registry import ALGORITHMS
from anonopt.cli import app
from anonopt.experiments import load
from tests.experiments.grid.own_parts import Failing

CONFIG = """
seeds = 2
budget = 30

[problems]
german = "german-k-glm"
strict = { problem = "german-k-glm", suppression = 0.01 }

[algorithms]
PBG-EA = "pbgea"
random = {}
"""


@pytest.fixture
def config(tmp_path):
    def write(text=CONFIG):
        path = tmp_path / "first.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def failing():
    ALGORITHMS.register("failing", Failing, spaces="levels")


def test_grid_is_run_kept_and_not_run_again(run, config, tmp_path):
    path = config()
    outcome = run("experiment", path, "--workers", 0)
    assert outcome.code == 0
    assert "first: 8 runs in" in outcome.out and "8 of them run now" in outcome.out
    assert "exact front (german, strict)" in outcome.out
    (header,) = (line for line in outcome.out.splitlines() if "hypervolume " in line)
    assert header.split() == [
        *("problem", "algorithm", "runs", "evaluations", "hypervolume", "seconds")
    ]
    assert "8 of them run now\n30 evaluations each\n" in outcome.out
    runs = load(tmp_path / "first.sqlite")
    assert len(runs.frame) == 8 and runs.frame["seed"].unique().tolist() == [0, 1]
    again = run("experiment", path, "--workers", 0, "--json").json
    assert again["run_now"] == 0 and len(again["runs"]) == 8 and again["failed"] == []
    assert [cell["runs"] for cell in again["cells"]] == [2, 2, 2, 2]
    assert all(0 < cell["hypervolume"] <= 1 for cell in again["cells"])


def test_dry_run_tells_the_grid_and_runs_nothing(run, config, tmp_path):
    path = config()
    outcome = run("experiment", path, "--dry-run")
    assert outcome.code == 0 and "8 runs are missing: about" in outcome.out
    assert "rough" in outcome.out
    assert not (tmp_path / "first.sqlite").exists()
    plan = run("experiment", path, "--dry-run", "--json").json
    assert (plan["runs"], plan["missing"], plan["cells_without_estimate"]) == (8, 8, 0)
    assert plan["seconds"] > 0 and {cell["runs"] for cell in plan["cells"]} == {2}
    run("experiment", path, "--workers", 0)
    assert run("experiment", path, "--dry-run", "--json").json["missing"] == 0


def test_more_seeds_go_on_from_what_is_there(run, config):
    run("experiment", config(), "--workers", 0)
    more = run("experiment", config(CONFIG.replace("seeds = 2", "seeds = [0, 1, 5]")), "--json",
               "--workers", 0).json  # fmt: skip
    assert more["run_now"] == 4 and len(more["runs"]) == 12


def test_failures_are_listed_and_end_with_1(run, config, failing):
    path = config(CONFIG.replace("random = {}", "bad = { algorithm = 'failing' }"))
    outcome = run("experiment", path, "--workers", 0)
    assert outcome.code == 1
    assert "4 runs failed" in outcome.out and "the search gave up" in outcome.out
    assert "failed" in next(line for line in outcome.out.splitlines() if "hypervolume " in line)
    outcome = run("experiment", path, "--workers", 0, "--json")
    assert outcome.code == 1
    found = outcome.json
    assert len(found["failed"]) == 4 and found["run_now"] == 0
    assert "Traceback" in found["failed"][0]["trace"]
    for flags, missing in (((), 0), (("--retry-failed",), 4)):
        plan = run("experiment", path, "--dry-run", "--json", *flags).json
        assert plan["missing"] == missing
    plan = run("experiment", path, "--dry-run", "--retry-failed")
    assert "4 runs are missing or failed: about" in plan.out
    found = run("experiment", path, "--workers", 0, "--retry-failed", "--json").json
    assert found["run_now"] == 4


def test_all_that_a_file_may_say(run, config, tmp_path):
    text = """
name = "all"
output = "kept.db"
seeds = [3, 9223372036854775807]
budget = [20, { generations = 2 }, { evaluations = 30, seconds = 100 }]
problems = ["german-k-glm"]
algorithms = ["random"]

[limits]
seconds = 60
megabytes = 100000
"""
    found = run("experiment", config(text), "--workers", 1, "--json").json
    assert found["experiment"] == "all" and found["output"] == str(tmp_path / "kept.db")
    budgets = ["20 evaluations", "2 generations", "30 evaluations, 100 seconds"]
    assert sorted(cell["budget"] for cell in found["cells"]) == sorted(budgets)
    assert {row["seed"] for row in found["runs"]} == {3, 2**63 - 1}


def test_each_budget_has_a_table_of_its_own(run, config):
    text = CONFIG.replace("budget = 30", "budget = [3, { generations = 2 }]")
    out = run("experiment", config(text), "--workers", 0).out
    assert [line for line in out.splitlines() if line.endswith(" each")] == [
        "3 evaluations each",
        "2 generations each",
    ]
    assert sum("hypervolume " in line for line in out.splitlines()) == 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seeds = 2", "seeds = 0", "seeds: expected a whole number of at least 1 and at most"),
        ("seeds = 2", "seeds = [1, 1]", "seeds: expected each once, found 1 twice"),
        ("seeds = 2", "sedes = 2", "unknown key 'sedes'; did you mean seeds?"),
        ("seeds = 2\n", "", "seeds: expected one, found none"),
        ("budget = 30", "budget = 0", "budget: expected a whole number of at least 1, found 0"),
        ("budget = 30", "budget = { evals = 5 }", "did you mean evaluations?"),
        ("budget = 30", "budget = { tests = 5 }", "budget tests: expected algorithms that test"),
        ('"pbgea"', '"pbgae"', "unknown algorithm 'pbgae'; did you mean pbgea?"),
        ('"pbgea"', "5", "algorithms.PBG-EA: expected a text, found 5"),
        ('"pbgea"', '{ algorithm = "pbgea", pop_siz = 3 }', "did you mean pop_size"),
        ('"pbgea"', '"masking-ea"', "masking-ea: expected"),
        ('"german-k-glm"\n', '"germn-k-glm"\n', "did you mean german-k-glm"),
        ("suppression = 0.01", "suppresion = 0.01", "did you mean suppression?"),
        ("[algorithms]", "[limits]\nminutes = 3\n[algorithms]", "unknown key of [limits]"),
        ("[algorithms]", "[limits]\nseconds = 0\n[algorithms]", "time_limit: expected a number"),
        ("[algorithms]", "algorithms =", "expected TOML"),
        ("random = {}", "n = { algorithm = 'nsga2', seed = 3 }", "expected no option 'seed', as"),
        ("random = {}", "n = { algorithm = 'nsga2', termination = 3 }", "no option 'termination'"),
        ("random = {}", "n = { algorithm = 'nsga2', save_history = true }", "'save_history', as"),
        ("random = {}", "n = { algorithm = 'nsga2', popsize = 3 }", "did you mean pop_size?"),
    ],
)  # fmt: skip
def test_wrong_files_end_with_2_before_anything_runs(run, config, tmp_path, old, new, message):
    assert old in CONFIG
    outcome = run("experiment", config(CONFIG.replace(old, new, 1)), "--workers", 0)
    assert outcome.code == 2 and outcome.out == ""
    assert message in outcome.err and "first.toml" in outcome.err
    assert not (tmp_path / "first.sqlite").exists()


def test_file_of_another_experiment_is_refused(run, config, tmp_path):
    run("experiment", config(), "--workers", 0)
    before = load(tmp_path / "first.sqlite").frame
    text = 'name = "second"\noutput = "first.sqlite"\n' + CONFIG
    for words in ((), ("--dry-run",)):
        outcome = run("experiment", config(text), "--workers", 0, *words)
        assert outcome.code == 2
        assert "expected the experiment 'second', found 'first'" in outcome.err
    changed = CONFIG.replace('"pbgea"', '{ algorithm = "pbgea", pop_size = 7 }')
    for words in ((), ("--dry-run",)):
        outcome = run("experiment", config(changed), "--workers", 0, *words)
        assert outcome.code == 2 and "pop_size was" in outcome.err
    (tmp_path / "first.sqlite").write_text("mine", encoding="utf-8")
    outcome = run("experiment", config(), "--workers", 0)
    assert outcome.code == 2 and "expected the file of an experiment" in outcome.err
    assert (tmp_path / "first.sqlite").read_text(encoding="utf-8") == "mine"
    assert len(before) == 8


@pytest.mark.parametrize("words", [("experiment", "-"), ("experiment", "run", "-")])
def test_standard_input_is_read_and_names_its_output(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    words = [*words, "--workers", "0"]
    outcome = CliRunner().invoke(app, words, input=CONFIG)
    assert outcome.exit_code == 2
    assert "output: expected one, as standard input has no name" in outcome.stderr
    assert list(tmp_path.iterdir()) == []
    outcome = CliRunner().invoke(app, words, input='output = "own.db"\n' + CONFIG)
    assert outcome.exit_code == 0, outcome.stderr
    assert load(tmp_path / "own.db").name == "experiment"


def test_absent_files_and_folders_end_with_2(run, config, tmp_path):
    assert run("experiment", tmp_path / "no.toml").code == 2
    outcome = run("experiment", config('output = "no/kept.db"\n' + CONFIG), "--workers", 0)
    assert outcome.code == 2 and "expected an existing folder" in outcome.err


def test_a_cluster_that_does_not_answer_is_refused(run, config, tmp_path, monkeypatch):
    pytest.importorskip("distributed", reason="needs the extra scale")
    monkeypatch.setattr("anonopt.sources.arrow.dask_clients.SECONDS_TO_ANSWER", 0.2)
    outcome = run("experiment", config(), "--cluster", "tcp://127.0.0.1:1")
    assert outcome.code == 2 and "where none answers within 0.2 seconds" in outcome.err
    assert not (tmp_path / "first.sqlite").exists()
