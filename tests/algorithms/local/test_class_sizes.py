"""Class sizes of evaluated nodes: what they tell of k, and that a search by chances is closed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonopt.algorithms import LatticeVND
from anonopt.algorithms.local.bounds import OptimisticBounds
from anonopt.algorithms.local.chances import N_DRAWS, N_OLDEST, N_RENEWED, Chances, added_by_row
from anonopt.algorithms.local.class_sizes import ClassSizeEstimates, class_size_evaluator
from anonopt.problems import LatticeProblem, get_problem
from anonopt.runs import solve
from tests.algorithms.local.test_lattice_vnd import assert_closed
from tests.contracts.toy_problems import ToyLattice
from tests.evaluation.lattice.small_tables import small_tables
from tests.histories import assert_same_history


@pytest.fixture(scope="module")
def german():
    return get_problem("german-k-glm")


def test_what_was_learned_is_estimated(german):
    nodes = german.lattice.nodes()[::5]
    estimates = ClassSizeEstimates(german.evaluator)
    log_k, suppressed = estimates.learn(nodes)
    found = german.evaluator.evaluate(nodes, ["k", "suppressed"])
    np.testing.assert_allclose(np.exp(log_k), found["k"])
    np.testing.assert_array_equal(suppressed, found["suppressed"])
    estimated, _ = estimates.estimate(nodes)
    np.testing.assert_allclose(estimated, log_k, atol=0.1)


def test_estimates_of_k_are_close_between_learned_nodes(german):
    nodes = german.lattice.nodes()
    estimates = ClassSizeEstimates(german.evaluator)
    estimates.learn(nodes[::3])
    estimated, suppressed = estimates.estimate(nodes)
    error = estimated - np.log(german.evaluator.evaluate(nodes, ["k"])["k"])
    assert np.median(np.abs(error)) < 0.1
    assert ((suppressed >= 0) & (suppressed <= german.evaluator.rule.budget)).all()


def test_what_suppressed_rows_add_is_told_between_nodes_where_many_are(german):
    nodes = german.lattice.nodes()
    found = german.evaluator.evaluate(nodes, ["glm", "suppressed"])
    glm, suppressed = (found[name].to_numpy(dtype=np.float64) for name in ("glm", "suppressed"))
    added = (glm - OptimisticBounds(german).known(nodes)[:, 1])[:, np.newaxis]
    least = german.evaluator.rule.budget / 2
    by_row = added_by_row(nodes[::3], added[::3], suppressed[::3], nodes, least=least)
    many = suppressed > least
    true = added[many, 0] / suppressed[many]
    assert np.median(np.abs(by_row[many, 0] - true)) < 0.1 * true.mean()


def test_every_candidate_is_estimated_again_with_what_was_learned_since(german):
    nodes, bounds = german.lattice.nodes(), OptimisticBounds(german)
    F = german.evaluate(nodes)
    candidates = nodes[2::4]
    lowest = np.full((len(candidates), german.n_obj), -np.inf)

    def learn(chances, rows):
        chances.learn(nodes[rows], F[rows], F[rows], bounds.known(nodes[rows]))

    def estimate(chances):
        return chances.of(candidates, lowest, bounds.known(candidates), F[:: len(F) // 8])

    early, late = (Chances(german, np.random.default_rng(1)) for _ in range(2))
    for chances in (early, late):
        learn(chances, slice(0, None, 64))
    before = estimate(early)
    for chances in (early, late):
        learn(chances, slice(1, None, 8))
    assert N_RENEWED < len(candidates) <= N_RENEWED + N_OLDEST
    again = estimate(early)
    np.testing.assert_allclose(again, estimate(late), atol=1 / N_DRAWS)
    assert (again != before).any()


@pytest.mark.parametrize(
    ("objectives", "options"),
    [
        (["S_k", "glm"], {}),
        (["k", "glm"], {"constraints": {"glm": 1e9}}),
        (["generalization_level"], {"k": 2}),
    ],
    ids=["no k", "constraint", "fixed k"],
)
def test_other_problems_have_no_estimates(german, objectives, options):
    problem = LatticeProblem(german.table, objectives, **options)
    assert class_size_evaluator(problem) is None


def test_problems_without_tables_are_searched_as_without_the_option():
    one, other = (
        solve(ToyLattice(), LatticeVND(class_sizes=on), budget=20, seed=1).history
        for on in (False, True)
    )
    assert_same_history(one, other)


@given(small_tables(), st.integers(0, 5))
@settings(max_examples=4)
def test_only_nodes_that_cannot_enter_the_archive_are_left_out(small, seed):
    names = [name for name in ("k", "glm", "cm") if name in small.measures(None)]
    problem = LatticeProblem(small.table, names, suppression=0.2, accelerator="numpy")
    assert class_size_evaluator(problem) is not None
    search = LatticeVND(class_sizes=True, batch_size=8, pool_size=8)
    result = solve(problem, search, budget=10**6, seed=seed)
    assert_closed(problem, result.history)


def test_equal_seeds_are_equal(german):
    one, other = (
        solve(german, LatticeVND(class_sizes=True), budget=40, seed=3).history for _ in range(2)
    )
    assert_same_history(one, other)
