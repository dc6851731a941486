"""Compared files at the edges: generalized ones, percentages, missing numbers, known seeds."""

from __future__ import annotations

import json
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import anonopt as ao
from anonopt.cli import app
from anonopt.data import read_table

m = ao.masking


@pytest.fixture
def people():
    rng = np.random.default_rng(11)
    return pd.DataFrame(
        {
            "age": rng.integers(18, 80, 400),
            "zone": rng.choice(list("abcdef"), 400),
            "grade": rng.choice(["low", "mid", "high"], 400),
        }
    )


ORDER = {"grade": ["low", "mid", "high"]}


def average_risk(frame, names):
    return 100 * ao.check(frame, quasi_identifiers=names)["average_risk"]


def test_point_05_known_seed_gives_the_whole_file_back():
    frame = pd.DataFrame({"income": np.random.default_rng(1).permutation(5999)})
    method = m.RankSwapping(p=10, random_state=1)
    masked = method.fit_transform(frame)
    found = ao.attack(frame, masked, method)
    assert found["undone"] == 100
    assert "random_state=1" in found["assumed"]
    assert ao.attack(frame, masked, m.RankSwapping(p=10, random_state=2))["undone"] < 1


@pytest.mark.parametrize("k", [2, 5, 20])
def test_point_06_linkage_of_mondrian_is_the_average_risk(people, k):
    columns = ["age", "grade"]
    masked = m.Mondrian(k=k, columns=columns, ordinal=ORDER).fit_transform(people)
    found = ao.compare(people, masked, columns=columns, ordinal=ORDER)
    assert found["DBRL"] == pytest.approx(average_risk(masked, columns))
    assert 0 < found["DBIL"] < 50


HIERARCHIES = {
    "age": ao.Hierarchy.intervals(range(18, 80), width=5, fan_outs=[2, 2]),
    "zone": ao.Hierarchy.from_tree({"*": {"north": list("abc"), "south": list("def")}}),
    "grade": ao.Hierarchy.ordered(["low", "mid", "high"], fan_outs=[2]),
}
NODES = [[0, 0, 0], [1, 0, 1], [2, 1, 0], [3, 1, 1], [4, 2, 2]]


@pytest.mark.parametrize("node", NODES, ids=str)
def test_point_06_linkage_and_loss_of_a_node(people, node):
    names = list(people)
    table = ao.Microdata(people, quasi_identifiers=names, hierarchies=HIERARCHIES)
    protected = table.apply(node)
    found = ao.compare(people, protected, hierarchies=HIERARCHIES)
    loss = ao.LatticeEvaluator(table).evaluate([node], measures=["glm_normalized"])
    assert found["DBRL"] == pytest.approx(average_risk(protected, names))
    assert found["DBIL"] == pytest.approx(100 * loss["glm_normalized"][0])
    assert 0 <= found["IL"] <= 100


@pytest.mark.parametrize("k", [2, 5, 12])
def test_point_06_suppressed_rows_cover_everybody(people, k):
    names = list(people)
    table = ao.Microdata(people, quasi_identifiers=names, hierarchies=HIERARCHIES)
    protected, mask = table.apply([2, 1, 1], k=k, suppression=0.5, return_mask=True)
    report = ao.check(protected, quasi_identifiers=names, suppressed="*")
    found = ao.compare(people, protected, hierarchies=HIERARCHIES)
    assert found["DBRL"] == pytest.approx(
        100 * (report["classes"] + mask.sum() / len(people)) / len(people)
    )


def test_point_06_level_zero_is_the_original(people):
    table = ao.Microdata(people, quasi_identifiers=list(people), hierarchies=HIERARCHIES)
    found = ao.compare(people, table.apply([0, 0, 0]), hierarchies=HIERARCHIES)
    assert found[["DBIL", "CTBIL", "EBIL", "IL", "ID"]].tolist() == [0, 0, 0, 0, 100]
    same = ao.compare(people, people, ordinal={"age": None})
    assert found[["DBRL", "PRL", "DR"]].tolist() == pytest.approx(same[["DBRL", "PRL", "DR"]])


TYPES = ["int64", "Int64", "float64", "object", "string", "category"]


@pytest.mark.parametrize("dtype", TYPES)
def test_point_06_labels_cover_values_of_every_type(dtype):
    ages = pd.Series([21, 24, 38, 39])
    text = ages.astype(str) if dtype in ("string", "object") else ages
    original = pd.DataFrame({"age": text.astype(dtype)})
    masked = pd.DataFrame({"age": ["[20, 30)", "24", "30-39", "*"]})
    # Losses 1/3, 0, 1/3 and 1 of four cells.
    assert ao.compare(original, masked)["DBIL"] == pytest.approx(100 * (5 / 3) / 4)
    assert ao.compare(original, masked.astype("category"))["DBRL"] == pytest.approx(
        100 * (1 / 2 + 1 + 1 / 2 + 1 / 4) / 4
    )


