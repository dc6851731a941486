"""Columns of a source as masking methods see them: categories with counts, and frames of rows."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from anonopt._registry import engine
from anonopt._typing import IntArray
from anonopt.data.columns.categories import CategoricalColumns, Orders
from anonopt.evaluation.comparison.cell_codes import CellCodes
from anonopt.sources.arrow.arrow_values import as_series
from anonopt.sources.source import Source


@dataclass(frozen=True, eq=False)
class SourceColumn:
    """The categories of a column of a source.

    Made by :meth:`of`.

    Attributes
    ----------
    categories : CategoricalColumns
        The column alone, of its distinct values.
    counts : int64 array (n_categories,)
        Rows of each.
    values : Series (n_categories,)
        Each category, in the type of the column.
    kind : pyarrow DataType
        Of the cells; that of the values, where the source has a dictionary of them.
    """

    categories: CategoricalColumns
    counts: IntArray
    values: pd.Series[Any]
    kind: Any

    @classmethod
    def of(cls, source: Source, name: Hashable, ordinal: Orders | None) -> SourceColumn:
        """Find the categories of a column.

        Raises
        ------
        ValueError
            If an order is wrong, or ordered categories are not named in `ordinal` and the source
            does not know their order.
        """
        order = {key: value for key, value in (ordinal or {}).items() if key == name}
        found = source.distinct(name)
        if found.is_order_lost and not order:
            raise ValueError(
                f"column {name!r}: expected values whose order is known, found ordered categories; "
                "name them in ordinal"
            )
        cells = pd.DataFrame({name: found.values}).reset_index(drop=True)
        columns = CategoricalColumns.of(cells, columns=[name], ordinal=order)
        (size,) = columns.n_categories
        # Rows are far fewer than 2**53, so floats hold their numbers exactly.
        counts = np.bincount(columns.codes[:, 0], found.counts, minlength=size).astype(np.int64)
        of_type = cells.iloc[np.zeros(size, dtype=np.int64)].reset_index(drop=True)
        values = columns.decode(np.arange(size)[:, np.newaxis], of_type)[name]
        return cls(columns, counts, values, cell_type(source, name))

    @property
    def name(self) -> Hashable:
        """Of the column."""
        return self.categories.names[0]

    @property
    def n_present(self) -> int:
        """Categories, that of missing cells left out."""
        return len(self.values) - self.categories.has_missing[0]

    def coder(self) -> CellCodes:
        """What looks up the codes of cells."""
        return CellCodes(self.categories, self.kind)


def cell_type(source: Source, name: Hashable) -> Any:
    """Arrow type of the cells of a column; of a dictionary that of its values."""
    arrow = engine("pyarrow", "rows of a source")
    kind = source.schema.field(name).type
    return kind.value_type if arrow.types.is_dictionary(kind) else kind


def plain(cells: Any) -> Any:
    """An Arrow array without a dictionary."""
    arrow = engine("pyarrow", "rows of a source")
    return cells.dictionary_decode() if arrow.types.is_dictionary(cells.type) else cells


def frame_of(batches: Sequence[Any], source: Source, names: Sequence[str]) -> pd.DataFrame:
    """Rows of Arrow batches, at least one, as a frame in the types of the source."""
    arrow = engine("pyarrow", "rows of a source")
    columns = {}
    for name in names:
        parts = [plain(batch[name]) for batch in batches]
        cells = arrow.concat_arrays([one.cast(parts[0].type) for one in parts])
        columns[name] = as_series(cells, cell_type(source, name))
    return pd.DataFrame(columns)


def arrow_cells(values: pd.Series[Any], kind: Any, like: pd.Series[Any]) -> Any:
    """Masked values as an Arrow array: of the type of the column, if they are of it still.

    Raises
    ------
    ValueError
        If they are of several types, which a file cannot hold in one column.
    """
    arrow = engine("pyarrow", "rows of a source")
    try:
        found = arrow.array(values, type=kind if values.dtype == like.dtype else None)
    except (arrow.ArrowInvalid, arrow.ArrowTypeError) as error:
        raise ValueError(
            f"column {values.name!r}: expected masked values of one type, found "
            f"{sorted({type(value).__name__ for value in values.dropna()})} (a code of the type of "
            "the column would be one)"
        ) from error
    # Text that pandas has put together is in several pieces.
    return found.combine_chunks() if isinstance(found, arrow.ChunkedArray) else found
