"""Global recoding, top coding and bottom coding: some categories of a column become one."""

from __future__ import annotations

import heapq
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from anonopt._checks import check_integer
from anonopt._typing import IntArray
from anonopt.data.column_values import ColumnValues
from anonopt.data.equal_values import equal_keys
from anonopt.data.labels import sorted_keys
from anonopt.data.values import as_text
from anonopt.masking.groups.records import column_kind, require_order
from anonopt.masking.merged_categories import Occurring, Recoding


@dataclass(repr=False, eq=False)
class GlobalRecoding(Recoding):
    """Combine rare categories of each column (Mares 2013, Section 2.3.5).

    Either the p least frequent ones become one; of equally frequent categories the first in order
    is taken as the rarer. Or as many as it takes until every category has k cells: in a nominal
    column, and wherever `code` names them, the p rarest for the least p after which all have k
    (none, if they have already); in a column with an order neighbours are merged, the least
    frequent category with the less frequent one of its neighbours (of equals the lower), for as
    long as one has fewer than k. What is merged gets the name of the most frequent of its
    categories. sdcMicro calls this recoding ``globalRecode`` and ``groupAndRename``.

    Parameters
    ----------
    p : int, optional
        Number of categories that become one, from 1 (nothing changes, unless `code` is given) to
        the number of categories that occur in the column.
    k : int, optional
        Least number of cells of a category, in place of `p`: from 1 to the cells of the column that
        are not missing.
    columns, ordinal
        As for :class:`anonopt.masking.base.MaskingMethod`; columns of numbers are taken as
        categories, too, in their order.
    code : value, optional
        Name of the merged category, by default an existing one.

    Raises
    ------
    TypeError
        From `fit_transform`, if `p` or `k` is no whole number.
    ValueError
        From `fit_transform`, if not one of `p` and `k` is given, or it is out of range.

    Examples
    --------
    >>> frame = pd.DataFrame({"zone": ["a", "a", "a", "b", "b", "c"]})
    >>> GlobalRecoding(p=2).fit_transform(frame)["zone"].tolist()
    ['a', 'a', 'a', 'b', 'b', 'b']
    >>> GlobalRecoding(k=3, code="other").fit_transform(frame)["zone"].tolist()
    ['a', 'a', 'a', 'other', 'other', 'other']
    >>> grades = pd.DataFrame({"grade": [1, 2, 2, 3, 3, 3, 4]})
    >>> GlobalRecoding(k=2).fit_transform(grades)["grade"].tolist()
    [2, 2, 2, 3, 3, 3, 3]
    """

    summary = "p rarest categories of a column as one, or until each has k cells"

    p: int | None = None
    k: int | None = field(default=None, kw_only=True)
    code: object = field(default=None, kw_only=True)

    def _check(self, columns: Sequence[pd.Series[Any]], n_rows: int) -> None:
        _check_one(p=self.p, k=self.k)
        if self.p is not None:
            check_integer("p", self.p, least=1)
        else:
            check_integer("k", self.k, least=1, most=n_rows)

    def _name(self) -> object:
        return self.code

    def _merged(self, column: Occurring) -> list[IntArray]:
        rarest = column.codes[np.argsort(column.counts, kind="stable")]
        if self.p is not None:
            return [rarest[: _number(self.p, column)][::-1]]
        k = check_integer("k", self.k)
        total = int(column.counts.sum())
        if 0 < total < k:
            raise ValueError(
                f"k: expected at most {total}, the cells of column {column.name!r} that are not "
                f"missing, found {k}"
            )
        if column.kind == "nominal" or self.code is not None:
            p = rarest_until(np.sort(column.counts), k)
            return [rarest[:p][::-1]] * (p > 0)
        runs = neighbors_until(column.counts, k)
        ends = np.cumsum(runs)
        parts = [
            (column.codes[end - run : end], column.counts[end - run : end])
            for run, end in zip(runs, ends, strict=True)
            if run > 1
        ]
        # The reverse of a stable order: the last of the most frequent ones comes first.
        return [codes[np.argsort(counts, kind="stable")[::-1]] for codes, counts in parts]