DAYS = pd.to_datetime(["2014-09-03", "2014-09-04", "2014-10-01", "2015-01-01"])
AGES = pd.Series([21, 24, 38, 39])


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        (DAYS, ["2014-09", "2014-09", "2014-10-01", "*"]),
        (DAYS.tz_localize("Europe/Berlin"), ["2014-09", "2014-09", "2014-10-01", "*"]),
        (DAYS.strftime("%Y-%m-%d"), ["2014-09", "2014-09", "2014-10-01", "*"]),
        ([day.date() for day in DAYS], ["[2014-09-03, 2014-10-01)", "2014-09", "2014-10-01", "*"]),
        (AGES, [pd.Interval(20, 30), pd.Interval(20, 30), 38.0, "*"]),
        ([Decimal(str(age)) for age in AGES], ["[20, 30[", "<30", "38.0", "*"]),
        ([10**17 + age for age in AGES], [f"<={10**17 + 24}", f"<{10**17 + 30}", 10**17 + 38, "*"]),
    ],
)
def test_point_06_labels_over_values_of_every_kind(values, labels):
    original, masked = pd.DataFrame({"x": values}), pd.DataFrame({"x": labels})
    assert ao.compare(original, masked)["DBIL"] == pytest.approx(100 * (1 / 3 + 1 / 3 + 1) / 4)


def test_point_06_truth_values():
    original = pd.DataFrame({"x": [True, False, True, True]})
    masked = pd.DataFrame({"x": ["*", "false", "true", "{True, False}"]})
    assert ao.compare(original, masked)["DBIL"] == 50


def test_point_06_intervals_of_pandas():
    masked = pd.DataFrame({"x": pd.cut(AGES, [20, 30, 40])})
    found = ao.compare(pd.DataFrame({"x": AGES}), masked)
    assert found[["DBIL", "DBRL"]].tolist() == pytest.approx([100 / 3, 50])


def test_point_06_plain_recodings_stay_categories(people):
    masked = m.GlobalRecoding(p=3, columns=["zone"]).fit_transform(people)
    rows = (masked["zone"] != people["zone"]).mean()
    assert ao.compare(people, masked, columns=["zone"])["DBIL"] == pytest.approx(100 * rows)


@pytest.mark.parametrize(
    "labels",
    [
        ["[20, 30)", "[20, 30)", "thirties", "thirties"],
        ["young", "young", "old", "old"],
        ["[20, 30)", "[20, 30)", "[90, 99]", "*"],
    ],
)
def test_point_06_labels_that_cannot_be_read_are_an_error(labels):
    original = pd.DataFrame({"age": [21, 24, 38, 39]})
    with pytest.raises(ValueError, match=r"column 'age': expected a value.*found '"):
        ao.compare(original, pd.DataFrame({"age": labels}))


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def files(people, tmp_path):
    """An original, a node of it and a configuration that names the hierarchies."""
    people.to_csv(tmp_path / "people.csv", index=False)
    for name, tree in HIERARCHIES.items():
        tree.to_csv(tmp_path / f"{name}.csv")
    (tmp_path / "people.toml").write_text(
        '[data]\nfile = "people.csv"\nquasi_identifiers = ["age", "zone", "grade"]\n'
        '[hierarchies]\nage = "age.csv"\nzone = "zone.csv"\ngrade = "grade.csv"\n'
        '[search]\nk = 2\n[output]\nfile = "out.csv"\n',
        encoding="utf-8",
    )
    table = ao.Microdata(people, quasi_identifiers=list(people), hierarchies=HIERARCHIES)
    table.apply([2, 1, 0]).to_csv(tmp_path / "protected.csv", index=False)
    return tmp_path


@pytest.mark.parametrize("source", ["people.toml", "."])
def test_point_06_on_the_command_line(files, people, source):
    result = run(
        "compare-files",
        files / "people.csv",
        files / "protected.csv",
        "--hierarchies",
        files / source,
        "--json",
    )
    assert result.exit_code == 0, result.output
    wanted = ao.compare(people, read_table(files / "protected.csv"), hierarchies=HIERARCHIES)
    assert json.loads(result.stdout)["DBRL"] == wanted["DBRL"]
    assert json.loads(result.stdout)["IL"] == wanted["IL"]


