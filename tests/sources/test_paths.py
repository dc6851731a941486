"""Files of one table: which paths are among them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from anonopt.sources.paths import Files


@pytest.mark.parametrize(
    ("given", "written", "is_one"),
    [
        ("rows", "rows/b.PARQUET", True),
        ("rows", "rows/2026/b.parquet", True),
        ("rows", "rows/b.csv", True),
        ("rows", "rows/b.txt", False),
        ("rows", "rows.parquet", False),
        ("rows/*.parquet", "rows/../rows/b.parquet", True),
        ("rows/*.parquet", "rows/2026/b.parquet", False),
        ("rows/**/*.parquet", "rows/2026/b.parquet", True),
        ("rows/a.parquet", "link.parquet", True),
        ("rows/a.parquet", "rows/b.parquet", False),
    ],
)
def test_a_file_that_would_be_read_with_the_others(given, written, is_one, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("rows/2026").mkdir(parents=True)
    Path("rows/a.parquet").touch()
    os.link("rows/a.parquet", "link.parquet")
    assert Files("Parquet", given).takes(Path(written)) == is_one
    assert Files("Parquet", tmp_path / given).takes(Path(written)) == is_one
