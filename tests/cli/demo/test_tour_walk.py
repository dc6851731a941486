"""anonopt demo --tour: a walk in a terminal of 80 columns that writes nothing."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys

import pytest

from anonopt.cli.demo.tour_walk import walk
from anonopt.teaching import Lesson

INTERRUPT = b"\x03"
SECONDS = 100.0


def test_the_tour_fits_eighty_columns_and_writes_nothing(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    outcome = run("demo", "--tour")
    assert outcome.code == 0
    assert outcome.err == ""
    lines = outcome.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in outcome.out
    assert [line for line in lines if line.startswith("9/9  ")]
    assert list(tmp_path.iterdir()) == []
    # The same numbers as in the lecture.
    adult = Lesson().adult_composition.iloc[-1]
    assert f"leave {adult['alone']} people alone" in " ".join(outcome.out.split())


def test_tour_and_json_are_refused_together(run):
    outcome = run("demo", "--tour", "--json")
    assert outcome.code == 2
    assert "--tour or --json" in outcome.err


def at_a_terminal(answer: bytes) -> tuple[int, int, bytes]:
    """Exit code, number of answers and output of the tour where a person answers like that."""
    import pty

    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "anonopt", "demo", "--tour"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "NO_COLOR": "1"}
    # In a session of its own, whose terminal it is: so Ctrl-C reaches it.
    process = subprocess.Popen(
        ["setsid", "--ctty", "--wait", *command],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=environment,
        # Ignored where the tests themselves run in the background of a shell.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(follower)
    said, answered, waited = b"", 0, 0.0
    # A signal is lost that comes between the prompt and the reading; what is typed waits there.
    pause = 1.0 if answer == INTERRUPT else 5.0
    while waited < SECONDS:
        if not select.select([leader], [], [], pause)[0]:
            waited += pause
            if answered and b"Interrupted" not in said:
                os.write(leader, answer)
            continue
        try:
            said += os.read(leader, 4096)
        except OSError:
            break
        if said.count(b"Enter goes on") > answered:
            answered += 1
            os.write(leader, answer)
    os.close(leader)
    return process.wait(60), answered, said


@pytest.mark.skipif(shutil.which("setsid") is None, reason="no sessions of terminals here")
@pytest.mark.parametrize(("answer", "code", "n_answers"), [(b"\n", 0, 8), (INTERRUPT, 130, 1)])
def test_at_a_terminal_enter_goes_on_and_control_c_ends(answer, code, n_answers):
    ended, answered, said = at_a_terminal(answer)
    assert (ended, answered) == (code, n_answers)
    assert said.count(b"/9  ") == (9 if code == 0 else 1)


def test_without_a_standard_input_it_does_not_wait(monkeypatch, capsys):
    # So it is in a program that was started with a closed one.
    monkeypatch.setattr(sys, "stdin", None)
    walk(pause=True)
    assert "9/9  " in capsys.readouterr().out
