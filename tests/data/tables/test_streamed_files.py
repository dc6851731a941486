"""Files that are written piece by piece: the whole file, or what was there before."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from anonopt.data.tables.streamed_files import hidden_folder, replaced, replaced_together


def test_a_part_takes_its_place_when_the_block_ends(tmp_path):
    target = tmp_path / "table.csv"
    target.write_text("old")
    target.chmod(0o640)
    with replaced(target) as part:
        part.write_text("new")
        assert part.parent == tmp_path
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_an_error_leaves_what_was_there(tmp_path, error):
    target = tmp_path / "table.csv"
    target.write_text("old")
    with pytest.raises(type(error)), replaced(target) as part:
        part.write_text("half")
        raise error
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_nothing_written_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError), replaced(tmp_path / "table.csv"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_no_folder_is_an_error_before_work(tmp_path):
    with (
        pytest.raises(FileNotFoundError, match="expected an existing folder"),
        replaced(tmp_path / "absent" / "table.csv"),
    ):
        raise AssertionError("work began")


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path):
    target = tmp_path / "table.csv"
    code = (
        "import os, sys; from anonopt.data.tables.streamed_files import replaced\n"
        "with replaced(sys.argv[1]) as part: part.write_text('half'); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(target)], check=False)
    assert not target.exists()
    assert len(list(tmp_path.iterdir())) == 1
    with replaced(target) as part:
        part.write_text("new")
    assert list(tmp_path.iterdir()) == [target]


def test_a_folder_that_a_killed_process_left_is_removed_by_the_next(tmp_path):
    target = tmp_path / "table.csv"
    others = [tmp_path / name for name in (".anonopt-mine", ".hidden")]
    for other in others:
        other.mkdir()
    with hidden_folder(target) as folder:
        # Of the system's first process, which does not end.
        living = Path(folder.replace(f"-{os.getpid()}-", "-1-"))
        left = Path(folder.replace(f"-{os.getpid()}-", f"-{2**22 + 1}-"))
        for path in (living, left):
            path.mkdir()
            (path / "0").write_text("masked cells")
        with replaced(target) as part:
            part.write_text("new")
        assert sorted(tmp_path.iterdir()) == sorted([target, living, Path(folder), *others])


@pytest.mark.parametrize("n_old", [0, 1, 2])
def test_files_that_belong_together(tmp_path, monkeypatch, n_old):
    targets = [tmp_path / "table.csv", tmp_path / "table.csv.record.json"]
    for target in targets[:n_old]:
        target.write_text("old")
    before = {path: path.read_text() for path in tmp_path.iterdir()}

    def contents():
        return {path: path.read_text() for path in tmp_path.iterdir()}

    def written(parts):
        for part in parts:
            part.write_text("new")

    with pytest.raises(KeyboardInterrupt), replaced_together(targets) as parts:
        written(parts)
        raise KeyboardInterrupt
    assert contents() == before
    replace, seen = Path.replace, []

    def fails(path, target):
        if target == targets[1]:
            # What a process that is killed here leaves: never a new table beside an old record.
            seen.append((targets[0].read_text(), targets[1].exists()))
            raise OSError("no space")
        return replace(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", fails if n_old < 2 else replace)
        if n_old < 2:
            with pytest.raises(OSError, match="no space"), replaced_together(targets) as parts:
                written(parts)
            assert seen == [("new", False)] and contents() == before
    with replaced_together(targets) as parts:
        written(parts)
    assert contents() == dict.fromkeys(targets, "new")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EFBIG])
def test_a_full_disk_names_the_file(tmp_path, number):
    target = tmp_path / "table.csv"
    # Python tells no file of a failing write, Arrow the hidden one.
    error = OSError(number, "Error writing bytes to file", str(tmp_path / ".hidden"))
    with pytest.raises(OSError, match=r"table\.csv") as caught, replaced(target):
        raise error
    assert (caught.value.errno, caught.value.strerror) == (number, os.strerror(number))
    assert list(tmp_path.iterdir()) == []
