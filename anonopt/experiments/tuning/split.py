"""Which instances of a suite are tuned on, and which are reported on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from anonopt._checks import check_distinct, check_list, unknown
from anonopt.experiments.grid.budgets import seeds_of
from anonopt.experiments.suites.instances import SUITES
from anonopt.experiments.suites.suite import NEWEST, suite

TUNING_INSTANCES: Mapping[str, tuple[str, ...]] = {
    "anonopt-2026": (
        "german-k-glm",
        "german-k-l-glm",
        "freight-6-k-glm",
        "freight-10-k-glm",
        "freight-6",
        "freight-10",
        "german-masking",
        "german-masking-max",
        "german-pram",
        "german-pram-max",
        "german-pram-equations",
        "german-equations-max",
        "graph-small",
    ),
    "local-2026": (
        "patients-local-glm",
        "german-local-glm",
        "german-local-l-glm",
        "german-local-k-glm",
        "german-local-glm-cm",
    ),
}
"""Of each family the small ones: those of the German table, few columns of freight, k = 3.

All others are test instances: of each family those of the Adult and flare tables, many columns of
freight, k = 5.
"""

TUNING_SEEDS = tuple(range(1000, 1005))
"""Apart from `TEST_SEEDS`."""

TEST_SEEDS = tuple(range(10))
"""Those by which the suite is run, so that a tuned algorithm stands beside its published page."""


@dataclass(frozen=True)
class Split:
    """Instances and seeds to tune with, and others to test with.

    Parameters
    ----------
    suite : str
        Name of the suite that the instances are of.
    tuning, test : tuple of str
        Names of instances.
    tuning_seeds, test_seeds : tuple of int

    Raises
    ------
    ValueError
        If a name is unknown, or an instance or a seed stands on both sides, or twice on one, or a
        side is empty.
    TypeError
        If a side is no tuple of names.

    Examples
    --------
    >>> Split("anonopt-2026", tuning=("german-k-glm",), test=("adult-k-glm", "german-k-glm"))
    Traceback (most recent call last):
        ...
    ValueError: test: expected instances apart from those of the tuning, found 'german-k-glm'
    """

    suite: str
    tuning: tuple[str, ...]
    test: tuple[str, ...]
    tuning_seeds: tuple[int, ...] = TUNING_SEEDS
    test_seeds: tuple[int, ...] = TEST_SEEDS

    def __post_init__(self) -> None:
        known = suite(self.suite)
        for side in ("tuning", "test"):
            names = getattr(self, side)
            if isinstance(names, str):
                raise TypeError(f"{side}: expected names of instances, found {names!r}")
            if not names:
                raise ValueError(f"{side}: expected at least one instance, found none")
            check_distinct(side, names)
            for name in names:
                known.instance(name)
            seeds_of(getattr(self, f"{side}_seeds"))
        check_apart("test", "instances", self.test, self.tuning)
        check_apart("test_seeds", "seeds", self.test_seeds, self.tuning_seeds)


def check_apart(name: str, kind: str, tests: Iterable[object], trained: Iterable[object]) -> None:
    """Refuse to test with what is tuned with.

    Raises
    ------
    ValueError
        If anything stands on both sides.
    """
    taken = set(trained)
    for one in tests:
        if one in taken:
            raise not_apart(name, kind, one)


def not_apart(name: str, kind: str, found: object) -> ValueError:
    """What is said of something that stands on both sides."""
    return ValueError(f"{name}: expected {kind} apart from those of the tuning, found {found!r}")


def suite_split(name: str = NEWEST, *, families: Iterable[str] | None = None) -> Split:
    """The split of a suite into instances to tune with and instances to test with.

    It is fixed, so that tunings of different people can be compared. In each family the smaller
    instances are tuned with, mostly on other tables than those of the test.

    Parameters
    ----------
    name : str
        See :func:`~anonopt.experiments.list_suites`.
    families : iterable of str, optional
        Kinds of space, such as ``"levels"``; by default all.

    Returns
    -------
    Split

    Raises
    ------
    ValueError
        If a name is unknown, there is no family, or the suite has no split.
    TypeError
        If the families are no list of names.

    Examples
    --------
    >>> trees = suite_split("anonopt-2026", families=["trees"])
    >>> trees.tuning, trees.test
    (('german-pram-equations', 'german-equations-max'), ('flare-pram-equations',))
    >>> trees.tuning_seeds
    (1000, 1001, 1002, 1003, 1004)
    """
    if name not in TUNING_INSTANCES:
        raise ValueError(unknown("suite with a split", name, TUNING_INSTANCES))
    chosen = _of_families(name, families)
    tuning = TUNING_INSTANCES[name]
    return Split(
        suite=name,
        tuning=tuple(one for one in chosen if one in tuning),
        test=tuple(one for one in chosen if one not in tuning),
    )


def _of_families(name: str, families: Iterable[str] | None) -> list[str]:
    """Names of instances, in the order of the suite."""
    family_of = {instance.name: instance.family for instance in SUITES[name]}
    if families is None:
        return list(family_of)
    chosen = check_list("families", families, "names")
    for family in chosen:
        if family not in family_of.values():
            raise ValueError(unknown("family", family, sorted(set(family_of.values()))))
    return [instance for instance, family in family_of.items() if family in chosen]
