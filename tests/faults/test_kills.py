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
QUICK = ("check", "mask")


def python(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def test_kills_leave_no_part_and_no_mixture():
    done = python("tests.faults", "--moments", "3", "mask")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["mask"]
    assert found["steps"]["killed"] >= 10
    assert {"old", "new", "new, one missing"} <= set(found["steps"]["found"])


def test_a_resumed_search_comes_to_the_same_end():
    done = python("tests.faults", "--moments", "2", "--no-steps", "solve")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def under_faults():
    done = python("tests.faults.fault_table", *QUICK)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_page_tells_what_becomes_of_commands_under_faults(under_faults):
    told = [
        {"fault": fault, "writes": "write" in commands, "of_all": commands == "all",
         "message": (re.findall(r"`([^`]+)`", message) or [""])[0], "code": int(code),
         "files": files}
        for fault, commands, message, code, files in ROW.findall(PAGE)
    ]  # fmt: skip
    assert len(told) == 13
    for found in under_faults:
        writes = found["command"] != "check"
        (row,) = (
            row
            for row in told
            if row["fault"] == found["fault"] and (row["of_all"] or row["writes"] == writes)
        )
        assert (found["code"], found["files"]) == (row["code"], row["files"]), found
        assert row["message"] in found["err"], found
        assert "Traceback" not in found["err"], found
