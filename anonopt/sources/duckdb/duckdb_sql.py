"""Names and values as SQL writes them."""

from __future__ import annotations

from collections.abc import Hashable


def quoted(name: Hashable) -> str:
    """A name as SQL writes it, whatever characters it has.

    Examples
    --------
    >>> print(quoted('the "old" age'))
    "the ""old"" age"
    """
    return '"' + str(name).replace('"', '""') + '"'


def literal(value: str | int) -> str:
    """A value as SQL writes it.

    Examples
    --------
    >>> literal("4GB"), literal("it's"), literal(2)
    ("'4GB'", "'it''s'", '2')
    """
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"
