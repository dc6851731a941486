"""What pages of results share: which writer an ending asks for, and how a page was made."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

Writer = TypeVar("Writer", bound=Callable[..., Any])


def of_ending(option: str, path: Path, formats: Mapping[str, Writer]) -> Writer:
    """Writer of the ending of a file.

    Parameters
    ----------
    option : str
        Names the file in messages.
    path : Path
    formats : mapping of str to writer
        By the endings.

    Raises
    ------
    ValueError
        If the ending is none of a format.
    """
    if path.suffix not in formats:
        raise ValueError(
            f"{option}: expected a file ending in {', '.join(formats)}, found {str(path)!r}"
        )
    return formats[path.suffix]


def provenance(command: Sequence[str]) -> str:
    """Date, versions and machine, for the head of a page."""
    libraries = ", ".join(
        f"{name} {version(name)}" for name in ("anonopt", "pymoo", "deap", "numpy", "pandas")
    )
    return (
        f"Written on {date.today().isoformat()} by `{' '.join(command)}` with {libraries}, "
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()} with "
        f"{os.cpu_count()} processors. Not to be changed by hand."
    )
