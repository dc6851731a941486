"""Columns of a file as options name them, and cells of text as numbers."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

if TYPE_CHECKING:
    import pandas as pd

    from anonopt.data.tables.table_files import TableFile
    from anonopt.sources.source import Source

SHOWN = 5
SHOWN_DIGITS = 20
"""Odd cells, and digits of a number, that an error shows."""

LARGEST = 2**63 - 1
LARGEST_FLOAT = sys.float_info.max
"""Largest numbers that int64 and float64 hold."""

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


def number_columns(table: TableFile, names: Sequence[str]) -> dict[str, pd.Series[Any]]:
    """Columns of a file that hold numbers, as numbers; NaN where a cell is missing.

    Codes, numbers some of which have leading zeros, are none.

    Parameters
    ----------
    table : TableFile
    names : sequence of str
        Columns that may be numbers.

    Raises
    ------
    ValueError
        If a column is nearly all numbers; shows its first other cells and their lines.
    """
    for name in names:
        if table.kinds[name] != "numbers":
            _refuse_odd_cells(table, name)
    return {name: as_numbers(table.frame[name]) for name in names if table.kinds[name] == "numbers"}


def _refuse_odd_cells(table: TableFile, name: str) -> None:
    from anonopt.data.tables.spellings import odd_cells

    counts = table.frame[name].dropna().value_counts(sort=False)
    odd = odd_cells({str(text): int(rows) for text, rows in counts.items()})
    if not odd:
        return
    shown = ", ".join(f"{text!r} on line {table.lines(name, text)[0]}" for text in odd[:SHOWN])
    others = f" and {len(odd) - SHOWN} more" if len(odd) > SHOWN else ""
    raise ValueError(
        f"column {name!r}: expected numbers, as nearly all of its cells are, found {shown}{others} "
        f"(--missing names texts of missing cells, --decimal the decimal sign; "
        f"--nominal or --ordinal takes the column as categories)"
    )


def numeric_columns(source: Source) -> set[str]:
    """Columns that hold numbers by their types."""
    from anonopt._registry import engine

    types = engine("pyarrow", repr(source)).types
    of_numbers = (types.is_integer, types.is_floating, types.is_decimal)
    return {
        str(field.name) for field in source.schema if any(holds(field.type) for holds in of_numbers)
    }


def as_numbers(column: pd.Series[Any]) -> pd.Series[Any]:
    """Numbers of text: int64 if all are whole, Int64 if some are missing, else exact or float64.

    Raises
    ------
    ValueError
        If some are not whole, and another is larger than float64 can hold.
    """
    import numpy as np
    import pandas as pd

    from anonopt.data.readings import read_number

    numbers = {text: read_number(text) for text in column.dropna().unique()}
    values = [numbers.get(text) for text in column]
    whole = [abs(number) for number in numbers.values() if isinstance(number, int)]
    is_whole = len(whole) == len(numbers)
    largest = max(whole, default=0)
    if is_whole:
        # Whole numbers stay whole where noise is added, whether some are missing or not.
        dtype = np.int64 if None not in values else pd.Int64Dtype()
        chosen = object if largest > LARGEST else dtype
        return pd.Series(values, index=column.index, name=column.name, dtype=chosen)
    for text, number in numbers.items():
        fits = number is None or -LARGEST_FLOAT <= number <= LARGEST_FLOAT
        if not fits and "inf" not in text.lower():
            shown = text if len(text) <= SHOWN_DIGITS else text[:SHOWN_DIGITS] + "..."
            raise ValueError(
                f"column {column.name!r}: expected numbers of at most {LARGEST_FLOAT:.3g}, "
                f"found {shown}"
            )
    floats = [np.nan if number is None else float(number) for number in values]
    return pd.Series(floats, index=column.index, name=column.name, dtype=np.float64)
