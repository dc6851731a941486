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

from anonopt._typing import FloatArray
from anonopt.measures.lattice.class_table import Classes
from anonopt.measures.lattice.statistics import SENSITIVE, SENSITIVE_COUNTS, NodeStatistics
from anonopt.measures.measure import ALL_RULES, FIXED, REVERSE, UNSUPPRESSED, Measure

NO_SUPPRESSION = frozenset({UNSUPPRESSED})


def entropy_l(classes: Classes) -> float:
    r"""Effective number of sensitive values: least :math:`\exp H` over the classes.

    Independent of the base of the logarithm. More is better, in 1..n_sensitive.
    """
    counts = classes.sensitive_counts()
    if len(counts) == 0:
        return 0.0
    shares = counts / classes.sizes[:, np.newaxis]
    # A share of 0 contributes 0 to the entropy; its logarithm must not be taken.
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    return float(np.exp(-(shares * logs).sum(axis=1).max()))


def recursive_c(classes: Classes, *, l: int = 2) -> float:  # noqa: E741
    """Smallest c of recursive (c, l)-diversity: least upper bound of r_1 / (r_l + ... + r_m).

    The table is (c, l)-diverse for every larger c. Fewer than l distinct values give
    infinity. Less is better.
    """
    counts = classes.sensitive_counts()
    if len(counts) == 0:
        return math.inf
    falling = -np.sort(-counts, axis=1)
    rest = falling[:, l - 1 :].sum(axis=1)
    with np.errstate(divide="ignore"):
        return float(np.max(np.where(rest > 0, falling[:, 0] / rest, np.inf)))


def class_distances(classes: Classes, *, ordered: bool = False) -> FloatArray:
    """Distance of each class's sensitive distribution to the table's, (n_classes,), in 0..1.

    Equal distance: total variation. Ordered distance: mean absolute difference of the
    cumulative distributions, ``sum|cumulative difference| / (m - 1)``; 0 where m = 1.
    """
    counts = classes.sensitive_counts()
    totals = classes.facts.sensitive_totals
    if totals is None:
        raise ValueError("the distribution of the sensitive column in the table is not known")
    difference = counts / classes.sizes[:, np.newaxis] - totals / totals.sum()
    if not ordered:
        return np.asarray(np.abs(difference).sum(axis=1) / 2)
    steps = np.abs(np.cumsum(difference, axis=1)[:, :-1])
    return np.asarray(steps.sum(axis=1) / max(len(totals) - 1, 1))


def closeness(classes: Classes, *, ordered: bool = False) -> float:
    """Largest distance between a class's sensitive distribution and the table's (t).

    Less is better, in 0..1; see `class_distances`.
    """
    return float(class_distances(classes, ordered=ordered).max()) if len(classes) else 1.0


def _highest_risk(statistics: NodeStatistics) -> FloatArray:
    return 1.0 / np.maximum(statistics.smallest, 1)


def _average_risk(statistics: NodeStatistics) -> FloatArray:
    rows = statistics.facts.n_rows - statistics.suppressed
    return np.where(rows > 0, statistics.classes / np.maximum(rows, 1), 1.0)


def _unique_rows(statistics: NodeStatistics) -> FloatArray:
    rows = statistics.facts.n_rows - statistics.suppressed
    return np.where(rows > 0, statistics.unique / np.maximum(rows, 1), 1.0)


