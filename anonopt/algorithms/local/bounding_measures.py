"""Measures that bound others which are not monotone themselves.

With suppression, most losses can fall when a level is raised, as fewer rows are suppressed.
Something about them is monotone all the same: what they would be without suppression, or with
the best one. Tests hold all of this on every node of random small tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from anonopt.measures import MEASURES, Measure
from anonopt.measures.lattice.class_table import Classes
from anonopt.measures.lattice.loss import LABELS
from anonopt.measures.measure import (
    ALL_RULES,
    BOUNDED,
    FIXED,
    LASTING,
    LESS,
    MORE,
    REVERSE,
    UNSUPPRESSED,
    by_classes,
)

KNOWN = frozenset({"glm", "glm_normalized", "precision_loss", "generalization_level", "height"})
"""Measures that follow from the node alone where nothing is suppressed, and are no less where
something is: a suppressed row costs 1 for each quasi-identifier, at least as much as the share
(m - 1)/(M - 1) (general loss) or level/height (precision loss) that it costs when it is kept."""


def minority_rows(classes: Classes) -> float:
    """Rows whose label is not a most frequent one of their class, over all classes."""
    everything = classes.all
    return float(everything.sizes.sum() - everything.counted_target().largest().sum())


def minority_share(classes: Classes) -> float:
    """`minority_rows` as a share of the rows."""
    return minority_rows(classes) / classes.facts.n_rows


def best_distinct(classes: Classes) -> float:
    """Most distinct sensitive values that leaving out classes within the budget can guarantee.

    The classes with the fewest distinct values are left out first, as long as the budget lasts.
    """
    everything = classes.all
    distinct = everything.distinct_sensitive()
    order = np.argsort(distinct, kind="stable")
    rows = np.cumsum(everything.sizes[order])
    return float(distinct[order][np.searchsorted(rows, classes.rule.budget, side="right")])


CM_ALL = by_classes("cm_all", LESS, "rows", "0..N", minority_rows, needs=LABELS, rising=ALL_RULES)
"""Bounds ``cm``: a suppressed row costs 1, at least what it costs in its class. It rises, as
the largest count of a merged class is at most the sum of the largest counts of its parts."""

CM_ALL_NORMALIZED = by_classes(
    "cm_all_normalized", LESS, "share", "0..1", minority_share, needs=LABELS, rising=ALL_RULES
)

L_BEST = by_classes(
    "l_best", MORE, "values", "1..n_sensitive", best_distinct, rising=frozenset({REVERSE})
)
"""Bounds ``l`` under the reverse rule, which is one way to leave out classes within the budget.
It rises: raising a level merges classes, so no row's class loses a distinct value, and the rows
in classes of at most v values become no more."""

WITH_K: Mapping[str, Measure] = MappingProxyType(
    {"cm": CM_ALL, "cm_normalized": CM_ALL_NORMALIZED, "discernibility": MEASURES["S_k"]}
)
"""Whatever classes are suppressed, a suppressed row costs 1 or N, no less than a kept one."""

BOUNDING: Mapping[str, Mapping[str, Measure]] = MappingProxyType(
    {
        REVERSE: {
            "cm": CM_ALL,
            "cm_normalized": CM_ALL_NORMALIZED,
            "l": L_BEST,
            # A suppressed row costs N, at least its class size.
            "discernibility": MEASURES["S_k"],
            # The sums over kept rows are parts of the sums over all rows.
            "S_k_kept": MEASURES["S_k"],
            "S_l_kept": MEASURES["S_l"],
        },
        **dict.fromkeys((FIXED, LASTING, BOUNDED), WITH_K),
        UNSUPPRESSED: {},
    }
)
"""For each suppression rule: a measure without a direction of its own, and a rising one that is
never worse: at most as large if the former is minimized, at least if it is maximized."""
