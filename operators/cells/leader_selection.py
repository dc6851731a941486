"""Selection of masked files: one parent from the leaders, the others by their score."""

from __future__ import annotations

from typing import Any

import numpy as np

from anonopt._checks import check_integer
from anonopt._typing import FloatArray, Generator, IntArray
from anonopt.operators.drawing import GenomeSelection


class LeaderSelection(GenomeSelection):
    """First parents come from the best individuals, all are drawn by one over their score.

    Mares 2013, Section 3.4. A mating of one parent draws it from the population. In a mating of
    several, the first parent is drawn from the group of the best scores and the others from the
    rest of the population, each of them once. The probability of an individual is proportional
    to 1 / score; individuals of score 0, if there are any, share it evenly.

    Eq. 3.3 as printed is proportional to the score, which prefers the worst although a lower
    score is better; it is an option.

    The score is the objective. Where objectives are below 0, that is of maximized ones, the best
    is moved to 1. Infeasible individuals come after all feasible ones: their score is the worst
    feasible one plus their constraint violation.

    Parameters
    ----------
    n_leaders : int
        Size of the leader group, at least 1.
    as_printed : bool
        Use Eq. 3.3 as it is in the thesis: proportional to the score.

    Raises
    ------
    ValueError
        If there is no leader; when it selects, if the problem has several objectives or a
        mating more parents than there are individuals.

    Examples
    --------
    >>> import numpy as np
    >>> from pymoo.core.population import Population
    >>> pop = Population.new("F", np.array([[20.0], [40.0], [40.0]]), "CV", np.zeros((3, 1)))
    >>> LeaderSelection().probabilities(pop)
    array([0.5 , 0.25, 0.25])
    >>> LeaderSelection(as_printed=True).probabilities(pop)
    array([0.2, 0.4, 0.4])
    """

    def __init__(self, *, n_leaders: int = 2, as_printed: bool = False) -> None:
        super().__init__()
        self.n_leaders = check_integer("n_leaders", n_leaders, least=1)
        self.as_printed = as_printed

    def probabilities(self, pop: Any) -> FloatArray:
        """Probability of each individual to be drawn from the whole population.

        Parameters
        ----------
        pop : pymoo Population
            Evaluated.

        Returns
        -------
        float array (n,)
            Their sum is 1.
        """
        weights = self._weights(scores(pop))
        return np.asarray(weights / weights.sum())

    def _selected(
        self, problem: Any, pop: Any, n_select: int, n_parents: int, generator: Generator
    ) -> IntArray:
        if n_parents > len(pop):
            raise ValueError(
                f"n_parents: expected at most as many as individuals, {len(pop)}, found {n_parents}"
            )
        found = scores(pop)
        weights = self._weights(found)
        leaders = np.argsort(found, kind="stable")[: self.n_leaders]
        everybody = np.arange(len(pop))
        selected: IntArray = np.empty((n_select, n_parents), dtype=np.int64)
        for mating in selected:
            for place in range(n_parents):
                from_leaders = place == 0 and n_parents > 1
                rows = leaders if from_leaders else np.setdiff1d(everybody, mating[:place])
                mating[place] = _drawn(rows, weights[rows], generator)
        return selected

    def _weights(self, found: FloatArray) -> FloatArray:
        best = found.min()
        if self.as_printed:
            return found if found.max() > 0 else np.ones_like(found)
        if best == 0:
            return np.asarray(found == 0, dtype=np.float64)
        return np.asarray(best / found)


def scores(pop: Any) -> FloatArray:
    """Score of each individual, at least 0, the lower the better; see :class:`LeaderSelection`.

    Parameters
    ----------
    pop : pymoo Population
        Evaluated, of one objective.

    Returns
    -------
    float array (n,)

    Raises
    ------
    ValueError
        If there are several objectives.
    """
    F, CV = pop.get("F"), pop.get("CV")
    if F.ndim != 2 or F.shape[1] != 1:
        raise ValueError(
            f"pop: expected individuals of 1 objective, found objectives of shape {F.shape[1:]}"
        )
    found: FloatArray = F[:, 0].astype(np.float64)
    feasible = CV[:, 0] <= 0
    best = found[feasible].min(initial=np.inf)
    if best < 0:
        found = found - best + 1
    worst = found[feasible].max(initial=0.0)
    return np.where(feasible, found, worst + CV[:, 0])


def _drawn(rows: IntArray, weights: FloatArray, generator: Generator) -> int:
    """One of the rows by weight; evenly if none of them has any."""
    total = weights.sum()
    if total == 0:
        return int(generator.choice(rows))
    return int(generator.choice(rows, p=weights / total))
