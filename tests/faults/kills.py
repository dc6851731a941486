"""Kill commands at random moments and at every step of their writing."""

from __future__ import annotations

import random
import shutil
import tempfile
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from anonopt.runs.saving.saved_run import read_run
from tests.faults.commands import Command, contents, faults_of
from tests.faults.processes import Ended, kill_at_step, run

MOST_STEPS = 200


@dataclass
class Kills:
    """What kills of one command led to.

    Attributes
    ----------
    killed, ended : int
        Processes that were killed, and that ended before.
    found : dict of str to int
        How often the files were found in each state.
    leftovers : int
        Kills after which hidden files were there.
    faults : list of str
    """

    killed: int = 0
    ended: int = 0
    found: dict[str, int] = field(default_factory=dict)
    leftovers: int = 0
    faults: list[str] = field(default_factory=list)


def kill_at_moments(command: Command, n: int, *, seed: int = 1) -> Kills:
    """Kill a command at n moments drawn uniformly from the time that it takes."""
    rng = random.Random(seed)
    with _Place(command) as place:
        for _ in range(n):
            place.lay()
            ended = run(command.words, place.folder, after=rng.uniform(0, 1.1 * place.seconds))
            place.look(ended, f"after {ended.seconds:.3f} s")
        place.finish()
    return place.kills


def kill_at_steps(command: Command) -> Kills:
    """Kill a command before each change of a folder that it makes, one after the other."""
    with _Place(command) as place:
        for step in range(MOST_STEPS):
            place.lay()
            ended = run(command.words, place.folder, before=partial(kill_at_step, step))
            place.look(ended, f"at step {step}")
            if ended.code == 0:
                break
        place.finish()
    return place.kills


class _Place:
    """Folder in which a command is killed again and again."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self.kills = Kills()

    def __enter__(self) -> _Place:
        self._root = Path(tempfile.mkdtemp(prefix="kills-"))
        self.folder, first = self._root / "here", self._root / "first"
        self._whole = self._root / "whole"
        for folder in (first, self._whole):
            folder.mkdir()
        self.command.prepare(first)
        self._first = first
        self._old = contents(first, self.command.outputs)
        self._new = self.command.whole(self._whole)
        # Once more, when whatever is compiled is compiled.
        shutil.copytree(first, self.folder)
        self.seconds = run(self.command.words, self.folder).seconds
        return self

    def __exit__(self, *failure: object) -> None:
        shutil.rmtree(self._root)

    def lay(self) -> None:
        """Lay inputs and old outputs anew."""
        shutil.rmtree(self.folder)
        shutil.copytree(self._first, self.folder)

    def look(self, ended: Ended, when: str) -> None:
        """See what a kill has left, and that a run that is resumed comes to the same end."""
        kills, found = self.kills, contents(self.folder, self.command.outputs)
        kills.killed += ended.code == -9
        kills.ended += ended.code == 0
        faults = faults_of(self.command, self.folder, self._old, self._new, ended)
        if self._old:
            state = "old" if found == self._old else "new"
        else:
            state = "new" if found else "none"
        if len(found) < len(self.command.outputs) and found:
            state += ", one missing"
        kills.found[state] = kills.found.get(state, 0) + 1
        kills.leftovers += any(path.name.startswith(".") for path in self.folder.iterdir())
        checkpoint = self.folder / "run.npz"
        if checkpoint.exists():
            read_run(checkpoint)
        if self.command.name == "solve" and ended.code == -9:
            resumed = run(self.command.words, self.folder)
            again = contents(self.folder, self.command.outputs)
            if resumed.code != 0 or any(
                again.get(name) != self._new[name] for name in ("out.csv", "out.png")
            ):
                faults.append(f"resumed run differs (exit code {resumed.code}): {resumed.err}")
        kills.faults += [f"{self.command.name}, {when}: {fault}" for fault in faults]

    def finish(self) -> None:
        """See that the next run of the command removes what the last kill left."""
        ended = run(self.command.words, self.folder)
        hidden = [path.name for path in self.folder.iterdir() if path.name.startswith(".")]
        if ended.code != 0 or hidden:
            self.kills.faults.append(
                f"{self.command.name}, run again: exit code {ended.code}, {hidden} left {ended.err}"
            )
