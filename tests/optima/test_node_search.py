"""The search beneath branch and bound: one k after the other is what each k is afresh."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonopt.optima.node_losses import NodeLoss
from anonopt.optima.node_search import NodeSearch, NoTestLeft
from tests.algorithms.small_problems import SmallProblem, small_problems
from tests.examples import examples


def search_of(small: SmallProblem, objective: str = "generalization_level") -> NodeSearch:
    problem = small.problem(objective)
    return NodeSearch(
        NodeLoss.of(problem.evaluator, problem.objectives[0]),
        np.zeros(problem.n_var, dtype=np.int64),
    )


def least_loss(small: SmallProblem, k: int, budget: int) -> float:
    heights = small.small.table.lattice.heights
    losses = [
        sum(level / max(height, 1) for level, height in zip(node, heights, strict=True))
        / len(heights)
        for node in map(tuple, small.small.table.lattice.nodes().tolist())
        if len(small.small.classes(node, budget, k).suppressed) <= budget
    ]
    return min(losses, default=math.inf)


@examples(20)
@given(small=small_problems(), ks=st.lists(st.integers(1, 6), min_size=2, max_size=4))
def test_one_k_after_the_other_is_each_afresh(small, ks):
    search = search_of(small)
    for k in ks:
        wanted = least_loss(small, k, small.budget)
        search.start(k=k, budget=small.budget)
        assert search.run()
        assert search.best == pytest.approx(wanted, abs=1e-12)
        assert (search.gap, search.is_finished) == (0.0, True)
        # Nothing is below the optimum, and the floor ends the search where it is reached.
        search.start(k=k, budget=small.budget, cutoff=search.best)
        assert search.run()
        assert search.node is None
        search.start(k=k, budget=small.budget, floor=wanted)
        assert search.run()
        assert search.best == pytest.approx(wanted, abs=1e-12)


@examples(15)
@given(small=small_problems(), step=st.integers(1, 5))
def test_budget_of_tests_stops_with_a_true_bound_and_more_of_it_goes_on(small, step):
    search, wanted = search_of(small), least_loss(small, small.k, small.budget)
    search.test_budget = step
    started = False
    while True:
        try:
            if not started:
                search.start(k=small.k, budget=small.budget)
            search.run()
            break
        except NoTestLeft:
            started = True
            assert search.n_tests <= search.test_budget
            assert search.bound <= wanted + 1e-12
            search.test_budget += search.test_budget
    assert search.best == pytest.approx(wanted, abs=1e-12)
