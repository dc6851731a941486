"""The folder that IOHinspector and IOHanalyzer load: a JSON of facts and data for each cell.

The first objective is ``raw_y``, the others are ``F2``, ``F3``, ...; all are minimized. Their
readers take a new run wherever the evaluations begin at 1, so that no run is without rows.
"""

from __future__ import annotations

import json

import numpy as np

from anonopt.experiments.exports.cells import CellRuns, cells_of
from anonopt.experiments.store.contents import Evaluations
from anonopt.experiments.store.runs import StoredRuns

VERSION = "0.3.18"
"""Of the format, as IOHexperimenter writes it."""

MOST_GENES = 2**16 - 1
"""Their readers keep the dimension in two bytes."""


def ioh_files(runs: StoredRuns) -> dict[str, bytes]:
    """Contents of the folder, by relative path.

    Every evaluation of every run that ended well is a row, in its order, with columns
    ``evaluations`` (from 1), ``raw_y``, ``F2``, ..., ``feasible`` (1 or 0), ``seconds`` and
    ``run``, the number of the run in the file of the experiment. The instance is the position of
    the seed, from 1, as readers keep it in two bytes.

    Raises
    ------
    ValueError
        If a problem has more genes than the readers can hold.
    """
    numbers = {name: number for number, name in enumerate(runs.problems, start=1)}
    seeds = sorted(set(runs.frame["seed"]))
    instances = {seed: position for position, seed in enumerate(seeds, start=1)}
    files: dict[str, bytes] = {}
    for cell in cells_of(runs):
        n_var = runs.problems[cell.problem].n_var
        if n_var > MOST_GENES:
            raise ValueError(
                f"problem {cell.problem!r}: expected at most {MOST_GENES} genes, which is what "
                f"readers of this format hold, found {n_var}"
            )
        data = f"{cell.file}/IOHprofiler_f{numbers[cell.problem]}_DIM{n_var}.dat"
        found = dict(runs.all_evaluations(cell.runs.index))
        ended = [
            {
                "instance": instances[cell.runs.at[run, "seed"]],
                "evals": len(evaluations.F),
                "best": _best(evaluations),
            }
            for run, evaluations in found.items()
        ]
        facts = _facts(runs, cell, numbers[cell.problem])
        facts["scenarios"] = [{"dimension": n_var, "path": data, "runs": ended}]
        files[f"IOHprofiler_f{numbers[cell.problem]}_{cell.file}.json"] = json.dumps(
            facts, indent=1
        ).encode()
        files[data] = "".join(_rows(run, one) for run, one in found.items()).encode()
    return files


def _facts(runs: StoredRuns, cell: CellRuns, number: int) -> dict[str, object]:
    facts = runs.problems[cell.problem]
    return {
        "version": VERSION,
        "suite": runs.name,
        "function_id": number,
        "function_name": cell.problem,
        "maximization": False,
        "algorithm": {"name": cell.algorithm, "info": cell.budget},
        "experiment_attributes": [{"budget": cell.budget}],
        "attributes": ["evaluations", *_names(len(facts.objectives))],
    }


def _names(n_obj: int) -> list[str]:
    return ["raw_y", *(f"F{i}" for i in range(2, n_obj + 1)), "feasible", "seconds", "run"]


def _best(found: Evaluations) -> dict[str, object]:
    """The first of the best feasible values of the first objective."""
    rows = np.flatnonzero(found.feasible)
    if len(rows) == 0:
        return {"evals": 0, "y": None, "x": []}
    best = int(rows[np.argmin(found.F[rows, 0])])
    return {"evals": best + 1, "y": float(found.F[best, 0]), "x": []}


def _rows(run: int, found: Evaluations) -> str:
    lines = [" ".join(["evaluations", *_names(found.F.shape[1])])]
    for number, (F, feasible, seconds) in enumerate(
        zip(found.F.tolist(), found.feasible.tolist(), found.seconds.tolist(), strict=True), start=1
    ):
        lines.append(f"{number} {' '.join(map(repr, F))} {int(feasible)} {seconds!r} {run}")
    return "\n".join(lines) + "\n"
