"""Protected rows in files: the cells of a protected frame, in its order, or no file at all."""

from __future__ import annotations

import datetime
import errno
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.algorithms import PBGEA
from anonopt.data import Hierarchy, Microdata
from anonopt.problems import LatticeProblem, LocalRecodingProblem
from anonopt.runs import solve
from anonopt.sources import LargeTable, PandasSource
from anonopt.sources.writing import protected_batches, protected_files, row_files
from tests.examples import examples

arrow = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")
parquet = pytest.importorskip("pyarrow.parquet")

ROLES = {
    "quasi_identifiers": ["age", "zone"],
    "hierarchies": {
        "age": Hierarchy.intervals(range(20, 40), width=5),
        "zone": Hierarchy([["A", "B", ""], ["L", "L", "R"], ["*", "*", "*"]]),
    },
    "sensitive": "job",
    "identifiers": ["name"],
}


def people(n_rows: int, seed: int = 3) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    age = pd.array(rng.integers(20, 40, n_rows), dtype="Int64")
    age[rng.random(n_rows) < 0.1] = pd.NA
    pay = rng.random(n_rows).round(2)
    pay[rng.random(n_rows) < 0.1] = np.nan
    return pd.DataFrame(
        {
            "name": [f"person {row}" for row in range(n_rows)],
            "age": age,
            "job": rng.choice(['co"ok', "clerk, old", "", "smith\r"], n_rows),
            "zone": rng.choice(["A", "B", "", None], n_rows),
            "pay": pay,
            "day": [datetime.date(2020, 1, 1 + row % 28) for row in range(n_rows)],
        }
    )


@pytest.fixture(scope="module")
def frame():
    return people(400)


@pytest.fixture(scope="module")
def small(frame):
    return Microdata(frame, **ROLES)


