"""The register that a table is a sample of, counted where its rows are."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.population_codes import PeopleCounts
from anonopt.sources.source import CodedColumn, Source
from anonopt.sources.values_of_columns import ValuesOfColumns


def check_people(source: Source, columns: Sequence[Hashable]) -> None:
    """Refuse a population that has no rows, or not all of the columns.

    Raises
    ------
    ValueError
    """
    for column in columns:
        if column not in source.columns:
            raise ValueError(
                f"population: expected the column {column!r}, found "
                f"{list(source.columns)} in {source!r}"
            )
    if source.n_rows == 0:
        raise ValueError(f"population: expected people, found none in {source!r}")


class PopulationOfSource:
    """Everybody whom a table could be about, in a source.

    Parameters
    ----------
    source : Source, or None
        Without one nothing is counted.
    columns : sequence of columns
        The quasi-identifiers.

    Raises
    ------
    ValueError
        If it has no rows, or not all of the columns.
    """

    def __init__(self, source: Source | None, columns: Sequence[Hashable]) -> None:
        self._source = source
        if source is None:
            return
        check_people(source, columns)
        self._values = ValuesOfColumns(source, columns)

    @property
    def paths(self) -> Sequence[str]:
        """Files that the people are read from."""
        return () if self._source is None else self._source.paths

    def has_missing(self, column: Hashable) -> bool:
        """Whether the column of somebody is empty."""
        return self._source is not None and self._values.of(column).cells.has_missing

    def counts(self, hierarchies: Mapping[Hashable, Hierarchy]) -> PeopleCounts | None:
        """Distinct combinations, with the people of each; None without a source.

        Raises
        ------
        ValueError
            If a value is absent from its hierarchy.
        """
        if self._source is None:
            return None
        coded = []
        for column, tree in hierarchies.items():
            try:
                codes = tree.encode_cells(self._values.of(column).cells, column)
            except ValueError as error:
                raise ValueError(f"population: {error}") from error
            coded.append(CodedColumn(column, codes, tree.n_leaves))
        combinations = self._source.combine([coded])
        (words,), sizes = combinations.counted([0])
        columns = combinations.groups[0].unpack(words)
        return PeopleCounts(np.asfortranarray(np.stack(columns, axis=1)), sizes)
