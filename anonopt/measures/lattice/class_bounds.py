"""Bounds of single classes: a class that misses one is suppressed as a whole (under a fixed k).

That is the rule of the ARX tool (Prasser and Kohlmayer 2015). What is known of merged classes
(`Measure.merged`) decides what searches may conclude:

- ``l``: a class that contains one with l distinct values has l of them. A row that is kept at a
  node is kept at every node above it, so feasibility is monotone, as it is under k alone.
- ``entropy_l``, ``recursive_cl``, ``t``, ``t_ordered``: classes that meet the bound make one that
  meets it (the entropy is concave, the distances are convex), but together with a class that misses
  it they may miss it. Feasibility is monotone only where nothing may be suppressed.
- A user's measure is what its ``merged`` says.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from anonopt._checks import check_number
from anonopt._typing import AnyIntArray, BoolArray, IntArray
from anonopt.data import Microdata
from anonopt.measures.lattice.class_labels import NodeLabels
from anonopt.measures.lattice.class_table import Classes, ClassTable
from anonopt.measures.lattice.statistics import SENSITIVE, SENSITIVE_COUNTS, TARGET, role_counts
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.lattice.table_facts import TableFacts
from anonopt.measures.lattice.table_measures import measure_of_table
from anonopt.measures.measure import Measure
from anonopt.measures.registry import MEASURES

COUNTED = frozenset({SENSITIVE, SENSITIVE_COUNTS})
"""Needs for which sensitive values are counted."""

LARGEST = 2.0**31 - 1

TOLERANCE = 1e-9
"""A bound is met within this: entropies and distances are rounded numbers."""


@dataclass(frozen=True, repr=False)
class MeasureBound:
    """The worst value of a measure that a class may have.

    Attributes
    ----------
    measure : Measure
        With `per_class`.
    worst : float
        The least value if more is better, else the largest.
    needs : frozenset of str
        What the classes must hold besides their sizes.

    Examples
    --------
    >>> MeasureBound(MEASURES["t"], 0.4, MEASURES["t"].needs)
    t <= 0.4
    """

    measure: Measure
    worst: float
    needs: frozenset[str]

    def __repr__(self) -> str:
        return f"{self.measure.name} {'>=' if self.measure.maximize else '<='} {self.worst:g}"

    @property
    def lasts(self) -> bool:
        """Whether a class that contains one that meets the bound meets it as well."""
        return self.measure.merged == "best"

    @property
    def unites(self) -> bool:
        """Whether classes that meet the bound make one that meets it."""
        return self.measure.merged is not None

    @property
    def least_distinct(self) -> int | None:
        """Distinct sensitive values that a class must have, if that is what the bound says."""
        if self.measure is not MEASURES["l"]:
            return None
        # No class has more values than rows, and rows are counted in 32 bits there.
        return math.ceil(min(max(self.worst - TOLERANCE, 0.0), LARGEST))

    def met(self, classes: Classes) -> BoolArray:
        """Which classes meet the bound, (n_classes,)."""
        values = self.measure.of_each(classes)
        if self.measure.maximize:
            return values >= self.worst - TOLERANCE
        return values <= self.worst + TOLERANCE


def measure_bounds(
    class_bounds: Mapping[Any, float] | None, table: Microdata
) -> tuple[MeasureBound, ...]:
    """Bounds of single classes, in the order given.

    Parameters
    ----------
    class_bounds : mapping of str or Measure to float, optional
        The worst value that a class may have by the measure's name, or by a user's own `Measure`.
    table : Microdata
        Where the classes are from.

    Raises
    ------
    TypeError
        If the bounds are no mapping, or one is no number.
    ValueError
        If a measure is unknown (names the nearest ones), is none of single classes, or needs a
        column that the table lacks; if a bound is not finite, or a measure is given twice.
    """
    found: dict[str, MeasureBound] = {}
    for one, value in given_bounds(class_bounds):
        try:
            known = measure_of_table(one, table)
        except ValueError as error:
            raise ValueError(f"class_bounds: {error}") from error
        check_per_class(known, known.name)
        if known.name in found:
            raise ValueError(
                f"class_bounds: expected each measure once, found {known.name!r} twice"
            )
        needs = known.needs or _all_needs(table)
        worst = check_number(f"class_bounds: {known.name!r}", value)
        found[known.name] = MeasureBound(known, worst, needs)
    return tuple(found.values())


def given_bounds(class_bounds: object) -> list[tuple[Any, Any]]:
    """Measures and their bounds, as they are given.

    Raises
    ------
    TypeError
        If they are no mapping.
    """
    if not isinstance(class_bounds, Mapping | None):
        raise TypeError(
            f"class_bounds: expected a dictionary of bounds by measure, found {class_bounds!r}"
        )
    return list((class_bounds or {}).items())


def bound_names() -> list[str]:
    """Names of the measures that bounds of single classes can be put on."""
    return [name for name, measure in MEASURES.items() if measure.per_class is not None]


def check_per_class(measure: Measure, name: str) -> None:
    """Refuse a measure that is none of single classes; `name` is what it was called.

    Raises
    ------
    ValueError
        If it is none; names those that are.
    """
    if measure.per_class is None:
        raise ValueError(
            f"class_bounds: expected measures of single classes ({', '.join(bound_names())}, "
            f"or your own with per_class), found {name!r}"
        )


def kept_classes(
    table: Microdata,
    node: Sequence[int],
    class_of_row: AnyIntArray,
    *,
    k: int | None,
    class_bounds: Mapping[Any, float],
) -> BoolArray:
    """Which classes of a table at a node meet k and the bounds, (n_classes,).

    Parameters
    ----------
    table : Microdata
    node : sequence of int (n_quasi_identifiers,)
    class_of_row : int array (n_rows,)
        Class of each row at the node, every number from 0 on.
    k : int
        Needed, as without it there are no bounds of classes.
    class_bounds : mapping of str or Measure to float
        As in `measure_bounds`.

    Raises
    ------
    ValueError
        As `measure_bounds`; or if there is no k.
    """
    rule = SuppressionRule(0, k, measure_bounds(class_bounds, table))
    sizes = np.bincount(class_of_row)
    _, first_row = np.unique(class_of_row, return_index=True)

    def decode(classes: IntArray) -> IntArray:
        rows = table.codes[first_row[classes]]
        maps = [table.hierarchies[column].maps for column in table.quasi_identifiers]
        values = [maps[i][level][rows[:, i]] for i, level in enumerate(node)]
        return np.column_stack(values).astype(np.int64)

    facts = TableFacts.of(table)
    classes = ClassTable(
        facts=facts,
        rule=rule,
        labels=NodeLabels(facts, tuple(node), decode),
        sizes=sizes,
        **role_counts(table, class_of_row, rule.needs, n_classes=len(sizes)),
    )
    return classes.kept


def _all_needs(table: Microdata) -> frozenset[str]:
    """What a function of classes may read where it does not say: whatever the table has."""
    found = {SENSITIVE_COUNTS} if table.sensitive is not None else set()
    return frozenset(found | ({TARGET} if table.target is not None else set()))
