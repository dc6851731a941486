"""What an evaluation is asked for: measures, the statistics they need, and their formulas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anonopt._typing import AnyArray, CodeArray, FloatArray
from anonopt.data import Microdata
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.measures.lattice.statistics import (
    EXCESS,
    SENSITIVE_COUNTS,
    TARGET,
    NodeStatistics,
)
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.lattice.table_measures import measure_of_table
from anonopt.measures.measure import Measure
from anonopt.measures.registry import MEASURES


@dataclass(frozen=True)
class Plan:
    """Measures to compute, sorted by how they are computed.

    Attributes
    ----------
    measures : tuple of Measure
        In the order asked for.
    asked : frozenset of str
        What the measures need besides the sizes of classes.
    needs : frozenset of str
        What the classes must hold besides their sizes: for the measures and class bounds.
    by_classes : tuple of Measure
        Those that are functions of the class table or of its rows.
    is_compiled : bool
        Whether compiled kernels can compute the statistics.
    least_distinct : int
        For these: distinct sensitive values that a class must have; 0 without such a bound.
    """

    measures: tuple[Measure, ...]
    asked: frozenset[str]
    needs: frozenset[str]
    by_classes: tuple[Measure, ...]
    is_compiled: bool
    least_distinct: int

    @classmethod
    def of(cls, measures: Sequence[Measure], tuples: DistinctTuples, rule: SuppressionRule) -> Plan:
        """Plan the evaluation of `measures` under a rule.

        Raises
        ------
        ValueError
            If there is none, one is given twice, or one has the name of a quasi-identifier.
        """
        names = [measure.name for measure in measures]
        if not names:
            raise ValueError("measures: expected a list of at least one, found none")
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"measures: {name!r} is given twice")
            if name in tuples.facts.names:
                raise ValueError(f"measure {name!r} has the name of a quasi-identifier: rename it")
        asked = {need for measure in measures for need in measure.needs}
        by_classes = tuple(m for m in measures if m.from_statistics is None)
        if by_classes:
            # A function of the class table may read whatever the table has.
            if tuples.n_sensitive:
                asked |= {SENSITIVE_COUNTS}
            if tuples.n_labels:
                asked |= {TARGET}
        needs = rule.needs.union(asked)
        is_compiled = not by_classes and rule.bounds_distinct_alone and tuples.is_compiled(needs)
        return cls(
            tuple(measures),
            frozenset(asked),
            needs,
            by_classes,
            is_compiled,
            rule.least_distinct,
        )

    @property
    def by_rows(self) -> bool:
        """Whether a measure is a function of the rows."""
        return any(measure.from_rows is not None for measure in self.by_classes)

    def columns(self, statistics: NodeStatistics, by_classes: FloatArray) -> dict[str, AnyArray]:
        """Values of every measure, in the order asked for.

        Parameters
        ----------
        statistics : NodeStatistics
        by_classes : float64 array (n_nodes, len(self.by_classes))
        """
        columns: dict[str, AnyArray] = {}
        position = 0
        for measure in self.measures:
            if measure.from_statistics is not None:
                columns[measure.name] = np.asarray(measure.from_statistics(statistics))
            else:
                columns[measure.name] = by_classes[:, position]
                position += 1
        return columns


def checked_measure(
    measure: str | Measure, table: Microdata, rule: SuppressionRule, *, glm: Measure
) -> Measure:
    """Look a measure up and check that the table and the rule have what it needs.

    `glm` takes the place of the built-in measure of that name, to bring in weights.
    """
    found = measure_of_table(measure, table)
    if found.from_rows is not None:
        table.require_rows(f"measure {found.name!r}")
    if found is MEASURES["glm"]:
        found = glm
    if found.needs_k and rule.k is None:
        raise ValueError(f"measure {found.name!r} needs the fixed-k rule: give k=")
    return found


def checked_weights(weights: Mapping[str, float] | None, table: Microdata) -> dict[str, float]:
    """Weights by quasi-identifier, empty without any."""
    names = [str(column) for column in table.quasi_identifiers]
    for name in weights or {}:
        if name not in names:
            raise ValueError(f"weights: {name!r} is not a quasi-identifier: {names}")
    return dict(weights or {})


def n_statistics(tuples: DistinctTuples) -> int:
    """Columns of the table of statistics."""
    return EXCESS + len(tuples.maps)


def parents_of(maps: CodeArray) -> list[CodeArray]:
    """For each level but the top, the code at the next level of each code, (n_values,)."""
    parents = []
    for level in range(len(maps) - 1):
        above = np.empty(int(maps[level, -1]) + 1, dtype=np.int32)
        above[maps[level]] = maps[level + 1]
        parents.append(above)
    return parents
