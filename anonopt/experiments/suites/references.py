"""Reference fronts of the suites: small files that come with the library, with checksums."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from anonopt._typing import FloatArray
from anonopt.experiments.performance.references import EXACT, Reference, finite
from anonopt.experiments.runs import Runs

INDEX = "index.json"
EXACTLY, BEST_KNOWN = "exact", "best known"


def reference_of(suite: str, instance: str) -> Reference | None:
    """What results on an instance are measured against.

    Parameters
    ----------
    suite, instance : str

    Returns
    -------
    Reference or None
        Its source is ``"exact"`` or ``"best known"`` with the name of the suite; None if no front
        comes with the library.

    Raises
    ------
    ValueError
        If the file of the front is not the one that the checksum is of.

    Examples
    --------
    >>> reference_of("anonopt-2026", "german-k-glm").source
    'exact (suite anonopt-2026)'
    """
    facts = _index(suite).get(instance)
    if facts is None:
        return None
    name = f"{instance}.csv"
    content = (files(__package__) / "fronts" / folder_of(suite) / name).read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != facts["sha256"]:
        raise ValueError(f"{name}: expected a file of SHA-256 {facts['sha256']}, found {found}")
    front = np.loadtxt(io.BytesIO(content), delimiter=",", skiprows=1, ndmin=2)
    return Reference(front, np.array(facts["point"]), f"{facts['source']} (suite {suite})")


def found_by(suite: str) -> dict[str, dict[str, Any]]:
    """How the front of each instance was found.

    Returns
    -------
    dict
        By instance: ``source``, ``proven_by``, ``command``, ``seeds``, ``point``, ``sha256``.
    """
    return dict(_index(suite))


@lru_cache
def _index(suite: str) -> Mapping[str, dict[str, Any]]:
    path = files(__package__) / "fronts" / folder_of(suite) / INDEX
    if not path.is_file():
        return {}
    index: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return index


def folder_of(suite: str) -> str:
    """Folder of the files of a suite, whose name a package can have."""
    return suite.replace("-", "_")


def reference_files(runs: Runs, *, command: str) -> dict[str, bytes]:
    """Files of the references that an experiment over a suite came to.

    Of several objectives the point that bounds the hypervolume is that of the experiment; of one
    it is the worst feasible value that any run evaluated, so that shares are of the whole way from
    there to the best.

    Parameters
    ----------
    runs : Runs
    command : str
        By which the runs were made.

    Returns
    -------
    dict of str to bytes
        Contents by the names of the files.
    """
    contents: dict[str, bytes] = {}
    index = {}
    for name, facts in runs.problems.items():
        front, point = facts.reference_front, facts.reference_point
        if front is None or point is None:
            continue
        if front.shape[1] == 1:
            point = np.maximum(_worst(runs, name), front.max(axis=0) + np.finfo(float).eps)
        text = "\n".join([",".join(facts.objectives), *(_line(row) for row in front)]) + "\n"
        contents[f"{name}.csv"] = text.encode()
        table = _of(runs, name)
        proofs = list(dict.fromkeys(table.loc[table["proven"], "algorithm"]))
        is_exact = bool(proofs) or (facts.reference_source or "").startswith((EXACT, EXACTLY))
        index[name] = {
            "source": EXACTLY if is_exact else BEST_KNOWN,
            "proven_by": ", ".join(proofs) or ("evaluating all" if is_exact else ""),
            "command": command,
            "seeds": sorted({int(seed) for seed in table["seed"]}),
            "point": point.tolist(),
            "sha256": hashlib.sha256(text.encode()).hexdigest(),
        }
    return contents | {INDEX: (json.dumps(index, indent=1) + "\n").encode()}


def _of(runs: Runs, problem: str) -> Any:
    return runs.frame[runs.frame["problem"] == problem]


def _worst(runs: Runs, problem: str) -> FloatArray:
    """Worst feasible value of each objective, of all that the runs evaluated."""
    parts = [
        usable.max(axis=0)
        for _, found in runs.all_evaluations(_of(runs, problem).index)
        if len(usable := finite(found.F[found.feasible]))
    ]
    return np.asarray(np.max(parts, axis=0))


def _line(row: FloatArray) -> str:
    return ",".join(repr(float(value)) for value in row)
