"""Dewri, Ray, Ray and Whitley 2010: PBG-EA on Adult.

The paper prints the heights of its hierarchies, not the trees, so the fronts are those of our
trees. What is compared: how much of the exact front is represented, how far the archive is from
it, and how many nodes that takes. The items stand in :mod:`anonopt.experiments.papers.dewri`.
"""

from __future__ import annotations

from anonopt.experiments.items.item import Paper
from anonopt.experiments.papers.dewri import adult_lattice, random_trees, tables

DEWRI = Paper(
    name="dewri2010",
    citation=(
        "R. Dewri, I. Ray, I. Ray, D. Whitley, On the Identification of Property Based "
        "Generalizations in Microdata Anonymization, DBSec 2010, LNCS 6166, 81-96"
    ),
    summary=(
        "Table 1(a), the parameters and what is proved come back to the last digit, the "
        "representation ratios of Table 1(b) to 0.02, and the numbers of nodes to 5 % for three "
        "sets of objectives of five. The convergence error has the printed size as a mean over the "
        "archive, not as the sum of its formula. The hierarchies are not printed, so the fronts "
        "are those of our trees, and what depends on them stays apart by some percent."
    ),
    items=(*adult_lattice.ITEMS, *tables.ITEMS, *random_trees.ITEMS),
)
