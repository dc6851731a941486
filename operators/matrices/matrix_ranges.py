"""Genomes that are several matrices, one after the other."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from anonopt.operators.base import own_space

Matrices = Literal["each", "one"]
MATRICES = ("each", "one")


def matrix_ranges(problem: Any) -> list[tuple[int, int]]:
    """First gene of each matrix of a genome, and the one after its last.

    Parameters
    ----------
    problem : pymoo Problem
        The ``matrix_lengths`` of its space are the numbers of genes of its matrices; without a
        space a genome is one matrix.

    Examples
    --------
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=5, n_obj=1, xl=0, xu=1)
    >>> matrix_ranges(problem)
    [(0, 5)]
    """
    space = own_space(problem)
    ends = np.cumsum((problem.n_var,) if space is None else space.matrix_lengths).tolist()
    return list(zip([0, *ends[:-1]], ends, strict=True))
