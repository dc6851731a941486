"""What a file holds of an experiment that may go on."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike

from anonopt.experiments.store.rows import AlgorithmRow, ProblemRow
from anonopt.experiments.store.runs import StoredRuns
from anonopt.experiments.store.schema import check_experiment, checked_path


def statuses(
    path: str | PathLike[str], name: str, rows: Iterable[ProblemRow | AlgorithmRow]
) -> dict[tuple[object, ...], str]:
    """How the runs ended that a file holds, by problem, algorithm, seed and name of the budget.

    Parameters
    ----------
    path : path
        None of it need be there.
    name : str
        Of the experiment.
    rows : iterable of rows
        Its problems and algorithms.

    Raises
    ------
    ValueError
        If the file is of another experiment, or a problem or an algorithm of it has changed.
    """
    if not checked_path(path).exists():
        return {}
    held = StoredRuns(path)
    check_experiment(held.path, held.name, name)
    held.check_unchanged(rows)
    columns = [held.frame[part] for part in ("problem", "algorithm", "seed", "budget")]
    return dict(zip(zip(*columns, strict=True), held.frame["status"], strict=True))
