"""The engines that are installed, or how to install them."""

from __future__ import annotations

import importlib
from typing import Any


def engine(module: str, what: str) -> Any:
    """An engine of the extra ``scale``.

    Parameters
    ----------
    module : str
    what : str
        What needs it, for the message.

    Raises
    ------
    ModuleNotFoundError
        If it is not installed; says how to install it.

    Examples
    --------
    >>> engine("no_such_engine", "this")
    Traceback (most recent call last):
        ...
    ModuleNotFoundError: this needs the extra 'scale': pip install 'anonopt[scale]'
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise
        raise ModuleNotFoundError(
            f"{what} needs the extra 'scale': pip install 'anonopt[scale]'", name=error.name
        ) from error
