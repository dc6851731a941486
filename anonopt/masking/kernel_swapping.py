"""Compiled kernel (extra ``fast``): partners of rank swapping.

It draws from the generator what `anonopt.masking.rank_swapping` draws, and is held equal to it by
tests.
"""

from __future__ import annotations

from anonopt.evaluation.lattice.kernel_statistics import compiled


@compiled
def swap_cells(window, attempts, rng, is_free, partners):  # type: ignore[no-untyped-def]
    """Let each free cell change places with one of the free ones of the window behind it."""
    for i in range(len(is_free)):
        n_behind = min(window, len(is_free) - i - 1)
        if not is_free[i] or n_behind == 0:
            continue
        j = i
        for _ in range(attempts):
            drawn = i + 1 + rng.integers(0, n_behind)
            if is_free[drawn]:
                j = drawn
                break
        if j == i:
            n_free = 0
            for other in range(i + 1, i + 1 + n_behind):
                n_free += is_free[other]
            if n_free == 0:
                continue
            left = rng.integers(0, n_free)
            while left >= 0:
                j += 1
                left -= is_free[j]
        is_free[j] = False
        partners[i], partners[j] = j, i
