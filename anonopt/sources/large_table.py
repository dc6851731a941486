"""A table whose rows stay in a source: everything that is a formula of classes works on it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from anonopt._checks import check_integer
from anonopt._typing import AnyIntArray, CodeArray, IntArray
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.hierarchies.hierarchy_sources import HierarchySources, resolve_hierarchies
from anonopt.data.labels import encode_labels
from anonopt.data.lattice import Lattice
from anonopt.data.microdata import Microdata
from anonopt.data.population_codes import PeopleCounts, check_holds
from anonopt.data.reduction import Pairs, Reduction, ValuePairs, field_order
from anonopt.data.roles import names_of_sensitive, roles_among
from anonopt.data.sensitive_columns import combined_columns
from anonopt.data.tables.table_view import table_html
from anonopt.sources.duckdb.duckdb_combinations import DuckDBCombinations
from anonopt.sources.duckdb.duckdb_nodes import DuckDBNodes
from anonopt.sources.packed_words import numbered, places_of
from anonopt.sources.paths import check_unchanged, file_states
from anonopt.sources.population_of_source import PopulationOfSource
from anonopt.sources.source import CodedColumn, Combinations, Source, check_rows
from anonopt.sources.unloaded_reduction import UnloadedReduction
from anonopt.sources.values_of_columns import ValuesOfColumns

MAX_TUPLES = 10_000_000
"""Distinct tuples that are brought into memory, some 100 bytes each in a search."""

ROWS = frozenset({"frame", "codes", "sensitive_codes", "target_codes", "population_codes"})
"""Attributes of a table in memory that are of single rows."""

QUASI_IDENTIFIERS, SENSITIVE, TARGET = range(3)
"""Groups of columns of the combinations."""


class LargeTable(Microdata):
    """A table whose rows stay in a source.

    It has the hierarchies, labels, lattice and distinct tuples of a
    :class:`~anonopt.data.Microdata` of the same rows, and every measure of every node has the same
    value, bit for bit. What looks at rows one by one is refused.

    Parameters
    ----------
    source : Source
    quasi_identifiers, hierarchies, sensitive, target, identifiers
        As for :class:`~anonopt.data.Microdata`.
    population : Source, optional
        Everybody whom the table could be about; its distinct combinations are held in memory.
    max_tuples : int
        Distinct tuples that may be in memory; if there are more, and the source is DuckDB, it
        evaluates the nodes.

    Attributes
    ----------
    source : Source
    paths : list of str
        Files that rows and population are read from.
    codings : dict of CodedColumn
        Codes of the values of each quasi-identifier and of the columns of the other roles.
    quasi_identifiers, sensitive, target, identifiers, hierarchies, sensitive_columns
        As in :class:`~anonopt.data.Microdata`.
    sensitive_labels, target_labels, lattice
        As in :class:`~anonopt.data.Microdata`.

    Raises
    ------
    ValueError
        As :class:`~anonopt.data.Microdata`; or if there are more than 2,147,483,647 rows, or
        ordered categories are to be labels and the source does not know their order, or a
        population comes with distinct tuples that are too many for memory.

    Examples
    --------
    >>> import pandas as pd
    >>> from anonopt.evaluation import LatticeEvaluator
    >>> from anonopt.sources import PandasSource
    >>> source = PandasSource(pd.DataFrame({"age": [21, 24, 38], "job": ["cook", "clerk", "cook"]}))
    >>> age = Hierarchy.intervals(range(20, 40), width=10)
    >>> table = LargeTable(source, quasi_identifiers=["age"], hierarchies={"age": age})
    >>> LatticeEvaluator(table).evaluate([[0], [1]], ["k", "glm"])
       age  k       glm
    0    0  1  0.000000
    1    1  1  1.421053
    """

    def __init__(
        self,
        source: Source,
        *,
        quasi_identifiers: Sequence[Hashable],
        hierarchies: HierarchySources,
        sensitive: Hashable | Sequence[Hashable] | None = None,
        target: Hashable | None = None,
        identifiers: Iterable[Hashable] = (),
        population: Source | None = None,
        max_tuples: int = MAX_TUPLES,
    ) -> None:
        self.source = source
        self._files = file_states(source.paths)
        self.max_tuples = check_integer("max_tuples", max_tuples, least=1)
        self._roles = roles_among(
            list(source.columns),
            source.n_rows,
            quasi_identifiers=quasi_identifiers,
            sensitive=sensitive,
            target=target,
            identifiers=identifiers,
            table=repr(source),
        )
        self.quasi_identifiers, self.sensitive, self.target, self.identifiers = self._roles
        check_rows(source)
        names = names_of_sensitive(sensitive)
        columns = [*self.quasi_identifiers, *names, *([] if target is None else [target])]
        values = ValuesOfColumns(source, columns)
        people = PopulationOfSource(population, self.quasi_identifiers)
        self.paths = [*source.paths, *people.paths]
        found = resolve_hierarchies(hierarchies, values, self.quasi_identifiers, optional=names)
        self.codings: dict[Hashable, CodedColumn] = {}
        self.hierarchies = {}
        self._leaf_rows: dict[Hashable, IntArray] = {}
        for column in self.quasi_identifiers:
            cells = values.of(column).cells
            has_missing = cells.has_missing or people.has_missing(column)
            tree = found[column].with_missing() if has_missing else found[column]
            codes = tree.encode_cells(cells, column)
            self.hierarchies[column] = tree
            self.codings[column] = CodedColumn(column, codes, tree.n_leaves)
            rows = np.bincount(codes, weights=values.of(column).counts, minlength=tree.n_leaves)
            self._leaf_rows[column] = rows.astype(np.int64)
        self._encode_sensitive(values, names, found)
        self.target_labels: tuple[str, ...] = ()
        if self.target is not None:
            codes, self.target_labels = encode_labels(values[self.target])
            self.codings[self.target] = CodedColumn(self.target, codes, len(self.target_labels))
        self._people = people.counts(self.hierarchies)
        self.lattice = Lattice(
            [self.hierarchies[column].height for column in self.quasi_identifiers],
            names=[str(column) for column in self.quasi_identifiers],
        )
        self._check_population()

    def _check_population(self) -> None:
        """Refuse a population that does not hold the table, or cannot be compared with it."""
        if self._people is None:
            return
        if self.is_in_engine:
            raise ValueError(
                f"population: expected with at most {self.max_tuples} distinct tuples "
                f"(max_tuples), found more in {self.source!r}"
            )
        found = self.reduction()
        check_holds(self._people, PeopleCounts(found.codes, found.sizes), self.hierarchies)

    def _encode_sensitive(
        self,
        values: ValuesOfColumns,
        names: Sequence[Hashable],
        hierarchies: dict[Hashable, Hierarchy],
    ) -> None:
        """Labels of the sensitive columns, and of their combinations if there are several."""
        found = [encode_labels(values[column]) for column in names]
        coded = [
            CodedColumn(column, codes, len(labels))
            for column, (codes, labels) in zip(names, found, strict=True)
        ]
        self.codings.update((column.name, column) for column in coded)
        self._sensitive_words: list[IntArray] = []
        self._sensitive_totals: IntArray = np.zeros(0, dtype=np.int64)
        if len(names) == 1:
            counts = values.of(names[0]).counts
            rows = np.bincount(coded[0].codes, weights=counts, minlength=coded[0].n_codes)
            self._sensitive_totals = rows.astype(np.int64)
            members = [np.arange(coded[0].n_codes, dtype=np.int32)]
        elif names:
            combinations = self.source.combine([coded])
            (self._sensitive_words,), self._sensitive_totals = combinations.counted([0])
            members = combinations.groups[0].unpack(self._sensitive_words)
        else:
            members = []
        self.sensitive_labels, self.sensitive_columns = combined_columns(
            values, names, found, members, hierarchies
        )

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.source.n_rows

    @cached_property
    def combinations(self) -> Combinations:
        """The combinations of codes in the rows, in the source.

        Of three groups of columns: quasi-identifiers, in the order in which the distinct tuples are
        sorted, then sensitive columns, then the target.
        """
        order = field_order(self._maps)
        groups = [
            [self.quasi_identifiers[position] for position in order],
            [column.name for column in self.sensitive_columns],
            [] if self.target is None else [self.target],
        ]
        columns = [[self.codings[column] for column in one] for one in groups]
        self.check_files()
        found = self.source.combine(columns)
        self.check_files()
        return found

    def check_files(self) -> None:
        """Refuse to go on with files that were changed since the table was made.

        Raises
        ------
        ValueError
            Names the first that differs in size or time.
        """
        check_unchanged(self._files, self.source)

    @property
    def _maps(self) -> list[CodeArray]:
        return [self.hierarchies[column].maps for column in self.quasi_identifiers]

    @property
    def has_population(self) -> bool:
        """See `Microdata.has_population`."""
        return self._people is not None

    def population_counts(self) -> PeopleCounts | None:
        """See `Microdata.population_counts`."""
        return self._people

    def leaf_rows(self, position: int) -> IntArray:
        """See `Microdata.leaf_rows`."""
        return self._leaf_rows[self.quasi_identifiers[position]]

    @cached_property
    def is_in_engine(self) -> bool:
        """Whether its distinct tuples are more than may be in memory, and stay in the engine."""
        if not isinstance(self.combinations, DuckDBCombinations):
            return False
        return not self.combinations.is_at_most([QUASI_IDENTIFIERS], self.max_tuples)

    @cached_property
    def nodes(self) -> DuckDBNodes:
        """Groups of its distinct tuples at nodes, by the engine.

        Raises
        ------
        ValueError
            If the source is no DuckDB.
        """
        if not isinstance(self.combinations, DuckDBCombinations):
            raise ValueError(
                f"backend: expected 'engine' with a table that DuckDB reads, found {self.source!r}"
            )
        return DuckDBNodes(self.combinations, field_order(self._maps), self._maps)

    @cached_property
    def n_tuples(self) -> int:
        """Number of distinct tuples."""
        return self.combinations.n_combinations([QUASI_IDENTIFIERS])

    def values_of(self, group: int, words: Sequence[IntArray]) -> AnyIntArray:
        """Codes of sensitive values or labels, by the words of their group, (n,)."""
        is_combined = group == SENSITIVE and self._sensitive_words
        return places_of(words, self._sensitive_words) if is_combined else words[0]

    @cached_property
    def _reduction(self) -> Reduction:
        order, pairs = field_order(self._maps), self._value_pairs()
        if self.is_in_engine:
            held = [g for g, one in zip((SENSITIVE, TARGET), pairs, strict=True) if one is not None]
            return UnloadedReduction(
                order,
                self.n_rows,
                lambda: self.n_tuples,
                *pairs,
                content=lambda: self.nodes.content(held, self.values_of),
            )
        (words,), sizes = self.combinations.counted([QUASI_IDENTIFIERS])
        columns = self.combinations.groups[QUASI_IDENTIFIERS].unpack(words)
        codes = np.empty((len(sizes), len(order)), np.int32, order="F")
        for position, column in zip(order, columns, strict=True):
            codes[:, position] = column
        return Reduction(codes, sizes, order, *pairs)

    def _value_pairs(self) -> tuple[ValuePairs | None, ValuePairs | None]:
        sensitive = ValuePairs(lambda: self._pairs(SENSITIVE), self._sensitive_totals)
        labels = ValuePairs(lambda: self._pairs(TARGET))
        has_values, has_labels = self.sensitive is not None, self.target is not None
        return sensitive if has_values else None, labels if has_labels else None

    def _pairs(self, group: int) -> Pairs:
        (tuples, words), counts = self.combinations.counted([QUASI_IDENTIFIERS, group])
        return numbered(tuples), self.values_of(group, words), counts

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of roles, labels, hierarchies and of the reduction, 64 hexadecimal digits.

        It does not depend on the order of the rows, nor on the source; it is another one than that
        of a table in memory. Two tables with the same fingerprint have the same value of every
        measure of every node.
        """
        digest = hashlib.sha256(json.dumps(["reduction", *self._identity()]).encode())
        for part in self.reduction().content():
            digest.update(part)
        for array in self._people or ():
            digest.update(array.astype("<i8").tobytes(order="F"))
        return digest.hexdigest()

    def require_rows(self, what: str) -> None:
        """See `Microdata.require_rows`."""
        raise ValueError(
            f"{what}: expected a table whose rows are in memory, found {self.source!r}; make a "
            f"Microdata of a frame of the rows (a part of them, if they are too many)"
        )

    if not TYPE_CHECKING:
        # Hidden from type checkers: they would take every misspelt name for one that is there.
        def __getattr__(self, name: str) -> Any:
            if name in ROWS:
                self.require_rows(name)
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __getstate__(self) -> dict[str, Any]:
        # The combinations stay where they are; what is known of them goes along.
        state = self.__dict__ | {"_reduction": self.reduction()}
        stays = {"combinations", "nodes"} | ({"_reduction"} if self.is_in_engine else set())
        return {name: value for name, value in state.items() if name not in stays}

    def _repr_html_(self) -> str:
        facts = {column: {"type": kind} for column, kind in self.source.columns.items()}
        cells = f"in {self.source!r}"
        return table_html(
            self.n_rows, self.lattice.size, self._roles, self.hierarchies, facts, cells=cells
        )

    def _lock(self) -> None:
        """No array is of single rows."""
