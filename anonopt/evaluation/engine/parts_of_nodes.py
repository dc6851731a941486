"""Classes of a node that come from the engine part by part, as they do not fit together.

What a bound says of a class follows from the class alone, and values of many measures of a node
from those of parts of its classes, so that they need not be in memory together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from anonopt._typing import BoolArray, IntArray
from anonopt.evaluation.engine.engine_classes import counts_of_pairs, engine_classes
from anonopt.evaluation.engine.values_of_parts import value_of_parts
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.measures.lattice.class_table import ClassTable
from anonopt.measures.lattice.statistics import TARGET
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.measure import Measure
from anonopt.sources.duckdb.duckdb_groups import Grouped, Histogram, ValueParts
from anonopt.sources.duckdb.duckdb_node_words import SENSITIVE
from anonopt.sources.large_table import LargeTable
from anonopt.sources.packed_words import is_new, numbered

COUNTS = 1 << 22
"""Counts of values, zeros included, that are in memory at a time."""


def check_bounds(rule: SuppressionRule) -> None:
    """Refuse bounds that look at the target, whose labels are counted apart.

    Raises
    ------
    ValueError
    """
    for bound in rule.bounds:
        if bound.least_distinct is None and TARGET in bound.needs:
            raise ValueError(
                "class_bounds: expected bounds that need no target where nodes are evaluated by "
                f"the engine (max_tuples), found {bound.measure.name!r}"
            )


class RuledClasses(NamedTuple):
    """Classes of a node with the rule applied.

    Attributes
    ----------
    classes : str
        Their table.
    found : Histogram
    kept : bool array (n,)
        Entries of the histogram whose classes are kept.
    threshold : int
        Smallest size that is kept.
    condition : str
        That classes are kept.
    """

    classes: str
    found: Histogram
    kept: BoolArray
    threshold: int
    condition: str


@dataclass(frozen=True)
class PartsOfNodes:
    """Looks at classes of nodes some at a time.

    Parameters
    ----------
    table : LargeTable
    tuples : DistinctTuples
        Facts of the table.
    rule : SuppressionRule
        See `check_bounds`.
    """

    table: LargeTable
    tuples: DistinctTuples
    rule: SuppressionRule

    def missed(self, rows: Grouped, classes: str) -> list[IntArray]:
        """Words of the classes of a node that have k rows and miss a bound other than those of l.

        Parameters
        ----------
        rows : Grouped
            Of the node, with its sensitive values if there are any.
        classes : str
            Table of its classes.

        Returns
        -------
        list of int64 arrays (n_missed,)
        """
        others = tuple(bound for bound in self.rule.bounds if bound.least_distinct is None)
        rule, missed = replace(self.rule, bounds=others), []
        for part, first in self._parts(rows, classes, f"n >= {self.rule.fixed_k}", "true"):
            left_out = first[~self._classes(rows.node, part, first, rule).kept]
            missed.append([word[left_out] for word in part.words])
        return [np.concatenate(column) for column in zip(*missed, strict=True)]

    def values(
        self, measures: Sequence[Measure], rows: Grouped, ruled: RuledClasses
    ) -> list[float]:
        """Values of a node by measures that follow from parts of its classes.

        Parameters
        ----------
        measures : sequence of Measure
        rows : Grouped
            As in `missed`.
        ruled : RuledClasses
            The classes of the node.
        """
        found = [value_of_parts(measure) for measure in measures]
        where = ruled.condition
        if any(value.looks_at_all for value in found):
            where = "true"
        elif not ruled.kept.any():
            # Any class will do: it says what holds where none is kept.
            where = "true limit 1"
        for part, first in self._parts(rows, ruled.classes, where, ruled.condition):
            table = self._classes(rows.node, part, first, self.rule)
            table.__dict__.update(kept=part.kept[first], threshold=ruled.threshold)
            for value in found:
                value.add(table)
        return [value.value for value in found]

    def _parts(
        self, rows: Grouped, classes: str, where: str, kept: str
    ) -> Iterator[tuple[ValueParts, IntArray]]:
        """Pairs of some classes, and where those of each class begin."""
        most = 1
        if self.table.sensitive is not None:
            # Asks how many tuples there are, which the connection cannot tell while it gives parts.
            is_dense = self.tuples.is_dense(self.tuples.sensitive_column)
            most = self.tuples.sensitive_column.width if is_dense else 1
        parts = self.table.nodes.value_parts(
            rows, SENSITIVE, classes=classes, where=where, kept=kept
        )
        n_classes = max(COUNTS // most, 1)
        with closing(parts):
            for part in parts:
                first = np.flatnonzero(is_new(part.words))
                for start in range(0, len(first), n_classes):
                    ends = np.append(first[start:], len(part.numbers))[: n_classes + 1]
                    pairs = slice(ends[0], ends[-1])
                    yield part.of(pairs), ends[:-1] - ends[0]

    def _classes(
        self, node: Sequence[int], part: ValueParts, first: IntArray, rule: SuppressionRule
    ) -> ClassTable:
        """The classes of a part, whose pairs begin at `first`."""
        counts = None
        if part.values:
            values = self.table.values_of(SENSITIVE, part.values)
            column = self.tuples.sensitive_column
            counts = counts_of_pairs(
                self.tuples, column, numbered(part.words), values, part.numbers
            )
        return engine_classes(
            self.tuples,
            rule,
            node,
            self.table.nodes.codes([word[first] for word in part.words], node),
            np.add.reduceat(part.numbers, first),
            sensitive=counts,
        )
