"""What the constructor of a problem is given, checked."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from anonopt._typing import FloatArray

SOLUTION = "solution"
"""Column of solutions whose genes have no names: their position, from 0."""

RESERVED_NAMES = frozenset({"evaluation", "feasible", "violation", SOLUTION})
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
        raise ValueError(
            f"expected at least one objective; found {len(genes)} genes and 0 objectives"
        )
    # Constraints stand in a table of their own, so they may share a name with an objective.
    for names, kind in (((*genes, *objectives), "gene or objective"), (constraints, "constraint")):
        seen: set[str] = set()
        for name in names:
            if name in seen:
                raise ValueError(f"expected each {kind} name once; found {name!r} twice")
            if name in RESERVED_NAMES:
                raise ValueError(
                    f"expected a {kind} name other than {sorted(RESERVED_NAMES)}, which result "
                    f"tables use; found {name!r}"
                )
            seen.add(name)


def number_of_genes(names: tuple[str, ...], n_var: int | None) -> int:
    """Number of genes, from their names or as given.

    Raises
    ------
    ValueError
        If both or none are given, or the number is below 1.
    """
    if names and n_var is not None:
        raise ValueError(f"expected genome_names or n_var; found {len(names)} names and {n_var}")
    n_genes = len(names) if n_var is None else operator.index(n_var)
    if n_genes < 1:
        raise ValueError(f"expected at least one gene; found {n_genes} genes")
    return n_genes


def checked_bounds(
    xl: npt.ArrayLike | None, xu: npt.ArrayLike | None, *, n_var: int, integer: bool
) -> tuple[FloatArray, FloatArray] | None:
    """Bounds of genes as float arrays (n_var,); None if there are none.

    Raises
    ------
    ValueError
        If one of them is missing, of another length or not whole, or they are crossed.
    """
    if xl is None and xu is None and not integer:
        return None
    if xl is None or xu is None:
        raise ValueError("expected both bounds xl and xu; found one of them or none")
    low, high = (np.array(bound, dtype=np.float64).reshape(-1) for bound in (xl, xu))
    if len(low) != n_var or len(high) != n_var:
        raise ValueError(
            f"expected bounds of length n_var = {n_var}; found {len(low)} and {len(high)}"
        )
    if integer and ((low != np.rint(low)).any() or (high != np.rint(high)).any()):
        raise ValueError(f"expected whole bounds; found xl = {low}, xu = {high}")
    if (low > high).any():
        raise ValueError(f"expected xl <= xu; found xl = {low}, xu = {high}")
    return low, high


def checked_values(
    values: npt.ArrayLike | None,
    names: tuple[str, ...],
    X: npt.NDArray[Any],
    *,
    kind: str,
    describe: Callable[[npt.NDArray[Any]], str],
) -> FloatArray:
    """What a problem measured of its genomes, as floats (n, n_names).

    Raises
    ------
    ValueError
        If it is None, of another shape, or holds what cannot be compared (names the genome).
    """
    if values is None:
        raise ValueError(f"expected one array of {kind}s {names}; found None")
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.shape != (len(X), len(names)):
        raise ValueError(
            f"expected {kind}s of shape (n, {len(names)}) with n = {len(X)} genomes; "
            f"found shape {numbers.shape}"
        )
    # An infinite violation still compares; an infinite objective has no crowding, no box.
    wrong = np.isnan(numbers) if kind == "constraint" else ~np.isfinite(numbers)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ValueError(
            f"expected a finite value of {kind} {names[column]!r}; "
            f"found {numbers[row, column]} at genome {describe(X[row])}"
        )
    return numbers
