"""Keys of wide tables: one 64-bit hash for each (quasi-identifier, level, value), added up.

With more quasi-identifiers than fields fit a key, the sum of the hashes of a tuple's values
takes the place of the packed key. Two different tuples of a node share a sum with a
probability of about n_tuples**2 / 2**65, some 4e-13 for 4000 tuples; nodes that are reported
are verified exactly (`verify_classes`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anonopt._typing import CodeArray, IntArray, WordArray
from anonopt.evaluation.lattice.tuples import DistinctTuples

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def value_hashes(maps: Sequence[CodeArray]) -> tuple[IntArray, ...]:
    """Hash of each leaf's generalized value, by quasi-identifier and level.

    The hashes are fixed numbers (SplitMix64 of a running number), so nothing here is random:
    every process finds the same.

    Parameters
    ----------
    maps : int32 arrays (height + 1, n_leaves), one a quasi-identifier

    Returns
    -------
    tuple of int64 arrays (height + 1, n_leaves)
    """
    hashes = []
    used = 0
    for levels in maps:
        numbers = np.empty(levels.shape, dtype=np.uint64)
        for level, codes in enumerate(levels):
            numbers[level] = codes.astype(np.uint64) + np.uint64(used)
            used += int(codes[-1]) + 1
        hashes.append(_split_mix(numbers).view(np.int64))
    return tuple(hashes)


def _split_mix(numbers: WordArray) -> WordArray:
    """Steele, Lea and Flood 2014: a bijection of 64 bits whose output passes for random."""
    mixed = (numbers + np.uint64(1)) * GOLDEN
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))


def verify_classes(tuples: DistinctTuples, node: IntArray, keys: IntArray) -> bool:
    """Whether equal keys (n_tuples,) mean equal generalized values at a node, exactly."""
    _, member, class_of = np.unique(keys, return_index=True, return_inverse=True)
    of_class = member[class_of]
    for attribute, level in enumerate(node):
        values = tuples.maps[attribute][level][tuples.codes[:, attribute]]
        if not np.array_equal(values, values[of_class]):
            return False
    return True
