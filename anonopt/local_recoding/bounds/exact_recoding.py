"""The exact optimum of small tables: which labels are used, and how many rows each gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import scipy

from anonopt._checks import check_integer, check_number
from anonopt._typing import CodeArray, FloatArray, IntArray
from anonopt.data import Microdata
from anonopt.data.recoded_groups import RecodedGroups
from anonopt.data.suppression import resolve_budget
from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.local_recoding.regions.kernel_regroup import Units
from anonopt.local_recoding.regions.label_tree import (
    LabelTree,
    label_bounds,
    label_costs,
    label_tree,
    lowest_labels,
)
from anonopt.local_recoding.regions.region_state import units_of
from anonopt.local_recoding.regions.whole_table import whole_refusal
from anonopt.measures.lattice.class_bounds import measure_bounds
from anonopt.measures.lattice.suppression_rule import SuppressionRule

MOST_NODES, MOST_TUPLES = 20_000, 300
"""Lattices of more nodes, and tables of more distinct tuples, are refused."""

MOST_PAIRS = 20_000
"""Most pairs of a label and a tuple under it: each is a whole number that the solver looks for."""


@dataclass(frozen=True)
class ExactRecoding:
    """What integer programming found.

    Attributes
    ----------
    groups : RecodedGroups
    value : float
        General loss metric of the groups, in cells.
    bound : float
        No recoding loses less; equal to the value, but for rounding, where it is proven.
    is_proven : bool
        Whether the groups are optimal; False where the time ran out.
    """

    groups: RecodedGroups
    value: float
    bound: float
    is_proven: bool


def exact_recoding(
    table: Microdata,
    k: int,
    *,
    suppression: float = 0.0,
    class_bounds: Mapping[Any, float] | None = None,
    weights: Mapping[str, float] | None = None,
    max_seconds: float | None = None,
) -> ExactRecoding:
    """Find the local recoding of a small table that loses least, and prove it.

    Every label that holds k rows of the table is a candidate. Integer programming (HiGHS, by
    :func:`scipy.optimize.milp`) decides which are used, and how many rows of each distinct tuple
    are recoded to each, so that each that is used has k rows or more.

    Parameters
    ----------
    table : Microdata
    k : int
        Least rows of a class, from 1 to the number of rows.
    suppression : int or float
        Rows that may be suppressed, or their share; each costs 1 (times its weight) in every
        quasi-identifier.
    class_bounds : mapping of str or Measure to float, optional
        Bounds of ``l`` alone: distinct sensitive values of each class.
    weights : mapping of str to float, optional
        Factor of each quasi-identifier's loss, 1 where none is given.
    max_seconds : float, optional
        Time of the solver; without it, until the optimum is proven.

    Returns
    -------
    ExactRecoding

    Raises
    ------
    ValueError
        If the table is too large (names the number that is), k is above the number of rows, another
        measure is bounded, or no recoding meets the bounds.

    Examples
    --------
    >>> from anonopt.data import load_dataset
    >>> best = exact_recoding(load_dataset("patients"), 3)
    >>> best.is_proven, best.groups.sizes.min() >= 3
    (True, np.True_)
    """
    check_integer("k", k, least=1, most=table.n_rows)
    budget = resolve_budget(suppression, table.n_rows)
    rule = SuppressionRule(budget, k, measure_bounds(class_bounds, table))
    model = RecodingModel.of(DistinctTuples.of(table), rule, weights)
    return model.solved(max_seconds)


def size_refusal(tuples: DistinctTuples, rule: SuppressionRule) -> str | None:
    """Why a table is too large, or its rule is none that is modelled; None if neither is."""
    parting = [bound for bound in rule.bounds if bound.least_distinct is None]
    if parting:
        return f"expected class bounds of l alone, found {', '.join(map(repr, parting))}"
    if len(tuples.sizes) > MOST_TUPLES:
        return f"expected at most {MOST_TUPLES} distinct tuples, found {len(tuples.sizes):,}"
    n_nodes = int(np.prod([float(len(maps)) for maps in tuples.maps]))
    if n_nodes > MOST_NODES:
        return f"expected a lattice of at most {MOST_NODES:,} nodes, found {n_nodes:,}"
    if len(tuples.sizes) * n_nodes <= MOST_PAIRS:
        return None
    n_pairs = len(_candidates(tuples, label_tree(tuples), rule.k or 1)[1])
    if n_pairs > MOST_PAIRS:
        return (
            f"expected at most {MOST_PAIRS:,} pairs of a label that holds {rule.k} rows and a "
            f"tuple under it, found {n_pairs:,}"
        )
    return None


def _candidates(
    tuples: DistinctTuples, tree: LabelTree, k: int
) -> tuple[CodeArray, IntArray, IntArray]:
    """Labels that hold k rows and are the lowest of these, and the tuples under each.

    Returns
    -------
    labels : int32 array (n_labels, 2, n_quasi_identifiers)
    label_of_pair, tuple_of_pair : int64 arrays (n_pairs,)
    """
    found: dict[bytes, tuple[CodeArray, IntArray]] = {}
    for node in product(*(range(len(maps)) for maps in tuples.maps)):
        codes = np.column_stack(
            [
                maps[level][tuples.codes[:, a]]
                for a, (maps, level) in enumerate(zip(tuples.maps, node, strict=True))
            ]
        )
        _, class_of = np.unique(codes, axis=0, return_inverse=True)
        class_of = class_of.reshape(-1)
        sizes = np.bincount(class_of, weights=tuples.sizes)
        for number in np.flatnonzero(sizes >= k):
            members = np.flatnonzero(class_of == number)
            own = tuples.codes[members]
            label = lowest_labels(tree, own.min(axis=0)[None], own.max(axis=0)[None])
            found.setdefault(members.tobytes(), (label, members))
    labels = np.concatenate([label for label, _ in found.values()])
    sizes = np.array([len(members) for _, members in found.values()])
    pairs = np.concatenate([members for _, members in found.values()])
    return labels, np.repeat(np.arange(len(labels)), sizes), pairs


@dataclass(frozen=True, eq=False)
class RecodingModel:
    """The integer program of a table.

    Variables: rows of a unit under a label, one for each pair; whether a label is used; suppressed
    rows of each unit; with a bound of distinct values, whether a label has a value.

    Attributes
    ----------
    tree : LabelTree
    units : Units
    unit_of_row : int64 array (n_rows,)
    rule : SuppressionRule
    labels : int32 array (n_labels, 2, n_quasi_identifiers)
    label_of_pair, unit_of_pair : int64 arrays (n_pairs,)
    """

    tree: LabelTree
    units: Units
    unit_of_row: IntArray
    rule: SuppressionRule
    labels: CodeArray
    label_of_pair: IntArray
    unit_of_pair: IntArray

    @classmethod
    def of(
        cls,
        tuples: DistinctTuples,
        rule: SuppressionRule,
        weights: Mapping[str, float] | None,
    ) -> RecodingModel:
        """The program of a table.

        Raises
        ------
        ValueError
            If it is too large, a bound cannot be modelled, or the whole table misses the rule.
        """
        unmet = whole_refusal(tuples, rule)
        if unmet is not None:
            raise ValueError(unmet)
        reason = size_refusal(tuples, rule)
        if reason is not None:
            raise ValueError(f"table: {reason}")
        tree = label_tree(tuples, weights)
        units, unit_of_row = units_of(tuples, by_value=len(rule.bounds) > 0)
        labels, label_of_pair, tuple_of_pair = _candidates(tuples, tree, rule.k or 1)
        links = np.unique(np.column_stack([tuples.tuple_of_row, unit_of_row]), axis=0)
        starts = np.searchsorted(links[:, 0], np.arange(len(tuples.sizes) + 1))
        n_units = np.diff(starts)[tuple_of_pair]
        within = np.arange(n_units.sum()) - np.repeat(np.cumsum(n_units) - n_units, n_units)
        unit_of_pair = links[np.repeat(starts[tuple_of_pair], n_units) + within, 1]
        return cls(
            tree, units, unit_of_row, rule, labels, np.repeat(label_of_pair, n_units), unit_of_pair
        )

    def solved(self, max_seconds: float | None = None) -> ExactRecoding:
        """The optimum, or the best that is known when the time has run out."""
        seconds = np.inf
        if max_seconds is not None:
            seconds = check_number("max_seconds", max_seconds, above=0)
        costs = label_costs(self.tree, self.labels)
        n_pairs, n_labels, n_units = len(self.unit_of_pair), len(self.labels), len(self.units.rows)
        n_marks = n_labels * self.units.n_values if self._distinct else 0
        objective = np.zeros(n_pairs + n_labels + n_units + n_marks)
        objective[:n_pairs] = costs[self.label_of_pair]
        objective[n_pairs + n_labels :][:n_units] = self.tree.worst
        upper = np.concatenate(
            [
                self.units.rows[self.unit_of_pair],
                np.ones(n_labels),
                np.minimum(self.units.rows, self.rule.budget),
                np.ones(n_marks),
            ]
        )
        # The solver's tolerances are absolute: weights must not make losses small beside them.
        scale = self.tree.worst / len(self.tree.starts) or 1.0
        found = scipy.optimize.milp(
            objective / scale,
            integrality=np.ones(len(objective), dtype=np.int64),
            bounds=scipy.optimize.Bounds(0, upper),
            constraints=self._constraints(len(objective)),
            options={"mip_rel_gap": 0.0, "time_limit": seconds},
        )
        if found.x is None:
            raise ValueError(
                f"no recoding was found whose classes hold {self.rule.k} rows and meet the bounds: "
                f"{found.message}"
            )
        rows = np.rint(found.x).astype(np.int64)
        groups = self._groups(rows[:n_pairs], rows[n_pairs + n_labels :][:n_units])
        value = float(objective @ rows)
        return ExactRecoding(groups, value, scale * float(found.mip_dual_bound), found.status == 0)

    @property
    def _distinct(self) -> int:
        return self.rule.least_distinct

    def _constraints(self, n: int) -> list[scipy.optimize.LinearConstraint]:
        """All rows are somewhere; labels that are used hold k rows, and others none."""
        n_pairs, n_labels, n_units = len(self.unit_of_pair), len(self.labels), len(self.units.rows)
        pairs, labels, units = np.arange(n_pairs), np.arange(n_labels), np.arange(n_units)
        used, left_out = n_pairs + labels, n_pairs + n_labels + units
        ones = np.ones(n_pairs)
        placed = _matrix(
            [self.unit_of_pair, units], [pairs, left_out], [ones, np.ones(n_units)], (n_units, n)
        )
        held = _matrix(
            [self.label_of_pair, labels],
            [pairs, used],
            [ones, np.full(n_labels, -float(self.rule.k or 1))],
            (n_labels, n),
        )
        rows = self.units.rows[self.unit_of_pair].astype(float)
        only_used = _matrix([pairs, pairs], [pairs, used[self.label_of_pair]], [ones, -rows],
                            (n_pairs, n))  # fmt: skip
        budget = _matrix([0 * units], [left_out], [np.ones(n_units)], (1, n))
        constraints = [
            scipy.optimize.LinearConstraint(placed, self.units.rows, self.units.rows),
            scipy.optimize.LinearConstraint(held, 0, np.inf),
            scipy.optimize.LinearConstraint(only_used, -np.inf, 0),
            scipy.optimize.LinearConstraint(budget, 0, self.rule.budget),
        ]
        return [*constraints, *self._marks(n)] if self._distinct else constraints

    def _marks(self, n: int) -> list[scipy.optimize.LinearConstraint]:
        """A label that is used has as many values as the bound asks for, each in a row of it."""
        n_labels, n_values = len(self.labels), self.units.n_values
        first = n - n_labels * n_values
        number = np.arange(n_labels * n_values)
        of_pair = self.label_of_pair * n_values + self.units.values[self.unit_of_pair]
        pairs = np.arange(len(of_pair))
        is_there = _matrix(
            [number, of_pair],
            [first + number, pairs],
            [np.ones(len(number)), -np.ones(len(of_pair))],
            (len(number), n),
        )
        labels = np.arange(n_labels)
        enough = _matrix(
            [number // n_values, labels],
            [first + number, len(of_pair) + labels],
            [np.ones(len(number)), np.full(n_labels, -float(self._distinct))],
            (n_labels, n),
        )
        upper = np.concatenate([np.zeros(len(number)), np.full(n_labels, np.inf)])
        lower = np.concatenate([np.full(len(number), -np.inf), np.zeros(n_labels)])
        return [
            scipy.optimize.LinearConstraint(scipy.sparse.vstack([is_there, enough]), lower, upper)
        ]

    def _groups(self, rows: IntArray, left_out: IntArray) -> RecodedGroups:
        """Groups of the rows: of a unit under several labels, the first rows under the first."""
        label = np.concatenate([self.label_of_pair, np.full(len(left_out), len(self.labels))])
        unit = np.concatenate([self.unit_of_pair, np.arange(len(left_out))])
        order = np.lexsort((label, unit))
        group_of_row = np.empty(len(self.unit_of_row), dtype=np.int64)
        group_of_row[np.argsort(self.unit_of_row, kind="stable")] = np.repeat(
            label[order], np.concatenate([rows, left_out])[order]
        )
        lows, highs = label_bounds(self.tree, self.labels)
        tops = self.tree.leaves - 1
        used, group_of_row = np.unique(group_of_row, return_inverse=True)
        return RecodedGroups(
            group_of_row,
            lows=np.vstack([lows, 0 * tops])[used],
            highs=np.vstack([highs, tops])[used],
            suppressed=used == len(self.labels),
        )


def _matrix(
    rows: list[IntArray], columns: list[IntArray], values: list[FloatArray], shape: tuple[int, int]
) -> Any:
    """Sparse matrix of entries that are given in parts."""
    entries = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
    return scipy.sparse.coo_array(entries, shape=shape).tocsr()
