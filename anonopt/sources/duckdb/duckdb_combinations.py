"""Combinations of codes in a temporary table of DuckDB."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from anonopt._typing import IntArray
from anonopt.sources.duckdb.duckdb_session import DuckDBSession
from anonopt.sources.packed_words import PackedWords
from anonopt.sources.source import Combinations, CountedWords

Parts = Callable[[int], Iterator[CountedWords]]
"""Combinations some at a time."""

ESTIMATED = 0.3
"""Distance of an estimate from a limit, as a share, beyond which nothing is counted."""


class DuckDBCombinations(Combinations):
    """Combinations of codes in a temporary table, in memory or, beyond its limit, in files.

    Parameters
    ----------
    session : DuckDBSession
    groups : sequence of PackedWords

    Attributes
    ----------
    session : DuckDBSession
    table : str
        Name of the table: a column a word (see `words`), and ``n`` rows of each combination.
    """

    def __init__(self, session: DuckDBSession, groups: Sequence[PackedWords]) -> None:
        super().__init__(groups)
        self.session, self.table = session, session.new_name()

    def words(self, group: int) -> list[str]:
        """Names of the columns that hold the words of a group."""
        return [f"w{group}_{word}" for word in range(self.groups[group].n_words)]

    @property
    def all_words(self) -> list[str]:
        """Those of all groups."""
        return [name for group in range(len(self.groups)) for name in self.words(group)]

    def counted(self, groups: Sequence[int]) -> CountedWords:
        """See `Combinations.counted`."""
        names = [name for group in groups for name in self.words(group)]
        columns = ", ".join(names)
        found = self.session.arrow(
            f"select {columns}, sum(n)::bigint as n from {self.table} "
            f"group by {columns} order by {columns}"
        )
        arrays = {name: np.asarray(found[name].to_numpy(), np.int64) for name in [*names, "n"]}
        words: list[list[IntArray]] = [[arrays[name] for name in self.words(g)] for g in groups]
        return CountedWords(words, arrays["n"])

    @contextmanager
    def grouped(self, groups: Sequence[int]) -> Iterator[Parts]:
        """As :meth:`counted`, some combinations at a time, as often as they are asked for.

        Yields
        ------
        callable
            Gives words and counts of at most so many combinations at a time.
        """
        names = [name for group in groups for name in self.words(group)]
        columns, table = ", ".join(names), self.session.new_name()

        def parts(rows: int) -> Iterator[CountedWords]:
            sql = f"select {columns}, n from {table} order by {columns}"
            for batch in self.session.batches(sql, rows):
                arrays = {
                    name: np.asarray(batch[name].to_numpy(), np.int64) for name in [*names, "n"]
                }
                words = [[arrays[name] for name in self.words(group)] for group in groups]
                yield CountedWords(words, arrays["n"])

        try:
            self.session.run(
                f"create temp table {table} as select {columns}, sum(n)::bigint as n "
                f"from {self.table} group by {columns}"
            )
            yield parts
        finally:
            self.session.drop(table)

    def is_at_most(self, groups: Sequence[int], most: int) -> bool:
        """See `Combinations.is_at_most`."""
        columns = ", ".join(name for group in groups for name in self.words(group))
        sql = f"select count(*), approx_count_distinct(({columns})) from {self.table}"
        n_rows, estimate = self.session.fetch(sql)[0]
        if n_rows <= most:
            return True
        if abs(estimate - most) > ESTIMATED * most:
            return bool(estimate < most)
        return self.n_combinations(groups) <= most

    def n_combinations(self, groups: Sequence[int]) -> int:
        """See `Combinations.n_combinations`."""
        columns = ", ".join(name for group in groups for name in self.words(group))
        found = self.session.fetch(
            f"select count(*) from (select distinct {columns} from {self.table})"
        )
        return int(found[0][0])
