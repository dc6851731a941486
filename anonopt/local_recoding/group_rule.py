"""Which rows may be a group: k of them or more, and as many as the bounds of classes want."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from anonopt._typing import AnyIntArray, BoolArray, IntArray
from anonopt.data import Microdata
from anonopt.local_recoding.regions.whole_table import too_few_rows, unmet_bounds
from anonopt.measures.lattice.class_bounds import measure_bounds
from anonopt.measures.lattice.class_labels import ClassLabels
from anonopt.measures.lattice.class_table import ClassTable
from anonopt.measures.lattice.population import Population
from anonopt.measures.lattice.statistics import role_counts
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.lattice.table_facts import TableFacts

NO_LABELS = (
    "class_bounds: expected measures of the sizes and values of classes, as groups that are being "
    "made have no labels yet; found one that reads labels"
)


@dataclass(frozen=True, eq=False)
class GroupRule:
    """k and the bounds that every group of a table has to meet.

    Attributes
    ----------
    table : Microdata
    rule : SuppressionRule
        With a k.

    Examples
    --------
    >>> from anonopt.data import load_dataset
    >>> rule = GroupRule.of(load_dataset("patients"), 3)
    >>> rule.allowed(np.array([0, 0, 0, 1]), np.arange(4)).tolist()
    [True, False]
    """

    table: Microdata
    rule: SuppressionRule

    @classmethod
    def of(
        cls,
        table: Microdata,
        k: int,
        *,
        class_bounds: Mapping[Any, float] | None = None,
        budget: int = 0,
    ) -> GroupRule:
        """The rule of a table, which the whole table has to meet.

        Parameters
        ----------
        table : Microdata
        k : int
            From 1 to the number of rows.
        class_bounds : mapping of str or Measure to float, optional
            See :class:`~anonopt.evaluation.LatticeEvaluator`.
        budget : int
            Rows that may be suppressed.

        Raises
        ------
        ValueError
            If the whole table, as one group, is smaller than k or misses a bound: no recoding has
            groups that meet them then.
        """
        table.require_rows("local recoding")
        rule = cls(table, SuppressionRule(budget, k, measure_bounds(class_bounds, table)))
        if table.n_rows < k:
            raise ValueError(too_few_rows(k, table.n_rows))
        whole = np.zeros(table.n_rows, dtype=np.int64)
        if not rule.allowed(whole, np.arange(table.n_rows))[0]:
            raise ValueError(unmet_bounds(rule.rule.bounds))
        return rule

    def require_united_bounds(self) -> None:
        """Refuse bounds that groups can meet one by one, and miss as one class.

        Raises
        ------
        ValueError
            Names them: groups of equal labels are one class.
        """
        parting = [bound for bound in self.rule.bounds if not bound.unites]
        if parting:
            raise ValueError(
                "class_bounds: expected measures of which it is known that groups that meet a "
                "bound meet it as one class (Measure.merged), as groups may have equal labels; "
                f"found {', '.join(map(repr, parting))}"
            )

    @property
    def k(self) -> int:
        """Least rows of a group."""
        return self.rule.fixed_k

    @property
    def least_rows(self) -> int:
        """Rows that a group needs at least: k, or the distinct sensitive values that are wanted."""
        return max(self.k, self.rule.least_distinct)

    def allowed(self, part_of_row: AnyIntArray, rows: AnyIntArray) -> BoolArray:
        """Which parts of some rows may be groups, (n_parts,).

        Parameters
        ----------
        part_of_row : int array (n,)
            Part of each of the rows, each number from 0 on.
        rows : int array (n,)
            Rows of the table.
        """
        sizes = np.bincount(part_of_row)
        if not self.rule.bounds:
            return np.asarray(sizes >= self.k)
        parts = ClassTable(
            facts=self._facts,
            rule=self.rule,
            labels=_Unlabelled(self._facts),
            sizes=sizes,
            **role_counts(
                self.table, part_of_row, self.rule.needs, n_classes=len(sizes), rows=rows
            ),
        )
        return parts.kept

    def suppressed(self, part_of_row: AnyIntArray) -> BoolArray:
        """Parts of the whole table that are suppressed, as they may not be groups, (n_parts,)."""
        return ~self.allowed(part_of_row, np.arange(self.table.n_rows))

    @cached_property
    def _facts(self) -> TableFacts:
        return TableFacts.of(self.table)


class _Unlabelled(ClassLabels):
    """Parts that are being made, and get their labels later."""

    @property
    def node(self) -> NoReturn:
        """There is none."""
        raise ValueError(NO_LABELS)

    def codes(self, classes: IntArray) -> NoReturn:
        """There are none."""
        raise ValueError(NO_LABELS)

    def ranges(self, classes: IntArray) -> NoReturn:
        """There are none."""
        raise ValueError(NO_LABELS)

    def levels(self, sizes: IntArray, kept: BoolArray) -> NoReturn:
        """There are none."""
        raise ValueError(NO_LABELS)

    def everything(self, sizes: IntArray) -> NoReturn:
        """Nothing is known of cells."""
        raise ValueError(NO_LABELS)

    def cells(self, attribute: int, sizes: IntArray) -> NoReturn:
        """Nothing is known of cells."""
        raise ValueError(NO_LABELS)

    def people(self, population: Population, classes: IntArray) -> NoReturn:
        """Nobody is covered yet."""
        raise ValueError(NO_LABELS)
