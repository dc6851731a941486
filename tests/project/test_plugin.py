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

OWN = {
    "algorithms": "example-darts",
    "measures": "largest_class",
    "operators": "ExchangeMutation",
    "datasets": "tiny",
    "methods": "pair-recoding",
    "problems": "tiny-largest-glm",
}

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


def test_this_process_is_without_it():
    assert "example-darts" not in ao.list_algorithms().index


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What a process that has the package tells: lists, what names lead to, a run, commands."""
    code = (
        "import contextlib, io, json, sys\n"
        "import anonopt as ao\n"
        "from anonopt.cli import main\n"
        "def told_by(*words):\n"
        "    sys.argv, told = ['anonopt', *words, '--json'], io.StringIO()\n"
        "    with contextlib.redirect_stdout(told):\n"
        "        try:\n"
        "            main()\n"
        "        except SystemExit as ended:\n"
        "            if ended.code:\n"
        "                raise\n"
        "    return json.dumps(json.loads(told.getvalue()))\n"
        "families = 'algorithms', 'measures', 'operators', 'datasets', 'methods', 'problems'\n"
        "print(json.dumps({f: list(getattr(ao, f'list_{f}')().index) for f in families}))\n"
        "problem = ao.get_problem('tiny-largest-glm')\n"
        "print(type(ao.get_algorithm('example-darts', problem, n_darts=5)).__name__)\n"
        "print(ao.get_measure('largest_class').unit, ao.get_operator('ExchangeMutation').name)\n"
        "print(ao.load_dataset('tiny').n_rows, ao.get_method('pair-recoding').p)\n"
        "darts = ao.get_algorithm('example-darts', problem)\n"
        "short = ao.solve(problem, darts, budget=20, seed=1)\n"
        "ao.save_run(short, 'run.json')\n"
        "longer = ao.resume_run('run.json', extra=20)\n"
        "whole = ao.solve(problem, darts, budget=40, seed=1)\n"
        "print(longer.history.drop(columns='seconds').equals(whole.history.drop(columns='seconds')))\n"
        "print(told_by('algorithms'))\n"
        "words = 'solve tiny-largest-glm --algorithm example-darts --seed 1 --budget 4'\n"
        "print(told_by(*words.split()))"
    )
    return run("-c", code, cwd=tmp_path_factory.mktemp("plugin")).splitlines()


def test_it_is_listed(told):
    listed = json.loads(told[0])
    for family, name in OWN.items():
        assert name in listed[family]
        assert len(set(listed[family])) == len(listed[family])


def test_it_is_found_by_name(told):
    assert told[1:4] == ["Darts", "rows ExchangeMutation", "8 2"]


def test_command_line_knows_it(told):
    assert "example-darts" in [row["name"] for row in json.loads(told[5])]
    assert json.loads(told[6])["n_unique"] == 4


def test_saved_runs_know_it(told):
    assert told[4] == "True"


def test_contracts_hold_for_it():
    shown = run(
        *("-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0"),
        *(f"tests/contracts/test_{room}.py" for room in ("algorithms", "operators")),
        "tests/contracts/test_masking_methods.py",
        *("-k", "example-darts or ExchangeMutation or pair-recoding or largest_class"),
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
