"""Files that are damaged, locked, full or written by two: told with the file, and nothing lost."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing

import pytest

from anonopt.experiments import load
from anonopt.experiments.store.locks import locked
from anonopt.experiments.store.store import LOCK_SUFFIX, ExperimentStore
from tests.experiments.stores_of_tests import experiment


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


@pytest.mark.parametrize("damage", ["'{'", "'5'", "'[]'"])
def test_damaged_algorithms_are_told_where_they_are_compared(copied, damage):
    changed(copied, f"UPDATE algorithms SET made_by = {damage}")
    with pytest.raises(ValueError, match=r"copied\.sqlite: algorithms: expected what was written"):
        load(copied).samples()


def test_rows_that_are_gone_are_told(copied):
    changed(copied, "DELETE FROM evaluations")
    changed(copied, "DELETE FROM fronts")
    with pytest.raises(ValueError, match="run 1: expected its evaluations, found none"):
        load(copied).evaluations(1)
    with pytest.raises(ValueError, match="run 1: expected its front, found none"):
        load(copied).front(1)


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


def test_lock_is_held_once_and_a_killed_program_leaves_none(tmp_path):
    pytest.importorskip("fcntl", reason="this system has no such locks")
    path = tmp_path / "lock"
    path.touch()
    with locked(path) as is_held:
        assert is_held and path.exists()
        with locked(path) as is_held_twice:
            assert not is_held_twice
        assert path.exists()
    assert not path.exists()
    with locked(path) as is_held_again:
        assert is_held_again


def test_lock_that_was_left_behind_does_not_matter(copied):
    left = copied.with_name(f"{copied.name}{LOCK_SUFFIX}")
    left.touch()
    assert len(experiment(seeds=[0, 1]).run(copied, workers=0).frame) == 2
    assert not left.exists()


def test_refused_store_leaves_no_lock(copied):
    with pytest.raises(ValueError, match="expected the experiment 'other'"):
        ExperimentStore(copied, "other")
    assert [one.name for one in copied.parent.iterdir()] == ["copied.sqlite"]
    ExperimentStore(copied, "experiment").close()


def test_full_disk_is_told_and_loses_nothing(copied):
    with ExperimentStore(copied, "experiment") as store:
        store._database.execute("PRAGMA max_page_count = 1")
        with pytest.raises(OSError, match="full"), store.transaction() as database:
            database.execute("UPDATE runs SET trace = zeroblob(1000000)")
        assert not store._database.in_transaction
    assert load(copied).frame["status"].tolist() == ["done"]
