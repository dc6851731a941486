"""What a configuration asks of the classes of the protected table, whatever protects it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from anonopt.cli.check import wishes

if TYPE_CHECKING:
    from anonopt.cli.configuration.config import SearchSection

BEST_IN_ONE_CLASS = frozenset(
    {"k", "l", "l_all", "t", "t_ordered", "t_hierarchical", "delta_disclosure", "beta_likeness"}
    | {"highest_risk", "average_risk", "unique_rows", "journalist_risk", "marketer_risk"}
)
BEST_UNSUPPRESSED = frozenset({"entropy_l", "recursive_cl"})
"""Measures that are best where all rows are one class: whatever is suppressed, and where nothing
may be."""


def best_in_one_class(budget: int) -> frozenset[str]:
    """Measures that nothing is better in than all rows in one class, under a budget of rows."""
    return BEST_IN_ONE_CLASS | (BEST_UNSUPPRESSED if budget == 0 else frozenset())


def asked_of(search: SearchSection) -> dict[str, str]:
    """What a configuration asks of each figure, as text."""
    bounds = _stricter(search.further_bounds, search.class_bounds)
    return wishes(k=search.k, l=search.l, t=search.t, bounds=bounds)


def bounds_of_classes(search: SearchSection) -> dict[str, float]:
    """Bounds besides k, l and t that can be looked at in the classes of the protected table."""
    return _parted(_stricter(search.further_bounds, search.class_bounds))[0]


def bounds_of_groups(search: SearchSection) -> tuple[dict[str, float], dict[str, float]]:
    """All bounds besides k: those of single groups, and those of the table as a whole.

    Groups are made so that they meet theirs, wherever in the configuration a bound stands.
    """
    return _parted(_stricter(search.bounds, search.class_bounds))


def _stricter(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    """Bounds of two sections; of two bounds of a measure the stricter holds."""
    from anonopt.measures import get_measure

    found = dict(first)
    for name, bound in second.items():
        stricter = max if get_measure(name, of="node").maximize else min
        found[name] = stricter(bound, found.get(name, bound))
    return found


def _parted(bounds: Mapping[str, float]) -> tuple[dict[str, float], dict[str, float]]:
    """Bounds that can be looked at in single classes, and all others."""
    from anonopt.measures import get_measure
    from anonopt.measures.lattice.statistics import POPULATION

    of_classes = {
        name: bound
        for name, bound in bounds.items()
        # The register that comes with the table is not generalized like it.
        if (measure := get_measure(name, of="node")).per_class is not None
        and POPULATION not in measure.needs
    }
    others = {name: bound for name, bound in bounds.items() if name not in of_classes}
    return of_classes, others
