"""Which problems have trees as genomes."""

from __future__ import annotations

import pytest
from pymoo.core.problem import Problem

from anonopt.operators.trees.tree_genomes import tree_space
from tests.contracts.toy_equations import ToyEquations
from tests.contracts.toy_problems import ToyLattice


def test_space_of_equations_is_one_of_trees():
    problem = ToyEquations()
    assert tree_space(problem) is problem.space


@pytest.mark.parametrize("make", [ToyLattice, lambda: Problem(n_var=1, n_obj=1)])
def test_other_genomes_are_refused(make):
    with pytest.raises(ValueError, match="expected genomes that are trees"):
        tree_space(make())
