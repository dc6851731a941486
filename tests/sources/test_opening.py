"""Tables of files, queries and frames: options, and what cannot be opened."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from anonopt.data import Hierarchy, Microdata
from anonopt.data.tables.table_files import read_table
from anonopt.evaluation import LatticeEvaluator
from anonopt.sources import DaskSource, DuckDBSource, LargeTable

duckdb = pytest.importorskip("duckdb")

FRAME = pd.DataFrame({"age": [21, 22, 21], "job": ["x", "y", "x"]})
ROLES = {
    "quasi_identifiers": ["age"],
    "hierarchies": {"age": Hierarchy.intervals(range(20, 30), width=5)},
    "sensitive": "job",
}
ENGINES = ("duckdb", "arrow", "dask")


@pytest.fixture
def file(tmp_path):
    FRAME.to_parquet(tmp_path / "rows.parquet")
    return tmp_path / "rows.parquet"


@pytest.fixture
def fingerprint():
    from anonopt.sources import PandasSource

    return LargeTable(PandasSource(FRAME), **ROLES).fingerprint


@pytest.mark.parametrize("engine", ENGINES)
class TestParquet:
    def test_a_file_a_pattern_and_a_folder(self, engine, file, client):
        FRAME.to_parquet(file.with_name("more.parquet"))
        for path, n_rows in ((file, 3), (file.with_name("*.parquet"), 6), (file.parent, 6)):
            assert Microdata.from_parquet(path, **ROLES, engine=engine).n_rows == n_rows

    def test_equal_to_the_frame(self, engine, file, client, fingerprint):
        assert Microdata.from_parquet(file, **ROLES, engine=engine).fingerprint == fingerprint

    def test_absent_file(self, engine, tmp_path):
        with pytest.raises(FileNotFoundError, match=r"found none at .*nothing\.parquet"):
            Microdata.from_parquet(tmp_path / "nothing.parquet", **ROLES, engine=engine)

    def test_broken_file(self, engine, tmp_path, client):
        (tmp_path / "broken.parquet").write_bytes(b"PAR1 and nothing that it says" * 9)
        with pytest.raises(ValueError, match=r"broken\.parquet by .*expected rows that can be re"):
            Microdata.from_parquet(tmp_path / "broken.parquet", **ROLES, engine=engine)

    @pytest.mark.parametrize(
        "more", [{"day": 3}, {"moment": pd.Timestamp("2020-01-01").as_unit("s")}]
    )
    def test_files_that_differ_in_another_column(self, engine, file, client, more):
        FRAME.assign(moment=pd.Timestamp("2020-01-01").as_unit("ns")).to_parquet(file)
        FRAME.assign(**more).to_parquet(file.with_name("second.PARQUET"))
        with pytest.raises(
            ValueError, match=r"second.PARQUET: expected the columns of .*same type"
        ):
            Microdata.from_parquet(file.parent, **ROLES, engine=engine)

    def test_files_that_differ(self, engine, file, client):
        FRAME.assign(age=FRAME["age"] + 0.5).to_parquet(file.with_name("some.parquet"))
        words = r"some\.parquet: .* of .*rows\.parquet .* 'age' of type (?i:double, there .*int)"
        with pytest.raises(ValueError, match=words):
            Microdata.from_parquet(file.parent, **ROLES, engine=engine)

    def test_a_folder_of_two_kinds(self, engine, file, client):
        FRAME.to_csv(file.with_name("more.csv"), index=False)
        words = r"found .*rows\.parquet \(Parquet\) and .*more\.csv \(CSV\); take one of them by"
        with pytest.raises(ValueError, match=words):
            Microdata.from_parquet(file.parent, **ROLES, engine=engine)

    def test_lists_are_no_values(self, engine, tmp_path, client):
        pq.write_table(pa.table({"age": [[1], [2]], "job": ["x", "y"]}), tmp_path / "a.parquet")
        with pytest.raises((TypeError, ValueError), match="expected single values, found"):
            Microdata.from_parquet(tmp_path / "a.parquet", **ROLES, engine=engine)

    def test_two_columns_of_one_name(self, engine, tmp_path, client):
        twice = pa.Table.from_arrays([pa.array([21]), pa.array([22])], ["age", "age"])
        pq.write_table(twice, tmp_path / "twice.parquet")
        with pytest.raises(ValueError, match=r"different names|rows that can be read"):
            Microdata.from_parquet(tmp_path / "twice.parquet", **ROLES, engine=engine)


def test_no_bar_is_written_between_our_lines(file):
    source = DuckDBSource.of_parquet(file)
    assert source.session.fetch("select current_setting('enable_progress_bar')") == [(False,)]


def test_an_unknown_engine(file):
    with pytest.raises(ValueError, match="engine: expected"):
        Microdata.from_parquet(file, **ROLES, engine="spark")


@pytest.mark.parametrize("option", [{"memory_limit": "1GB"}, {"max_tuples": 9}])
def test_options_of_another_engine(file, option):
    with pytest.raises(ValueError, match=f"{next(iter(option))}: expected with engine='duckdb'"):
        Microdata.from_parquet(file, **ROLES, engine="arrow", **option)


@pytest.mark.parametrize(
    ("option", "error"),
    [
        ({"memory_limit": "much"}, ValueError),
        ({"threads": 0}, ValueError),
        ({"temp_directory": "/no/such/folder"}, FileNotFoundError),
    ],
)
def test_wrong_options(file, option, error):
    with pytest.raises(error, match=next(iter(option))):
        Microdata.from_parquet(file, **ROLES, **option)


@pytest.mark.parametrize(
    ("engine", "module"), [("duckdb", "duckdb"), ("arrow", "pyarrow"), ("dask", "dask.dataframe")]
)
def test_engines_that_are_not_installed(file, engine, module, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'anonopt\[scale\]'"):
        Microdata.from_parquet(file, **ROLES, engine=engine)


def test_files_that_were_closed_are_opened_anew(file):
    source = DuckDBSource.of_parquet(file)
    assert source.distinct("age").counts.tolist() == [2, 1]
    folder = Path(source.session.fetch("select current_setting('temp_directory')")[0][0])
    assert folder.is_dir()
    source.close()
    assert not folder.exists()
    assert source.distinct("age").counts.tolist() == [2, 1]


class TestQueries:
    def test_a_query(self, fingerprint):
        connection = duckdb.connect()
        connection.register("people", FRAME)
        table = Microdata.from_duckdb(connection, "select * from people;", **ROLES)
        assert table.fingerprint == fingerprint
        table.source.close()
        assert connection.execute("select count(*) from duckdb_tables()").fetchall() == [(0,)]

    def test_a_query_that_fails(self):
        with pytest.raises(ValueError, match="the query 'select nothing' by DuckDB: expected rows"):
            Microdata.from_duckdb(duckdb.connect(), "select nothing", **ROLES)

    def test_two_columns_of_one_name(self):
        with pytest.raises(ValueError, match="query: expected columns of different names"):
            Microdata.from_duckdb(duckdb.connect(), "select 1 as a, 2 as a", **ROLES)

    def test_no_connection(self):
        with pytest.raises(TypeError, match="connection: expected a connection of DuckDB"):
            Microdata.from_duckdb("people.db", "select 1", **ROLES)

    def test_rows_that_change_are_noticed(self):
        connection = duckdb.connect()
        connection.register("frame", FRAME)
        connection.execute("create table people as select * from frame")
        table = Microdata.from_duckdb(connection, "select * from people", **ROLES)
        connection.execute("update people set age = 29 where age = 22")
        with pytest.raises(ValueError, match="it was changed in the meantime"):
            table.reduction()

    def test_another_process_has_the_counts(self):
        connection = duckdb.connect()
        connection.register("people", FRAME)
        table = Microdata.from_duckdb(connection, "select * from people", **ROLES)
        twin = pickle.loads(pickle.dumps(table))
        found = [LatticeEvaluator(one).evaluate([[1]], ["k", "l"]) for one in (table, twin)]
        assert found[0].equals(found[1])
        with pytest.raises(ValueError, match="expected the process that has its connection"):
            twin.source.distinct("age")


def test_files_are_opened_anew_in_another_process(file):
    table = Microdata.from_parquet(file, **ROLES)
    twin = pickle.loads(pickle.dumps(table.source))
    assert twin.distinct("job").counts.tolist() == [2, 1]


def test_memory_that_does_not_suffice(tmp_path):
    source = DuckDBSource.of_parquet(_long(tmp_path), memory_limit="1MB", threads=1)
    source.session.run("set max_temp_directory_size = '0KB'")
    with pytest.raises(MemoryError, match="by DuckDB: Out of Memory"):
        source.distinct("a")


def _long(folder):
    pd.DataFrame({"a": [f"text number {i}" for i in range(60_000)]}).to_parquet(
        folder / "l.parquet"
    )
    return folder / "l.parquet"


class TestCSV:
    TEXT = 'age,job\n21,x\n22,"y ""z"", ä"\n,\n'

    def opened(self, folder, text, **options):
        (folder / "a.csv").write_text(text, encoding="utf-8")
        return DuckDBSource.of_csv(folder / "a.csv", **options)

    def test_files_of_other_headers(self, tmp_path):
        (tmp_path / "b.csv").write_text("job,age\nx,21\n")
        with pytest.raises(ValueError, match=r"b.csv: expected the columns .* found \['job', 'age"):
            self.opened(tmp_path, self.TEXT)
            DuckDBSource.of_csv(tmp_path)

    def test_equal_to_what_is_read_into_memory(self, tmp_path):
        large = LargeTable(self.opened(tmp_path, self.TEXT), **ROLES)
        small = Microdata(read_table(tmp_path / "a.csv"), **ROLES)
        assert large.sensitive_labels == small.sensitive_labels == ("x", 'y "z", ä', "<missing>")
        assert large.reduction().codes.tolist() == small.reduction().codes.tolist()

    def test_a_delimiter_and_a_byte_order_mark(self, tmp_path):
        source = self.opened(tmp_path, "\ufeffage;job\n21;x\n", delimiter=";")
        assert list(source.columns) == ["age", "job"]
        assert source.distinct("age").values.tolist() == ["21"]

    @pytest.mark.parametrize("line", ["21", "21,x,y"])
    def test_lines_of_other_length(self, tmp_path, line):
        with pytest.raises(ValueError, match="expected rows that can be read"):
            self.opened(tmp_path, f"age,job\n21,x\n{line}\n22,y\n").distinct("age")

    def test_no_header(self, tmp_path):
        with pytest.raises(ValueError, match="expected a header"):
            self.opened(tmp_path, "")


class TestFrames:
    def test_arrow(self, fingerprint):
        table = pa.Table.from_pandas(FRAME)
        assert Microdata.from_arrow(table, **ROLES).fingerprint == fingerprint
        with pytest.raises(TypeError, match="dataset: expected an Arrow dataset"):
            Microdata.from_arrow(FRAME, **ROLES)

    def test_dask(self, fingerprint, client):
        import dask.dataframe

        frame = dask.dataframe.from_pandas(FRAME, npartitions=2)
        table = Microdata.from_dask(frame, **ROLES, client=client)
        assert table.fingerprint == fingerprint
        with pytest.raises(TypeError, match="frame: expected a Dask frame"):
            Microdata.from_dask(FRAME, **ROLES)
        with pytest.raises(TypeError, match="client: expected a client of Dask or an address"):
            DaskSource(frame, client=3)

    def test_a_connection_that_was_made_here_ends(self, client):
        import dask.dataframe

        frame = dask.dataframe.from_pandas(FRAME, npartitions=1)
        source = DaskSource(frame, client=client.scheduler.address)
        assert source.client is not client and source.n_rows == 3
        source.close()
        assert source.client.status == "closed"
        DaskSource(frame, client=client).close()
        assert client.status == "running"

    def test_a_source_that_travels_finds_its_cluster(self, client):
        import dask.dataframe

        source = DaskSource(dask.dataframe.from_pandas(FRAME, npartitions=2), client=client)
        found = pickle.loads(pickle.dumps(source))
        assert found.distinct("job").counts.tolist() == source.distinct("job").counts.tolist()
        assert found.client is not client
        found.close()
        assert client.status == "running"
        source._process += 1
        with pytest.raises(ValueError, match="expected the process that has its cluster"):
            _ = pickle.loads(pickle.dumps(source)).n_rows

    def test_no_scheduler_at_the_address(self, monkeypatch):
        import dask.dataframe

        monkeypatch.setattr("anonopt.sources.arrow.dask_clients.SECONDS_TO_ANSWER", 0.2)
        frame = dask.dataframe.from_pandas(FRAME, npartitions=2)
        with pytest.raises(ConnectionError, match=r"127\.0\.0\.1:9', where none answers"):
            Microdata.from_dask(frame, **ROLES, client="tcp://127.0.0.1:9")
