"""The local recoding that ``anonopt anonymize`` applies: found by a search, or none at all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from anonopt.cli.anonymizing.choice import Choice
from anonopt.cli.console import print_table, say, show
from anonopt.cli.searching import search_in_turn

if TYPE_CHECKING:
    import pandas as pd

    from anonopt._typing import AnyArray, BoolArray
    from anonopt.cli.configuration.config import SearchSection
    from anonopt.data.recoded_groups import RecodedGroups
    from anonopt.problems import LocalRecodingProblem

DEFAULT_BUDGET = 2_000
"""Distinct local recodings that a search evaluates: a minute of 30,000 rows."""


@dataclass(frozen=True, kw_only=True)
class RecodingChoice(Choice):
    """A local recoding and how it was come by.

    Attributes
    ----------
    problem : LocalRecodingProblem
    genome : array (n_var,)
        Of the least violation if none is feasible.
    """

    problem: LocalRecodingProblem
    genome: AnyArray

    @cached_property
    def groups(self) -> RecodedGroups:
        """Groups of the rows, and their labels."""
        return self.problem.groups(self.genome)

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
        from anonopt.data.recoded_groups import label_of_each

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
        return self.problem.protect(self.genome), self.problem.suppressed_rows(self.genome)

    def attribute_loss(self) -> pd.DataFrame:
        """Labels, rows that keep their value, and loss of each quasi-identifier."""
        import pandas as pd

        groups, table = self.groups, self.problem.table
        kept = ~groups.suppressed
        rows = []
        for position, column in enumerate(table.quasi_identifiers):
            low, high = groups.lows[:, position], groups.highs[:, position]
            span = max(table.hierarchies[column].n_leaves - 1, 1)
            loss = float(groups.sizes @ np.where(kept, (high - low) / span, 1.0))
            rows.append(
                {
                    "quasi_identifier": str(column),
                    "labels": len(set(zip(low[kept].tolist(), high[kept].tolist(), strict=True))),
                    "unchanged": int(groups.sizes[kept & (low == high)].sum()),
                    "glm": loss,
                    "glm_normalized": loss / table.n_rows,
                }
            )
        return pd.DataFrame(rows)

    def print_loss(self) -> None:
        """Print what becomes of each quasi-identifier, and what labels of several levels mean."""
        columns = ["quasi-identifier", "labels", "rows unchanged", "loss in rows"]
        columns.append("share of the largest")
        print_table(
            columns,
            self.attribute_loss().itertuples(index=False, name=None),
            title="Chosen recoding" if self.feasible else "Nearest recoding, not applied",
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
    from anonopt.cli.configuration.own_table import algorithm_of

    name = algorithm_of(search)
    try:
        get_algorithm(name, problem)
    except ValueError as error:
        raise ValueError(f"search.algorithm: {error}") from error
    found = search_in_turn(
        problem,
        [name],
        title="local recodings",
        budget=search.budget,
        default_budget=DEFAULT_BUDGET,
        test_budget=None,
        seed=search.seed,
        seconds=search.seconds,
    )
    result = found.result
    genomes = result.X if result.success else result.least_infeasible_X
    verdict = "no recoding is better" if result.proven else "a better recoding may exist"
    return RecodingChoice(
        problem=problem,
        genome=genomes[0],
        feasible=result.success,
        is_proven=result.proven,
        algorithm=found.algorithm,
        figures=_figures(problem, genomes[0]),
        message=f"{found.text}: {verdict}" if result.success else found.text,
    )
