"""Tournaments of two for pymoo's ``TournamentSelection``, drawn with the generator of the run.

pymoo's own break ties with generators nobody seeded (NSGA-III), or are wrapped so that an
algorithm that holds them cannot be pickled (GA, SMS-EMOA). These are plain functions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.population import Population

from anonopt._typing import Generator, IntArray
from anonopt.measures.fronts.boxes import dominates


def less_violated(
    pop: Population, P: IntArray, *, random_state: Generator, **kwargs: Any
) -> IntArray:
    """Let the smaller constraint violation win; a tie is drawn.

    Parameters
    ----------
    pop : Population
    P : int array (n, 2)
        Rows of the individuals that meet.
    random_state : numpy Generator

    Returns
    -------
    int64 array (n, 1)
        Rows of the winners.
    """
    violation = np.maximum(pop.get("CV")[:, 0], 0)[P]
    return _winners(
        P,
        first_better=violation[:, 0] < violation[:, 1],
        second_better=violation[:, 1] < violation[:, 0],
        generator=random_state,
    )


def less_violated_or_dominating(
    pop: Population, P: IntArray, *, random_state: Generator, **kwargs: Any
) -> IntArray:
    """Let the smaller constraint violation win, then the one that dominates; a tie is drawn.

    With one objective, dominating is being better.

    Parameters
    ----------
    pop : Population
    P : int array (n, 2)
        Rows of the individuals that meet.
    random_state : numpy Generator

    Returns
    -------
    int64 array (n, 1)
        Rows of the winners.
    """
    violation = np.maximum(pop.get("CV")[:, 0], 0)[P]
    first, second = np.moveaxis(pop.get("F")[P], 1, 0)
    equal = violation[:, 0] == violation[:, 1]
    return _winners(
        P,
        first_better=(violation[:, 0] < violation[:, 1]) | (equal & dominates(first, second)),
        second_better=(violation[:, 1] < violation[:, 0]) | (equal & dominates(second, first)),
        generator=random_state,
    )


def _winners(
    P: IntArray,
    *,
    first_better: npt.NDArray[np.bool_],
    second_better: npt.NDArray[np.bool_],
    generator: Generator,
) -> IntArray:
    drawn = generator.random(len(P)) < 0.5
    first_wins = first_better | (drawn & ~second_better)
    return np.where(first_wins, P[:, 0], P[:, 1])[:, np.newaxis]
