"""The installed command as a process: streams, exit codes, start."""

from __future__ import annotations

import json
import subprocess
import sys

COMMAND = [sys.executable, "-c", "from anonopt.cli import main; main()"]


def anonopt(*words: object, **options) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def test_json_is_alone_on_standard_output(people):
    done = anonopt("anonymize", "people.toml", "--json", cwd=people)
    assert done.returncode == 0
    assert json.loads(done.stdout)["output"] == "protected.csv"
    assert "Searching all 288 nodes" in done.stderr


def test_wrong_input_is_one_message_without_traceback(people):
    done = anonopt("anonymize", "none.toml", cwd=people)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: none.toml: No such file or directory\n"


def test_no_solution_is_exit_code_1(people):
    done = anonopt("check", "people.csv", "--qi", "age", cwd=people)
    assert done.returncode == 1
    assert "NOT anonymous as asked: k >= 2" in done.stdout


def test_output_can_be_cut_off(people):
    command = [*COMMAND, "measures"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


def test_help_starts_without_the_libraries_of_the_searches():
    code = (
        "import sys; from typer.testing import CliRunner; from anonopt.cli import app; "
        "outcome = CliRunner().invoke(app, ['solve', '--help']); "
        "print(outcome.exit_code, *sorted({'numba', 'pymoo', 'scipy', 'matplotlib'} "
        "& set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"
