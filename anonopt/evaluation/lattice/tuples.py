"""Distinct tuples of a table with their counts: where every evaluation starts.

Rows that agree on all quasi-identifiers stay together at every node, so a table is reduced
to its distinct tuples once; the cost of a node follows their number, not that of the rows.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from anonopt._typing import CodeArray, IntArray, WordArray
from anonopt.data import Microdata
from anonopt.data.grouping import KEY_BITS
from anonopt.data.reduction import Reduction, ValuePairs
from anonopt.measures.lattice.sparse_counts import SparseCounts
from anonopt.measures.lattice.statistics import SENSITIVE, SENSITIVE_COUNTS, TARGET
from anonopt.measures.lattice.table_facts import TableFacts
from anonopt.measures.lattice.value_counts import is_dense

LANES = 16
"""Counts of one class are padded to a multiple of this many, so that kernels vectorize."""

MASK_VALUES = 64

_NO_ROWS = "rows: expected a table in memory, found its distinct tuples alone"


@dataclass(frozen=True, eq=False)
class KeyLayout:
    """Where each quasi-identifier's code stands in a packed 64-bit key.

    Attributes
    ----------
    order : int64 array (n_quasi_identifiers,)
        Quasi-identifiers from the most to the least significant field.
    shifts, masks : int64 arrays (n_quasi_identifiers,)
        Position and mask of the field of each quasi-identifier (in the table's order).
    """

    order: IntArray
    shifts: IntArray
    masks: IntArray


@dataclass(frozen=True, eq=False)
class CountedColumn:
    """A sensitive or target column.

    Attributes
    ----------
    name : str
    pairs : ValuePairs, or None without the role
    n_values : int
    padding : int
        The number of counts of a tuple is rounded up to a multiple of this.
    """

    name: str
    pairs: ValuePairs | None
    n_values: int
    padding: int

    @property
    def codes(self) -> CodeArray | None:
        """Value of each row, (n_rows,); None without the role.

        Raises
        ------
        ValueError
            If the rows are not in memory.
        """
        if self.pairs is None:
            return None
        if self.pairs.numbers is not None:
            raise ValueError(_NO_ROWS)
        return self.pairs.values.astype(np.int32, copy=False)

    @property
    def width(self) -> int:
        """Number of counts of a tuple, where zeros are counted."""
        return -(-self.n_values // self.padding) * self.padding


@dataclass(frozen=True, eq=False)
class DistinctTuples:
    """Distinct combinations of quasi-identifier values, in the order of their keys.

    Attributes
    ----------
    facts : TableFacts
    maps : tuple of int32 arrays (height + 1, n_leaves)
        Code at each level of each leaf, one array a quasi-identifier.
    layout : KeyLayout, optional
        None where the codes of one tuple need more than 62 bits.
    reduction : Reduction
    sensitive_column, target_column : CountedColumn
        Values that `sensitive` and `target` count.
    """

    facts: TableFacts
    maps: tuple[CodeArray, ...]
    layout: KeyLayout | None
    reduction: Reduction
    sensitive_column: CountedColumn
    target_column: CountedColumn

    @classmethod
    def of(cls, table: Microdata) -> DistinctTuples:
        """Reduce a table to its distinct tuples."""
        maps = tuple(table.hierarchies[column].maps for column in table.quasi_identifiers)
        reduction = table.reduction()
        return cls(
            facts=TableFacts.of(table),
            maps=maps,
            layout=_key_layout(maps, reduction.order),
            reduction=reduction,
            sensitive_column=CountedColumn(
                str(table.sensitive), reduction.sensitive, len(table.sensitive_labels), LANES
            ),
            target_column=CountedColumn(
                str(table.target), reduction.target, len(table.target_labels), 4
            ),
        )

    def without_rows(self) -> DistinctTuples:
        """The same without anything that is of a single row: what other processes need."""
        reduction = self.reduction.without_rows()
        return replace(
            self,
            reduction=reduction,
            sensitive_column=replace(self.sensitive_column, pairs=reduction.sensitive),
            target_column=replace(self.target_column, pairs=reduction.target),
        )

    @cached_property
    def codes(self) -> CodeArray:
        """Leaf codes of each tuple, int32 array (n_tuples, n_quasi_identifiers)."""
        return self.reduction.codes

    @cached_property
    def sizes(self) -> IntArray:
        """Rows of each tuple, int64 array (n_tuples,)."""
        return self.reduction.sizes

    @property
    def tuple_of_row(self) -> IntArray:
        """Tuple of each row, int64 array (n_rows,).

        Raises
        ------
        ValueError
            If the rows are not in memory.
        """
        if self.reduction.tuple_of_row is None:
            raise ValueError(_NO_ROWS)
        return self.reduction.tuple_of_row

    @property
    def n_sensitive(self) -> int:
        """Number of sensitive values."""
        return self.sensitive_column.n_values

    @property
    def n_labels(self) -> int:
        """Number of labels of the target."""
        return self.target_column.n_values

    @property
    def lane(self) -> np.dtype[np.unsignedinteger]:
        """Type of the counts: the narrowest that holds the number of rows."""
        return np.dtype(np.uint16 if self.facts.n_rows < 1 << 16 else np.uint32)

    @cached_property
    def sensitive(self) -> npt.NDArray[np.unsignedinteger]:
        """Rows of each tuple with each sensitive value, (n_tuples, padded number of values).

        Counted when first needed, where the column `is_dense`; no columns without the role.
        """
        return self._counts(self.sensitive_column)

    @cached_property
    def target(self) -> npt.NDArray[np.unsignedinteger]:
        """Rows of each tuple with each label, (n_tuples, padded number); like `sensitive`."""
        return self._counts(self.target_column)

    @cached_property
    def sparse_sensitive(self) -> SparseCounts:
        """Rows of each tuple with each sensitive value, at most one count a row."""
        return self._sparse_counts(self.sensitive_column)

    @cached_property
    def sparse_target(self) -> SparseCounts:
        """Rows of each tuple with each label; like `sparse_sensitive`."""
        return self._sparse_counts(self.target_column)

    def is_dense(self, column: CountedColumn) -> bool:
        """Whether the values of a column are counted with zeros, as kernels have it."""
        return is_dense(self.reduction.n_tuples, column.width, self.facts.n_rows)

    def is_compiled(self, needs: Collection[str]) -> bool:
        """Whether compiled kernels can count what is needed."""
        by_counting = SENSITIVE in needs and self.n_sensitive > MASK_VALUES
        counted = {
            self.sensitive_column: SENSITIVE_COUNTS in needs or by_counting,
            self.target_column: TARGET in needs,
        }
        return all(self.is_dense(column) for column, needed in counted.items() if needed)

    def _counts(self, column: CountedColumn) -> npt.NDArray[np.unsignedinteger]:
        n_tuples, width, pairs = len(self.sizes), column.width, column.pairs
        if pairs is None:
            return np.zeros((n_tuples, 0), dtype=self.lane)
        places = pairs.tuples * width + pairs.values
        if pairs.numbers is None:
            counts = np.bincount(places, minlength=n_tuples * width).astype(self.lane)
        else:
            counts = np.zeros(n_tuples * width, dtype=self.lane)
            counts[places] = pairs.numbers
        return counts.reshape(n_tuples, width)

    def _sparse_counts(self, column: CountedColumn) -> SparseCounts:
        nothing = np.zeros(0, dtype=np.int64)
        pairs = column.pairs or ValuePairs.of_arrays(nothing, nothing, nothing)
        return SparseCounts.of_pairs(
            pairs.tuples,
            pairs.values,
            n_classes=len(self.sizes),
            n_values=column.n_values,
            numbers=pairs.numbers,
        )

    @cached_property
    def present(self) -> WordArray:
        """Set of sensitive values of each tuple as the bits of a number, (n_tuples,).

        Empty where there are more than 64 sensitive values: they have to be counted.
        """
        if not 0 < self.n_sensitive <= MASK_VALUES:
            return np.zeros(0, dtype=np.uint64)
        bits = np.left_shift(np.uint64(1), np.arange(self.n_sensitive, dtype=np.uint64))
        if not self.is_dense(self.sensitive_column):
            return self.sparse_sensitive.sets(bits)
        return np.asarray((self.sensitive[:, : self.n_sensitive] > 0) @ bits, dtype=np.uint64)

    @cached_property
    def keys(self) -> IntArray:
        """Packed keys of the tuples in ascending order, (n_tuples,); needs a layout."""
        shifts = self.require_layout().shifts
        return np.asarray((self.codes.astype(np.int64) << shifts).sum(axis=1))

    def require_layout(self) -> KeyLayout:
        """The key layout.

        Raises
        ------
        ValueError
            If the codes of one tuple need more than 62 bits.
        """
        if self.layout is None:
            raise ValueError(
                f"the codes of {len(self.maps)} quasi-identifiers need more than {KEY_BITS} bits: "
                f"choose backend='wide' or 'direct'"
            )
        return self.layout


def _key_layout(maps: tuple[CodeArray, ...], order: tuple[int, ...]) -> KeyLayout | None:
    bits = [int(level_maps.shape[1] - 1).bit_length() for level_maps in maps]
    if sum(bits) > KEY_BITS:
        return None
    shifts = np.zeros(len(maps), dtype=np.int64)
    for more, less in zip(reversed(order[:-1]), reversed(order[1:]), strict=True):
        shifts[more] = shifts[less] + bits[less]
    masks = (np.int64(1) << np.array(bits, dtype=np.int64)) - 1
    return KeyLayout(np.array(order, dtype=np.int64), shifts, masks)
