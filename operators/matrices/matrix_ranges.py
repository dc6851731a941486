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


def rows_of_matrices(problem: Any) -> list[list[tuple[int, int]]]:
    """First gene of each row of each matrix of a genome, and the one after its last.

    Parameters
    ----------
    problem : pymoo Problem
        The ``row_lengths`` of its space are the numbers of genes of the rows; without a space a
        genome is one row.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.get_problem("german-pram", columns=["status", "employment"])
    >>> rows_of_matrices(problem)[0]
    [(0, 4), (4, 8), (8, 12), (12, 16)]
    """
    space = own_space(problem)
    ends = np.cumsum((problem.n_var,) if space is None else space.row_lengths).tolist()
    rows = list(zip([0, *ends[:-1]], ends, strict=True))
    return [
        [(first, last) for first, last in rows if start <= first < end]
        for start, end in matrix_ranges(problem)
    ]
