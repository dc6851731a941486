"""What follows from how many classes of a node there are of each size, without the classes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np

from anonopt._typing import BoolArray, IntArray
from anonopt.evaluation.engine.parts_of_nodes import RuledClasses
from anonopt.measures.lattice import statistics as columns
from anonopt.measures.lattice.loss import entropy_of_cells
from anonopt.measures.lattice.table_facts import TableFacts
from anonopt.measures.measure import Measure
from anonopt.measures.registry import MEASURES
from anonopt.sources.duckdb.duckdb_groups import Histogram
from anonopt.sources.duckdb.duckdb_nodes import DuckDBNodes

OfHistogram = Callable[[Histogram, BoolArray], float]
"""Takes a histogram, and which of its entries are of classes that are kept."""

ENTROPY = "nonuniform_entropy"


def _rows_found(found: Histogram, kept: BoolArray) -> float:
    """Without a population, a marketer finds one row of each class."""
    rows = found.sizes[kept] @ found.classes[kept]
    return found.classes[kept].sum() / rows if rows else 1.0


OF_HISTOGRAMS: dict[str, OfHistogram] = {
    "S_l_kept": lambda found, kept: found.squares[kept].sum(),
    "marketer_risk": _rows_found,
    "violating_classes": lambda found, kept: found.classes[~kept].sum(),
    "violating_share": lambda found, kept: found.classes[~kept].sum() / found.classes.sum(),
}
"""Measures of the library that are functions of classes where these are in memory."""


def is_told(measure: Measure) -> bool:
    """Whether the engine tells the value of a node by a measure of classes, without these.

    Examples
    --------
    >>> is_told(MEASURES["marketer_risk"]), is_told(MEASURES["t"])
    (True, False)
    """
    is_built_in = MEASURES.get(measure.name) is measure
    return is_built_in and (measure.name in OF_HISTOGRAMS or measure.name == ENTROPY)


def told(
    measure: Measure,
    nodes: DuckDBNodes,
    facts: TableFacts,
    node: Sequence[int],
    ruled: RuledClasses,
) -> float:
    """The value of a node by a measure that :func:`is_told`.

    Parameters
    ----------
    measure : Measure
    nodes : DuckDBNodes
    facts : TableFacts
    node : sequence of int
    ruled : RuledClasses
        Its classes.
    """
    if measure.name != ENTROPY:
        return float(OF_HISTOGRAMS[measure.name](ruled.found, ruled.kept))
    counts = [rows[level] for rows, level in zip(facts.value_counts, node, strict=True)]
    suppressed = []
    if not ruled.kept.all():
        suppressed = nodes.rows_by_value(ruled.classes, ruled.condition)
    return entropy_of_cells(facts, [(rows, rows) for rows in counts], suppressed)


def summary_of_histogram(
    found: Histogram, kept: BoolArray, threshold: int, needs: Collection[str], n_columns: int
) -> IntArray:
    """Statistics of a node from its classes by size, as `summarize` gives them.

    Parameters
    ----------
    found : Histogram
    kept : bool array (n,)
    threshold : int
        Smallest size that is kept.
    needs : collection of str
        What to compute besides the sizes; not the leaves under labels.
    n_columns : int
        Quasi-identifiers.

    Returns
    -------
    int64 array (11 + n_columns,)
    """
    sizes, classes = found.sizes, found.classes
    rows = sizes * classes
    values = np.full(columns.EXCESS + n_columns, -1, dtype=np.int64)
    values[columns.THRESHOLD] = threshold
    values[columns.SMALLEST] = sizes[kept].min() if kept.any() else 0
    values[columns.SUPPRESSED] = rows[~kept].sum()
    values[columns.CLASSES] = classes[kept].sum()
    values[columns.UNIQUE] = classes[kept & (sizes == 1)].sum()
    values[columns.SQUARES] = rows @ sizes
    values[columns.SQUARES_KEPT] = rows[kept] @ sizes[kept]
    if columns.SENSITIVE in needs:
        values[columns.DISTINCT] = found.distinct[kept].min() if kept.any() else 0
        values[columns.DISTINCT_ALL] = found.distinct.min()
    if columns.SENSITIVE_COUNTS in needs:
        values[columns.SENSITIVE_SQUARES] = found.squares.sum()
    if columns.TARGET in needs:
        values[columns.MAJORITY] = found.majority[kept].sum()
    return values