PRIVACY_MEASURES = (
    Measure(
        "k",
        maximize=True,
        unit="rows",
        range="0..N",
        from_statistics=lambda s: s.smallest,
        rising=frozenset({REVERSE, UNSUPPRESSED}),
        paper="Dewri 2010, Section 3",
        summary="size of the smallest class that is kept",
    ),
    Measure(
        "l",
        maximize=True,
        unit="values",
        range="0..n_sensitive",
        from_statistics=lambda s: s.distinct,
        needs=frozenset({SENSITIVE}),
        rising=NO_SUPPRESSION,
        paper="Dewri 2010, Section 3",
        summary="least number of distinct sensitive values over kept classes",
    ),
    Measure(
        "l_all",
        maximize=True,
        unit="values",
        range="1..n_sensitive",
        from_statistics=lambda s: s.distinct_all,
        needs=frozenset({SENSITIVE}),
        rising=ALL_RULES,
        paper="Dewri 2010, Section 3",
        summary="least number of distinct sensitive values over all classes",
    ),
    Measure(
        "S_k",
        maximize=True,
        unit="rows",
        range="N..N^2",
        from_statistics=lambda s: s.squares,
        rising=ALL_RULES,
        paper="Dewri 2010, Section 4",
        summary="sum over all rows of the row's class size",
    ),
    Measure(
        "S_k_kept",
        maximize=True,
        unit="rows",
        range="0..N^2",
        from_statistics=lambda s: s.squares_kept,
        rising=frozenset({FIXED, UNSUPPRESSED}),
        paper="Dewri 2010, Section 4",
        summary="sum over kept rows of the row's class size",
    ),
    Measure(
        "S_l",
        maximize=True,
        unit="rows",
        range="N..N^2",
        from_statistics=lambda s: s.sensitive_squares,
        needs=frozenset({SENSITIVE_COUNTS}),
        rising=ALL_RULES,
        paper="Dewri 2010, Section 4",
        summary="sum over all rows of the count of the row's sensitive value in its class",
    ),
    Measure(
        "S_l_kept",
        maximize=True,
        unit="rows",
        range="0..N^2",
        from_classes=lambda c: (c.sensitive_counts() ** 2).sum(),
        needs=frozenset({SENSITIVE_COUNTS}),
        rising=frozenset({FIXED, UNSUPPRESSED}),
        needs_kept=False,
        paper="Dewri 2010, Section 4",
        summary="sum over kept rows of the count of the row's sensitive value in its class",
    ),
    Measure(
        "entropy_l",
        maximize=True,
        unit="values",
        range="0..n_sensitive",
        from_classes=entropy_l,
        needs=frozenset({SENSITIVE_COUNTS}),
        rising=NO_SUPPRESSION,
        needs_kept=False,
        paper="Machanavajjhala 2006",
        summary="least effective number of sensitive values over kept classes",
    ),
    Measure(
        "recursive_cl",
        maximize=False,
        unit="ratio",
        range="0..inf",
        from_classes=recursive_c,
        needs=frozenset({SENSITIVE_COUNTS}),
        falling=NO_SUPPRESSION,
        needs_kept=False,
        paper="Machanavajjhala 2006",
        summary="smallest c of recursive (c, 2)-diversity over kept classes",
    ),
    Measure(
        "t",
        maximize=False,
        unit="share",
        range="0..1",
        from_classes=closeness,
        needs=frozenset({SENSITIVE_COUNTS}),
        falling=NO_SUPPRESSION,
        needs_kept=False,
        paper="Li 2007",
        summary="largest equal distance of a kept class's sensitive distribution to the table's",
    ),
    Measure(
        "t_ordered",
        maximize=False,
        unit="share",
        range="0..1",
        from_classes=lambda c: closeness(c, ordered=True),
        needs=frozenset({SENSITIVE_COUNTS}),
        falling=NO_SUPPRESSION,
        needs_kept=False,
        paper="Li 2007",
        summary="largest ordered distance of a kept class's sensitive distribution to the table's",
    ),
    Measure(
        "highest_risk",
        maximize=False,
        unit="probability",
        range="0..1",
        from_statistics=_highest_risk,
        falling=frozenset({REVERSE, UNSUPPRESSED}),
        paper="this library",
        summary="highest prosecutor risk of a kept row, 1 / k",
    ),
    Measure(
        "average_risk",
        maximize=False,
        unit="probability",
        range="0..1",
        from_statistics=_average_risk,
        falling=NO_SUPPRESSION,
        paper="this library",
        summary="average prosecutor risk of the kept rows, classes / rows",
    ),
    Measure(
        "unique_rows",
        maximize=False,
        unit="share",
        range="0..1",
        from_statistics=_unique_rows,
        falling=NO_SUPPRESSION,
        paper="this library",
        summary="share of the kept rows that are alone in their class",
    ),
)
