"""Errors of Arrow as ours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from anonopt._registry import engine
from anonopt.sources.arrow.broken_files import what_is_broken


@contextmanager
def reading_errors(name: str, files: Sequence[str] = ()) -> Iterator[None]:
    """Raise what Arrow says of rows that it cannot read as a ValueError.

    Parameters
    ----------
    name : str
        What messages call the source.
    files : sequence of str
        That the rows are in, of which messages name the broken one.

    Raises
    ------
    ValueError
        If the rows cannot be read.
    """
    arrow = engine("pyarrow", name)
    try:
        yield
    except (arrow.ArrowInvalid, arrow.ArrowNotImplementedError, arrow.ArrowTypeError) as error:
        raise _unreadable(name, error, files) from error
    except OSError as error:
        # What the system says has a number; a broken file has none.
        if error.errno is not None:
            raise
        raise _unreadable(name, error, files) from error


def _unreadable(name: str, error: Exception, files: Sequence[str]) -> ValueError:
    return ValueError(
        f"{name}: expected rows that can be read, found: {what_is_broken(error, files)}"
    )
