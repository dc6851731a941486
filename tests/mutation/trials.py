"""How a mutant meets the tests: collected once, run in a fork for each mutant."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator, Sequence
from inspect import CO_OPTIMIZED
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, FunctionType

import hypothesis
import moocore  # noqa: F401  # what is not used is loaded here, once, for all forks
import networkx  # noqa: F401
import numba  # noqa: F401
import pandas  # noqa: F401
import pymoo.algorithms.moo.nsga2  # noqa: F401
import pytest
import scipy.stats  # noqa: F401

FORK = multiprocessing.get_context("fork")
UNSWAPPED = "unswapped"
"""Outcome of a mutant that needs the library to be imported anew."""

OUTCOMES = {0: "survived", 1: "killed", 9: UNSWAPPED}
"""By exit code of a fork; any other code is that of a crash."""


def outer_code(code: CodeType) -> Iterator[CodeType]:
    """Code of a module or class body, and of the functions and classes in it."""
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from [part] if part.co_flags & CO_OPTIMIZED else outer_code(part)


def swapped(path: Path, original: str, changed: str) -> bool:
    """Give the functions of a loaded file the code of a mutant, if it differs in these alone."""
    old, new = (
        list(outer_code(compile(source, str(path), "exec"))) for source in (original, changed)
    )
    if len(old) != len(new):
        return False
    # Functions of what was collected are among what the collector was told to pass over.
    gc.unfreeze()
    live = [each for each in gc.get_objects() if isinstance(each, FunctionType)]
    n_swapped = 0
    for before, after in zip(old, new, strict=True):
        if not before.co_flags & CO_OPTIMIZED:
            parts = [
                (
                    code.co_code,
                    code.co_names,
                    [c for c in code.co_consts if type(c) is not CodeType],
                )
                for code in (before, after)
            ]
            if parts[0] != parts[1]:
                return False
        elif before != after:
            for function in live:
                code = function.__code__
                if (code.co_filename, code.co_name, code.co_firstlineno) == (
                    str(path),
                    before.co_name,
                    before.co_firstlineno,
                ):
                    function.__code__ = after
                    n_swapped += 1
    return n_swapped > 0


class Trials:
    """Plugin of pytest: tests are collected once, and run in a fork for each mutant."""

    def __init__(
        self, pairs: Sequence[tuple[Path, str, str]], answers: Connection, limit: float
    ) -> None:
        self._pairs, self._answers, self._limit = pairs, answers, limit

    def pytest_sessionstart(self) -> None:
        # An example that fails is enough, it need not become a small one.
        phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
        hypothesis.settings.register_profile("mutation", hypothesis.settings(), phases=phases)
        hypothesis.settings.load_profile("mutation")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        start = time.monotonic()
        self._answers.send(self._outcome(session, None, self._limit))
        limit = 5 + 4 * (time.monotonic() - start)
        for pair in self._pairs:
            self._answers.send(self._outcome(session, pair, limit))
        return True

    def _outcome(
        self, session: pytest.Session, pair: tuple[Path, str, str] | None, limit: float
    ) -> str:
        process = FORK.Process(target=self._try, args=(session, pair))
        process.start()
        process.join(limit)
        if process.is_alive():
            os.killpg(process.pid or 0, signal.SIGKILL)
            process.join()
            return "timeout"
        return OUTCOMES.get(process.exitcode or 0, "killed")

    def _try(self, session: pytest.Session, pair: tuple[Path, str, str] | None) -> None:
        os.setsid()
        if pair is not None and not swapped(*pair):
            os._exit(9)
        for item, following in zip(session.items, [*session.items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if session.testsfailed:
                os._exit(1)
        os._exit(0)
