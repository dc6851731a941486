"""Random tables of a few rows with trees of uneven branches, for exact optima and bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import anonopt as ao
from tests.oracles.best_recodings import PlainProblem

TREES: list[list[list[str]]] = [
    [list("abcdef"), list("xxxyyy"), list("******")],
    [list("pqrs"), ["p", "u", "u", "u"], list("****")],
    [list("01"), list("**")],
    [list("mno"), list("m22"), list("***")],
]


def random_problem(
    seed: int, *, most_rows: int, **options: Any
) -> tuple[ao.Microdata, PlainProblem]:
    """A table and its plain twin.

    Rows, columns and k are drawn; `options` are those of the twin.
    """
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(4, most_rows, endpoint=True))
    chosen = rng.permutation(len(TREES))[: rng.integers(1, 3, endpoint=True)]
    trees = [TREES[number] for number in chosen.tolist()]
    columns = [rng.choice(tree[0], n_rows).tolist() for tree in trees]
    names = [f"q{number}" for number in range(len(trees))]
    frame = pd.DataFrame(dict(zip(names, columns, strict=True)))
    frame["illness"] = rng.choice(list("ABC"), n_rows)
    table = ao.Microdata(
        frame,
        quasi_identifiers=names,
        hierarchies={name: ao.Hierarchy(tree) for name, tree in zip(names, trees, strict=True)},
        sensitive="illness",
    )
    paths = [{path[0]: list(path) for path in zip(*tree, strict=True)} for tree in trees]
    plain = PlainProblem(
        frame[names].to_numpy().tolist(),
        paths,
        k=int(rng.integers(2, 3, endpoint=True)),
        sensitive=frame["illness"].tolist(),
        **options,
    )
    return table, plain
