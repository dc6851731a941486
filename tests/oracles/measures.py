"""Every measure of a lattice node from its definition, in plain Python, row by row.

Where no class is kept, privacy takes its worst value and the mean class size that of one class.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.oracles import statistics
from tests.oracles.classes import PlainClasses

Rows = Sequence[int]


def _sensitive(classes: PlainClasses, rows: Rows) -> list[Any]:
    return [classes.table.sensitive[row] for row in rows]


def _target(classes: PlainClasses, rows: Rows) -> list[Any]:
    return [classes.table.target[row] for row in rows]


def smallest_class(classes: PlainClasses) -> int:
    return min((len(rows) for rows in classes.kept), default=0)


def least_distinct(classes: PlainClasses, groups: list[list[int]]) -> int:
    return min((statistics.n_distinct(_sensitive(classes, rows)) for rows in groups), default=0)


def sum_of_sizes(groups: list[list[int]]) -> int:
    return sum(len(rows) for rows in groups for _ in rows)


def sum_of_sensitive_counts(classes: PlainClasses, groups: list[list[int]]) -> int:
    return sum(statistics.sum_of_squared_counts(_sensitive(classes, rows)) for rows in groups)


def entropy_l(classes: PlainClasses) -> float:
    return min(
        (statistics.effective_number(_sensitive(classes, rows)) for rows in classes.kept),
        default=0.0,
    )


def recursive_cl(classes: PlainClasses) -> float:
    return max(
        (statistics.recursive_c(_sensitive(classes, rows)) for rows in classes.kept),
        default=math.inf,
    )


def closeness(
    classes: PlainClasses, distance: Callable[[Sequence[Any], Mapping[Any, float]], float]
) -> float:
    table = statistics.shares(classes.table.sensitive)
    return max((distance(_sensitive(classes, rows), table) for rows in classes.kept), default=1.0)


def hierarchical_closeness(classes: PlainClasses) -> float:
    paths = classes.table.sensitive_paths or {}
    return closeness(
        classes, lambda values, table: statistics.hierarchical_distance(values, table, paths)
    )


def least_likeness(
    classes: PlainClasses, distance: Callable[[Sequence[Any], Mapping[Any, float]], float]
) -> float:
    """As `closeness`, of a distance without a largest value."""
    return closeness(classes, distance) if classes.kept else math.inf


def people(classes: PlainClasses) -> dict[tuple[str, ...], int]:
    """How many people share each generalized value."""
    table = classes.table
    return Counter(
        classes.values if table.population is None else table.generalized_population(classes.node)
    )


def journalist_risk(classes: PlainClasses) -> float:
    found = people(classes)
    return max((1 / found[classes.values[rows[0]]] for rows in classes.kept), default=1.0)


def marketer_risk(classes: PlainClasses) -> float:
    found = people(classes)
    risks = [1 / found[classes.values[row]] for rows in classes.kept for row in rows]
    return sum(risks) / len(risks) if risks else 1.0


def violating_classes(classes: PlainClasses) -> int:
    return len(classes.all) - len(classes.kept)


def highest_risk(classes: PlainClasses) -> float:
    return max((1 / len(rows) for rows in classes.kept), default=1.0)


def average_risk(classes: PlainClasses) -> float:
    risks = [1 / len(rows) for rows in classes.kept for _ in rows]
    return sum(risks) / len(risks) if risks else 1.0


def unique_rows(classes: PlainClasses) -> float:
    if classes.n_kept == 0:
        return 1.0
    return sum(len(rows) == 1 for rows in classes.kept) / classes.n_kept


def attribute_glm(classes: PlainClasses, column: int) -> float:
    """Sum over rows of (m - 1)/(M - 1) for one quasi-identifier; 1 for a suppressed row."""
    table, level = classes.table, classes.node[column]
    n_leaves = len(table.paths[column])
    labels: Counter[str] = Counter()
    for value, rows in classes.members.items():
        labels[value[column]] += len(rows) if classes.keeps(rows) else 0
    total = float(len(classes.suppressed))
    for label, n_rows in labels.items():
        if n_leaves > 1:
            total += n_rows * (table.n_leaves_under(column, level, label) - 1) / (n_leaves - 1)
    return total


def glm(classes: PlainClasses, weights: Mapping[int, float] | None = None) -> float:
    """`weights` are by position of the quasi-identifier."""
    return math.fsum(
        (weights or {}).get(column, 1.0) * attribute_glm(classes, column)
        for column in range(len(classes.node))
    )


def classification(classes: PlainClasses) -> int:
    wrong = sum(
        len(rows) - statistics.most_frequent_count(_target(classes, rows)) for rows in classes.kept
    )
    return wrong + len(classes.suppressed)


def _level_shares(classes: PlainClasses) -> list[float]:
    heights = [classes.table.height(column) for column in range(len(classes.node))]
    return [
        level / height if height else 0.0
        for level, height in zip(classes.node, heights, strict=True)
    ]


def generalization_level(classes: PlainClasses) -> float:
    shares = _level_shares(classes)
    return sum(shares) / len(shares)


def precision_loss(classes: PlainClasses) -> float:
    shares = _level_shares(classes)
    losses = [
        (classes.n_kept * share + len(classes.suppressed)) / classes.n_rows for share in shares
    ]
    return sum(losses) / len(losses)


def discernibility(classes: PlainClasses) -> int:
    kept = sum(len(rows) ** 2 for rows in classes.kept)
    return kept + classes.n_rows * len(classes.suppressed)


def average_class_size(classes: PlainClasses) -> float:
    if not classes.kept:
        return classes.n_rows / classes.threshold
    return classes.n_kept / (len(classes.kept) * classes.threshold)


def nonuniform_entropy(classes: PlainClasses) -> float:
    """log2 of each cell's share in its generalized value; suppressed cells become one value."""
    table, total = classes.table, 0.0
    for column in range(len(classes.node)):
        before = [row[column] for row in table.rows]
        after = [value[column] for value in classes.values]
        old, new = Counter(before), Counter(after)
        for (fine, coarse), rows in Counter(zip(before, after, strict=True)).items():
            total -= rows * math.log2(old[fine] / new[coarse])
        left_out = [after[row] for row in classes.suppressed]
        for rows in Counter(left_out).values():
            total -= rows * math.log2(rows / len(left_out))
    return total


