"""Mares Soler 2013: categorical data protection on statistical datasets and social networks.

The items stand in a file for each chapter; see :mod:`anonopt.experiments.papers.mares`.
"""

from __future__ import annotations

from anonopt.experiments.items.item import Paper
from anonopt.experiments.papers.mares import (
    chapter_2,
    chapter_3,
    chapter_4_equations,
    chapter_4_matrices,
    chapter_4_searches,
    chapter_5,
    chapter_6,
)

MARES = Paper(
    name="mares2013",
    citation=(
        "J. Mares Soler, Categorical Data Protection on Statistical Datasets and Social Networks, "
        "PhD thesis, Universitat Autonoma de Barcelona, 2013"
    ),
    summary=(
        "Formulas, matrices and worked examples come back to the printed digits, the invariant "
        "matrix with control of Table 4.8 among them. Of the searches for PRAM matrices the "
        "reductions and the end scores come back, the split of the score into loss and risk "
        "does not. Scores of masked files come back in part, means at the end rather than least "
        "and largest ones; the least scores of numeric files cannot follow from the method as "
        "it is described. Pre-clustering comes back in part, with grids that were picked beside "
        "the print. The Housing data and the crawled graphs are not public."
    ),
    items=(
        *chapter_2.ITEMS,
        *chapter_3.ITEMS,
        *chapter_4_matrices.ITEMS,
        *chapter_4_searches.ITEMS,
        *chapter_4_equations.ITEMS,
        *chapter_5.ITEMS,
        *chapter_6.ITEMS,
    ),
)
