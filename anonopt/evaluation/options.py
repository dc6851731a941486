"""Checks of the evaluator's options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from anonopt.data import Microdata
from anonopt.evaluation.lattice.plan import has_numba


def checked_weights(weights: Mapping[str, float] | None, table: Microdata) -> dict[str, float]:
    """Weights by quasi-identifier, empty without any."""
    names = [str(column) for column in table.quasi_identifiers]
    for name in weights or {}:
        if name not in names:
            raise ValueError(f"weights: {name!r} is not a quasi-identifier: {names}")
    return dict(weights or {})


def checked_workers(workers: int) -> int:
    """Number of threads, at least 1."""
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise ValueError(f"workers: expected an integer of at least 1, found {workers!r}")
    return workers


def uses_numba(accelerator: str) -> bool:
    """Whether to use the compiled kernels."""
    check_choice("accelerator", accelerator, ("auto", "numpy", "numba"))
    if accelerator == "numba" and not has_numba():
        raise ModuleNotFoundError(
            "accelerator='numba' needs the extra 'fast': pip install 'anonopt[fast]'"
        )
    return accelerator != "numpy" and has_numba()


def check_choice(option: str, value: str, choices: Sequence[str]) -> None:
    """Raise if a value is none of the choices."""
    if value not in choices:
        raise ValueError(f"{option}: expected one of {', '.join(choices)}, found {value!r}")
