"""Small problems of every kind whose names and values look like markup, formulas and files."""

from __future__ import annotations

import numpy as np
import pandas as pd

import anonopt as ao
from anonopt.data import Hierarchy
from anonopt.graphs import SocialGraph
from anonopt.masking import Equation
from anonopt.problems import (
    ContinuousMaskingProblem,
    GraphProblem,
    LatticeProblem,
    LocalRecodingProblem,
    MaskingProblem,
    PRAMEquationProblem,
    PRAMProblem,
)

SCRIPT = "<script>alert(1)</script>"
VALUES = (SCRIPT, "<b>x</b>", "$x_1$", "a,b\nc", "x" * 300)


def file(n_rows: int = 10, *, missing: bool = True) -> pd.DataFrame:
    """Categories that read like markup, a constant column, and a missing cell."""
    values = [VALUES[row % len(VALUES)] for row in range(n_rows)]
    if missing and n_rows > 1:
        values[1] = None
    return pd.DataFrame({SCRIPT: values, "<i>constant</i>": ["same"] * n_rows})


def table(n_rows: int = 10) -> ao.Microdata:
    """A table whose names and values look like markup."""
    frame = file(n_rows, missing=False).assign(ill=[f"<u>{row % 2}</u>" for row in range(n_rows)])
    frame.loc[frame.index[-1], "ill"] = None
    constant = "<i>constant</i>"
    return ao.Microdata(
        frame,
        quasi_identifiers=[SCRIPT, constant],
        hierarchies={
            SCRIPT: Hierarchy([VALUES, ["<td>"] * len(VALUES)]),
            constant: Hierarchy([["same"]]),
        },
        sensitive="ill",
    )


def lattice_problem(n_rows: int = 10, **options) -> LatticeProblem:
    return LatticeProblem(table(n_rows), options.pop("objectives", ["k", "glm"]), **options)


def local_problem(**options) -> LocalRecodingProblem:
    return LocalRecodingProblem(table(), ["k", "glm"], k=2, **options)


def wide_problem(n_columns: int = 70, n_rows: int = 60) -> LatticeProblem:
    """As many quasi-identifiers as need keys that are hashed."""
    generator = np.random.default_rng(0)
    levels = Hierarchy([list("abcd"), ["ab", "ab", "cd", "cd"], ["*"] * 4])
    frame = pd.DataFrame(
        {f"<b>{i}</b>": generator.choice(list("abcd"), n_rows) for i in range(n_columns)}
    )
    wide = ao.Microdata(
        frame, quasi_identifiers=list(frame), hierarchies=dict.fromkeys(frame, levels)
    )
    return LatticeProblem(wide, ["k", "glm"], suppression=0.1)


def numeric_file(n_rows: int = 12) -> pd.DataFrame:
    generator = np.random.default_rng(1)
    return pd.DataFrame(
        {SCRIPT: generator.integers(0, 99, n_rows), "<i>constant</i>": [7] * n_rows}
    )


def graph() -> SocialGraph:
    return SocialGraph(
        [SCRIPT, "<b>", "c", "d"],
        [[0, 1], [1, 2]],
        topics=[[0, 1], [1, 0], [0, 2], [2, 1]],
        topic_names=[SCRIPT, "$x_1$", "<b>x</b>"],
    )


KINDS = (
    *("lattice", "local recoding", "masked file", "masked numbers", "matrices", "equation"),
    "graph",
)


def solutions() -> dict[str, tuple]:
    """A problem and one of its genomes, by kind: all of `KINDS`."""
    categories, numbers = file(), numeric_file()
    masking, numeric = MaskingProblem(categories), ContinuousMaskingProblem(numbers)
    pram = PRAMProblem(categories, expected=True)
    equations = PRAMEquationProblem(categories, expected=True)
    changed = numbers.assign(**{SCRIPT: numbers[SCRIPT].to_numpy()[::-1]})
    masked = categories.assign(**{SCRIPT: categories[SCRIPT].to_numpy()[::-1]})
    local = local_problem()
    return {
        "lattice": (lattice_problem(), np.array([1, 0])),
        "local recoding": (local, np.full(local.n_var, 0.5)),
        "masked file": (masking, masking.genomes([masked])[0]),
        "masked numbers": (numeric, numeric.genomes([changed])[0]),
        "matrices": (pram, pram.start),
        "equation": (equations, equations.space.genomes([Equation.parse("N - freq_j")])[0]),
        "graph": (GraphProblem(graph(), k=2), np.arange(4)),
    }
