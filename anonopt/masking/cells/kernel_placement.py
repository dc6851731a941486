"""Compiled kernels (extra ``fast``): `anonopt.masking.cells.placement` as it stands."""

from __future__ import annotations

from numba.extending import register_jitable

from anonopt.evaluation.lattice.kernel_statistics import compiled
from anonopt.masking.cells import placement

HELPERS = (
    placement.borrow,
    placement.dissolve_cheapest,
    placement.dissolve_dear,
    placement.settle,
    placement.listed,
)
for helper in HELPERS:
    register_jitable(helper)

place_rows = compiled(placement.place_rows)
improve = compiled(placement.improve)
