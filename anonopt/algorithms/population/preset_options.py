"""Options of pymoo's algorithms, checked before anything is made: pymoo accepts whatever comes."""

from __future__ import annotations

import inspect
from collections.abc import Collection
from typing import Any

import numpy as np
from pymoo.core.algorithm import Algorithm
from pymoo.core.duplicate import DuplicateElimination
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.repair import Repair
from pymoo.core.sampling import Sampling
from pymoo.core.selection import Selection
from pymoo.core.survival import Survival
from pymoo.util.archive import Archive

from anonopt._checks import check_integer, suggestion
from anonopt._typing import FloatArray
from anonopt.algorithms.registry import ALGORITHMS, refused
from anonopt.operators.base import check_operator

PARTS = {
    "selection": Selection,
    "survival": Survival,
}
"""Operators of which every algorithm needs one, by the option that replaces its own, besides those
that come with the space."""

OTHERS: dict[str, tuple[str, tuple[type, ...]]] = {
    "sampling": ("a pymoo Sampling, a Population or an array", (Sampling, Population, np.ndarray)),
    "repair": ("a pymoo Repair or None", (Repair, type(None))),
    "archive": ("a pymoo Archive or None", (Archive, type(None))),
    "eliminate_duplicates": (
        "True, False or a pymoo DuplicateElimination",
        (bool, DuplicateElimination),
    ),
}
"""What other options may be, in words and as types."""


def require_fit(name: str, problem: Problem) -> None:
    """Refuse a problem that the algorithm of a name does not take.

    Raises
    ------
    ValueError
        Says why, and which algorithms fit.
    """
    reason = ALGORITHMS[name].refusal(problem)
    if reason is not None:
        raise refused(name, problem, reason)


def check_preset_options(
    algorithm_class: type[Algorithm],
    options: dict[str, Any],
    *,
    unused: Collection[str] = (),
) -> None:
    """Refuse options that a class of pymoo does not know, or values they cannot have.

    Parameters
    ----------
    algorithm_class : class of pymoo Algorithms
    options : dictionary
    unused : collection of str
        Options it would take from the classes it inherits from, and makes nothing of.

    Raises
    ------
    TypeError
        If there is such an option, or it is of another type.
    ValueError
        If a number is out of its range.
    """
    known: set[str] = set()
    for constructor in (vars(base).get("__init__") for base in algorithm_class.__mro__[:-1]):
        if constructor is not None:
            known |= set(inspect.signature(constructor).parameters) - {"self", "args", "kwargs"}
    known -= set(unused)
    unknown = sorted(set(options) - known)
    if unknown:
        raise TypeError(
            f"options: expected those of pymoo's {algorithm_class.__name__}, found {unknown[0]!r}; "
            f"{suggestion(unknown[0], known)}"
        )
    for name, value in options.items():
        if name in PARTS:
            check_operator(name, value, PARTS[name])
        elif name in OTHERS:
            wanted, kinds = OTHERS[name]
            if not isinstance(value, kinds):
                raise TypeError(f"{name}: expected {wanted}, found {value!r}")
        elif name == "n_offsprings" and value is not None:
            check_integer(name, value, least=1)


def checked_directions(directions: object, n_obj: int) -> FloatArray:
    """Reference directions as an array.

    Parameters
    ----------
    directions : array_like (n_directions, n_obj)
    n_obj : int

    Raises
    ------
    ValueError
        If they have another shape, or something is no number of at least 0.
    """
    expected = f"ref_dirs: expected numbers of at least 0 in {n_obj} columns"
    try:
        found = np.asarray(directions, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{expected}, found {directions!r}") from error
    if found.ndim != 2 or len(found) == 0 or found.shape[1] != n_obj:
        raise ValueError(f"{expected}, found the shape {found.shape}")
    if not (np.isfinite(found) & (found >= 0)).all():
        raise ValueError(f"{expected}, found {found.min()}")
    return found
