"""Files, queries and columns that an engine would take for something else without a word."""

from __future__ import annotations

import os

import pandas as pd
import pytest

from anonopt.data import Microdata
from anonopt.evaluation import LatticeEvaluator
from anonopt.sources import LargeTable, PandasSource

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
duckdb = pytest.importorskip("duckdb")

ENGINES = ("duckdb", "arrow")
FRAME = pd.DataFrame({"a": [1, 1, 2, 2], "s": ["p", "q", "p", "q"]})


def flat(*columns):
    return {"quasi_identifiers": list(columns), "hierarchies": dict.fromkeys(columns, "flat")}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("is_reduced", [False, True])
def test_a_changed_file_is_not_protected(engine, is_reduced, tmp_path):
    path = tmp_path / "rows.parquet"
    FRAME.to_parquet(path)
    table = Microdata.from_parquet(path, engine=engine, sensitive="s", **flat("a"))
    if is_reduced:
        table.reduction()
    FRAME.assign(s=["p", "p", "q", "q"]).to_parquet(path)
    os.utime(path, ns=(1, 1))
    for target in ("protected.parquet", "protected.csv"):
        with pytest.raises(ValueError, match=r"as they were .* found .*rows.parquet changed"):
            table.apply([0], k=1, to=tmp_path / target)
    path.unlink()
    with pytest.raises(ValueError, match=r"rows.parquet gone"):
        table.apply([0], k=1, to=tmp_path / "protected.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_names_that_duckdb_would_change_are_written(suffix, tmp_path):
    frame = pd.DataFrame({"A": [1, 1], "a": ["x", "y"], "": [3, 3], "it's": [4, 4]})
    frame.to_parquet(tmp_path / "rows.parquet")
    roles = flat("A", "")
    with pytest.raises(ValueError, match=r"different names, found \['A', 'a'\]"):
        Microdata.from_parquet(tmp_path / "rows.parquet", **roles)
    with pytest.raises(ValueError, match=r"a name for each column, found none of column 2"):
        frame.drop(columns="a").to_parquet(tmp_path / "unnamed.parquet")
        Microdata.from_parquet(tmp_path / "unnamed.parquet", **roles)
    contents = []
    for table in (
        Microdata(frame, **roles),
        Microdata.from_parquet(tmp_path / "rows.parquet", engine="arrow", **roles),
    ):
        target = tmp_path / f"protected{suffix}"
        assert table.apply([0, 0], k=2, to=target, flag="IT'S")["k"] == 2
        read = pd.read_parquet if suffix == ".parquet" else pd.read_csv
        contents.append(read(target))
    pd.testing.assert_frame_equal(*contents)


def test_durations_have_the_labels_of_memory(tmp_path):
    frame = pd.DataFrame({"a": pd.to_timedelta(["1D", "2D", None])})
    frame.to_parquet(tmp_path / "rows.parquet")
    table = Microdata.from_parquet(tmp_path / "rows.parquet", **flat("a"))
    known = Microdata(frame, **flat("a"))
    assert table.hierarchies["a"].labels[0] == known.hierarchies["a"].labels[0]
    table.apply([0], k=1, to=tmp_path / "protected.csv")


@pytest.mark.parametrize("engine", ENGINES)
def test_columns_of_folders_are_kept(engine, tmp_path):
    for year in (1, 2):
        folder = tmp_path / "rows" / f"year={year}"
        folder.mkdir(parents=True)
        FRAME.to_parquet(folder / "part.parquet")
    table = Microdata.from_parquet(tmp_path / "rows", engine=engine, **flat("year", "a"))
    table.apply([0, 0], k=2, to=tmp_path / "protected.parquet")
    assert list(pd.read_parquet(tmp_path / "protected.parquet")["year"]) == ["1"] * 4 + ["2"] * 4


@pytest.mark.parametrize(
    ("sql", "error", "words"),
    [
        ("", ValueError, "expected one SELECT statement, found 0"),
        ("select 1 as a; drop table kept", ValueError, "expected one SELECT statement, found 2"),
        ("select 1 as a, 2 as A", ValueError, "different names"),
        ("select [1, 2]::int[2] as a", TypeError, "'a': expected single values"),
        ("select '10:00:00+02'::timetz as a", TypeError, "'a': .*TIME WITH TIME ZONE"),
        ("select '101'::bit as a", TypeError, "'a': .*BIT"),
        ("select 340282366920938463463374607431768211455::uhugeint as a", TypeError, "UHUGEINT"),
        ("select '0044-03-15 (BC)'::date as a", ValueError, "'a': expected values that Python has"),
        ("select 'infinity'::timestamp as a", ValueError, "years 1 to 9999"),
    ],
)
def test_queries_that_are_refused(sql, error, words):
    connection = duckdb.connect()
    connection.execute("create table kept as select 1 as a")
    with pytest.raises(error, match=words):
        Microdata.from_duckdb(connection, sql, **flat("a"))
    assert connection.execute("select count(*) from kept").fetchall() == [(1,)]


@pytest.mark.parametrize(
    ("sql", "is_kept"),
    [
        ("340282366920938463463374607431768211455::uhugeint", False),
        ("[340282366920938463463374607431768211455::uhugeint]", False),
        ("'10:00:00+02'::timetz", False),
        ("interval 1 month", False),
        ("'BIT'::enum('BIT', 'it''s')", True),
    ],
)
def test_columns_that_would_be_written_otherwise_are_refused(sql, is_kept, tmp_path):
    query = f"select 1 as a, {sql} as kept"
    table = Microdata.from_duckdb(duckdb.connect(), query, **flat("a"))
    if is_kept:
        assert table.apply([0], k=1, to=tmp_path / "protected.parquet")["rows"] == 1
        return
    for target in ("protected.parquet", "protected.csv"):
        with pytest.raises(TypeError, match=r"column 'kept': .* would be taken for others"):
            table.apply([0], k=1, to=tmp_path / target)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["timestamp", "date"])
