"""What groupings of nodes by DuckDB give."""

from __future__ import annotations

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
    """Pairs of classes and values, in ascending order; all those of a class.

    Attributes
    ----------
    words : list of int64 arrays (n,)
        Of the class of each pair.
    values : list of int64 arrays (n,)
        Words of the value of each pair.
    numbers : int64 array (n,)
        Rows of each pair.
    """

    words: list[IntArray]
    values: list[IntArray]
    numbers: IntArray


@dataclass(frozen=True)
class Grouped:
    """A table in DuckDB of the rows of a node: words, sensitive values, labels and ``n``.

    Attributes
    ----------
    table : str
    node : tuple of int
    n_rows : int
        Rows of this table, not of the data.
    """

    table: str
    node: tuple[int, ...]
    n_rows: int
