"""Decodings and the best search against the exact optimum of tables of up to 12 rows.

In the tests 16 tables; ``python -m tests.local_recoding.test_gap_to_optimum 200`` tells the gaps of
as many as one likes.
"""

from __future__ import annotations

import sys

import numpy as np

import anonopt as ao
from anonopt.data.recoded_groups import check_groups_of
from anonopt.local_recoding import exact_recoding, recoding_bound
from tests.local_recoding.few_rows import random_problem

SEARCHED = {"pop_size": 3, "n_generations": 8}


def losses(seed: int) -> tuple[float, float, float, float]:
    """Lower bound, exact optimum, loss of the best search and of the first decoding."""
    table, plain = random_problem(1000 + seed, most_rows=12)
    exact = exact_recoding(table, plain.k).value
    bound = recoding_bound(table, plain.k).value
    problem = ao.problems.LocalRecodingProblem(table, ["glm"], k=plain.k, genome="groups")
    decoded = problem.space.maker.decoded()
    check_groups_of(table, decoded)
    assert decoded.sizes.min() >= plain.k
    first = problem.evaluate(problem.space.genomes([decoded]), return_values_of=["F"])[0, 0]
    search = ao.algorithms.RecodingSearch(**SEARCHED)
    found = ao.solve(problem, search, seed=seed).front["glm"].iloc[0]
    return bound, exact, float(found), float(first)


def table_of(n_tables: int) -> np.ndarray:
    found = np.array([losses(seed) for seed in range(n_tables)])
    bound, exact, search, decoded = found.T
    assert (bound <= exact + 1e-6).all()
    assert (search >= exact - 1e-6).all()
    assert (decoded >= exact - 1e-6).all()
    return found


def test_no_decoding_is_below_the_optimum_and_the_search_comes_near():
    _, exact, search, decoded = table_of(16).T
    assert (search <= decoded + 1e-6).all()
    assert np.mean(search <= exact + 1e-6) >= 0.9
    assert search.sum() <= 1.01 * exact.sum()


if __name__ == "__main__":
    totals = table_of(int(sys.argv[1]))
    bound, exact, search, decoded = totals.T
    print(f"tables {len(totals)}, optimum in sum {exact.sum():.3f}")
    for name, values in (("bound", bound), ("search", search), ("first decoding", decoded)):
        share = values.sum() / exact.sum() - 1
        gaps = np.abs(values - exact)
        print(f"{name}: {share:+.2%} in sum, {np.sum(gaps <= 1e-6)} optimal, gap {gaps.max():.3f}")
