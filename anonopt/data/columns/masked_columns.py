"""The columns of a table that are masked, and what is known of their categories."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import pandas as pd

from anonopt.data.columns.categories import CategoricalColumns, Orders
from anonopt.data.roles import find_columns


@dataclass(frozen=True)
class MaskingSet:
    """A table, the columns of it that are masked, and what is known of their categories.

    Made from a table by :func:`masked_columns`; benchmark data sets bring theirs
    (:func:`~anonopt.data.masking_set`).

    Attributes
    ----------
    name : str
        Of the data set; empty for a table of one's own, and for a part of the columns of a set.
    frame : DataFrame (n_rows, ...)
    columns : tuple of columns
        What is masked.
    ordinal : mapping of column to list of values or None
        Columns that are measured as ordered, as :class:`CategoricalColumns` takes them.
    order : mapping of column to list of values or None
        An order of every column, for methods that cannot do without one (top and bottom coding,
        Mondrian): that of the code book, which for a nominal column is a convention only.
    """

    name: str
    frame: pd.DataFrame
    columns: tuple[Hashable, ...]
    ordinal: Orders
    order: Orders

    @property
    def categorical(self) -> CategoricalColumns:
        """The masked columns as codes."""
        return CategoricalColumns.of(self.frame, columns=self.columns, ordinal=self.ordinal)


def masked_columns(
    original: pd.DataFrame | MaskingSet,
    *,
    columns: Sequence[Hashable] | None = None,
    ordinal: Orders | None = None,
) -> MaskingSet:
    """Columns to mask, of a table or of a set that knows its own.

    Parameters
    ----------
    original : DataFrame (n_rows, ...) or MaskingSet
    columns : list of columns, optional
        By default those of the set, or all of the table.
    ordinal : mapping of column to list of values or None, optional
        Columns of a table whose categories have an order, as
        :meth:`CategoricalColumns.of` takes them.

    Raises
    ------
    TypeError
        If `original` is neither, or `columns` is a single text.
    ValueError
        If orders are given for a set, which brings its own, or a column is not there or given
        twice.

    Examples
    --------
    >>> frame = pd.DataFrame({"size": ["S", "L"], "zone": ["a", "b"], "note": ["x", "y"]})
    >>> own = masked_columns(frame, columns=["size", "zone"], ordinal={"size": ["S", "L"]})
    >>> own.columns, own.categorical.ordinal
    (('size', 'zone'), (True, False))
    >>> masked_columns(own, columns=["zone"]).ordinal
    {}
    """
    if not isinstance(original, MaskingSet):
        names = find_columns(original, columns)
        orders = dict(ordinal or {})
        order = {name: orders.get(name) for name in names}
        return MaskingSet("", original, names, orders, order)
    if ordinal is not None:
        raise ValueError(
            f"ordinal: expected none, as the set {original.name!r} brings its own, "
            f"found {dict(ordinal)}"
        )
    if columns is None or tuple(columns) == original.columns:
        return original
    names = find_columns(original.frame, columns)
    return MaskingSet(
        "",
        original.frame,
        names,
        {name: order for name, order in original.ordinal.items() if name in names},
        {name: original.order.get(name) for name in names},
    )
