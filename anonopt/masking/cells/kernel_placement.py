"""Compiled kernels (extra ``fast``): `placement` and `improvement` as they stand."""

from __future__ import annotations

from numba.extending import register_jitable

from anonopt.evaluation.lattice.kernel_statistics import compiled
from anonopt.masking.cells import improvement, placement

HELPERS = (
    placement.borrow,
    placement.dissolve_cheapest,
    placement.settle,
    placement.listed,
)
for helper in HELPERS:
    register_jitable(helper)

place_rows = compiled(placement.place_rows)
move_to_cheaper = compiled(improvement.move_to_cheaper)
dissolve_dear = compiled(improvement.dissolve_dear)
