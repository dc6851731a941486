"""Categories that become one: what recodings share, and names in columns of any type."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray, BoolArray, IntArray
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.masking.base import MaskingMethod
from anonopt.masking.groups.records import Kind, column_kind


@dataclass(frozen=True, eq=False)
class Occurring:
    """The categories of a column that occur, in their order.

    Attributes
    ----------
    name : column
    kind : {"continuous", "ordinal", "nominal"}
    codes : int64 array (n,)
        Increasing; position of each category among all categories of the column.
    counts : int64 array (n,)
        Cells of each.
    values : object array (n,)
        What they are.
    all_values : object array
        All categories, whether they occur or not; codes are positions here.
    """

    name: Hashable
    kind: Kind
    codes: IntArray
    counts: IntArray
    values: AnyArray
    all_values: AnyArray


class Recoding(MaskingMethod):
    """What the recodings share: which categories become one, and what that is called.

    Categories are the values that occur in the column, whether it holds text or numbers. Missing
    cells stay missing and are not counted. The merged categories get the name of one of them, so
    no category is invented, unless a name is given. A column whose type cannot hold that name
    becomes one of objects, or a categorical with one category more.
    """

    paper = "Mares 2013, Section 2.3.5"

    @abstractmethod
    def _check(self, columns: Sequence[pd.Series[Any]], n_rows: int) -> None:
        """Refuse parameters that are wrong for any column, or for a table of so many rows."""

    @abstractmethod
    def _merged(self, column: Occurring) -> list[IntArray]:
        """Codes of the categories to merge, an array for each new category.

        The first code of each gives its name, unless :meth:`_name` does.
        """

    @abstractmethod
    def _name(self) -> object:
        """Name of what is merged, None for that of one of the categories."""

    def _mask(self, frame: pd.DataFrame, names: tuple[Hashable, ...]) -> pd.DataFrame:
        recoded = self.recoded([frame[name] for name in names])
        masked = frame.copy()
        for name, column in zip(names, recoded, strict=True):
            masked[name] = column
        return masked

    def recoded(
        self, columns: Sequence[pd.Series[Any]], weights: Sequence[IntArray] | None = None
    ) -> list[pd.Series[Any]]:
        """Columns with categories merged.

        Parameters
        ----------
        columns : sequence of Series
            Of a table; or, with `weights`, the distinct cells of each.
        weights : sequence of int64 arrays, one a column, optional
            Rows that each cell stands for; by default one.

        Raises
        ------
        ValueError
            As `fit_transform`.
        """
        rows = [np.ones(len(one), np.int64) for one in columns] if weights is None else weights
        self._check(columns, int(rows[0].sum()) if len(rows) else 0)
        return [self._recoded(one, count) for one, count in zip(columns, rows, strict=True)]

    def _recoded(self, cells: pd.Series[Any], weights: IntArray) -> pd.Series[Any]:
        name = cells.name
        order = {key: value for key, value in (self.ordinal or {}).items() if key == name}
        columns = CategoricalColumns.of(cells.to_frame(), columns=[name], ordinal=order)
        codes = columns.codes[:, 0]
        n_present = columns.n_categories[0] - columns.has_missing[0]
        present = codes < n_present
        # Numbers of rows are far below 2**53, so floats hold them exactly.
        counts = np.bincount(codes[present], weights[present], minlength=n_present)
        occurring = np.flatnonzero(counts)
        values = columns.categories[0][:n_present]
        column = Occurring(
            name=name,
            kind=column_kind(cells, self.ordinal),
            codes=occurring,
            counts=counts[occurring].astype(np.int64),
            values=values[occurring],
            all_values=values,
        )
        return _recoded(cells, codes, self._merged(column), self._name())


def _recoded(
    column: pd.Series[Any], codes: AnyArray, merged: list[IntArray], name: object
) -> pd.Series[Any]:
    """Column with some categories merged, under the name of the first of each or a new one."""
    rows = np.arange(len(codes))
    at = np.zeros(len(codes), dtype=bool)
    for group in merged:
        of_group = np.isin(codes, group)
        at |= of_group
        if name is None:
            rows[of_group] = np.argmax(codes == group[0])
    if name is None:
        return column.iloc[rows].set_axis(column.index)
    return with_value(column, at, name) if at.any() else column


def with_value(column: pd.Series[Any], at: BoolArray, value: Any) -> pd.Series[Any]:
    """Column with one value in some rows; its type is widened where it cannot hold it.

    Parameters
    ----------
    column : Series (n_rows,)
    at : bool array (n_rows,)
        At least one of them.
    value : object

    Returns
    -------
    Series (n_rows,)
        Of the same type, if that holds the value; of floats for integers and a float that lose
        nothing by it; else of objects. A categorical gets the value as a category, where the first
        of those stood that it replaces.

    Examples
    --------
    >>> column = pd.Series([20, 90], dtype="Int64")
    >>> with_value(column, np.array([False, True]), "90+").tolist()
    [20, '90+']
    >>> with_value(column, np.array([False, True]), 0.5).dtype
    Float64Dtype()
    """
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        if value not in dtype.categories:
            place = int(column.cat.codes[at].min())
            names = pd.Index(
                [*dtype.categories[:place], value, *dtype.categories[place:]], dtype=object
            ).infer_objects()
            column = column.cat.set_categories(names, ordered=bool(dtype.ordered))
        return column.mask(at, value)
    for candidate in (column, _as_floats(column, value)):
        if candidate is not None:
            try:
                masked = candidate.mask(at, value)
            except (TypeError, ValueError, OverflowError):
                continue
            if _is_replaced(column, masked, at, value):
                return masked
    cells = column.astype(object).to_numpy(copy=True)
    for row in np.flatnonzero(at):
        cells[row] = value
    return pd.Series(cells, index=column.index, name=column.name, dtype=object)


def _as_floats(column: pd.Series[Any], value: object) -> pd.Series[Any] | None:
    """Column of integers as one of floats, for a value that is one."""
    types = pd.api.types
    if not isinstance(value, float) or not types.is_integer_dtype(column.dtype):
        return None
    if isinstance(column.dtype, pd.ArrowDtype):
        try:
            return column.astype("double[pyarrow]")
        except ValueError:
            # Arrow refuses whole numbers that no float holds.
            return None
    return column.astype("Float64" if types.is_extension_array_dtype(column.dtype) else np.float64)


def _is_replaced(
    column: pd.Series[Any], masked: pd.Series[Any], at: BoolArray, value: object
) -> bool:
    """Whether the new value is there as it is, and nothing else has changed."""
    new = masked.iloc[int(np.argmax(at))]
    if isinstance(new, str) != isinstance(value, str) or new != value:
        return False
    if masked.dtype == column.dtype or masked.dtype == np.dtype(object):
        return True
    before, after = column[~at], masked[~at]
    if not np.array_equal(before.isna(), after.isna()):
        return False
    return bool(before.dropna().astype(object).tolist() == after.dropna().astype(object).tolist())
