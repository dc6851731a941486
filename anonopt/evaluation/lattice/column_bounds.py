"""Lowest level of each quasi-identifier that a search of k-anonymous nodes has to look at.

Idea: a node refines what each of its columns does alone, so rows in too-small classes of one
column are in too-small classes of the node. Where they exceed the suppression budget, every
node with that level of that column is infeasible.

Paper: D. De Pascale, G. Cascavilla, D. A. Tamburri, W.-J. van den Heuvel, *Real-world
K-Anonymity Applications: the KGEN approach*, Section 3.2 (lattice preprocessing), Tables 3 and 8.

Two rules, which agree where nothing may be suppressed:

- ``"sound"``: the rows in too-small classes of one column are held against the whole budget. The
  paper applies it in Table 8. What it cuts off is infeasible.
- ``"no_suppression"``: each column is k-anonymous on its own with nothing suppressed, as Section
  3.2 has it. With a budget it can cut off feasible nodes, the optimum among them, and what is
  left is a far smaller lattice, most of whose nodes are feasible.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from anonopt._checks import check_choice, check_integer
from anonopt._typing import IntArray
from anonopt.measures.lattice.table_facts import TableFacts

if TYPE_CHECKING:
    from anonopt.evaluation.lattice.evaluator import LatticeEvaluator

Rule: TypeAlias = Literal["sound", "no_suppression"]

LevelBounds: TypeAlias = Rule | Sequence[int] | IntArray | None
"""Lowest levels, one a quasi-identifier, or the rule that they follow from."""

RULES: tuple[Rule, ...] = ("sound", "no_suppression")

OLD_NAMES = {"printed": "no_suppression"}
"""Former names of rules, by which an error says the name of now."""


def column_bounds(facts: TableFacts, *, k: int, budget: int, rule: Rule = "sound") -> IntArray:
    """Lowest level of each column, all others fully generalized, that the budget allows.

    Parameters
    ----------
    facts : TableFacts
        Of the table; ``problem.evaluator.tuples.facts``.
    k : int
        Rows in classes smaller than k are suppressed.
    budget : int
        Rows that may be suppressed.
    rule : ``"sound"`` or ``"no_suppression"``
        Whether up to `budget` rows of a column may be in classes smaller than k, or none. With a
        budget the second can exclude feasible nodes.

    Returns
    -------
    int64 array (n_quasi_identifiers,)
        The top level of a column where no level is feasible.

    Raises
    ------
    ValueError
        If the rule is unknown.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.problems.LatticeProblem(
    ...     ao.load_dataset("adult"), ["height"], k=100, suppression=0.01
    ... )
    >>> facts = problem.evaluator.tuples.facts
    >>> column_bounds(facts, k=100, budget=301).tolist()
    [1, 0, 0, 0, 0, 0, 1, 0]
    >>> column_bounds(facts, k=100, budget=301, rule="no_suppression").tolist()
    [6, 3, 1, 1, 0, 0, 3, 0]
    """
    allowed = budget if check_rule("rule", rule) == "sound" else 0
    small = [[rows[rows < k].sum() for rows in levels] for levels in facts.value_counts]
    # Rows in small classes never grow with the level, so the levels above are feasible too.
    return np.array(
        [min(np.count_nonzero(np.array(rows) > allowed), len(rows) - 1) for rows in small],
        dtype=np.int64,
    )


def check_rule(name: str, rule: str) -> Rule:
    """Name of a rule; the one that ``"no_suppression"`` had before is an error that says so.

    Raises
    ------
    ValueError
        If there is no such rule.

    Examples
    --------
    >>> check_rule("rule", "printed")
    Traceback (most recent call last):
        ...
    ValueError: rule: expected 'no_suppression', as the rule is called now, found 'printed'
    """
    if isinstance(rule, str) and rule in OLD_NAMES:
        raise ValueError(
            f"{name}: expected {OLD_NAMES[rule]!r}, as the rule is called now, found {rule!r}"
        )
    return RULES[RULES.index(check_choice(name, rule, RULES))]


def check_level_bounds(bounds: LevelBounds) -> Rule | tuple[int, ...] | None:
    """Bounds as a rule or plain levels, as far as they can be checked without a problem.

    Parameters
    ----------
    bounds : str, sequence of int (n_var,), or None

    Raises
    ------
    TypeError
        If they are neither a rule nor whole numbers.
    ValueError
        If there is no such rule, or a level is negative.

    Examples
    --------
    >>> check_level_bounds(np.array([2, 1, 0]))
    (2, 1, 0)
    """
    if bounds is None:
        return None
    if isinstance(bounds, str):
        return check_rule("bounds", bounds)
    is_array = isinstance(bounds, np.ndarray) and bounds.ndim == 1
    if isinstance(bounds, bytes) or not (is_array or isinstance(bounds, Sequence)):
        raise TypeError(
            f"bounds: expected a level for each column, or one of {', '.join(map(repr, RULES))}, "
            f"found {bounds!r}"
        )
    return tuple(check_integer("bounds", level, least=0) for level in bounds)


def lowest_levels(
    bounds: LevelBounds,
    names: Sequence[str],
    lower: IntArray,
    upper: IntArray,
    evaluator: LatticeEvaluator | None,
) -> IntArray:
    """Levels that a search does not go below.

    Parameters
    ----------
    bounds : str, sequence of int (n_var,), or None
        A rule, or a level for each column; None adds nothing to `lower`.
    names : sequence of str (n_var,)
        Of the columns, for messages.
    lower, upper : int64 arrays (n_var,)
        Bounds of the problem.
    evaluator : LatticeEvaluator or None
        Of the problem, which rules ask; None if the problem has none.

    Returns
    -------
    int64 array (n_var,)

    Raises
    ------
    TypeError
        As :func:`check_level_bounds`.
    ValueError
        If there are not as many levels as columns, a level is out of the bounds of the problem, or
        a rule is asked of a problem without a fixed k.
    """
    asked = check_level_bounds(bounds)
    if asked is None:
        return lower
    if isinstance(asked, str):
        if evaluator is None or evaluator.rule.k is None:
            raise ValueError(
                f"bounds: expected a problem with a fixed k (option k) for the rule {asked!r}, "
                "found none"
            )
        facts, k, budget = evaluator.tuples.facts, evaluator.rule.k, evaluator.rule.budget
        return np.maximum(lower, column_bounds(facts, k=k, budget=budget, rule=asked))
    if len(asked) != len(upper):
        raise ValueError(f"bounds: expected {len(upper)} levels, one a column, found {len(asked)}")
    for name, level, low, high in zip(names, asked, lower.tolist(), upper.tolist(), strict=True):
        if not low <= level <= high:
            raise ValueError(
                f"bounds: column {name!r}: expected a level in {low}..{high}, found {level}"
            )
    return np.array(asked, dtype=np.int64)