@pytest.fixture(scope="module")
def path(frame, tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "people.parquet"
    frame.to_parquet(path, row_group_size=90, index=False)
    return path


@pytest.fixture(scope="module")
def large(path):
    return Microdata.from_parquet(path, **ROLES)


@pytest.fixture(autouse=True)
def few_rows_at_a_time(monkeypatch):
    monkeypatch.setattr(protected_batches, "ROWS", 70)
    monkeypatch.setattr(protected_files, "ROWS", 70)


def cells(frame: pd.DataFrame) -> list[list[object]]:
    return frame.astype(object).where(frame.notna(), None).to_numpy().tolist()


@pytest.mark.parametrize("node", [[0, 0], [1, 1], [1, 0], [2, 2]])
@pytest.mark.parametrize("k", [None, 4])
def test_the_file_holds_what_apply_returns(small, large, tmp_path, node, k):
    expected, mask = small.apply(node, k=k, suppression=0.99, return_mask=True)
    expected["left out"] = mask
    for table in (small, large):
        target = tmp_path / "protected.parquet"
        report = table.apply(node, k=k, suppression=0.99, to=target, flag="left out")
        found = pd.read_parquet(target)
        assert list(found) == list(expected)
        assert cells(found) == cells(expected)
        sizes = expected[~mask].groupby(["age", "zone"]).size()
        assert report.drop("seconds").to_dict() == {
            "rows": 400,
            "suppressed": int(mask.sum()),
            "k": int(sizes.min()) if len(sizes) else 0,
            "classes": len(sizes),
        }
    assert [file.name for file in tmp_path.iterdir()] == ["protected.parquet"]


def test_class_bounds_are_kept(small, large, tmp_path):
    rule = {"k": 2, "suppression": 0.9, "class_bounds": {"entropy_l": 3.7}}
    _, mask = small.apply([1, 1], return_mask=True, **rule)
    report = large.apply([1, 1], to=tmp_path / "protected.parquet", **rule)
    assert report["suppressed"] == mask.sum() > 0


@examples(8)
@given(
    st.integers(1, 60), st.integers(0, 1000), st.integers(0, 3), st.integers(0, 2), st.booleans()
)
def test_any_rows_by_any_source(tmp_path_factory, n_rows, seed, age, zone, by_query):
    frame = people(n_rows, seed)
    folder = tmp_path_factory.mktemp("any")
    connection = duckdb.connect()
    connection.register("people", frame)
    if by_query:
        large = Microdata.from_duckdb(connection, "select * from people", **ROLES)
    else:
        large = LargeTable(PandasSource(frame), **ROLES)
    node = [min(age, large.lattice.top[0]), zone]
    large.apply(node, suppression=n_rows // 2, to=folder / "a.parquet")
    expected = Microdata(frame, **ROLES).apply(node, suppression=n_rows // 2)
    found = pd.read_parquet(folder / "a.parquet")
    if not by_query:
        assert cells(found) == cells(expected)
    assert sorted(map(repr, found["age"] + found["zone"])) == sorted(
        map(repr, expected["age"] + expected["zone"])
    )


def test_a_table_in_files_is_not_returned(large):
    with pytest.raises(ValueError, match="apply without to=: expected a table whose rows"):
        large.apply([1, 1], k=2)
    with pytest.raises(ValueError, match="flag: expected with to="):
        large.apply([1, 1], k=2, flag="out")


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"to": "absent/protected.parquet"}, FileNotFoundError, "expected an existing folder"),
        ({"to": "protected.xlsx"}, ValueError, "ends in .parquet or .csv"),
        ({"flag": "age"}, ValueError, "flag: expected the name of a new column"),
        ({"k": 50, "suppression": 0}, ValueError, "the budget"),
        ({"k": 1.5}, TypeError, "k: expected a whole number"),
        ({"return_mask": True}, ValueError, "return_mask"),
    ],
)
def test_mistakes_are_told_before_work(large, tmp_path, monkeypatch, options, error, words):
    def none(*_, **__):
        raise AssertionError("rows were read")

    monkeypatch.setattr(type(large.source), "batches", none)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=words):
        large.apply([1, 1], **({"to": "protected.parquet", "suppression": 0.5} | options))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("engine", ["duckdb", "arrow"])