MEASURES: dict[str, Callable[[PlainClasses], float]] = {
    "k": smallest_class,
    "l": lambda c: least_distinct(c, c.kept),
    "l_all": lambda c: least_distinct(c, c.all),
    "S_k": lambda c: sum_of_sizes(c.all),
    "S_k_kept": lambda c: sum_of_sizes(c.kept),
    "S_l": lambda c: sum_of_sensitive_counts(c, c.all),
    "S_l_kept": lambda c: sum_of_sensitive_counts(c, c.kept),
    "entropy_l": entropy_l,
    "recursive_cl": recursive_cl,
    "t": lambda c: closeness(c, statistics.equal_distance),
    "t_ordered": lambda c: closeness(c, statistics.ordered_distance),
    "t_hierarchical": hierarchical_closeness,
    "delta_disclosure": lambda c: least_likeness(c, statistics.largest_log_ratio),
    "beta_likeness": lambda c: least_likeness(c, statistics.largest_gain),
    "journalist_risk": journalist_risk,
    "marketer_risk": marketer_risk,
    "violating_classes": violating_classes,
    "violating_share": lambda c: violating_classes(c) / len(c.all),
    "highest_risk": highest_risk,
    "average_risk": average_risk,
    "unique_rows": unique_rows,
    "glm": glm,
    "glm_normalized": lambda c: glm(c) / (c.n_rows * len(c.node)),
    "generalization_level": generalization_level,
    "precision_loss": precision_loss,
    "cm": classification,
    "cm_normalized": lambda c: classification(c) / c.n_rows,
    "discernibility": discernibility,
    "average_class_size": average_class_size,
    "nonuniform_entropy": nonuniform_entropy,
    "height": lambda c: sum(c.node),
    "suppressed": lambda c: len(c.suppressed),
    "classes": lambda c: len(c.kept),
    "feasible": lambda c: int(len(c.suppressed) <= c.budget),
}

NEED_HIERARCHY = frozenset({"t_hierarchical"})
NEED_SENSITIVE = NEED_HIERARCHY | {
    "l", "l_all", "S_l", "S_l_kept", "entropy_l", "recursive_cl", "t", "t_ordered",
    "delta_disclosure", "beta_likeness",
}  # fmt: skip
NEED_POPULATION = frozenset({"journalist_risk"})
NEED_TARGET = frozenset({"cm", "cm_normalized"})
NEED_K = frozenset({"feasible", "violating_classes", "violating_share"})
