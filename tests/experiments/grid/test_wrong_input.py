"""What cannot be an experiment is told before anything runs, and leaves its file as it was."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from anonopt.experiments import Experiment, load
from anonopt.experiments.grid.budgets import budgets_of, seeds_of
from anonopt.experiments.store.store import ExperimentStore


def experiment(**changed):
    parts = {"problems": ["german-k-glm"], "algorithms": ["random"], "seeds": [0], "budget": 10}
    return Experiment(**parts | changed)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "whole.sqlite"
    experiment().run(path, workers=0)
    return path


@pytest.fixture
def copied(whole, tmp_path):
    return Path(shutil.copy(whole, tmp_path / "copied.sqlite"))


@pytest.mark.parametrize("wrong", ["", " ", "a\nb", "a\0b", "\ud800", 1, None])
@pytest.mark.parametrize("part", ["problems", "algorithms", "name"])
def test_names_are_printable(part, wrong):
    named = {"problems": {wrong: "german-k-glm"}, "algorithms": {wrong: "random"}, "name": wrong}
    with pytest.raises((TypeError, ValueError), match=f"{part}: expected a name"):
        experiment(**{part: named[part]})


@pytest.mark.parametrize("wrong", ["10", b"x"])
def test_texts_are_no_lists_of_numbers(wrong):
    with pytest.raises(TypeError, match=f"budget: .* found {wrong!r}"):
        budgets_of(wrong)
    with pytest.raises(TypeError, match=f"seeds: .* found {wrong!r}"):
        seeds_of(wrong)


def test_budgets_that_differ_have_names_that_do():
    names = [budget.name for budget in budgets_of([1000000, 1000001, {"seconds": 2}])]
    assert names == ["1000000 evaluations", "1000001 evaluations", "2 seconds"]


def test_limits_are_what_systems_take():
    with pytest.raises(ValueError, match=r"time_limit: .* found 1e\+300"):
        experiment(time_limit=1e300)
    with pytest.raises(ValueError, match=r"memory_limit: .* found 1180591620717411303424"):
        experiment(memory_limit=2**70)


@pytest.mark.parametrize("part", ["executor", "on_done"])
def test_run_takes_what_it_can_call(part, tmp_path):
    with pytest.raises(TypeError, match=f"{part}: expected .* found 5"):
        experiment().run(tmp_path / "none.sqlite", workers=0, **{part: 5})
    assert not list(tmp_path.iterdir())


def test_refused_experiment_adds_nothing(copied):
    with pytest.raises(ValueError, match=r"algorithm 'random'.*changed"):
        experiment(
            problems=["adult-k-glm", "german-k-glm"],
            algorithms={"random": ("random", {"batch_size": 7})},
        ).run(copied, workers=0)
    assert list(load(copied).problems) == ["german-k-glm"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:4096] + bytes([255]) * (len(content) - 4096),
        lambda content: content[:6000],
        lambda content: content[:50],
    ],
    ids=["overwritten", "cut", "begun"],
)
def test_damaged_files_are_told(copied, damage):
    copied.write_bytes(damage(copied.read_bytes()))
    for use in (load, experiment().grid, lambda path: experiment().run(path, workers=0)):
        with pytest.raises(ValueError, match="expected the file of an experiment"):
            use(copied)


def changed(path, statement):
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement)


@pytest.mark.parametrize(
    "damage",
    [
        *(f"{column} = x'00'" for column in ("objectives", "feasible", "seconds")),
        *(f"{column} = NULL" for column in ("n", "n_obj")),
        *("n = n + 8", "n = n - 8", "n = 'many'", "objectives = 'text'", "feasible = seconds"),
    ],
)
def test_damaged_evaluations_are_told_with_file_and_run(copied, damage):
    if "NULL" in damage:
        changed(copied, "ALTER TABLE evaluations RENAME TO strict")
        changed(copied, "CREATE TABLE evaluations AS SELECT * FROM strict")
    changed(copied, f"UPDATE evaluations SET {damage}")
    runs = load(copied)
    for use in (
        lambda: runs.evaluations(1),
        lambda: runs.indicators(budgets=[5]),
        lambda: runs.to_pymoo(1),
    ):
        with pytest.raises(
            ValueError, match=r"copied\.sqlite: evaluations of run 1: expected what"
        ):
            use()


@pytest.mark.parametrize(
    ("damage", "part"),
    [
        ("runs SET budget = '{'", "budget of run 1"),
        ("runs SET budget = '[]'", "budget of run 1"),
        ("runs SET budget = '{\"evals\": 1}'", "budget of run 1"),
        ('runs SET budget = \'{"evaluations": "many"}\'', "budget of run 1"),
        ("problems SET objectives = '{'", "problem 'german-k-glm'"),
        ("problems SET maximize = '[1, [2]]'", "problem 'german-k-glm'"),
        ("problems SET reference_front = x'00'", "problem 'german-k-glm'"),
        ("problems SET reference_point = '['", "problem 'german-k-glm'"),
        ("fronts SET objectives = x'00'", "front of run 1"),
        ("fronts SET genomes = x'00'", "front of run 1"),
        ("fronts SET genome_type = 'none'", "front of run 1"),
        ("fronts SET genome_shape = '['", "front of run 1"),
        ("fronts SET genomes = NULL", "front of run 1"),
    ],
)
def test_damaged_texts_and_fronts_are_told_with_their_part(copied, damage, part):
    changed(copied, f"UPDATE {damage}")
    with pytest.raises(ValueError, match=rf"copied\.sqlite: {part}: expected what was written"):
        (load(copied).problems, load(copied).front(1))


@pytest.mark.parametrize("column", ["made_by", "versions"])
def test_damaged_descriptions_are_told_when_an_experiment_goes_on(copied, column):
    table = "runs" if column == "versions" else "problems"
    changed(copied, f"UPDATE {table} SET {column} = '{{'")
    with pytest.raises(ValueError, match=r"copied\.sqlite: .*: expected what was written"):
        experiment().run(copied, workers=0)


def test_rows_that_are_gone_are_told(copied):
    changed(copied, "DELETE FROM evaluations")
    changed(copied, "DELETE FROM fronts")
    with pytest.raises(ValueError, match="run 1: expected its evaluations, found none"):
        load(copied).evaluations(1)
    with pytest.raises(ValueError, match="run 1: expected its front, found none"):
        load(copied).front(1)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"algorithms": {"random": ("random", {"batch_size": 7})}}, "algorithm 'random'.*batch"),
        (
            {"problems": {"german-k-glm": ("german-k-glm", {"suppression": 0.02})}},
            "problem 'german-k-glm'.*suppression",
        ),
    ],
)
def test_grid_names_what_has_changed_as_the_run_does(copied, parts, message):
    assert experiment().grid(copied)["status"].tolist() == ["done"]
    for use in (experiment(**parts).grid, lambda path: experiment(**parts).run(path, workers=0)):
        with pytest.raises(ValueError, match=rf"copied\.sqlite: .*{message}"):
            use(copied)
    more = experiment(algorithms=["random", "pbgea"]).grid(copied)
    assert more["status"].tolist() == ["done", "missing"]


def test_retry_failed_is_a_flag(copied):
    with pytest.raises(TypeError, match="retry_failed: expected True or False, found 'no'"):
        experiment().run(copied, workers=0, retry_failed="no")


def test_file_without_its_experiment_is_told(copied):
    with closing(sqlite3.connect(copied)) as database, database:
        database.execute("DELETE FROM experiment")
    for use in (load, lambda path: experiment().run(path, workers=0)):
        with pytest.raises(ValueError, match="found one without its name"):
            use(copied)


def test_file_that_another_program_writes_is_told(copied, monkeypatch):
    monkeypatch.setattr("anonopt.experiments.store.store.BUSY_SECONDS", 0.01)
    with closing(sqlite3.connect(copied)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(OSError, match=r"copied\.sqlite: .* database is locked"):
            experiment().run(copied, workers=0)


def test_second_writer_is_refused_and_harms_nothing(copied):
    def second(n_done, n_all, cell, run):
        with pytest.raises(BlockingIOError, match=r"copied\.sqlite: expected nobody else who"):
            experiment(seeds=[0, 1, 2]).run(copied, workers=0)

    runs = experiment(seeds=[0, 1]).run(copied, workers=0, on_done=second)
    assert runs.frame["status"].tolist() == ["done", "done"]
    assert [one.name for one in copied.parent.iterdir()] == ["copied.sqlite"]


def test_readers_that_look_in_at_the_end_leave_no_files(copied):
    store = ExperimentStore(copied, "experiment")
    # One that may not write cannot take away what it needs.
    address = f"{copied.as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True, check_same_thread=False)) as reader:
        reader.execute("SELECT name FROM experiment").fetchone()
        leaving = threading.Timer(0.1, reader.close)
        leaving.start()
        store.close()
        leaving.join()
    assert [one.name for one in copied.parent.iterdir()] == ["copied.sqlite"]


def test_full_disk_is_told_and_loses_nothing(copied):
    with ExperimentStore(copied, "experiment") as store:
        store._database.execute("PRAGMA max_page_count = 1")
        with pytest.raises(OSError, match="full"), store.transaction() as database:
            database.execute("UPDATE runs SET trace = zeroblob(1000000)")
        assert not store._database.in_transaction
    assert load(copied).frame["status"].tolist() == ["done"]
