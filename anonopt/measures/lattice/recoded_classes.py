"""The equivalence classes of a local recoding, so that every measure of nodes measures it.

A recoding that gives all rows the values of one node has the figures of that node. Decided, where
a node says more than the labels of its classes:

- The level of a label is the lowest at which one value covers all of its leaves. Below a chain of
  only children a node may be higher than that, and ``height``, ``generalization_level`` and
  ``precision_loss`` are then those of the lowest node that writes the same groups.
- In place of a level of the node stands the mean level over the kept rows; over all rows where
  none is kept.
- Rows of the table, or of a population, belong to a label where it covers their values, although
  some of them may have got another label: nobody who reads the file could tell.
- A suppressed row keeps the label that it would have had, for the measures that look at it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from anonopt._typing import AnyArray, BoolArray, CodeArray, IntArray
from anonopt.data import Microdata
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.measures.lattice.class_labels import ClassLabels
from anonopt.measures.lattice.class_table import ClassTable
from anonopt.measures.lattice.population import Population
from anonopt.measures.lattice.statistics import role_counts
from anonopt.measures.lattice.suppression_rule import SuppressionRule
from anonopt.measures.lattice.table_facts import TableFacts

NO_NODE = (
    "classes of a local recoding have no node of their own: expected a measure that reads "
    "classes.ranges, the first and last leaf under the labels, found one that reads levels"
)


@dataclass(frozen=True, eq=False)
class RecodedLabels(ClassLabels):
    """Labels of the classes of a local recoding: ranges of leaves, which may overlap.

    Attributes
    ----------
    lows, highs : int arrays (n_classes, n_quasi_identifiers)
    """

    lows: CodeArray = field(repr=False)
    highs: CodeArray = field(repr=False)

    @property
    def node(self) -> tuple[int, ...]:
        """Raises a ValueError: there is none."""
        raise ValueError(NO_NODE)

    def codes(self, classes: IntArray) -> IntArray:
        """Raises a ValueError: without a node's levels there are no codes of them."""
        raise ValueError(NO_NODE)

    def ranges(self, classes: IntArray) -> tuple[IntArray, IntArray]:
        """See `ClassLabels.ranges`."""
        return self.lows[classes].astype(np.int64), self.highs[classes].astype(np.int64)

    def levels(self, sizes: IntArray, kept: BoolArray) -> AnyArray:
        """Mean level over the kept rows, float64 array (n_quasi_identifiers,)."""
        rows = np.where(kept, sizes, 0) if kept.any() else sizes
        total = [
            rows @ self.facts.label_levels(attribute, low, high)
            for attribute, (low, high) in enumerate(zip(self.lows.T, self.highs.T, strict=True))
        ]
        return np.asarray(np.array(total) / rows.sum())

    def everything(self, sizes: IntArray) -> IntArray:
        """See `ClassLabels.everything`."""
        # For whole numbers several times as fast as a product of matrices.
        return np.asarray(np.einsum("i,ij->j", sizes, self.highs - self.lows))

    def cells(self, attribute: int, sizes: IntArray) -> tuple[IntArray, IntArray]:
        """See `ClassLabels.cells`."""
        rows, lows, highs = self.rows_by_label(attribute, np.arange(len(sizes)), sizes)
        before = np.concatenate([[0], np.cumsum(self.facts.value_counts[attribute][0])])
        return rows, before[highs + 1] - before[lows]

    def people(self, population: Population, classes: IntArray) -> IntArray:
        """See `ClassLabels.people`."""
        lows, highs = self.ranges(classes)
        return population.covered(lows, highs)


def class_of_groups(
    groups: RecodedGroups, order: Sequence[int], *, in_order: bool = True
) -> tuple[IntArray, IntArray]:
    """Equivalence classes that groups make: those of equal labels, suppressed ones apart.

    Parameters
    ----------
    groups : RecodedGroups
    order : sequence of int (n_quasi_identifiers,)
        Quasi-identifiers from the most significant to the least one for the order of classes.
    in_order : bool
        Whether the order of classes matters, as it does to the last bit of a sum of fractions;
        otherwise groups stay in theirs where no two of them are one class.

    Returns
    -------
    first_group : int64 array (n_classes,)
        A group of each class, in the order of the first leaves under their labels.
    class_of_group : int64 array (n_groups,)
    """
    keys = groups.class_keys(order)
    if not in_order:
        ordered = np.sort(keys)
        if (ordered[1:] > ordered[:-1]).all():
            return np.arange(len(keys)), np.arange(len(keys))
    _, first, class_of_group = np.unique(keys, return_index=True, return_inverse=True)
    return first, class_of_group


def recoded_classes(
    table: Microdata,
    groups: RecodedGroups,
    *,
    facts: TableFacts,
    rule: SuppressionRule,
    classes: tuple[IntArray, IntArray],
    needs: Collection[str],
) -> ClassTable:
    """Equivalence classes of a local recoding, with the counts that are needed.

    Parameters
    ----------
    table : Microdata
    groups : RecodedGroups
        Of its rows.
    facts : TableFacts
        Of the table.
    rule : SuppressionRule
        Suppresses classes that miss it, beside those that are suppressed already.
    classes : tuple of int64 arrays
        As `class_of_groups` finds them.
    needs : collection of str
        Which of `SENSITIVE`, `SENSITIVE_COUNTS` and `TARGET` to count.
    """
    first, class_of_group = classes
    sizes = np.bincount(class_of_group, weights=groups.sizes).astype(np.int64)
    # A user's measure must not change what other measures see.
    sizes.flags.writeable = False

    suppressed = groups.suppressed[first]
    # Which class each row has takes as long as all else, and sizes alone do not need it.
    class_of_row = class_of_group[groups.group_of_row] if needs else np.empty(0, dtype=np.int64)
    return ClassTable(
        facts=facts,
        rule=rule,
        labels=RecodedLabels(facts, groups.lows[first], groups.highs[first]),
        sizes=sizes,
        **role_counts(table, class_of_row, needs, n_classes=len(sizes)),
        left_out=suppressed if suppressed.any() else None,
    )
