"""What bounds a run of an experiment, and its seeds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from anonopt._checks import check_distinct, check_integer, check_list, check_number, unknown

BudgetLike: TypeAlias = "int | Mapping[str, Any]"

KINDS = ("evaluations", "tests", "generations", "seconds")


@dataclass(frozen=True)
class Budget:
    """What bounds a run; the first bound that is reached ends it.

    Attributes
    ----------
    evaluations, tests, generations : int or None
        Most distinct solutions, tests of nodes, and generations.
    seconds : float or None
        Wall time after which no further generation begins.
    """

    evaluations: int | None = None
    tests: int | None = None
    generations: int | None = None
    seconds: float | None = None

    @property
    def text(self) -> str:
        """Canonical JSON, by which the store knows it."""
        bounds = {kind: getattr(self, kind) for kind in KINDS if getattr(self, kind) is not None}
        return json.dumps(bounds)

    @property
    def name(self) -> str:
        """Such as ``1000 evaluations``."""
        return ", ".join(
            f"{_digits(getattr(self, kind))} {kind}"
            for kind in KINDS
            if getattr(self, kind) is not None
        )


def _digits(bound: float) -> str:
    """All digits, as budgets that differ need names that do; whole seconds without a point."""
    return repr(bound).removesuffix(".0")


def budgets_of(given: BudgetLike | Iterable[BudgetLike]) -> list[Budget]:
    """Read budgets as people write them.

    Parameters
    ----------
    given : int, mapping, or iterable of them
        A number alone is one of distinct evaluations; a mapping has keys of `KINDS`.

    Raises
    ------
    ValueError
        If there is none, a bound is below 1 (seconds: not above 0), or a key is unknown.
    TypeError
        If a bound is no number.

    Examples
    --------
    >>> [budget.name for budget in budgets_of([100, {"generations": 5, "seconds": 1.5}])]
    ['100 evaluations', '5 generations, 1.5 seconds']
    """
    if isinstance(given, str | bytes):
        raise TypeError(
            f"budget: expected a whole number, a mapping or a list of them, found {given!r}"
        )
    if isinstance(given, int | Mapping) or not isinstance(given, Iterable):
        found = [_budget(given)]
    else:
        found = [_budget(one) for one in given]
    if not found:
        raise ValueError("budget: expected at least one, found none")
    check_distinct("budget", [one.name for one in found])
    return found


def _budget(given: BudgetLike) -> Budget:
    if not isinstance(given, Mapping):
        return Budget(evaluations=check_integer("budget", given, least=1))
    for key in given:
        if key not in KINDS:
            raise ValueError(unknown("budget", key, KINDS))
    bounds: dict[str, Any] = {
        kind: check_integer(f"budget {kind}", given[kind], least=1)
        for kind in KINDS[:3]
        if kind in given
    }
    if "seconds" in given:
        bounds["seconds"] = check_number("budget seconds", given["seconds"], above=0)
    if not bounds:
        raise ValueError(f"budget: expected one of {', '.join(KINDS)}, found none")
    return Budget(**bounds)


def seeds_of(seeds: Iterable[int]) -> list[int]:
    """Check seeds: whole numbers of 0 to 2**63 - 1, each once.

    Raises
    ------
    ValueError
        If there is none, one is out of range, or stands twice.
    TypeError
        If one is no whole number, or there is no list of them.
    """
    given = check_list("seeds", seeds, "whole numbers or a range")
    found = [check_integer("seeds", seed, least=0, most=2**63 - 1) for seed in given]
    check_distinct("seeds", found)
    return found