def test_what_the_table_is_read_from_is_not_written(frame, tmp_path, monkeypatch, engine):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "rows"
    (folder / "more").mkdir(parents=True)
    frame.to_parquet(folder / "a.parquet")
    frame.to_parquet("all.parquet")
    Path("link").symlink_to(folder, target_is_directory=True)
    Path("linked.parquet").symlink_to(folder / "a.parquet")
    os.link(folder / "a.parquet", "hard.parquet")
    before = (folder / "a.parquet").read_bytes()
    for rows, outputs in {
        "rows": ["rows/more/b.parquet", "link/b.csv", "rows/../link/more/b.csv", "rows/a.parquet"],
        "rows/*.parquet": ["link/b.parquet", "rows/more/../b.parquet", "hard.parquet"],
        "link/*.parquet": ["rows/b.parquet", str(folder / "b.parquet")],
        "linked.parquet": [
            "rows/a.parquet",
            "hard.parquet",
            "linked.parquet",
            "all.parquet",
        ],
    }.items():
        table = Microdata.from_parquet(rows, **ROLES, engine=engine, population="all.parquet")
        found = sorted(tmp_path.rglob("*"))
        for output in outputs:
            with pytest.raises((ValueError, IsADirectoryError), match=r"expected a"):
                table.apply([1, 1], suppression=0.5, to=output)
        assert sorted(tmp_path.rglob("*")) == found
    assert (folder / "a.parquet").read_bytes() == before
    table.apply([1, 1], suppression=0.5, to="rows.parquet")


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize(
    "failure", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()]
)
def test_a_full_disk_leaves_what_was_there(large, tmp_path, monkeypatch, suffix, failure):
    target = tmp_path / f"protected.{suffix}"
    target.write_text("old")
    batches = type(large.source).batches

    def fails(source, rows, columns=None):
        yield next(iter(batches(source, rows, columns=columns)))
        raise failure

    monkeypatch.setattr(type(large.source), "batches", fails)
    with pytest.raises(type(failure)):
        large.apply([1, 1], suppression=0.5, to=target)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda rows: [rows[0], *rows[:0:-1]], r"'job' in the order of Parquet .* from row 7\d on"),
        (lambda rows: rows[:-1], r"'job' in the order of .* another from row 350 on"),
        (lambda rows: [*rows, rows[0]], "expected the 400 rows of Parquet .*, found more"),
    ],
)
def test_rows_in_another_order_get_no_name(large, tmp_path, monkeypatch, suffix, change, words):
    write = getattr(row_files, f"_write_{suffix}")

    def turned(part, rows, *others):
        write(part, iter(change(list(rows))), *others)

    monkeypatch.setattr(row_files, f"_write_{suffix}", turned)
    with pytest.raises(ValueError, match=words):
        large.apply([2, 2], suppression=0.5, to=tmp_path / f"protected.{suffix}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda rows: rows[:-1], "expected 400 rows"),
        (lambda rows: [rows[0].take(arrow.array([0] * 70)), *rows[1:]], "suppressed rows"),
    ],
)
def test_a_file_that_lost_something_gets_no_name(frame, tmp_path, monkeypatch, change, words):
    connection = duckdb.connect()
    connection.register("people", frame)
    large = Microdata.from_duckdb(connection, "select * from people", **ROLES)
    write = row_files._write_csv
    monkeypatch.setattr(
        row_files, "_write_csv", lambda part, rows, *_: write(part, iter(change(list(rows))), {})
    )
    with pytest.raises(ValueError, match=words):
        large.apply([1, 1], suppression=0.5, to=tmp_path / "protected.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_solution_is_written(small, large, tmp_path):
    frames = []
    for table in (small, large):
        problem = LatticeProblem(table, ["k", "glm"], suppression=0.3)
        result = solve(problem, PBGEA(), budget=30, seed=1)
        report = result.protect(0, to=tmp_path / "protected.parquet", flag="out")
        assert report["rows"] == 400
        assert problem.protect(result.X[0], to=tmp_path / "again.parquet")["k"] == report["k"]
        frames.append(pd.read_parquet(tmp_path / "protected.parquet"))
    assert cells(frames[0]) == cells(frames[1])


def test_local_recodings_are_not_written(small, tmp_path):
    problem = LocalRecodingProblem(small, ["glm"], k=3)
    with pytest.raises(ValueError, match="expected with a problem of lattice nodes"):
        problem.protect(np.full(problem.n_var, 0.5), to=tmp_path / "protected.csv")


def test_categories_that_no_row_has_need_no_leaf(tmp_path):
    zones = pd.Categorical(["A", "B", "A"], categories=["A", "unknown", "B"])
    frame = pd.DataFrame({"age": [21, 22, 23], "zone": zones, "job": "cook", "name": "x"})
    frame.to_parquet(tmp_path / "rows.parquet")
    table = Microdata.from_parquet(tmp_path / "rows.parquet", engine="arrow", **ROLES)
    table.apply([0, 0], to=tmp_path / "protected.parquet")
    assert pd.read_parquet(tmp_path / "protected.parquet")["zone"].tolist() == ["A", "B", "A"]


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_values_that_are_tops_are_no_suppressed_rows(suffix, tmp_path):
    frame = pd.DataFrame({"zone": ["*", "*", "x", "y"]})
    table = Microdata(frame, quasi_identifiers=["zone"], hierarchies={"zone": "flat"})
    report = table.apply([0], k=2, suppression=2, to=tmp_path / f"found{suffix}")
    assert (report["suppressed"], report["classes"]) == (2, 1)
