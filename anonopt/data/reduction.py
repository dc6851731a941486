"""A table reduced to its distinct tuples of codes with their counts.

Rows that agree on all quasi-identifiers stay together whatever they are generalized to, so whatever
is a formula of equivalence classes needs no single row. A table in memory keeps the tuple of each
row besides; one whose rows stay in a source (``anonopt.sources``) has this and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import AnyIntArray, CodeArray, IntArray
from anonopt.data.grouping import pack_codes

Pairs = tuple[IntArray, AnyIntArray, IntArray | None]
"""Tuples, values and numbers of rows of `ValuePairs`."""


class ValuePairs:
    """How often each tuple occurs with each value of a column.

    Parameters
    ----------
    load : callable
        Returns `tuples`, `values` and `numbers`, when one of them is first asked for.
    totals : int64 array (n_values,), optional
        Rows with each value, where they are known without that.

    Examples
    --------
    >>> pairs = ValuePairs.of_rows(np.array([1, 0, 1]), np.array([3, 3, 3]))
    >>> pairs.numbers is None, pairs.counted().tuples, pairs.counted().numbers
    (True, array([0, 1]), array([1, 2]))
    """

    def __init__(self, load: Callable[[], Pairs], totals: IntArray | None = None) -> None:
        self._load: Callable[[], Pairs] | None = load
        self._known_totals = totals

    @classmethod
    def of_rows(cls, tuple_of_row: IntArray, codes: CodeArray) -> ValuePairs:
        """Pairs of rows that are counted one by one: tuple and value of each, (n_rows,)."""
        return cls.of_arrays(tuple_of_row, codes, None)

    @classmethod
    def of_arrays(
        cls, tuples: IntArray, values: AnyIntArray, numbers: IntArray | None
    ) -> ValuePairs:
        """Pairs that are known."""
        return cls(lambda: (tuples, values, numbers))

    @cached_property
    def _arrays(self) -> Pairs:
        if self._load is None:
            raise ValueError("pairs: expected a way to load them, found none")
        found, self._load = self._load(), None
        return found

    @property
    def tuples(self) -> IntArray:
        """Tuple of each pair, (n_pairs,)."""
        return self._arrays[0]

    @property
    def values(self) -> AnyIntArray:
        """Value of each pair, as a code, (n_pairs,)."""
        return self._arrays[1]

    @property
    def numbers(self) -> IntArray | None:
        """Rows of each pair, (n_pairs,); each pair occurs once then. None: each is one row."""
        return self._arrays[2]

    @property
    def rows(self) -> IntArray:
        """Rows of each pair, (n_pairs,), ones where each is a row."""
        numbers = self.numbers
        return np.ones(len(self.tuples), dtype=np.int64) if numbers is None else numbers

    def counted(self) -> ValuePairs:
        """The same pairs, each once with its number of rows, by tuple and value.

        Loads them.
        """
        if self.numbers is not None:
            return self
        width = int(self.values.max(initial=0)) + 1
        pairs, numbers = np.unique(self.tuples * width + self.values, return_counts=True)
        tuples, values = np.divmod(pairs, width)
        return self.of_arrays(tuples, values.astype(np.int32), numbers.astype(np.int64))

    @cached_property
    def totals(self) -> IntArray:
        """Rows with each value, int64 array (n_values,); the last value occurs."""
        if self._known_totals is not None:
            return self._known_totals
        if self.numbers is None:
            return np.bincount(self.values)
        return np.bincount(self.values, weights=self.numbers).astype(np.int64)

    def __getstate__(self) -> dict[str, Any]:
        return {"_arrays": self._arrays, "_load": None, "_known_totals": self._known_totals}


@dataclass(frozen=True, eq=False)
class Reduction:
    """Distinct tuples of a table with their counts.

    Attributes
    ----------
    codes : int32 array (n_tuples, n_quasi_identifiers)
        Leaf codes of the tuples, in lexicographic order of the columns as `order` has them.
    sizes : int64 array (n_tuples,)
        Rows of each tuple.
    order : tuple of int (n_quasi_identifiers,)
        Quasi-identifiers from the most to the least significant; see `field_order`.
    sensitive, target : ValuePairs, optional
        How often each tuple occurs with each sensitive value, and with each label.
    tuple_of_row : int64 array (n_rows,), optional
        Of a table in memory.
    """

    codes: CodeArray
    sizes: IntArray
    order: tuple[int, ...]
    sensitive: ValuePairs | None = None
    target: ValuePairs | None = None
    tuple_of_row: IntArray | None = None

    @classmethod
    def of_codes(
        cls,
        codes: CodeArray,
        maps: Sequence[CodeArray],
        *,
        sensitive: CodeArray | None,
        target: CodeArray | None,
    ) -> Reduction:
        """Reduce the rows of a table in memory.

        Parameters
        ----------
        codes : int32 array (n_rows, n_quasi_identifiers)
            Leaf codes.
        maps : sequence of int32 arrays (height + 1, n_leaves)
            Code at each level of each leaf, one array a quasi-identifier.
        sensitive, target : int32 arrays (n_rows,), or None without the role
        """
        order = field_order(maps)
        columns = [codes[:, attribute] for attribute in order]
        radices = [maps[attribute].shape[1] for attribute in order]
        first, tuple_of_row = _distinct_keys(pack_codes(columns, radices))

        def pairs(values: CodeArray | None) -> ValuePairs | None:
            return None if values is None else ValuePairs.of_rows(tuple_of_row, values)

        return cls(
            codes=np.asfortranarray(codes[first]),
            sizes=np.bincount(tuple_of_row),
            order=order,
            sensitive=pairs(sensitive),
            target=pairs(target),
            tuple_of_row=tuple_of_row,
        )

    @cached_property
    def n_rows(self) -> int:
        """Rows of the table."""
        return int(self.sizes.sum())

    @property
    def n_tuples(self) -> int:
        """Number of distinct tuples."""
        return len(self.sizes)

    def content(self) -> Iterator[bytes]:
        """Bytes that tell it from others, in parts; of counted pairs.

        Yields
        ------
        bytes
            Codes column by column as int32, then as int64 the sizes, and for each role tuples,
            values and numbers of its pairs.
        """
        yield self.codes.astype("<i4", copy=False).tobytes(order="F")
        yield self.sizes.astype("<i8", copy=False).tobytes()
        for pairs in (self.sensitive, self.target):
            if pairs is not None:
                for array in (pairs.tuples, pairs.values, pairs.rows):
                    yield np.asarray(array, dtype="<i8").tobytes()

    def without_rows(self) -> Reduction:
        """The same without anything that is of a single row: what other processes need."""
        return replace(
            self,
            sensitive=None if self.sensitive is None else self.sensitive.counted(),
            target=None if self.target is None else self.target.counted(),
            tuple_of_row=None,
        )


def field_order(maps: Sequence[CodeArray]) -> tuple[int, ...]:
    """Order of the columns in keys: large domains first, the tallest hierarchy last.

    The levels of the last column need no sorting.

    Parameters
    ----------
    maps : sequence of int32 arrays (height + 1, n_leaves)

    Examples
    --------
    >>> field_order([np.zeros((3, 9)), np.zeros((2, 4)), np.zeros((2, 5))])
    (2, 1, 0)
    """
    last = max(range(len(maps)), key=lambda i: (maps[i].shape[0], maps[i].shape[1]))
    others = [i for i in range(len(maps)) if i != last]
    return (*sorted(others, key=lambda i: -maps[i].shape[1]), last)


def _distinct_keys(keys: IntArray) -> tuple[IntArray, IntArray]:
    """A row of each distinct key in ascending order of keys, and the rank of each row's key.

    Hashing millions of rows and sorting the distinct keys is several times faster than
    sorting the rows, which ``np.unique`` does.
    """
    codes, distinct = pd.factorize(keys)
    order = np.argsort(distinct)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    member = np.empty_like(order)
    member[codes] = np.arange(len(keys))
    return member[order], rank[codes]
