"""Commands that write, their files, and what may be found of these after a kill."""

from __future__ import annotations

import hashlib
import json
import random
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.faults.processes import Ended, import_all, run, run_here

TOML = """
[data]
file = "people.csv"
quasi_identifiers = ["age", "zip"]
sensitive = "illness"
[hierarchies]
age = { builder = "intervals", width = 5, fan_outs = [2, 2] }
zip = { builder = "text" }
[search]
k = 3
suppression = 0.02
[output]
file = "out.csv"
"""

LOCAL = 'k = 3\nmethod = "local"\nbudget = 100'
"""In place of the ``k = 3`` of a configuration whose rows are recoded group by group."""

SOLVE = ["solve", "german-k-glm", "--algorithm", "pbgea", "--budget", "250", "--output", "out.csv",
         "--plot", "out.png"]  # fmt: skip


@dataclass(frozen=True)
class Command:
    """A command that is killed.

    Attributes
    ----------
    name : str
    words : list of str
    outputs : tuple of str
        The files that belong together, the record last.
    first : callable
        Writes the files that the killed command replaces.
    """

    name: str
    words: list[str]
    outputs: tuple[str, ...]
    first: Callable[[Path], None]

    def prepare(self, folder: Path) -> None:
        """Lay inputs and old outputs into an empty folder."""
        write_inputs(folder)
        self.first(folder)

    def whole(self, folder: Path) -> dict[str, bytes]:
        """What the command writes if nothing stops it."""
        write_inputs(folder)
        ended = run(self.words, folder)
        if ended.code != 0:
            raise RuntimeError(f"{self.name}: exit code {ended.code}: {ended.err}")
        return contents(folder, self.outputs)


def write_inputs(folder: Path) -> None:
    """Write a table, its configuration and a graph."""
    rng = random.Random(1)
    rows = [
        f"{rng.randrange(18, 90)},{rng.randrange(80000, 80200)},{rng.choice('abcd')},{i}"
        for i in range(400)
    ]
    (folder / "people.csv").write_text("\n".join(["age,zip,illness,note", *rows, ""]))
    (folder / "people.toml").write_text(TOML)
    (folder / "local.toml").write_text(TOML.replace("k = 3", LOCAL))
    nodes = [f"{i},{rng.choice('xyz')},{rng.choice('uvw')}" for i in range(60)]
    (folder / "nodes.csv").write_text("\n".join(["node,topic1,topic2", *nodes, ""]))
    ties = sorted({tuple(sorted(rng.sample(range(60), 2))) for _ in range(150)})
    (folder / "ties.csv").write_text("source,target\n" + "".join(f"{i},{j}\n" for i, j in ties))


def _other_output(*changes: tuple[str, str]) -> Callable[[Path], None]:
    """Write the old outputs by a command that differs in a word."""

    def write(folder: Path) -> None:
        ((command, words),) = [(c, list(c.words)) for c in COMMANDS if changes[0][0] == c.name]
        for old, new in changes[1:]:
            words[words.index(old)] = new
        ended = run(words, folder)
        if ended.code != 0:
            raise RuntimeError(f"{command.name}: exit code {ended.code}: {ended.err}")

    return write


def _old_table(folder: Path, *, name: str = "people.toml") -> None:
    config = folder / name
    text = config.read_text()
    config.write_text(text.replace("k = 3", "k = 9"))
    ended = run(["anonymize", name], folder)
    config.write_text(text)
    if ended.code != 0:
        raise RuntimeError(f"anonymize: exit code {ended.code}: {ended.err}")


RECORD = "out.csv.record.json"

COMMANDS = (
    Command("anonymize", ["anonymize", "people.toml", "--force"], ("out.csv", RECORD), _old_table),
    Command(
        "anonymize local",
        ["anonymize", "local.toml", "--force"],
        ("out.csv", RECORD),
        partial(_old_table, name="local.toml"),
    ),
    Command(
        "mask",
        ["mask", "pram", "people.csv", "--matrix", "uniform", "--columns", "illness", "--seed", "7",
         "--output", "out.csv", "--force"],
        ("out.csv", RECORD),
        _other_output(("mask", ""), ("7", "8")),
    ),
    Command(
        "graph protect",
        ["graph", "protect", "ties.csv", "--nodes", "nodes.csv", "--k", "3", "--no-location",
         "--topic", "topic1", "--topic", "topic2", "--degree-k", "3", "--seed", "7", "--output",
         "out.csv", "--output-nodes", "out-nodes.csv", "--force"],
        ("out.csv", "out-nodes.csv", RECORD),
        _other_output(("graph protect", ""), ("7", "8")),
    ),
    Command(
        "solve",
        [*SOLVE, "--checkpoint", "run.npz", "--checkpoint-every", "0", "--seed", "7", "--force"],
        ("out.csv", "out.png", RECORD),
        lambda folder: None,
    ),
)  # fmt: skip


def rehearse(commands: Iterable[list[str]]) -> None:
    """Run commands once, so that processes that are forked from this one start at their work."""
    import_all()
    for words in commands:
        with tempfile.TemporaryDirectory() as folder:
            write_inputs(Path(folder))
            run_here(words, Path(folder))


def contents(folder: Path, names: tuple[str, ...]) -> dict[str, bytes]:
    """Content of those files that are there."""
    return {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}


def faults_of(command: Command, folder: Path, old: dict[str, bytes], new: dict[str, bytes],
              ended: Ended) -> list[str]:  # fmt: skip
    """What must not be found after a kill; nothing is right.

    Parameters
    ----------
    command, folder
        The command, and where it was killed.
    old, new : dict of str to bytes
        Content of its files before, and after a run that nothing stopped.
    ended : Ended
    """
    found = contents(folder, command.outputs)
    states, faults = set(), []
    for name, content in found.items():
        if name == RECORD:
            state = _state_of_record(content, found, old, faults)
        elif content in (old.get(name), new[name]):
            state = "old" if content == old.get(name) else "new"
        else:
            faults.append(f"{name} is neither the old file nor the new one")
            continue
        if old.get(name) != new[name]:
            states.add(state)
    if len(states) > 1:
        faults.append(f"old and new files stand beside each other: {sorted(found)}")
    if ended.code == 0 and set(found) != set(command.outputs):
        faults.append("the command ended well without all of its files")
    if ended.code not in (0, -9):
        faults.append(f"exit code {ended.code}: {ended.err}")
    visible = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
    inputs = {"people.csv", "people.toml", "local.toml", "ties.csv", "nodes.csv", "run.npz"}
    if strange := visible - inputs - set(command.outputs):
        faults.append(f"files that nobody asked for: {sorted(strange)}")
    return faults


def _state_of_record(
    content: bytes, found: dict[str, bytes], old: dict[str, bytes], faults: list[str]
) -> str:
    """Whether a record, in which the time stands, is old or new."""
    if content == old.get(RECORD):
        return "old"
    for written in json.loads(content)["outputs"]:
        name = Path(written["file"]).name
        if name in found and hashlib.sha256(found[name]).hexdigest() != written["sha256"]:
            faults.append(f"the record is of another {name}")
    return "new"