def test_point_06_unread_labels_on_the_command_line(files):
    result = run("compare-files", files / "people.csv", files / "protected.csv")
    assert result.exit_code == 2
    assert "column 'zone'" in result.stderr
    assert "'north'" in result.stderr or "'south'" in result.stderr


@pytest.mark.parametrize("dimension", [1, 2, 3])
@pytest.mark.parametrize("generalized", [False, True])
def test_point_14_differences_a_cell_are_times_100(people, dimension, generalized):
    original = people.iloc[:8].astype(object)
    moved = original.assign(zone="a", grade="low")
    if generalized:
        dimension = min(dimension, 2)
        moved = moved.assign(zone="*")
    options = {"dimension": dimension, "columns": ["zone", "grade"]}
    found = ao.compare(original, moved, per_cell=True, **options)
    coded = ao.data.CategoricalColumns.of(original, columns=["zone", "grade"], others=[moved])
    sizes = [len(set(labels) - {"*"}) for labels in coded.labels]
    n_tables = min(dimension, 2)
    n_cells = sum(sizes) + (sizes[0] * sizes[1] if n_tables == 2 else 0)
    plain = ao.compare(original, moved, **options)
    # The mean over the tables is that of 2N each; here all counts move by the sum over all cells.
    difference = plain["CTBIL"] * 2 * len(original) * (2 + (n_tables == 2))
    assert found["CTBIL"] == pytest.approx(difference / n_cells)
    assert found["IL"] == pytest.approx(found[["DBIL", "CTBIL", "EBIL"]].mean())


def test_point_14_two_cells_that_move_by_three_records():
    original, moved = pd.DataFrame({"x": list("aaa")}), pd.DataFrame({"x": list("bbb")})
    assert ao.compare(original, moved, per_cell=True)["CTBIL"] == 300
    evaluator = ao.MaskingEvaluator(
        ao.data.CategoricalColumns.of(original, others=[moved]), per_cell=True
    )
    assert evaluator.measure(np.array([[1], [1], [1]])).figures().CTBIL == 300


@pytest.mark.parametrize("dtype", ["float64", "Float64", "Int64", "object"])
def test_point_32_missing_numbers_stay_missing(dtype):
    original = pd.DataFrame({"x": [1, 2, None, 9, None], "y": [5, 3, 4, 1, 2]})
    masked = pd.DataFrame({"x": [1, 3, None, None, 9], "y": [5, 3, 4, 1, 2]})
    found = ao.compare(original.astype(dtype), masked.astype(dtype))
    # One of eight, two cells a range away, of ten cells.
    assert found["DBIL"] == pytest.approx(100 * (1 / 8 + 2) / 10)
    same = ao.compare(original.astype(dtype), original.astype(dtype))
    assert same[["DBIL", "PIL", "ID", "DBRL"]].tolist() == [0, 0, 100, 100]


def test_point_32_on_the_command_line(tmp_path):
    (tmp_path / "a.csv").write_text('x,y\n1,5\n"",3\n4,2\n', encoding="utf-8")
    (tmp_path / "b.csv").write_text('x,y\n1,5\n"",3\n"",2\n', encoding="utf-8")
    result = run("compare-files", tmp_path / "a.csv", tmp_path / "b.csv", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["DBIL"] == pytest.approx(100 / 6)


def test_attacker_on_the_command_line(tmp_path):
    frame = pd.DataFrame({"income": np.random.default_rng(2).permutation(300)})
    masked = m.RankSwapping(p=10, random_state=4).fit_transform(frame)
    frame.to_csv(tmp_path / "a.csv", index=False)
    masked.to_csv(tmp_path / "b.csv", index=False)
    words = ["compare-files", tmp_path / "a.csv", tmp_path / "b.csv", "--method", "rank-swapping"]
    found = json.loads(run(*words, "--p", 10, "--seed", 4, "--json").stdout)
    assert found["undone"] == 100
    assert found["linked"] == found["RSRL"]
    assert "random_state=4" in found["assumed"]
    shown = run(*words, "--p", 10).stdout
    assert "not the seed" in shown and "undone" not in shown.replace("linked and undone", "")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seed", 4], "--method: expected the method that the attacker knows beside --seed"),
        (["--method", "mdav"], "unknown method that protects by chance 'mdav'"),
        (["--method", "rank-swapping"], "--method rank-swapping: expected --p, found none"),
        (["--method", "rank-swapping", "--p", 5, "--theta", 0.5], "expected none of --theta"),
    ],
)
def test_wrong_attackers_are_named(tmp_path, words, message):
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text("x\n1\n2\n", encoding="utf-8")
    result = run("compare-files", tmp_path / "a.csv", tmp_path / "b.csv", *words)
    assert result.exit_code == 2
    assert message in result.stderr
