"""anonopt init: drafts that run as they are, for tables of every kind."""

from __future__ import annotations

import zipfile

import pandas as pd
import pytest

import anonopt as ao
from anonopt.cli.configuration.config import read_config
from anonopt.data import read_table


def drafted(run, path):
    """Draft the configuration of a table and read it."""
    outcome = run("init", path)
    assert outcome.code == 0, outcome.err
    return read_config(path.with_suffix(".toml"))


@pytest.mark.parametrize("name", ["adult", "german"])
def test_draft_runs_as_it_is(run, tmp_path, name):
    path = tmp_path / f"{name}.csv"
    ao.load_dataset(name).frame.head(2000).to_csv(path, index=False)
    config = drafted(run, path)
    assert "age" in config.data.quasi_identifiers
    outcome = run("anonymize", path.with_suffix(".toml"), "--json")
    assert outcome.code == 0, outcome.err
    protected = read_table(tmp_path / f"{name}-protected.csv")
    qi = list(config.data.quasi_identifiers)
    assert ao.check(protected, quasi_identifiers=qi, k=5, suppressed="*")["anonymous"]


def test_roles_and_hierarchies_are_guessed(run, tmp_path):
    n = 60
    frame = pd.DataFrame(
        {
            "firstName": [f"P{i}" for i in range(n)],
            "contact": [f"p{i}@example.org" for i in range(n)],
            "key": [f"K-{i:04d}" for i in range(n)],
            "zip": [f"{i * 37 % 97:05d}" for i in range(n)],
            "birth": [f"{i % 28 + 1:02d}.{i % 12 + 1:02d}.19{i % 50 + 40}" for i in range(n)],
            "height": [f"{150 + i % 40},{i % 10}" for i in range(n)],
            "sex": ["F", "M"] * (n // 2),
            "illness": ["flu", "cold", "flu"] * (n // 3),
            "remark": ["x"] * n,
        }
    )
    path = tmp_path / "people.csv"
    frame.to_csv(path, index=False, sep=";", encoding="cp1252")
    config = drafted(run, path)
    assert config.data.quasi_identifiers == ["zip", "birth", "height", "sex"]
    assert list(config.data.identifiers) == ["firstName", "contact", "key"]
    assert config.data.sensitive == "illness"
    assert config.hierarchies["zip"] == {"builder": "text"}
    assert config.hierarchies["birth"] == {"builder": "dates", "format": "%d.%m.%Y"}
    assert config.hierarchies["height"]["builder"] == "intervals"
    assert config.hierarchies["sex"] == "flat"
    assert '# keep = ["remark"]' in path.with_suffix(".toml").read_text()
    outcome = run("anonymize", path.with_suffix(".toml"))
    assert outcome.code == 0, outcome.err


def test_german_names_tell_roles_too(run, tmp_path):
    frame = pd.DataFrame(
        {
            "Vorname": [f"P{i}" for i in range(60)],
            "Geburtsdatum": [
                f"{i % 28 + 1:02d}.{i % 12 + 1:02d}.19{i % 50 + 40}" for i in range(60)
            ],
            "PLZ": [f"{i * 37 % 97:05d}" for i in range(60)],
            "Geschlecht": ["w", "m"] * 30,
            "Größe": [f"{150 + i % 40},{i % 10}" for i in range(60)],
            "Diagnose": ["Grippe", "Asthma", "Grippe"] * 20,
            "Versichertennr": [f"A{i // 2}x" for i in range(0, 118, 2)] + ["A0x"],
            "Einzug": [f"2014-03-{i % 28 + 1:02d}" for i in range(60)],
        }
    )
    path = tmp_path / "patienten.csv"
    frame.to_csv(path, index=False, sep=";", encoding="cp1252")
    config = drafted(run, path)
    assert config.data.quasi_identifiers == ["Geburtsdatum", "PLZ", "Geschlecht", "Größe"]
    assert list(config.data.identifiers) == ["Vorname", "Versichertennr"]
    assert config.data.sensitive == "Diagnose"
    assert config.hierarchies["Geburtsdatum"] == {"builder": "dates", "format": "%d.%m.%Y"}
    text = path.with_suffix(".toml").read_text(encoding="utf-8")
    assert '# "Einzug": dates, 28 distinct values' in text


def test_a_workbook_is_told_from_a_table(run, tmp_path):
    path = tmp_path / "people.xlsx"
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("xl/workbook.xml", "<workbook/>")
    outcome = run("init", path)
    assert (outcome.code, "save it as CSV" in outcome.err) == (2, True)


def test_a_table_in_place_of_a_configuration_is_told(run, tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("age,sex\n21,F\n", encoding="utf-8")
    outcome = run("anonymize", path)
    assert (outcome.code, f"anonopt init {path}" in outcome.err) == (2, True)


def test_dates_of_which_nobody_can_tell_day_from_month_are_asked_about(run, tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("birth,sex\n4/5/2014,F\n3/6/2014,M\n", encoding="utf-8")
    config = drafted(run, path)
    assert config.hierarchies["birth"] == "flat"
    assert "day or month first?" in path.with_suffix(".toml").read_text(encoding="utf-8")


def test_names_that_toml_must_quote(run, tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text('"age ""x"" \\",sex,"a\nb"\n' + "21,F,1\n34,M,2\n" * 5, encoding="utf-8")
    config = drafted(run, path)
    assert config.data.quasi_identifiers == ['age "x" \\', "sex"]


def test_without_telling_names_all_columns_of_few_values_count(run, tmp_path):
    path = tmp_path / "plain.csv"
    path.write_text("a,b\n1,x\n2,y\n1,x\n2,y\n", encoding="utf-8")
    assert drafted(run, path).data.quasi_identifiers == ["a", "b"]


def test_to_standard_output_and_never_over_a_file(run, tmp_path):
    path = tmp_path / "plain.csv"
    path.write_text("age,b\n1,x\n2,y\n", encoding="utf-8")
    outcome = run("init", path, "--output", "-")
    assert outcome.code == 0
    assert outcome.out.startswith("# Drafted from")
    assert not path.with_suffix(".toml").exists()
    assert run("init", path).code == 0
    again = run("init", path)
    assert (again.code, "exists already" in again.err) == (2, True)


@pytest.mark.parametrize("content", ["age,b\n", "name,email\nAda,a@b.org\nBen,b@c.org\n"])
def test_tables_without_anything_to_generalize_are_refused(run, tmp_path, content):
    path = tmp_path / "none.csv"
    path.write_text(content, encoding="utf-8")
    outcome = run("init", path)
    assert outcome.code == 2
    assert "none.csv: expected" in outcome.err
