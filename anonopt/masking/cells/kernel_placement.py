"""Compiled kernels (extra ``fast``): `placement` and `improvement` as they stand."""

from __future__ import annotations

from numba.extending import register_jitable

from anonopt.evaluation.lattice.kernel_statistics import compiled
from anonopt.masking.cells import improvement, placement

HELPERS = (
    placement.borrow,
    placement.dissolve_cheapest,
    improvement.dissolve_dear,
    placement.settle,
    placement.listed,
)
for helper in HELPERS:
    register_jitable(helper)

place_rows = compiled(placement.place_rows)
improve = compiled(improvement.improve)
