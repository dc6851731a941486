"""A run as pymoo's ``minimize`` would hand it back."""

from __future__ import annotations

import numpy as np
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.result import Result as PymooResult

from anonopt.experiments.store.runs import StoredRuns


def pymoo_result(runs: StoredRuns, run: int, *, problem: Problem | None = None) -> PymooResult:
    """Give a run to what works on pymoo's results: its front, and every evaluation.

    Parameters
    ----------
    runs : StoredRuns
    run : int
        Its number, of the index of ``runs.frame``.
    problem : pymoo Problem, optional
        Becomes ``problem`` of the result.

    Returns
    -------
    pymoo.core.result.Result
        ``X``, ``F``, ``CV``, ``G`` (none) and ``opt`` of the front, as pymoo has them: None if
        nothing feasible was found, ``X`` and ``F`` of one row alone without that axis for one
        objective. ``archive`` is a population of all evaluations, of which the file keeps the
        objectives and whether they were feasible (``CV`` 0 or 1), no genomes. ``exec_time`` in
        seconds, ``success``, ``message``.

    Raises
    ------
    ValueError
        If there is no such run.
    """
    genomes, F = runs.front(run)
    found = runs.evaluations(run)
    result = PymooResult()
    result.problem, result.algorithm = problem, None
    result.exec_time = float(runs.frame["wall_seconds"][run])
    result.message, result.success = str(runs.frame["message"][run]), bool(len(F))
    result.archive = Population.new(F=found.F, CV=np.where(found.feasible, 0.0, 1.0)[:, np.newaxis])
    if len(F) == 0:
        result.X = result.F = result.CV = result.G = result.opt = None
        return result
    X = np.array(genomes, dtype=object)[:, np.newaxis] if isinstance(genomes, list) else genomes
    CV, G = np.zeros((len(F), 1)), np.zeros((len(F), 0))
    result.opt = result.pop = Population.new(X=X, F=F, CV=CV, G=G)
    if F.shape[1] == 1:
        result.X, result.F, result.CV, result.G = X[0], F[0], CV[0], G[0]
    else:
        result.X, result.F, result.CV, result.G = X, F, CV, G
    return result
