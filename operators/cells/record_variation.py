"""Mutation and crossover of masked files that move whole records, and many cells of a category.

One cell, or one stretch, changes loss and risk by little, or by what lies in it by chance. Both
are sums over records, so files that hold some records of one parent and the others of another one
lie between the two, wherever the records stand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anonopt._checks import check_share
from anonopt._typing import AnyArray, Generator
from anonopt.operators.base import genomes_in_bounds, own_space
from anonopt.operators.variation import GenomeCrossover, GenomeMutation, new_population


class RecordCrossover(GenomeCrossover):
    """Two parents swap whole records: each one with a probability that is drawn for the mating.

    Uniform crossover (Syswerda 1989) whose genes are the records of the file. The probability is
    drawn uniformly from 0..1, so that children lie anywhere between their parents. Of problems
    that are not files, each gene is a record.

    Parameters
    ----------
    prob : float
        Probability, per mating, to swap; otherwise the parents are copied. In 0..1.

    Raises
    ------
    ValueError
        If prob is not in 0..1; when it crosses, if a code is out of its bounds.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> import anonopt as ao
    >>> from pymoo.core.population import Population
    >>> frame = pd.DataFrame({"x": list("abab"), "y": list("aabb")})
    >>> problem = ao.problems.MaskingProblem(frame, ["IL", "DR"])
    >>> parents = Population.new("X", np.array([[0] * 8, [1] * 8], dtype=np.int8))
    >>> children = RecordCrossover()(problem, [parents], random_state=np.random.default_rng(1))
    >>> children.get("X").tolist()
    [[0, 0, 1, 1, 0, 0, 1, 1], [1, 1, 0, 0, 1, 1, 0, 0]]
    """

    def __init__(self, *, prob: float = 1.0) -> None:
        super().__init__(n_parents=2, n_offsprings=2, prob=check_share("prob", prob))

    def _children(self, problem: Any, matings: Any, algorithm: Any, generator: Generator) -> Any:
        crossed = generator.random(len(matings)) < self.prob.value
        pairs = []
        for (one, other), cross in zip(matings, crossed, strict=True):
            parents = _checked(problem, one.X), _checked(problem, other.X)
            pairs.append(_swapped(problem, parents, generator) if cross else parents)
        return new_population([pair[side] for side in range(2) for pair in pairs])


def _swapped(
    problem: Any, parents: tuple[AnyArray, AnyArray], generator: Generator
) -> tuple[AnyArray, AnyArray]:
    space = _cells_of(problem)
    n_columns = 1 if space is None else space.shape[1]
    n_records = len(parents[0]) // n_columns
    swapped = np.flatnonzero(generator.random(n_records) < generator.random())
    one, other = (parent.reshape(n_records, n_columns).copy() for parent in parents)
    one[swapped], other[swapped] = other[swapped], one[swapped]
    children = one.reshape(-1), other.reshape(-1)
    if space is not None and len(swapped) > 0:
        first, last = int(swapped[0]) * n_columns, int(swapped[-1] + 1) * n_columns - 1
        for child, parent in zip(children, parents, strict=True):
            space.note_offspring(child, parent, first, last)
    return children


class CategoryMutation(GenomeMutation):
    """Some or all cells of one column that hold one category get another one.

    The category is that of a cell, drawn uniformly; the other one is drawn uniformly among those
    of the column. Each cell of the category changes with a probability that is drawn uniformly
    from 0..1, the drawn cell always. A column of one category stays. Of problems that are not
    files, one gene gets another value.

    Raises
    ------
    ValueError
        When it mutates, if a code is out of its bounds.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> import anonopt as ao
    >>> from pymoo.core.population import Population
    >>> frame = pd.DataFrame({"x": list("aabcab")})
    >>> problem = ao.problems.MaskingProblem(frame, ["IL", "DR"])
    >>> pop = Population.new("X", problem.genomes([frame]))
    >>> CategoryMutation()(problem, pop, random_state=np.random.default_rng(1)).get("X").tolist()
    [[0, 0, 2, 2, 0, 1]]
    """

    def __init__(self) -> None:
        super().__init__(prob=1.0)

    def _mutants(self, problem: Any, pop: Any, generator: Generator) -> Any:
        return new_population([self._mutant(problem, one.X, generator) for one in pop])

    def _mutant(self, problem: Any, parent: AnyArray, generator: Generator) -> AnyArray:
        child = _checked(problem, parent)
        space = _cells_of(problem)
        cell = int(generator.integers(len(child)))
        low, high, value = int(problem.xl[cell]), int(problem.xu[cell]), int(child[cell])
        if low == high:
            return child
        drawn = int(generator.integers(low, high))
        # Genes of problems that are not files have nothing in common: each is its own column.
        n_columns = len(child) if space is None else space.shape[1]
        row, column = divmod(cell, n_columns)
        cells = child.reshape(-1, n_columns)[:, column]
        changes = generator.random(len(cells)) < generator.random()
        changes[row] = True
        changed = np.flatnonzero(changes & (cells == value))
        cells[changed] = drawn + (drawn >= value)
        if space is not None:
            first, last = (int(end) * n_columns + column for end in (changed[0], changed[-1]))
            space.note_offspring(child, parent, first, last)
        return child


def _cells_of(problem: Any) -> Any:
    """Space of a problem of files; None of any other problem."""
    space = own_space(problem)
    return None if space is None or space.kind != "cells" else space


def _checked(problem: Any, genome: AnyArray) -> AnyArray:
    """Own copy of a genome within its bounds; of a file, in the type of its space."""
    space, X = _cells_of(problem), genome[np.newaxis]
    checked = genomes_in_bounds(problem, X)[0] if space is None else space.checked(X)
    return np.array(checked[0])
