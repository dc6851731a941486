"""Privacy measures of a node: k-anonymity, l-diversity, t-closeness, spread and risk.

Where a node keeps no row at all (every class is below a fixed k), each measure takes the
worst value of its range.

References
----------
Dewri 2010, Sections 3-4 (k, distinct l, the spread sums S_k and S_l).
Machanavajjhala et al. 2006 (entropy and recursive l-diversity). Li et al. 2007 (t-closeness).
"""

from __future__ import annotations

import math

import numpy as np

from anonopt._typing import FloatArray, IntArray
from anonopt.measures.lattice.class_table import Classes
from anonopt.measures.lattice.statistics import SENSITIVE, SENSITIVE_COUNTS, NodeStatistics
from anonopt.measures.measure import (
    ALL_KEPT,
    ALL_RULES,
    BY_BUDGET,
    BY_K,
    LESS,
    MORE,
    by_classes,
    by_statistics,
    described,
)

VALUES = frozenset({SENSITIVE})
COUNTS = frozenset({SENSITIVE_COUNTS})


def entropies(classes: Classes) -> FloatArray:
    """Entropy of the sensitive values of each class, with natural logarithms, (n_classes,)."""
    counts = classes.counted_sensitive()
    shares = counts.numbers / counts.of_class(classes.sizes)
    # A share of 0 contributes 0 to the entropy; its logarithm must not be taken.
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    return -counts.total(shares * logs)


def class_entropy_l(classes: Classes) -> FloatArray:
    """Effective number of sensitive values of each class, (n_classes,); see `entropy_l`."""
    return np.exp(entropies(classes))


def entropy_l(classes: Classes) -> float:
    r"""Effective number of sensitive values: least :math:`\exp H` over the classes.

    Independent of the base of the logarithm. More is better, in 1..n_sensitive.
    """
    return float(np.exp(entropies(classes).min())) if len(classes.sizes) else 0.0


def class_recursive_c(classes: Classes, *, l: int = 2) -> FloatArray:  # noqa: E741
    """Smallest c of recursive (c, l)-diversity of each class, (n_classes,)."""
    counts = classes.counted_sensitive()
    rest = counts.beyond(l - 1)
    with np.errstate(divide="ignore"):
        return np.where(rest > 0, counts.largest() / rest, np.inf)


def recursive_c(classes: Classes, *, l: int = 2) -> float:  # noqa: E741
    """Smallest c of recursive (c, l)-diversity: least upper bound of r_1 / (r_l + ... + r_m).

    The table is (c, l)-diverse for every larger c. Fewer than l distinct values give
    infinity. Less is better.
    """
    return float(class_recursive_c(classes, l=l).max()) if len(classes.sizes) else math.inf


def class_distances(classes: Classes, *, ordered: bool = False) -> FloatArray:
    """Distance of each class's sensitive distribution to the table's, (n_classes,), in 0..1.

    Equal distance: total variation. Ordered distance: mean absolute difference of the
    cumulative distributions, ``sum|cumulative difference| / (m - 1)``; 0 where m = 1.
    """
    counts = classes.counted_sensitive()
    totals = classes.facts.sensitive_totals
    if totals is None:
        raise ValueError("the distribution of the sensitive column in the table is not known")
    everywhere = totals / totals.sum()
    if ordered:
        gaps = counts.cumulative_gaps(classes.sizes, everywhere)
        return np.asarray(gaps / max(len(totals) - 1, 1))
    difference = counts.numbers / counts.of_class(classes.sizes) - counts.of_value(everywhere)
    return np.asarray(counts.total(np.abs(difference), absent=everywhere) / 2)


def closeness(classes: Classes, *, ordered: bool = False) -> float:
    """Largest distance between a class's sensitive distribution and the table's (t).

    Less is better, in 0..1; see `class_distances`.
    """
    return float(class_distances(classes, ordered=ordered).max()) if len(classes.sizes) else 1.0


def _ordered_distances(classes: Classes) -> FloatArray:
    return class_distances(classes, ordered=True)


def _ordered(classes: Classes) -> float:
    return closeness(classes, ordered=True)


def _kept_squares(classes: Classes) -> int:
    return int((classes.counted_sensitive().numbers ** 2).sum())


def _highest_risk(statistics: NodeStatistics) -> FloatArray:
    return 1.0 / np.maximum(statistics.smallest, 1)


