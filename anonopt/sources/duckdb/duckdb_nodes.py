"""Nodes of the lattice grouped by DuckDB, where the distinct tuples are too many for memory.

A class is told by a leaf for each quasi-identifier, the first under its value, in the fields of the
packed words. So the words of a node are words of every node below it as well: a node is grouped
from the rows of any node below, and fewer of them cost less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from anonopt._registry import engine
from anonopt._typing import AnyIntArray, CodeArray, IntArray
from anonopt.sources.duckdb.duckdb_combinations import DuckDBCombinations
from anonopt.sources.duckdb.duckdb_content import content
from anonopt.sources.duckdb.duckdb_groups import Grouped, Histogram, ValueParts
from anonopt.sources.packed_words import is_new

PAIRS = 1 << 20
"""Pairs of classes and values that are in memory at a time."""

KEYS, SENSITIVE, TARGET = range(3)
"""Groups of columns of the combinations."""


class DuckDBNodes:
    """Groups the combinations of a table at nodes.

    Parameters
    ----------
    combinations : DuckDBCombinations
        Of quasi-identifiers, in an order of fields, sensitive columns and the target.
    order : sequence of int (n_quasi_identifiers,)
        Quasi-identifier of each field.
    maps : sequence of int32 arrays (height + 1, n_leaves)
        Code at each level of each leaf, by quasi-identifier.
    """

    def __init__(
        self,
        combinations: DuckDBCombinations,
        order: Sequence[int],
        maps: Sequence[CodeArray],
    ) -> None:
        self._combinations, self._session = combinations, combinations.session
        self._order, self._maps = tuple(order), tuple(maps)
        self._words = combinations.words(KEYS)
        self._fields = combinations.groups[KEYS]
        self._levels = [self._level_table(field) for field in range(len(self._order))]
        self._heights = [len(maps[attribute]) - 1 for attribute in range(len(maps))]

    def _level_table(self, field: int) -> str:
        """A table of the leaves of a field: first leaf ``l`` and other leaves ``e`` by level."""
        arrow = engine("pyarrow", "nodes by DuckDB")
        columns: dict[str, Any] = {"leaf": None}
        for level, codes in enumerate(self._maps[self._order[field]]):
            first = np.unique(codes, return_index=True)[1]
            columns[f"l{level}"] = self._fields.parts(field, first[codes])
            columns[f"e{level}"] = np.bincount(codes)[codes].astype(np.int64) - 1
        columns["leaf"] = np.arange(len(self._maps[self._order[field]][0]), dtype=np.int64)
        name = self._session.new_name()
        self._session.create(name, arrow.table(columns), "select * from {content}")
        return name

    @property
    def bottom(self) -> Grouped:
        """The combinations as they are."""
        rows = self._session.fetch(f"select count(*) from {self._combinations.table}")[0][0]
        return Grouped(self._combinations.table, (0,) * len(self._order), int(rows))

    def content(
        self, groups: Sequence[int], values_of: Callable[[int, Sequence[IntArray]], AnyIntArray]
    ) -> Iterator[bytes]:
        """Bytes of the reduction; see `duckdb_content.content`."""
        return content(self._combinations, self._order, groups, values_of)

    @contextmanager
    def rolled_up(self, base: Grouped, node: Sequence[int], *, at_most: float) -> Iterator[Grouped]:
        """The rows of a node above, if they are clearly fewer; else the same rows.

        Parameters
        ----------
        base : Grouped
        node : sequence of int
        at_most : float
            Share of the rows that makes it worth while; found by an estimate first.
        """
        if tuple(node) == base.node:
            yield base
            return
        others = [*self._combinations.words(SENSITIVE), *self._combinations.words(TARGET)]
        keys, joins = self._keys(node)
        every = ", ".join([*keys, *others])
        estimate = self._session.fetch(
            f"select approx_count_distinct(({every})) from {base.table} b {joins}"
        )[0][0]
        if estimate > at_most * base.n_rows:
            yield base
            return
        name = self._session.new_name()
        named = [f"{key} as {word}" for key, word in zip(keys, self._words, strict=True)]
        try:
            self._session.run(
                f"create temp table {name} as select {', '.join([*named, *others])}, "
                f"sum(n)::bigint as n from {base.table} b {joins} group by all"
            )
            rows = self._session.fetch(f"select count(*) from {name}")[0][0]
            yield Grouped(name, tuple(node), int(rows))
        finally:
            self._session.drop(name)

    @contextmanager
    def classes(
        self, base: Grouped, node: Sequence[int], *, sensitive: bool, target: bool
    ) -> Iterator[str]:
        """A table of the classes of a node: words, ``n``, ``d``, ``sq``, ``m`` and ``b``.

        Parameters
        ----------
        base : Grouped
            Of a node below.
        node : sequence of int
        sensitive : bool
            Whether sensitive values are counted, into ``d`` and ``sq``.
        target : bool
            Whether labels are, into ``m``.

        Yields
        ------
        str
            Its name; ``b``, whether a class misses a bound, is false.
        """
        words = ", ".join(self._words)
        keys, joins = self._keys(node)
        named = [f"{key} as {word}" for key, word in zip(keys, self._words, strict=True)]
        start = f"select {', '.join(named)}{{}}, sum(n)::bigint as n from {base.table} b {joins}"
        start += " group by all"

        def values(group: int) -> str:
            return "".join(f", {word}" for word in self._combinations.words(group))

        sql = f"select {words}, n, 0 as d, 0 as sq, 0 as m from ({start.format('')})"
        if sensitive:
            sql = (
                f"select {words}, sum(n)::bigint as n, count(*) as d, sum(n * n)::bigint as sq, "
                f"0 as m from ({start.format(values(SENSITIVE))}) group by {words}"
            )
        if target:
            most = (
                f"select {words}, max(n) as m from ({start.format(values(TARGET))}) "
                f"group by {words}"
            )
            sql = f"select c.* exclude (m), t.m from ({sql}) c join ({most}) t using ({words})"
        name = self._session.new_name()
        try:
            self._session.run(f"create temp table {name} as select *, false as b from ({sql})")
            yield name
        finally:
            self._session.drop(name)

    @contextmanager
    def flagged(self, classes: str, missed: Sequence[IntArray]) -> Iterator[str]:
        """The same classes, with ``b`` where they miss a bound.

        Parameters
        ----------
        classes : str
            What :meth:`classes` made.
        missed : sequence of int64 arrays (n_missed,)
            Words of those that do.
        """
        if len(missed) == 0 or len(missed[0]) == 0:
            yield classes
            return
        name, words = self._session.new_name(), ", ".join(self._words)
        arrow = engine("pyarrow", "nodes by DuckDB")
        known = arrow.table(dict(zip(self._words, missed, strict=True)) | {"n": missed[0]})
        query = (
            "select c.* exclude (b), f.n is not null as b "
            f"from {classes} c left join {{content}} f using ({words})"
        )
        try:
            self._session.create(name, known, query)
            yield name
        finally:
            self._session.drop(name)

    def histogram(self, classes: str) -> Histogram:
        """Classes of a table that :meth:`classes` made, by rows and sensitive values."""
        found = self._session.arrow(
            "select n, d, count(*) as classes, sum(sq)::bigint as sq, sum(m)::bigint as m, b "
            f"from {classes} group by n, d, b order by n, d, b"
        )
        arrays = {name: found[name].to_numpy() for name in found.schema.names}
        counts = [np.asarray(arrays[name], np.int64) for name in ("n", "d", "classes", "sq", "m")]
        sizes, distinct, numbers, squares, majority = counts
        missed = np.asarray(arrays["b"], bool)
        return Histogram(sizes, distinct, numbers, squares, majority, missed)

    def excess(self, classes: str, node: Sequence[int], kept: str) -> IntArray:
        """Sum over rows that are not kept of ``m - 1``, (n_quasi_identifiers,).

        Parameters
        ----------
        classes : str
            What :meth:`classes` made.
        node : sequence of int
        kept : str
            Condition of the classes that are kept.
        """
        sums, joins = [], []
        for field, attribute in enumerate(self._order):
            sums.append(f"coalesce(sum(n * f{field}.e{node[attribute]}), 0)::bigint")
            joins.append(self._join(field, f"f{field}"))
        found = self._session.fetch(
            f"select {', '.join(sums)} from {classes} b {' '.join(joins)} where not ({kept})"
        )[0]
        by_attribute = np.zeros(len(self._order), dtype=np.int64)
        by_attribute[list(self._order)] = found
        return by_attribute

    def fetched(
        self, classes: str, node: Sequence[int], where: str
    ) -> tuple[list[CodeArray], IntArray]:
        """Codes at a node, by quasi-identifier, and rows of some classes, in ascending order."""
        words = ", ".join(self._words)
        found = self._session.arrow(
            f"select {words}, n from {classes} where {where} order by {words}"
        )
        arrays = [np.asarray(found[name].to_numpy(), np.int64) for name in [*self._words, "n"]]
        return self.codes(arrays[:-1], node), arrays[-1]

    def codes(self, words: Sequence[IntArray], node: Sequence[int]) -> list[CodeArray]:
        """Codes at a node, by quasi-identifier, of words of its classes."""
        leaves = self._fields.unpack(words)
        codes = [leaves[0]] * len(leaves)
        for field, attribute in enumerate(self._order):
            codes[attribute] = self._maps[attribute][node[attribute]][leaves[field]]
        return codes

    def value_counts(
        self, base: Grouped, node: Sequence[int], group: int
    ) -> tuple[list[IntArray], list[IntArray], IntArray]:
        """Words of classes, words of values and rows of each pair of them, in ascending order."""
        keys, joins = self._keys(node)
        values = self._combinations.words(group)
        named = [f"{key} as {word}" for key, word in zip(keys, self._words, strict=True)]
        found = self._session.arrow(
            f"select {', '.join([*named, *values])}, sum(n)::bigint as n "
            f"from {base.table} b {joins} group by all order by all"
        )
        arrays = {name: np.asarray(found[name].to_numpy(), np.int64) for name in found.schema.names}
        return [arrays[word] for word in self._words], [arrays[v] for v in values], arrays["n"]

    def value_parts(
        self, base: Grouped, node: Sequence[int], group: int, *, of: str
    ) -> Iterator[ValueParts]:
        """As :meth:`value_counts`, some classes at a time.

        Parameters
        ----------
        base : Grouped
        node : sequence of int
        group : int
        of : str
            The classes: a table that :meth:`classes` made, and a condition.
        """
        keys, joins = self._keys(node)
        values, words = self._combinations.words(group), ", ".join(self._words)
        named = [f"{key} as {word}" for key, word in zip(keys, self._words, strict=True)]
        columns = ", ".join([*self._words, *values])
        rows = self._session.batches(
            f"select {columns}, v.n from (select {', '.join([*named, *values])}, "
            f"sum(n)::bigint as n from {base.table} b {joins} group by all) v "
            f"semi join (select {words} from {of}) c using ({words}) order by {columns}",
            PAIRS,
        )
        left: list[IntArray] = []
        for batch in rows:
            arrays = [np.asarray(column.to_numpy(), np.int64) for column in batch.columns]
            if left:
                arrays = [np.concatenate(pair) for pair in zip(left, arrays, strict=True)]
            # The last class may go on in the next batch.
            end = int(np.flatnonzero(is_new(arrays[: len(self._words)]))[-1])
            left = [array[end:] for array in arrays]
            if end:
                yield self._parted([array[:end] for array in arrays])
        if left:
            yield self._parted(left)

    def _parted(self, arrays: Sequence[IntArray]) -> ValueParts:
        n_words = len(self._words)
        return ValueParts(list(arrays[:n_words]), list(arrays[n_words:-1]), arrays[-1])

    def _keys(self, node: Sequence[int]) -> tuple[list[str], str]:
        """Words of a node as SQL, and the joins that they need."""
        parts: list[list[str]] = [[] for _ in self._words]
        joins = []
        for field, attribute in enumerate(self._order):
            word, level = self._fields.words[field], node[attribute]
            if level == 0:
                mask = ((1 << self._fields.bits[field]) - 1) << self._fields.shifts[field]
                parts[word].append(f"(b.{self._words[word]} & {mask})")
            elif level < self._heights[attribute]:
                parts[word].append(f"f{field}.l{level}")
                joins.append(self._join(field, f"f{field}"))
        return [" + ".join(part) or "0::bigint" for part in parts], " ".join(joins)

    def _join(self, field: int, alias: str) -> str:
        word = self._words[self._fields.words[field]]
        mask, shift = (1 << self._fields.bits[field]) - 1, self._fields.shifts[field]
        return (
            f"join {self._levels[field]} {alias} on {alias}.leaf = ((b.{word} >> {shift}) & {mask})"
        )
