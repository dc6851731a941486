"""anonopt anonymize with method = "local": the file, its check, and every way it can end."""

from __future__ import annotations

import json

import pytest

from anonopt.cli.console import plain
from anonopt.data import read_table
from anonopt.measures.lattice.check import check

COLUMNS = ["age", "zip", "education", "joined"]
LOCAL = ("k = 3", 'k = 3\nmethod = "local"\nbudget = 30')


@pytest.mark.parametrize("algorithm", ["", "random", "mondrian", "k-member"])
def test_file_is_what_the_search_found_and_holds_as_it_is_read_back(run, people, edited, algorithm):
    named = f'{LOCAL[1]}\nalgorithm = "{algorithm}"' if algorithm else LOCAL[1]
    outcome = run("anonymize", edited((LOCAL[0], named)), "--json")
    assert outcome.code == 0, outcome.err
    found = outcome.json
    protected = read_table(people / "protected.csv")
    report = check(
        protected, quasi_identifiers=COLUMNS, sensitive="illness", k=3, l=2, suppressed="*"
    )
    assert found["check"] == plain(report.to_dict())
    assert found["check"]["anonymous"] is True
    assert (found["method"], found["n_classes"]) == ("local", report["classes"])
    assert found["figures"]["suppressed"] == report["suppressed"] <= 1
    loss = {one["quasi_identifier"]: one for one in found["attribute_loss"]}
    assert sum(one["glm"] for one in loss.values()) == pytest.approx(found["figures"]["glm"])
    kept = (protected[COLUMNS] != "*").any(axis=1)
    for column in COLUMNS:
        assert loss[column]["labels"] == protected.loc[kept, column].nunique()
    figures = run(
        "compare-files", people / "people.csv", people / "protected.csv", "--hierarchies",
        people / "people.toml", "--json",
    ).json  # fmt: skip
    assert figures["DBIL"] == pytest.approx(100 * found["figures"]["glm"] / (9 * 4))


def test_local_recoding_loses_no_more_than_the_best_node(run, people, edited):
    node = run("anonymize", people / "people.toml", "--json").json
    local = run("anonymize", edited(LOCAL), "--json", "--force").json
    assert local["figures"]["glm"] <= node["figures"]["glm"]


def test_same_seed_same_file_and_the_record_tells_what_made_it(run, people, edited):
    config = edited(LOCAL)
    assert run("anonymize", config).code == 0
    first = (people / "protected.csv").read_bytes()
    assert run("anonymize", config, "--force").code == 0
    assert (people / "protected.csv").read_bytes() == first
    told = json.loads((people / "protected.csv.record.json").read_text(encoding="utf-8"))
    assert told["parameters"]["search"]["method"] == "local"
    assert told["recoding"]["n_classes"] >= 2
    assert told["figures"]["k"] >= 3


def test_text_for_people_explains_labels_that_overlap(run, edited):
    outcome = run("anonymize", edited(LOCAL))
    assert "9 rows, 4 quasi-identifiers, local recoding" in outcome.out
    assert "a better one may exist" in outcome.out
    assert "Chosen recoding" in outcome.out
    assert "anonymous as asked: k >= 3, l >= 2" in outcome.out


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        (("k = 3", 'k = 3\nmethod = "cells"'), 2,
         "search.method: expected 'lattice' or 'local', found 'cells'"),
        (("k = 3", 'k = 10\nmethod = "local"'), 2, "search.k: expected at most 9, the rows of"),
        (("k = 3", 'k = 3\nmethod = "local"\nnode = [1]'), 2,
         "search.node: expected search.method 'lattice', found 'local'"),
        (("k = 3", 'k = 3\nmethod = "local"\ntest_budget = 5'), 2,
         "search.test_budget: expected search.method 'lattice'"),
        (("k = 3", 'k = 3\ncuts = "strict"'), 2, "search.cuts: expected search.method 'local'"),
        (("k = 3", "k = 3\nseconds = 5"), 2, "search.seconds: expected search.method 'local'"),
        (("k = 3", 'k = 3\nmethod = "local"\nseconds = 0'), 2,
         "search.seconds: expected a number above 0, found 0"),
        (("k = 3", 'k = 3\nmethod = "local"\ncuts = "loose"'), 2,
         "search.cuts: expected one of"),
        (("k = 3", 'k = 3\nmethod = "local"\nalgorithm = "pbge"'), 2, "did you mean pbgea?"),
        (("k = 3", 'k = 3\nmethod = "local"\nalgorithm = "ola"'), 2,
         "search.algorithm: ola: expected a space of levels"),
        (('sensitive = "illness"', ""), 2, "measure 'l' needs a sensitive column"),
        (('zip = { builder = "text" }\n', ""), 2, "the quasi-identifier 'zip'"),
        (("l = 2", "l = 4"), 1, "with all rows in one group, l is 3, asked for >= 4"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_before_anything_is_searched(
    run, people, edited, change, code, message
):
    pairs = [change] if change[0] == LOCAL[0] else [LOCAL, change]
    outcome = run("anonymize", edited(*pairs))
    assert outcome.code == code
    assert message in outcome.out + outcome.err
    assert "Searching" not in outcome.err
    assert not (people / "protected.csv").exists()


def test_labels_that_are_not_clear_side_by_side_are_refused(run, people, edited):
    lines = ["school,low,*", "bachelor,school,*", "master,school,*", "doctor,school,*"]
    (people / "education.csv").write_text("\n".join(lines), encoding="utf-8")
    text = (people / "people.toml").read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if line.startswith("education =")]
    outcome = run("anonymize", edited(LOCAL, (line, 'education = "education.csv"')))
    assert outcome.code == 2
    assert "column 'education'" in outcome.err and "'school' on levels 0 and 1" in outcome.err


