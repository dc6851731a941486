"""Files of saved runs: made by a run, and then changed in one of their parts."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import anonopt as ao
from anonopt.runs.saving.resume import resume_run
from tests.fuzz.graph_inputs import put_strange
from tests.fuzz.mutations import mutated

WORDS = (
    b"PK\x01\x02",
    b"PK\x03\x04",
    b"\x93NUMPY",
    b"|O",
    b"<f8",
    b"'shape': (99999999999,)",
    b"\x00" * 8,
)


@cache
def _made() -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run.npz")
        problem = ao.get_problem("german-k-glm")
        ao.save_run(
            ao.solve(
                problem,
                ao.algorithms.get_algorithm("pbgea", problem),
                budget=12,
                termination=("n_gen", 3),
                seed=1,
            ),
            path,
        )
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist()}


def saved_run(generator: np.random.Generator) -> bytes:
    """A saved run, most often with one part changed."""
    parts = dict(_made())
    compression = zipfile.ZIP_STORED
    match int(generator.integers(6)):
        case 0:
            parts["description.npy"] = _changed_description(parts["description.npy"], generator)
        case 1:
            name = str(generator.choice(sorted(parts)))
            parts[name] = _other_array(generator)
        case 2:
            del parts[str(generator.choice(sorted(parts)))]
        case 3:
            compression = zipfile.ZIP_DEFLATED
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    content = buffer.getvalue()
    return mutated(content, generator, words=WORDS) if generator.random() < 0.3 else content


def read(path: Path) -> Any:
    """Go on with the run."""
    return resume_run(path)


def _npy(values: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, values, allow_pickle=False)
    return buffer.getvalue()


def _changed_description(part: bytes, generator: np.random.Generator) -> bytes:
    held = json.loads(np.load(io.BytesIO(part)).tobytes())
    put_strange(held if generator.random() < 0.2 else held["run"]["mapping"], generator)
    return _npy(np.frombuffer(json.dumps(held).encode(), dtype=np.uint8))


def _other_array(generator: np.random.Generator) -> bytes:
    dtype = str(generator.choice(["f8", "i8", "u1", "?", "c16", "U3", "f4", "M8[s]"]))
    shape = tuple(generator.integers(0, 14, size=int(generator.integers(0, 4))).tolist())
    return _npy(np.zeros(shape, dtype=dtype))
