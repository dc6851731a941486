"""moocore's data sets: a text file for each cell, a set of points for each run."""

from __future__ import annotations

import io

import numpy as np

from anonopt.experiments.exports.cells import CellRuns, cells_of
from anonopt.experiments.store.runs import StoredRuns


def moocore_files(runs: StoredRuns) -> dict[str, bytes]:
    """A file for each cell, by name, that ``moocore.read_datasets`` reads.

    Each run that ended well is a set: its front, minimized, one point a line, with all digits;
    empty lines stand between sets. A comment names the run and the seed. The format has no empty
    sets: of a run that found nothing feasible there is the comment alone.
    """
    return {f"{cell.file}.dat": _sets(runs, cell).encode() for cell in cells_of(runs)}


def _sets(runs: StoredRuns, cell: CellRuns) -> str:
    facts = runs.problems[cell.problem]
    text = io.StringIO()
    text.write(f"# {cell.problem}, {cell.algorithm}, {cell.budget}\n")
    text.write(f"# minimized: {', '.join(facts.objectives)}\n")
    for run, seed in zip(cell.runs.index, cell.runs["seed"], strict=True):
        _, F = runs.front(run)
        text.write(f"# run {run}, seed {seed}{'' if len(F) else ': nothing feasible'}\n")
        if len(F):
            np.savetxt(text, F, fmt="%.17g")
            text.write("\n")
    return text.getvalue()
