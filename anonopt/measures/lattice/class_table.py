"""The equivalence classes of a protected table: what every measure of nodes is computed from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from anonopt._typing import BoolArray, CodeArray, IntArray
from anonopt.measures.lattice.class_labels import ClassLabels
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.lattice.table_facts import TableFacts
from anonopt.measures.lattice.value_counts import ValueCounts


@dataclass(frozen=True, eq=False)
class ClassTable:
    """Equivalence classes at one node, or of a local recoding, with the suppression rule applied.

    Attributes
    ----------
    facts : TableFacts
        What the table's nodes share.
    rule : SuppressionRule
        The rule that says which classes are suppressed.
    labels : ClassLabels
        What the classes are labelled with.
    sizes : int64 array (n_classes,)
        Rows of each class; no class is empty.
    sensitive, target : ValueCounts, optional
        Rows of each class with each sensitive value, and with each label of the target column.
    distinct : int64 array (n_classes,), optional
        Number of distinct sensitive values of each class, where it is known already.
    left_out : bool array (n_classes,), optional
        Classes that are suppressed whatever the rule says; by default none.
    """

    facts: TableFacts
    rule: SuppressionRule
    labels: ClassLabels
    sizes: IntArray
    sensitive: ValueCounts | None = field(default=None, repr=False)
    target: ValueCounts | None = field(default=None, repr=False)
    distinct: IntArray | None = field(default=None, repr=False)
    left_out: BoolArray | None = field(default=None, repr=False)

    @property
    def node(self) -> tuple[int, ...]:
        """Generalization levels, (n_quasi_identifiers,).

        Raises
        ------
        ValueError
            If the classes are those of a local recoding, which has no levels of its own.
        """
        return self.labels.node

    def decode(self, classes: IntArray) -> IntArray:
        """Generalized values of classes (n,) as codes of the node's levels.

        Returns
        -------
        int64 array (n, n_quasi_identifiers)

        Raises
        ------
        ValueError
            As `node`.
        """
        return self.labels.codes(classes)

    @cached_property
    def threshold(self) -> int:
        """Smallest class size that is kept: k of the reverse rule, or the fixed k."""
        if self.left_out is None or self.rule.k is not None:
            return self.rule.threshold(self.sizes)
        others = self.sizes[~self.left_out]
        left = self.rule.budget - int(self.sizes[self.left_out].sum())
        rule = replace(self.rule, budget=max(left, 0))
        return rule.threshold(others) if len(others) else int(self.sizes.max())

    @cached_property
    def kept(self) -> BoolArray:
        """Classes that are not suppressed: bool array (n_classes,)."""
        kept = self.sizes >= self.threshold
        if self.left_out is not None:
            kept &= ~self.left_out
        for bound in self.rule.bounds:
            if bound.least_distinct is not None:
                kept &= self.distinct_sensitive() >= bound.least_distinct
            elif kept.any():
                # Seen by its function, no class is suppressed but those below k.
                table = replace(self, rule=replace(self.rule, bounds=()))
                kept[kept] = bound.met(Classes(table, kept.copy()))
        return kept

    @cached_property
    def kept_classes(self) -> Classes:
        """The classes that are not suppressed, as measures see them."""
        return Classes(self, self.kept)

    @cached_property
    def n_suppressed(self) -> int:
        """Rows in suppressed classes."""
        return int(self.sizes[~self.kept].sum())

    @cached_property
    def codes(self) -> IntArray:
        """Generalized values of the classes, int64 array (n_classes, n_quasi_identifiers)."""
        return self.decode(np.arange(len(self.sizes)))

    @cached_property
    def ranges(self) -> tuple[IntArray, IntArray]:
        """First and last leaf that the labels of the classes cover.

        Two int64 arrays (n_classes, n_quasi_identifiers).
        """
        return self.labels.ranges(np.arange(len(self.sizes)))

    def distinct_sensitive(self) -> IntArray:
        """Number of distinct sensitive values of each class, int64 array (n_classes,).

        Raises
        ------
        ValueError
            If the table has no sensitive column.
        """
        if self.distinct is not None:
            return self.distinct
        return self.counted_sensitive().distinct()

    def counted_sensitive(self) -> ValueCounts:
        """Rows of each class with each sensitive value; no more counts than rows are kept.

        Raises
        ------
        ValueError
            If the table has no sensitive column.
        """
        if self.sensitive is None:
            raise ValueError("the table has no sensitive column: give sensitive= to Microdata")
        return self.sensitive

    def sensitive_counts(self) -> IntArray:
        """Rows of each class with each sensitive value, int64 array (n_classes, n_sensitive).

        Raises
        ------
        ValueError
            If the table has no sensitive column, or the counts are more than 1 GiB.
        """
        return self.counted_sensitive().table()

    def of_sensitive(self, column: str) -> ClassTable:
        """The same classes, with the values of one sensitive column, if there are several.

        Parameters
        ----------
        column : str
            Of several, whose values are combinations here. With one there is nothing to choose.
        """
        if not self.facts.sensitive_parts:
            return self
        part = self.facts.sensitive_parts[column]
        facts = replace(
            self.facts,
            sensitive_totals=part.totals,
            sensitive_tree=part.tree,
            sensitive_parts={},
        )
        counts = self.counted_sensitive().grouped(part.codes)
        # What is kept is decided by all columns, and only here.
        rule = replace(self.rule, bounds=())
        table = replace(self, facts=facts, rule=rule, sensitive=counts, distinct=None)
        table.__dict__.update(kept=self.kept, threshold=self.threshold)
        return table

    def counted_target(self) -> ValueCounts:
        """Rows of each class with each target label; like `counted_sensitive`.

        Raises
        ------
        ValueError
            If the table has no target column.
        """
        if self.target is None:
            raise ValueError("the table has no target column: give target= to Microdata")
        return self.target

    def target_counts(self) -> IntArray:
        """Rows of each class with each target label, int64 array (n_classes, n_labels).

        Raises
        ------
        ValueError
            If the table has no target column, or the counts are more than 1 GiB.
        """
        return self.counted_target().table()


@dataclass(frozen=True, eq=False)
class Classes:
    """Some of the equivalence classes of a table; measures are given those that are kept.

    Attributes
    ----------
    all : ClassTable
        All classes of the node or recoding, whether kept or suppressed.
    chosen : bool array (n_all_classes,)
        Which of them these are.

    Examples
    --------
    Of classes of 1, 3 and 2 rows, one row may be suppressed:

    >>> from anonopt.measures.lattice.class_labels import NodeLabels
    >>> counts = (np.array([[1, 1, 1, 1, 1, 1]]),)
    >>> facts = TableFacts(("zip",), 6, counts, counts)
    >>> table = ClassTable(
    ...     facts=facts, rule=SuppressionRule(budget=1),
    ...     labels=NodeLabels(facts, (0,), lambda classes: classes[:, np.newaxis]),
    ...     sizes=np.array([1, 3, 2]),
    ... )
    >>> classes = table.kept_classes
    >>> classes.sizes.tolist(), classes.all.sizes.tolist(), classes.suppressed.sizes.tolist()
    ([3, 2], [1, 3, 2], [1])
    """

    all: ClassTable
    chosen: BoolArray = field(repr=False)

    @property
    def facts(self) -> TableFacts:
        """What the table's nodes share."""
        return self.all.facts

    @property
    def rule(self) -> SuppressionRule:
        """The rule that says which classes are suppressed."""
        return self.all.rule

    @property
    def node(self) -> tuple[int, ...]:
        """Generalization levels; classes of local recodings have none, and raise a ValueError."""
        return self.all.node

    @cached_property
    def suppressed(self) -> Classes:
        """The classes that are suppressed."""
        return Classes(self.all, ~self.all.kept)

    def __len__(self) -> int:
        return len(self.sizes)

    @cached_property
    def sizes(self) -> IntArray:
        """Rows of each class, int64 array (n_classes,), read-only."""
        sizes = self.all.sizes[self.chosen]
        sizes.flags.writeable = False
        return sizes

    @cached_property
    def codes(self) -> IntArray:
        """Generalized values of the classes, int64 array (n_classes, n_quasi_identifiers)."""
        return self.all.decode(np.flatnonzero(self.chosen))

    @cached_property
    def ranges(self) -> tuple[IntArray, IntArray]:
        """First and last leaf under the labels, two int64 arrays (n_classes, n_columns)."""
        return self.all.labels.ranges(np.flatnonzero(self.chosen))

    def distinct_sensitive(self) -> IntArray:
        """Number of distinct sensitive values of each class, int64 array (n_classes,)."""
        return self.all.distinct_sensitive()[self.chosen]

    def counted_sensitive(self) -> ValueCounts:
        """Rows of each class with each sensitive value; no more counts than rows are kept."""
        return self.all.counted_sensitive().chosen(self.chosen)

    def of_sensitive(self, column: str) -> Classes:
        """The same classes, with the values of one of several sensitive columns."""
        return Classes(self.all.of_sensitive(column), self.chosen)

    def counted_target(self) -> ValueCounts:
        """Rows of each class with each target label; like `counted_sensitive`."""
        return self.all.counted_target().chosen(self.chosen)

    def sensitive_counts(self) -> IntArray:
        """Rows of each class with each sensitive value, int64 array (n_classes, n_sensitive)."""
        return self.counted_sensitive().table()

    def target_counts(self) -> IntArray:
        """Rows of each class with each target label, int64 array (n_classes, n_labels)."""
        return self.counted_target().table()


@dataclass(frozen=True, eq=False)
class RowClasses:
    """Equivalence classes together with the class of every row: what a property vector needs.

    Attributes
    ----------
    classes : ClassTable
        All classes, those that are suppressed as well: a property vector has every row.
    class_of_row : int64 array (n_rows,)
        Class of each row.
    sensitive_codes : int32 array (n_rows,), optional
        Sensitive value of each row.
    """

    classes: ClassTable
    class_of_row: IntArray
    sensitive_codes: CodeArray | None = None
