"""Configuration files: every wrong one is refused by the name of what is wrong."""

from __future__ import annotations

import pytest

from anonopt.cli.configuration.config import read_config
from anonopt.cli.configuration.hierarchies import build_hierarchies
from anonopt.data import Hierarchy, read_table

WRONG = [
    # unknown keys, each with the nearest known one
    ("k = 3", "kk = 3", "unknown key of [search] 'kk'; did you mean k?"),
    ("[search]", "[serch]", "unknown key 'serch'; did you mean search?"),
    ("sensitive =", "sensitve =", "unknown key of [data] 'sensitve'; did you mean sensitive?"),
    ("width = 10", "widht = 10", "hierarchies.age: unknown key 'widht'; did you mean width?"),
    ("[output]", '[output]\nname = "x"', "unknown key of [output] 'name'"),
    # values of another kind
    ("k = 3", 'k = "3"', "search.k: expected a whole number of at least 1, found '3'"),
    ("k = 3", "k = 0", "search.k: expected a whole number of at least 1, found 0"),
    ("k = 3", "k = true", "search.k: expected a whole number of at least 1, found True"),
    ("l = 2", "l = 1.5", "search.l: expected"),
    ("l = 2", "t = 1.5", "search.t: expected a number in 0..1, found 1.5"),
    ("= 1  ", "= 1.5  ", "search.suppression: expected a share"),
    ("= 1  ", "= -1  ", "search.suppression: expected a share"),
    ("= 1  ", "= 9  ", "expected a budget of 0 to 8 rows for a table of 9 rows, found 9"),
    ('file = "people.csv"', "file = 5", "data.file: expected a text, found 5"),
    ('["name"]', '"name"', "data.identifiers: expected a list of texts, found 'name'"),
    ("k = 3", "k = = 3", "expected TOML"),
    # what the table does not have
    ("k = 3", "k = 10", "search.k: expected at most 9, the rows of people.csv, found 10"),
    ('"zip", "edu', '"zp", "edu', "quasi-identifier 'zp'"),
    ('"illness"', '"ilness"', "sensitive 'ilness'"),
    ('["name"]', '["age"]', "column 'age': expected one role"),
    ('"people.csv"', '"peple.csv"', "peple.csv: No such file"),
    # hierarchies
    ("zip = ", "zp = ", "hierarchies: unknown column 'zp'; did you mean zip?"),
    ('zip = { builder = "text" }\n', "", "expected one for the quasi-identifier 'zip'"),
    ('zip = { builder = "text" }', "zip = 5", "hierarchies.zip: expected the path of a CSV file"),
    ('{ builder = "text" }', '"none.csv"', "none.csv: No such file"),
    ('"text"', '"txt"', "hierarchies.zip: builder: expected one of 'csv', 'dates', 'intervals'"),
    ('builder = "text"', "length = 5", "hierarchies.zip: builder: expected one of"),
    ('"text"', '"text", length = 3', "hierarchies.zip: values: expected at most 3 characters"),
    ('"text"', '"text", mask = 1', "hierarchies.zip: mask: expected a text, found 1"),
    ("width = 10, ", "", "hierarchies.age: width: expected a number, found none"),
    ("width = 10", "width = -1", "hierarchies.age: width: expected a number above 0"),
    ("width = 10", "width = 10, high = 60", "hierarchies.age: values: expected numbers in the"),
    ('"month", "year"', '"week"', "hierarchies.joined: levels"),
    (', "doctor"', "", "column 'education': expected a value of its hierarchy, found 'doctor'"),
    ('values = ["school"', 'order = ["school"', "hierarchies.education: unknown key 'order'"),
    ('builder = "text"', 'builder = "tree", tree = {"*" = 5}', "hierarchies.zip: tree: expected"),
    ('builder = "text"', 'builder = "tree"', "hierarchies.zip: tree: expected a table, found none"),
    ('builder = "text"', 'builder = "csv"', "hierarchies.zip: path: expected a text, found none"),
    # search and output
    ('"glm"', '"gml"', "unknown measure 'gml'"),
    ('"glm"', '"cm"', "target"),
    ("k = 3", 'k = 3\nalgorithm = "rando"', "did you mean random?"),
    (
        "k = 3",
        'k = 3\nalgorithm = "nsga2"',
        "nsga2: expected a problem of 2 objectives or more",
    ),
    ('"protected.csv"', '"none/protected.csv"', "expected an existing folder"),
    (
        '"protected.csv"',
        '"protected.parquet"',
        "output.file: expected a CSV file, found .parquet in protected.parquet: people.csv",
    ),
]


