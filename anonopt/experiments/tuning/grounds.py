"""Where options are tuned and tested: on problems of one's own, or on a suite that is split."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

from anonopt.experiments.experiment import Experiment
from anonopt.experiments.grid.budgets import Budget, BudgetLike, budgets_of, seeds_of
from anonopt.experiments.grid.entries import (
    AlgorithmLike,
    ProblemEntry,
    ProblemLike,
    problem_entries,
)
from anonopt.experiments.performance.references import Reference, exact_reference
from anonopt.experiments.suites.references import packaged_reference
from anonopt.experiments.suites.suite import suite
from anonopt.experiments.tuning.split import Split, check_apart, not_apart

Algorithms = Mapping[str, AlgorithmLike]


class Grounds(ABC):
    """Instances, seeds and budgets of a tuning and of its test.

    Attributes
    ----------
    seeds : list of int
        Of the tuning.
    """

    seeds: list[int]

    @abstractmethod
    def training(self, algorithms: Algorithms) -> Experiment:
        """Algorithms on what is tuned with."""

    @abstractmethod
    def test(
        self, algorithms: Algorithms, problems: Any, seeds: Iterable[int] | None, *, name: str
    ) -> Experiment:
        """Algorithms on what is tested with.

        Raises
        ------
        ValueError
            If an instance or a seed is one of the tuning.
        """

    @abstractmethod
    def reference(self, entry: ProblemEntry) -> Reference | None:
        """What a training run is measured against, whatever other runs find; None if unknown."""


class OwnProblems(Grounds):
    """Problems that were handed in, all with one budget.

    Parameters
    ----------
    problems, seeds, budget
        As those of an :class:`~anonopt.experiments.Experiment`; one budget.

    Raises
    ------
    ValueError
        If options could not be compared fairly, or would not be found again, with the budget.
    """

    def __init__(
        self,
        problems: Mapping[str, ProblemLike] | Iterable[ProblemLike],
        seeds: Iterable[int] | None,
        budget: BudgetLike | None,
    ) -> None:
        if seeds is None or budget is None:
            missing = "seeds" if seeds is None else "budget"
            raise TypeError(f"{missing}: expected them with problems of one's own, found None")
        self.problems = problem_entries(problems)
        self.seeds = seeds_of(seeds)
        self.budget = fair_budget(budget)

    def training(self, algorithms: Algorithms) -> Experiment:
        """Algorithms on the problems."""
        return self._experiment(self.problems, algorithms, self.seeds, "tuning")

    def test(
        self, algorithms: Algorithms, problems: Any, seeds: Iterable[int] | None, *, name: str
    ) -> Experiment:
        """Algorithms on other problems, with the budget of the tuning."""
        if problems is None or seeds is None:
            missing = "problems" if problems is None else "seeds"
            raise TypeError(f"{missing}: expected those to test with, found None")
        tests, test_seeds = problem_entries(problems), seeds_of(seeds)
        trained = {entry.problem.portable_fingerprint for entry in self.problems}
        for entry in tests:
            # A problem is known by what it is, not by what it is called.
            if entry.problem.portable_fingerprint in trained:
                raise not_apart("problems", "instances", entry.name)
        check_apart("seeds", "seeds", test_seeds, self.seeds)
        return self._experiment(tests, algorithms, test_seeds, name)

    def reference(self, entry: ProblemEntry) -> Reference | None:
        """The exact front, where all solutions can be evaluated."""
        return exact_reference(entry.problem)

    def _experiment(
        self, problems: list[ProblemEntry], algorithms: Algorithms, seeds: list[int], name: str
    ) -> Experiment:
        return Experiment(
            problems={one.name: one.catalogue_name or one.problem for one in problems},
            algorithms=algorithms,
            seeds=seeds,
            budget={kind: bound for kind, bound in vars(self.budget).items() if bound is not None},
            name=name,
        )


class SplitSuite(Grounds):
    """A suite that is split, with the budgets and references of its instances.

    Parameters
    ----------
    split : Split
    seeds : iterable of int, optional
        Of the tuning; by default those of the split.
    budget : None
        Each instance has its own.
    """

    def __init__(
        self, split: Split, seeds: Iterable[int] | None, budget: BudgetLike | None
    ) -> None:
        if budget is not None:
            raise ValueError(
                f"budget: expected none with a split, as each instance has its own, found {budget}"
            )
        self.split, self.suite = split, suite(split.suite)
        self.seeds = seeds_of(split.tuning_seeds if seeds is None else seeds)
        check_apart("test_seeds", "seeds", split.test_seeds, self.seeds)

    def training(self, algorithms: Algorithms) -> Experiment:
        """Algorithms on the tuning instances."""
        return self.suite.experiment(
            algorithms, seeds=self.seeds, instances=self.split.tuning, name="tuning"
        )

    def test(
        self, algorithms: Algorithms, problems: Any, seeds: Iterable[int] | None, *, name: str
    ) -> Experiment:
        """Algorithms on the test instances, or on some of them."""
        if isinstance(problems, str):
            raise TypeError(f"problems: expected a list of names, found {problems!r}")
        instances = self.split.test if problems is None else list(problems)
        test_seeds = self.split.test_seeds if seeds is None else seeds_of(seeds)
        check_apart("problems", "instances", instances, self.split.tuning)
        check_apart("seeds", "seeds", test_seeds, self.seeds)
        return self.suite.experiment(algorithms, seeds=test_seeds, instances=instances, name=name)

    def reference(self, entry: ProblemEntry) -> Reference | None:
        """That of the suite; of an instance that has none yet, the exact front."""
        return packaged_reference(self.split.suite, entry.name) or exact_reference(entry.problem)


def fair_budget(given: BudgetLike) -> Budget:
    """One budget, under which options can be compared.

    Raises
    ------
    ValueError
        If there are several, or it bounds seconds, or generations alone.

    Examples
    --------
    >>> fair_budget(100).name
    '100 evaluations'
    >>> fair_budget({"generations": 20})
    Traceback (most recent call last):
        ...
    ValueError: budget: expected evaluations or tests too, as a generation costs what the options
    make of it, found 20 generations
    """
    budgets = budgets_of(given)
    budget = budgets[0]
    if len(budgets) > 1:
        found = "; ".join(one.name for one in budgets)
        raise ValueError(f"budget: expected one to tune with, found {found}")
    if budget.seconds is not None:
        raise ValueError(
            f"budget: expected none of seconds, as the same seed would not find the same options "
            f"again, found {budget.name}"
        )
    if budget.evaluations is None and budget.tests is None:
        raise ValueError(
            f"budget: expected evaluations or tests too, as a generation costs what the options "
            f"make of it, found {budget.name}"
        )
    return budget
