"""Which runs of a file are compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from anonopt._checks import check_choice, near_names, unknown
from anonopt.experiments.store.runs import StoredRuns, ended_well

CHOICE = ("budget", "problems", "algorithms", "failed")
"""Options of :func:`chosen_runs`."""

FAILED = ("worst", "left out")
"""What runs that failed count as."""


def check_options(what: str, options: Iterable[str], known: Iterable[str]) -> None:
    """Refuse options that are not known.

    Raises
    ------
    TypeError
        If there is one; the nearest ones are named.

    Examples
    --------
    >>> check_options("options", {"budgte": 1}, ["budget", "failed"])
    Traceback (most recent call last):
        ...
    TypeError: options: expected budget, failed, found 'budgte'; did you mean budget?
    """
    names = list(known)
    for option in options:
        if option not in names:
            near = near_names(option, names)
            raise TypeError(
                f"{what}: expected {', '.join(names)}, found {option!r}{near and f'; {near}'}"
            )


def chosen_runs(
    runs: StoredRuns,
    *,
    budget: str | None = None,
    problems: Sequence[str] | None = None,
    algorithms: Sequence[str] | None = None,
    failed: str = "worst",
) -> pd.DataFrame:
    """Runs of one budget, as in ``runs.frame``, in its order.

    Parameters
    ----------
    runs : Runs
    budget : str, optional
        As ``runs.frame`` names it; it can be left out if there is one.
    problems, algorithms : sequence of str, optional
        By default all.
    failed : {"worst", "left out"}
        Whether runs that failed, or were out of time or memory, are among them.

    Raises
    ------
    ValueError
        If a name is unknown, there are several budgets and none is named, or `failed` is something
        else.
    """
    table = runs.of_budget(budget)
    check_choice("failed", failed, FAILED)
    for kind, wanted in (("problem", problems), ("algorithm", algorithms)):
        known = list(dict.fromkeys(table[kind]))
        table = table[table[kind].isin(chosen_names(kind, wanted, known))]
    return table if failed == "worst" else table[ended_well(table)]


def chosen_names(kind: str, wanted: Iterable[str] | None, known: Sequence[str]) -> list[str]:
    """Names that are compared: all that are known, or those wanted.

    Raises
    ------
    ValueError
        If one is unknown, or none is left.
    TypeError
        If a text stands in the place of several.
    """
    if wanted is not None and (isinstance(wanted, str) or not isinstance(wanted, Iterable)):
        raise TypeError(f"{kind}s: expected several names, found {wanted!r}")
    names = list(known) if wanted is None else list(wanted)
    for name in names:
        if name not in known:
            raise ValueError(unknown(kind, name, known))
    if not names:
        raise ValueError(f"{kind}s: expected at least one, found none")
    return names


def common_problems(table: pd.DataFrame) -> list[str]:
    """Problems on which every algorithm of the table has a run, in its order."""
    of_problem = table.groupby("problem", sort=False)["algorithm"].nunique()
    return of_problem.index[of_problem == table["algorithm"].nunique()].tolist()
