"""The search by pairs of columns: the same without compiling, with threads, and when stopped."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonopt as ao
from anonopt.algorithms import BranchAndBound
from anonopt.optima import pair_refiner
from anonopt.optima.node_losses import NodeLoss
from anonopt.optima.node_search import NoTestLeft
from anonopt.optima.pair_search import PairSearch
from anonopt.problems import LatticeProblem
from anonopt.runs import solve
from tests.algorithms.small_problems import SmallProblem, small_problems


def search_of(small: SmallProblem, *, accelerator: str = "auto", workers: int = 1) -> PairSearch:
    problem = LatticeProblem(
        small.small.table,
        ["generalization_level"],
        k=small.k,
        suppression=small.budget,
        accelerator=accelerator,
    )
    loss = NodeLoss.of(problem.evaluator, problem.objectives[0])
    search = PairSearch(loss, np.zeros(problem.n_var, dtype=np.int64), workers=workers)
    search.start(k=small.k, budget=small.budget)
    return search


def nodes_of(search: PairSearch) -> tuple[list[list[int]], float, int]:
    assert search.run()
    return [node.tolist() for node in search.found], search.best, search.n_tests


@settings(max_examples=25)
@given(small=small_problems())
def test_threads_and_compilation_change_nothing(small):
    found = nodes_of(search_of(small))
    with pytest.MonkeyPatch.context() as patch:
        # Threads are for large branches alone.
        patch.setattr(pair_refiner, "WORTH_THREADS", 0)
        assert nodes_of(search_of(small, workers=3)) == found
    assert nodes_of(search_of(small, accelerator="numpy")) == found


@settings(max_examples=20)
@given(small=small_problems(), step=st.integers(200, 400))
def test_search_that_is_stopped_goes_on_to_the_same_optimum(small, step):
    search = search_of(small)
    search.run()
    stopped = search_of(small)
    stopped.test_budget = stopped.n_tests
    while True:
        assert stopped.bound - 1e-12 <= search.best <= stopped.best
        try:
            stopped.run(tests=1)
        except NoTestLeft:
            stopped.test_budget += step
        if stopped.is_finished:
            break
    assert stopped.best == search.best


def test_options_that_do_not_go_together_are_told():
    with pytest.raises(ValueError, match="workers: expected 1 with order='levels', found 2"):
        BranchAndBound(workers=2)
    with pytest.raises(ValueError, match="trace: expected False with order='pairs', found True"):
        BranchAndBound(order="pairs", trace=True)
    problem = LatticeProblem(ao.load_dataset("patients"), ["discernibility"], k=2, suppression=0)
    with pytest.raises(ValueError, match=r"expected one of the objectives .* 'discernibility'"):
        solve(problem, BranchAndBound(order="pairs"))