def test_infinite_moments_are_refused_with_their_column(kind):
    sql = f"select * from (values ('infinity'::{kind}, 1), ('2020-01-01'::{kind}, 2)) t(born, n)"
    for roles in (
        {"quasi_identifiers": ["born"], "hierarchies": {"born": "flat"}},
        {"quasi_identifiers": ["n"], "hierarchies": {"n": "flat"}, "sensitive": "born"},
    ):
        with pytest.raises(ValueError, match="column 'born': expected"):
            Microdata.from_duckdb(duckdb.connect(), sql, **roles)


def test_a_query_may_end_in_a_comment_and_its_connection_be_closed():
    connection = duckdb.connect()
    table = Microdata.from_duckdb(connection, "select 1 as a -- one\n;", **flat("a"))
    connection.close()
    with pytest.raises(ValueError, match="already closed"):
        LatticeEvaluator(table).evaluate([[0]], ["k"])


@pytest.mark.parametrize("engine", ENGINES)
def test_lists_are_refused_in_csv_before_work(engine, tmp_path):
    frame = FRAME.assign(several=[[1], [2], None, [3]])
    frame.to_parquet(tmp_path / "rows.parquet")
    table = Microdata.from_parquet(tmp_path / "rows.parquet", engine=engine, **flat("a"))
    for one in (table, Microdata(frame, **flat("a"))):
        with pytest.raises(TypeError, match="'several': expected single values"):
            one.apply([0], k=1, to=tmp_path / "protected.csv")
    table.apply([0], k=1, to=tmp_path / "protected.parquet")
    assert not (tmp_path / "protected.csv").exists()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_broken_page_is_no_error_of_the_engine(engine, tmp_path):
    path = tmp_path / "rows.parquet"
    FRAME.to_parquet(path, compression=None)
    content = bytearray(path.read_bytes())
    content[4:40] = b"\xff" * 36
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"rows.parquet by .*: expected rows that can be read"):
        Microdata.from_parquet(path, engine=engine, **flat("a")).reduction()


