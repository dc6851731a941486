"""A few kills and all faults of quick commands; ``make faults`` has the rest."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from tests.repository import ROOT

if sys.platform != "linux":
    pytest.skip("processes are forked, limited and killed as on Linux", allow_module_level=True)

PAGE = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| ([\w -]+) \| ([^|]+) \| ([^|]+) \| (\d+) \| (\w+) \|$", re.MULTILINE)


@pytest.fixture(scope="module")
def sample():
    command = [sys.executable, "-m", "tests.faults.sample"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_kills_leave_no_part_and_no_mixture(sample):
    moments, steps = (sample["kills"][f"mask at {which}"] for which in ("moments", "steps"))
    assert moments["faults"] == steps["faults"] == []
    assert steps["killed"] >= 10
    assert {"old", "new", "new, one missing"} <= set(steps["found"])


def test_a_resumed_search_comes_to_the_same_end(sample):
    assert sample["kills"]["solve at moments"]["faults"] == []


def test_the_page_tells_what_becomes_of_commands_under_faults(sample):
    told = [
        {"fault": fault, "writes": "write" in commands, "of_all": commands == "all",
         "message": (re.findall(r"`([^`]+)`", message) or [""])[0], "code": int(code),
         "files": files}
        for fault, commands, message, code, files in ROW.findall(PAGE)
    ]  # fmt: skip
    assert len(told) == 13
    for found in sample["faults"]:
        writes = found["command"] != "check"
        (row,) = (
            row
            for row in told
            if row["fault"] == found["fault"] and (row["of_all"] or row["writes"] == writes)
        )
        assert (found["code"], found["files"]) == (row["code"], row["files"]), found
        assert row["message"] in found["err"], found
        assert "Traceback" not in found["err"], found
