"""The file of an experiment: read by plain SQL, exact, small, and nobody else's."""

from __future__ import annotations

import json
import sqlite3
import zlib
from contextlib import closing

import numpy as np
import pytest

from anonopt.experiments import Experiment, load
from anonopt.experiments.store.packing import pack_flags, unpack_flags
from anonopt.experiments.store.rows import AlgorithmRow, Cell, ProblemRow, RunRow
from anonopt.experiments.store.schema import DONE
from anonopt.experiments.store.store import ExperimentStore
from tests.experiments.grid.own_parts import Sides

LARGEST = 2**63 - 1


def row(objectives, **changed):
    F = np.asarray(objectives, dtype=np.float64)
    parts = {
        "status": DONE,
        "message": "budget reached",
        "trace": "",
        "objectives": F,
        "feasible": np.arange(len(F)) % 3 > 0,
        "seconds": np.arange(len(F)) / 4,
        "front_objectives": F[:1],
        "front_genomes": np.array([[1, 2]]),
        "n_evaluations": len(F),
        "n_unique": len(F),
        "n_tests": 0,
        "proven": False,
        "wall_seconds": 1.5,
        "cpu_seconds": 1.25,
        "machine": "here",
        "versions": {"anonopt": "0"},
    }
    return RunRow(**parts | changed)


def described(store, problem="p", algorithm="a"):
    store.add_problem(
        ProblemRow(problem, '{"class": "x"}', "1", "levels", 2, 2**80, ("k", "glm"), (True, False))
    )
    store.add_algorithm(AlgorithmRow(algorithm, problem, '{"class": "y"}'))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "runs.db"


def test_numbers_come_back_bit_for_bit(path):
    F = np.array([[np.nan, np.inf], [-0.0, -np.inf], [5e-324, 1 / 3], [1e308, 0.0]])
    cell = Cell("p", "a", LARGEST, '{"evaluations": 4}')
    with ExperimentStore(path, "e") as store:
        described(store)
        store.add_run(cell, row(F), revision="abc+")
        assert store.done(failed=False) == {cell}
    runs = load(path)
    found = runs.evaluations(1)
    assert found.F.tobytes() == F.tobytes()
    assert found.feasible.tolist() == [False, True, True, False]
    assert found.seconds.tolist() == [0, 0.25, 0.5, 0.75]
    assert runs.frame.loc[1, ["seed", "budget", "revision"]].tolist() == [
        LARGEST, "4 evaluations", "abc+",
    ]  # fmt: skip
    assert runs.front(1)[0].tolist() == [[1, 2]]


def test_natural_objectives_are_missing_where_there_is_no_value(path):
    # pymoo sees 1e30 where an objective is infinitely bad.
    F = np.array([[-5.0, 1e30], [1e30, 2.0], [-0.0, np.inf]])
    with ExperimentStore(path, "e") as store:
        described(store)
    facts = load(path).problems["p"]
    assert facts.maximize.tolist() == [True, False]
    expected = [[5.0, np.nan], [np.nan, 2.0], [0.0, np.nan]]
    assert np.array_equal(facts.natural(F), expected, equal_nan=True)
    assert np.array_equal(facts.natural(F[0]), expected[0], equal_nan=True)


def test_genomes_that_are_no_numbers_are_texts(path):
    genomes = np.array([["add(x, y)"]], dtype=object)
    with ExperimentStore(path, "e") as store:
        described(store)
        store.add_run(Cell("p", "a", 0, "{}"), row([[1, 2]], front_genomes=genomes), revision=None)
    assert load(path).front(1)[0] == ["add(x, y)"]


def test_plain_sql_reads_everything(path):
    Experiment(
        problems={"sides": Sides()}, algorithms=["random"], seeds=[3, LARGEST], budget=12
    ).run(path, workers=0)
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        seeds = database.execute(
            "SELECT seed FROM runs JOIN problems USING (problem) JOIN algorithms "
            "USING (algorithm, problem) ORDER BY seed"
        ).fetchall()
        assert seeds == [(3,), (LARGEST,)]
        (size, names, kind) = database.execute(
            "SELECT size, objectives, json_extract(made_by, '$.class') FROM problems"
        ).fetchone()
        assert (size, json.loads(names)) == ("24", ["privacy", "loss"])
        assert kind.endswith("own_parts.Sides")
        # Packed numbers as the schema tells: zlib, then byte planes.
        n, n_obj, content = database.execute(
            "SELECT n, n_obj, objectives FROM evaluations WHERE run = 1"
        ).fetchone()
        (schema,) = database.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'evaluations'"
        ).fetchone()
        assert "packed float64 (n, n_obj), minimized" in schema
    planes = np.frombuffer(zlib.decompress(content), np.uint8).reshape(8, -1)
    F = np.ascontiguousarray(planes.T).reshape(-1).view("<f8").reshape(n, n_obj)
    assert F.tobytes() == load(path).evaluations(1).F.tobytes()


def test_reader_sees_what_is_committed_while_another_writes(path):
    with ExperimentStore(path, "e") as store:
        described(store)
        store.add_run(Cell("p", "a", 0, "{}"), row([[1, 2]]), revision=None)
        with store.transaction() as database:
            database.execute("DELETE FROM runs")
            assert len(load(path).frame) == 1
        assert len(load(path).frame) == 0


