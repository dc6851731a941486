"""Whether all rows of a table may be one group: if not, no recoding has allowed groups."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from anonopt.evaluation.lattice.tuples import DistinctTuples
from anonopt.measures.lattice.suppression_rule import ClassBound, SuppressionRule


def whole_refusal(tuples: DistinctTuples, rule: SuppressionRule) -> str | None:
    """Why no group of rows holds to a rule: k, or a bound of distinct sensitive values.

    Parameters
    ----------
    tuples : DistinctTuples
    rule : SuppressionRule
        With a fixed k; other bounds of classes are not looked at.

    Returns
    -------
    str or None
        What was expected and found; None if the whole table is allowed as one group.
    """
    n_rows = tuples.facts.n_rows
    if rule.k is not None and rule.k > n_rows:
        return too_few_rows(rule.k, n_rows)
    totals = tuples.facts.sensitive_totals
    n_values = 0 if totals is None else int(np.count_nonzero(totals))
    missed = [bound for bound in rule.bounds if (bound.least_distinct or 0) > n_values]
    return unmet_bounds(missed) if missed else None


def too_few_rows(k: int, n_rows: int) -> str:
    """Refusal of a k that is more than the rows of a table."""
    return f"k: expected at most the {n_rows} rows of the table, found {k}"


def unmet_bounds(bounds: Iterable[ClassBound]) -> str:
    """Refusal of bounds of classes that all rows as one group miss."""
    found = ", ".join(map(repr, bounds))
    return f"class_bounds: expected bounds that the table as a whole meets, found {found}"
