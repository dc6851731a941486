"""Classes of a node that miss bounds of single classes, found part by part.

What a bound says of a class follows from the class alone, so the classes need not be in memory
together: those of at least k rows come from the engine in order, with their sensitive values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from anonopt._typing import IntArray
from anonopt.evaluation.engine.engine_classes import counts_of_pairs, engine_classes
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.measures.lattice.class_table import ClassTable
from anonopt.measures.lattice.statistics import TARGET
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.sources.duckdb.duckdb_groups import Grouped, ValueParts
from anonopt.sources.duckdb.duckdb_nodes import SENSITIVE
from anonopt.sources.large_table import LargeTable
from anonopt.sources.packed_words import is_new, numbered


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


@dataclass(frozen=True)
class MissedBounds:
    """Finds the classes that miss the bounds of a rule other than those of l.

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

    def found(self, base: Grouped, node: Sequence[int], classes: str) -> list[IntArray]:
        """Words of the classes that have k rows and miss a bound.

        Parameters
        ----------
        base : Grouped
        node : sequence of int
        classes : str
            Table of the classes of the node.

        Returns
        -------
        list of int64 arrays (n_missed,)
        """
        if self.table.sensitive is not None:
            # Asks how many tuples there are, which the connection cannot tell while it gives parts.
            self.tuples.is_dense(self.tuples.sensitive_column)
        parts = self.table.nodes.value_parts(
            base, node, SENSITIVE, of=f"{classes} where n >= {self.rule.fixed_k}"
        )
        missed = []
        for part in parts:
            first = np.flatnonzero(is_new(part.words))
            left_out = first[~self._classes(node, part, first).kept]
            missed.append([word[left_out] for word in part.words])
        return [np.concatenate(column) for column in zip(*missed, strict=True)]

    def _classes(self, node: Sequence[int], part: ValueParts, first: IntArray) -> ClassTable:
        """The classes of a part, whose pairs begin at `first`."""
        counts = None
        if part.values:
            values = self.table.values_of(SENSITIVE, part.values)
            column = self.tuples.sensitive_column
            counts = counts_of_pairs(
                self.tuples, column, numbered(part.words), values, part.numbers
            )
        others = tuple(bound for bound in self.rule.bounds if bound.least_distinct is None)
        return engine_classes(
            self.tuples,
            replace(self.rule, bounds=others),
            node,
            self.table.nodes.codes([word[first] for word in part.words], node),
            np.add.reduceat(part.numbers, first),
            sensitive=counts,
        )
