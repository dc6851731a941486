"""Roles of the columns of a table, checked before anything is computed from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from anonopt._checks import near_names


class Roles(NamedTuple):
    """Which column is what; every other column of the table is left as it is."""

    quasi_identifiers: tuple[Hashable, ...]
    sensitive: Hashable | None
    target: Hashable | None
    identifiers: tuple[Hashable, ...]


def check_roles(
    frame: pd.DataFrame,
    *,
    quasi_identifiers: Iterable[Hashable],
    sensitive: Hashable | Sequence[Hashable] | None,
    target: Hashable | None,
    identifiers: Iterable[Hashable],
) -> Roles:
    """Check that the table has rows and that each role is given to a column of its own.

    Raises
    ------
    TypeError
        If `frame` is not a frame, or one text is given in place of a list of columns.
    ValueError
        If the table is empty, a column occurs twice, a role names no column, a column has
        two roles, or there is no quasi-identifier.
    """
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"frame: expected a pandas DataFrame, found {type(frame).__name__}")
    return roles_among(
        list(frame.columns),
        len(frame),
        quasi_identifiers=quasi_identifiers,
        sensitive=sensitive,
        target=target,
        identifiers=identifiers,
    )


def roles_among(
    columns: Sequence[Hashable],
    n_rows: int,
    *,
    quasi_identifiers: Iterable[Hashable],
    sensitive: Hashable | Sequence[Hashable] | None,
    target: Hashable | None,
    identifiers: Iterable[Hashable],
    table: str = "frame",
) -> Roles:
    """As `check_roles`, of a table that has these columns and so many rows.

    Parameters
    ----------
    columns : sequence of columns
    n_rows : int
    quasi_identifiers, sensitive, target, identifiers
        As in `check_roles`.
    table : str
        What messages call the table.
    """
    _check_lists(quasi_identifiers=quasi_identifiers, identifiers=identifiers)
    several = names_of_sensitive(sensitive)
    role = several[0] if len(several) == 1 else several or None
    roles = Roles(tuple(quasi_identifiers), role, target, tuple(identifiers))
    if not roles.quasi_identifiers:
        raise ValueError("quasi_identifiers: expected at least one column, found none")
    _check_rows(n_rows, table)
    if len(set(columns)) < len(columns):
        twice = next(column for column, count in Counter(columns).items() if count > 1)
        raise ValueError(f"{table}: expected columns of different names, found {twice!r} twice")
    _check_columns(columns, roles, several)
    return roles


def names_of_sensitive(sensitive: Hashable | Sequence[Hashable] | None) -> tuple[Hashable, ...]:
    """Sensitive columns as they are given: none, one, or a list of them.

    Raises
    ------
    ValueError
        If the list is empty.

    Examples
    --------
    >>> names_of_sensitive(None), names_of_sensitive("pay"), names_of_sensitive(["pay", "job"])
    ((), ('pay',), ('pay', 'job'))
    """
    if sensitive is None:
        return ()
    if not isinstance(sensitive, list):
        return (sensitive,)
    if not sensitive:
        raise ValueError("sensitive: expected at least one column in the list, found none")
    return tuple(sensitive)


def _check_columns(
    columns: Sequence[Hashable], roles: Roles, sensitive: Sequence[Hashable]
) -> None:
    """Raise for a role of a column that is not there or has another role already."""
    named = [("quasi-identifier", column) for column in roles.quasi_identifiers]
    named += [("identifier", column) for column in roles.identifiers]
    named += [("sensitive", column) for column in sensitive]
    named += [("target", roles.target)] if roles.target is not None else []
    for role, column in named:
        if column not in columns:
            raise ValueError(f"{role} {column!r}: {_no_column(column, columns)}")
    # Levels of a node are shown in columns named by the text of the quasi-identifiers.
    for text, count in Counter(str(column) for column in set(roles.quasi_identifiers)).items():
        if count > 1:
            raise ValueError(
                f"quasi_identifiers: expected names of different text, found {text!r} {count} times"
            )
    for column, count in Counter(column for _, column in named).items():
        if count > 1:
            found = " and ".join(role for role, other in named if other == column)
            raise ValueError(f"column {column!r}: expected one role, found {count}: {found}")


def find_columns(
    frame: pd.DataFrame, columns: Iterable[Hashable] | None, **facts: Mapping[Any, object] | None
) -> tuple[Hashable, ...]:
    """Check that a list of columns names columns of a table that has rows, each once.

    Parameters
    ----------
    frame : DataFrame (n_rows, ...)
    columns : iterable of columns, optional
        By default all.
    **facts : mapping of column to anything, optional
        What is said of some of these columns, such as their orders, by the name of the argument.

    Raises
    ------
    TypeError
        If `frame` is not a frame, one text is given in place of a list of columns, or a fact is no
        mapping.
    ValueError
        If there is no column or no row, a column is absent or named twice, the table has two of
        that name, or something is said of another column.
    """
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"frame: expected a pandas DataFrame, found {type(frame).__name__}")
    _check_lists(columns=columns)
    names = tuple(frame if columns is None else columns)
    if not names:
        raise ValueError("columns: expected at least one column, found none")
    _check_rows(len(frame), "frame")
    for name, count in Counter(names).items():
        if name not in frame.columns:
            raise ValueError(f"column {name!r}: {_no_column(name, list(frame.columns))}")
        if count > 1 or not isinstance(frame[name], pd.Series):
            raise ValueError(f"column {name!r}: expected once, found several times")
    for fact, of_column in facts.items():
        if of_column is not None and not isinstance(of_column, Mapping):
            raise TypeError(f"{fact}: expected a mapping of columns, found {of_column!r}")
        if others := [name for name in of_column or () if name not in names]:
            near = _near(others[0], names)
            raise ValueError(f"{fact}: expected columns among {list(names)}, found {others}{near}")
    return names


def _no_column(name: Hashable, columns: Sequence[Hashable]) -> str:
    found = list(columns)
    return f"expected one of the columns {found}, found none{_near(name, found)}"


def _near(name: Hashable, columns: Iterable[Hashable]) -> str:
    """End of a message on a column that is not there."""
    near = near_names(name, columns)
    return f"; {near}" if near else ""


def _check_lists(**lists: Iterable[Hashable] | None) -> None:
    for name, columns in lists.items():
        if isinstance(columns, str):
            raise TypeError(f"{name}: expected a list of columns, found the text {columns!r}")


def _check_rows(n_rows: int, table: str) -> None:
    if n_rows == 0:
        raise ValueError(f"{table}: expected at least one row, found an empty table")
