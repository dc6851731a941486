"""One bit of one Gray code is flipped."""

from __future__ import annotations

import numpy as np
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt.data.columns.gray_codes import gray_encode
from anonopt.operators import GrayBitFlip
from anonopt.problems.spaces import Matrices

# Mares 2013, Figure 4.1: the matrix in thousandths.
FIGURE_4_1 = gray_encode(np.array([185, 283, 532, 609, 89, 302, 2, 277, 721]))


def children(problem: Problem, parent: np.ndarray, n: int) -> np.ndarray:
    pop = Population.new("X", np.tile(parent, (n, 1)))
    return GrayBitFlip()(problem, pop, random_state=np.random.default_rng(6)).get("X")


def test_figure_4_1_shows_the_codes():
    assert [f"{code:010b}" for code in FIGURE_4_1] == [
        "0011100101",
        "0110010110",
        "1100011110",
        "1101010001",
        "0001110101",
        "0110111001",
        "0000000011",
        "0110011111",
        "1110111001",
    ]


def test_every_bit_of_every_gene_is_as_probable():
    problem = Problem(n_var=9, n_obj=1, xl=0, xu=1023)
    changed = children(problem, FIGURE_4_1, 18_000) ^ FIGURE_4_1
    rows, genes = np.nonzero(changed)
    assert len(np.unique(rows)) == len(rows) == 18_000
    bits = changed[rows, genes]
    assert (bits & (bits - 1) == 0).all()
    counts = np.bincount(genes * 10 + np.log2(bits).astype(int), minlength=90)
    assert (np.abs(counts - 200) < 5 * np.sqrt(200)).all()


def test_figure_4_2_is_one_of_the_outcomes():
    problem = Problem(n_var=9, n_obj=1, xl=0, xu=1023)
    mutated = FIGURE_4_1.copy()
    mutated[3] = 0b1101011001
    assert (children(problem, FIGURE_4_1, 3000) == mutated).all(axis=1).any()


def test_of_a_range_that_is_no_power_of_two_every_code_can_change():
    problem = Problem(n_var=2, n_obj=1, xl=[3, 7], xu=[8, 7])
    for value in range(3, 9):
        X = children(problem, np.array([value, 7]), 200)
        assert (X[:, 0] != value).all()
        assert set(X[:, 0]) <= set(range(3, 9))
        assert (X[:, 1] == 7).all()


def test_one_bit_of_each_matrix_or_of_all_is_flipped():
    problem = Problem(n_var=13, n_obj=1, xl=0, xu=1023)
    problem.space = Matrices(["ab", "cde"])
    pop = Population.new("X", np.full((500, 13), 5))
    for matrices, counts in (("each", {(1, 1)}), ("one", {(1, 0), (0, 1)})):
        mutation = GrayBitFlip(matrices=matrices)
        X = mutation(problem, pop, random_state=np.random.default_rng(1)).get("X")
        changed = X != 5
        assert changed.any(axis=0).all()
        flipped = (X ^ 5)[changed]
        assert (flipped & (flipped - 1) == 0).all()
        sides = changed[:, :4].sum(axis=1), changed[:, 4:].sum(axis=1)
        assert set(zip(*(side.tolist() for side in sides), strict=True)) == counts
