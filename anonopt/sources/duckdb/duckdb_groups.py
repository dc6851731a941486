"""What groupings of nodes by DuckDB give."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from anonopt._typing import BoolArray, IntArray


class Histogram(NamedTuple):
    """Classes of a node by what a rule looks at, each combination of it once.

    Attributes
    ----------
    sizes : int64 array (n,)
        Rows of a class.
    distinct : int64 array (n,)
        Sensitive values of a class; 0 where they are not counted.
    classes : int64 array (n,)
        Number of such classes.
    squares : int64 array (n,)
        Sum over these classes and all sensitive values of the squared count.
    majority : int64 array (n,)
        Sum over these classes of the rows with a most frequent label.
    missed : bool array (n,)
        Whether they miss a bound of classes; see `DuckDBNodes.flagged`.
    """

    sizes: IntArray
    distinct: IntArray
    classes: IntArray
    squares: IntArray
    majority: IntArray
    missed: BoolArray


class ValueParts(NamedTuple):
    """Pairs of classes and values, in ascending order of classes; all those of a class.

    Attributes
    ----------
    words : list of int64 arrays (n,)
        Of the class of each pair.
    values : list of int64 arrays (n,)
        Words of the value of each pair.
    numbers : int64 array (n,)
        Rows of each pair.
    kept : bool array (n,)
        What was asked of the class of each pair.
    """

    words: list[IntArray]
    values: list[IntArray]
    numbers: IntArray
    kept: BoolArray

    def of(self, pairs: slice) -> ValueParts:
        """Some of the pairs."""
        return ValueParts(
            [word[pairs] for word in self.words],
            [value[pairs] for value in self.values],
            self.numbers[pairs],
            self.kept[pairs],
        )


@dataclass(frozen=True)
class Grouped:
    """A table in DuckDB of the rows of a node: words, values of other groups and ``n``.

    Attributes
    ----------
    table : str
    node : tuple of int
    groups : frozenset of int
        Groups of columns besides the quasi-identifiers.
    n_rows : int
        Rows of this table, not of the data.
    """

    table: str
    node: tuple[int, ...]
    groups: frozenset[int]
    n_rows: int

    def serves(self, node: Sequence[int], groups: Collection[int]) -> bool:
        """Whether a node can be grouped from these rows, with the values of some groups.

        Examples
        --------
        >>> rows = Grouped("rows", (1, 0), frozenset({1}), 90)
        >>> rows.serves((1, 2), {1}), rows.serves((0, 2), {1}), rows.serves((1, 2), {1, 2})
        (True, False, False)
        """
        is_below = all(own <= level for own, level in zip(self.node, node, strict=True))
        return is_below and self.groups.issuperset(groups)
