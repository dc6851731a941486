"""The equivalence classes of any table as it stands, without hierarchies of its columns."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from anonopt._typing import BoolArray, IntArray
from anonopt.data.column_values import ColumnValues
from anonopt.data.equal_values import distinct_codes
from anonopt.data.grouping import group_rows
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.sensitive_columns import encode_sensitive
from anonopt.data.values import MISSING, TOP, as_text
from anonopt.measures.lattice.class_labels import NodeLabels
from anonopt.measures.lattice.class_table import ClassTable
from anonopt.measures.lattice.population import Population
from anonopt.measures.lattice.population_risk import population_sizes
from anonopt.measures.lattice.sparse_counts import count_pairs, count_values
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.lattice.table_facts import SensitivePart, TableFacts
from anonopt.sources.large_table import LargeTable
from anonopt.sources.source import MOST_ROWS, CodedColumn, Source
from anonopt.sources.values_of_columns import ValuesOfColumns


def suppressed_mask(
    frame: pd.DataFrame,
    quasi_identifiers: Sequence[Hashable],
    suppressed: str | Sequence[bool] | BoolArray | None,
) -> BoolArray:
    """Mask of the rows that are said to be suppressed; see ``check``.

    Raises
    ------
    ValueError
        If it is neither a mask of all rows nor ``"*"``, or everything is suppressed.
    """
    if suppressed is None:
        return np.zeros(len(frame), dtype=bool)
    if isinstance(suppressed, str):
        if suppressed != TOP:
            raise ValueError(f"suppressed: expected a mask or {TOP!r}, found {suppressed!r}")
        tops = [_is_top(frame[column]) for column in quasi_identifiers]
        mask = np.asarray(np.logical_and.reduce(tops))
    else:
        mask = np.asarray(suppressed)
        if mask.shape != (len(frame),) or mask.dtype != bool:
            raise ValueError(
                f"suppressed: expected a bool mask of {len(frame)} rows, found shape "
                f"{mask.shape} of {mask.dtype}"
            )
    if mask.all():
        raise ValueError(
            f"suppressed: expected rows that are not, found all {len(frame)} rows suppressed"
        )
    return mask


def _is_top(cells: pd.Series[Any]) -> BoolArray:
    found = ColumnValues.of(cells)
    is_top = [isinstance(value, str) and value == TOP for value in found.values]
    # The last entry is that of missing cells, whose code is -1.
    return np.array([*is_top, False], dtype=bool)[found.codes]


def classes_of_frame(
    frame: pd.DataFrame,
    left_out: BoolArray,
    quasi_identifiers: Sequence[Hashable],
    sensitive: Sequence[Hashable],
    hierarchies: Mapping[Any, Hierarchy],
    population: pd.DataFrame | Source | None,
) -> ClassTable:
    """Classes of the rows that are not left out; the table's distribution is that of all rows.

    Parameters
    ----------
    frame : DataFrame (n_rows, n_columns)
    left_out : bool array (n_rows,)
    quasi_identifiers, sensitive : sequences of columns
    hierarchies : mapping of column to Hierarchy
        Of sensitive columns.
    population : DataFrame (n_people, n_columns) or Source, optional

    Raises
    ------
    ValueError
        If fewer people of the population than rows are in some class.
    """
    kept = frame[~left_out]
    columns, radices, values_of = [], [], {}
    for column in quasi_identifiers:
        values_of[column] = ColumnValues.of(kept[column])
        codes, n_values = distinct_codes(column, values_of[column])
        columns.append(codes)
        radices.append(n_values)
    n_classes, class_of_row = group_rows(columns, radices)
    counts, totals, tree, parts = None, None, None, {}
    values_of_row, labels, columns_of_sensitive = encode_sensitive(frame, sensitive, hierarchies)
    if values_of_row is not None:
        counts = count_values(
            class_of_row, values_of_row[~left_out], n_classes=n_classes, n_values=len(labels)
        )
        totals = np.bincount(values_of_row, minlength=len(labels))
        tree = columns_of_sensitive[0].tree
        if len(sensitive) > 1:
            parts = {
                str(column.name): SensitivePart.of(column, totals)
                for column in columns_of_sensitive
            }
    facts = TableFacts(
        names=tuple(str(column) for column in quasi_identifiers),
        n_rows=len(kept),
        leaf_counts=tuple((np.ones(radix, dtype=np.int64),) for radix in radices),
        value_counts=tuple(
            (np.bincount(codes, minlength=radix),)
            for codes, radix in zip(columns, radices, strict=True)
        ),
        sensitive_totals=totals,
        sensitive_tree=tree,
        population=None if population is None else _people(population, values_of),
        sensitive_parts=parts,
    )

    def decode(wanted: IntArray) -> IntArray:
        _, first = np.unique(class_of_row, return_index=True)
        return np.stack([codes[first[wanted]] for codes in columns], axis=1)

    table = ClassTable(
        facts=facts,
        rule=SuppressionRule(budget=0),
        labels=NodeLabels(facts, (0,) * len(columns), decode),
        sizes=np.bincount(class_of_row),
        sensitive=counts,
    )
    if population is not None:
        by_name = {str(column): values for column, values in values_of.items()}
        _check_people(table, lambda column, code: _text_of(column, by_name[str(column)], code))
    return table


def _people(
    population: pd.DataFrame | Source, values_of: Mapping[Hashable, ColumnValues]
) -> Population:
    """A population coded like the classes; values that no class has share the last code."""
    if isinstance(population, Source):
        return _counted_people(population, values_of, {})
    columns, maps = [], []
    for column, values in values_of.items():
        codes, n_values = distinct_codes(column, values, ColumnValues.of(population[column]))
        columns.append(codes.astype(np.int32))
        maps.append(np.arange(n_values + 1, dtype=np.int32)[np.newaxis])
    return Population.of(np.column_stack(columns), tuple(maps))


def _counted_people(
    population: Source,
    values_of: Mapping[Hashable, ColumnValues],
    known: Mapping[Hashable, CodedColumn],
) -> Population:
    """As `_people`, counted where they are.

    Parameters
    ----------
    population : Source
    values_of : mapping of column to ColumnValues
        Of the table.
    known : mapping of column to CodedColumn
        Codes that the classes have of these values; by default those of :func:`distinct_codes`.
    """
    found, coded = ValuesOfColumns(population, list(values_of)), []
    for column, values in values_of.items():
        codes, n_values = distinct_codes(column, values, found.of(column).cells)
        if column in known:
            own, n_own = known[column].codes, known[column].n_codes
            codes_of = np.full(n_values + 1, n_own, dtype=np.int64)
            codes_of[distinct_codes(column, values)[0]] = own
            codes, n_values = codes_of[codes], n_own
        coded.append(CodedColumn(column, codes.astype(np.int32), n_values + 1))
    combinations = population.combine([coded])
    (words,), sizes = combinations.counted([0])
    columns = combinations.groups[0].unpack(words)
    maps = tuple(np.arange(one.n_codes, dtype=np.int32)[np.newaxis] for one in coded)
    return Population(maps, np.asfortranarray(np.stack(columns, axis=1)), sizes)


def _check_people(table: ClassTable, text_of: Callable[[Hashable, int], str]) -> None:
    people = population_sizes(table.kept_classes)
    missing = np.flatnonzero(people < table.sizes)
    if len(missing):
        first = int(missing[0])
        values = ", ".join(
            f"{column}={text_of(column, code)}"
            for column, code in zip(
                table.facts.names, table.decode(missing[:1])[0].tolist(), strict=True
            )
        )
        raise ValueError(
            f"population: expected at least the rows of the table, {table.sizes[first]} of "
            f"{values}, found {people[first]}"
        )


def _text_of(column: Hashable, values: ColumnValues, code: int) -> str:
    """Text of a code of :func:`distinct_codes`."""
    codes, _ = distinct_codes(column, values)
    place = int(values.codes[np.argmax(codes == code)])
    return MISSING if place < 0 else as_text(values.values[place])


def classes_of_source(
    source: Source,
    quasi_identifiers: Sequence[Hashable],
    sensitive: Sequence[Hashable],
    hierarchies: Mapping[Any, Hierarchy],
    *,
    suppressed: object,
    population: Source | None = None,
) -> tuple[ClassTable, int]:
    """Classes of the rows that are not suppressed, as `classes_of_frame` finds them.

    Parameters
    ----------
    source : Source
    quasi_identifiers, sensitive : sequences of columns
    hierarchies : mapping of column to Hierarchy
        Of sensitive columns.
    suppressed : ``"*"``, or None
        Whether rows that hold ``*`` in every quasi-identifier are suppressed.
    population : Source, optional

    Returns
    -------
    classes : ClassTable
    n_suppressed : int
        Rows.

    Raises
    ------
    ValueError
        If it is another text or a mask, everything is suppressed, a role is wrong, or fewer
        people of the population than rows are in some class.
    """
    if suppressed is not None and (not isinstance(suppressed, str) or suppressed != TOP):
        raise ValueError(f"suppressed: expected {TOP!r} with rows of a file, found {suppressed!r}")
    own: dict[Any, Any] = dict.fromkeys(quasi_identifiers, "flat")
    table = LargeTable(
        source,
        quasi_identifiers=list(quasi_identifiers),
        hierarchies=own | dict(hierarchies),
        sensitive=list(sensitive) or None,
        max_tuples=MOST_ROWS,
    )
    tuples = table.reduction()
    kept = np.ones(len(tuples.sizes), dtype=bool)
    if suppressed is not None:
        stars = [
            np.array(table.hierarchies[column].labels[0], dtype=object)[codes] == TOP
            for column, codes in zip(table.quasi_identifiers, tuples.codes.T, strict=True)
        ]
        kept = ~np.logical_and.reduce(stars)
    if not kept.any():
        raise ValueError(
            f"suppressed: expected rows that are not, found all {table.n_rows} rows suppressed"
        )
    sizes, codes = tuples.sizes[kept], tuples.codes[kept]
    n_kept = int(sizes.sum())
    people = None
    if population is not None:
        own = {column: source.distinct(column).cells for column in table.quasi_identifiers}
        people = _counted_people(population, own, table.codings)
    facts = replace(_facts_of_source(table, codes, sizes, n_kept), population=people)
    counts = None
    if tuples.sensitive is not None:
        pairs, class_of = tuples.sensitive.counted(), np.cumsum(kept) - 1
        stay = kept[pairs.tuples]
        counts = count_pairs(
            class_of[pairs.tuples[stay]],
            pairs.values[stay],
            pairs.rows[stay],
            n_classes=len(sizes),
            n_values=len(table.sensitive_labels),
            n_rows=n_kept,
        )
    classes = ClassTable(
        facts=facts,
        rule=SuppressionRule(budget=0),
        labels=NodeLabels(
            facts, (0,) * codes.shape[1], lambda wanted: codes[wanted].astype(np.int64)
        ),
        sizes=sizes,
        sensitive=counts,
    )
    if population is not None:
        trees = {str(column): tree for column, tree in table.hierarchies.items()}
        _check_people(classes, lambda column, code: trees[str(column)].labels[0][code])
    return classes, table.n_rows - n_kept


def _facts_of_source(table: LargeTable, codes: Any, sizes: IntArray, n_rows: int) -> TableFacts:
    """What the classes share; the distribution of sensitive values is that of all rows."""
    columns, pairs = table.sensitive_columns, table.reduction().sensitive
    totals = None
    if pairs is not None:
        totals = np.zeros(len(table.sensitive_labels), dtype=np.int64)
        totals[: len(pairs.totals)] = pairs.totals
    radices = [table.hierarchies[column].n_leaves for column in table.quasi_identifiers]
    return TableFacts(
        names=tuple(str(column) for column in table.quasi_identifiers),
        n_rows=n_rows,
        leaf_counts=tuple((np.ones(radix, dtype=np.int64),) for radix in radices),
        value_counts=tuple(
            (np.bincount(one, weights=sizes, minlength=radix).astype(np.int64),)
            for one, radix in zip(codes.T, radices, strict=True)
        ),
        sensitive_totals=totals,
        sensitive_tree=columns[0].tree if columns else None,
        sensitive_parts={}
        if totals is None or len(columns) < 2
        else {str(one.name): SensitivePart.of(one, totals) for one in columns},
    )
