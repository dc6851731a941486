"""Folders for what does not fit into memory, and what killed processes left of theirs."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from anonopt.data.output_files import is_alive, machine_name

PREFIX = "anonopt-spill"
"""Beginning of their names; machine and process follow."""


def spill_folder() -> TemporaryDirectory[str]:
    """A new folder of this process, which is removed with it.

    Those that killed processes of this machine and user left are removed before.
    """
    remove_stale_folders()
    return TemporaryDirectory(prefix=f"{PREFIX}-{machine_name()}-{os.getpid()}-")


def remove_stale_folders() -> None:
    """Remove the folders of processes of this machine and user that have ended."""
    prefix = f"{PREFIX}-{machine_name()}-"
    for path in Path(gettempdir()).glob(f"{prefix}*"):
        owner = path.name.removeprefix(prefix).partition("-")[0]
        if owner.isdecimal() and not is_alive(int(owner)) and _is_own(path):
            shutil.rmtree(path, ignore_errors=True)


def _is_own(path: Path) -> bool:
    try:
        return path.lstat().st_uid == os.getuid()
    except FileNotFoundError:
        # Another process was faster.
        return False
