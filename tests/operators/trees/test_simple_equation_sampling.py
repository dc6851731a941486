"""Simple equations to start with: which there are, their constants, and what limits leave out."""

from __future__ import annotations

import numpy as np
import pytest
from deap import gp

from anonopt.masking.equations import Equation
from anonopt.masking.equations.primitives import is_constant
from anonopt.operators import SimpleEquationSampling
from anonopt.operators.trees.simple_equation_sampling import EXPONENTS, SIMPLE
from tests.contracts.toy_equations import ToyEquations, text_with_ones


def drawn(problem, n: int, seed: int = 1) -> list[gp.PrimitiveTree]:
    pop = SimpleEquationSampling()(problem, n, random_state=np.random.default_rng(seed))
    return [individual.X[0] for individual in pop]


def test_half_of_the_trees_are_simple_equations_in_turn():
    trees = drawn(ToyEquations(max_depth=5), 31)
    assert len(trees) == 31
    forms = [Equation.parse(text).text for text in SIMPLE]
    assert [text_with_ones(tree) for tree in trees[:15]] == [*forms, *forms, forms[0]]
    # Half-and-half has no constants.
    assert not any(is_constant(node) for tree in trees[15:] for node in tree)


def test_constants_are_log_uniform_and_short():
    trees = drawn(ToyEquations(max_depth=5), 4000)
    values = np.array([node.value for tree in trees for node in tree if is_constant(node)])
    assert len(values) == 2000
    assert all(len(f"{value:.15g}".lstrip("0.").replace(".", "")) <= 4 for value in values)
    exponents = np.log10(values)
    assert exponents.min() >= EXPONENTS[0] and exponents.max() <= EXPONENTS[1]
    shares, _ = np.histogram(exponents, bins=9, range=EXPONENTS)
    assert shares / 2000 == pytest.approx(np.full(9, 1 / 9), abs=0.03)


def test_simple_equations_move_the_share_of_records_that_change():
    problem = ToyEquations(max_depth=5)
    matrices = [Equation(tree).matrix([60, 30, 10]) for tree in drawn(problem, 200)[:100]]
    kept = [np.diag(matrix).mean() for matrix in matrices]
    assert min(kept) < 0.1 and max(kept) > 0.95
    assert all(matrix.sum(axis=1) == pytest.approx([1, 1, 1]) for matrix in matrices)


@pytest.mark.parametrize(("max_depth", "n_forms"), [(1, 0), (2, 0), (3, 4), (4, 7)])
def test_forms_deeper_than_the_limit_are_left_out(max_depth, n_forms):
    trees = drawn(ToyEquations(max_depth=max_depth), 28)
    simple = {Equation.parse(text).text for text in SIMPLE}
    assert len(simple & {text_with_ones(tree) for tree in trees[:14]}) == n_forms


def test_forms_of_nodes_that_the_problem_lacks_are_left_out():
    primitives = gp.PrimitiveSet("sums", 2)
    primitives.renameArguments(ARG0="freq_i", ARG1="freq_j")
    primitives.addPrimitive(np.add, 2, name="add")
    problem = ToyEquations(max_depth=5)
    problem.space.functions = tuple(primitives.primitives[primitives.ret])
    trees = drawn(problem, 20)
    assert len(trees) == 20
    assert {node.name for tree in trees for node in tree if node.arity} == {"add"}
