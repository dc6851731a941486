"""Columns of a CSV file as options name them, and cells of text as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

if TYPE_CHECKING:
    import pandas as pd

Columns = Annotated[
    list[str] | None,
    typer.Option(help="Column that counts; repeat it, or separate columns by commas. [all]"),
]
Ordinal = Annotated[
    list[str] | None,
    typer.Option(
        help="Column in an order: 'size=S,M,L' from lowest to highest, or 'size' for numbers "
        "by value and other text by letters. Repeat it."
    ),
]
Nominal = Annotated[
    list[str] | None,
    typer.Option(help="Column of numbers that are categories in no order; as --columns."),
]


class ChosenColumns(NamedTuple):
    """What options say of the columns of a file.

    Attributes
    ----------
    names : list of str
        Columns that count.
    orders : dict of column to list of values or None
    maybe_numbers : list of str
        Columns of the file that are numbers if all their cells are.
    """

    names: list[str]
    orders: dict[Any, list[str] | None]
    maybe_numbers: list[str]


def choose_columns(
    present: Sequence[str],
    columns: Sequence[str] | None,
    ordinal: Sequence[str] | None,
    nominal: Sequence[str] | None,
) -> ChosenColumns:
    """Read the options of a command on columns.

    Parameters
    ----------
    present : sequence of str
        Columns of the file.
    columns, ordinal, nominal : sequence of str, optional
        As the command line has them.

    Raises
    ------
    ValueError
        If a nominal column does not count.
    """
    names = list(present) if columns is None else split_columns(columns, present)
    orders = split_orders(ordinal or [], present)
    categories = split_columns(nominal or [], present)
    if others := [name for name in categories if name not in names]:
        raise ValueError(f"--nominal: expected columns among {names}, found {others}")
    numbers = [name for name in present if name not in orders and name not in categories]
    return ChosenColumns(names, orders, numbers)


def split_columns(options: Sequence[str], present: Sequence[str]) -> list[str]:
    """Columns of all options; a text that is a column itself is not parted at its commas.

    Examples
    --------
    >>> split_columns(["age, zip", "a,b"], ["age", "zip", "a,b"])
    ['age', 'zip', 'a,b']
    """
    columns: list[str] = []
    for text in options:
        parts = [text] if text in present else [part.strip() for part in text.split(",")]
        columns.extend(part for part in parts if part)
    return columns


def split_orders(options: Sequence[str], present: Sequence[str]) -> dict[str, list[str] | None]:
    """Orders of columns: ``grade=low,middle,high``, or ``grade`` alone for the natural order.

    Examples
    --------
    >>> split_orders(["grade=low, high", "size"], ["grade", "size"])
    {'grade': ['low', 'high'], 'size': None}
    """
    orders: dict[str, list[str] | None] = {}
    for text in options:
        name, sign, values = text.partition("=")
        if text in present or not sign:
            orders[text] = None
        else:
            orders[name.strip()] = [value.strip() for value in values.split(",")]
    return orders


def as_numbers(column: pd.Series[Any]) -> pd.Series[Any] | None:
    """Column of text as numbers; None if a cell that is not missing is none."""
    import numpy as np
    import pandas as pd

    from anonopt.data.values import as_number

    present = column.dropna()
    numbers = {text: as_number(text) for text in present.unique()}
    if not numbers or None in numbers.values():
        return None
    is_whole = all(isinstance(number, int) for number in numbers.values())
    limit = np.iinfo(np.int64).max
    if is_whole and len(present) == len(column) and max(map(abs, numbers.values())) <= limit:  # type: ignore[arg-type]
        return column.map(numbers).astype(np.int64)
    return pd.Series(column.map(numbers), dtype=np.float64)