@pytest.mark.parametrize("engine", ENGINES)
def test_the_broken_file_of_a_folder_is_named(engine, tmp_path):
    for name in ("a", "b", "c"):
        FRAME.to_parquet(tmp_path / f"{name}.parquet", compression=None)
    content = bytearray((tmp_path / "b.parquet").read_bytes())
    content[4:40] = b"\xff" * 36
    (tmp_path / "b.parquet").write_bytes(content)
    with pytest.raises(ValueError, match=r"expected rows that can be read, .*b\.parquet"):
        Microdata.from_parquet(tmp_path, engine=engine, **flat("a")).reduction()


def test_dictionaries_may_be_as_large_as_their_indices_allow(tmp_path):
    values = pa.array([f"v{number:03}" for number in range(128)])
    cells = pa.DictionaryArray.from_arrays(pa.array([0, None, 127, 0], pa.int8()), values)
    table = Microdata.from_arrow(pa.table({"a": cells}), **flat("a"))
    assert table.reduction().sizes.tolist() == [2, 1, 1]
    assert table.apply([0], k=1, to=tmp_path / "protected.parquet")["classes"] == 3
    found = pd.read_parquet(tmp_path / "protected.parquet")["a"]
    assert found.tolist() == ["v000", "<missing>", "v127", "v000"]


@pytest.mark.parametrize("kind", [pa.float16(), pa.float32(), pa.float64(), "lists", "records"])
def test_what_is_not_a_number_is_the_same_as_itself(kind, tmp_path):
    numbers = [float("nan"), 1.5, None]
    others = {"lists": [[one, 2.0] for one in numbers], "records": [{"x": one} for one in numbers]}
    cells = pa.array(others[kind]) if isinstance(kind, str) else pa.array(numbers, kind)
    pq.write_table(pa.table({"a": [1, 1, 2], "kept": cells}), tmp_path / "rows.parquet")
    table = Microdata.from_parquet(tmp_path / "rows.parquet", **flat("a"))
    assert table.apply([1], k=3, to=tmp_path / "protected.parquet")["rows"] == 3
    assert str(pq.read_table(tmp_path / "protected.parquet")["kept"]) == str(
        pa.chunked_array([cells])
    )


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_names_of_columns_that_are_numbers(suffix, tmp_path):
    frame = pd.DataFrame({0: [1, 1], 1: ["x", "y"]})
    table = Microdata(frame, **flat(0))
    assert table.apply([0], k=2, to=tmp_path / f"protected{suffix}")["classes"] == 1
    rows_of_arrow = LargeTable(PandasSource(frame), **flat(0))
    with pytest.raises(ValueError, match="column 0: expected a name that is text for Arrow"):
        rows_of_arrow.apply([0], k=2, to=tmp_path / f"other{suffix}")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "cells",
    [
        pa.array(["a", None, "a"], pa.string_view()),
        pa.array([1.5, None, 1.5], pa.float16()),
    ],
)
def test_types_that_arrow_computes_little_with_are_taken(engine, cells, tmp_path):
    pq.write_table(pa.table({"a": cells}), tmp_path / "rows.parquet")
    table = Microdata.from_parquet(tmp_path / "rows.parquet", engine=engine, **flat("a"))
    assert table.reduction().sizes.tolist() == [2, 1]
    assert table.apply([0], k=1, to=tmp_path / "protected.parquet")["classes"] == 2


@pytest.mark.parametrize(
    "cells",
    [
        pa.array([[("x", float("nan"))], None], pa.map_(pa.string(), pa.float64())),
        pa.array([[1.0, float("nan")], None], pa.list_(pa.float64(), 2)),
    ],
)
def test_nested_cells_that_are_not_a_number_stay(cells, tmp_path):
    pq.write_table(pa.table({"a": [1, 1], "kept": cells}), tmp_path / "rows.parquet")
    table = Microdata.from_parquet(tmp_path / "rows.parquet", **flat("a"))
    table.apply([0], k=2, to=tmp_path / "protected.parquet")
    found = pq.read_table(tmp_path / "protected.parquet")["kept"].to_pylist()
    assert repr(found) == repr(cells.to_pylist())
