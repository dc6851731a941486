"""Words of the classes of nodes, as DuckDB computes them of the words of a node below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from anonopt._registry import engine
from anonopt._typing import CodeArray, IntArray
from anonopt.sources.duckdb.duckdb_combinations import DuckDBCombinations

KEYS, SENSITIVE, TARGET = range(3)
"""Groups of columns of the combinations."""


class WordsOfNode(NamedTuple):
    """SQL of the words of a node: an expression for each, by its name, and joins to ``b``."""

    named: list[str]
    joins: str


class NodeWords:
    """Leaves, each for all under a value, in the fields of packed words.

    Parameters
    ----------
    combinations : DuckDBCombinations
        Of quasi-identifiers, in an order of fields, and others.
    order : sequence of int (n_quasi_identifiers,)
        Quasi-identifier of each field.
    maps : sequence of int32 arrays (height + 1, n_leaves)
        Code at each level of each leaf, by quasi-identifier.

    Attributes
    ----------
    names : list of str
        Columns of the words.
    """

    def __init__(
        self, combinations: DuckDBCombinations, order: Sequence[int], maps: Sequence[CodeArray]
    ) -> None:
        self._session, self._order, self._maps = combinations.session, tuple(order), tuple(maps)
        self.names = combinations.words(KEYS)
        self._fields = combinations.groups[KEYS]
        self._levels = [self._level_table(field) for field in range(len(self._order))]

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

    def of_node(self, node: Sequence[int], below: Sequence[int]) -> WordsOfNode:
        """Words of a node, of a table ``b`` of those of a node below it."""
        same = [0] * len(self.names)
        parts: list[list[str]] = [[] for _ in self.names]
        joins = []
        for field, attribute in enumerate(self._order):
            word, level = self._fields.words[field], node[attribute]
            if level == below[attribute]:
                same[word] |= self._mask(field) << self._fields.shifts[field]
            elif level < len(self._maps[attribute]) - 1:
                parts[word].append(f"f{field}.l{level}")
                joins.append(self._join(field))
        for word, mask in enumerate(same):
            if mask:
                parts[word].append(f"(b.{self.names[word]} & {mask})")
        words = [" + ".join(part) or "0::bigint" for part in parts]
        named = [f"{word} as {name}" for word, name in zip(words, self.names, strict=True)]
        return WordsOfNode(named, " ".join(joins))

    def excess(self, node: Sequence[int]) -> tuple[list[str], str]:
        """For each quasi-identifier ``m - 1`` of the words ``b`` of a node, and the joins."""
        terms, joins = ["0"] * len(self._order), []
        for field, attribute in enumerate(self._order):
            level, height = node[attribute], len(self._maps[attribute]) - 1
            if level == height:
                terms[attribute] = str(self._maps[attribute].shape[1] - 1 if height else 0)
            elif level:
                terms[attribute] = f"f{field}.e{level}"
                joins.append(self._join(field))
        return terms, " ".join(joins)

    def leaf(self, attribute: int) -> str:
        """First leaf under the value of a quasi-identifier, of words ``b``."""
        field = self._order.index(attribute)
        word, shift = self.names[self._fields.words[field]], self._fields.shifts[field]
        return f"((b.{word} >> {shift}) & {self._mask(field)})"

    def codes(self, words: Sequence[IntArray], node: Sequence[int]) -> list[CodeArray]:
        """Codes at a node, by quasi-identifier, of words of its classes."""
        leaves = self._fields.unpack(words)
        codes = [leaves[0]] * len(leaves)
        for field, attribute in enumerate(self._order):
            codes[attribute] = self._maps[attribute][node[attribute]][leaves[field]]
        return codes

    def _mask(self, field: int) -> int:
        return (1 << self._fields.bits[field]) - 1

    def _join(self, field: int) -> str:
        leaf = self.leaf(self._order[field])
        return f"join {self._levels[field]} f{field} on f{field}.leaf = {leaf}"
