"""Run the experiments of a paper, and set its numbers beside ours."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from os import PathLike

import pandas as pd

from anonopt._checks import check_choice, check_integer, unknown
from anonopt.experiments.items.item import Item, Paper
from anonopt.experiments.items.measured import Outcome, Run, RunFile, measure_all
from anonopt.experiments.items.verdicts import NOT_COMPARABLE, judged
from anonopt.experiments.papers import PAPERS

COLUMNS = [
    "item",
    "number",
    "printed",
    "ours",
    "spread",
    "least",
    "most",
    "runs",
    "verdict",
    "why",
    "needs_seeds",
]


def list_papers() -> list[str]:
    """Names of the papers whose experiments can be run.

    Examples
    --------
    >>> list_papers()
    ['dewri2010', 'kgen2022', 'mares2013']
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
    on_progress: Callable[[float, int], None] | None = None,
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
        Called with the share of the runs that is done, 0..1, and their number.

    Returns
    -------
    DataFrame
        One row a printed number: ``item``, ``number`` (what it is), ``printed`` (as in the paper),
        ``ours`` (mean over the runs), ``spread`` (their standard deviation), ``least`` and
        ``most`` over them, ``runs``, ``verdict`` (``same``, ``agrees``, ``differs`` or ``not
        comparable``, see :class:`~anonopt.experiments.items.verdicts.Verdict`), ``why`` (the
        reason, where one is called for) and ``needs_seeds`` (whether a quick look may come to
        another verdict).

    Raises
    ------
    ValueError
        If there is no such paper or item, `seeds` or `workers` are below 1, or the file of runs
        is none.
    TypeError
        If `item` is no text, or `seeds` or `workers` no whole number.
    OSError
        If the file of runs cannot be read or written.

    Examples
    --------
    >>> reproduce("dewri2010", "table-1a")[["number", "printed", "ours", "verdict"]].head(1)
            number printed  ours verdict
    0  Age, values      74  74.0    same
    """
    chosen = get_paper(paper)
    items = list(chosen.items) if item is None else [get_item(chosen, item)]
    check_integer("workers", workers, least=1)
    if seeds is not None:
        check_integer("seeds", seeds, least=1)
    planned = {
        one.name: {
            Run.of(one.measure, seed, quick): one.measure
            for seed in one.seeds(quick=quick, n_seeds=seeds)
        }
        for one in items
    }
    to_measure = {run: measure for of_item in planned.values() for run, measure in of_item.items()}
    done = RunFile(runs)
    n_done = 0

    def count(run: Run) -> None:
        nonlocal n_done
        n_done += 1
        if on_progress is not None:
            on_progress(n_done / len(to_measure), n_done)

    measure_all(to_measure, done, workers=workers, on_done=count)
    rows = [row for one in items for row in _rows(one, [done[run] for run in planned[one.name]])]
    return pd.DataFrame(rows, columns=COLUMNS)


def _rows(item: Item, outcomes: list[Outcome]) -> Iterator[tuple[object, ...]]:
    """Rows of the numbers of an item."""
    missing = next((outcome.missing for outcome in outcomes if outcome.missing), None)
    for printed in item.printed:
        values = [
            outcome.numbers[printed.measured]
            for outcome in outcomes
            if printed.measured in outcome.numbers
        ]
        found = judged(printed, values)
        if missing is not None:
            found = found._replace(verdict=NOT_COMPARABLE, why=f"not measured: {missing}")
        yield (
            *(item.name, printed.label, printed.value),
            *found[:4],
            len(values),
            *(found.verdict, found.why, printed.needs_seeds),
        )


def get_item(paper: Paper, name: str) -> Item:
    """Item of a paper, by its name or as the paper writes it: ``"Table 1(b)"``, ``"figure-3.6"``.

    Raises
    ------
    TypeError
        If the name is no text.
    ValueError
        If there is none of that name.
    """
    if not isinstance(name, str):
        raise TypeError(f"item: expected the name of an item, found {name!r}")
    known = {name: item for item in paper.items for name in item.names}
    wanted = re.sub(r"[ .]+", "-", re.sub(r"[()]", "", name.strip().lower()))
    if wanted not in known:
        raise ValueError(unknown(f"item of {paper.name}", name, known))
    return known[wanted]
