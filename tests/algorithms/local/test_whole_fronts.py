"""LatticeVND finds the whole front of Adult problems within a budget of distinct nodes.

In the tests one seed of two of them; ``python -m tests.algorithms.local.test_whole_fronts 20``
prints, for the seeds 1 to 20 of each problem, how many distinct nodes it takes to the last point of
the front; with ``class-sizes`` after the number it estimates class sizes, and stops 20 nodes after
the budget.
"""

from __future__ import annotations

import sys

import numpy as np
import pytest

from anonopt.algorithms import LatticeVND
from anonopt.problems import get_problem
from anonopt.runs import solve

BUDGET = 600
PROBLEMS = ("adult-k-glm", "adult-k-l-glm", "adult-sk-glm", "adult-sk-sl-glm", "adult-k-glm-cm")


def nodes_to_points(problem, seed, budget, **options):
    """Distinct nodes evaluated until each point of the exact front is found; inf if it is not."""
    result = solve(problem, LatticeVND(**options), budget=budget, seed=seed)
    F = problem.evaluate(result.history[list(problem.space.names)].to_numpy())
    first = []
    for point in np.unique(problem.pareto_front(), axis=0):
        hits = np.flatnonzero(np.isclose(F, point, rtol=1e-12, atol=0).all(axis=1))
        first.append(hits[0] + 1 if len(hits) else np.inf)
    return np.array(first)


@pytest.mark.parametrize("name", ["adult-k-glm", "adult-sk-sl-glm"])
def test_whole_front_within_the_budget(name):
    assert nodes_to_points(get_problem(name), 1, BUDGET).max() <= BUDGET


def main(n_seeds, *, class_sizes):
    """Print one Markdown table."""
    print(f"| problem | points | median | most | least share at {BUDGET} |")
    print("| --- | --- | --- | --- | --- |")
    for name in PROBLEMS:
        problem = get_problem(name)
        budget = BUDGET + 20 if class_sizes else 1500
        found = [
            nodes_to_points(problem, seed, budget, class_sizes=class_sizes)
            for seed in range(1, n_seeds + 1)
        ]
        to_last = [first.max() for first in found]
        share = min((first <= BUDGET).mean() for first in found)
        counts = f"{len(found[0])} | {np.median(to_last):g} | {max(to_last):g}"
        print(f"| {name} | {counts} | {share:.3f} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1, class_sizes="class-sizes" in sys.argv)
