"""Every command under every fault: exit code, message, and what becomes of its files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.faults.commands import SOLVE, rehearse, write_inputs
from tests.faults.processes import Ended, become_stranger, interrupt_soon, limit_files, run

OLD = "old"
COMMANDS = {
    "check": ["check", "people.csv", "--qi", "age,zip", "--k", "1"],
    "compare-files": ["compare-files", "people.csv", "people.csv", "--columns", "illness"],
    "anonymize": ["anonymize", "people.toml", "--force"],
    "mask": ["mask", "mdav", "people.csv", "--k", "3", "--columns", "age", "--output", "out.csv",
             "--force"],
    "graph protect": ["graph", "protect", "ties.csv", "--nodes", "nodes.csv", "--k", "3",
                      "--no-location", "--topic", "topic1", "--output", "out.csv",
                      "--output-nodes", "out-nodes.csv", "--force"],
    "solve": [*SOLVE, "--force"],
}  # fmt: skip
"""Words of each; those that write replace an old ``out.csv``."""

FAULTS = ("disk full", "size limit", "read-only", "other user", "no home", "closed pipe", "Ctrl-C")


def under(fault: str, command: str) -> tuple[Ended, str]:
    """Run a command under a fault.

    Returns
    -------
    ended : Ended
    files : str
        What became of its output: ``old``, ``new``, ``none``, or what must not be.
    """
    with _folder(small=fault == "disk full") as folder:
        write_inputs(folder)
        output = folder / "out.csv"
        output.write_text(OLD)
        ended = _run(fault, COMMANDS[command], folder)
        hidden = [path.name for path in folder.iterdir() if path.name.startswith(".anonopt")]
        files = "old" if output.read_text() == OLD else "new"
        return ended, f"{files}, and {hidden}" if hidden else files


def _run(fault: str, words: list[str], folder: Path) -> Ended:
    if fault == "disk full":
        with (folder / "filler").open("wb", buffering=0) as file:
            while _fits(file):
                pass
        return run(words, folder)
    if fault == "size limit":
        return run(words, folder, before=limit_files(6000))
    if fault == "read-only":
        folder.chmod(0o555)
        ended = run(words, folder, before=become_stranger)
        folder.chmod(0o755)
        return ended
    if fault == "other user":
        folder.chmod(0o777)
        return run(words, folder, before=become_stranger)
    if fault == "no home":
        return run(words, folder, before=lambda: os.environ.pop("HOME", None) and None)
    if fault == "closed pipe":
        return run(words, folder, reads=False)
    return run(words, folder, before=interrupt_soon)


def _fits(file) -> bool:
    try:
        return file.write(bytes(4096)) > 0
    except OSError:
        return False


@contextmanager
def _folder(*, small: bool) -> Iterator[Path]:
    """A folder that everybody may enter; on a file system of its own that is small, if asked."""
    place = Path(tempfile.mkdtemp(prefix="faults-"))
    place.chmod(0o755)
    if small:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", place], check=True)
    try:
        yield place
    finally:
        if small:
            subprocess.run(["umount", place], check=True)
        shutil.rmtree(place)


def can_mount() -> bool:
    """Whether small file systems can be made here."""
    try:
        with _folder(small=True):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


def fault_table(commands: Iterable[str]) -> list[dict[str, object]]:
    """Run commands under all faults, and tell what came of it."""
    rows = []
    for fault in FAULTS:
        if (fault == "disk full" and not can_mount()) or (fault == "other user" and os.getuid()):
            continue
        if fault == "read-only" and os.getuid() == 0 and not can_become_stranger():
            continue
        for command in commands:
            ended, files = under(fault, command)
            row = {"fault": fault, "command": command, "code": ended.code, "err": ended.err}
            rows.append({**row, "files": files})
            print(f"{fault}, {command}: {ended.code}, {files}", file=sys.stderr, flush=True)
    return rows


def main() -> None:
    """Run commands under all faults and print what came of it, as JSON."""
    names = sys.argv[1:] or list(COMMANDS)
    rehearse(COMMANDS[name] for name in names)
    print(json.dumps(fault_table(names), indent=2))


def can_become_stranger() -> bool:
    """Whether processes here may give up their rights."""
    with _folder(small=False) as folder:
        return run(["--version"], folder, before=become_stranger).code == 0


if __name__ == "__main__":
    main()
