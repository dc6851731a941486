"""The equivalence classes of the rows of a source as they stand, counted by its engine."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from anonopt._registry import loaded
from anonopt._typing import IntArray
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.values import TOP
from anonopt.measures.lattice.class_labels import NodeLabels
from anonopt.measures.lattice.class_table import ClassTable
from anonopt.measures.lattice.sparse_counts import count_pairs
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.lattice.table_facts import SensitivePart, TableFacts
from anonopt.sources.large_table import MOST_ROWS, LargeTable
from anonopt.sources.source import Source


def source_of(rows: str | PathLike[str] | Source) -> Source:
    """The rows of a file, or those of a source as they are.

    Raises
    ------
    TypeError
        If it is neither.
    ValueError
        If the name of the file does not tell what it is.
    """
    if isinstance(rows, Source):
        return rows
    if not isinstance(rows, str | PathLike):
        raise TypeError(
            f"frame: expected a DataFrame, a Source, or a path, found {type(rows).__name__}"
        )
    path = Path(rows)
    kind = "parquet" if path.is_dir() else path.suffix.lower().removeprefix(".")
    if kind not in ("parquet", "csv"):
        raise ValueError(f"frame: expected a name that ends in .parquet or .csv, found {path.name}")
    files = loaded("anonopt.sources.duckdb_source:DuckDBSource")
    found: Source = files.of_parquet(path) if kind == "parquet" else files.of_csv(path)
    return found


def classes_of_source(
    source: Source,
    quasi_identifiers: Sequence[Hashable],
    sensitive: Sequence[Hashable],
    hierarchies: Mapping[Any, Hierarchy],
    *,
    suppressed: object,
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

    Returns
    -------
    classes : ClassTable
    n_suppressed : int
        Rows.

    Raises
    ------
    ValueError
        If it is another text or a mask, everything is suppressed, or a role is wrong.
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
    facts = _facts(table, codes, sizes, n_kept)
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
    return classes, table.n_rows - n_kept


def _facts(table: LargeTable, codes: Any, sizes: IntArray, n_rows: int) -> TableFacts:
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
