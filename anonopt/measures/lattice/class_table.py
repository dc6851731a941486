"""The equivalence classes of a table at one lattice node: what every measure is computed from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from anonopt._checks import check_integer
from anonopt._typing import AnyIntArray, BoolArray, CodeArray, IntArray
from anonopt.data.suppression import reverse_threshold
from anonopt.measures.lattice.population import Population


@dataclass(frozen=True)
class SuppressionRule:
    """Which classes are suppressed: fixed k, or (without k) the reverse rule.

    Attributes
    ----------
    budget : int
        Rows that may be suppressed.
    k : int, optional
        Rows in classes smaller than k are suppressed (De Pascale 2022). Without it the
        smallest classes are suppressed as far as the budget goes (Dewri 2010, Section 6).

    Raises
    ------
    ValueError
        If k is below 1.
    TypeError
        If k is no whole number.
    """

    budget: int
    k: int | None = None

    def __post_init__(self) -> None:
        if self.k is not None:
            check_integer("k", self.k, least=1)

    def threshold(self, sizes: AnyIntArray) -> int:
        """Smallest class size that is kept."""
        return reverse_threshold(sizes, self.budget) if self.k is None else self.k


@dataclass(frozen=True)
class TableFacts:
    """What all nodes of one table share.

    Attributes
    ----------
    names : tuple of str
        The quasi-identifiers.
    n_rows : int
        N, rows of the table.
    leaf_counts : tuple of tuples of int64 arrays
        ``leaf_counts[i][level][code]``: leaves under a value of quasi-identifier i.
    value_counts : tuple of tuples of int64 arrays
        ``value_counts[i][level][code]``: rows of the table with that generalized value.
    sensitive_totals : int64 array (n_sensitive,), optional
        Rows of the table with each sensitive value.
    sensitive_tree : tuple of int32 arrays (n_sensitive,), optional
        Code at each level of each sensitive value, where the column has a hierarchy.
    population : Population, optional
        Of which the table is a sample.
    """

    names: tuple[str, ...]
    n_rows: int
    leaf_counts: tuple[tuple[IntArray, ...], ...]
    value_counts: tuple[tuple[IntArray, ...], ...]
    sensitive_totals: IntArray | None = None
    sensitive_tree: tuple[CodeArray, ...] | None = None
    population: Population | None = None

    @cached_property
    def heights(self) -> tuple[int, ...]:
        """Height of each quasi-identifier's hierarchy."""
        return tuple(len(levels) - 1 for levels in self.leaf_counts)

    @cached_property
    def n_leaves(self) -> tuple[int, ...]:
        """Leaves of each quasi-identifier's hierarchy (M in the loss formulas)."""
        return tuple(len(levels[0]) for levels in self.leaf_counts)

    @cached_property
    def excess_leaves(self) -> tuple[IntArray, ...]:
        """Sum over all rows of ``m - 1``, one array (height + 1,) by level a quasi-identifier.

        m is the number of leaves under the row's generalized value; nothing is suppressed.
        """
        return tuple(
            np.array([((m - 1) * n).sum() for m, n in zip(leaves, rows, strict=True)])
            for leaves, rows in zip(self.leaf_counts, self.value_counts, strict=True)
        )