@pytest.mark.parametrize(("old", "new", "message"), WRONG, ids=lambda text: text[:24])
def test_wrong_configuration_is_refused(run, people, edited, old, new, message):
    outcome = run("anonymize", edited((old, new)))
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
    assert not (people / "protected.csv").exists()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("", "data.file: expected at least one row, found none in people.csv"),
        (
            "Ada,34,,master,2014-03-01,flu\n",
            "hierarchies.zip: expected a value to build it of, fou",
        ),
    ],
)
def test_tables_without_values_are_refused(run, people, rows, message):
    (people / "people.csv").write_text("name,age,zip,education,joined,illness\n" + rows)
    outcome = run("anonymize", people / "people.toml")
    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


@pytest.mark.parametrize("section", ["data", "hierarchies", "search", "output"])
def test_missing_section_is_named(run, edited, people, section):
    config = people / "people.toml"
    parts = config.read_text(encoding="utf-8").split("\n\n")
    kept = [part for part in parts if not part.startswith(f"[{section}]")]
    config.write_text("\n\n".join(kept), encoding="utf-8")
    outcome = run("anonymize", config)
    assert outcome.code == 2
    assert f"expected a section [{section}], found none" in outcome.err


@pytest.mark.parametrize(
    ("line", "key"), [("k = 3\n", "search.k"), ('file = "protected.csv"\n', "output.file")]
)
def test_missing_required_key_is_named(run, edited, line, key):
    outcome = run("anonymize", edited((line, "")))
    assert outcome.code == 2
    assert f"{key}: expected" in outcome.err


def test_missing_configuration_is_named(run, tmp_path):
    outcome = run("anonymize", tmp_path / "none.toml")
    assert outcome.code == 2
    assert "none.toml" in outcome.err


def test_defaults_are_those_of_the_page(edited):
    config = read_config(edited(("suppression = 1  ", "#"), ("l = 2", ""), ('objective = "', '#"')))
    assert config.search.suppression == 0
    assert config.search.bounds == {}
    assert (config.search.objective, config.search.seed) == ("glm", 1)


TREE = '{ builder = "tree", tree = { "*" = { North = ["A", "B"], South = ["C"] } } }'


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (TREE, Hierarchy.from_tree({"*": {"North": ["A", "B"], "South": ["C"]}})),
        ('{ builder = "csv", path = "zone.csv", header = true }', [["A", "B", "C"], ["*"] * 3]),
        (
            '{ builder = "ordered", values = ["C", "B", "A"], fan_outs = [2] }',
            Hierarchy.ordered(["C", "B", "A"], fan_outs=[2]),
        ),
        (
            '{ builder = "text", length = 2, direction = "left_to_right" }',
            Hierarchy.text(["A", "C"], length=2, direction="left_to_right"),
        ),
        (
            '{ builder = "text", values = ["A", "B", "C"] }',
            Hierarchy.text(["A", "B", "C"]),
        ),
    ],
)
def test_builders_are_those_of_the_library(tmp_path, entry, expected):
    (tmp_path / "zone.csv").write_text("value,all\nA,*\nB,*\nC,*\n", encoding="utf-8")
    (tmp_path / "table.csv").write_text("zone\nA\nC\n", encoding="utf-8")
    config = tmp_path / "config.toml"
    config.write_text(
        f'[data]\nfile = "table.csv"\nquasi_identifiers = ["zone"]\n'
        f'[hierarchies]\nzone = {entry}\n[search]\nk = 1\n[output]\nfile = "out.csv"\n',
        encoding="utf-8",
    )
    built = build_hierarchies(read_config(config), read_table(tmp_path / "table.csv"))["zone"]
    assert built == (expected if isinstance(expected, Hierarchy) else Hierarchy(expected))


@pytest.mark.parametrize("entry", ['"flat"', '"zip.csv"'])
def test_flat_and_files_are_equal_ways(run, people, edited, entry):
    zips = read_table(people / "people.csv")["zip"].unique()
    text = "".join(f"{value},*\n" for value in zips)
    (people / "zip.csv").write_text(text, encoding="utf-8")
    found = run("anonymize", edited(('{ builder = "text" }', entry)), "--json").json
    assert found["n_nodes"] == 288 // 6 * 2
