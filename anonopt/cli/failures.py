"""What becomes of an error: one message, and an exit code that tells whose fault it was."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

import typer
from typer.core import TyperGroup

from anonopt.cli.console import note

WRONG_INPUT = 2
FAULT = 70
"""EX_SOFTWARE of sysexits.h."""

INTERRUPTED = 130
READER_GONE = 141
"""What a shell reports of a program that SIGPIPE ended, such as ``cat``."""

DEBUG = "ANONOPT_DEBUG"
"""Environment variable that asks for tracebacks."""


class WrongOutputError(RuntimeError):
    """What was to be published is not what was asked for; nothing of it was written."""


class ReportingGroup(TyperGroup):
    """Command group that turns every error into one message and an exit code of its own."""

    def make_context(self, *args: Any, **options: Any) -> Any:
        """Read the words of the command line, and show the help if they ask for it."""
        with _reported():
            return super().make_context(*args, **options)

    def invoke(self, ctx: Any) -> Any:
        """Run the command; see click's ``Command.invoke``."""
        with _reported(debug=bool(ctx.params.get("debug"))):
            return super().invoke(ctx)


@contextmanager
def _reported(*, debug: bool = False) -> Iterator[None]:
    """Turn every error into one message and an exit code."""
    try:
        yield
    except (Exception, KeyboardInterrupt) as error:
        # Ends that the framework itself reports.
        if hasattr(error, "exit_code") or isinstance(error, typer.Abort):
            raise
        if debug or os.environ.get(DEBUG):
            traceback.print_exc()
        raise typer.Exit(_report(error)) from error
    except SystemExit as end:
        # How rich, which writes the help, ends where nobody reads.
        if isinstance(end.__context__, BrokenPipeError):
            raise typer.Exit(READER_GONE) from end
        raise


def _report(error: Exception | KeyboardInterrupt) -> int:
    """Say in one line what happened; exit code."""
    if isinstance(error, BrokenPipeError):
        # Nobody reads any more: neither does anybody read why.
        return READER_GONE
    with suppress(OSError):
        if isinstance(error, KeyboardInterrupt):
            note("Interrupted", "")
        elif is_of_input(error):
            note("Error: ", _message(error), style="bold red")
        elif isinstance(error, MemoryError):
            note("Error: ", "not enough memory", style="bold red")
        else:
            note("Fault of anonopt: ", _fault(error), style="bold red")
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    return WRONG_INPUT if is_of_input(error) else FAULT


def is_of_input(error: BaseException) -> bool:
    """Whether an error tells of wrong input, of a file or stream that fails, or of a missing extra.

    A `TypeError` does where it says what was expected, as all of ours do; Python's own tell of
    a fault in the program. So does a module that is not found, where we say how to install it.

    Examples
    --------
    >>> is_of_input(ValueError("k: expected 2, found 1")), is_of_input(TypeError("unhashable"))
    (True, False)
    """
    if isinstance(error, TypeError):
        return "expected" in str(error)
    if isinstance(error, ModuleNotFoundError):
        return "pip install" in str(error)
    return isinstance(error, ValueError | OSError)


def _message(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror is not None:
        where = "standard output" if error.filename is None else error.filename
        return f"{where}: {error.strerror}"
    return str(error)


def _fault(error: Exception) -> str:
    """One line on an error that should not have happened, and what to do about it."""
    what = " ".join(str(error).split())
    if not isinstance(error, WrongOutputError):
        what = f"{type(error).__name__}: {what}" if what else type(error).__name__
    return (
        f"{what}. Please report it as SECURITY.md says, with the command and an invented table; "
        f"{DEBUG}=1 shows where it happened"
    )


def flushed(code: int) -> int:
    """Write out what the streams still hold; exit code if that fails, else `code`.

    Python would do it after the last line of the program, with a traceback.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError as error:
            _give_up(stream)
            code = _report(error)
        except ValueError:
            # It was closed.
            continue
    return code


def _give_up(stream: TextIO) -> None:
    """Let what a stream still holds go nowhere."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
