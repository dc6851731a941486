"""Named problems of cell suppression."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from anonopt.data import load_dataset
from anonopt.problems.files.cell_suppression import CellSuppressionProblem
from anonopt.problems.named.entry import ProblemEntry, named_problem
from anonopt.problems.spaces.keys import Keys

SUPPRESSED_CELLS: Mapping[str, ProblemEntry] = {
    f"{name}-cells": named_problem(
        CellSuppressionProblem,
        Keys,
        partial(load_dataset, name),
        ["suppressed_cells"],
        options={"k": 5},
        summary=f"{title}: suppressed cells at k = 5, a suppressed cell being a value of its own",
        paper="this library, after Meyerson and Williams 2004",
        optimum=f"not known; at least {bound:,} cells, as each row shows cells of 5 rows",
    )
    for name, title, bound in (("german", "German credit", 1083), ("adult", "Adult", 18416))
}
