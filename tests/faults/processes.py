"""Processes that are forked once the libraries are imported, so that faults fall in the work."""

from __future__ import annotations

import contextlib
import ctypes
import io
import os
import re
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

WRITING = {"os.rename", "os.link", "os.remove", "os.truncate", "os.chmod"}
"""Events of the interpreter that come before a change of a folder."""

OURS = re.compile(r"(^|/)(\.anonopt-|out|run\.npz)|^/proc/self/fd/")
"""Names of outputs and of what becomes one; libraries write caches of their own."""

STRANGER = 54321
PR_SET_KEEPCAPS = 8
CAPABILITY_VERSION_3 = 0x20080522
MAY_READ = 1 << 2
"""CAP_DAC_READ_SEARCH of capabilities(7)."""


@dataclass(frozen=True)
class Ended:
    """How a process ended.

    Attributes
    ----------
    code : int
        Exit code, or minus the number of the signal that ended it.
    out, err : str
    seconds : float
    """

    code: int
    out: str
    err: str
    seconds: float


def import_all() -> None:
    """Import what the commands import."""
    import matplotlib

    matplotlib.use("Agg")
    # The library loads what it needs of scipy when it is used.
    import scipy.optimize
    import scipy.sparse
    import scipy.spatial
    import scipy.special
    import scipy.stats  # noqa: F401

    import anonopt.algorithms
    import anonopt.cli
    import anonopt.graphs.files.writing
    import anonopt.masking
    import anonopt.problems
    import anonopt.runs
    import anonopt.visualization  # noqa: F401


def kill_at_step(step: int) -> None:
    """Kill this process before it changes a folder for the `step`-th time, from 0 on."""
    left = step

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if (event in WRITING or (event == "open" and _writes(arguments))) and _is_ours(arguments):
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left -= 1

    sys.addaudithook(hook)


def _writes(arguments: tuple[object, ...]) -> bool:
    return bool(int(arguments[2]) & (os.O_WRONLY | os.O_RDWR))  # type: ignore[call-overload]


def _is_ours(arguments: tuple[object, ...]) -> bool:
    unnamed = any(
        isinstance(flags, int) and flags & os.O_TMPFILE == os.O_TMPFILE for flags in arguments[2:]
    )
    return unnamed or any(
        OURS.search(str(path)) for path in arguments if isinstance(path, str | os.PathLike)
    )


def limit_files(size: int) -> Callable[[], None]:
    """Let no file of this process grow beyond a size."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def become_stranger() -> None:
    """Go on as a user who owns nothing, has no home and no name, but may read the libraries."""
    os.environ.pop("HOME", None)
    libc = ctypes.CDLL(None, use_errno=True)
    if os.getuid() != 0 or libc.prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0:
        raise OSError("only root can become another user")
    os.setgroups([])
    os.setgid(STRANGER)
    os.setuid(STRANGER)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    allowed = (ctypes.c_uint32 * 6)(MAY_READ, MAY_READ, 0, 0, 0, 0)
    if libc.capset(header, allowed) != 0:
        raise OSError(ctypes.get_errno(), "capset")


def interrupt_soon() -> None:
    """Interrupt this process as Ctrl-C does, once it has worked a little."""
    signal.signal(signal.SIGPROF, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_PROF, 0.01)


def run(
    words: list[str],
    folder: Path,
    *,
    before: Callable[[], None] | None = None,
    send: int = signal.SIGKILL,
    after: float | None = None,
    reads: bool = True,
) -> Ended:
    """Run a command in a process of its own.

    Parameters
    ----------
    words : list of str
        After ``anonopt``.
    folder : Path
        Where it runs.
    before : callable, optional
        What the process does before it begins.
    send, after
        Signal that it gets, and after how many seconds; None is never.
    reads : bool
        Whether anybody reads its output.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.monotonic()
        process = os.fork()
        if process == 0:
            _become(words, folder, out.fileno() if reads else None, err.fileno(), before)
        if after is not None:
            time.sleep(after)
            os.kill(process, send)
        _, status = os.waitpid(process, 0)
        seconds = time.monotonic() - started
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode())
    return Ended(os.waitstatus_to_exitcode(status), *texts, seconds)


def _become(
    words: list[str], folder: Path, out: int | None, err: int, before: Callable[[], None] | None
) -> None:
    """Turn a forked process into the command; it does not come back."""
    code = 99
    try:
        os.chdir(folder)
        if out is None:
            reader, out = os.pipe()
            os.close(reader)
        os.dup2(out, 1)
        os.dup2(err, 2)
        sys.stdout = os.fdopen(1, "w", closefd=False)
        sys.stderr = os.fdopen(2, "w", closefd=False)
        if before is not None:
            before()
        code = _code_of(words)
    finally:
        # Nothing of the process that it was forked from may be ended by it.
        os._exit(code)


def run_here(words: list[str], folder: Path) -> None:
    """Run a command in this process, whose forks then have all that it loads when it uses it."""
    here = Path.cwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            code = _code_of(words)
    finally:
        os.chdir(here)
    if code != 0:
        raise RuntimeError(f"anonopt {' '.join(words)}: exit code {code}")


def _code_of(words: list[str]) -> int:
    from anonopt.__main__ import main

    sys.argv = ["anonopt", *words]
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0
