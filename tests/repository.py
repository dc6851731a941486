"""Where the files of the project are, for the tests that read them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]

PACKAGE_FOLDERS = {
    "anonopt": ROOT / "anonopt",
    "anonopt.operators": ROOT / "operators",
    "anonopt.problems": ROOT / "problems",
}


def library_files() -> dict[str, Path]:
    """Path of each module of the library by its dotted name, packages included."""
    found = {}
    for package, folder in PACKAGE_FOLDERS.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            inner = parts[:-1] if parts[-1] == "__init__" else parts
            found[".".join([package, *inner])] = path
    return found


def pyproject() -> dict[str, Any]:
    """Read pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
