"""Bars of an experiment tell how many runs are done, of all and of each cell."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd

from anonopt.cli.experiments.cell_progress import cell_bars
from anonopt.experiments.store.rows import Cell

CELLS = [("p", "a", 0), ("p", "a", 1), ("p", "b", 0)]
MISSING = pd.DataFrame(CELLS, columns=["problem", "algorithm", "seed"])


def test_bars_count_runs_of_all_and_of_each_cell_that_goes_on(capsys):
    with cell_bars(MISSING, n_done=4, visible=True) as update:
        update(4, 7, Cell("p", "c", 0, ""), None)
        for done, (cell, status) in enumerate(zip(CELLS[1:], ("failed", "done"), strict=True), 5):
            update(done, 7, Cell(*cell, ""), SimpleNamespace(status=status, wall_seconds=2.0))
    shown = capsys.readouterr().err
    assert "all runs, 1 failed" in shown
    assert "6/7" in shown
    assert "p / a" in shown
    assert "1/2" in shown
    # All of its runs are done.
    assert "p / b" not in shown


def test_nothing_is_shown_where_nobody_watches(capsys):
    with cell_bars(MISSING, n_done=4, visible=False) as update:
        assert update is None
    assert capsys.readouterr().err == ""
