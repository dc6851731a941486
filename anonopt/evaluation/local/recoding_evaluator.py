"""The evaluator of local recodings: the measures of lattice nodes, of groups with own labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray, FloatArray, IntArray
from anonopt.data.recoded_groups import RecodedGroups, check_groups_of
from anonopt.evaluation.lattice.nodes import EVERYTHING
from anonopt.evaluation.lattice.plan import Plan, n_statistics
from anonopt.evaluation.lattice.table_evaluator import TableEvaluator
from anonopt.measures.lattice.class_table import ClassTable, RowClasses
from anonopt.measures.lattice.recoded_classes import class_of_groups, recoded_classes
from anonopt.measures.lattice.statistics import NodeStatistics
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.measure import Measure


class RecodingEvaluator(TableEvaluator[RecodedGroups]):
    """Measures local recodings of one table under one suppression rule.

    Groups of equal labels are one class, and the rule holds as for nodes: under a fixed k,
    classes below k or a class bound are suppressed, beside the groups that are so already.

    Parameters
    ----------
    table : Microdata
    k : int, optional
        Fixed-k rule; without it the reverse rule holds.
    suppression : int or float
        Budget: a number of rows if it is an integer, else a share of the rows in 0..1.
    class_bounds : mapping of str or Measure to float, optional
        Under a fixed k, the worst value of a measure that a single class may have.
    weights : mapping of str to float, optional
        Weight of each quasi-identifier in the measure ``glm`` (1 where none is given).
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``
        As in :class:`~anonopt.evaluation.LatticeEvaluator`.

    Attributes
    ----------
    table : Microdata
    rule : SuppressionRule
    compiled : bool
    n_tuples : int

    Raises
    ------
    ValueError, TypeError, ModuleNotFoundError
        As :class:`~anonopt.evaluation.LatticeEvaluator` has it.

    Examples
    --------
    >>> import anonopt as ao
    >>> zone = ao.Hierarchy([["A", "B", "C"], ["N", "N", "C"], ["*", "*", "*"]])
    >>> table = ao.Microdata(
    ...     pd.DataFrame({"zone": ["A", "B", "C", "C"]}), quasi_identifiers=["zone"],
    ...     hierarchies={"zone": zone},
    ... )
    >>> groups = RecodedGroups([0, 0, 1, 1], lows=[[0], [2]], highs=[[1], [2]])
    >>> RecodingEvaluator(table, k=2).evaluate([groups], ["k", "classes", "glm"])
       k  classes  glm
    0  2        2  1.0
    """

    _needs_rows = True

    @cached_property
    def _order(self) -> list[int]:
        """Quasi-identifiers in the order by which the classes of nodes are sorted."""
        layout = self.tuples.layout
        return list(range(len(self.tuples.maps))) if layout is None else layout.order.tolist()

    def evaluate(
        self, recodings: Sequence[RecodedGroups], measures: Sequence[str | Measure]
    ) -> pd.DataFrame:
        """Measure local recodings.

        Parameters
        ----------
        recodings : sequence of RecodedGroups
        measures : list of str or Measure

        Returns
        -------
        DataFrame (n_recodings, n_measures)
            In natural units.

        Raises
        ------
        ValueError
            If groups are not of the rows of the table, their labels do not cover them, or a
            measure cannot be computed (see `measure`).
        """
        for groups in recodings:
            check_groups_of(self.table, groups)
        return pd.DataFrame(self.values(recodings, measures))

    def values(
        self,
        recodings: Sequence[RecodedGroups],
        measures: Sequence[str | Measure],
        *,
        k: Sequence[int] | None = None,
    ) -> dict[str, AnyArray]:
        """Measure recodings that are known to be of the table; for loops that need no frame.

        Parameters
        ----------
        recodings : sequence of RecodedGroups (n,)
        measures : list of str or Measure
        k : sequence of int (n,), optional
            In place of the rule's, one for each recoding.

        Returns
        -------
        dict of arrays (n,)
            By the measures' names.
        """
        plan = self._plan(measures)
        # Statistics are whole numbers, which are the same whatever the order of the classes.
        in_order = bool(plan.by_classes)
        n, n_columns = len(recodings), len(self.tuples.maps)
        levels = np.empty((n, n_columns))
        everything = np.empty((n, n_columns), dtype=np.int64)
        statistics = np.empty((n, n_statistics(self.tuples)), dtype=np.int64)
        by_classes = np.empty((n, len(plan.by_classes)))
        for row, groups in enumerate(recodings):
            merged = class_of_groups(groups, self._order, in_order=in_order)
            classes = self._classes(groups, merged, plan.needs, None if k is None else k[row])
            found = NodeStatistics.of(classes, plan.asked)
            levels[row], statistics[row] = found.nodes[0], found.values[0]
            if found.everything is not None:
                everything[row] = found.everything[0]
            by_classes[row] = self._by_classes(plan, groups, classes, merged)
        found = NodeStatistics(self.tuples.facts, self.rule, levels, statistics, everything)
        return plan.columns(found, by_classes)

    def applied(self, groups: RecodedGroups, *, k: int | None = None) -> RecodedGroups:
        """A recoding with what the rule suppresses of it.

        Parameters
        ----------
        groups : RecodedGroups
        k : int, optional
            In place of the rule's.
        """
        first, class_of_group = class_of_groups(groups, self._order)
        classes = self._classes(groups, (first, class_of_group), self.rule.needs, k)
        suppressed = ~classes.kept[class_of_group]
        if np.array_equal(suppressed, groups.suppressed):
            return groups
        return groups.suppressing(suppressed)

    def class_table(self, groups: RecodedGroups) -> ClassTable:
        """Equivalence classes of a recoding, with everything the table can count.

        Raises
        ------
        ValueError
            If the groups are not of the rows of the table, or labels do not cover them.
        """
        return self.row_classes(groups).classes

    def row_classes(self, groups: RecodedGroups) -> RowClasses:
        """Equivalence classes of a recoding together with the class of every row.

        Raises
        ------
        ValueError
            As `class_table`.
        """
        check_groups_of(self.table, groups)
        merged = class_of_groups(groups, self._order)
        return self._rows(groups, self._classes(groups, merged, EVERYTHING, None), merged)

    def _statistics_of_loss(self, groups: RecodedGroups) -> NodeStatistics:
        check_groups_of(self.table, groups)
        plan = self._plan(["glm"])
        merged = class_of_groups(groups, self._order)
        return NodeStatistics.of(self._classes(groups, merged, plan.needs, None), plan.asked)

    def _classes(
        self,
        groups: RecodedGroups,
        merged: tuple[IntArray, IntArray],
        needs: frozenset[str],
        k: int | None,
    ) -> ClassTable:
        return recoded_classes(
            self.table,
            groups,
            facts=self.tuples.facts,
            rule=self._rule_of(k),
            classes=merged,
            needs=needs,
        )

    def _rule_of(self, k: int | None) -> SuppressionRule:
        return self.rule if k is None else replace(self.rule, k=int(k))

    def _rows(
        self, groups: RecodedGroups, classes: ClassTable, merged: tuple[IntArray, IntArray]
    ) -> RowClasses:
        return RowClasses(
            classes=classes,
            class_of_row=merged[1][groups.group_of_row],
            sensitive_codes=self.table.sensitive_codes,
        )

    def _by_classes(
        self,
        plan: Plan,
        groups: RecodedGroups,
        classes: ClassTable,
        merged: tuple[IntArray, IntArray],
    ) -> FloatArray:
        values = np.empty(len(plan.by_classes))
        for position, measure in enumerate(plan.by_classes):
            if measure.from_rows is not None:
                value = measure.from_rows(self._rows(groups, classes, merged))
                values[position] = measure.one_number(value)
            else:
                values[position] = measure.of_classes(classes)
        return values
