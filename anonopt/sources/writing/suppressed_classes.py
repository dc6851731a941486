"""The classes of a node that a protected table suppresses, found from counts alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from anonopt._checks import check_integer
from anonopt._registry import loaded
from anonopt._typing import AnyIntArray, BoolArray, IntArray
from anonopt.data.grouping import KEY_BITS, group_rows, pack_codes
from anonopt.data.microdata import Microdata
from anonopt.data.suppression import (
    check_suppressed,
    kept_by_size,
    resolve_budget,
    reverse_threshold,
)
from anonopt.sources.large_table import LargeTable


@dataclass(frozen=True, eq=False)
class SuppressedClasses:
    """Classes of a node that are suppressed, and figures of those that are not.

    Attributes
    ----------
    columns : tuple of int arrays (n_suppressed_classes,)
        Codes of the labels of the suppressed classes, one array a quasi-identifier.
    radices : tuple of int
        Number of labels of each quasi-identifier.
    rows : int
        In suppressed classes.
    kept_sizes, kept_numbers : int64 arrays (n_sizes,)
        Rows of the classes that are kept, ascending, and how many classes have so many.
    """

    columns: tuple[AnyIntArray, ...]
    radices: tuple[int, ...]
    rows: int
    kept_sizes: IntArray
    kept_numbers: IntArray

    @classmethod
    def of(
        cls,
        table: Microdata,
        levels: Sequence[int],
        *,
        k: int | None,
        suppression: float,
        class_bounds: Mapping[Any, float] | None,
    ) -> SuppressedClasses:
        """Apply the rule of :meth:`Microdata.apply` to the distinct tuples.

        Raises
        ------
        TypeError, ValueError
            As :meth:`Microdata.apply`.
        """
        trees = [table.hierarchies[column] for column in table.quasi_identifiers]
        radices = [tree.n_values(level) for tree, level in zip(trees, levels, strict=True)]
        budget = resolve_budget(suppression, table.n_rows)
        if k is not None:
            check_integer("k", k, least=1)
        if isinstance(table, LargeTable) and table.is_in_engine:
            if class_bounds:
                made = cls._of_bounds(table, levels, radices, k, budget, class_bounds)
            else:
                made = cls._of_engine(table, levels, radices, k=k, budget=budget)
        elif class_bounds:
            # Measures are of tables, and above the sources of their rows.
            evaluator = loaded("anonopt.evaluation.lattice.evaluator:LatticeEvaluator")
            found = evaluator(
                table, k=k, suppression=suppression, class_bounds=class_bounds
            ).class_table(levels)
            made = cls.from_classes(list(found.codes.T), radices, found.sizes, found.kept)
        else:
            tuples = table.reduction()
            codes = [
                tree.maps[level][tuples.codes[:, position]]
                for position, (tree, level) in enumerate(zip(trees, levels, strict=True))
            ]
            n_classes, class_of_tuple = group_rows(codes, radices)
            sizes = np.zeros(n_classes, dtype=np.int64)
            np.add.at(sizes, class_of_tuple, tuples.sizes)
            kept = kept_by_size(sizes, k=k, budget=budget)
            member = np.empty(n_classes, dtype=np.int64)
            member[class_of_tuple] = np.arange(len(class_of_tuple))
            columns = [column[member] for column in codes]
            made = cls.from_classes(columns, radices, sizes, kept)
        check_suppressed(
            made.rows, k=k, budget=budget, n_rows=table.n_rows, is_bounded=bool(class_bounds)
        )
        return made

    @classmethod
    def _of_engine(
        cls,
        table: LargeTable,
        levels: Sequence[int],
        radices: Sequence[int],
        *,
        k: int | None,
        budget: int,
    ) -> SuppressedClasses:
        """Of a node that the engine groups: the classes that are kept stay there."""
        nodes = table.nodes
        with nodes.rows_of(levels) as rows, nodes.classes(rows) as classes:
            found = nodes.histogram(classes)
            least = k
            if least is None:
                least = reverse_threshold(found.sizes, budget, numbers=found.classes)
            columns, sizes = nodes.fetched(classes, levels, f"n < {least}")
        kept = found.sizes >= least
        return cls(
            columns=tuple(columns),
            radices=tuple(radices),
            rows=int(sizes.sum()),
            kept_sizes=found.sizes[kept],
            kept_numbers=found.classes[kept],
        )

    @classmethod
    def _of_bounds(
        cls,
        table: LargeTable,
        levels: Sequence[int],
        radices: Sequence[int],
        k: int | None,
        budget: int,
        class_bounds: Mapping[Any, float],
    ) -> SuppressedClasses:
        """As `_of_engine`, with bounds of classes."""
        # Measures are of tables, and above the sources of their rows.
        find = loaded("anonopt.evaluation.engine.engine_nodes:left_out_of_table")
        found = find(table, levels, k=k, budget=budget, class_bounds=class_bounds)
        return cls(
            columns=tuple(found.codes),
            radices=tuple(radices),
            rows=int(found.sizes.sum()),
            kept_sizes=found.kept_sizes,
            kept_numbers=found.kept_numbers,
        )

    @classmethod
    def from_classes(
        cls,
        columns: Sequence[AnyIntArray],
        radices: Sequence[int],
        sizes: IntArray,
        kept: BoolArray,
    ) -> SuppressedClasses:
        """Of all classes of a node: codes of their labels, rows, and which are kept."""
        kept_sizes, kept_numbers = np.unique(sizes[kept], return_counts=True)
        return cls(
            columns=tuple(column[~kept] for column in columns),
            radices=tuple(radices),
            rows=int(sizes[~kept].sum()),
            kept_sizes=kept_sizes,
            kept_numbers=kept_numbers,
        )

    @property
    def n_kept(self) -> int:
        """Classes that are kept."""
        return int(self.kept_numbers.sum())

    @property
    def least(self) -> int:
        """Rows of the smallest of them, 0 if none is kept."""
        return int(self.kept_sizes[0]) if len(self.kept_sizes) else 0

    def __post_init__(self) -> None:
        packs = prod(self.radices) < 1 << KEY_BITS
        known = np.sort(pack_codes(self.columns, self.radices)) if packs else None
        object.__setattr__(self, "_known", known)

    def mask(self, columns: Sequence[AnyIntArray]) -> BoolArray:
        """Which rows are suppressed, by the codes of their labels; bool array (n,)."""
        if len(self.columns[0]) == 0:
            return np.zeros(len(columns[0]), dtype=bool)
        known: IntArray | None = self.__dict__["_known"]
        if known is not None:
            keys = pack_codes(columns, self.radices)
        else:
            # Keys that need more bits are ranks, which are those of the rows at hand.
            pairs = zip(columns, self.columns, strict=True)
            both = pack_codes([np.concatenate(pair) for pair in pairs], self.radices)
            keys, known = both[: len(columns[0])], np.sort(both[len(columns[0]) :])
        places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return np.asarray(known[places] == keys)
