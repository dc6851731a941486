"""With what an experiment is run: revision of the caller's code, versions of the libraries."""

from __future__ import annotations

import subprocess
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path

from anonopt.runs.saving.saved_run import installed_versions


def revision_here() -> str | None:
    """Revision of git of the folder the program runs in, ``+`` behind it if files differ."""
    try:
        head = subprocess.run(
            ["git", "rev-parse", "HEAD"], capture_output=True, text=True, timeout=5, check=True
        ).stdout.strip()
        status = subprocess.run(
            ["git", "status", "--porcelain"], capture_output=True, text=True, timeout=20, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    return f"{head}+" if status else head


def warn_of_versions(path: Path, made_with: Iterable[Mapping[str, str]]) -> None:
    """Warn if runs of a file were made with other versions of the libraries than are here."""
    here = installed_versions()
    for there in made_with:
        differing = [
            f"{name} {there.get(name)}, now {version}"
            for name, version in here.items()
            if there.get(name) != version
        ]
        if differing:
            warnings.warn(f"{path}: runs were made with {'; '.join(differing)}", stacklevel=4)
