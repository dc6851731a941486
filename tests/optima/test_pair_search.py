"""The search by pairs of columns: the same without compiling, with threads, and when stopped."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonopt as ao
from anonopt.algorithms import BranchAndBound
from anonopt.data import Hierarchy, Microdata
from anonopt.optima import pair_refiner, pair_search
from anonopt.optima.node_losses import NodeLoss
from anonopt.optima.node_search import NoTestLeft
from anonopt.optima.pair_levels import PairLevels
from anonopt.optima.pair_search import PairSearch
from anonopt.problems import LatticeProblem
from anonopt.runs import solve
from tests.algorithms.small_problems import SmallProblem, small_problems
from tests.examples import examples

SEEDS = 20, 21, 22
"""With the first one a better node was lost where a level excluded those below it."""


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


@examples(10)
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


@pytest.mark.parametrize("compiled", [True, False])
def test_a_level_that_is_too_dear_excludes_nothing_at_the_levels_below(compiled):
    # Column 0 leaves column 1 its lowest level at level 0, and does not at levels 1 and 2.
    known = PairLevels(
        node=np.zeros(2, dtype=np.int64),
        open_levels=np.ones((2, 4), dtype=np.bool_),
        pairs=np.zeros((2, 4, 2), dtype=np.int16),
        costs=np.tile(np.arange(4.0), (2, 1)),
        heights=np.full(2, 3),
    )
    known.pairs[0, :3, 1] = 0, 1, 2
    known.exchange(np.arange(2), compiled=compiled)
    assert known.pairs[1, :3, 0].tolist() == [0, 0, 0]
    known.open_levels[0, 0] = False
    known.exchange(np.arange(2), compiled=compiled)
    assert known.pairs[1, :3, 0].tolist() == [3, 1, 1]


def repeated_levels(seed: int) -> Microdata:
    """Skewed columns with levels that merge nothing: each costs more and suppresses the same."""
    rng = np.random.default_rng(seed)
    n_rows, cells, hierarchies = 40, {}, {}
    for name in "abcd":
        n_values = int(rng.integers(2, 6))
        cells[name] = rng.choice(n_values, n_rows, p=rng.dirichlet(np.full(n_values, 0.5)))
        values = np.arange(n_values)
        levels = [values]
        for _ in range(int(rng.integers(1, 5))):
            is_same = rng.random() < 0.5
            values = values if is_same else rng.integers(0, max(2, n_values // 2), n_values)[values]
            levels.append([f"{len(levels)}-{value}" for value in values])
        hierarchies[name] = Hierarchy([*levels, ["*"] * n_values])
    return Microdata(pd.DataFrame(cells), quasi_identifiers=list(cells), hierarchies=hierarchies)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_optimum_is_found_from_any_node_on(seed, monkeypatch):
    monkeypatch.setattr(pair_search, "greedy_nodes", lambda *_: iter(()))
    problem = LatticeProblem(repeated_levels(seed), ["generalization_level"], k=3, suppression=5)
    F, G = problem.evaluate(problem.lattice.nodes(), return_values_of=["F", "G"])
    losses = np.unique(F[(G <= 0).all(axis=1)].round(9))
    loss = NodeLoss.of(problem.evaluator, problem.objectives[0])
    search = None
    for cutoff in losses[1:20:3]:
        search = PairSearch(loss, np.zeros(problem.n_var, dtype=np.int64), like=search)
        search.start(k=3, budget=5, cutoff=float(cutoff) + 1e-9)
        search.run()
        assert search.best == pytest.approx(losses[0])


def test_options_that_do_not_go_together_are_told():
    with pytest.raises(ValueError, match="workers: expected 1 with order='levels', found 2"):
        BranchAndBound(workers=2)
    with pytest.raises(ValueError, match="trace: expected False with order='pairs', found True"):
        BranchAndBound(order="pairs", trace=True)
    problem = LatticeProblem(ao.load_dataset("patients"), ["discernibility"], k=2, suppression=0)
    with pytest.raises(ValueError, match=r"expected one of the objectives .* 'discernibility'"):
        solve(problem, BranchAndBound(order="pairs"))
