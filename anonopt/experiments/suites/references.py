"""Reference fronts of the suites: small files that come with the library, with checksums.

A file has a point a row: its minimized objectives, and in the column `ORIGIN` which entry of
``origins`` of the index found it first. The index has a mapping for each instance:

- ``source``: `EXACTLY` or `BEST_KNOWN`; ``proven_by``: how an exact one was proven, else empty;
- ``problem``: the lasting fingerprint of the problem that the front is of;
- ``point``: what bounds the hypervolume; ``sha256``: checksum of the file;
- ``origins``: ``algorithm``, ``seeds``, ``evaluations`` of each run at most, ``version`` of the
  library, ``command``; and ``made_by``, class and options, of what is no name of the library.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import FloatArray, IntArray
from anonopt.experiments.performance.references import Reference

INDEX = "index.json"
ORIGIN = "origin"
EXACTLY, BEST_KNOWN = "exact", "best known"


@dataclass(frozen=True, eq=False)
class KeptFront:
    """A reference front as its files hold it.

    Attributes
    ----------
    objectives : tuple of str
    front : float array (n, n_obj)
        Minimized, sorted, without repetition.
    origin : int array (n,)
        Which of `origins` found each point first.
    origins : tuple of dict
        ``algorithm``, ``seeds``, ``evaluations``, ``version``, ``command``.
    point : float array (n_obj,)
        Bounds the hypervolume.
    proven_by : str
        How it was proven to be exact; empty if it is the best known.
    problem : str
        Lasting fingerprint of the problem.
    """

    objectives: tuple[str, ...]
    front: FloatArray
    origin: IntArray
    origins: tuple[dict[str, Any], ...]
    point: FloatArray
    proven_by: str
    problem: str

    @property
    def source(self) -> str:
        """`EXACTLY` or `BEST_KNOWN`."""
        return EXACTLY if self.proven_by else BEST_KNOWN


def packaged_reference(suite: str, instance: str) -> Reference | None:
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
    >>> packaged_reference("anonopt-2026", "german-k-glm").source
    'exact (suite anonopt-2026)'
    """
    facts = found_by(suite).get(instance)
    if facts is None:
        return None
    kept = _packaged(suite, instance, facts)
    return Reference(kept.front, kept.point, f"{kept.source} (suite {suite})")


def found_by(suite: str) -> dict[str, dict[str, Any]]:
    """Index of the fronts of a suite, by instance: how each was found, see above."""
    return dict(_index(suite))


def packaged_fronts(suite: str) -> dict[str, KeptFront]:
    """Fronts of a suite as they come with the library, all held to their checksums.

    Raises
    ------
    ValueError
        If a file is not the one that its checksum is of.
    """
    return {name: _packaged(suite, name, facts) for name, facts in found_by(suite).items()}


def frame_of(fronts: Mapping[str, KeptFront]) -> pd.DataFrame:
    """How fronts were found, one row an instance.

    Parameters
    ----------
    fronts : mapping of instance to KeptFront

    Returns
    -------
    DataFrame
        ``source``, ``points``, ``proven_by``; ``algorithms`` that found points of it first, their
        ``seeds`` and ``evaluations`` of a run at most, ``version`` of the library, ``command``;
        ``sha256`` of the file. A proof draws no seed and counts no evaluations: its cells say
        ``none``, as ``proven_by`` does of what is not proven.
    """
    rows = {
        name: {
            "source": kept.source,
            "points": len(kept.front),
            "proven_by": kept.proven_by or "none",
            "algorithms": _listed(one["algorithm"] for one in kept.origins),
            "seeds": _listed(sorted({seed for one in kept.origins for seed in one["seeds"]})),
            "evaluations": _listed(one["evaluations"] for one in kept.origins),
            "version": _listed(one["version"] for one in kept.origins),
            "command": _listed(one["command"] for one in kept.origins),
            "sha256": hashlib.sha256(_text(kept)).hexdigest(),
        }
        for name, kept in fronts.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(index="instance")


def references_checksum(suite: str) -> str:
    """SHA-256 of the index, which has checksums and points of all fronts of a suite.

    Results that are measured against fronts of one checksum can be compared. A suite of which no
    front comes with the library has the checksum of an empty index.
    """
    path = _folder(suite) / INDEX
    return hashlib.sha256(path.read_bytes() if path.is_file() else b"{}\n").hexdigest()


def read_fronts(folder: Path) -> dict[str, KeptFront]:
    """Fronts of a folder, by instance; none of a folder without an index.

    Parameters
    ----------
    folder : Path

    Raises
    ------
    ValueError
        If the index is no index, or a file is not the one that its checksum is of.
    FileNotFoundError
        If a file of the index is not there.
    """
    path = folder / INDEX
    if not path.is_file():
        return {}
    try:
        index = json.loads(path.read_text(encoding="utf-8"))
        return {
            name: _kept(name, facts, lambda file: (folder / file).read_bytes())
            for name, facts in index.items()
        }
    except (KeyError, AttributeError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path}: expected an index of reference fronts, found {error}") from error


def files_of(fronts: Mapping[str, KeptFront]) -> dict[str, bytes]:
    """The files that hold fronts, by their names; the index is the last.

    Parameters
    ----------
    fronts : mapping of instance to KeptFront
    """
    contents: dict[str, bytes] = {}
    index = {}
    for name, kept in fronts.items():
        content = contents[f"{name}.csv"] = _text(kept)
        index[name] = {
            "source": kept.source,
            "proven_by": kept.proven_by,
            "problem": kept.problem,
            "point": kept.point.tolist(),
            "sha256": hashlib.sha256(content).hexdigest(),
            "origins": list(kept.origins),
        }
    return contents | {INDEX: (json.dumps(index, indent=1) + "\n").encode()}


def folder_of(suite: str) -> str:
    """Folder of the files of a suite, whose name a package can have."""
    return suite.replace("-", "_")


def _text(kept: KeptFront) -> bytes:
    rows = zip(kept.front.tolist(), kept.origin.tolist(), strict=True)
    lines = [",".join([*kept.objectives, ORIGIN])]
    lines += [",".join([*map(repr, values), str(origin)]) for values, origin in rows]
    return ("\n".join(lines) + "\n").encode()


def _packaged(suite: str, instance: str, facts: Mapping[str, Any]) -> KeptFront:
    return _kept(instance, facts, lambda name: (_folder(suite) / name).read_bytes())


def _kept(instance: str, facts: Mapping[str, Any], read: Callable[[str], bytes]) -> KeptFront:
    name = f"{instance}.csv"
    content = read(name)
    found = hashlib.sha256(content).hexdigest()
    if found != facts["sha256"]:
        raise ValueError(f"{name}: expected a file of SHA-256 {facts['sha256']}, found {found}")
    head = content.decode().partition("\n")[0].split(",")
    table = np.loadtxt(io.BytesIO(content), delimiter=",", skiprows=1, ndmin=2)
    return KeptFront(
        objectives=tuple(head[:-1]),
        front=table[:, :-1],
        origin=table[:, -1].astype(np.int64),
        origins=tuple(facts["origins"]),
        point=np.array(facts["point"]),
        proven_by=facts["proven_by"],
        problem=facts["problem"],
    )


def _folder(suite: str) -> Any:
    return files(__package__) / "fronts" / folder_of(suite)


@lru_cache
def _index(suite: str) -> Mapping[str, dict[str, Any]]:
    path = _folder(suite) / INDEX
    if not path.is_file():
        return {}
    index: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return index


def _listed(values: Any) -> str:
    return ", ".join(dict.fromkeys(str(value) for value in values)) or "none"
