"""What a package brings by entry points stands beside what the library brings.

``example_plugin`` is a package as pip would lay it out: a module and its metadata. It is put on
the path of new processes, so that this one stays without it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import anonopt as ao
from tests.repository import ROOT

PLUGIN = Path(__file__).resolve().parent / "example_plugin"


def run(*command: str, cwd: Path = ROOT) -> str:
    """Standard output of a process that has the package."""
    done = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "PYTHONPATH": str(PLUGIN)},
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def anonopt(*arguments: str, cwd: Path = ROOT) -> str:
    return run("-c", "from anonopt.cli import main; main()", *arguments, cwd=cwd)


def test_this_process_is_without_it():
    assert "example-walk" not in ao.list_algorithms().index


@pytest.mark.parametrize(
    ("family", "name"),
    [
        ("algorithms", "example-walk"),
        ("measures", "largest_class"),
        ("operators", "ReverseMutation"),
        ("datasets", "tiny"),
        ("methods", "first-recoding"),
        ("problems", "tiny-largest-glm"),
    ],
)
def test_it_is_listed(family, name):
    listed = run("-c", f"import anonopt as ao; print(*ao.list_{family}().index)").split()
    assert name in listed
    assert len(set(listed)) == len(listed)


def test_it_is_found_by_name():
    code = (
        "import anonopt as ao\n"
        "problem = ao.get_problem('tiny-largest-glm')\n"
        "print(type(ao.get_algorithm('example-walk', problem, n_steps=5)).__name__)\n"
        "print(ao.get_measure('largest_class').unit, ao.get_operator('ReverseMutation').name)\n"
        "print(ao.load_dataset('tiny').n_rows, ao.get_method('first-recoding').p)\n"
    )
    assert run("-c", code).splitlines() == ["Walk", "rows ReverseMutation", "8 1"]


def test_command_line_knows_it():
    shown = json.loads(anonopt("algorithms", "--json"))
    assert "example-walk" in [row["name"] for row in shown]
    solved = json.loads(
        anonopt(
            *("solve", "tiny-largest-glm", "--algorithm", "example-walk"),
            *("--seed", "1", "--budget", "4", "--json"),
        )
    )
    assert solved["n_unique"] == 4


def test_saved_runs_know_it(tmp_path):
    code = (
        "import anonopt as ao\n"
        "problem = ao.get_problem('tiny-largest-glm')\n"
        "walk = ao.get_algorithm('example-walk', problem, n_steps=50)\n"
        "short = ao.solve(problem, walk, budget=2, seed=1)\n"
        "ao.save_run(short, 'run.json')\n"
        "longer = ao.resume_run('run.json', budget=4)\n"
        "whole = ao.solve(problem, walk, budget=4, seed=1)\n"
        "print(longer.history.drop(columns='seconds').equals(whole.history.drop(columns='seconds')))"
    )
    assert run("-c", code, cwd=tmp_path).split() == ["True"]


def test_contracts_hold_for_it():
    shown = run(
        *("-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "tests/contracts"),
        *("-k", "example-walk or ReverseMutation or first-recoding or largest_class"),
    )
    assert " passed" in shown


def test_broken_package_is_named_and_left_out(tmp_path):
    (tmp_path / "anonopt_broken-1.0.dist-info").mkdir()
    info = tmp_path / "anonopt_broken-1.0.dist-info"
    info.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    info.joinpath("entry_points.txt").write_text("[anonopt.measures]\nodd = nowhere:ODD\n")
    done = subprocess.run(
        [sys.executable, "-c", "import anonopt as ao; print(len(ao.list_measures()) > 20)"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["True"]
    assert "measure 'odd' of 'nowhere:ODD' is left out" in done.stderr
