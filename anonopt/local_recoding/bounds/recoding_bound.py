"""A lower bound of the loss of any local recoding: what its rows can be charged at least."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from anonopt._checks import check_integer
from anonopt._progress import told
from anonopt._typing import Accelerator, FloatArray
from anonopt.data import Microdata
from anonopt.data.suppression import resolve_budget
from anonopt.evaluation.accelerator import uses_numba
from anonopt.evaluation.lattice.tuples import MASK_VALUES, DistinctTuples
from anonopt.local_recoding.bounds.label_shares import LabelNodes
from anonopt.local_recoding.regions.label_tree import label_tree
from anonopt.measures.lattice.class_bounds import measure_bounds
from anonopt.measures.lattice.suppression_rule import SuppressionRule

MOST_NODES = 1_000_000
"""Larger lattices are refused."""

ROUNDING = 1e-9
"""Share by which a bound is lowered, far more than its sums can be rounded by."""


@dataclass(frozen=True, eq=False)
class RecodingBound:
    """A lower bound, and how it is shared out.

    Attributes
    ----------
    value : float
        No local recoding loses less, in cells.
    shares : float64 array (n_rows,)
        What each row is charged. Of any k rows that a label holds the shares add up to at most k
        times what the label costs a row: that proves the bound.
    """

    value: float
    shares: FloatArray


def recoding_bound(
    table: Microdata,
    k: int,
    *,
    suppression: float = 0.0,
    class_bounds: Mapping[Any, float] | None = None,
    weights: Mapping[str, float] | None = None,
    n_rounds: int = 3,
    accelerator: Accelerator = "auto",
) -> RecodingBound:
    """Bound the general loss metric of any local recoding by hierarchies from below.

    Each row of a group costs what the group's label costs, and a label can be that of a group only
    where it holds k rows of the table. Without rounds, each row is charged the least that such a
    label of its own costs. Rounds charge more, by the dual of the linear program of labels and
    rows: shares of rows are feasible if no k rows of one label are charged more than they lose
    under it. So where most rows near a lonely row have groups that lose nothing, it is charged
    for all that have to join it. In each round, shares rise by the factor that the tightest of
    their labels leaves; the bound never falls.

    Parameters
    ----------
    table : Microdata
    k : int
        Least rows of a group, from 1 to the number of rows.
    suppression : int or float
        Rows that may be suppressed, or their share: the largest shares may be exchanged for what
        suppression costs.
    class_bounds : mapping of str or Measure to float, optional
        Labels must hold as many distinct values as a bound of ``l`` asks for; other bounds do not
        change the lower bound, which holds under them too.
    weights : mapping of str to float, optional
        Factor of each quasi-identifier's loss, 1 where none is given.
    n_rounds : int
        Rounds in which shares rise, from 0. Each looks at all nodes of the lattice that can
        matter.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``
        Results are the same.

    Returns
    -------
    RecodingBound

    Raises
    ------
    ValueError
        If k is above the number of rows, or the lattice has more than 1,000,000 nodes.

    Notes
    -----
    It bounds recodings to values of the hierarchies; ranges that are no such values can lose less.

    Examples
    --------
    >>> from anonopt.data import load_dataset
    >>> table = load_dataset("patients")
    >>> simple = recoding_bound(table, 3, n_rounds=0).value
    >>> 0 < simple <= recoding_bound(table, 3).value
    True
    """
    check_integer("k", k, least=1, most=table.n_rows)
    check_integer("n_rounds", n_rounds, least=0)
    compiled = uses_numba(accelerator)
    if table.lattice.size > MOST_NODES:
        raise ValueError(
            f"table: expected a lattice of at most {MOST_NODES:,} nodes, found "
            f"{table.lattice.size:,}"
        )
    budget = resolve_budget(suppression, table.n_rows)
    rule = SuppressionRule(budget, k, measure_bounds(class_bounds, table))
    tuples = DistinctTuples.of(table)
    tree = label_tree(tuples, weights)
    # Of more values than bits it is not known which a label holds.
    least_distinct = rule.least_distinct if tuples.n_sensitive <= MASK_VALUES else 0
    nodes = LabelNodes.of(tuples, tree, k=k, least_distinct=least_distinct)
    report = told()
    shares = nodes.cheapest(compiled=compiled)
    # Rows of labels that no group can have can only be suppressed.
    shares = np.minimum(shares, tree.worst)
    for number in range(n_rounds):
        report((number + 1) / (n_rounds + 1))
        if not shares.any():
            break
        shares = shares / nodes.ratios(shares, compiled=compiled)
    of_rows = shares[tuples.tuple_of_row]
    saved = np.maximum(np.sort(of_rows)[len(of_rows) - budget :] - tree.worst, 0.0)
    value = (float(of_rows.sum()) - float(saved.sum())) * (1 - ROUNDING)
    return RecodingBound(value, of_rows)
