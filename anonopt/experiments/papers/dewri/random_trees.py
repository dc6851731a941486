"""How far trees move the numbers of Dewri 2010, which prints the heights of its trees alone."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from anonopt._typing import Generator
from anonopt.data.datasets.loading import load_dataset
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.experiments.items.item import Item, Printed
from anonopt.experiments.papers.dewri.pbgea_runs import N_SEEDS, PROBLEMS, ones, search
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.catalogue import get_problem
from anonopt.problems.lattice import LatticeProblem

ORDERED = ("age", "education")
"""Columns whose groups are ranges; of the others any values may stand together."""

COARSE = (50, 10000)
"""The largest boxes of Table 2(a) for k and GLM."""

WHY = (
    "no number is printed: trees of the printed lengths are drawn anew for each run, and the range "
    "tells how far the trees, which are not printed, move the number"
)


def random_tree(tree: Hierarchy, *, is_ordered: bool, generator: Generator) -> Hierarchy:
    """A tree of the same leaves and height, with random numbers of groups that are cut at random.

    Parameters
    ----------
    tree : Hierarchy
    is_ordered : bool
        Whether only leaves that follow each other may stand together.
    generator : numpy Generator
    """
    leaves = tree.to_frame().iloc[:, 0].to_numpy()
    n_between = tree.height - 1
    if n_between == 0:
        return tree
    counts = np.unique(np.exp(generator.uniform(np.log(2), np.log(len(leaves)), n_between)) // 1)
    while len(counts) < n_between:
        counts = np.union1d(counts, generator.integers(2, len(leaves)))
    group = np.arange(len(leaves))
    levels = [leaves if is_ordered else generator.permutation(leaves)]
    n_groups = len(leaves)
    for level, count in enumerate(counts[::-1].astype(int), start=1):
        cuts = np.sort(generator.choice(np.arange(1, n_groups), count - 1, replace=False))
        group = np.searchsorted(cuts, group, side="right")
        n_groups = count
        levels.append(np.array([f"group {number} of level {level}" for number in group]))
    levels.append(np.full(len(leaves), "*"))
    return Hierarchy.from_frame(pd.DataFrame(dict(enumerate(levels))))


def on_random_trees(name: str, trees: Mapping[str, Hierarchy]) -> AnonymizationProblem:
    """A problem on Adult with other trees."""
    known = get_problem(name)
    table = known.table
    columns = list(table.quasi_identifiers)
    other = load_dataset(
        "adult",
        hierarchies={column: trees[column] for column in columns},
        quasi_identifiers=columns,
        sensitive=table.sensitive,
        target=table.target,
    )
    return LatticeProblem(other, known.objective_names, suppression=known.evaluator.rule.budget)


def searches_on_random_trees(seed: int, quick: bool) -> Mapping[str, float]:
    """Representation ratios and nodes of PBG-EA on trees drawn by the seed."""
    generator = np.random.default_rng(seed)
    trees = {
        str(column): random_tree(tree, is_ordered=column in ORDERED, generator=generator)
        for column, tree in load_dataset("adult").hierarchies.items()
    }
    found: dict[str, float] = {}
    for label, name in PROBLEMS.items():
        problem = on_random_trees(name, trees)
        run = search(problem, ones(problem), seed)
        numbers = run.errors_and_ratio(label, ones(problem))
        found |= {label: number for label, number in numbers.items() if label.endswith(": RR")}
        found[f"{label}: nodes"] = run.n_unique
        if label == "k, GLM":
            coarse = search(problem, COARSE, seed).errors_and_ratio(label, COARSE)
            found[f"{label}, eps {COARSE}: RR"] = coarse[f"{label}: RR"]
    return found


LABELS = (
    *(f"{label}: {number}" for label in PROBLEMS for number in ("RR", "nodes")),
    f"k, GLM, eps {COARSE}: RR",
)

ITEMS = (
    Item(
        name="other-trees",
        title="The same searches on trees drawn at random, of the printed lengths",
        printed=[Printed(label=label, value=None, why=WHY) for label in LABELS],
        measure=searches_on_random_trees,
        n_seeds=N_SEEDS,
        n_quick=2,
    ),
)
