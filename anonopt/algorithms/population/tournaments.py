"""Tournaments of two for pymoo's ``TournamentSelection``, drawn with the generator of the run.

pymoo's own break ties with generators nobody seeded (NSGA-III), or are wrapped so that an
algorithm that holds them cannot be pickled (GA, SMS-EMOA). These are plain functions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.core.population import Population

from anonopt._typing import BoolArray, Generator, IntArray
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
    one, other = np.maximum(pop.get("CV")[:, 0], 0)[P].T
    return _winners(P, one < other, other < one, random_state)


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
    one, other = np.maximum(pop.get("CV")[:, 0], 0)[P].T
    first, second = np.moveaxis(pop.get("F")[P], 1, 0)
    first_better = (one < other) | ((one == other) & dominates(first, second))
    second_better = (other < one) | ((one == other) & dominates(second, first))
    return _winners(P, first_better, second_better, random_state)


def _winners(
    P: IntArray, first_better: BoolArray, second_better: BoolArray, generator: Generator
) -> IntArray:
    drawn = generator.random(len(P)) < 0.5
    first_wins = first_better | (drawn & ~second_better)
    return np.where(first_wins, P[:, 0], P[:, 1])[:, np.newaxis]
