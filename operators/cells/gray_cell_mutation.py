"""Mutation of masked numeric files: one bit of one cell's perturbation."""

from __future__ import annotations

import numpy as np

from anonopt.operators.cells.cells import CellMutation


class GrayCellMutation(CellMutation):
    """One bit of one cell, drawn uniformly, is flipped, up to its highest bit that is set.

    Genes are xors of the Gray codes of masked and original number, so the bits of a gene are those
    of the perturbation (Mares 2013, Section 3.3): of a gene of s bits, bit k of 1..s is flipped,
    k drawn uniformly. A gene of 0, an unchanged cell, gets bit 1, which makes it a neighbour of
    the original. A gene never gets longer than that, and every gene is that of a value. Where
    bounds are not those of whole bits, as in other problems, bits that lead beyond them are not
    drawn.

    Examples
    --------
    >>> from pymoo.core.population import Population
    >>> from pymoo.core.problem import Problem
    >>> problem = Problem(n_var=3, n_obj=1, xl=0, xu=255)
    >>> pop = Population.new("X", np.array([[0, 0b101, 0b110000]]))
    >>> mutate, rng = GrayCellMutation(), np.random.default_rng(2)
    >>> for _ in range(2):
    ...     print([f"{gene:b}" for gene in mutate(problem, pop, random_state=rng)[0].X])
    ['0', '101', '110010']
    ['1', '101', '110000']
    """

    def _changed(self, value: int, low: int, high: int, generator: np.random.Generator) -> int:
        neighbours = [value ^ 1 << bit for bit in range(max(value.bit_length(), 1))]
        within = [gene for gene in neighbours if low <= gene <= high]
        return within[int(generator.integers(len(within)))] if within else value
