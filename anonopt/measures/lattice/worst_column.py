"""Measures of several sensitive columns: of one by its name, or the worst over all of them.

``"l"`` is the least over the columns, ``"l:occupation"`` that of one. What is declared of a
measure, such as that it never falls when a level is raised, holds of the worst of several as well.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from anonopt._typing import FloatArray
from anonopt.measures.lattice.class_table import Classes, ClassTable
from anonopt.measures.lattice.statistics import (
    SENSITIVE,
    SENSITIVE_COUNTS,
    SENSITIVE_HIERARCHY,
    NodeStatistics,
)
from anonopt.measures.measure import Measure

SEPARATOR = ":"
"""Stands between a measure and the sensitive column that it is of."""

OF_COLUMNS = frozenset({SENSITIVE, SENSITIVE_COUNTS, SENSITIVE_HIERARCHY})


@dataclass(frozen=True)
class WorstColumn:
    """A function of classes: the worst value of a measure over some sensitive columns.

    Attributes
    ----------
    text : str
        What the measure is, told apart from others of that name.
    columns : tuple of str
    measure : Measure
    """

    text: str
    columns: tuple[str, ...]
    measure: Measure = field(repr=False)

    def __call__(self, classes: Classes) -> float:
        """Value of a node."""
        values = [
            node_value(self.measure, classes.all.of_sensitive(column)) for column in self.columns
        ]
        return min(values) if self.measure.maximize else max(values)


@dataclass(frozen=True)
class WorstColumnOfEach:
    """A function of classes: for each of them the worst value over some sensitive columns.

    Attributes
    ----------
    text, columns, measure
        As in `WorstColumn`.
    """

    text: str
    columns: tuple[str, ...]
    measure: Measure = field(repr=False)

    def __call__(self, classes: Classes) -> FloatArray:
        """Value of each class, (n_classes,)."""
        values = [self.measure.of_each(classes.of_sensitive(column)) for column in self.columns]
        return np.asarray((np.minimum if self.measure.maximize else np.maximum).reduce(values))


def node_value(measure: Measure, table: ClassTable) -> float:
    """Value of a node by a measure, from all its classes; an int where it counts."""
    if measure.from_statistics is None:
        return measure.of_classes(table)
    value: float = measure.from_statistics(NodeStatistics.of(table, measure.needs))[0].item()
    return value


@cache
def of_columns(measure: Measure, columns: tuple[str, ...], name: str, text: str) -> Measure:
    """The worst of a measure over some sensitive columns, one object a process.

    Parameters
    ----------
    measure : Measure
    columns : tuple of str
    name : str
    text : str
        See `WorstColumn`.
    """
    each = measure.per_class and WorstColumnOfEach(text, columns, measure)
    summary = f"{measure.summary} ({', '.join(columns)})"
    return replace(
        measure,
        name=name,
        from_statistics=None,
        from_classes=WorstColumn(text, columns, measure),
        per_class=each,
        # The measure itself says what it is where no class is kept.
        needs_kept=False,
        needs=(measure.needs - {SENSITIVE}) | {SENSITIVE_COUNTS},
        summary=summary,
    )


def of_one_column(measure: Measure, column: str) -> Measure:
    """A measure of one sensitive column, such as ``"l:occupation"``.

    Raises
    ------
    ValueError
        If it is none of the sensitive attribute.
    """
    if measure.from_rows is not None or OF_COLUMNS.isdisjoint(measure.needs):
        raise ValueError(
            f"measure {measure.name!r}: expected one of the sensitive column before "
            f"{SEPARATOR + column!r}, found one that does not look at it"
        )
    return of_columns(measure, (column,), f"{measure.name}{SEPARATOR}{column}", measure.name)
