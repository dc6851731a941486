"""The list of mutants that no test can tell from the original."""

from __future__ import annotations

import pytest

from tests.repository import ROOT, tomllib

LISTED = tomllib.loads((ROOT / "tests/mutation/equivalent.toml").read_text("utf-8"))["mutant"]


@pytest.mark.parametrize("entry", LISTED, ids=lambda entry: entry["after"])
def test_entry_is_about_a_line_of_today_and_has_a_reason(entry):
    lines = (ROOT / entry["file"]).read_text("utf-8").splitlines()
    assert entry["before"] in map(str.strip, lines)
    assert entry["before"] != entry["after"]
    assert len(entry["reason"].split()) > 3


def test_entries_occur_once():
    keys = [(entry["file"], entry["before"], entry["after"]) for entry in LISTED]
    assert len(set(keys)) == len(keys)
