"""From random keys to a local recoding: cuts along the hierarchies from the top down."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
import numpy.typing as npt

from anonopt._checks import check_choice, check_integer
from anonopt._typing import AnyIntArray, IntArray
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.evaluation.local.cut_keys import CutKeys
from anonopt.evaluation.local.cut_plan import CutPlan
from anonopt.evaluation.local.cut_room import cut_room
from anonopt.evaluation.local.cut_scores import BALANCED, CUTS, JOINED, Cuts
from anonopt.evaluation.local.cut_units import CutPieces, CutUnits
from anonopt.evaluation.local.group_cuts import GroupCuts
from anonopt.evaluation.local.label_paths import LabelPaths
from anonopt.evaluation.local.label_tables import LabelTables
from anonopt.evaluation.local.part_rule import PartRule
from anonopt.measures.lattice.suppression_rule import SuppressionRule


class CutDecoder:
    """Decoder of random keys: groups of rows by cuts from the top down.

    All rows start as one group, whose label in each column is the lowest that covers them. A group
    is cut in one column: the rows below each child of its label become groups of their own, whose
    labels are again the lowest. Which column is cut is the one of the highest score (`cut_score`),
    of equal ones the first; a group that no cut is allowed for is final. A child holds enough if
    it has k rows and meets the bounds of classes; the **rest** are the rows of those children that
    hold too few. If no row may be suppressed and the whole table does not hold enough, it stays
    one group, which misses k or the bounds.

    Parameters
    ----------
    tuples : DistinctTuples
    rule : SuppressionRule
        With a fixed k. Rests of cuts are suppressed within its budget, in the order in which the
        groups are made: a group's parts one after the other, each with all that becomes of it.
    cuts : ``"strict"``, ``"relaxed"`` or ``"balanced"``, default="balanced"
        A cut is allowed if there is a child that holds enough, and

        - strict: there is no rest;
        - relaxed: there is none, or it holds enough together. It becomes one group, which has the
          parent's label in this column;
        - balanced: as relaxed, and a rest that holds too few is completed. The other children lend
          it rows, as long as each keeps k: one after the other the rows (some of a tuple, if so
          many are not needed) that extend the labels of the rest at the least loss of a row, of
          equal ones the first. A group that rows were lent to is final. If the children have too
          few rows to spare, the smallest that holds enough joins the rest (of equal ones the
          first), and the next one, until it holds enough, as long as one child is left.

        If distinct sensitive values are bounded (``l``), a child lends no row that is its last
        with a value, and a rest that lacks values is lent rows with values that are new to it. If
        other measures are bounded no rows are lent: children join.
    compiled : bool
        Whether to use the kernels of the extra ``fast``; the result is the same. Other bounds than
        ``l`` are not compiled.
    weights : mapping of str to float, optional
        Factor of each quasi-identifier's loss in the scores, 1 where none is given.

    Attributes
    ----------
    names : tuple of str
        What each key is; keys of 0.5 are what one would choose without a search.

    Raises
    ------
    ValueError
        If the rule has no fixed k, or there are no such cuts.
    """

    def __init__(
        self,
        tuples: DistinctTuples,
        rule: SuppressionRule,
        *,
        cuts: Cuts = "balanced",
        compiled: bool,
        weights: Mapping[str, float] | None = None,
    ) -> None:
        check_choice("cuts", cuts, CUTS)
        self._k, self._budget = rule.fixed_k, rule.budget
        self._tables = LabelTables.of(tuples, weights)
        self._parts = PartRule(tuples, self._tables, rule)
        least, counts = self._parts.least_distinct, self._parts.needs_counts
        kind = CUTS.index(cuts)
        self._keys = CutKeys(tuples, kind=kind, suppresses=rule.budget > 0)
        self._kind = JOINED if kind == BALANCED and counts else kind
        self._compiled = compiled and not counts
        self._units = (
            CutUnits.of_rows(tuples)
            if counts
            else CutUnits.of_tuples(tuples, with_values=least > 0, apart=kind == BALANCED)
        )

    @property
    def names(self) -> tuple[str, ...]:
        """What each key is."""
        return self._keys.names

    def decode(self, keys: npt.ArrayLike, *, k: int | None = None) -> RecodedGroups:
        """The local recoding of some keys.

        Parameters
        ----------
        keys : float array (n_keys,)
            Numbers 0..1 in the order of `names`.
        k : int, optional
            In place of the rule's.

        Raises
        ------
        ValueError
            If the keys are not so many numbers 0..1, or k is below 1.
        """
        return self._cut(self._units, keys, k, self._budget)

    def regrow(
        self, rows: AnyIntArray, keys: npt.ArrayLike, *, k: int | None = None, budget: int = 0
    ) -> RecodedGroups:
        """Cut some of the rows anew, as if they were the table.

        Parameters
        ----------
        rows : int array (n,)
            Numbers of different rows of the table, at least one.
        keys, k
            As in `decode`.
        budget : int, default=0
            Rows among them that may be suppressed.

        Returns
        -------
        RecodedGroups
            Of these rows, in their order.

        Raises
        ------
        ValueError
            As `decode`.
        """
        return self._cut(self._units.among(rows), keys, k, budget)

    def _cut(
        self, units: CutUnits, keys: npt.ArrayLike, k: int | None, budget: int
    ) -> RecodedGroups:
        least = self._k if k is None else check_integer("k", k, least=1)
        plan = CutPlan(
            self._tables,
            self._keys.read(keys),
            self._keys.first_weight,
            # Beyond the number of rows all k are the same, and the double of any is a number.
            self._parts.with_k(min(least, len(units.unit_of_row) + 1)),
            self._kind,
            budget,
        )
        if not self._compiled:
            return _plain_cuts(units, plan).groups(units)
        paths = self._paths if units is self._units else LabelPaths.of(units.codes, self._tables)
        return _compiled_cuts(units, plan, paths, self._columns).groups(units)

    @cached_property
    def _paths(self) -> LabelPaths:
        return LabelPaths.of(self._units.codes, self._tables)

    @cached_property
    def _columns(self) -> IntArray:
        """What kernels know of each column, (n_quasi_identifiers, 4)."""
        tables = self._tables
        return np.column_stack([tables.at, tables.leaves, self._keys.first_weight, tables.heights])


def _plain_cuts(units: CutUnits, plan: CutPlan) -> CutPieces:
    return GroupCuts(units, plan).run()


def _compiled_cuts(
    units: CutUnits, plan: CutPlan, paths: LabelPaths, columns: IntArray
) -> CutPieces:
    from anonopt.evaluation.local.kernel_cuts import cut_groups

    (n_units, n_columns), n_rows = units.codes.shape, len(units.unit_of_row)
    # A row is lent once at most, as the group that it is lent to is final.
    loans = np.empty((n_rows if plan.kind == BALANCED else 0, 3), dtype=np.int64)
    rows_of, group_of = units.sizes.copy(), np.empty(n_units, dtype=np.int64)
    lows, highs = (np.empty((n_units, n_columns), dtype=np.int32) for _ in range(2))
    suppressed = np.empty(n_units, dtype=bool)
    tables, genome = plan.tables, plan.genome
    n_loans, n_groups = cut_groups(
        (units.codes, units.words),
        (paths.digits, paths.words),
        rows_of,
        loans,
        group_of,
        (columns, tables.values, tables.losses),
        (tables.lows, tables.highs, tables.losses_of_values),
        plan.bits_left(n_rows),
        tables.most_children,
        (genome.weights, genome.exponent, genome.price, tables.lost),
        (np.int64(plan.k), np.int64(plan.parts.least_distinct), np.int64(plan.kind)),
        np.int64(plan.budget),
        cut_room(
            n_units,
            n_columns,
            tables.most_children,
            n_words=units.words.shape[1],
            n_path_words=len(paths.words),
        ),
        (lows, highs, suppressed),
    )
    lenders, lent, borrowers = loans[:n_loans].T
    return CutPieces(
        np.concatenate([np.arange(n_units), lenders]),
        np.concatenate([rows_of, lent]),
        np.concatenate([group_of, borrowers]),
        lows[:n_groups],
        highs[:n_groups],
        suppressed[:n_groups],
    )
