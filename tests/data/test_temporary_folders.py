"""Folders for what does not fit into memory: of killed processes they are removed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from anonopt.data.temporary_folders import spill_folder


@pytest.mark.skipif(os.name != "posix", reason="processes are asked for by signals")
def test_folders_of_killed_processes_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with spill_folder() as mine, subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
        own = f"-{os.getpid()}-"
        assert own in mine
        stale, running, other = (
            tmp_path / Path(mine).name.replace(own, f"-{owner}-", 1)
            for owner in (ended.pid, os.getppid(), "somebody")
        )
        for folder in (stale, running, other):
            folder.mkdir()
            (folder / "spilled").write_bytes(b"rows")
        with spill_folder():
            assert not stale.exists()
        assert running.exists() and other.exists() and Path(mine).is_dir()
    assert not Path(mine).exists()
