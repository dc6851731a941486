"""The file of a run: what decides it and what it measured, as numbers and JSON.

It is a NumPy ``.npz`` archive of plain arrays: ``description`` (JSON text), ``genomes`` (n, n_var),
or digests (n, 16) of genomes that are not numbers or not recorded, ``seconds`` (n,), and one array
(n, ...) for everything that was measured. Neither writing nor reading it pickles anything, and
nothing in it is ever run.
"""

from __future__ import annotations

import dataclasses
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from anonopt._checks import check_flag, check_integer
from anonopt._typing import AnyArray, FloatArray
from anonopt.data.output_files import write_file
from anonopt.operators.duplicates import DIGEST_SIZE
from anonopt.problems.recipes import Recipe, from_plain, to_plain
from anonopt.runs.saving.saved_arrays import NUMBERS, read_arrays

FORMAT = "anonopt run 1"
DESCRIPTION = "description"
GENOMES = "genomes"
SECONDS = "seconds"
MEASURED = "measured_"
"""Names in the archive; the last is a prefix."""

TABLES = ("F", "G", "H", "__F__", "__G__", "__H__")
"""Values of which a genome has several: objectives and constraints, and those behind a wrapper."""


@dataclass(frozen=True)
class Origin:
    """Where an object came from.

    Attributes
    ----------
    kind : str
        Its class, for messages.
    name : str or None
        Name it can be made by again; None if there is none.
    options : mapping of str to object
        Options that go with the name.
    """

    kind: str
    name: str | None
    options: Mapping[str, Any]


@dataclass(frozen=True)
class SavedRun:
    """A run as its file holds it.

    Attributes
    ----------
    problem, algorithm : Origin
    fingerprint, portable_fingerprint : str
        Of the problem.
    seed : int
    budget, test_budget : int or None
        Most distinct evaluations, and tests of nodes, it was allowed.
    termination : object
        Rule it was started with, as plain data; a dictionary that names its class if it cannot
        be saved, None if there was none.
    n_generations : int
        Generations that were completed.
    n_evaluations : int
        Solutions the algorithm had asked for.
    message : str or None
        Why it ended; None if it was still under way.
    digested : bool
        Whether the file holds digests in place of genomes.
    X : array (n, n_var)
        Distinct genomes in the order of evaluation; uint8 (n, 16) if digested.
    answers : mapping of str to array (n, ...)
        What was measured of each.
    seconds : float array (n,)
        Time from the start of the run until each was evaluated.
    versions : mapping of str to str
        Of the libraries it ran with.
    """

    problem: Origin
    algorithm: Origin
    fingerprint: str
    portable_fingerprint: str
    seed: int
    budget: int | None
    test_budget: int | None
    termination: Any
    n_generations: int
    n_evaluations: int
    message: str | None
    digested: bool
    X: AnyArray
    answers: Mapping[str, AnyArray]
    seconds: FloatArray
    versions: Mapping[str, str]


def origin(made: object, name: str | None, recipe: Recipe | None) -> Origin:
    """Describe where an object came from; without a name if an option cannot be saved.

    Parameters
    ----------
    made : object
    name : str or None
        Name by which it can be made again.
    recipe : Recipe or None
        Its options.
    """
    kind = f"{type(made).__module__}.{type(made).__qualname__}"
    if name is None or recipe is None:
        return Origin(kind, None, {})
    try:
        to_plain(recipe.options)
    except TypeError:
        return Origin(kind, None, {})
    return Origin(kind, name, recipe.options)


def installed_versions() -> dict[str, str]:
    """Versions of the libraries that decide how a run goes."""
    return dict(_installed())


@lru_cache
def _installed() -> tuple[tuple[str, str], ...]:
    """As pairs; they are read from disk, which takes longer than a short run may."""
    return tuple((name, version(name)) for name in ("anonopt", "pymoo", "numpy"))


def write_run(saved: SavedRun, path: str | PathLike[str]) -> None:
    """Write the file of a run; a reader finds the old file or the new one, never a part.

    Raises
    ------
    TypeError
        If measured values are not numbers.
    OSError
        If the file cannot be written.
    """
    arrays: dict[str, Any] = {GENOMES: saved.X, SECONDS: saved.seconds}
    arrays |= {f"{MEASURED}{name}": values for name, values in saved.answers.items()}
    for name, values in arrays.items():
        if values.dtype.kind not in NUMBERS:
            raise TypeError(
                f"{name.removeprefix(MEASURED)}: expected numbers, which alone can be saved, "
                f"found {values.dtype}"
            )
    description = {
        field.name: getattr(saved, field.name)
        for field in dataclasses.fields(SavedRun)
        if field.name not in ("X", "answers", "seconds", "problem", "algorithm")
    }
    for name in ("problem", "algorithm"):
        description[name] = vars(getattr(saved, name))
    text = json.dumps({"format": FORMAT, "run": to_plain(description)})
    buffer = io.BytesIO()
    arrays[DESCRIPTION] = np.frombuffer(text.encode(), dtype=np.uint8)
    np.savez(buffer, **arrays)
    write_file(path, buffer.getvalue())


