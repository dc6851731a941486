"""Global recoding, top coding and bottom coding: some categories of a column become one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from anonopt._checks import check_integer
from anonopt._typing import BoolArray, IntArray
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.masking.base import MaskingMethod
from anonopt.masking.groups.records import column_kind, require_order


@dataclass(repr=False, eq=False)
class Recoding(MaskingMethod):
    """What the recodings share: which categories become one, and what that is called.

    Categories are the values that occur in the column, whether it holds text or numbers. Missing
    cells stay missing and are not counted. By default the merged categories get the name of one
    of them, so no category is invented; `code` names them otherwise.
    """

    paper = "Mares 2013, Section 2.3.5"

    p: int
    code: object = field(default=None, kw_only=True)

    @abstractmethod
    def _merged(self, occurring: IntArray, counts: IntArray, p: int) -> IntArray:
        """Codes of the p categories to merge; the first one gives its name.

        `occurring` holds the codes of the categories that occur in their order, `counts` their
        numbers of cells.
        """

    def _check_column(self, column: pd.Series[Any]) -> None:
        """Refuse columns that do not suit the method."""

    def _mask(self, frame: pd.DataFrame, names: tuple[Hashable, ...]) -> pd.DataFrame:
        p = check_integer("p", self.p, least=1)
        for name in names:
            self._check_column(frame[name])
        columns = CategoricalColumns.of(frame, columns=names, ordinal=self.ordinal)
        masked = frame.copy()
        for position, name in enumerate(names):
            codes = columns.codes[:, position]
            n_present = columns.n_categories[position] - columns.has_missing[position]
            counts = np.bincount(codes[codes < n_present], minlength=n_present)
            occurring = np.flatnonzero(counts)
            if p > len(occurring):
                raise ValueError(
                    f"p: expected at most {len(occurring)}, the categories that occur in column "
                    f"{name!r}, found {p}"
                )
            merged = self._merged(occurring, counts[occurring], p)
            at = np.isin(codes, merged)
            if self.code is None:
                rows = np.where(at, np.argmax(codes == merged[0]), np.arange(len(frame)))
                masked[name] = frame[name].iloc[rows].set_axis(frame.index)
            else:
                masked[name] = _coded(frame[name], at, self.code)
        return masked


class GlobalRecoding(Recoding):
    """Combine the p least frequent categories of each column (Mares 2013, Section 2.3.5).

    They get the name of the most frequent one of them. Of equally frequent categories the first
    in order is taken as the rarer.

    Parameters
    ----------
    p : int
        Number of categories that become one, from 1 (nothing changes, unless `code` is given) to
        the number of categories that occur in the column.
    columns, ordinal
        As for :class:`anonopt.masking.base.MaskingMethod`; columns of numbers are taken as
        categories, too.
    code : value, optional
        Name of the merged category, by default an existing one.

    Raises
    ------
    ValueError
        From `fit_transform`, if `p` is out of range.

    Examples
    --------
    >>> frame = pd.DataFrame({"zone": ["a", "a", "a", "b", "b", "c"]})
    >>> GlobalRecoding(p=2).fit_transform(frame)["zone"].tolist()
    ['a', 'a', 'a', 'b', 'b', 'b']
    """

    summary = "p rarest categories of a column as one"

    def _merged(self, occurring: IntArray, counts: IntArray, p: int) -> IntArray:
        rarest = occurring[np.argsort(counts, kind="stable")[:p]]
        return rarest[::-1]


class _EndCoding(Recoding):
    """Coding of one end of an order."""

    def _check_column(self, column: pd.Series[Any]) -> None:
        kind = column_kind(column, self.ordinal)
        require_order(type(self).__name__, column.name, kind)


class TopCoding(_EndCoding):
    """Combine the p highest categories of each column (Mares 2013, Section 2.3.5).

    They get the name of the lowest of them, which then stands for "this or more".

    Parameters
    ----------
    p : int
        Number of categories that become one, from 1 (nothing changes, unless `code` is given) to
        the number of categories that occur in the column.
    columns, ordinal
        As for :class:`anonopt.masking.base.MaskingMethod`; the categories of a column of numbers
        are its distinct numbers. Nominal columns are refused.
    code : value, optional
        Name of the merged category, by default an existing one.

    Raises
    ------
    ValueError
        From `fit_transform`, if `p` is out of range or a column is nominal.

    Examples
    --------
    >>> frame = pd.DataFrame({"x": range(1, 11)})
    >>> TopCoding(p=3).fit_transform(frame)["x"].tolist()
    [1, 2, 3, 4, 5, 6, 7, 8, 8, 8]
    >>> TopCoding(p=3, code=99).fit_transform(frame)["x"].tolist()
    [1, 2, 3, 4, 5, 6, 7, 99, 99, 99]
    """

    summary = "p highest categories of a column as one"

    def _merged(self, occurring: IntArray, counts: IntArray, p: int) -> IntArray:
        return occurring[len(occurring) - p :]


class BottomCoding(_EndCoding):
    """Combine the p lowest categories of each column (Mares 2013, Section 2.3.5).

    They get the name of the highest of them, which then stands for "this or less".

    Parameters
    ----------
    p : int
        Number of categories that become one, from 1 (nothing changes, unless `code` is given) to
        the number of categories that occur in the column.
    columns, ordinal
        As for :class:`TopCoding`.
    code : value, optional
        Name of the merged category, by default an existing one.

    Raises
    ------
    ValueError
        From `fit_transform`, if `p` is out of range or a column is nominal.

    Examples
    --------
    >>> frame = pd.DataFrame({"x": range(1, 11)})
    >>> BottomCoding(p=2).fit_transform(frame)["x"].tolist()
    [2, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    >>> BottomCoding(p=2, code=99).fit_transform(frame)["x"].tolist()
    [99, 99, 3, 4, 5, 6, 7, 8, 9, 10]
    """

    summary = "p lowest categories of a column as one"

    def _merged(self, occurring: IntArray, counts: IntArray, p: int) -> IntArray:
        return occurring[:p][::-1]


def _coded(column: pd.Series[Any], at: BoolArray, code: Any) -> pd.Series[Any]:
    """Column with a value of the caller in some rows; the type is widened where it must be."""
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype) and code not in dtype.categories:
        place = int(column.cat.codes[at].min())
        names = [*dtype.categories[:place], code, *dtype.categories[place:]]
        column = column.cat.set_categories(names, ordered=bool(dtype.ordered))
    return column.mask(at, code)
