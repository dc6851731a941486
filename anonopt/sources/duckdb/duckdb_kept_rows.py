"""Rows of nodes that DuckDB keeps, as nodes above them cost less when grouped from these."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence

from anonopt.sources.duckdb.duckdb_groups import Grouped

FEWER = 0.5
"""Rows of a node are kept, and others derived from them, if they are at most this share of those
they were grouped from."""

MOST_ROWS = 2.0
"""Rows that are kept in all, as a multiple of those of the table's combinations."""


class KeptRows:
    """The rows of some nodes, those longest unused let go first.

    Parameters
    ----------
    bottom : Grouped
        From which every node can be grouped.
    drop : callable
        Drops the table of rows that are let go.

    Examples
    --------
    >>> bottom = Grouped("all", (0, 0), frozenset(), 100)
    >>> kept = KeptRows(bottom, drop=lambda rows: None)
    >>> kept.keep(Grouped("some", (1, 0), frozenset(), 40))
    >>> kept.below((1, 1), ()).table, kept.below((0, 1), ()).table
    ('some', 'all')
    """

    def __init__(self, bottom: Grouped, drop: Callable[[Grouped], None]) -> None:
        self._bottom, self._drop = bottom, drop
        self._rows: OrderedDict[str, Grouped] = OrderedDict()

    def below(self, node: Sequence[int], groups: Collection[int]) -> Grouped:
        """The fewest rows that a node can be grouped from, with the values of some groups."""
        serving = [rows for rows in self._rows.values() if rows.serves(node, groups)]
        found = min(serving, key=lambda rows: rows.n_rows, default=self._bottom)
        if found is not self._bottom:
            self._rows.move_to_end(found.table)
        return found

    def is_worth(self, n_rows: int, base: Grouped) -> bool:
        """Whether so many rows are to be kept, of a node that was grouped from a base."""
        return n_rows <= FEWER * base.n_rows

    def keep(self, rows: Grouped) -> None:
        """Keep rows, and let go of others that are too many then."""
        self._rows[rows.table] = rows
        while sum(one.n_rows for one in self._rows.values()) > MOST_ROWS * self._bottom.n_rows:
            self._drop(self._rows.popitem(last=False)[1])
