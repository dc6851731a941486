"""Which classes of a node are suppressed: by the reverse rule, a fixed k, and bounds of classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from anonopt._checks import check_integer
from anonopt._typing import AnyIntArray, BoolArray
from anonopt.data.suppression import reverse_threshold

LARGEST_K = 2**63 - 1
"""No table has so many rows, and sizes of classes are compared with k in 64 bits."""


class ClassBound(Protocol):
    """What a single class has to meet besides k; see `anonopt.measures.lattice.class_bounds`."""

    @property
    def measure(self) -> Any:
        """The measure that is bounded, with a value for each class."""

    @property
    def worst(self) -> float:
        """The worst value that a class may have."""

    @property
    def needs(self) -> frozenset[str]:
        """What the classes must hold besides their sizes."""

    @property
    def lasts(self) -> bool:
        """Whether a class that contains one that meets the bound meets it as well."""

    @property
    def unites(self) -> bool:
        """Whether classes that meet the bound make one that meets it."""

    @property
    def least_distinct(self) -> int | None:
        """Distinct sensitive values that a class must have, if that is what the bound says."""

    def met(self, classes: Any) -> BoolArray:
        """Which of some `Classes` meet the bound, (n_classes,)."""


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
    bounds : tuple of ClassBound
        Under the fixed k, classes that miss one of these are suppressed as well.

    Raises
    ------
    ValueError
        If k is below 1 or beyond 2**63 - 1, or there are bounds without a k.
    TypeError
        If k is no whole number.
    """

    budget: int
    k: int | None = None
    bounds: tuple[ClassBound, ...] = ()

    def __post_init__(self) -> None:
        if self.k is not None:
            check_integer("k", self.k, least=1)
            check_integer("k", self.k, most=LARGEST_K)
        elif self.bounds:
            raise ValueError("class_bounds: expected a fixed k with them (option k), found none")

    @property
    def keeps_what_is_kept(self) -> bool:
        """Whether a row that is kept at a node is kept at every node above it."""
        return self.k is not None and all(bound.lasts for bound in self.bounds)

    @property
    def feasibility_is_monotone(self) -> bool:
        """Whether every node above a feasible one is feasible.

        It is where a row once kept stays kept. Where nothing may be suppressed, it is enough that
        classes that meet a bound make one that meets it.
        """
        united = self.budget == 0 and all(bound.unites for bound in self.bounds)
        return self.keeps_what_is_kept or (self.k is not None and united)

    @property
    def needs(self) -> frozenset[str]:
        """What the classes must hold besides their sizes."""
        return frozenset[str]().union(*(bound.needs for bound in self.bounds))

    @property
    def fixed_k(self) -> int:
        """Rows that a class needs to be kept under the fixed k.

        Raises
        ------
        ValueError
            If it is the reverse rule.
        """
        if self.k is None:
            raise ValueError("rule: expected one with a fixed k, found none")
        return self.k

    @property
    def least_distinct(self) -> int:
        """Distinct sensitive values that a class must have by the bounds; 0 if none asks so."""
        return max((bound.least_distinct or 0 for bound in self.bounds), default=0)

    @property
    def bounds_distinct_alone(self) -> bool:
        """Whether all bounds, if there are any, are of the distinct sensitive values."""
        return all(bound.least_distinct is not None for bound in self.bounds)

    def threshold(self, sizes: AnyIntArray, *, numbers: AnyIntArray | None = None) -> int:
        """Smallest class size that is kept; of `numbers` classes of each size, or of one."""
        if self.k is not None:
            return self.k
        return reverse_threshold(sizes, self.budget, numbers=numbers)
