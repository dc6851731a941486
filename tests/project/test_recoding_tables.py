"""The tables of local recodings: what reads their files, a run, and that the page is theirs."""

from __future__ import annotations

import importlib
import sys

import pandas as pd
import pytest

from tests.repository import ROOT

DOCS = str(ROOT / "docs")
HIERARCHY = pd.DataFrame({"level0": [1, 2, 3, 4], "level1": ["1-2", "1-2", "3-4", "3-4"]})
HIERARCHY["level2"] = "*"


@pytest.fixture(scope="module", autouse=True)
def tables_importable():
    sys.path.insert(0, DOCS)
    yield
    sys.path.remove(DOCS)


@pytest.fixture
def plain():
    return importlib.import_module("recoding_tables.plain_check")


def checked(plain, labels: list[str], *, suppressed: list[int] = (), other: int = 9):
    original = pd.DataFrame({"a": [1, 2, 3, 4], "s": [7, 8, 8, 9]})
    protected = pd.DataFrame({"a": labels, "s": [7, 8, 8, other]})
    mask = pd.Series([row in suppressed for row in range(4)])
    meaning = {"a": plain.Labels(HIERARCHY)}
    return plain.checked_file(original, protected, mask, labels=meaning, sensitive="s")


@pytest.mark.parametrize(
    ("labels", "suppressed", "expected"),
    [
        (["1-2", "1-2", "3-4", "3-4"], [], (2, 2, 2, 0, 4 / 3)),
        (["1-2", "1-2", "3", "*"], [3], (1, 1, 2, 1, 2 / 3 + 1)),
        (["[1, 3]", "[1, 3]", "[1, 3]", "4"], [], (1, 1, 2, 0, 2.0)),
        (["{1, 3}", "2", "{1, 3}", "*"], [], (1, 1, 3, 0, 2 / 3 + 1)),
    ],
)
def test_files_are_read_by_their_labels(plain, labels, suppressed, expected):
    found = checked(plain, labels, suppressed=suppressed)
    assert (found.k, found.l, found.classes, found.suppressed) == expected[:4]
    assert found.glm == pytest.approx(expected[4])


@pytest.mark.parametrize(
    ("labels", "options", "message"),
    [
        (["1-2", "3-4", "3-4", "3-4"], {}, "a label that covers '2', found '3-4'"),
        (["1-2", "1-2", "3-4", "5"], {}, "a label of leaves of the hierarchy, found '5'"),
        (["1-2", "1-2", "3-4", "3-4"], {"suppressed": [3]}, "in every quasi-identifier"),
        (["1-2", "1-2", "3-4", "3-4"], {"other": 8}, "unchanged cells"),
    ],
)
def test_files_that_say_what_is_not_so_are_refused(plain, labels, options, message):
    with pytest.raises(ValueError, match=message):
        checked(plain, labels, **options)


def test_broken_promises_are_told(plain):
    found = plain.Figures(k=2, l=1, classes=3, suppressed=1, glm=5.0)
    assert not plain.broken_promises(found, k=2, bounds={}, budget=1, glm=5.0)
    broken = plain.broken_promises(found, k=3, bounds={"l": 2}, budget=0, glm=5.1)
    assert len(broken) == 4


def test_a_run_is_checked_and_comes_to_the_same_again():
    runs = importlib.import_module("recoding_tables.runs")
    jobs = [job for job in runs.jobs(["german"], 1, 4) if (job.k, job.way) == (25, "keys by es")]
    row = runs.run(*jobs)
    assert list(row) == runs.COLUMNS
    assert runs.repeated(pd.DataFrame([row]), 1) == []
    assert len(runs.repeated(pd.DataFrame([row | {"glm": 1.0}]), 1)) == 1
    assert (row["smallest"], row["decodings"]) >= (25, 4)


def test_the_page_is_what_the_runs_come_to():
    build = importlib.import_module("build_recoding_tables")
    rows = build.read(build.RUNS)
    assert build.PAGE.read_text(encoding="utf-8") == build.page(rows)
    assert len(rows) == len(rows.drop_duplicates(["case", "k", "way", "seed"])) > 0