def rarest_until(counts: IntArray, k: int) -> int:
    """Least number of the rarest categories that become one so that all have k cells.

    Parameters
    ----------
    counts : int array (n,)
        Increasing; at least k in all, unless there are none.
    k : int

    Returns
    -------
    int
        0 if all have k.

    Examples
    --------
    >>> rarest_until(np.array([1, 2, 2, 5]), 3), rarest_until(np.array([3, 5]), 3)
    (3, 0)
    """
    n_rare = int(np.count_nonzero(counts < k))
    if n_rare == 0:
        return 0
    return max(n_rare, int(np.searchsorted(np.cumsum(counts), k)) + 1)


def neighbors_until(counts: IntArray, k: int) -> IntArray:
    """Merge categories with neighbors until all have k cells, the least frequent first.

    Parameters
    ----------
    counts : int array (n,)
        In the order of the categories; at least k in all, unless there are none.
    k : int

    Returns
    -------
    int64 array (n_new,)
        Number of neighbors that make up each new category.

    Examples
    --------
    >>> neighbors_until(np.array([1, 2, 3, 1]), 2).tolist()
    [2, 2]
    """
    sizes, runs = counts.tolist(), [1] * len(counts)
    before, after = list(range(-1, len(sizes) - 1)), list(range(1, len(sizes) + 1))
    waiting = [(size, place) for place, size in enumerate(sizes) if size < k]
    heapq.heapify(waiting)
    while waiting:
        size, place = heapq.heappop(waiting)
        if runs[place] == 0 or sizes[place] != size:
            continue
        low, high = before[place], after[place]
        if high == len(sizes) or (low >= 0 and sizes[low] <= sizes[high]):
            low, high = low, place
        else:
            low, high = place, high
        sizes[low] += sizes[high]
        runs[low] += runs[high]
        runs[high] = 0
        after[low] = after[high]
        if after[low] < len(sizes):
            before[after[low]] = low
        if sizes[low] < k:
            heapq.heappush(waiting, (sizes[low], low))
    return np.array([run for run in runs if run], dtype=np.int64)


@dataclass(repr=False, eq=False)
class _EndCoding(Recoding):
    """Coding of one end of an order: so many categories, or all from a value on."""

    p: int | None = None
    value: Any = field(default=None, kw_only=True)
    code: object = field(default=None, kw_only=True)

    def _check(self, columns: Sequence[pd.Series[Any]], n_rows: int) -> None:
        _check_one(p=self.p, value=self.value)
        if self.p is not None:
            check_integer("p", self.p, least=1)
        for column in columns:
            require_order(type(self).__name__, column.name, column_kind(column, self.ordinal))

    def _name(self) -> object:
        if self.code is None and self.value is not None:
            return self._usual_name(as_text(self.value))
        return self.code

    @abstractmethod
    def _usual_name(self, value: str) -> str:
        """Name of the category from a value on."""

    def _first_above(self, column: Occurring, *, or_equal: bool) -> int:
        """Lowest code above `value` in the order of the column, or equal to it."""
        known = ColumnValues.of_list(column.all_values, "its categories")
        given = ColumnValues.of_list([self.value], "value")
        keys, own = equal_keys(column.name, known, given, is_lookup=True)
        if own and own[0] in keys:
            return keys.index(own[0]) + (not or_equal)
        natural = column.kind == "continuous" or (self.ordinal or {}).get(column.name, ()) is None
        if own and natural:
            texts = dict(zip(keys, map(as_text, known.values), strict=True))
            order = sorted_keys({**texts, own[0]: as_text(self.value)})
            place = order.index(own[0])
            # Not so a number among text: it would be compared by its digits.
            is_of_kind = not known.kinds and isinstance(self.value, str)
            is_of_kind = is_of_kind or not any(isinstance(key, str) for key in (*keys, *own))
            if is_of_kind and [*order[:place], *order[place + 1 :]] == keys:
                return place
        expected = "a number" if column.kind == "continuous" else "a category in the order"
        raise ValueError(
            f"value: expected {expected} of column {column.name!r}, found {self.value!r}"
        )


