"""Files that are written piece by piece: the whole file, or what was there before."""

from __future__ import annotations

import subprocess
import sys

import pytest

from anonopt.data.tables.streamed_files import replaced


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
