"""What a class tells about the sensitive values of its rows, beside what the table tells.

Decided: the distribution of the table is that of all its rows, suppressed ones included, as for
t-closeness. Where no class is kept, every measure has the worst value of its range.

References
----------
Brickell and Shmatikov 2008 (delta-disclosure). Cao and Karras 2012 (beta-likeness).
Li et al. 2007 (t-closeness with a hierarchical ground distance).
"""

from __future__ import annotations

import math

import numpy as np

from anonopt._typing import FloatArray
from anonopt.measures.lattice.class_table import Classes
from anonopt.measures.lattice.statistics import SENSITIVE_COUNTS, SENSITIVE_HIERARCHY
from anonopt.measures.measure import ALL_KEPT, LESS, by_classes, described

COUNTS = frozenset({SENSITIVE_COUNTS})
COUNTS_AND_HIERARCHY = COUNTS | {SENSITIVE_HIERARCHY}


def class_disclosures(classes: Classes) -> FloatArray:
    """Delta-disclosure of each class: largest ``|ln(q / p)|`` over the table's values.

    q is the share of a sensitive value in the class, p its share in the table. A value of the
    table that a class does not hold makes the class infinite, as the paper has it: its absence
    is learned of everybody in the class. (ARX takes the logarithm to base 2, and leaves such
    values out.)

    Returns
    -------
    float64 array (n_classes,), in nats
    """
    with np.errstate(divide="ignore"):
        terms = np.abs(np.log(_gains(classes)))
    return classes.counted_sensitive().most(terms, absent=math.inf)


def class_likenesses(classes: Classes) -> FloatArray:
    """Beta-likeness of each class: largest relative gain ``(q - p) / p`` over the values.

    q is the share of a sensitive value in the class, p its share in the table. Gains only: that
    a value becomes less likely counts as no harm. This is the basic beta-likeness of the paper.

    Returns
    -------
    float64 array (n_classes,), a ratio of at least 0
    """
    # Of some value the share is at least that of the table, but for rounding.
    gains = classes.counted_sensitive().most(_gains(classes), absent=0.0)
    return np.maximum(gains, 1.0) - 1.0


def class_hierarchical_distances(classes: Classes) -> FloatArray:
    """Distance of each class's sensitive distribution to the table's, by the hierarchy.

    The earth mover's distance where moving between two values costs the level of the lowest
    value that stands for both, divided by the height of the hierarchy. In a hierarchy whose
    leaves all lie at the same depth this is the mean of the equal distances at the levels below
    the top: what has to cross a value is the difference of its shares.

    Returns
    -------
    float64 array (n_classes,), in 0..1

    Raises
    ------
    ValueError
        If the sensitive column has no hierarchy.
    """
    tree, totals = classes.facts.sensitive_tree, classes.facts.sensitive_totals
    if tree is None or totals is None:
        raise ValueError("the hierarchy of the sensitive column is not known")
    counts, height = classes.counted_sensitive(), len(tree) - 1
    distances = np.zeros(len(classes))
    # Never all levels at once: values may be many.
    for parents in tree[:height]:
        _, groups = np.unique(parents, return_inverse=True)
        here, there = counts.grouped(groups), np.bincount(groups, weights=totals) / totals.sum()
        difference = here.numbers / here.of_class(classes.sizes) - here.of_value(there)
        distances += here.total(np.abs(difference), absent=there) / 2
    return distances / max(height, 1)


def delta_disclosure(classes: Classes) -> float:
    """Largest delta-disclosure of a class; less is better, in 0..inf."""
    return float(class_disclosures(classes).max()) if len(classes) else math.inf


def beta_likeness(classes: Classes) -> float:
    """Largest relative gain of a class; less is better, in 0..inf."""
    return float(class_likenesses(classes).max()) if len(classes) else math.inf


def hierarchical_closeness(classes: Classes) -> float:
    """Largest hierarchical distance of a class; less is better, in 0..1."""
    return float(class_hierarchical_distances(classes).max()) if len(classes) else 1.0


def _gains(classes: Classes) -> FloatArray:
    """Quotient q / p of each class and each value, in the order of the counts.

    Products of whole numbers first, so that equal shares give exactly 1. It is 1 for a value that
    the table does not have.
    """
    counts, totals = classes.counted_sensitive(), classes.facts.sensitive_totals
    if totals is None:
        raise ValueError("the distribution of the sensitive column in the table is not known")
    expected = counts.of_class(classes.sizes) * counts.of_value(totals)
    gains = np.ones(np.broadcast_shapes(expected.shape, counts.numbers.shape))
    np.divide(counts.numbers * totals.sum(), expected, out=gains, where=expected > 0)
    return gains


TEXTS = {
    "Brickell 2008": {
        "delta_disclosure": "largest |ln(q/p)| of a sensitive value's share in a kept class and "
        "in the table",
    },
    "Cao 2012": {
        "beta_likeness": "largest relative gain (q-p)/p of a sensitive value's share in a kept "
        "class over that in the table",
    },
    "Li 2007": {
        "t_hierarchical": "largest hierarchical distance of a kept class's sensitive "
        "distribution to the table's",
    },
}

DISCLOSURE_MEASURES = described(
    TEXTS,
    by_classes(
        "t_hierarchical",
        LESS,
        "share",
        "0..1",
        hierarchical_closeness,
        needs=COUNTS_AND_HIERARCHY,
        falling=ALL_KEPT,
        per_class=class_hierarchical_distances,
        merged="worst",
        of_parts="worst",
    ),
    by_classes(
        "delta_disclosure",
        LESS,
        "nats",
        "0..inf",
        delta_disclosure,
        needs=COUNTS,
        falling=ALL_KEPT,
        per_class=class_disclosures,
        merged="worst",
        of_parts="worst",
    ),
    by_classes(
        "beta_likeness",
        LESS,
        "ratio",
        "0..inf",
        beta_likeness,
        needs=COUNTS,
        falling=ALL_KEPT,
        per_class=class_likenesses,
        merged="worst",
        of_parts="worst",
    ),
)
