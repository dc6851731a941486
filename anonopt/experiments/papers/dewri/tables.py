"""Tables 1(b), 2(a) and 2(b) of Dewri 2010, and its theorems: runs of PBG-EA on Adult."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from anonopt.experiments.items.item import Item, Printed
from anonopt.experiments.papers.dewri.pbgea_runs import N_SEEDS, PROBLEMS, ones, search
from anonopt.measures.fronts.boxes import dominates
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.catalogue import get_problem

N_QUICK = 5

TABLE_1B = {
    "k, GLM": (("3.7e-4", "6.5e-9"), ("0.94", "8e-4")),
    "k, l, GLM": (("3.3e-4", "1.1e-7"), ("0.93", "1.1e-3")),
    "S_k, GLM": (("5.7e-4", "2.5e-7"), ("0.84", "1.7e-3")),
    "S_k, S_l, GLM": (("6.6e-4", "2.0e-7"), ("0.83", "1.4e-3")),
}
"""Mean and variance of the convergence error and of the representation ratio."""

TABLE_2A = {
    ("k, GLM", (5, 100)): (("4.3e-4", "2.6e-7"), ("0.95", "1.6e-3")),
    ("k, GLM", (10, 1000)): (("1.6e-4", "8.0e-8"), ("0.98", "8.2e-4")),
    ("k, GLM", (50, 10000)): (("1.7e-4", "1.1e-8"), ("1.0", "0.0")),
    ("k, l, GLM", (5, 2, 100)): (("4.9e-3", "2.5e-7"), ("0.92", "1.2e-3")),
    ("k, l, GLM", (10, 4, 1000)): (("7.4e-3", "9.3e-7"), ("0.92", "7.0e-4")),
    ("k, l, GLM", (50, 6, 10000)): (("1.8e-2", "8.2e-6"), ("0.88", "1.7e-3")),
}
"""The same by objectives and discretization vector."""

TABLE_2B = {
    "k, GLM": ("916", "5.1"),
    "k, l, GLM": ("946", "5.3"),
    "S_k, GLM": ("1136", "6.3"),
    "S_k, S_l, GLM": ("1197", "6.7"),
    "k, GLM, CM": ("1073", "11.9"),
}
"""Distinct nodes, and their share of the lattice in percent."""

RATIO_TOLERANCE = 0.02
"""Of the representation ratio: half to one of its standard deviations over our seeds."""

NODES_TOLERANCE = 0.05
"""Of the number of nodes, as a share: one to two standard deviations over our seeds."""

TREES = (
    'Table 1(a) prints the lengths of the hierarchies, not the trees ("DGH lengths"); ours have '
    "the same lengths and other fronts"
)
ERROR_MEAN = (
    "Section 7 defines CE as a sum over the archive, which comes to "
    "1e-2 where 3.7e-4 is printed; the mean over the archive has the printed size, and is what "
    f"is compared; {TREES}"
)
ERROR_SUM = (
    "no number of this size is printed: the sum that Section 7 defines, beside the mean that the "
    "printed numbers fit"
)
"""Why the sum is shown without a printed number."""

NODES_WHY = (
    'mutation steps inward at a bound, our reading of "appropriate rounding" (Section 6), and '
    "parents come from the union of population and archive as a set; to stay at a bound takes 11 "
    "to 20 % fewer nodes than printed, to wrap round up to 18 % more, and to count a node that is "
    "in both twice 1 to 3 % fewer than ours. A 26th parent, another population or random ties move "
    "the number by 1 % at most, trees drawn at random by more than what stays apart (item "
    f"other-trees): {TREES}"
)

GROWING_ERROR = (
    "the printed errors of k, l, GLM grow with the boxes, those of k, GLM do not; ours do in "
    "neither. Measured against one point a box they grow for k, l, GLM as well (about 1e-3, 1e-3, "
    "6e-3), but then k, GLM has 1e-3 at (50, -, 10000), where 1.7e-4 is printed; "
) + TREES

FEW_BOXES = (
    "13 boxes here, of which each that a run misses costs 0.077; on trees drawn at random "
    f"(item other-trees) RR is larger, up to 1; {TREES}"
)

NO_DIGITS = "0.0 has no digit in which it could be compared with variances of 1e-3"


def searches(seed: int, quick: bool) -> Mapping[str, float]:
    """Tables 1(b) and 2(b): errors, ratios and nodes with boxes of size 1."""
    found: dict[str, float] = {}
    for label, name in PROBLEMS.items():
        problem = get_problem(name)
        run = search(problem, ones(problem), seed)
        found |= run.errors_and_ratio(label, ones(problem))
        found[f"{label}: nodes"] = run.n_unique
        found[f"{label}: nodes, % of the lattice"] = 100 * run.n_unique / problem.lattice.size
    return found


def searches_with_boxes(seed: int, quick: bool) -> Mapping[str, float]:
    """Table 2(a): errors and ratios by discretization vector; what Theorems 1 and 2 say."""
    found: dict[str, float] = {}
    n_dominated = n_above = 0
    for label, eps in TABLE_2A:
        run = search(get_problem(PROBLEMS[label]), eps, seed)
        found |= run.errors_and_ratio(_row(label, eps), eps)
        to_minimize = run.problem.minimized(run.archive), run.problem.minimized(run.found)
        n_dominated += int(dominates(to_minimize[1][:, np.newaxis], to_minimize[0]).any(0).sum())
        n_above += len(run.archive) > bound_of_theorem_2(run.problem, eps)
    found["archived nodes that a generated one dominates"] = n_dominated
    found["archives above the bound"] = n_above
    return found


def bound_of_theorem_2(problem: AnonymizationProblem, eps: Sequence[float]) -> float:
    """Size that an archive cannot exceed, as it is printed: the r - 1 largest of K / eps."""
    largest = problem.natural(problem.pareto_front()).max(axis=0)
    return float(np.prod(np.sort(largest / np.asarray(eps))[1:]))


def _row(label: str, eps: Sequence[float]) -> str:
    return f"{label}, eps {eps}"


def _printed_errors(
    row: str, error: tuple[str, str], ratio: tuple[str, str], *, error_why: str, ratio_why: str
) -> tuple[Printed, ...]:
    """Means and variances of one row."""
    has_digits = float(ratio[1]) > 0
    return (
        Printed(label=f"{row}: CE", value=error[0], why=error_why, needs_seeds=True),
        Printed(
            label=f"{row}: CE, variance",
            variance_of=f"{row}: CE",
            value=error[1],
            why=error_why,
            needs_seeds=True,
        ),
        Printed(label=f"{row}: CE as a sum", value=None, why=ERROR_SUM),
        Printed(
            label=f"{row}: RR",
            value=ratio[0],
            tolerance=RATIO_TOLERANCE,
            why=ratio_why,
            needs_seeds=True,
        ),
        Printed(
            label=f"{row}: RR, variance",
            variance_of=f"{row}: RR",
            value=ratio[1],
            why=ratio_why if has_digits else NO_DIGITS,
            comparable=has_digits,
            needs_seeds=True,
        ),
    )


def _printed_table_2b() -> tuple[Printed, ...]:
    rows = []
    for label, (nodes, share) in TABLE_2B.items():
        for name, value in (("nodes", nodes), ("nodes, % of the lattice", share)):
            rows.append(
                Printed(
                    label=f"{label}: {name}",
                    value=value,
                    tolerance=NODES_TOLERANCE * float(value),
                    why=NODES_WHY,
                    needs_seeds=True,
                )
            )
    return tuple(rows)


ITEMS = (
    Item(
        name="table-1b",
        title="Convergence error and representation ratio, boxes of size 1",
        printed=[
            number
            for label, (error, ratio) in TABLE_1B.items()
            for number in _printed_errors(
                label, error, ratio, error_why=ERROR_MEAN, ratio_why=TREES
            )
        ],
        measure=searches,
        n_seeds=N_SEEDS,
        n_quick=N_QUICK,
    ),
    Item(
        name="table-2a",
        title="Convergence error and representation ratio by discretization vector",
        printed=[
            number
            for (label, eps), (error, ratio) in TABLE_2A.items()
            for number in _printed_errors(
                _row(label, eps),
                error,
                ratio,
                error_why=GROWING_ERROR if len(eps) == 3 else ERROR_MEAN,
                ratio_why=FEW_BOXES if eps == (50, 10000) else TREES,
            )
        ],
        measure=searches_with_boxes,
        n_seeds=N_SEEDS,
        n_quick=N_QUICK,
    ),
    Item(
        name="theorems-1-2",
        title="What the archive of Algorithm 1 holds, and how large it is",
        printed=[
            Printed(label="archived nodes that a generated one dominates", value="0"),
            Printed(label="archives above the bound", value="0"),
        ],
        measure=searches_with_boxes,
        n_seeds=N_SEEDS,
        n_quick=N_QUICK,
        also=("theorem-1", "theorem-2"),
    ),
    Item(
        name="table-2b",
        title="Distinct nodes that PBG-EA evaluates",
        printed=_printed_table_2b(),
        measure=searches,
        n_seeds=N_SEEDS,
        n_quick=N_QUICK,
    ),
)
