"""A paper for tests: two items that share their runs, a figure, and one whose file is missing."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pandas as pd

from anonopt.experiments.items.item import Item, Paper, Picture, Printed

CALLS_VARIABLE = "ANONOPT_TEST_CALLS"
"""Names a file to which each measurement appends its seed."""


def runs(seed: int, quick: bool) -> dict[str, float]:
    """What both tables need."""
    calls = os.environ.get(CALLS_VARIABLE)
    if calls is not None:
        with Path(calls).open("a", encoding="utf-8") as file:
            file.write(f"{seed}\n")
    return {"ratio": 0.9 + seed / 100, "nodes": np.int64(10 * seed), "short": float(quick)}


def nothing(seed: int, quick: bool) -> dict[str, float]:
    raise FileNotFoundError("/here/there/own.csv: see https://a.b/c/own.zip; put it into X")


def points(quick: bool) -> pd.DataFrame:
    rows = [("left", name, x, x * factor) for name, factor in (("a", 1), ("b", 2)) for x in (1, 2)]
    return pd.DataFrame(rows, columns=["panel", "series", "x", "y"])


def cells(quick: bool) -> pd.DataFrame:
    rows = [("only", "loss", x, y, x + y) for x in (2, 3) for y in (1, 5, 9)]
    return pd.DataFrame(rows, columns=["panel", "series", "x", "y", "z"])


RATIO = Printed(label="ratio", value="0.93", why="another tree", needs_seeds=True)

OWN = Paper(
    name="own",
    citation="A. Author & B. Author, 100 % of it, 2000",
    summary="Most of it comes back.",
    items=(
        Item(
            name="table-1",
            title="Ratios",
            printed=[RATIO],
            measure=runs,
            n_seeds=4,
            n_quick=2,
            also=["table-1a"],
        ),
        Item(
            name="table-2",
            title="Nodes",
            printed=[
                Printed(label="nodes", value="500", why="fewer | here"),
                Printed(label="short", value=None, why="no number is printed"),
            ],
            measure=runs,
            n_seeds=4,
            n_quick=2,
        ),
        Item(
            name="figure-1",
            title="Lines",
            printed=[Printed(label="own", value="3")],
            measure=nothing,
            picture=Picture(points=points, x="k (rows)", y="loss (%)"),
        ),
        Item(
            name="figure-2",
            title="A surface",
            printed=[],
            measure=nothing,
            picture=Picture(points=cells, x="k (rows)", y="clusters", z="loss (%)"),
        ),
    ),
)
