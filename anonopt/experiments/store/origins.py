"""Where the numbers of an experiment's file are from: what was made how, and ran where."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anonopt.experiments.store.schema import intact


@dataclass(frozen=True)
class ProblemOrigin:
    """How a problem was made.

    Attributes
    ----------
    made_by : mapping
        ``class``, ``name`` in the catalogue or None, ``options`` as plain data.
    fingerprint : str
        SHA-256 of everything that decides the objectives.
    space : str
        Kind of its genomes.
    size : str or None
        Number of genomes; None if it is unbounded.
    """

    made_by: Mapping[str, Any]
    fingerprint: str
    space: str
    size: str | None


@dataclass(frozen=True)
class Origins:
    """What an experiment's file says of how its numbers came about.

    Attributes
    ----------
    created : str
        When the file was made: ISO 8601, UTC.
    problems : dict of str to ProblemOrigin
    algorithms : dict of (algorithm, problem) to dict
        ``class``, registered ``name`` or None, ``options`` and ``parameters``; of every pair that
        the experiment has, whether it has run or not.
    versions : dict of int to dict
        Of the libraries that each run was made with.
    """

    created: str
    problems: dict[str, ProblemOrigin]
    algorithms: dict[tuple[str, str], Mapping[str, Any]]
    versions: dict[int, Mapping[str, str]]


def read_origins(database: sqlite3.Connection, path: Path) -> Origins:
    """Read the origins that a file holds.

    Raises
    ------
    ValueError
        If a part is damaged; file and part are named.
    """
    row = database.execute("SELECT created FROM experiment").fetchone()
    with intact(path, "origins"):
        return Origins(
            created=str(row[0]) if row else "",
            problems={
                name: ProblemOrigin(_mapping(made_by), fingerprint, space, size)
                for name, made_by, fingerprint, space, size in database.execute(
                    "SELECT problem, made_by, fingerprint, space, size FROM problems ORDER BY rowid"
                )
            },
            algorithms={
                (algorithm, problem): _mapping(made_by)
                for algorithm, problem, made_by in database.execute(
                    "SELECT algorithm, problem, made_by FROM algorithms ORDER BY rowid"
                )
            },
            versions={
                run: _mapping(versions)
                for run, versions in database.execute("SELECT run, versions FROM runs ORDER BY run")
            },
        )


def _mapping(text: str) -> dict[str, Any]:
    found = json.loads(text)
    if not isinstance(found, dict):
        raise TypeError(f"expected values by name, found {found!r}")
    return found
