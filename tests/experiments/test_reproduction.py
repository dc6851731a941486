"""Runs of a paper's items: shared, resumed, the same for any number of workers."""

from __future__ import annotations

import pandas as pd
import pytest

from anonopt.experiments import list_papers, reproduce
from anonopt.experiments.papers import PAPERS
from anonopt.experiments.reproduction import get_item
from tests.experiments.papers_of_tests import OWN


def test_numbers_stand_beside_the_printed_ones(calls):
    frame = reproduce("own", "table-1")
    (row,) = frame.to_dict("records")
    assert row["printed"] == "0.93" and row["runs"] == 4 and row["needs_seeds"]
    assert row["ours"] == pytest.approx(0.925)
    assert row["spread"] == pytest.approx(0.012909944)
    assert (row["least"], row["most"]) == pytest.approx((0.91, 0.94))
    assert row["verdict"] == "same" and row["why"] == ""


def test_items_with_one_function_share_its_runs(calls):
    reproduce("own")
    assert sorted(calls.read_text().split()) == ["1", "2", "3", "4"]


def test_quick_has_fewer_runs_and_seeds_decide_otherwise(calls):
    assert reproduce("own", "table-2", quick=True)["runs"].tolist() == [2, 2]
    assert reproduce("own", "table-2", quick=True, seeds=3)["runs"].tolist() == [3, 3]
    assert reproduce("own", "table-2", quick=True)["ours"].tolist() == [15.0, 1.0]


def test_missing_file_is_the_reason(calls):
    (row,) = reproduce("own", "figure-1").to_dict("records")
    assert (row["verdict"], row["runs"]) == ("not comparable", 0)
    assert row["why"] == "not measured: own.csv: see https://a.b/c/own.zip; put it into X"


def test_processes_come_to_the_same_numbers(calls):
    pd.testing.assert_frame_equal(reproduce("own", workers=2), reproduce("own"))


def test_interrupted_reproduction_goes_on(calls, tmp_path):
    runs = tmp_path / "runs.jsonl"
    first = reproduce("own", "table-1", seeds=2, runs=runs)
    with runs.open("a") as file:
        file.write('{"code": "cut of')
    whole = reproduce("own", "table-1", runs=runs)
    assert sorted(calls.read_text().split()) == ["1", "2", "3", "4"]
    assert len(first) == 1 and whole["runs"].tolist() == [4]
    again = reproduce("own", "table-1", runs=runs)
    pd.testing.assert_frame_equal(again, whole)
    assert len(calls.read_text().split()) == 4


def test_runs_of_other_code_are_measured_again(calls, tmp_path, monkeypatch):
    runs = tmp_path / "runs.jsonl"
    reproduce("own", "table-1", seeds=2, runs=runs)
    monkeypatch.setattr("anonopt.experiments.items.measured.code_digest", lambda: "other")
    reproduce("own", "table-1", seeds=2, runs=runs)
    assert calls.read_text().split() == ["1", "2", "1", "2"]


def test_progress_reaches_the_end(calls):
    told = []
    reproduce("own", "table-1", on_progress=lambda share, done: told.append((share, done)))
    assert told == [(0.25, 1), (0.5, 2), (0.75, 3), (1.0, 4)]


@pytest.mark.parametrize(
    ("words", "options", "message"),
    [
        (("dewri",), {}, "paper: expected one of .*'dewri2010'"),
        (("own", "table-9"), {}, "item of own 'table-9'.*table-1"),
        (("own",), {"seeds": 0}, "seeds: expected"),
        (("own",), {"workers": 0}, "workers: expected"),
    ],
)
def test_wrong_input_is_refused_before_anything_runs(calls, words, options, message):
    with pytest.raises(ValueError, match=message):
        reproduce(*words, **options)
    assert calls.read_text() == ""


def test_file_of_something_else_is_refused(calls, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("dear diary\n")
    with pytest.raises(ValueError, match="line 1: expected a run of a reproduction, found 'dear"):
        reproduce("own", runs=path)
    assert path.read_text() == "dear diary\n"


@pytest.mark.parametrize("name", ["table-1", "Table 1", "table.1", " Table-1 ", "table-1a"])
def test_items_are_found_as_papers_write_them(name):
    assert get_item(OWN, name).name == "table-1"


PRINTED = {
    "dewri2010": [
        "table-1a",
        "table-1b",
        "table-2a",
        "table-2b",
        "figure-1",
        "figure-2",
        "figure-3",
    ],
    "kgen2022": [
        *(f"table-{number}" for number in (1, 2, 3, 4, 6, 7, 8)),
        *(f"figure-{number}" for number in (7, 8, 9, 10)),
    ],
    "mares2013": [
        *(f"table-2-{number}" for number in range(1, 6)),
        *(f"figure-2-{number}" for number in range(1, 5)),
        *(f"table-3-{number}" for number in range(1, 4)),
        *(f"figure-3-{number}" for number in range(1, 14)),
        *(f"table-4-{number}" for number in range(1, 16)),
        *(f"figure-4-{number}" for number in range(1, 21)),
        *(f"table-5-{number}" for number in range(1, 4)),
        *(f"figure-5-{number}" for number in range(1, 11)),
        "table-6-1",
        *(f"figure-6-{number}" for number in range(2, 16)),
    ],
}
"""Tables and figures of the papers that show what can be measured."""


@pytest.mark.parametrize("name", list_papers())
def test_every_table_and_figure_has_an_item(name):
    known = {one for item in PAPERS[name].items for one in item.names}
    assert [one for one in PRINTED[name] if one not in known] == []


@pytest.mark.parametrize("name", list_papers())
def test_items_of_the_papers_are_well_formed(name):
    paper = PAPERS[name]
    names = [name for item in paper.items for name in item.names]
    assert len(set(names)) == len(names)
    assert paper.summary and paper.citation
    for item in paper.items:
        labels = [printed.label for printed in item.printed]
        assert labels and len(set(labels)) == len(labels), item.name
        assert item.n_quick <= item.n_seeds
        for printed in item.printed:
            assert printed.why or (printed.comparable and printed.value is not None), (
                f"{item.name}: {printed.label} is not comparable and says not why"
            )


def test_file_of_runs_is_tried_before_anything_is_measured(calls, tmp_path):
    with pytest.raises(OSError, match="no_such_folder"):
        reproduce("own", runs=tmp_path / "no_such_folder" / "runs.jsonl")
    assert calls.read_text() == ""


@pytest.mark.parametrize("content", [b"dear diary", b"\xff\xfe\x00", b"[1, 2]\n"])
def test_content_of_something_else_is_refused_and_stays(calls, tmp_path, content):
    path = tmp_path / "notes"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"expected (a run|runs) of a reproduction"):
        reproduce("own", runs=path)
    assert path.read_bytes() == content


def test_first_run_that_was_cut_off_is_measured_again(calls, tmp_path):
    path = tmp_path / "runs.jsonl"
    path.write_text('{"code": "12')
    assert reproduce("own", "table-1", runs=path)["runs"].tolist() == [4]
    assert len(path.read_text().splitlines()) == 4


def test_item_is_a_text(calls):
    with pytest.raises(TypeError, match="item: expected the name of an item, found 3"):
        reproduce("own", 3)
