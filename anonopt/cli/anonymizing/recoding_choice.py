"""The local recoding that ``anonopt anonymize`` applies: found by a search, or none at all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from anonopt.cli.anonymizing.asked import asked_of, best_in_one_class
from anonopt.cli.anonymizing.choice import Choice
from anonopt.cli.configuration.own_table import algorithm_of
from anonopt.cli.console import print_table, say, show
from anonopt.cli.searching import search_in_turn

if TYPE_CHECKING:
    import pandas as pd

    from anonopt._typing import AnyArray, BoolArray
    from anonopt.cli.configuration.config import SearchSection
    from anonopt.data.recoded_groups import RecodedGroups
    from anonopt.evaluation import RecodingEvaluator
    from anonopt.problems import LocalRecodingProblem

SEARCHED_ROWS = 6_000_000
FEWEST, MOST = 100, 2_000
"""Default of the local recodings that are evaluated: so many that about so many rows are looked at,
a minute or two, but never a time, since the same file has to give the same table on any machine."""


@dataclass(frozen=True, kw_only=True)
class RecodingChoice(Choice):
    """A local recoding and how it was come by.

    Attributes
    ----------
    problem : LocalRecodingProblem
    groups : RecodedGroups
        Groups of the rows and their labels; all rows in one group if nothing feasible was found.
    genome : array (n_var,), or None
    """

    problem: LocalRecodingProblem
    groups: RecodedGroups
    genome: AnyArray | None

    @property
    def searched(self) -> str:
        """What was searched."""
        return "local recoding"

    @property
    def facts(self) -> dict[str, Any]:
        """What the JSON tells of it beside its figures."""
        return {"method": "local", **self.recorded["recoding"]}

    @property
    def recorded(self) -> dict[str, Any]:
        """What the record tells of it beside its figures."""
        first, _ = self.groups.classes
        n_classes = int((~self.groups.suppressed[first]).sum())
        return {"recoding": {"n_classes": n_classes, "overlap": self.overlap}}

    @cached_property
    def overlap(self) -> str | None:
        """A label beside another one that it covers, in words; None where no labels do."""
        from anonopt.data.hierarchies.leaf_ranges import label_of_each

        table, kept = self.problem.table, ~self.groups.suppressed
        for position, column in enumerate(table.quasi_identifiers):
            lows, highs = self.groups.lows[kept, position], self.groups.highs[kept, position]
            ranges = np.unique(np.column_stack([lows, -highs]), axis=0) * [1, -1]
            # In this order a label that is covered by an earlier one ends no later than it does.
            covers = np.flatnonzero(np.diff(np.maximum.accumulate(ranges[:, 1])) == 0)
            if len(covers):
                child = ranges[covers[0] + 1]
                (parent, *_) = ranges[: covers[0] + 1][ranges[: covers[0] + 1, 1] >= child[1]]
                pairs = [(int(low), int(high)) for low, high in (parent, child)]
                above, below = label_of_each(table.hierarchies[column], column, pairs)
                return f"{column} {above} beside {below}"
        return None

    def applied(self) -> tuple[pd.DataFrame, BoolArray]:
        """The protected table and the mask of its suppressed rows."""
        if self.genome is None:
            raise ValueError(f"expected a feasible local recoding, found none: {self.message}")
        return self.problem.protect(self.genome), self.problem.suppressed_rows(self.genome)

    def attribute_loss(self) -> pd.DataFrame:
        """Labels, rows that keep their value, and loss of each quasi-identifier."""
        groups, kept = self.groups, ~self.groups.suppressed
        loss = self.problem.evaluator.attribute_loss(groups)
        ranges = list(zip(groups.lows[kept].T, groups.highs[kept].T, strict=True))
        n_labels = [len(np.unique([low, high], axis=1).T) for low, high in ranges]
        unchanged = [int(groups.sizes[kept] @ (low == high)) for low, high in ranges]
        found = loss[["glm", "glm_normalized"]].assign(labels=n_labels, unchanged=unchanged)
        names = ["quasi_identifier", "labels", "unchanged", "glm", "glm_normalized"]
        return found.reset_index()[names]

    def print_loss(self) -> None:
        """Print what becomes of each quasi-identifier, and what labels of several levels mean."""
        columns = ["quasi-identifier", "labels", "rows unchanged", "loss in rows"]
        columns.append("share of the largest")
        print_table(
            columns,
            self.attribute_loss().itertuples(index=False, name=None),
            title="Chosen recoding" if self.feasible else "All rows in one group, not applied",
            numeric=columns[1:],
        )
        if self.overlap is not None:
            say(
                f"Labels overlap, such as {self.overlap}: a row labelled with the parent may stand "
                f"beside rows labelled with its child; each class of equal labels holds at least "
                f"{show(self.figures['k'])} rows."
            )


def choose_recoding(problem: LocalRecodingProblem, search: SearchSection) -> RecodingChoice:
    """Find the best local recoding of a problem with one objective.

    Raises
    ------
    ValueError
        If the algorithm is unknown, or does not take the problem.
    """
    from anonopt.algorithms import get_algorithm
    from anonopt.problems.spaces import Groups

    name = algorithm_of(search, problem)
    try:
        get_algorithm(name, problem)
    except ValueError as error:
        raise ValueError(f"search.algorithm: {error}") from error
    whole = Groups(problem.table).top()
    if failed := _failures(problem, search, whole):
        message = f"no local recoding is feasible: with all rows in one group, {', '.join(failed)}"
        return _unapplied(problem, whole, algorithm=name, message=message)
    default = max(FEWEST, min(MOST, SEARCHED_ROWS // problem.table.n_rows))
    found = search_in_turn(
        problem,
        [name],
        title="local recodings",
        budget=search.budget,
        default_budget=default,
        test_budget=None,
        seed=search.seed,
        seconds=search.seconds,
        generations=default if search.budget is None else search.budget,
    )
    result = found.result
    if not result.success:
        return _unapplied(problem, whole, algorithm=found.algorithm, message=found.text)
    groups = problem.groups(result.X[0])
    verdict = "no local recoding is better" if result.proven else "a better one may exist"
    return RecodingChoice(
        problem=problem,
        groups=groups,
        genome=result.X[0],
        feasible=True,
        is_proven=result.proven,
        algorithm=found.algorithm,
        figures=_figures(problem, groups, problem.evaluator),
        message=f"{found.text}: {verdict}",
    )


def _unapplied(problem: LocalRecodingProblem, whole: RecodedGroups, **facts: str) -> RecodingChoice:
    """Nothing feasible: what all rows in one group have, which many measures are best of."""
    from anonopt.evaluation import RecodingEvaluator

    return RecodingChoice(
        problem=problem,
        groups=whole,
        genome=None,
        feasible=False,
        is_proven=False,
        figures=_figures(problem, whole, RecodingEvaluator(problem.table)),
        **facts,
    )


def _failures(
    problem: LocalRecodingProblem, search: SearchSection, whole: RecodedGroups
) -> list[str]:
    """Bounds that no recoding can meet as not even all rows in one group do; in words."""
    from anonopt.evaluation import RecodingEvaluator
    from anonopt.problems.measured import TOLERANCE

    best = best_in_one_class(problem.evaluator.rule.budget)
    asked, failed = asked_of(search), []
    # Of the problem's own evaluator a class that misses its bounds would be suppressed.
    found = _figures(problem, whole, RecodingEvaluator(problem.table))
    bounds = [(bound.measure, bound.worst) for bound in problem.evaluator.rule.bounds]
    for measure, worst in (*bounds, *problem.constraints):
        name = measure.name
        missing = worst - found[name] if measure.maximize else found[name] - worst
        if name.partition(":")[0] in best and missing > TOLERANCE:
            failed.append(f"{name} is {show(found[name])}, asked for {asked[name]}")
    return failed


def _figures(
    problem: LocalRecodingProblem, groups: RecodedGroups, evaluator: RecodingEvaluator
) -> dict[str, Any]:
    private = ["k"] if problem.table.sensitive is None else ["k", "l", "t"]
    bounded = [measure.name for measure, _ in problem.constraints]
    bounded += [bound.measure.name for bound in problem.evaluator.rule.bounds]
    names = list(dict.fromkeys([*problem.objective_names, *private, *bounded, "suppressed"]))
    frame = evaluator.evaluate([groups], names)
    return {name: frame[name].iloc[0] for name in names}
