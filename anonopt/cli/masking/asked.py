"""What the command line asks of a masking, wherever its rows are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

OptionTexts = list[str] | None
"""What was given for an option that may be repeated."""


@dataclass(frozen=True)
class Asked:
    """Arguments and options of ``anonopt mask``.

    Attributes
    ----------
    method : str
    file, output : Path
    settings : dict
        Parameters of the method, as they were given.
    roles : tuple
        Options ``--columns``, ``--ordinal`` and ``--nominal``.
    clusters, seed, with_record, record_seed, force, as_json
        Options of these names.
    """

    method: str
    file: Path
    output: Path
    settings: dict[str, Any]
    roles: tuple[OptionTexts, OptionTexts, OptionTexts]
    clusters: int | None
    seed: int | None
    with_record: bool
    record_seed: bool
    force: bool
    as_json: bool
