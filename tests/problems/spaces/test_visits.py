"""Orders of visits: every gene is any node."""

from __future__ import annotations

import numpy as np
import pytest

from anonopt.operators import ResetMutation, SinglePointCrossover
from anonopt.problems.spaces import Levels, Visits


def test_every_gene_is_a_node():
    space = Visits(3)
    assert (space.lower.tolist(), space.upper.tolist()) == ([0, 0, 0], [2, 2, 2])
    assert space.size == 27
    assert (space.kind, space.names) == ("visits", ())
    assert space.checked(np.array([[2, 2, 2]])).tolist() == [[2, 2, 2]]
    with pytest.raises(ValueError, match=r"gene 1: .* in 0\.\.2, found 3 in genome 0"):
        space.checked(np.array([[0, 3, 0]]))


def test_a_mutated_visit_goes_to_any_node():
    space = Visits(3)
    assert isinstance(space.mutation(), ResetMutation)
    assert isinstance(space.crossover(), SinglePointCrossover)


def test_it_is_another_space_than_levels_of_the_same_bounds():
    assert Visits(3).describe() != Levels(upper=[2, 2, 2]).describe()


def test_a_graph_has_a_node():
    with pytest.raises(ValueError, match="n_var: expected a whole number of at least 1"):
        Visits(0)
