"""Files are written whole, with the mode they had, several together, and nothing stays behind."""

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from anonopt.data import output_files
from anonopt.data.output_files import check_target, write_file, write_files
from tests.repository import ROOT


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture(params=["unnamed", "named"])
def both_ways(request, monkeypatch):
    """With files that have no name before they are in place, and without such files."""
    if request.param == "named":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)


@pytest.mark.usefixtures("both_ways")
class TestOneFile:
    def test_new_file_has_the_mode_of_new_files(self, tmp_path):
        path = tmp_path / "a.txt"
        write_file(path, b"new")
        (tmp_path / "b.txt").write_bytes(b"new")
        assert path.read_bytes() == b"new"
        assert path.stat().st_mode == (tmp_path / "b.txt").stat().st_mode

    @pytest.mark.parametrize("mode", [0o600, 0o640, 0o777])
    def test_mode_is_kept(self, tmp_path, mode):
        path = tmp_path / "a.txt"
        path.write_text("old")
        path.chmod(mode)
        write_file(path, b"new")
        assert path.read_bytes() == b"new"
        assert stat.S_IMODE(path.stat().st_mode) == mode
        assert names(tmp_path) == ["a.txt"]

    def test_check_reads_the_new_content_before_anything_is_replaced(self, tmp_path):
        path = tmp_path / "a.txt"
        path.write_text("old")

        def check(readable):
            assert path.read_text() == "old"
            assert readable.read_bytes() == b"new"
            raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            write_file(path, b"new", check=check)
        assert path.read_text() == "old"
        assert names(tmp_path) == ["a.txt"]

    def test_what_cannot_be_written_leaves_the_old(self, tmp_path, monkeypatch):
        path = tmp_path / "a.txt"
        path.write_text("old")

        def full(descriptor):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            write_file(path, b"new")
        assert path.read_text() == "old"
        assert names(tmp_path) == ["a.txt"]

    def test_name_as_long_as_names_may_be(self, tmp_path):
        path = tmp_path / ("n" * 255)
        write_file(path, b"new")
        assert path.read_bytes() == b"new"

    def test_leftovers_of_dead_processes_are_removed_and_of_living_ones_kept(self, tmp_path):
        path = tmp_path / "a.txt"
        dead = subprocess.Popen([sys.executable, "-c", ""])
        dead.wait()
        prefix = output_files.hidden_prefix(path)
        (tmp_path / f"{prefix}{dead.pid}-0123abcd").write_text("half")
        (tmp_path / f"{prefix}{os.getppid()}-0123abcd").write_text("at work")
        write_file(path, b"new")
        assert names(tmp_path) == [f"{prefix}{os.getppid()}-0123abcd", "a.txt"]


class TestTargets:
    @pytest.mark.parametrize("make", ["symlink", "dangling", "pipe", "device"])
    def test_what_is_no_file_is_named(self, tmp_path, make):
        path = tmp_path / "a.txt"
        if make == "symlink":
            (tmp_path / "b.txt").write_text("old")
            path.symlink_to(tmp_path / "b.txt")
        elif make == "dangling":
            path.symlink_to(tmp_path / "nowhere")
        elif make == "pipe":
            os.mkfifo(path)
        else:
            path = Path("/dev/null")
        before = path.lstat()
        for refuse in (check_target, lambda target: write_file(target, b"new")):
            with pytest.raises(ValueError, match=r"expected a file or a new name, found a"):
                refuse(path)
        assert path.lstat().st_mode == before.st_mode
        if make == "symlink":
            assert (tmp_path / "b.txt").read_text() == "old"

    def test_folder_and_missing_folder(self, tmp_path):
        with pytest.raises(IsADirectoryError):
            check_target(tmp_path)
        with pytest.raises(FileNotFoundError, match="expected an existing folder"):
            check_target(tmp_path / "no" / "a.txt")

    def test_folder_that_cannot_be_written_is_noticed(self, tmp_path, monkeypatch):
        monkeypatch.setattr(os, "access", lambda path, mode: False)
        with pytest.raises(PermissionError, match="files can be written in"):
            check_target(tmp_path / "a.txt")


@pytest.mark.usefixtures("both_ways")
class TestSeveralFiles:
    def test_all_or_none(self, tmp_path):
        first, second = tmp_path / "a", tmp_path / "b"
        write_files({first: b"1", second: b"1"})
        write_files({first: b"2", second: b"2"})
        assert (first.read_bytes(), second.read_bytes()) == (b"2", b"2")

        def check(places):
            assert [places[path].read_bytes() for path in (first, second)] == [b"3", b"3"]
            raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            write_files({first: b"3", second: b"3"}, check=check)
        assert (first.read_bytes(), second.read_bytes()) == (b"2", b"2")
        assert names(tmp_path) == ["a", "b"]

    @pytest.mark.parametrize("had_old", [True, False])
    @pytest.mark.parametrize("failing", [1, 2, 3])
    def test_failure_of_any_step_leaves_the_old_pair(self, tmp_path, monkeypatch, failing, had_old):
        paths = [tmp_path / name for name in "abc"]
        if had_old:
            write_files(dict.fromkeys(paths, b"old"))
        replace = Path.replace
        n_calls = 0

        def sometimes(self, target):
            nonlocal n_calls
            n_calls += 1
            if n_calls == failing:
                raise OSError(errno.EIO, os.strerror(errno.EIO), str(target))
            return replace(self, target)

        monkeypatch.setattr(Path, "replace", sometimes)
        with pytest.raises(OSError, match=r"I/O error|Input/output"):
            write_files(dict.fromkeys(paths, b"new"))
        assert names(tmp_path) == (["a", "b", "c"] if had_old else [])
        assert all(path.read_bytes() == b"old" for path in tmp_path.iterdir())

    def test_killed_at_any_step_never_mixes(self, tmp_path, monkeypatch):
        """A process that ends between two steps is one whose later steps do not happen."""
        paths = [tmp_path / name for name in "ab"]
        steps = 0
        while True:
            steps += 1
            for path in tmp_path.iterdir():
                path.unlink()
            write_files(dict.fromkeys(paths, b"old"))
            ended = run_until_step(paths, steps)
            found = {path.read_bytes() for path in paths if path.exists()}
            assert len(found) == 1
            if not ended:
                break
        assert steps > 3


def run_until_step(paths, n_steps):
    """Write in another process that kills itself at its n-th rename, link or removal."""
    program = """
import os, signal, sys
from pathlib import Path
left = int(sys.argv[1])
def counted(name):
    do = getattr(Path, name)
    def step(*args, **options):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return do(*args, **options)
    setattr(Path, name, step)
from anonopt.data.output_files import write_files
for name in ("replace", "rename", "unlink", "hardlink_to"):
    counted(name)
write_files({Path(path): b"new" for path in sys.argv[2:]})
"""
    command = [sys.executable, "-c", program, str(n_steps), *map(str, paths)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, env=environment, check=False).returncode == -signal.SIGKILL


def test_process_killed_while_it_writes_leaves_no_file(tmp_path):
    if not hasattr(os, "O_TMPFILE"):
        pytest.skip("this system has no files without a name")
    program = """
import sys
from pathlib import Path
from anonopt.data.output_files import write_file
def check(path):
    print("written", flush=True)
    sys.stdin.read()
write_file(sys.argv[1], b"x" * 1_000_000, check=check)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "a.txt")],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout.readline() == b"written\n"
    process.kill()
    process.wait()
    deadline = time.monotonic() + 5
    while names(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert names(tmp_path) == []
