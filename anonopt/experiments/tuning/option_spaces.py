"""What options may be: Optuna's distributions or pymoo's variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from pymoo.core.variable import Variable


def checked_space(options: Mapping[str, Any]) -> dict[str, Any]:
    """Check that each option has an Optuna distribution or a pymoo variable.

    Raises
    ------
    ValueError
        If there is no option.
    TypeError
        If something else is handed in.
    """
    if not isinstance(options, Mapping):
        raise TypeError(f"options: expected a mapping of name to what it may be, found {options!r}")
    if not options:
        raise ValueError("options: expected at least one, found none")
    for name, space in options.items():
        if not isinstance(space, Variable) and not hasattr(space, "to_internal_repr"):
            raise TypeError(
                f"option {name!r}: expected an Optuna distribution or a pymoo variable, "
                f"found {space!r}"
            )
    return dict(options)


def any_value(space: Any) -> Any:
    """A value that an option may have."""
    if isinstance(space, Variable):
        return _plain(space.sample(random_state=np.random.default_rng(0)))
    return space.choices[0] if hasattr(space, "choices") else space.low


def plain(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as Python's own numbers."""
    return {name: _plain(value) for name, value in options.items()}


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def check_kind(options: Mapping[str, Any], kind: type, expected: str) -> None:
    """Check that a search can read what an option may be.

    Raises
    ------
    TypeError
        If one is not of the kind, which is called `expected`.
    """
    for name, space in options.items():
        if not isinstance(space, kind):
            raise TypeError(f"option {name!r}: expected {expected}, found {space!r}")
