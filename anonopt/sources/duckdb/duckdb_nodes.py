"""Nodes of the lattice grouped by DuckDB, where the distinct tuples are too many for memory.

A class is told by a leaf for each quasi-identifier, the first under its value, in the fields of the
packed words. So the words of a node are words of every node below it as well: a node is grouped
from the rows of any node below, and fewer of them cost less.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from threading import RLock
from typing import Literal

import numpy as np

from anonopt._registry import engine
from anonopt._typing import AnyIntArray, CodeArray, IntArray
from anonopt.sources.duckdb.duckdb_combinations import DuckDBCombinations
from anonopt.sources.duckdb.duckdb_content import content
from anonopt.sources.duckdb.duckdb_groups import Grouped, Histogram, ValueParts
from anonopt.sources.duckdb.duckdb_kept_rows import KeptRows
from anonopt.sources.duckdb.duckdb_node_words import SENSITIVE, TARGET, NodeWords
from anonopt.sources.packed_words import is_new

PAIRS = 1 << 20
"""Pairs of classes and values that are in memory at a time."""


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
        self._order = tuple(order)
        self._words = NodeWords(combinations, order, maps)
        self._names = ", ".join(self._words.names)
        rows = self._session.fetch(f"select count(*) from {combinations.table}")[0][0]
        groups = frozenset(g for g in (SENSITIVE, TARGET) if combinations.words(g))
        self.bottom = Grouped(combinations.table, (0,) * len(self._order), groups, int(rows))
        """The combinations as they are."""
        self._kept = KeptRows(self.bottom, self._drop)

    def content(
        self, groups: Sequence[int], values_of: Callable[[int, Sequence[IntArray]], AnyIntArray]
    ) -> Iterator[bytes]:
        """Bytes of the reduction; see `duckdb_content.content`."""
        with self.alone:
            yield from content(self._combinations, self._order, groups, values_of)

    @property
    def alone(self) -> RLock:
        """Lock that a thread holds while it looks at rows of nodes, which another would drop."""
        return self._session.alone

    @contextmanager
    def rows_of(self, node: Sequence[int], groups: Collection[int] = ()) -> Iterator[Grouped]:
        """The rows of a node, with the values of some groups of columns besides.

        Parameters
        ----------
        node : sequence of int
        groups : collection of int
            Among `SENSITIVE` and `TARGET`.
        """
        base = self._kept.below(node, groups)
        if base.node == tuple(node) and base.groups == frozenset(groups):
            yield base
            return
        rows, is_kept = self._grouped(base, node, groups), False
        try:
            yield rows
            is_kept = self._kept.is_worth(rows.n_rows, base)
        finally:
            if not is_kept:
                self._drop(rows)
        if is_kept:
            self._kept.keep(rows)

    def prepare(self, node: Sequence[int], groups: Collection[int]) -> None:
        """Keep the rows of a node that several others are above, if they are clearly fewer.

        An estimate tells first, by a sketch of one pass.
        """
        base = self._kept.below(node, groups)
        if base.node == tuple(node):
            return
        selected, joins = self._selected(base, node, groups)
        keys = ", ".join(column.split(" as ")[0] for column in selected)
        sql = f"select approx_count_distinct(({keys})) from {base.table} b {joins}"
        if self._kept.is_worth(int(self._session.fetch(sql)[0][0]), base):
            self._kept.keep(self._grouped(base, node, groups))

    def _grouped(self, base: Grouped, node: Sequence[int], groups: Collection[int]) -> Grouped:
        selected, joins = self._selected(base, node, groups)
        name = self._session.new_name()
        # Of a statement that fails, no table is left.
        made = self._session.fetch(
            f"create temp table {name} as select {', '.join(selected)}, sum(n)::bigint as n "
            f"from {base.table} b {joins} group by all"
        )
        return Grouped(name, tuple(node), frozenset(groups), int(made[0][0]))

    def _drop(self, rows: Grouped) -> None:
        self._session.drop(rows.table)

    def _selected(
        self, base: Grouped, node: Sequence[int], groups: Collection[int]
    ) -> tuple[list[str], str]:
        words = self._words.of_node(node, base.node)
        return [
            *words.named,
            *(v for g in groups for v in self._combinations.words(g)),
        ], words.joins

    @contextmanager
    def classes(self, rows: Grouped) -> Iterator[str]:
        """A table of the classes of a node: words, ``n``, ``d``, ``sq``, ``m`` and ``b``.

        Parameters
        ----------
        rows : Grouped
            Of the node itself. Where it has sensitive values they are counted, into ``d`` and
            ``sq``, and where it has labels those of the most frequent one, into ``m``.

        Yields
        ------
        str
            Its name; ``b``, whether a class misses a bound, is false.
        """
        words, start = self._names, f"select {self._names}"
        sql = f"{start}, n, 0 as d, 0 as sq, 0 as m from {rows.table}"
        if rows.groups:
            size = "sum(n)::bigint as n"
            sql = f"{start}, {size}, 0 as d, 0 as sq, 0 as m from {rows.table} group by all"
        if SENSITIVE in rows.groups:
            sql = (
                f"{start}, sum(n)::bigint as n, count(*) as d, sum(n * n)::bigint as sq, 0 as m "
                f"from ({self._with_values(rows, SENSITIVE)}) group by {words}"
            )
        if TARGET in rows.groups:
            most = f"{start}, max(n) as m from ({self._with_values(rows, TARGET)}) group by {words}"
            sql = f"select c.* exclude (m), t.m from ({sql}) c join ({most}) t using ({words})"
        kind: Literal["table", "view"] = "table" if rows.groups else "view"
        name = self._session.new_name(kind)
        try:
            self._session.run(f"create temp {kind} {name} as select *, false as b from ({sql})")
            yield name
        finally:
            self._session.drop(name)

    def _with_values(self, rows: Grouped, group: int) -> str:
        """Query of words, values of a group and ``n`` of the rows of a node."""
        columns = ", ".join([*self._words.names, *self._combinations.words(group)])
        if rows.groups == {group}:
            return f"select {columns}, n from {rows.table}"
        return f"select {columns}, sum(n)::bigint as n from {rows.table} group by all"

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
        name, words = self._session.new_name(), self._names
        arrow = engine("pyarrow", "nodes by DuckDB")
        known = dict(zip(self._words.names, missed, strict=True)) | {"n": missed[0]}
        query = (
            "select c.* exclude (b), f.n is not null as b "
            f"from {classes} c left join {{content}} f using ({words})"
        )
        try:
            self._session.create(name, arrow.table(known), query)
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
        terms, joins = self._words.excess(node)
        sums = ", ".join(f"coalesce(sum(n * {term}), 0)::bigint" for term in terms)
        found = self._session.fetch(f"select {sums} from {classes} b {joins} where not ({kept})")
        return np.array(found[0], dtype=np.int64)

    def rows_by_value(self, classes: str, kept: str) -> list[IntArray]:
        """Rows that are not kept of each generalized value that they have, by quasi-identifier.

        Parameters
        ----------
        classes, kept : str
            As in :meth:`excess`.

        Returns
        -------
        list of int64 arrays (n_values,)
            In the order of the leaves.
        """
        found = []
        for attribute in range(len(self._order)):
            rows = self._session.arrow(
                f"select {self._words.leaf(attribute)} as leaf, sum(n)::bigint as n "
                f"from {classes} b where not ({kept}) group by leaf order by leaf"
            )
            found.append(np.asarray(rows["n"].to_numpy(), np.int64))
        return found

    def fetched(
        self, classes: str, node: Sequence[int], where: str
    ) -> tuple[list[CodeArray], IntArray]:
        """Codes at a node, by quasi-identifier, and rows of some classes, in ascending order."""
        words = self._names
        found = self._session.arrow(
            f"select {words}, n from {classes} where {where} order by {words}"
        )
        columns = [*self._words.names, "n"]
        arrays = [np.asarray(found[name].to_numpy(), np.int64) for name in columns]
        return self.codes(arrays[:-1], node), arrays[-1]

    def codes(self, words: Sequence[IntArray], node: Sequence[int]) -> list[CodeArray]:
        """Codes at a node, by quasi-identifier, of words of its classes."""
        return self._words.codes(words, node)

    def value_counts(
        self, rows: Grouped, group: int
    ) -> tuple[list[IntArray], list[IntArray], IntArray]:
        """Words of classes, words of values and rows of each pair of them, in ascending order."""
        values = self._combinations.words(group)
        found = self._session.arrow(f"{self._with_values(rows, group)} order by all")
        arrays = {name: np.asarray(found[name].to_numpy(), np.int64) for name in found.schema.names}
        words = [arrays[word] for word in self._words.names]
        return words, [arrays[value] for value in values], arrays["n"]

    def value_parts(
        self, rows: Grouped, group: int, *, classes: str, where: str, kept: str
    ) -> Generator[ValueParts, None, None]:
        """As :meth:`value_counts`, some classes at a time.

        Parameters
        ----------
        rows : Grouped
        group : int
        classes : str
            A table that :meth:`classes` made of the rows.
        where : str
            Condition of the classes that are asked for.
        kept : str
            Condition that is told of each of them.
        """
        words = self._names
        values = self._combinations.words(group) if group in rows.groups else []
        columns = ", ".join([*self._words.names, *values])
        pairs = self._with_values(rows, group) if values else f"select {words}, n from {classes}"
        batches = self._session.batches(
            f"select {columns}, v.n, c.k from ({pairs}) v join "
            f"(select {words}, ({kept}) as k from {classes} where {where}) c using ({words}) "
            f"order by {words}",
            PAIRS,
        )
        left: list[AnyIntArray] = []
        with closing(batches):
            for batch in batches:
                arrays = [column.to_numpy(zero_copy_only=False) for column in batch.columns]
                if left:
                    arrays = [np.concatenate(pair) for pair in zip(left, arrays, strict=True)]
                # The last class may go on in the next batch.
                end = int(np.flatnonzero(is_new(arrays[: len(self._words.names)]))[-1])
                left = [array[end:] for array in arrays]
                if end:
                    yield self._parted([array[:end] for array in arrays])
        if left:
            yield self._parted(left)

    def _parted(self, arrays: Sequence[AnyIntArray]) -> ValueParts:
        n_words = len(self._words.names)
        counts = [np.asarray(array, np.int64) for array in arrays[:-1]]
        kept = np.asarray(arrays[-1], np.bool_)
        return ValueParts(counts[:n_words], counts[n_words:-1], counts[-1], kept)
