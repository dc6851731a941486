"""From random keys to a local recoding: cuts along the hierarchies from the top down."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from anonopt._checks import check_choice, check_integer
from anonopt._typing import AnyIntArray, IntArray
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.evaluation.local.cut_keys import CutKeys
from anonopt.evaluation.local.cut_scores import CUTS, Cuts, rows_times_bits
from anonopt.evaluation.local.label_tables import LabelTables
from anonopt.measures.lattice.suppression_rule import SuppressionRule


class CutDecoder:
    """Decoder of random keys: groups of rows by cuts from the top down.

    All rows start as one group, whose label in each column is the lowest that covers them. A group
    is cut in one column: the rows below each child of its label become groups of their own. Which
    column is cut is the one of the highest score (`cut_score`), of equal ones the first; a group
    that no cut is allowed for stays. A child holds enough if it has k rows and meets the bounds of
    classes; the **rest** are the rows of children that hold too few.

    Parameters
    ----------
    tuples : DistinctTuples
        Rows of one tuple always stay together.
    rule : SuppressionRule
        With a fixed k. The rest of a cut may be suppressed within its budget.
    cuts : ``"strict"``, ``"relaxed"`` or ``"joined"``
        A cut is allowed if there is a child that holds enough, and

        - strict: there is no rest;
        - relaxed: the rest holds enough together, or there is none. It stays one group, with the
          parent's label;
        - joined: as relaxed; to a rest that holds too few, the smallest child that holds enough
          is joined, and the next one, until it does, as long as one child is left.
    compiled : bool
        Whether to use the kernels of the extra ``fast``; the result is the same.
    weights : mapping of str to float, optional
        Factor of each quasi-identifier's loss in the scores, 1 where none is given.

    Attributes
    ----------
    names : tuple of str
        What each key is; 0.5 is what one would choose without a search.

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
        cuts: Cuts = "joined",
        compiled: bool,
        weights: Mapping[str, float] | None = None,
    ) -> None:
        if rule.k is None:
            raise ValueError("rule: expected one with a fixed k, found none")
        check_choice("cuts", cuts, CUTS)
        self._tuples, self._rule, self._kind, self._k = tuples, rule, CUTS.index(cuts), rule.k
        self._compiled = compiled
        self._keys = CutKeys(tuples, suppresses=rule.budget > 0)
        self._tables = LabelTables.of(tuples, weights)
        self._bits = rows_times_bits(len(tuples.tuple_of_row))
        self._codes = np.ascontiguousarray(tuples.codes)
        self._present = _sets(tuples, self._least_distinct)

    @property
    def names(self) -> tuple[str, ...]:
        """What each key is."""
        return self._keys.names

    @property
    def _least_distinct(self) -> int:
        return max((bound.least_distinct or 0 for bound in self._rule.bounds), default=0)

    def decode(self, keys: npt.ArrayLike, *, k: int | None = None) -> RecodedGroups:
        """The local recoding of some keys.

        Parameters
        ----------
        keys : float array (n_keys,)
            Numbers 0..1 in the order of `names`.
        k : int, optional
            In place of the rule's.

        Returns
        -------
        RecodedGroups
            Of the distinct tuples.

        Raises
        ------
        ValueError
            If the keys do not fit.
        """
        units = np.arange(len(self._tuples.sizes))
        return self._cut(units, keys, k, self._tuples.tuple_of_row)

    def regrow(
        self, units: AnyIntArray, keys: npt.ArrayLike, *, k: int | None = None, budget: int = 0
    ) -> RecodedGroups:
        """Cut some of the rows anew, as if they were the table.

        Parameters
        ----------
        units : int array (n_units,)
            Numbers of the distinct tuples.
        keys, k
            As in `decode`.
        budget : int, default=0
            Rows among them that may be suppressed.

        Returns
        -------
        RecodedGroups
            Of these units: ``group_of_unit`` tells the group of ``units[i]``.
        """
        return self._cut(np.asarray(units), keys, k, None, budget)

    def _cut(
        self,
        units: AnyIntArray,
        keys: npt.ArrayLike,
        k: int | None,
        unit_of_row: IntArray | None,
        budget: int | None = None,
    ) -> RecodedGroups:
        from anonopt.evaluation.local.kernel_cuts import cut_groups

        genome = self._keys.read(keys)
        tables, n, columns = self._tables, len(units), self._codes.shape[1]
        least = self._k if k is None else check_integer("k", k, least=1)
        out = (
            np.empty(n, dtype=np.int32),
            np.empty((n, columns), dtype=np.int32),
            np.empty((n, columns), dtype=np.int32),
            np.empty(n, dtype=bool),
        )
        tops = tables.losses[tables.at + tables.heights * tables.leaves]
        n_groups = cut_groups(
            self._codes[units],
            self._tuples.sizes[units],
            self._present[units],
            (tables.at, tables.leaves, tables.values, tables.lows, tables.highs, tables.losses),
            self._bits,
            tables.most_children,
            (
                genome.weights,
                self._keys.first_weight,
                genome.exponent,
                genome.keeping,
                float(sum(tops.tolist())),
            ),
            (np.int64(least), np.int64(self._least_distinct)),
            self._kind,
            np.int64(self._rule.budget if budget is None else budget),
            out,
        )
        return RecodedGroups(
            out[0],
            lows=out[1][:n_groups],
            highs=out[2][:n_groups],
            suppressed=out[3][:n_groups],
            unit_of_row=unit_of_row,
        )


def _sets(tuples: DistinctTuples, least_distinct: int) -> npt.NDArray[np.uint64]:
    """Sets of sensitive values of the tuples as bits, (n_tuples, n_words)."""
    if least_distinct == 0:
        return np.zeros((len(tuples.sizes), 0), dtype=np.uint64)
    n_words = -(-tuples.n_sensitive // 64)
    words = np.zeros((len(tuples.sizes), n_words), dtype=np.uint64)
    codes = tuples.sensitive_column.codes
    if codes is not None:
        bits = np.left_shift(np.uint64(1), (codes % 64).astype(np.uint64))
        np.bitwise_or.at(words, (tuples.tuple_of_row, codes // 64), bits)
    return words
