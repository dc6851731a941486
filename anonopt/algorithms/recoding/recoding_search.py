"""RecodingSearch: a local recoding that is improved region by region.

Idea: decode a few random keys to recodings by cuts from the top down, and go on with the best. A
*region* is a group and the groups nearest to it, by what a common label would cost. Pool the rows
of a region and group them anew, greedily from random rows and with noise; what loses no more takes
the place of what was there. A *sweep* does so with random regions until they had as many rows
together as the table, and then the whole recoding is evaluated.

Paper: none; it is large neighbourhood search (P. Shaw, *Using Constraint Programming and Local
Search Methods to Solve Vehicle Routing Problems*, CP 1998) on groups that grow as in J.-W. Byun et
al., *Efficient k-Anonymization Using Clustering Techniques*, DASFAA 2007, after a population-based
start: a memetic search in the sense of P. Moscato (1989).

Decided:

- An evaluation is that of a whole recoding: a first one, or one after a sweep. A sweep counts as
  one decoding, as a region does by its share of the rows; the history tells regions and decodings.
- Regions are judged by the general loss metric alone, weighted as the problem's, from what changes
  in them. Where that is the only objective and there are no other constraints, each sweep goes on
  from the last. Otherwise the problem's objectives decide whether a sweep is kept, and sweeps are
  of a random share of the rows.
- A group may be exchanged for one that loses as much, so that the search moves along plateaus.
- Groups of 2k rows or more are split, as that loses nothing; rows of one tuple may be in different
  groups.
- A row is suppressed where the budget allows it and its suppression costs less than the cheapest
  group.
- Of several objectives, all recodings that none dominates are kept, and one of them is swept, drawn
  at random.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Any

import pandas as pd
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.util.optimum import filter_optimum

from anonopt._checks import check_choice
from anonopt._typing import IntArray
from anonopt.algorithms.population.evolutionary import EvolutionarySearch, best_first
from anonopt.algorithms.population.generations import History
from anonopt.local_recoding.leaf_labels import LABELS, Labels
from anonopt.local_recoding.regions.region_search import Recoding, Regions, Tally, range_columns
from anonopt.operators.groups.group_genomes import group_genomes, group_maker, groups_space
from anonopt.operators.variation import new_population

TOLERANCE = 1e-12
"""Sums of losses that are equal may differ by this share."""

MOST_PARTS = 8
"""Where the problem decides what is kept, a sweep is of at least this part of the rows."""


class RecodingSearch(EvolutionarySearch):
    """Memetic search for local recodings, on problems with ``genome="groups"``.

    Of equal seeds, runs are identical. It is a heuristic and claims no proof; how far it can be
    from the optimum at most tells :func:`anonopt.local_recoding.recoding_bound`.

    Parameters
    ----------
    pop_size : int
        First recodings, at least 1; the best of them, or all that none dominates, are improved.
    n_generations : int
        Sweeps after that, at least 1. A termination replaces it.
    n_nearest : int
        Most groups that join the first one of a region, at least 1; how many is drawn.
    tries : int
        Random groupings of a region of which the best one counts, at least 1.
    noise : float
        By up to this share costs are raised at random when a group takes its next row.
    labels : {"hierarchy", "ranges"}
        Whether labels are values of the hierarchies, or in ordered columns any ranges of leaves,
        such as ``[17, 24]``, which lose less (columns with ``<missing>`` keep to their hierarchy).
    ordered : collection of columns, optional
        Ordered quasi-identifiers; by default those whose leaves are numbers or dates in order.
    sampling : pymoo Sampling, Population or array (n, 1), optional
        First recodings, such as those of Mondrian or k-member clustering; by default decoded from
        random keys, the first from keys of 0.5.
    termination : pymoo Termination or tuple, optional

    Raises
    ------
    ValueError
        If an option is out of its range; when it is set up, if the problem is none of local
        recodings as groups, bounds a measure of classes other than ``l``, or the whole table misses
        k or its bounds.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.problems.LocalRecodingProblem(
    ...     ao.load_dataset("patients"), ["glm"], k=3, genome="groups"
    ... )
    >>> result = ao.solve(problem, RecodingSearch(pop_size=2, n_generations=5), seed=1)
    >>> course = result.algorithm.history()
    >>> course["glm_min"].iloc[-1] <= course["glm_min"].iloc[0]
    np.True_
    """

    def __init__(
        self,
        *,
        pop_size: int = 10,
        n_generations: int = 100,
        n_nearest: int = 4,
        tries: int = 2,
        noise: float = 0.3,
        labels: Labels = "hierarchy",
        ordered: Collection[Hashable] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(pop_size=pop_size, n_generations=n_generations, **options)
        self.regions = Regions(n_nearest=n_nearest, tries=tries, noise=noise)
        self.labels, self.ordered = check_choice("labels", labels, LABELS), ordered

    def particular_refusal(self, problem: Problem) -> str | None:
        """Why it does not take a problem of groups."""
        try:
            maker = group_maker(problem)
        except ValueError as error:
            return str(error)
        if maker.refusal is not None:
            return maker.refusal
        if not maker.regroups:
            return (
                "expected class bounds of l alone (distinct values), found "
                f"{', '.join(map(repr, maker.rule.bounds))}"
            )
        return None

    def _begin(self, problem: Problem) -> None:
        super()._begin(problem)
        self.history = SweepHistory()
        table = groups_space(problem).table
        ranges = range_columns(table, labels=self.labels, ordered=self.ordered)
        self._search = group_maker(problem).regions_of(ranges)
        # Of the parent of the last child; regions it has been through count.
        self._recoding: Recoding | None = None
        self._parent = 0
        self._sweeps_all = problem.n_obj == 1 and _is_loss_alone(problem)

    def _offspring(self) -> Population:
        generator = self.random_state
        self._parent = 0 if len(self.pop) == 1 else int(generator.integers(len(self.pop)))
        if self._recoding is None or len(self.pop) > 1:
            self._recoding = self._search.start(self.pop[self._parent].X[0])
        n_rows = self._search.n_rows
        rows = n_rows
        if not self._sweeps_all:
            rows = max(int(n_rows * generator.random() ** 2), n_rows // MOST_PARTS, 1)
        self._recoding.tally = Tally()
        self._search.sweep(self._recoding, generator, regions=self.regions, rows=rows)
        self.history.note(self._recoding.tally, n_rows)
        genome = group_genomes([self._search.groups(self._recoding)])
        return new_population(list(genome))

    def _replace(self, children: Population) -> IntArray | None:
        if self.problem.n_obj > 1:
            self.pop = filter_optimum(Population.merge(self.pop, children), least_infeasible=True)
        elif _is_no_worse(children[0], self.pop[0]):
            self.pop = children
        else:
            self._recoding = None
        return None

    def _initialize_advance(self, infills: Population | None = None, **kwargs: Any) -> None:
        super()._initialize_advance(infills, **kwargs)
        if self.problem.n_obj == 1:
            self.pop = self.pop[best_first(self.pop)[:1]]
        else:
            self.pop = filter_optimum(self.pop, least_infeasible=True)


class SweepHistory(History):
    """How a population went, and the work that was done."""

    def __init__(self) -> None:
        super().__init__()
        self._work = [(0, 0, 0, 0.0)]

    def note(self, tally: Tally, n_rows: int) -> None:
        """Add the work of a generation on a table of so many rows."""
        regions, replaced, improved, decodings = self._work[-1]
        self._work.append(
            (
                regions + tally.regions,
                replaced + tally.replaced,
                improved + tally.improved,
                decodings + tally.rows / n_rows,
            )
        )

    def __call__(self) -> pd.DataFrame:
        """All generations, as `History` tells them, and the work up to each.

        Returns
        -------
        DataFrame
            Further columns: ``regions`` that were grouped anew, those that were ``replaced`` and
            those that ``improved``, and their rows as a number of ``decodings`` of the table.
        """
        table = super().__call__()
        work = pd.DataFrame(
            self._work[: len(table)], columns=["regions", "replaced", "improved", "decodings"]
        )
        return pd.concat([table, work], axis=1)


def _is_loss_alone(problem: Any) -> bool:
    """Whether nothing but the general loss metric decides."""
    return list(problem.objective_names) == ["glm"] and not problem.constraints


def _is_no_worse(child: Any, parent: Any) -> bool:
    """Whether one individual may take the place of another, of one objective."""
    violated, before = max(float(child.CV[0]), 0.0), max(float(parent.CV[0]), 0.0)
    if violated != before:
        return violated < before
    value, old = float(child.F[0]), float(parent.F[0])
    return value <= old + TOLERANCE * abs(old)
