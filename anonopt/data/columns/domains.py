"""The domain of a column: its categories in the order of their codes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray, CodeArray
from anonopt.data.column_values import ColumnValues, Key
from anonopt.data.equal_values import equal_keys
from anonopt.data.labels import sorted_keys
from anonopt.data.values import MISSING, as_text, is_missing

Orders = Mapping[Any, Sequence[Any] | None]
"""Column to all of its values from lowest to highest, or None for their natural order."""


class Domain(NamedTuple):
    """Categories of a column.

    Attributes
    ----------
    values : object array (n_categories,)
        That of missing cells last.
    labels : tuple of text
    is_ordinal : bool
        Whether their order has a meaning.
    codes : int32 array (n_rows,)
        Of the cells of the first table.
    """

    values: AnyArray
    labels: tuple[str, ...]
    is_ordinal: bool
    codes: CodeArray


def domain_of(name: Hashable, parts: Sequence[pd.Series[Any]], orders: Orders) -> Domain:
    """Categories of a column of several tables, and the codes of the first.

    Raises
    ------
    ValueError
        If an order holds a value twice or lacks a value of the data, or types cannot be compared
        without guessing.
    """
    cells = [ColumnValues.of(part) for part in parts]
    dtype = parts[0].dtype
    is_ordered = isinstance(dtype, pd.CategoricalDtype) and bool(dtype.ordered)
    order = orders.get(name)
    if order is not None:
        declared = ColumnValues.of_list(_without_missing(name, order), "its order")
    elif isinstance(dtype, pd.CategoricalDtype):
        declared = ColumnValues.of(pd.Series(dtype.categories))
    else:
        declared = ColumnValues.of_list((), "no categories")
    keys = equal_keys(name, *cells, declared)
    values = _values([*cells, declared], keys)
    known, present = keys[-1], keys[:-1]
    if order is not None or (is_ordered and name not in orders):
        _check_order(name, declared, known, cells, present)
        chosen = list(known)
    else:
        chosen = sorted_keys({key: as_text(value) for key, value in values.items()})
    has_missing = any(column.has_missing for column in cells)
    domain = np.empty(len(chosen) + has_missing, dtype=object)
    for code, key in enumerate(chosen):
        domain[code] = values[key]
    if has_missing:
        domain[-1] = MISSING if _are_labels(parts) else None
    ranks = {key: code for code, key in enumerate(chosen)}
    table = np.array([*(ranks[key] for key in present[0]), len(chosen)], dtype=np.int32)
    return Domain(domain, labels_of(domain), name in orders or is_ordered, table[cells[0].codes])


def labels_of(values: AnyArray) -> tuple[str, ...]:
    """Text of each category."""
    return tuple(MISSING if is_missing(value) else as_text(value) for value in values)


def quoted(value: object) -> str:
    """A value as errors show it: text in quotes."""
    return repr(value) if isinstance(value, str) else as_text(value)


def _without_missing(name: Hashable, order: Sequence[object]) -> list[object]:
    """An order without the label of missing cells, which are behind all others anyway."""
    if isinstance(order, str):
        raise TypeError(
            f"column {name!r}: expected a list of values from lowest to highest, found the text "
            f"{order!r}"
        )
    values = list(order)
    if values and values[-1] == MISSING:
        values.pop()
    if any(is_missing(value) or value == MISSING for value in values):
        raise ValueError(
            f"column {name!r}: expected an order without missing values, which come last, found "
            f"{values}"
        )
    return values


def _values(columns: Sequence[ColumnValues], keys: Sequence[Sequence[Key]]) -> dict[Key, object]:
    """Value of each key: that of the first column that holds it, whatever the order of rows."""
    values: dict[Key, object] = {}
    for column, column_keys in zip(columns, keys, strict=True):
        own: dict[Key, object] = {}
        for value, key in zip(column.values, column_keys, strict=True):
            if key not in own or _rank(value) < _rank(own[key]):
                own[key] = value
        values |= {key: value for key, value in own.items() if key not in values}
    return values


def _rank(value: object) -> tuple[bool, int, str, str]:
    text = as_text(value)
    return isinstance(value, str), len(text), text, type(value).__name__


def _check_order(
    name: Hashable,
    order: ColumnValues,
    keys: Sequence[Key],
    cells: Sequence[ColumnValues],
    present: Sequence[Sequence[Key]],
) -> None:
    known = set(keys)
    if len(known) < len(keys):
        at = next(i for i, key in enumerate(keys) if key in keys[:i])
        raise ValueError(
            f"column {name!r}: expected each value once in its order, found {order.values[at]!r}"
        )
    for column, column_keys in zip(cells, present, strict=True):
        for value, key in zip(column.values, column_keys, strict=True):
            if key not in known:
                raise ValueError(
                    f"column {name!r}: expected values among {order.values}, found {value!r}"
                )


def _are_labels(parts: Sequence[pd.Series[Any]]) -> bool:
    """Whether missing cells are written as their label."""
    return not any(part.isna().any() for part in parts) and any(
        bool((part.astype(object) == MISSING).any()) for part in parts
    )