@dataclass(frozen=True, eq=False)
class ClassTable:
    """Equivalence classes at one node, with the suppression rule applied.

    Attributes
    ----------
    facts : TableFacts
        What the table's nodes share.
    rule : SuppressionRule
        The rule that says which classes are suppressed.
    node : tuple of int (n_quasi_identifiers,)
        Generalization levels.
    sizes : int64 array (n_classes,)
        Rows of each class; no class is empty.
    decode : callable
        Takes class numbers (n,) and returns their generalized values as codes of the node's
        levels, int64 array (n, n_quasi_identifiers).
    sensitive : int array (n_classes, n_sensitive), optional
        Rows of each class with each sensitive value.
    target : int array (n_classes, n_labels), optional
        Rows of each class with each label of the target column.
    distinct : int64 array (n_classes,), optional
        Number of distinct sensitive values of each class, where it is known already.
    """

    facts: TableFacts
    rule: SuppressionRule
    node: tuple[int, ...]
    sizes: IntArray
    decode: Callable[[IntArray], IntArray] = field(repr=False)
    sensitive: AnyIntArray | None = field(default=None, repr=False)
    target: AnyIntArray | None = field(default=None, repr=False)
    distinct: IntArray | None = field(default=None, repr=False)

    @cached_property
    def threshold(self) -> int:
        """Smallest class size that is kept: k of the reverse rule, or the fixed k."""
        return self.rule.threshold(self.sizes)

    @cached_property
    def kept(self) -> BoolArray:
        """Classes that are not suppressed: bool array (n_classes,)."""
        return self.sizes >= self.threshold

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

    def distinct_sensitive(self) -> IntArray:
        """Number of distinct sensitive values of each class, int64 array (n_classes,).

        Raises
        ------
        ValueError
            If the table has no sensitive column.
        """
        if self.distinct is not None:
            return self.distinct
        return np.asarray(np.count_nonzero(self.sensitive_counts(), axis=1))

    def sensitive_counts(self) -> IntArray:
        """Rows of each class with each sensitive value, int64 array (n_classes, n_sensitive).

        Raises
        ------
        ValueError
            If the table has no sensitive column.
        """
        if self.sensitive is None:
            raise ValueError("the table has no sensitive column: give sensitive= to Microdata")
        # Counts are stored as narrow as they fit, so their squares would wrap.
        return self.sensitive.astype(np.int64)

    def target_counts(self) -> IntArray:
        """Rows of each class with each target label, int64 array (n_classes, n_labels).

        Raises
        ------
        ValueError
            If the table has no target column.
        """
        if self.target is None:
            raise ValueError("the table has no target column: give target= to Microdata")
        return self.target.astype(np.int64)


@dataclass(frozen=True, eq=False)
class Classes:
    """Some of the equivalence classes at a node; measures are given those that are kept.

    Attributes
    ----------
    all : ClassTable
        All classes of the node, whether kept or suppressed.
    chosen : bool array (n_all_classes,)
        Which of them these are.

    Examples
    --------
    Of classes of 1, 3 and 2 rows, one row may be suppressed:

    >>> counts = (np.array([[1, 1, 1, 1, 1, 1]]),)
    >>> table = ClassTable(
    ...     facts=TableFacts(("zip",), 6, counts, counts), rule=SuppressionRule(budget=1),
    ...     node=(0,), sizes=np.array([1, 3, 2]), decode=lambda classes: classes[:, np.newaxis],
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
        """Generalization levels."""
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

    def distinct_sensitive(self) -> IntArray:
        """Number of distinct sensitive values of each class, int64 array (n_classes,)."""
        return self.all.distinct_sensitive()[self.chosen]

    def sensitive_counts(self) -> IntArray:
        """Rows of each class with each sensitive value, int64 array (n_classes, n_sensitive)."""
        return self.all.sensitive_counts()[self.chosen]

    def target_counts(self) -> IntArray:
        """Rows of each class with each target label, int64 array (n_classes, n_labels)."""
        return self.all.target_counts()[self.chosen]


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


def column_counts(
    maps: Sequence[CodeArray], codes: CodeArray
) -> tuple[tuple[IntArray, ...], tuple[IntArray, ...]]:
    """Count leaves and rows under every value of one column.

    Parameters
    ----------
    maps : int32 arrays (n_leaves,), one a level
        Code at each level of each leaf.
    codes : int32 array (n_rows,)
        Leaf of each row.

    Returns
    -------
    leaf_counts, value_counts : tuples of int64 arrays, one a level, each (n_values,)
    """
    rows = np.bincount(codes, minlength=len(maps[0]))
    leaf_counts = tuple(np.bincount(level) for level in maps)
    value_counts = tuple(np.bincount(level, weights=rows).astype(np.int64) for level in maps)
    return leaf_counts, value_counts
