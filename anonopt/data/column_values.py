"""Distinct values of a column, and what its texts can be read as."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import IntArray
from anonopt.data.readings import TRUTHS, has_leading_zero, read_moment, read_number
from anonopt.data.values import MISSING, TOP, Kind, is_missing, kind_of, kind_of_type, number_key

_SEVERAL_TYPES = ("mixed", "mixed-integer", "mixed-integer-float", "unknown-array")
_UNHASHABLE = "column {name!r}: expected single values, found lists or the like ({error})"

Key = Hashable
"""What equal values of columns have in common."""


@dataclass(frozen=True, eq=False)
class ColumnValues:
    """Distinct values of a column, or of a list.

    Made by :meth:`of` and :meth:`of_list`.

    Attributes
    ----------
    values : list of n_values objects
        None is missing. Two of them may be equal (39 and "39").
    codes : int64 array (n_rows,)
        Position in `values` of each cell; -1 where it is missing.
    found : str
        What errors call the type of the values.
    rows : int64 array (n_rows,), optional
        Rows of the table that each cell stands for; by default one.
    """

    values: list[Any]
    codes: IntArray
    found: str
    rows: IntArray | None = None

    @classmethod
    def of(cls, column: pd.Series[Any], rows: IntArray | None = None) -> ColumnValues:
        """Distinct values of a column, of which each cell may stand for several rows.

        Raises
        ------
        TypeError
            If a cell holds what cannot be a value, such as a list.

        Examples
        --------
        >>> cells = ColumnValues.of(pd.Series([2.5, None, 1.0, 2.5]))
        >>> cells.values, cells.codes.tolist()
        ([2.5, 1.0], [0, -1, 1, 0])
        """
        codes, values = _factorize(column)
        missing = _missing_places(column, values)
        if missing:
            # Not a number in a nullable column, or the text of missing cells.
            kept = np.ones(len(values), dtype=bool)
            kept[missing] = False
            places = np.where(kept, np.cumsum(kept) - 1, -1)
            codes = np.append(places, -1)[codes]
            values = [value for value, keep in zip(values, kept.tolist(), strict=True) if keep]
        return cls(values, codes, _found(column.dtype, values), rows)

    @classmethod
    def of_list(cls, values: Iterable[object], found: str) -> ColumnValues:
        """Values of a list as they stand, those that are equal included; missing ones left out."""
        present = [value for value in values if not (is_missing(value) or value == MISSING)]
        return cls(present, np.arange(len(present)), found)

    def n_rows_with(self, place: int) -> int:
        """Rows that hold one of the values; -1 for those that are missing."""
        cells = self.codes == place
        return int(np.sum(cells) if self.rows is None else self.rows[cells].sum())

    @property
    def has_missing(self) -> bool:
        """Whether a cell is missing."""
        return bool((self.codes < 0).any())

    @cached_property
    def types(self) -> frozenset[type]:
        """Types of the values."""
        return frozenset(map(type, self.values))

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        """Kinds of the values, text apart."""
        if any(hasattr(cls, "tzinfo") for cls in self.types):
            return frozenset(map(kind_of, self.values)) - {"text"}
        return frozenset(map(kind_of_type, self.types)) - {"text"}

    @property
    def is_plain(self) -> bool:
        """Whether all values are whole numbers and floats of Python, their own keys."""
        return self.types <= {int, float}

    @cached_property
    def texts(self) -> list[str]:
        """The values that are text, and stand for something."""
        if not any(issubclass(cls, str) for cls in self.types):
            return []
        return [text for text in self.values if isinstance(text, str) and text != TOP]

    @cached_property
    def text_set(self) -> frozenset[str]:
        """The same as a set."""
        return frozenset(self.texts)

    @cached_property
    def numbers(self) -> dict[str, Key] | None:
        """Number of each text; None if one is none, or the texts are codes."""
        numbers: dict[str, Key] = {}
        for text in self.texts:
            number = read_number(text)
            if number is None or has_leading_zero(text):
                return None
            numbers[text] = number if isinstance(number, int) else number_key(number)
        return numbers if len(set(numbers.values())) == len(numbers) else None

    @cached_property
    def is_codes(self) -> bool:
        """Whether all texts are numbers that are written as codes are."""
        return self.numbers is None and all(read_number(text) is not None for text in self.texts)

    @cached_property
    def truths(self) -> dict[str, Key] | None:
        """Truth value of each text; None if one is none, or they are of several styles."""
        styles = {TRUTHS.get(text, (text, False))[0] for text in self.texts}
        if len(styles) > 1 or not all(text in TRUTHS for text in self.texts):
            return None
        return {text: ("truth value", TRUTHS[text][1]) for text in self.texts}

    @cached_property
    def dates(self) -> dict[str, Key] | None:
        """Point in time of each text; None if one is none, or names its offset from UTC."""
        return self._moments("date")

    @cached_property
    def instants(self) -> dict[str, Key] | None:
        """Point in time of each text with an offset from UTC; None if one is none."""
        return self._moments("instant")

    def _moments(self, kind: Kind) -> dict[str, Key] | None:
        moments: dict[str, Key] = {}
        for text in self.texts:
            moment = read_moment(text)
            if moment is None or moment[0] != (kind == "instant"):
                return None
            moments[text] = (kind, moment[1])
        return moments


def _missing_places(column: pd.Series[Any], values: Sequence[object]) -> list[int]:
    """Places of values that are missing, but not to pandas."""
    types = set(map(type, values))
    if types <= {str}:
        return [values.index(MISSING)] if MISSING in values else []
    if types <= {int, float} and isinstance(column.dtype, np.dtype):
        return []
    return [at for at, value in enumerate(values) if is_missing(value) or value == MISSING]


def _found(dtype: object, values: Sequence[object]) -> str:
    """What errors call the type of a column: objects by those that they are."""
    if dtype != np.dtype(object):
        return str(dtype)
    return f"object of {', '.join(sorted({type(value).__name__ for value in values})) or 'nothing'}"


def _factorize(column: pd.Series[Any]) -> tuple[IntArray, list[Any]]:
    """Codes and distinct values of a column, -1 where it is missing."""
    try:
        codes, uniques = pd.factorize(column)
    except TypeError as error:
        raise TypeError(_UNHASHABLE.format(name=column.name, error=error)) from error
    dtype = uniques.dtype
    # Text equals text alone, so objects that are text stand for no other type.
    is_text = all(type(value) is str for value in uniques) if dtype == np.dtype(object) else True
    if not is_text and pd.api.types.infer_dtype(column) in _SEVERAL_TYPES:
        return _of_several_types(column)
    declared = column.dtype
    if isinstance(declared, pd.CategoricalDtype):
        declared = declared.categories.dtype
    kind = getattr(declared, "numpy_dtype", declared)
    # As objects, short floats become floats of 64 bits, whose shortest decimals are others.
    is_short_float = isinstance(kind, np.dtype) and kind.kind == "f" and kind.itemsize < 8
    values = list(map(kind.type, uniques)) if is_short_float else uniques.tolist()
    return codes.astype(np.int64, copy=False), values


def _of_several_types(column: pd.Series[Any]) -> tuple[IntArray, list[Any]]:
    """Codes and distinct values of objects of several types.

    Python takes True for 1, and 39 for 39.0: here values of two types are two.
    """
    cells = column.to_numpy()
    present = np.flatnonzero(~column.isna().to_numpy())
    places: dict[tuple[type, Any], int] = {}
    codes = np.full(len(cells), -1, dtype=np.int64)
    try:
        codes[present] = [
            places.setdefault((type(value), value), len(places)) for value in cells[present]
        ]
    except TypeError as error:
        raise TypeError(_UNHASHABLE.format(name=column.name, error=error)) from error
    return codes, [value for _, value in places]
