"""Kernels that are compiled where the extra ``fast`` is installed, and run as Python elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anonopt.evaluation.accelerator import has_numba


def compiled_or_plain(function: Callable[..., Any]) -> Any:
    """Compile a kernel if numba is there; else it is the function itself, with the same bits."""
    if not has_numba():
        return function
    from anonopt.evaluation.lattice.kernel_statistics import compiled

    return compiled(function)
