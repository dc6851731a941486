"""anonopt anonymize on rows that stay in files or in a database: as in memory, and refusals."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from anonopt.data import read_table

duckdb = pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

IN = 'file = "people.csv"  '
OUT = 'file = "protected.csv"'
QUERY = 'query = "select * from people order by number"'


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    with distributed.Client(
        processes=False, n_workers=1, threads_per_worker=1, dashboard_address=":0"
    ) as one:
        yield one


@pytest.fixture
def streamed(people, edited):
    """The configuration of the page on its table in other places."""
    frame = read_table(people / "people.csv")
    frame.to_parquet(people / "people.parquet", row_group_size=4)
    (people / "parts").mkdir()
    frame[:5].to_parquet(people / "parts" / "a.parquet")
    frame[5:].to_parquet(people / "parts" / "b.parquet")
    frame[:0].to_parquet(people / "empty.parquet")
    (people / "latin.csv").write_text("n\xe4me,age\n", encoding="cp1252")
    with duckdb.connect(people / "people.duckdb") as connection:
        numbered = frame.assign(number=range(len(frame)))
        connection.register("rows", numbered)
        connection.execute("create table people as select * from rows").fetchall()

    def edit(data, *pairs):
        return edited((IN, data + "\n#"), *pairs)

    return edit


PLACES = [
    'file = "people.parquet"',
    'file = "people.parquet"\nengine = "arrow"',
    'file = "parts"\nengine = "dask"',
    'file = "parts/*.parquet"\nmax_tuples = 3\nthreads = 1\ntemp_directory = "."',
    'file = "people.csv"\nengine = "duckdb"\nseparator = ","',
    f'file = "people.duckdb"\n{QUERY}',
]


def test_the_file_is_that_of_the_table_in_memory(run, people, streamed, client):
    config, text = people / "people.toml", (people / "people.toml").read_text()
    memory = run("anonymize", config, "--json").json
    content = (people / "protected.csv").read_bytes()
    for data in PLACES:
        config.write_text(text)
        found = run("anonymize", streamed(data), "--json", "--force")
        assert found.code == 0, found.err
        assert (people / "protected.csv").read_bytes() == content
        found, expected = found.json, json.loads(json.dumps(memory))
        assert len(found.pop("missing")) == (1 if "query" in data else 0)
        if "query" in data:
            found["dropped"].remove("number")
        assert found == expected


def test_classes_that_are_too_many_for_figures(run, people, streamed):
    found = run("anonymize", streamed('file = "people.parquet"\nmax_tuples = 1'), "--json")
    assert found.code == 0 and "more than 1 distinct tuples" in found.err
    assert found.json["check"] is None
    assert "its 2 classes are more than may be in memory" in found.json["missing"][0]


def test_parquet_is_written_with_its_types(run, people, streamed):
    config = streamed('file = "people.parquet"', (OUT, 'file = "protected.parquet"'))
    frame = pd.read_parquet(people / "people.parquet").assign(paid=[1.5, None] * 4 + [2.0])
    frame.to_parquet(people / "people.parquet")
    text = config.read_text().replace(
        'identifiers = ["name"]', 'identifiers = ["name"]\nkeep = "all"'
    )
    config.write_text(text)
    found = run("anonymize", config, "--json")
    assert found.code == 0, found.err
    assert found.json["missing"] == []
    written = pd.read_parquet(people / "protected.parquet")
    assert list(written.columns) == ["age", "zip", "education", "joined", "illness", "paid"]
    assert written["paid"].equals(frame["paid"])
    record = json.loads((people / "protected.parquet.record.json").read_text())
    assert [one["bytes"] for one in record["outputs"]] == [
        (people / "protected.parquet").stat().st_size
    ]
    assert record["inputs"][1]["file"].endswith("people.parquet")
    assert "duckdb" in record["versions"]


def test_a_kept_column_of_different_values_is_told(run, people, streamed):
    config = streamed('file = "people.parquet"')
    config.write_text(config.read_text().replace('identifiers = ["name"]', 'keep = ["name"]'))
    found = run("anonymize", config)
    assert found.code == 0
    assert "every value occurs once in 'name'" in found.err
    assert "not known:" not in found.out


@pytest.mark.parametrize(
    ("data", "pair", "words"),
    [
        ('file = "people.csv"\nengine = "arrow"', None, "expected 'duckdb' with a CSV"),
        ('file = "people.csv"\nengine = "polars"', None, "data.engine: expected 'duckdb', 'arrow'"),
        ('file = "people.csv"\nmax_tuples = 5', None, "data.max_tuples: expected with data.engine"),
        ('file = "people.parquet"\nengine = "arrow"\nthreads = 2', None, "data.threads: expected"),
        ('file = "parts"\nengine = "dask"\nquery = "select 1"', None, "data.query: expected with"),
        ('file = "people.parquet"\nseparator = ";"', None, "data.separator: expected with a CSV"),
        ('file = "people.csv"\nengine = "duckdb"\nmissing = ["?"]', None, "data.missing: expected"),
        ('file = "-"\nengine = "duckdb"', None, "data.file: expected a file that an engine reads"),
        ('file = "people.parquet"', ("k = 3", 'k = 3\nmethod = "local"'), "search.method: exp"),
        ('file = "people.parquet"', (OUT, f"{OUT}\nshuffle = true"), "output.shuffle: exp"),
        ('file = "people.parquet"', (OUT, 'file = "out.txt"'), "output.file: expected a name that"),
        ('file = "nowhere.parquet"', None, "nowhere.parquet"),
        ('file = "nowhere.duckdb"\nquery = "select 1"', None, "expected a database of DuckDB"),
        ('file = "people.csv"\nquery = "select 1"', None, "expected a database of DuckDB that can"),
        (f'file = "people.duckdb"\n{QUERY.replace("people", "nobody")}', None, "that can be read"),
        ('file = "people.parquet"\nmemory_limit = "much"', None, "memory_limit: expected a"),
        ('file = "people.parquet"', ("age = {", "ages = {"), "hierarchies: unknown column 'ages'"),
        ('file = "latin.csv"\nengine = "duckdb"', None, "latin.csv: expected utf-8 text, found"),
        ('file = "people.duckdb"', None, "data.query: expected a SELECT statement, as people"),
        ('file = "people.csv"\nquery = "select 1"', None, "found: a file of another kind"),
        ('file = "people.parquet"\nmemory_limit = "-4GB"', None, "expected a size such as '4GB'"),
        ('file = "parts"', (OUT, 'file = "parts/protected.parquet"'), "none of the input, found"),
        ('file = "empty.parquet"\nengine = "arrow"', None, "data.file: expected at least one row"),
        ('file = "empty.parquet"', None, "data.file: expected at least one row"),
    ],
)  # fmt: skip
def test_refusals_come_before_work(run, people, streamed, data, pair, words):
    config = streamed(data, *([] if pair is None else [pair]))
    found = run("anonymize", config)
    assert found.code == 2, found.out + found.err
    assert words in " ".join(found.err.split())
    assert not list(people.glob("protected*"))


def test_solve_takes_them(run, people, streamed):
    fronts = [
        run("solve", config(), "--json").json["front"]
        for config in (lambda: people / "people.toml", lambda: streamed('file = "people.parquet"'))
    ]
    assert fronts[0] == fronts[1]
    config = people / "people.toml"
    config.write_text(config.read_text().replace("#", "max_tuples = 3 #", 1))
    found = run("solve", config, "--json")
    assert found.json["front"] == fronts[0] and found.err.startswith("Note: Parquet ")
