"""Runs that go into one file of another tool: those of one problem, algorithm and budget."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from anonopt.experiments.store.runs import StoredRuns, ended_well


class CellRuns(NamedTuple):
    """Runs that ended well of one problem, algorithm and budget.

    Attributes
    ----------
    problem, algorithm, budget : str
    file : str
        Name that a file of theirs can have, without an ending; no other cell has it.
    runs : DataFrame
        Rows of ``runs.frame``, by seed.
    """

    problem: str
    algorithm: str
    budget: str
    file: str
    runs: pd.DataFrame


def cells_of(runs: StoredRuns) -> Iterator[CellRuns]:
    """Each cell that has runs that ended well, in the order of the experiment."""
    done = runs.frame[ended_well(runs.frame)]
    several = done["budget"].nunique() > 1
    taken: set[str] = set()
    for key, rows in done.groupby(["problem", "algorithm", "budget"], sort=False):
        problem, algorithm, budget = map(str, key)
        wanted = "-".join(map(slug, (problem, algorithm, *([budget] if several else []))))
        file, number = wanted, 2
        while file.lower() in taken:
            file, number = f"{wanted}-{number}", number + 1
        taken.add(file.lower())
        yield CellRuns(problem, algorithm, budget, file, rows.sort_values("seed"))


def slug(name: str) -> str:
    """Letters, digits, ``+`` and ``_`` of a name, that every system takes for one of a file.

    Examples
    --------
    >>> slug("PBG-EA (pop_size=40)")
    'PBG-EA-pop_size-40'
    """
    return re.sub(r"[^A-Za-z0-9_+]+", "-", name).strip("-") or "unnamed"
