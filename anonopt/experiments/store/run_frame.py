"""The runs of a file as a table."""

from __future__ import annotations

import json
import math
import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd

from anonopt.experiments.grid.budgets import KINDS, Budget, budgets_of
from anonopt.experiments.store.schema import intact

_RUNS = """
SELECT run, problem, algorithm, seed, budget, status, message, n_evaluations, n_unique, n_tests,
       proven, wall_seconds, cpu_seconds, finished, machine, revision
FROM runs ORDER BY
    (SELECT rowid FROM problems WHERE problems.problem = runs.problem),
    (SELECT min(rowid) FROM algorithms WHERE algorithms.algorithm = runs.algorithm),
    seed
"""


def run_frame(database: sqlite3.Connection, path: Path) -> pd.DataFrame:
    """Rows of the runs, in the order of the experiment, budgets from small to large.

    Raises
    ------
    ValueError
        If the budget of a run cannot be read; file and run are named.
    """
    cursor = database.execute(_RUNS)
    columns = [entry[0] for entry in cursor.description]
    frame = pd.DataFrame(cursor.fetchall(), columns=columns).set_index("run")
    budgets = {}
    for run, text in frame["budget"].drop_duplicates().items():
        with intact(path, f"budget of run {run}"):
            budgets[text] = _budget(json.loads(text))
    frame = _by_size(frame, budgets)
    frame["budget"] = [budgets[text].name for text in frame["budget"]]
    return frame.assign(proven=frame["proven"].astype(bool))


def _budget(bounds: object) -> Budget:
    if not isinstance(bounds, dict):
        raise TypeError(f"expected what bounds the run, found {bounds!r}")
    return budgets_of(bounds)[0] if bounds else Budget()


def _by_size(frame: pd.DataFrame, budgets: dict[str, Budget]) -> pd.DataFrame:
    """Budgets from small to large, whatever order their text has; the rest stays as it is."""
    sizes = {text: _size(budget) for text, budget in budgets.items()}
    order = {text: place for place, text in enumerate(sorted(sizes, key=sizes.__getitem__))}
    keys = frame.assign(budget=frame["budget"].map(order))
    for name in ("problem", "algorithm"):
        keys[name] = pd.factorize(keys[name])[0]
    return frame.iloc[
        np.lexsort([keys[name] for name in ("seed", "budget", "algorithm", "problem")])
    ]


def _size(budget: Budget) -> list[float]:
    bounds = (getattr(budget, kind) for kind in KINDS)
    return [math.inf if bound is None else bound for bound in bounds]
