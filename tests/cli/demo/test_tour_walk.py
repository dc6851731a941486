"""anonopt demo --tour: a walk in a terminal of 80 columns that writes nothing."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from anonopt.cli.demo.tour_walk import walk
from anonopt.teaching import Lesson


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


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals on Windows")
def test_at_a_terminal_it_waits_for_enter():
    import pty

    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "anonopt", "demo", "--tour"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", "NO_COLOR": "1"}
    process = subprocess.Popen(
        command, stdin=follower, stdout=follower, stderr=follower, env=environment
    )
    os.close(follower)
    said = b""
    answered = 0
    try:
        while True:
            try:
                said += os.read(leader, 4096)
            except OSError:
                break
            if said.count(b"Enter goes on") > answered:
                answered += 1
                os.write(leader, b"\n")
    finally:
        process.kill() if process.poll() is None and answered == 0 else None
        os.close(leader)
    assert process.wait(60) == 0
    assert answered == 8
    assert said.count(b"/9  ") == 9


def test_without_a_standard_input_it_does_not_wait(monkeypatch, capsys):
    # So it is in a program that was started with a closed one.
    monkeypatch.setattr(sys, "stdin", None)
    walk(pause=True)
    assert "9/9  " in capsys.readouterr().out
