"""Compiled kernels (extra ``fast``): rare values of large classes, found by their bits.

A class is a row of bits, one for each distinct tuple, and so is each value of a column at a level.
How many of a class have a value is the number of bits that both have, and that can be told for 64
tuples at a time; it need not be counted beyond k.
"""

from __future__ import annotations

import numpy as np

from anonopt.evaluation.lattice.kernel_statistics import _bit_count, compiled, inlined

ONE = np.uint64(1)


@compiled
def set_bits(found, slots, bits, place_of):  # type: ignore[no-untyped-def]
    """Bits of the classes that have at least as many members as bits have words."""
    members, _, starts = found
    used, n_words = 0, bits.shape[1]
    for number in range(len(starts) - 1):
        begin, end = starts[number], starts[number + 1]
        slots[number] = -1
        if end - begin < n_words or used == len(bits):
            continue
        slots[number] = used
        words = bits[used]
        words[:] = np.uint64(0)
        for place in range(begin, end):
            member = members[place]
            words[member >> 6] |= ONE << np.uint64(member & 63)
            place_of[member] = place
        used += 1


@inlined
def _rows_of(words, of_value, rows, place_of, k):  # type: ignore[no-untyped-def]
    """Rows of a class that have a value; k, or any more, where they are not fewer."""
    found = np.int64(0)
    for i in range(len(words)):
        found += np.int64(_bit_count(words[i] & of_value[i]))  # type: ignore[call-arg]
        if found >= k:
            return found
    if found == 0:
        return found
    n_rows = np.int64(0)
    for i in range(len(words)):
        both = words[i] & of_value[i]
        while both != 0:
            lowest = both & (~both + ONE)
            bit = np.int64(_bit_count(lowest - ONE))  # type: ignore[call-arg]
            n_rows += rows[place_of[(i << 6) + bit]]
            both ^= lowest
    return n_rows


@compiled
def mark_by_bits(words, rows, place_of, levels, table, low, k, small, places, highest, n_places):  # type: ignore[no-untyped-def]
    """Mark the members of a class that have rare values, with the highest level of each."""
    _, parents, offsets, height = levels
    of_values, first_of = table
    n_words, begin = len(words), n_places
    for value in range(offsets[low + 1] - offsets[low]):
        at = first_of[low] + value
        here = _rows_of(words, of_values[at], rows, place_of, k)
        if here == 0 or here >= k:
            continue
        level, above = low, value
        small[low] += here
        while level + 1 < height:
            above = parents[offsets[level] + above]
            if _rows_of(words, of_values[first_of[level + 1] + above], rows, place_of, k) >= k:
                break
            level += 1
            small[level] += here
        for i in range(n_words):
            both = words[i] & of_values[at, i]
            while both != 0:
                lowest = both & (~both + ONE)
                bit = np.int64(_bit_count(lowest - ONE))  # type: ignore[call-arg]
                places[n_places], highest[n_places] = place_of[(i << 6) + bit], level
                n_places += 1
                both ^= lowest
    for i in range(begin + 1, n_places):
        place, last, j = places[i], highest[i], i
        while j > begin and places[j - 1] > place:
            places[j], highest[j] = places[j - 1], highest[j - 1]
            j -= 1
        places[j], highest[j] = place, last
    return n_places
