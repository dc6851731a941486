"""Numbers that runs of items measured: made in parallel, and kept in a file."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from functools import cache
from importlib import import_module
from multiprocessing import get_context
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from anonopt.experiments.items.item import Measure

Numbers = Mapping[str, float]


class Run(NamedTuple):
    """One run of what one or several items measure.

    Attributes
    ----------
    measure : str
        Module and name of the function.
    seed : int
    quick : bool
    """

    measure: str
    seed: int
    quick: bool

    @classmethod
    def of(cls, measure: Measure, seed: int, quick: bool) -> Run:
        """Run of a function of a module."""
        return cls(f"{measure.__module__}.{measure.__qualname__}", seed, quick)


class Outcome(NamedTuple):
    """What a run came to.

    Attributes
    ----------
    numbers : mapping of label to float
        Empty if a file is missing.
    missing : str
        Which file is missing, and where to put it; empty if none is.
    """

    numbers: Numbers
    missing: str = ""


class RunFile:
    """Runs that are done, a line of JSON each, so that an interrupted reproduction goes on.

    Runs of other code of the library are kept, but not used; what an interruption cut off is
    removed.

    Parameters
    ----------
    path : path, or None
        None keeps them in memory alone.

    Raises
    ------
    ValueError
        If the file holds something else.
    OSError
        If it cannot be written, which is tried before anything is measured.
    """

    def __init__(self, path: str | PathLike[str] | None) -> None:
        self._path = None if path is None else Path(path)
        self._done: dict[Run, Outcome] = {}
        if self._path is not None and self._path.exists():
            self._done = dict(_read(self._path))
            _cut_off_the_unfinished(self._path)
        if self._path is not None:
            self._path.open("a", encoding="utf-8").close()

    def __contains__(self, run: Run) -> bool:
        return run in self._done

    def __getitem__(self, run: Run) -> Outcome:
        return self._done[run]

    def add(self, run: Run, outcome: Outcome) -> None:
        """Keep what a run came to; on disk before this returns, unless a file was missing."""
        self._done[run] = outcome
        if self._path is None or outcome.missing:
            return
        entry = {"code": code_digest(), **run._asdict(), "numbers": dict(outcome.numbers)}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
            file.flush()
            os.fsync(file.fileno())


_START = '{"code": "'
"""How every line begins, one that was cut off too."""


def _read(path: Path) -> Iterator[tuple[Run, Outcome]]:
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: expected runs of a reproduction, found no text") from error
    start = _START[: len(lines[-1])]
    if not lines[-1].startswith(start):
        raise ValueError(
            f"{path}, line {len(lines)}: expected a run of a reproduction, found {lines[-1][:80]!r}"
        )
    for number, line in enumerate(lines[:-1], start=1):
        try:
            entry = json.loads(line)
            run = Run(entry["measure"], entry["seed"], entry["quick"])
            numbers = {str(name): float(value) for name, value in entry["numbers"].items()}
            if entry["code"] == code_digest():
                yield run, Outcome(numbers)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError(
                f"{path}, line {number}: expected a run of a reproduction, found {line[:80]!r}"
            ) from error


def _cut_off_the_unfinished(path: Path) -> None:
    """Remove what follows the last line end, which the next run would be written behind."""
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        os.truncate(path, whole)


@cache
def code_digest() -> str:
    """Digest of all source files of the library: runs of other code are other runs."""
    digest = hashlib.sha256()
    for name in ("anonopt", "anonopt.operators", "anonopt.problems"):
        folder = Path(str(import_module(name).__file__)).parent
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def measure_all(
    runs: Mapping[Run, Measure],
    done: RunFile,
    *,
    workers: int,
    on_done: Callable[[Run], None],
) -> None:
    """Measure what is not done yet.

    Parameters
    ----------
    runs : mapping of Run to its function
    done : RunFile
        Gets what they come to.
    workers : int
        Processes; with 1 everything happens in this one. Numbers do not depend on it.
    on_done : callable
        Called with every run, those that were done before included.
    """
    waiting = {run: measure for run, measure in runs.items() if run not in done}
    for run in runs:
        if run not in waiting:
            on_done(run)
    if workers == 1:
        for run, measure in waiting.items():
            done.add(run, _outcome(measure, run))
            on_done(run)
    elif waiting:
        # Threads of numerical libraries do not survive a fork.
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as executor:
            _measure_with(executor, waiting, done, on_done)


_FOLDERS = re.compile(r"(?<![\w.:/])(?:/[^\s/:,;()]+)+/(?=[^\s/:,;()]+)")
"""Folders in front of a name in a message; not those of an address."""


def _outcome(measure: Measure, run: Run) -> Outcome:
    try:
        numbers = measure(run.seed, run.quick)
    except FileNotFoundError as error:
        # Reports are read on other machines, where these folders say nothing.
        return Outcome({}, _FOLDERS.sub("", str(error)))
    return Outcome({label: float(number) for label, number in numbers.items()})


def _measure_with(
    executor: Executor,
    waiting: Mapping[Run, Measure],
    done: RunFile,
    on_done: Callable[[Run], None],
) -> None:
    futures = {executor.submit(_outcome, measure, run): run for run, measure in waiting.items()}
    try:
        for future in as_completed(futures):
            run = futures[future]
            done.add(run, future.result())
            on_done(run)
    finally:
        for future in futures:
            future.cancel()