def _average_risk(statistics: NodeStatistics) -> FloatArray:
    return _share_of_kept(statistics.classes, statistics)


def _unique_rows(statistics: NodeStatistics) -> FloatArray:
    return _share_of_kept(statistics.unique, statistics)


def _share_of_kept(count: IntArray, statistics: NodeStatistics) -> FloatArray:
    rows = statistics.facts.n_rows - statistics.suppressed
    return np.where(rows > 0, count / np.maximum(rows, 1), 1.0)


TEXTS = {
    "Dewri 2010, Section 3": {
        "k": "size of the smallest class that is kept",
        "l": "least number of distinct sensitive values over kept classes",
        "l_all": "least number of distinct sensitive values over all classes",
    },
    "Dewri 2010, Section 4": {
        "S_k": "sum over all rows of the row's class size",
        "S_k_kept": "sum over kept rows of the row's class size",
        "S_l": "sum over all rows of the count of the row's sensitive value in its class",
        "S_l_kept": "sum over kept rows of the count of the row's sensitive value in its class",
    },
    "Machanavajjhala 2006": {
        "entropy_l": "least effective number of sensitive values over kept classes",
        "recursive_cl": "smallest c of recursive (c, 2)-diversity over kept classes",
    },
    "Li 2007": {
        "t": "largest equal distance of a kept class's sensitive distribution to the table's",
        "t_ordered": "largest ordered distance of a kept class's sensitive distribution to the "
        "table's",
    },
    "this library": {
        "highest_risk": "highest prosecutor risk of a kept row, 1 / k",
        "average_risk": "average prosecutor risk of the kept rows, classes / rows",
        "unique_rows": "share of the kept rows that are alone in their class",
    },
}

PRIVACY_MEASURES = described(
    TEXTS,
    by_statistics("k", MORE, "rows", "0..N", lambda s: s.smallest, rising=BY_BUDGET),
    by_statistics(
        "l",
        MORE,
        "values",
        "0..n_sensitive",
        lambda s: s.distinct,
        needs=VALUES,
        rising=ALL_KEPT,
        per_class=Classes.distinct_sensitive,
        merged="best",
        of_parts="worst",
    ),
    by_statistics(
        "l_all",
        MORE,
        "values",
        "1..n_sensitive",
        lambda s: s.distinct_all,
        needs=VALUES,
        rising=ALL_RULES,
        of_parts="worst",
    ),
    by_statistics("S_k", MORE, "rows", "N..N^2", lambda s: s.squares, rising=ALL_RULES),
    by_statistics("S_k_kept", MORE, "rows", "0..N^2", lambda s: s.squares_kept, rising=BY_K),
    by_statistics(
        "S_l",
        MORE,
        "rows",
        "N..N^2",
        lambda s: s.sensitive_squares,
        needs=COUNTS,
        rising=ALL_RULES,
        of_parts="sum",
    ),
    by_classes(
        "S_l_kept",
        MORE,
        "rows",
        "0..N^2",
        _kept_squares,
        needs=COUNTS,
        rising=BY_K,
        of_parts="sum",
    ),
    by_classes(
        "entropy_l",
        MORE,
        "values",
        "0..n_sensitive",
        entropy_l,
        needs=COUNTS,
        rising=ALL_KEPT,
        per_class=class_entropy_l,
        merged="worst",
        of_parts="worst",
    ),
    by_classes(
        "recursive_cl",
        LESS,
        "ratio",
        "0..inf",
        recursive_c,
        needs=COUNTS,
        falling=ALL_KEPT,
        per_class=class_recursive_c,
        merged="worst",
        of_parts="worst",
    ),
    by_classes(
        "t",
        LESS,
        "share",
        "0..1",
        closeness,
        needs=COUNTS,
        falling=ALL_KEPT,
        per_class=class_distances,
        merged="worst",
        of_parts="worst",
    ),
    by_classes(
        "t_ordered",
        LESS,
        "share",
        "0..1",
        _ordered,
        needs=COUNTS,
        falling=ALL_KEPT,
        per_class=_ordered_distances,
        merged="worst",
        of_parts="worst",
    ),
    by_statistics("highest_risk", LESS, "probability", "0..1", _highest_risk, falling=BY_BUDGET),
    by_statistics("average_risk", LESS, "probability", "0..1", _average_risk, falling=ALL_KEPT),
    by_statistics("unique_rows", LESS, "share", "0..1", _unique_rows, falling=ALL_KEPT),
)
