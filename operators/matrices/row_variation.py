"""Crossover and mutation of matrices by whole rows, which stay the distributions they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from anonopt._typing import AnyArray, Generator, IntArray
from anonopt.operators.base import genomes_in_bounds
from anonopt.operators.matrices.matrix_ranges import rows_of_matrices
from anonopt.operators.variation import GenomeMutation, IntegerCrossover


class RowCrossover(IntegerCrossover):
    """Two parents exchange matrices, or rows of matrices; each child has what the other has not.

    With probability one half a matrix goes as a whole to either child; else each of its rows does.

    The space of a problem says by ``matrix_lengths`` and ``row_lengths`` where matrices and rows
    end; without a space a genome is one matrix of one row. Uniform crossover: Syswerda 1989.

    Examples
    --------
    >>> import numpy as np
    >>> import anonopt as ao
    >>> from pymoo.core.population import Population
    >>> problem = ao.get_problem("german-pram", columns=["employment"])
    >>> parents = Population.new("X", np.repeat([[0], [1]], problem.n_var, axis=1))
    >>> generator = np.random.default_rng(1)
    >>> children = RowCrossover()(problem, [parents], random_state=generator)
    >>> children[0].X.reshape(5, 5).tolist()[:2]
    [[1, 1, 1, 1, 1], [0, 0, 0, 0, 0]]
    """

    def __init__(self) -> None:
        super().__init__(n_parents=2, n_offsprings=2, prob=1.0)

    def _crossed(self, problem: Any, X: IntArray, generator: Generator) -> IntArray:
        n_matings = X.shape[1]
        taken = []
        for rows in rows_of_matrices(problem):
            by_row = generator.random((n_matings, len(rows))) < 0.5
            whole = generator.random((n_matings, 2)) < 0.5
            mask = np.where(whole[:, :1], whole[:, 1:], by_row)
            taken.append(np.repeat(mask, [end - start for start, end in rows], axis=1))
        first = np.concatenate(taken, axis=1)
        return np.stack([np.where(first, X[0], X[1]), np.where(first, X[1], X[0])])


class RowMutation(GenomeMutation):
    """One row of each matrix is drawn anew, each of its genes uniformly within its bounds.

    Of Gray codes the weights of the row are then uniform, too. The space of a problem says by
    ``matrix_lengths`` and ``row_lengths`` where matrices and rows end; without a space a genome is
    one matrix of one row.

    Examples
    --------
    >>> import numpy as np
    >>> import anonopt as ao
    >>> from pymoo.core.population import Population
    >>> problem = ao.get_problem("german-pram", columns=["employment"])
    >>> pop = Population.new("X", np.zeros((1, problem.n_var), dtype=np.int64))
    >>> child = RowMutation()(problem, pop, random_state=np.random.default_rng(1))[0]
    >>> child.X.reshape(5, 5).any(axis=1).tolist()
    [False, False, True, False, False]
    """

    def __init__(self) -> None:
        super().__init__(prob=1.0)

    def _mutated(self, problem: Any, X: AnyArray, generator: Generator) -> IntArray:
        genomes, lower, upper = genomes_in_bounds(problem, X)
        for rows in rows_of_matrices(problem):
            for genome in genomes:
                start, end = rows[generator.integers(len(rows))]
                part = slice(start, end)
                genome[part] = generator.integers(lower[part], upper[part], endpoint=True)
        return genomes
