"""Whether the compiled kernels of the extra ``fast`` are used."""

from __future__ import annotations

import importlib.util

from anonopt._checks import check_choice


def has_numba() -> bool:
    """Whether the extra ``fast`` is installed."""
    return importlib.util.find_spec("numba") is not None


def uses_numba(accelerator: str) -> bool:
    """Whether to use the compiled kernels.

    Parameters
    ----------
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``

    Raises
    ------
    ValueError
        If it is none of them.
    ModuleNotFoundError
        If numba is asked for and not installed (says how to install it).
    """
    check_choice("accelerator", accelerator, ("auto", "numpy", "numba"))
    if accelerator == "numba" and not has_numba():
        raise ModuleNotFoundError(
            "accelerator='numba' needs the extra 'fast': pip install 'anonopt[fast]'"
        )
    return accelerator != "numpy" and has_numba()
