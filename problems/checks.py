"""What the constructor of a problem is given, checked."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from anonopt._typing import AnyArray, FloatArray
from anonopt.problems.spaces.base import SOLUTION

RESERVED_NAMES = frozenset({"evaluation", "feasible", "seconds", "violation", SOLUTION})
"""Columns that result frames add to those of the problem."""


def check_names(
    genes: tuple[str, ...], objectives: tuple[str, ...], constraints: tuple[str, ...]
) -> None:
    """Refuse names that are given twice, or that result frames use.

    Raises
    ------
    ValueError
        If there is no objective, or a name is given twice or reserved.
    """
    if not objectives:
        raise ValueError("objectives: expected at least one, found none")
    # Constraints stand in a table of their own, so they may share a name with an objective.
    for names, kind in (((*genes, *objectives), "gene or objective"), (constraints, "constraint")):
        seen: set[str] = set()
        for name in names:
            if name in seen:
                raise ValueError(f"expected each {kind} name once, found {name!r} twice")
            if name in RESERVED_NAMES:
                raise ValueError(
                    f"expected {kind} names other than those of columns of result tables, "
                    f"{sorted(RESERVED_NAMES)}, found {name!r}"
                )
            seen.add(name)


def checked_values(
    values: npt.ArrayLike | None,
    names: tuple[str, ...],
    X: AnyArray,
    *,
    kind: str,
    worst: npt.ArrayLike,
    text: Callable[[AnyArray], str],
) -> FloatArray:
    """What a problem measured of its genomes, as floats (n, n_names).

    Parameters
    ----------
    values : array (n, n_names)
    names : tuple of str
    X : array (n, n_var)
        The genomes.
    kind : str
        ``"objective"`` or ``"constraint"``.
    worst : float, or array (n_names,)
        The infinite value that may occur, as it still compares: the worst there is.
    text : function of a genome, returns str

    Raises
    ------
    ValueError
        If it is None, of another shape, or holds what cannot be compared (names the genome).
    """
    if values is None:
        raise ValueError(f"{kind}s: expected one array of {names}, found None")
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{kind}s: expected numbers of {names}, found others; {error}") from error
    if numbers.shape != (len(X), len(names)):
        raise ValueError(
            f"{kind}s: expected shape (n, {len(names)}) with n = {len(X)} genomes, "
            f"found shape {numbers.shape}"
        )
    fine = np.isfinite(numbers) | (numbers == worst)
    if kind == "constraint":
        fine = ~np.isnan(numbers)
    if not fine.all():
        row, column = np.argwhere(~fine)[0]
        raise ValueError(
            f"{kind} {names[column]!r}: expected a finite value, "
            f"found {numbers[row, column]} at {text(X[row])}"
        )
    return numbers
