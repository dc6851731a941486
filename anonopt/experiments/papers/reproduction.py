"""Run the experiments of a paper, and set its numbers beside ours."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike

import pandas as pd

from anonopt._checks import check_choice, check_integer, unknown
from anonopt.experiments.papers.dewri2010 import DEWRI
from anonopt.experiments.papers.item import Item, Paper
from anonopt.experiments.papers.measured import Run, RunFile, measure_all
from anonopt.experiments.papers.verdicts import judged

PAPERS = {paper.name: paper for paper in (DEWRI,)}

COLUMNS = ["item", "number", "printed", "ours", "least", "most", "runs", "verdict", "why"]


def list_papers() -> list[str]:
    """Names of the papers whose experiments can be run.

    Examples
    --------
    >>> list_papers()
    ['dewri2010']
    """
    return list(PAPERS)


def get_paper(name: str) -> Paper:
    """Paper of a name.

    Raises
    ------
    ValueError
        If there is none.
    """
    return PAPERS[check_choice("paper", name, PAPERS)]


def reproduce(
    paper: str,
    item: str | None = None,
    *,
    seeds: int | None = None,
    workers: int = 1,
    quick: bool = False,
    runs: str | PathLike[str] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> pd.DataFrame:
    """Run a paper's experiments with its parameters, and compare every printed number with ours.

    Parameters
    ----------
    paper : str
        One of :func:`list_papers`.
    item : str, optional
        A table, figure or example of it, such as ``"table-1b"``; all of them if left out.
    seeds : int, optional
        Runs of each item in which something is random; by default as many as the paper's.
    workers : int
        Processes. The numbers do not depend on it.
    quick : bool
        Few runs, and shorter ones where the item says so.
    runs : path, optional
        File that keeps what is done: a reproduction that was interrupted goes on from it.
    on_progress : callable, optional
        Called with the number of runs that are done and of all.

    Returns
    -------
    DataFrame
        One row a printed number: ``item``, ``number`` (what it is), ``printed`` (as in the paper),
        ``ours`` (mean over the runs), ``least`` and ``most`` over them, ``runs``, ``verdict``
        (``same``, ``agrees``, ``differs`` or ``not comparable``, see
        :class:`~anonopt.experiments.papers.verdicts.Verdict`) and ``why``.

    Raises
    ------
    ValueError
        If there is no such paper or item, `seeds` or `workers` are below 1, or the file of runs
        is none.

    Examples
    --------
    >>> reproduce("dewri2010", "table-1a")[["number", "printed", "ours", "verdict"]].head(2)
            number printed  ours verdict
    0  Age, height       6   6.0    same
    1  Age, values      74  74.0    same
    """
    chosen = get_paper(paper)
    items = list(chosen.items) if item is None else [_item(chosen, item)]
    check_integer("workers", workers, least=1)
    if seeds is not None:
        check_integer("seeds", seeds, least=1)
    planned = [
        (Run(paper, one.name, seed, quick), one)
        for one in items
        for seed in one.seeds(quick=quick, n_seeds=seeds)
    ]
    done = RunFile(runs)
    n_done = 0

    def count(run: Run) -> None:
        nonlocal n_done
        n_done += 1
        if on_progress is not None:
            on_progress(n_done, len(planned))

    measure_all(planned, done, workers=workers, on_done=count)
    numbers: dict[str, list[Run]] = {}
    for run, one in planned:
        numbers.setdefault(one.name, []).append(run)
    rows = []
    for one in items:
        measured = [done[run] for run in numbers[one.name]]
        for printed in one.printed:
            values = [found[printed.measured] for found in measured if printed.measured in found]
            ours, least, most, verdict, why = judged(printed, values)
            row = (one.name, printed.label, printed.value, ours, least, most, len(values))
            rows.append((*row, verdict, why))
    return pd.DataFrame(rows, columns=COLUMNS)


def _item(paper: Paper, name: str) -> Item:
    known = {item.name: item for item in paper.items}
    if name not in known:
        raise ValueError(unknown(f"item of {paper.name}", name, known))
    return known[name]
