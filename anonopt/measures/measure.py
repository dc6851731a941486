"""What a measure is: a named number of a node, with its direction, range, unit and monotonicity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy.typing as npt

from anonopt.measures.lattice.class_table import ClassTable, RowClasses, SuppressionRule
from anonopt.measures.lattice.statistics import NodeStatistics

REVERSE = "reverse"
FIXED = "fixed"
UNSUPPRESSED = "unsuppressed"
"""Suppression rules under which a measure can be monotone: the reverse rule with a budget,
the fixed-k rule, and the reverse rule with budget 0 (nothing is suppressed)."""


@dataclass(frozen=True)
class Measure:
    """One number of a lattice node.

    Exactly one of `from_statistics`, `from_classes` and `from_rows` is given. A user's own
    measure is usually a function of the class table::

        largest = Measure("largest_class", maximize=True, unit="rows", range="1..N",
                          from_classes=lambda classes: classes.sizes.max())

    Attributes
    ----------
    name : str
        Name in frames, objectives and constraints.
    maximize : bool
        Whether more is better.
    unit : str
        Unit of the value, e.g. ``"rows"``.
    range : str
        Range of the value, e.g. ``"1..N"``.
    from_statistics : callable, optional
        Takes `NodeStatistics` of n nodes and returns an array (n,).
    from_classes : callable, optional
        Takes the `ClassTable` of one node and returns a number.
    from_rows : callable, optional
        Takes the `RowClasses` of one node (from which property vectors follow) and returns a
        number. Slower than the others, as every row is touched.
    needs : frozenset of str
        What the measure reads besides class sizes; see `anonopt.measures.lattice.statistics`.
    rising : frozenset of str
        Rules under which the value never falls when a level is raised.
    falling : frozenset of str
        Rules under which the value never rises when a level is raised.
    needs_k : bool
        Whether the measure is defined under the fixed-k rule only.
    summary : str
        One line for tables and ``--help``.

    Raises
    ------
    ValueError
        If not exactly one of the three functions is given.
    """

    name: str
    maximize: bool
    unit: str
    range: str
    from_statistics: Callable[[NodeStatistics], npt.NDArray[Any]] | None = None
    from_classes: Callable[[ClassTable], float] | None = None
    from_rows: Callable[[RowClasses], float] | None = None
    needs: frozenset[str] = frozenset()
    rising: frozenset[str] = frozenset()
    falling: frozenset[str] = frozenset()
    needs_k: bool = False
    summary: str = ""

    def __post_init__(self) -> None:
        functions = (self.from_statistics, self.from_classes, self.from_rows)
        found = sum(function is not None for function in functions)
        if found != 1:
            raise ValueError(
                f"measure {self.name!r}: expected exactly one of from_statistics, from_classes "
                f"and from_rows, found {found} of them"
            )

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        # Inside the function because the registry is made of measures. A built-in measure is
        # one object a process: it is pickled by its name.
        from anonopt.measures.registry import MEASURES, get_measure

        if MEASURES.get(self.name) is self:
            return get_measure, (self.name,)
        return super().__reduce_ex__(protocol)

    @property
    def direction(self) -> str:
        """``"max"`` or ``"min"``."""
        return "max" if self.maximize else "min"

    def monotonicity(self, rule: SuppressionRule) -> int:
        """How the value moves when a level is raised, for sure, under a suppression rule.

        Returns
        -------
        int
            1: never falls; -1: never rises; 0: both can happen.
        """
        name = rule_name(rule)
        return int(name in self.rising) - int(name in self.falling)


def rule_name(rule: SuppressionRule) -> str:
    """One of `REVERSE`, `FIXED` and `UNSUPPRESSED`."""
    if rule.k is not None:
        return FIXED
    return UNSUPPRESSED if rule.budget == 0 else REVERSE
