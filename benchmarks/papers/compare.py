"""PBG-EA beside pymoo's algorithms with our operators, at equal budgets of distinct nodes.

Each algorithm gets the number of distinct nodes that PBG-EA evaluates by itself on the problem
(its mean over the seeds). Representation ratio (eps 1) and hypervolume, as a share of that of the
exact front, are those of everything evaluated, which an unbounded archive keeps. Before
anything is compared, a run's front is checked against the exact one.

    python -m benchmarks.papers.compare
    python -m benchmarks.papers.compare --seeds 20
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

import anonopt as ao
from anonopt.measures.fronts.indicators import hypervolume, representation_ratio

PROBLEMS = (
    "adult-k-glm",
    "adult-k-l-glm",
    "adult-sk-glm",
    "adult-sk-sl-glm",
    "adult-k-glm-cm",
    "german-k-glm",
)
SEARCHES = ("random", "nsga2", "nsga3", "spea2", "smsemoa", "pbgea", "lattice-vnd")


def reference_point(problem: ao.problems.LatticeProblem) -> np.ndarray:
    """The worst value of each objective over the whole lattice, in natural units."""
    values = problem.evaluator.evaluate_all(problem.measures)[list(problem.objective_names)]
    return np.where(problem.maximize, values.min(), values.max())


def quality(
    problem: ao.problems.LatticeProblem, F: np.ndarray, reference: np.ndarray
) -> tuple[float, float]:
    """Representation ratio and share of the exact front's hypervolume."""
    front, found = problem.natural(problem.pareto_front()), problem.natural(F)
    ratio = representation_ratio(found, front, eps=1, maximize=problem.maximize)
    volumes = [
        hypervolume(points, reference=reference, maximize=problem.maximize)
        for points in (found, front)
    ]
    if volumes[0] > volumes[1] * (1 + 1e-12):
        sys.exit("a found front has more hypervolume than the exact one: no table")
    return ratio, volumes[0] / volumes[1]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    seeds = range(1, parser.parse_args().seeds + 1)
    print(f"{len(seeds)} seeds; RR at eps 1 and hypervolume as a share of the exact front's")
    print(f"{'problem':<17}{'budget':>7}" + "".join(f"{name:>15}" for name in SEARCHES))
    for name in PROBLEMS:
        problem = ao.get_problem(name)
        reference = reference_point(problem)
        counts = [ao.solve(problem, ao.algorithms.PBGEA(), seed=seed).n_unique for seed in seeds]
        budget = round(float(np.mean(counts)))
        cells = []
        for search in SEARCHES:
            figures = []
            for seed in seeds:
                algorithm = ao.algorithms.get_algorithm(search, problem)
                result = ao.solve(problem, algorithm, budget=budget, seed=seed)
                figures.append(quality(problem, result.F, reference))
            ratio, volume = np.mean(figures, axis=0)
            cells.append(f"{ratio:>8.3f} {volume:.4f}")
        print(f"{name:<17}{budget:>7}" + "".join(f"{cell:>15}" for cell in cells), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
