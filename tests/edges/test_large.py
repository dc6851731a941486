"""Files of many rows: time and memory stay in proportion, and people see how far the work is."""

from __future__ import annotations

import sys
import time
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import anonopt as ao
from anonopt.cli import app
from anonopt.masking import Records, mdav_groups
from anonopt.measures.continuous.nearest_records import NearestRecords


@pytest.fixture
def numbers():
    """A file of numbers, and a function that makes it as large."""

    def make(n_rows):
        rng = np.random.default_rng(30)
        return pd.DataFrame(rng.normal(size=(n_rows, 4)), columns=list("wxyz"))

    return make


def seconds(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def test_point_30_mdav_of_many_rows_takes_seconds(numbers):
    pytest.importorskip("numba", reason="the extra 'fast' is not installed")
    frame = numbers(60_000)
    records = Records.of(frame, list(frame.columns), None)
    mdav_groups(Records.of(frame[:100], list(frame.columns), None), 3, accelerator="numba")
    # Half a second; 10 seconds with distances to all records.
    assert seconds(lambda: mdav_groups(records, 3)) < 4


def test_point_30_compare_of_many_rows_takes_seconds_and_little_memory(numbers):
    pytest.importorskip("numba", reason="the extra 'fast' is not installed")
    frame = numbers(40_000)
    masked = frame + 0.1 * np.random.default_rng(31).normal(size=frame.shape)
    small = slice(0, 20_000)
    ao.compare(frame[small], masked[small])
    # One second; all pairs of records, with numba, take 8.
    assert seconds(lambda: ao.compare(frame, masked)) < 6
    tracemalloc.start()
    ao.compare(frame, masked)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # 30 megabytes; the two tables of patterns alone would take twice as much.
    assert peak < 60e6


def test_point_30_many_equal_originals_are_counted_once():
    # Half of the originals are one record, to which half of the masked ones are linked.
    n_rows = 30_000
    original = np.random.default_rng(32).normal(size=(n_rows, 2))
    original[: n_rows // 2] = 1.0
    nearest = NearestRecords(original)
    assert seconds(lambda: nearest.ties(np.arange(n_rows), original)) < 5
    ties = nearest.ties(np.arange(n_rows), original)
    assert set(ties[: n_rows // 2]) == {n_rows // 2}
    assert set(ties[n_rows // 2 :]) == {1}


@pytest.mark.parametrize("method", ["mdav", "mondrian", "optimal-microaggregation"])
def test_point_30_methods_tell_how_far_they_are(numbers, method):
    shares: list[float] = []
    masker = ao.masking.METHODS[method](k=3)
    masker.fit_transform(numbers(4200), on_progress=shares.append)
    assert len(shares) > 3
    assert shares == sorted(shares)
    assert 0.5 < shares[-1] <= 1.0


@pytest.mark.parametrize("as_text", [False, True], ids=["numbers", "categories"])
def test_point_30_compare_tells_how_far_it_is(numbers, as_text):
    frame = numbers(1500)
    masked = frame + 1.0
    if as_text:
        frame, masked = (table.round(1).astype(str) for table in (frame, masked))
    shares: list[float] = []
    quiet = ao.compare(frame, masked)
    told = ao.compare(frame, masked, on_progress=shares.append)
    pd.testing.assert_series_equal(quiet, told)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_point_30_commands_show_a_bar_where_a_person_watches(numbers, tmp_path, monkeypatch):
    for name in ("masking.masked_table", "compare_files"):
        # The package names the commands by the names of their files.
        monkeypatch.setattr(sys.modules[f"anonopt.cli.{name}"], "is_watched", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    source, output = tmp_path / "numbers.csv", tmp_path / "masked.csv"
    numbers(400).to_csv(source, index=False)
    run = CliRunner().invoke
    masked = run(app, ["mask", "mdav", str(source), "--k", "3", "--output", str(output)])
    assert masked.exit_code == 0, masked.output
    compared = run(app, ["compare-files", str(source), str(output)])
    assert compared.exit_code == 0, compared.output
    for result in (masked, compared):
        assert "rows/s" in result.stderr
        assert "rows/s" not in result.stdout


def test_point_30_nothing_is_shown_where_nobody_watches(numbers, tmp_path):
    source, output = tmp_path / "numbers.csv", tmp_path / "masked.csv"
    numbers(200).to_csv(source, index=False)
    result = CliRunner().invoke(
        app, ["mask", "mdav", str(source), "--k", "3", "--output", str(output)]
    )
    assert result.exit_code == 0
    assert "rows/s" not in result.output