def test_a_run_replaces_that_of_its_cell(path):
    cell = Cell("p", "a", 0, "{}")
    with ExperimentStore(path, "e") as store:
        described(store)
        store.add_run(cell, row(np.empty((0, 0)), status="failed", trace="why"), revision=None)
        assert store.done(failed=False) == set() and store.done(failed=True) == {cell}
        store.add_run(cell, row([[1, 2]]), revision=None)
    runs = load(path)
    assert runs.frame["status"].tolist() == [DONE]
    with closing(sqlite3.connect(path)) as database:
        counts = [
            database.execute(f"SELECT count(*) FROM {table}").fetchone()
            for table in ("runs", "evaluations", "fronts")
        ]
    assert counts == [(1,), (1,), (1,)]


def test_a_failed_write_leaves_nothing(path):
    with ExperimentStore(path, "e") as store:
        described(store)
        with pytest.raises(sqlite3.IntegrityError):
            store.add_run(Cell("p", "other", 0, "{}"), row([[1, 2]]), revision=None)
        assert store.done(failed=True) == set()


@pytest.mark.parametrize("content", [b"not a database, and long enough to be one" * 99, b"x"])
def test_another_file_is_refused_and_stays(path, content):
    path.write_bytes(content)
    for read in (load, lambda path: ExperimentStore(path, "e")):
        with pytest.raises(ValueError, match="expected the file of an experiment"):
            read(path)
    assert path.read_bytes() == content


def test_another_database_or_version_is_refused(path):
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE mine (x)")
    for read in (load, lambda path: ExperimentStore(path, "e")):
        with pytest.raises(ValueError, match="found another database"):
            read(path)
    path.unlink()
    ExperimentStore(path, "e").close()
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(ValueError, match="expected version 1 of the file, found 99"):
        load(path)


def test_name_that_sqlite_takes_for_memory_is_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with ExperimentStore(":memory:", "e") as store:
        described(store)
    assert load(":memory:").name == "e"


def test_what_sqlite_cannot_say_is_told_with_the_file(path):
    ExperimentStore(path, "e").close()
    content = path.read_bytes()
    assert content.count(b"CREATE TABLE runs") == 1
    path.write_bytes(content.replace(b"CREATE TABLE runs", b"CREATE \xc6ABLE runs"))
    for read in (load, lambda path: ExperimentStore(path, "e")):
        with pytest.raises(ValueError, match=f"{path.name}: expected the file of an experiment"):
            read(path)


def test_another_experiment_is_refused(path):
    ExperimentStore(path, "first").close()
    with pytest.raises(ValueError, match="expected the experiment 'second', found 'first'"):
        ExperimentStore(path, "second")


def test_file_that_was_begun_and_left_is_made_anew(path):
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = WAL")
    with ExperimentStore(path, "e") as store:
        described(store)
    assert load(path).name == "e"


def test_places_that_cannot_be_are_told(tmp_path):
    with pytest.raises(FileNotFoundError, match="expected an existing folder"):
        ExperimentStore(tmp_path / "no" / "runs.db", "e")
    with pytest.raises(IsADirectoryError):
        ExperimentStore(tmp_path, "e")
    with pytest.raises(FileNotFoundError, match="expected the file of an experiment, found none"):
        load(tmp_path / "runs.db")
    assert list(tmp_path.iterdir()) == []


def test_a_million_evaluations_take_at_most_60_megabytes(path):
    # Like those of a search: whole numbers of rows, and losses that are sums of fractions.
    generator = np.random.default_rng(0)
    with ExperimentStore(path, "e") as store:
        described(store)
        for seed in range(20):
            k = -generator.integers(1, 30162, size=5000).astype(float)
            loss = generator.random(5000) * 241296
            seconds = np.cumsum(generator.random(5000) / 1000)
            run = row(np.column_stack([k, loss]), seconds=seconds)
            store.add_run(Cell("p", "a", seed, "{}"), run, revision=None)
    # A tenth of a million.
    assert path.stat().st_size < 6e6
    assert not path.with_name("runs.db-wal").exists()


def test_file_is_one_when_nobody_writes_it(path):
    # A reader of a write-ahead log needs a folder it can write to.
    with ExperimentStore(path, "e") as store:
        described(store)
        with closing(sqlite3.connect(path)) as reader:
            assert reader.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert load(path).name == "e"
    assert list(path.parent.iterdir()) == [path]
    store = ExperimentStore(path, "e")
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT name FROM experiment").fetchone() == ("e",)
        store.add_problem(ProblemRow("q", "{}", "1", "levels", 2, 9, ("k",), (True,)))
        store.close()
        assert reader.execute("SELECT count(*) FROM problems").fetchone() == (1,)
    assert list(load(path).problems) == ["p", "q"]


def test_unknown_runs_are_told(path):
    with ExperimentStore(path, "e") as store:
        described(store)
    runs = load(path)
    for read in (runs.evaluations, runs.front, runs.trace):
        with pytest.raises(ValueError, match="unknown run 7"):
            read(7)


def test_budgets_are_listed_from_small_to_large(path):
    with ExperimentStore(path, "e") as store:
        described(store)
        for seed, n in [(1, 1000), (0, 1000), (1, 200), (0, 200)]:
            cell = Cell("p", "a", seed, json.dumps({"evaluations": n}))
            store.add_run(cell, row([[1.0, 2.0]]), revision=None)
    frame = load(path).frame
    assert frame["budget"].tolist() == ["200 evaluations"] * 2 + ["1000 evaluations"] * 2
    assert frame["seed"].tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("n", [0, 1, 8, 9, 17, 64, 72])
def test_truth_values_come_back_and_have_their_number(n):
    flags = np.arange(n) % 3 == 0
    packed = pack_flags(flags)
    assert np.array_equal(unpack_flags(packed, n), flags)
    with pytest.raises(ValueError, match=f"content: expected {n + 8} truth values, found"):
        unpack_flags(packed, n + 8)