def read_run(path: str | PathLike[str]) -> SavedRun:
    """Read the file of a run.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is damaged, or not the file of a run (names the path).
    """
    content = Path(path).read_bytes()
    try:
        return _parsed(content)
    except (ValueError, TypeError, RecursionError, OverflowError) as error:
        raise ValueError(f"{path}: expected the file of a saved run; {error}") from error


def _parsed(content: bytes) -> SavedRun:
    arrays = read_arrays(content)
    if absent := [name for name in (DESCRIPTION, GENOMES, SECONDS) if name not in arrays]:
        raise ValueError(f"expected the array {absent[0]!r}, found {sorted(arrays)}")
    held = json.loads(arrays.pop(DESCRIPTION).tobytes().decode())
    if not isinstance(held, dict) or held.get("format") != FORMAT:
        found = held.get("format") if isinstance(held, dict) else held
        raise ValueError(f"format: expected {FORMAT!r}, found {found!r}")
    description = _checked_description(from_plain(held.get("run")))
    for name in ("problem", "algorithm"):
        description[name] = Origin(**description[name])
    X, seconds = arrays.pop(GENOMES), arrays.pop(SECONDS)
    answers = {name.removeprefix(MEASURED): values for name, values in arrays.items()}
    saved = SavedRun(**description, X=X, answers=answers, seconds=seconds)
    _check_arrays(saved)
    return saved


def _checked_description(held: Any) -> dict[str, Any]:
    if not isinstance(held, dict) or held.keys() != _DESCRIPTION.keys():
        found = sorted(held) if isinstance(held, dict) else held
        raise ValueError(f"run: expected {sorted(_DESCRIPTION)}, found {found!r}")
    for name, check in _DESCRIPTION.items():
        check(name, held[name])
    return held


def _check_text(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a text, found {value!r}")


def _check_origin(name: str, value: object) -> None:
    if not isinstance(value, dict) or value.keys() != {"kind", "name", "options"}:
        raise TypeError(f"{name}: expected kind, name and options, found {value!r}")
    _check_text(f"{name}.kind", value["kind"])
    _optional(_check_text)(f"{name}.name", value["name"])
    if not isinstance(value["options"], dict):
        raise TypeError(f"{name}.options: expected options by name, found {value['options']!r}")


def _check_versions(name: str, value: object) -> None:
    if not isinstance(value, dict):
        raise TypeError(f"{name}: expected versions by name, found {value!r}")
    for library, number in value.items():
        _check_text(f"{name}.{library}", number)


def _optional(check: Callable[..., object]) -> Callable[..., object]:
    return lambda name, value: None if value is None else check(name, value)


_count = partial(check_integer, least=0)
_limit = _optional(partial(check_integer, least=1))
_DESCRIPTION: dict[str, Callable[..., object]] = {
    "problem": _check_origin,
    "algorithm": _check_origin,
    "fingerprint": _check_text,
    "portable_fingerprint": _check_text,
    "seed": _count,
    "budget": _limit,
    "test_budget": _limit,
    # Checked where it is used, as everything that may be asked for as one.
    "termination": lambda name, value: None,
    "n_generations": _count,
    "n_evaluations": _count,
    "message": _optional(_check_text),
    "digested": check_flag,
    "versions": _check_versions,
}


def _check_arrays(saved: SavedRun) -> None:
    # What pymoo's wrappers turn into objectives has another name.
    if "F" not in saved.answers or not {"G", "__G__"} & set(saved.answers):
        raise ValueError(f"expected values of F and G, found those of {sorted(saved.answers)}")
    for name, values in {**saved.answers, SECONDS: saved.seconds}.items():
        if values.shape[:1] != saved.X.shape[:1]:
            raise ValueError(
                f"expected {name} of {len(saved.X)} genomes, found an array of {values.shape}"
            )
    tables = {name: saved.answers[name] for name in TABLES if name in saved.answers}
    for name, values, n_axes in (
        (SECONDS, saved.seconds, 1),
        *((name, values, 2) for name, values in {GENOMES: saved.X, **tables}.items()),
    ):
        if values.ndim != n_axes:
            raise ValueError(f"{name}: expected {n_axes} axes, found shape {values.shape}")
    if saved.digested and (saved.X.dtype != np.uint8 or saved.X.shape[1] != DIGEST_SIZE):
        raise ValueError(
            f"{GENOMES}: expected digests of {DIGEST_SIZE} bytes, found {saved.X.dtype}"
        )
    if not np.isfinite(saved.seconds).all() or (np.diff(saved.seconds) < 0).any():
        raise ValueError(f"{SECONDS}: expected times that never decrease, found others")
