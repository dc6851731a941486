"""Errors of Arrow as ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from anonopt._registry import engine


@contextmanager
def reading_errors(name: str) -> Iterator[None]:
    """Raise what Arrow says of rows that it cannot read as a ValueError.

    Parameters
    ----------
    name : str
        What messages call the source.

    Raises
    ------
    ValueError
        If the rows cannot be read.
    """
    arrow = engine("pyarrow", name)
    try:
        yield
    except (arrow.ArrowInvalid, arrow.ArrowNotImplementedError, arrow.ArrowTypeError) as error:
        raise _unreadable(name, error) from error
    except OSError as error:
        # What the system says has a number; a broken file has none.
        if error.errno is not None:
            raise
        raise _unreadable(name, error) from error


def _unreadable(name: str, error: Exception) -> ValueError:
    return ValueError(
        f"{name}: expected rows that can be read, found: {str(error).splitlines()[0]}"
    )
