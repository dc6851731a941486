"""Numbers that runs of items measured: made in parallel, and kept in a file."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from importlib.metadata import version
from multiprocessing import get_context
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from anonopt.experiments.papers.item import Item

Numbers = Mapping[str, float]


class Run(NamedTuple):
    """One run of an item.

    Attributes
    ----------
    paper, item : str
    seed : int
    quick : bool
    """

    paper: str
    item: str
    seed: int
    quick: bool


class RunFile:
    """Runs that are done, a line of JSON each, so that an interrupted reproduction goes on.

    Parameters
    ----------
    path : path, or None
        None keeps them in memory alone. Runs of another version of the library are not used.
    """

    def __init__(self, path: str | PathLike[str] | None) -> None:
        self._path = None if path is None else Path(path)
        self._done: dict[Run, Numbers] = {}
        if self._path is not None and self._path.exists():
            self._done = dict(_read(self._path))

    def __contains__(self, run: Run) -> bool:
        return run in self._done

    def __getitem__(self, run: Run) -> Numbers:
        return self._done[run]

    def add(self, run: Run, numbers: Numbers) -> None:
        """Keep what a run measured; on disk before this returns."""
        self._done[run] = numbers
        if self._path is None:
            return
        entry = {"version": version("anonopt"), **run._asdict(), "numbers": dict(numbers)}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
            file.flush()
            os.fsync(file.fileno())


def _read(path: Path) -> Iterator[tuple[Run, Numbers]]:
    lines = path.read_text(encoding="utf-8").split("\n")
    # What is after the last line end was cut off by an interruption.
    for number, line in enumerate(lines[:-1], start=1):
        try:
            entry = json.loads(line)
            run = Run(entry["paper"], entry["item"], entry["seed"], entry["quick"])
            if entry["version"] == version("anonopt"):
                yield run, {str(name): float(value) for name, value in entry["numbers"].items()}
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError(
                f"{path}, line {number}: expected a run of a reproduction, found {line[:80]!r}"
            ) from error


def measure_all(
    items: Iterable[tuple[Run, Item]],
    done: RunFile,
    *,
    workers: int,
    on_done: Callable[[Run], None],
) -> None:
    """Measure what is not done yet.

    Parameters
    ----------
    items : iterable of (Run, Item)
    done : RunFile
        Gets the numbers.
    workers : int
        Processes; with 1 everything happens in this one. Numbers do not depend on it.
    on_done : callable
        Called with every run, those that were done before included.
    """
    waiting = []
    for run, item in items:
        if run in done:
            on_done(run)
        else:
            waiting.append((run, item))
    if workers == 1:
        for run, item in waiting:
            done.add(run, item.measure(run.seed, run.quick))
            on_done(run)
    elif waiting:
        # Threads of numerical libraries do not survive a fork.
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as executor:
            _measure_with(executor, waiting, done, on_done)


def _measure_with(
    executor: Executor,
    waiting: list[tuple[Run, Item]],
    done: RunFile,
    on_done: Callable[[Run], None],
) -> None:
    futures = {executor.submit(item.measure, run.seed, run.quick): run for run, item in waiting}
    try:
        for future in as_completed(futures):
            run = futures[future]
            done.add(run, future.result())
            on_done(run)
    finally:
        for future in futures:
            future.cancel()
