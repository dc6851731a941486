"""What each column of a table is masked as: numbers, categories, or codes in an order."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from anonopt.cli.columns import ChosenColumns, number_columns

if TYPE_CHECKING:
    import pandas as pd

    from anonopt.data.tables.table_files import TableFile


class Roles(NamedTuple):
    """Columns to mask, orders of some, numbers of some, and what each is masked as."""

    names: list[str]
    orders: dict[Any, list[str] | None]
    numbers: dict[str, pd.Series[Any]]
    kinds: dict[str, str]


def roles_of(table: TableFile, chosen: ChosenColumns, *, left_out: Collection[str]) -> Roles:
    """Roles of the columns that are masked: of all that were chosen but those left out."""
    from anonopt.data.roles import find_columns

    find_columns(table.frame, chosen.names)
    names = [name for name in chosen.names if name not in left_out]
    maybe_numbers = [name for name in chosen.maybe_numbers if name in names]
    numbers = number_columns(table, maybe_numbers)
    # Codes are no numbers, but in the order of what they would be.
    codes = {name: None for name in maybe_numbers if table.kinds[name] == "codes"}
    orders = chosen.orders | codes
    return Roles(
        names, orders, numbers, {name: _kind(name, table, numbers, orders) for name in names}
    )


def _kind(
    name: str, table: TableFile, numbers: Mapping[str, object], orders: Mapping[str, object]
) -> str:
    """What a column is masked as."""
    if name in numbers:
        return "numbers"
    kind = "codes" if table.kinds[name] == "codes" else "categories"
    return f"{kind} in an order" if name in orders else kind
