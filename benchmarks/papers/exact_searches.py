"""Exact searches for k-anonymous nodes: equal results, and how many nodes each checks.

Adult with the nine quasi-identifiers and hierarchies of ARX: branch and bound, OLA and Incognito
must find the least loss that the exhaustive search finds, and the same k-minimal nodes.

    python -m benchmarks.papers.exact_searches
"""

from __future__ import annotations

import sys

import numpy as np

import anonopt as ao
from anonopt.algorithms import OLA, BranchAndBound, ExhaustiveSearch, Incognito
from anonopt.measures.lattice.statistics import NodeStatistics
from anonopt.measures.measure import FIXED
from benchmarks._data import SHARED_DATA, find_shared_data

ADULT_COLUMNS = [
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "income",
]


def node_glm(found: NodeStatistics) -> np.ndarray:
    """General loss metric as if nothing were suppressed: it depends on the node alone."""
    loss = np.zeros(len(found.nodes))
    for column, leaves in enumerate(found.facts.n_leaves):
        excess = found.facts.excess_leaves[column][found.nodes[:, column]]
        loss += excess / max(leaves - 1, 1)
    return loss


NODE_GLM = ao.measures.Measure(
    "node_glm",
    maximize=False,
    unit="cells",
    range="0..N*s",
    from_statistics=node_glm,
    rising=frozenset({FIXED}),
)


def adult(missed: list[str]) -> None:
    """Four exact searches, two losses, k = 5, 1 % suppressed."""
    table = ao.load_dataset(
        "adult",
        quasi_identifiers=ADULT_COLUMNS,
        sensitive=None,
        hierarchies=SHARED_DATA / "hierarchies" / "adult_arx",
    )
    print(f"Adult, 9 quasi-identifiers, {table.lattice.size} nodes, k = 5, 1 % suppressed")
    print(f"{'objective':<22}{'search':<20}{'least loss':>14}{'nodes checked':>15}{'seconds':>9}")
    for objective in ("generalization_level", NODE_GLM):
        problem = ao.problems.LatticeProblem(table, [objective], k=5, suppression=0.01)
        (name,) = problem.objective_names
        losses, minimal = [], []
        for search in (ExhaustiveSearch, BranchAndBound, OLA, Incognito):
            result = ao.solve(problem, search(), seed=1)
            losses.append(float(result.F[0, 0]))
            checked = getattr(result.algorithm, "n_tests", result.n_unique)
            if search in (OLA, Incognito):
                minimal.append(result.algorithm.minimal_nodes)
            print(
                f"{name:<22}{search.__name__:<20}{losses[-1]:>14.6g}{checked:>15}"
                f"{result.seconds:>9.2f}"
            )
        if not np.allclose(losses, losses[0], rtol=1e-9):
            missed.append(f"adult: least losses of {name} differ: {losses}")
        if not np.array_equal(*minimal):
            missed.append(f"adult: k-minimal nodes of {name} differ")


def main() -> int:
    """Print the table; returns 1 if a goal is missed."""
    if not find_shared_data():
        return 0
    missed: list[str] = []
    adult(missed)
    print("goals " + ("met" if not missed else "missed:\n" + "\n".join(missed)))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
