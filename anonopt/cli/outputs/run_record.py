"""The record beside an output: what made it, from what, and what came of it."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anonopt.cli.console import plain

if TYPE_CHECKING:
    import numpy as np

FORMAT = "anonopt record 1"
ENDING = ".record.json"
BLOCK = 1 << 20
"""Bytes of a file that are in memory at a time."""

LIBRARIES = ("anonopt", "numpy", "pandas", "pymoo")

WithRecord = Annotated[
    bool,
    typer.Option(
        "--record/--no-record",
        help="Write a record of the run beside the output, OUTPUT.record.json.",
    ),
]
RecordSeed = Annotated[
    bool,
    typer.Option(
        "--record-seed",
        help="Put the seed into the record and the JSON; whoever has it can undo the protection.",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        min=0, help="Seed of what is drawn; without it, one of the operating system that is kept "
        "nowhere.",
    ),
]  # fmt: skip


def record_path(output: Path | None, *, wanted: bool = True) -> Path | None:
    """Path of the record of an output; None if there is none.

    Examples
    --------
    >>> record_path(Path("masked.csv")).name
    'masked.csv.record.json'
    """
    return Path(f"{output}{ENDING}") if wanted and output is not None else None


def fresh_seed() -> int:
    """Seed of 128 bits that the operating system draws."""
    return secrets.randbits(128)


def shuffling_generator(seed: int) -> np.random.Generator:
    """What shuffles the rows of a release whose cells were drawn by a generator of this seed."""
    import numpy as np

    return np.random.default_rng(np.random.SeedSequence(seed).spawn(1)[0])


def record(
    command: str,
    *,
    parameters: Mapping[str, Any],
    inputs: Iterable[Mapping[str, Any]],
    outputs: Mapping[Path, bytes | Path],
    figures: Mapping[Any, Any],
    seed: int | None = None,
    engines: Iterable[str] = (),
    **facts: Any,
) -> bytes:
    """Content of a record.

    Parameters
    ----------
    command : str
        Such as ``"anonymize"``.
    parameters : mapping of str to object
        Of the command, as they were used; no seed.
    inputs : iterable of mapping
        Of the files that were read, see `digests_of`.
    outputs : mapping of path to bytes or path
        Files that are written with it: their content, or where it is.
    figures : mapping of str to number
        What was measured.
    seed : int, optional
        Only if it was asked for.
    engines : iterable of str
        Other packages that read the rows, such as ``"duckdb"``.
    **facts
        What only this command has to tell.

    Returns
    -------
    bytes
        A JSON object, in UTF-8.
    """
    from importlib.metadata import version

    made = {
        "format": FORMAT,
        "command": command,
        "versions": {name: version(name) for name in (*LIBRARIES, *engines)},
        "written": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "parameters": parameters,
        "inputs": list(inputs),
        "outputs": [_digest(path, content) for path, content in outputs.items()],
        **facts,
        "figures": figures,
        **({} if seed is None else {"seed": seed}),
    }
    text = json.dumps(plain(made), indent=2, ensure_ascii=False, allow_nan=False)
    # Names of files need not be text everywhere.
    return (text + "\n").encode("utf-8", errors="backslashreplace")


def digests_of(paths: Iterable[Path | None]) -> list[dict[str, Any]]:
    """What a record tells of files that were read: name, SHA-256, bytes. None is none.

    Of what is no file, such as standard input, the name alone is known.
    """
    return [
        _digest(path, path) if path.is_file() else {"file": str(path)}
        for path in paths
        if path is not None
    ]


def _digest(path: Path, content: bytes | Path) -> dict[str, Any]:
    digest, size = hashlib.sha256(), 0
    with BytesIO(content) if isinstance(content, bytes) else content.open("rb") as file:
        while part := file.read(BLOCK):
            digest.update(part)
            size += len(part)
    return {"file": str(path), "sha256": digest.hexdigest(), "bytes": size}