class TopCoding(_EndCoding):
    """Combine the highest categories of each column (Mares 2013, Section 2.3.5).

    Either the p highest that occur: they get the name of the lowest of them, which then stands for
    "this or more". Or all from `value` on: they are called ``"85+"`` for the value 85. sdcMicro
    calls this ``topBotCoding``.

    Parameters
    ----------
    p : int, optional
        Number of categories that become one, from 1 (nothing changes, unless `code` is given) to
        the number of categories that occur in the column.
    value : object, optional
        Lowest value that is coded, in place of `p`: a category of the order; in a column of
        numbers or in natural order also what lies between two. Where no cell is that high,
        nothing changes.
    columns, ordinal
        As for :class:`anonopt.masking.base.MaskingMethod`; the categories of a column of numbers
        are its distinct numbers. Nominal columns are refused.
    code : object, optional
        Name of the merged category.

    Raises
    ------
    TypeError
        From `fit_transform`, if `p` is no whole number.
    ValueError
        From `fit_transform`, if not one of `p` and `value` is given, `p` is out of range, `value`
        has no place in the order of a column, or a column is nominal.

    Examples
    --------
    >>> frame = pd.DataFrame({"x": range(1, 11)})
    >>> TopCoding(p=3).fit_transform(frame)["x"].tolist()
    [1, 2, 3, 4, 5, 6, 7, 8, 8, 8]
    >>> TopCoding(p=3, code=99).fit_transform(frame)["x"].tolist()
    [1, 2, 3, 4, 5, 6, 7, 99, 99, 99]
    >>> TopCoding(value=8.5).fit_transform(frame)["x"].tolist()
    [1, 2, 3, 4, 5, 6, 7, 8, '8.5+', '8.5+']
    """

    summary = "p highest categories of a column as one, or all from a value on"

    def _usual_name(self, value: str) -> str:
        return f"{value}+"

    def _merged(self, column: Occurring) -> list[IntArray]:
        if self.p is None:
            return [column.codes[column.codes >= self._first_above(column, or_equal=True)]]
        p = _number(self.p, column)
        return [column.codes[len(column.codes) - p :]]


class BottomCoding(_EndCoding):
    """Combine the lowest categories of each column (Mares 2013, Section 2.3.5).

    Either the p lowest that occur: they get the name of the highest of them, which then stands for
    "this or less". Or all up to `value`: they are called ``"up to 18"`` for the value 18. sdcMicro
    calls this ``topBotCoding``.

    Parameters
    ----------
    p : int, optional
        Number of categories that become one, from 1 (nothing changes, unless `code` is given) to
        the number of categories that occur in the column.
    value : object, optional
        Highest value that is coded, as for :class:`TopCoding`.
    columns, ordinal
        As for :class:`TopCoding`.
    code : object, optional
        Name of the merged category.

    Raises
    ------
    TypeError, ValueError
        As for :class:`TopCoding`.

    Examples
    --------
    >>> frame = pd.DataFrame({"x": range(1, 11)})
    >>> BottomCoding(p=2).fit_transform(frame)["x"].tolist()
    [2, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    >>> BottomCoding(p=2, code=99).fit_transform(frame)["x"].tolist()
    [99, 99, 3, 4, 5, 6, 7, 8, 9, 10]
    >>> BottomCoding(value=8).fit_transform(frame)["x"].tolist()[6:]
    ['up to 8', 'up to 8', 9, 10]
    """

    summary = "p lowest categories of a column as one, or all up to a value"

    def _usual_name(self, value: str) -> str:
        return f"up to {value}"

    def _merged(self, column: Occurring) -> list[IntArray]:
        if self.p is None:
            above = self._first_above(column, or_equal=False)
            return [column.codes[column.codes < above][::-1]]
        return [column.codes[: _number(self.p, column)][::-1]]


def _check_one(**parameters: object) -> None:
    """Refuse none or several of some parameters."""
    given = [name for name, value in parameters.items() if value is not None]
    if len(given) != 1:
        found = " and ".join(given) or "none"
        raise ValueError(
            f"{next(iter(parameters))}: expected {' or '.join(parameters)}, found {found}"
        )


def _number(p: int, column: Occurring) -> int:
    """Number of categories, which has to be one of those that occur."""
    if p > len(column.codes):
        raise ValueError(
            f"p: expected at most {len(column.codes)}, the categories that occur in column "
            f"{column.name!r}, found {p}"
        )
    return int(p)
