"""Loss of a generalization; for all of these less is better.

References
----------
Dewri 2010, Section 7 (general loss metric, classification metric, after Iyengar 2002).
De Pascale 2022, Section 2.4 (precision). Bayardo and Agrawal 2005 (discernibility).
LeFevre et al. 2006 (average class size). ARX (non-uniform entropy with suppression).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from anonopt._checks import check_number
from anonopt._typing import AnyArray, FloatArray, IntArray
from anonopt.measures.lattice.class_table import Classes
from anonopt.measures.lattice.statistics import EVERY, GENERALIZED_LEAVES, TARGET, NodeStatistics
from anonopt.measures.lattice.table_facts import TableFacts
from anonopt.measures.measure import (
    ALL_KEPT,
    ALL_RULES,
    BY_K,
    LESS,
    MORE,
    Measure,
    by_classes,
    by_statistics,
    described,
)

LEAVES = frozenset({GENERALIZED_LEAVES})
LABELS = frozenset({TARGET})

BLOCK = 4096
"""Nodes of which all parts of a sum are held at a time."""


def attribute_glm(statistics: NodeStatistics, rows: slice = EVERY) -> FloatArray:
    """General loss metric of each quasi-identifier, in rows of the table (0..N).

    A kept row costs ``(m - 1)/(M - 1)``, with m the leaves under its generalized value and M
    the leaves of the hierarchy (0 where M = 1); a suppressed row costs 1.

    Returns
    -------
    float64 array (n_nodes, n_quasi_identifiers)
    """
    others = np.maximum(np.array(statistics.facts.n_leaves) - 1, 1)
    suppressed = statistics.suppressed[rows].reshape(-1, 1)
    return np.asarray(statistics.excess_kept(rows) / others + suppressed)


def _added_up(parts: Callable[[slice], FloatArray], n_nodes: int) -> FloatArray:
    """Sum of the columns from the first to the last, the same bits for any number of nodes."""
    total = np.empty(n_nodes)
    for start in range(0, n_nodes, BLOCK):
        rows = slice(start, start + BLOCK)
        total[rows] = np.add.accumulate(parts(rows), axis=1)[:, -1]
    return total


def attribute_losses(statistics: NodeStatistics) -> pd.DataFrame:
    """Loss of one node by quasi-identifier; see `LatticeEvaluator.attribute_loss`."""
    facts, (levels,) = statistics.facts, statistics.nodes
    heights = np.array(facts.heights)
    (losses,) = attribute_glm(statistics)
    return pd.DataFrame(
        {
            "level": levels,
            "height": heights,
            "generalization_level": levels / np.maximum(heights, 1),
            "glm": losses,
            "glm_normalized": losses / facts.n_rows,
        },
        index=pd.Index(facts.names, name="quasi_identifier"),
    )


def glm(statistics: NodeStatistics, weights: Mapping[str, float] | None = None) -> FloatArray:
    """General loss metric: sum over rows and quasi-identifiers, array (n_nodes,).

    Parameters
    ----------
    statistics : NodeStatistics
    weights : mapping of str to float, optional
        Factor of each quasi-identifier's part, 1 where none is given.

    Returns
    -------
    float64 array (n_nodes,)
        Unit: cells; range 0..N*s without weights.

    Raises
    ------
    ValueError
        If a weight names no quasi-identifier.
    """
    for name in weights or ():
        if name not in statistics.facts.names:
            names = ", ".join(statistics.facts.names)
            raise ValueError(f"weights: expected one of {names}, found {name!r}")
    factors = np.array([(weights or {}).get(name, 1.0) for name in statistics.facts.names])
    return _added_up(lambda rows: factors * attribute_glm(statistics, rows), len(statistics.nodes))


def glm_measure(weights: Mapping[str, float]) -> Measure:
    """General loss metric with a weight for each quasi-identifier (1 where none is given).

    Raises
    ------
    ValueError
        If a weight is negative or not finite.
    TypeError
        If a weight is no number.
    """
    fixed = dict(weights)
    for name, weight in fixed.items():
        check_number(f"weight of {name!r}", weight, least=0)
    return replace(
        LOSS_MEASURES[0],
        range="0..N*sum(weights)",
        from_statistics=partial(glm, weights=fixed),
        paper="",
        summary="weighted general loss metric",
    )


def _glm_normalized(statistics: NodeStatistics) -> FloatArray:
    return glm(statistics) / (statistics.facts.n_rows * len(statistics.facts.names))


def _generalization_level(statistics: NodeStatistics) -> FloatArray:
    nodes, heights = statistics.nodes, np.array(statistics.facts.heights)
    total = _added_up(lambda rows: nodes[rows] / np.maximum(heights, 1), len(nodes))
    return total / len(heights)


def _precision_loss(statistics: NodeStatistics) -> FloatArray:
    kept_share = 1 - statistics.suppressed / statistics.facts.n_rows
    return kept_share * _generalization_level(statistics) + (1 - kept_share)


def _classification(statistics: NodeStatistics) -> IntArray:
    return statistics.facts.n_rows - statistics.majority


def _classification_share(statistics: NodeStatistics) -> FloatArray:
    return _classification(statistics) / statistics.facts.n_rows


def _height(statistics: NodeStatistics) -> IntArray:
    return np.asarray(statistics.nodes.sum(axis=1))


def _feasible(statistics: NodeStatistics) -> IntArray:
    return (statistics.suppressed <= statistics.rule.budget).astype(np.int64)


def _discernibility(statistics: NodeStatistics) -> IntArray:
    return statistics.squares_kept + statistics.facts.n_rows * statistics.suppressed


def _average_class_size(statistics: NodeStatistics) -> FloatArray:
    # Where no class is kept, as if all rows were one class: the quotient is not defined there.
    rows, k = statistics.facts.n_rows, statistics.threshold
    kept = rows - statistics.suppressed
    return np.where(statistics.classes > 0, kept / np.maximum(statistics.classes, 1), rows) / k


def nonuniform_entropy(classes: Classes) -> float:
    """Non-uniform entropy in bits, as the ARX tool computes it with suppression.

    Generalization: over all rows and quasi-identifiers, ``log2`` of the share of the original
    value among the rows of the table that the label covers, with the sign turned. Suppression:
    the labels of the suppressed rows become one value, and cost the same way.
    """
    everything, labels = classes.all, classes.all.labels
    attributes = range(len(classes.facts.names))
    left_out = np.flatnonzero(~everything.kept)
    # Labels of no class are not asked for: they may have to be found first.
    suppressed = [
        labels.rows_by_label(attribute, left_out, everything.sizes[left_out])[0]
        for attribute in (attributes if len(left_out) else ())
    ]
    cells = [labels.cells(attribute, everything.sizes) for attribute in attributes]
    return entropy_of_cells(classes.facts, cells, suppressed)


def entropy_of_cells(
    facts: TableFacts, cells: Sequence[tuple[IntArray, IntArray]], suppressed: Sequence[IntArray]
) -> float:
    """Non-uniform entropy in bits of generalized cells; see `nonuniform_entropy`.

    Parameters
    ----------
    facts : TableFacts
    cells : sequence of two int64 arrays (n_labels,)
        By quasi-identifier: rows of each label, and rows of the table that it covers.
    suppressed : sequence of int64 arrays (n_labels,)
        By quasi-identifier: suppressed rows of each label that they have.
    """
    total = 0.0
    for found, counts in zip(cells, facts.value_counts, strict=True):
        total += _bits(*found) - _bits(counts[0], counts[0])
    for merged in suppressed:
        everything = merged.sum(keepdims=True)
        total += _bits(everything, everything) - _bits(merged, merged)
    return total


def _bits(rows: AnyArray, among: AnyArray) -> float:
    """Sum of ``n * log2(m)`` over the positive counts n, of which each is among m rows."""
    present = rows > 0
    return float((rows[present] * np.log2(among[present])).sum())


TEXTS = {
    "Dewri 2010, Section 7": {
        "glm": "general loss metric, summed over rows and quasi-identifiers",
        "glm_normalized": "general loss metric divided by rows and quasi-identifiers",
        "cm": "rows that are suppressed or not of a most frequent label of their class",
        "cm_normalized": "classification metric divided by rows",
    },
    "De Pascale 2022, Section 2.4": {
        "generalization_level": "mean over quasi-identifiers of level / height",
        "precision_loss": "level / height of the kept cells and 1 of the suppressed ones, mean "
        "over cells",
        "height": "sum of the levels",
        "suppressed": "rows that are suppressed",
        "feasible": "1 where the rows in classes that miss k or a class bound fit the budget",
    },
    "Bayardo 2005": {
        "discernibility": "sum of squared sizes of kept classes, plus N for each suppressed row"
    },
    "LeFevre 2006": {"average_class_size": "mean size of the kept classes divided by k"},
    "ARX": {"nonuniform_entropy": "non-uniform entropy of the generalized cells"},
    "this library": {"classes": "number of classes that are kept"},
}

LOSS_MEASURES = described(
    TEXTS,
    by_statistics("glm", LESS, "cells", "0..N*s", glm, needs=LEAVES, rising=ALL_KEPT),
    by_statistics(
        "glm_normalized", LESS, "share", "0..1", _glm_normalized, needs=LEAVES, rising=ALL_KEPT
    ),
    by_statistics(
        "generalization_level", LESS, "share", "0..1", _generalization_level, rising=ALL_RULES
    ),
    by_statistics("precision_loss", LESS, "share", "0..1", _precision_loss, rising=ALL_KEPT),
    by_statistics("cm", LESS, "rows", "0..N", _classification, needs=LABELS, rising=ALL_KEPT),
    by_statistics(
        "cm_normalized", LESS, "share", "0..1", _classification_share, needs=LABELS, rising=ALL_KEPT
    ),
    by_statistics("discernibility", LESS, "rows^2", "N..N^2", _discernibility, rising=ALL_KEPT),
    by_statistics("average_class_size", LESS, "ratio", "0..N", _average_class_size),
    by_classes(
        "nonuniform_entropy", LESS, "bits", "0..N*s*log2(N)", nonuniform_entropy, rising=ALL_KEPT
    ),
    by_statistics("height", LESS, "levels", "0..sum of heights", _height, rising=ALL_RULES),
    by_statistics("suppressed", LESS, "rows", "0..N", lambda s: s.suppressed, falling=BY_K),
    by_statistics("classes", MORE, "classes", "0..N", lambda s: s.classes, falling=ALL_KEPT),
    by_statistics(
        "feasible", MORE, "1 or 0", "0..1", _feasible, rising=BY_K - ALL_KEPT, needs_k=True
    ),
)
