"""Lowest level of each quasi-identifier that a k-anonymous node can have.

Idea: a node refines what each of its columns does alone, so rows in too-small classes of one
column are in too-small classes of the node. Where they exceed the suppression budget, every
node with that level of that column is infeasible.

Paper: D. De Pascale, G. Cascavilla, D. A. Tamburri, W.-J. van den Heuvel, *Real-world
K-Anonymity Applications: the KGEN approach*, Section 3.2 (lattice preprocessing) and Table 3.

Decided differently: the paper raises each column until it is k-anonymous on its own, and says in
Section 7 that this does not hold once rows may be suppressed: what is removed for one column is
removed on its own, not held against one limit for all. Here the rows in too-small classes of one
column are held against the whole budget, which is sound; without suppression both rules agree.
The printed rule is an option.
"""

from __future__ import annotations

import numpy as np

from anonopt._typing import IntArray
from anonopt.measures.lattice.table_facts import TableFacts


def column_bounds(facts: TableFacts, *, k: int, budget: int, as_printed: bool = False) -> IntArray:
    """Lowest level of each column, all others fully generalized, that the budget allows.

    Parameters
    ----------
    facts : TableFacts
        Of the table; ``problem.evaluator.tuples.facts``.
    k : int
        Rows in classes smaller than k are suppressed.
    budget : int
        Rows that may be suppressed.
    as_printed : bool
        Give the levels at which each column is k-anonymous with nothing suppressed, as Section
        3.2 has it; with a budget that can exclude feasible nodes.

    Returns
    -------
    int64 array (n_quasi_identifiers,)
        The top level of a column where no level is feasible.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.problems.LatticeProblem(
    ...     ao.load_dataset("adult"), ["height"], k=100, suppression=0.01
    ... )
    >>> facts = problem.evaluator.tuples.facts
    >>> column_bounds(facts, k=100, budget=301).tolist()
    [1, 0, 0, 0, 0, 0, 1, 0]
    >>> column_bounds(facts, k=100, budget=301, as_printed=True).tolist()
    [6, 3, 1, 1, 0, 0, 3, 0]
    """
    allowed = 0 if as_printed else budget
    small = [[rows[rows < k].sum() for rows in levels] for levels in facts.value_counts]
    # Rows in small classes never grow with the level, so the levels above are feasible too.
    return np.array(
        [min(np.count_nonzero(np.array(rows) > allowed), len(rows) - 1) for rows in small],
        dtype=np.int64,
    )
