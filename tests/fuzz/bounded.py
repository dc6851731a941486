"""Readers in a process whose memory is bounded."""

from __future__ import annotations

import multiprocessing
import resource
import tempfile
from pathlib import Path

from tests.fuzz.readers import try_inputs

MOST_MEMORY = 2 * 2**30
"""Bytes more than the libraries take."""


def read_bounded(
    name: str, n_inputs: int, seed: int, answers: multiprocessing.SimpleQueue[object]
) -> None:
    """Put the tally of a reader's inputs and the largest memory, in bytes, into the queue."""
    with tempfile.TemporaryDirectory() as folder:
        # A first input imports what readers import.
        try_inputs(name, Path(folder), n_inputs=1, seed=seed)
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        limit = pages * resource.getpagesize() + MOST_MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        tally = try_inputs(name, Path(folder), n_inputs=n_inputs, seed=seed)
        answers.put((tally, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024))
