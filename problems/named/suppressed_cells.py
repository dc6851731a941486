"""Named problems of cell suppression: of a table as it is, and of one that is recoded already."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pandas as pd

from anonopt.data import load_dataset
from anonopt.problems.files.cell_suppression import CellSuppressionProblem
from anonopt.problems.named.entry import ProblemEntry, named_problem
from anonopt.problems.named.lattices import WITHOUT_INCOME
from anonopt.problems.spaces.keys import Keys

NODE = (3, 1, 1, 1, 0, 0, 2, 0)
"""Levels that Adult is recoded to before cells are suppressed."""

OBJECTIVES = ("suppressed_cells",)
K = 5


def recoded_adult() -> pd.DataFrame:
    """Adult at the node of its named problem, without suppressed rows."""
    return load_dataset("adult").apply(NODE, suppression=0)


SUPPRESSED_CELLS: Mapping[str, ProblemEntry] = {
    "german-cells": named_problem(
        CellSuppressionProblem,
        Keys,
        partial(load_dataset, "german"),
        OBJECTIVES,
        options={"k": K},
        summary=f"German credit: suppressed cells, each a value of its own, at k = {K}",
        paper="this library, after Meyerson and Williams 2004",
        optimum="not known; at least 1,083 cells, as each row shows cells of 5 rows",
    ),
    "adult-cells": named_problem(
        CellSuppressionProblem,
        Keys,
        recoded_adult,
        OBJECTIVES,
        options={"k": K, "columns": [*WITHOUT_INCOME, "income"]},
        summary=f"Adult, recoded to a node: suppressed cells, each a value of its own, at k = {K}",
        paper="this library, after Meyerson and Williams 2004",
        optimum="not known; at least 3,057 cells, as each row shows cells of 5 rows",
    ),
}
