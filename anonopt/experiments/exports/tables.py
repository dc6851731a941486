"""The runs of an experiment as plain tables, in Parquet or CSV."""

from __future__ import annotations

import io
import json

import numpy as np
import pandas as pd

from anonopt._registry import engine
from anonopt._typing import FloatArray
from anonopt.experiments.store.runs import StoredRuns

TABLES = ("runs", "evaluations", "fronts", "objectives", "references")


def tables_of(runs: StoredRuns) -> dict[str, pd.DataFrame]:
    """All that the file of an experiment tells, as tables.

    Parameters
    ----------
    runs : StoredRuns

    Returns
    -------
    dict of str to DataFrame
        ``runs``: one row a run, as ``runs.frame``, its number as column ``run``.
        ``evaluations``: ``run``, ``evaluation`` (from 1), ``seconds``, ``feasible``, ``F1``,
        ``F2``, ...: minimized objectives; those a problem does not have are NaN.
        ``fronts``: ``run``, ``solution`` (from 1), ``F1``, ..., ``genome``: JSON.
        ``objectives``: ``problem``, ``objective`` (from 1, as in ``F1``), ``name``, ``maximize``
        (its ``F`` is then the negative), ``reference_point`` (minimized).
        ``references``: ``problem``, ``F1``, ..., ``source``: the reference fronts.
    """
    n_obj = max((len(facts.objectives) for facts in runs.problems.values()), default=0)
    return {
        "runs": runs.frame.reset_index(),
        "evaluations": _evaluations(runs, n_obj),
        "fronts": _fronts(runs, n_obj),
        "objectives": _objectives(runs),
        "references": _references(runs, n_obj),
    }


def _columns(F: FloatArray, n_obj: int) -> dict[str, FloatArray]:
    """Objectives by name; those that are not there are NaN."""
    return {
        f"F{i + 1}": F[:, i] if i < F.shape[1] else np.full(len(F), np.nan) for i in range(n_obj)
    }


def _evaluations(runs: StoredRuns, n_obj: int) -> pd.DataFrame:
    parts = [
        pd.DataFrame(
            {
                "run": np.full(len(found.F), run),
                "evaluation": np.arange(1, len(found.F) + 1),
                "seconds": found.seconds,
                "feasible": found.feasible,
                **_columns(found.F, n_obj),
            }
        )
        for run, found in runs.all_evaluations()
        if len(found.F)
    ]
    columns = ["run", "evaluation", "seconds", "feasible", *(f"F{i + 1}" for i in range(n_obj))]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _fronts(runs: StoredRuns, n_obj: int) -> pd.DataFrame:
    parts = []
    for run in runs.frame.index:
        genomes, F = runs.front(run)
        if len(F):
            texts = [json.dumps(x if isinstance(x, str) else x.tolist()) for x in genomes]
            part = {"run": np.full(len(F), run), "solution": np.arange(1, len(F) + 1)}
            parts.append(pd.DataFrame({**part, **_columns(F, n_obj), "genome": texts}))
    columns = ["run", "solution", *(f"F{i + 1}" for i in range(n_obj)), "genome"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _objectives(runs: StoredRuns) -> pd.DataFrame:
    rows = [
        (
            *(name, i + 1, objective, bool(facts.maximize[i])),
            np.nan if facts.reference_point is None else facts.reference_point[i],
        )
        for name, facts in runs.problems.items()
        for i, objective in enumerate(facts.objectives)
    ]
    columns = ["problem", "objective", "name", "maximize", "reference_point"]
    return pd.DataFrame(rows, columns=columns)


def _references(runs: StoredRuns, n_obj: int) -> pd.DataFrame:
    parts = [
        pd.DataFrame({"problem": name, **_columns(front, n_obj), "source": facts.reference_source})
        for name, facts in runs.problems.items()
        if (front := facts.reference_front) is not None
    ]
    columns = ["problem", *(f"F{i + 1}" for i in range(n_obj)), "source"]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def parquet_files(runs: StoredRuns) -> dict[str, bytes]:
    """A Parquet file for each table, by file name.

    Raises
    ------
    ModuleNotFoundError
        If pyarrow is not installed.
    """
    engine("pyarrow", "format 'parquet' (format 'csv' needs nothing)")
    files = {}
    for name, table in tables_of(runs).items():
        target = io.BytesIO()
        table.to_parquet(target, index=False)
        files[f"{name}.parquet"] = target.getvalue()
    return files


def csv_files(runs: StoredRuns) -> dict[str, bytes]:
    """A CSV file for each table, by file name; numbers with all their digits."""
    return {
        f"{name}.csv": table.to_csv(index=False, lineterminator="\n").encode()
        for name, table in tables_of(runs).items()
    }
