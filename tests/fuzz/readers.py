"""Every reader of files that somebody else made, and inputs for it; a new one is listed here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tests.fuzz import config_inputs, equation_inputs, graph_inputs, run_inputs, table_inputs
from tests.repository import ROOT

LIBRARY = tuple(
    str(ROOT / folder) for folder in ("anonopt", "operators", "problems", ".venv/links")
)


class Reader(NamedTuple):
    """A reader under test.

    Attributes
    ----------
    generate : callable
        Draws the content of a file.
    read : callable
        Reads the file at a path, or raises.
    suffix : str
        Of the file.
    """

    generate: Callable[[np.random.Generator], bytes]
    read: Callable[[Path], Any]
    suffix: str


READERS: Mapping[str, Reader] = {
    "table": Reader(table_inputs.table, table_inputs.read_table, ".csv"),
    "hierarchy": Reader(table_inputs.hierarchy, table_inputs.read_hierarchy, ".csv"),
    "config": Reader(config_inputs.config, config_inputs.read, ".toml"),
    "graphml": Reader(graph_inputs.graphml, graph_inputs.read, ".graphml"),
    "gml": Reader(graph_inputs.gml, graph_inputs.read, ".gml"),
    "json": Reader(graph_inputs.node_link, graph_inputs.read, ".json"),
    "saved-run": Reader(run_inputs.saved_run, run_inputs.read, ".npz"),
    "equation": Reader(equation_inputs.equation, equation_inputs.read, ".txt"),
}


@dataclass
class Tally:
    """What became of inputs.

    Attributes
    ----------
    accepted, refused : int
        Answers, and errors that say what is wrong.
    faults : dict of str to list of int
        Inputs that ended otherwise, by the kind of their end.
    """

    accepted: int = 0
    refused: int = 0
    faults: dict[str, list[int]] = field(default_factory=dict)

    @property
    def share_accepted(self) -> float:
        """Share of the inputs."""
        n_inputs = self.accepted + self.refused + sum(map(len, self.faults.values()))
        return self.accepted / max(n_inputs, 1)


def content_of(name: str, number: int, seed: int) -> bytes:
    """Content of an input by its number: the same each time."""
    return READERS[name].generate(np.random.default_rng([seed, number]))


def try_inputs(name: str, folder: Path, *, n_inputs: int, seed: int) -> Tally:
    """Read that many inputs.

    Parameters
    ----------
    name : str
        Key of :data:`READERS`.
    folder : Path
        Where the files are written.
    n_inputs, seed : int
    """
    path = folder / f"input{READERS[name].suffix}"
    tally = Tally()
    for number in range(n_inputs):
        path.write_bytes(content_of(name, number, seed))
        try:
            READERS[name].read(path)
        except Exception as error:  # what is wrong with it is decided below
            if is_ours(error):
                tally.refused += 1
            else:
                tally.faults.setdefault(_kind(error), []).append(number)
        else:
            tally.accepted += 1
    return tally


def is_ours(error: BaseException) -> bool:
    """Whether an error is a refusal by the library, or by the file system."""
    if type(error) in (ValueError, TypeError):
        return _last_file(error).startswith(LIBRARY)
    return isinstance(error, OSError)


def _last_file(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else trace.tb_frame.f_code.co_filename


def _kind(error: BaseException) -> str:
    return f"{type(error).__name__} in {Path(_last_file(error)).name}: {str(error)[:80]}"
