"""Reports hold every number, in the notation of their format."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd
import pytest

from anonopt.experiments import reproduce
from anonopt.experiments.items.report import (
    FORMATS,
    Section,
    as_csv,
    as_latex,
    as_markdown,
    extent_of_return,
)
from anonopt.experiments.tables.pages import of_ending
from tests.experiments.papers_of_tests import OWN

COMMAND = ["anonopt", "reproduce", "own"]


@pytest.fixture
def sections(calls):
    return [Section(OWN, reproduce("own", quick=True), 2.0, True)]


def test_extent_counts_what_can_be_compared(sections):
    assert extent_of_return(sections[0].frame) == (
        "Of 4 numbers 2 can be compared, and 0 (0 %) of them come back; 0 of 2 items with such "
        "numbers come back whole (0 same, 0 agrees, 2 differs, 2 not comparable)."
    )


def test_markdown_has_every_number_and_reason(sections):
    page = as_markdown(sections, COMMAND)
    assert "| ratio | 0.93 | 0.915 | 0.91..0.92 | differs (few seeds) | another tree |" in page
    assert r"| nodes | 500 | 15 | 10..20 | differs | fewer \| here |" in page
    assert "not measured: own.csv" in page
    assert "by `anonopt reproduce own` with anonopt" in page
    assert "2 differs" in page and OWN.citation in page and OWN.summary in page


def test_latex_is_escaped(sections):
    frame = sections[0].frame.replace({"number": {"ratio": "ratio_1 (%)"}})
    page = as_latex([sections[0]._replace(frame=frame)], COMMAND)
    rows = [line for line in page.splitlines() if line.endswith(r"\\")]
    names = ["number", r"ratio\_1 (\%)", "nodes", "short", "own"]
    assert [row.split(" & ")[1] for row in rows] == names
    assert r"\midrule \endhead" in page
    assert page.count(r"\begin{longtable}{llrrrl}") == page.count(r"\end{longtable}") == 1


def test_csv_reads_back(sections):
    table = pd.read_csv(io.StringIO(as_csv(sections, COMMAND)))
    assert table["paper"].unique().tolist() == ["own"]
    frame = sections[0].frame
    assert table["number"].tolist() == frame["number"].tolist()
    pd.testing.assert_series_equal(table["ours"], frame["ours"])


def test_ending_chooses_the_format():
    assert of_ending("output", Path("a.md"), FORMATS) is as_markdown
    with pytest.raises(ValueError, match=r"output: expected a file ending in \.md, \.tex, \.csv"):
        of_ending("output", Path("a.html"), FORMATS)
