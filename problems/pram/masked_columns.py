"""The columns a problem masks, from a table or from a benchmark set that knows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from anonopt.data.columns.categories import CategoricalColumns
from anonopt.data.columns.masked_columns import MaskingSet


def masked_columns(
    original: pd.DataFrame | MaskingSet,
    columns: Sequence[Any] | None,
    ordinal: Mapping[Any, Sequence[object] | None] | None,
) -> tuple[pd.DataFrame, CategoricalColumns]:
    """Return the table, and the masked columns as codes.

    Parameters
    ----------
    original : DataFrame (n_rows, ...), or MaskingSet
    columns : list of columns or None
        None stands for those of the set, or all of the table.
    ordinal : mapping of column to list of values or None, or None
        Columns of a table whose categories have an order.

    Raises
    ------
    ValueError
        If orders are given for a set, which brings its own, or the columns are not those of
        the table.
    """
    if not isinstance(original, MaskingSet):
        return original, CategoricalColumns.of(original, columns=columns, ordinal=ordinal)
    if ordinal is not None:
        raise ValueError(
            f"ordinal: expected none, as the set {original.name!r} brings its own; "
            f"found {dict(ordinal)}"
        )
    names = original.columns if columns is None else columns
    orders = {name: order for name, order in original.ordinal.items() if name in names}
    return original.frame, CategoricalColumns.of(original.frame, columns=names, ordinal=orders)


def masked_labels(columns: CategoricalColumns, *, mask_missing: bool) -> list[tuple[str, ...]]:
    """Categories of each column that matrices are over: without missing cells, if these stay.

    Parameters
    ----------
    columns : CategoricalColumns
    mask_missing : bool
        Whether missing cells are a category like the others.

    Raises
    ------
    ValueError
        If a column has no category.
    """
    labels = [
        texts[: len(texts) - (missing and not mask_missing)]
        for texts, missing in zip(columns.labels, columns.has_missing, strict=True)
    ]
    for name, texts in zip(columns.names, labels, strict=True):
        if not texts:
            raise ValueError(
                f"columns: expected values in column {name!r}, found missing cells only"
            )
    return labels