def test_a_node_is_of_the_lattice(run, edited):
    outcome = run("anonymize", edited(LOCAL), "--node", "1,0,2,1")
    assert outcome.code == 2
    assert "--node: expected search.method 'lattice', found 'local'" in outcome.err


def test_trade_offs_of_a_table_are_those_of_local_recodings(run, people, edited):
    front = people / "front.csv"
    outcome = run("solve", edited(LOCAL, ("l = 2", "")), "--budget", 40, "--output", front)
    assert outcome.code == 0, outcome.err
    table = read_table(front)[["k", "glm"]].astype(float)
    assert table["k"].min() >= 3
    assert table.sort_values("k")["glm"].is_monotonic_increasing


def test_solve_takes_the_genomes_of_the_algorithm_and_tells_keys_of_the_file(run, edited):
    config = edited(LOCAL)
    for algorithm in ("k-member", "es"):
        words = ["--objective", "glm", "--algorithm", algorithm, "--budget", 5]
        assert run("solve", config, *words).code == 0
    unmet = run("solve", config, "--objective", "glm", "--constraint", "average_class_size=0.5",
                "--algorithm", "es", "--budget", 3)  # fmt: skip
    assert unmet.code == 1
    assert "fails average_class_size" in unmet.out and "nearest" not in unmet.out


def test_solve_refuses_a_k_above_the_rows(run, edited):
    outcome = run("solve", edited(("k = 3", 'k = 10\nmethod = "local"')))
    assert outcome.code == 2
    assert "search.k: expected at most 9, the rows of" in outcome.err


def test_a_table_of_europe_goes_through_init_and_anonymize(run, tmp_path):
    rows = [
        f"{name};{age};{place};{pay},5;{ill}"
        for name, age, place, pay, ill in [
            ("Müller", 34, "01067", 21, "flu"), ("Größe", "", "01069", 22, "cold"),
            ("Çelik", 31, "01097", 25, "flu"), ("Núñez", 36, "80331", 30, "asthma"),
            ("Straß", 52, "80333", 31, "cold"), ("Žižek", 57, "80335", 28, "flu"),
            ("Fußer", 55, "20095", 40, "asthma"), ("Öhler", 58, "20097", 41, "cold"),
        ]
    ]  # fmt: skip
    text = "\r\n".join(["Name;Alter;PLZ;Lohn;Krankheit", *rows, ""])
    (tmp_path / "leute.csv").write_bytes(text.encode("cp1252"))
    assert run("init", tmp_path / "leute.csv").code == 0
    config = tmp_path / "leute.toml"
    draft = config.read_text(encoding="utf-8")
    assert draft.count("[search]\n") == 1 and 'method = "local"' in draft
    local = draft.replace('# method = "local"', 'method = "local"')
    config.write_text(local.replace("[search]\n", "[search]\nbudget = 20\n"), encoding="utf-8")
    outcome = run("anonymize", config, "--json")
    assert outcome.code == 0, outcome.err
    written = (tmp_path / "leute-protected.csv").read_bytes()
    assert written.count(b"\r\n") == 9 and b";" in written
    assert outcome.json["check"]["anonymous"] is True
