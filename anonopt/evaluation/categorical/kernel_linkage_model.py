"""Compiled kernels (extra ``fast``): agreement patterns of few columns, ranked by record linkage.

They compute what the functions of `anonopt.measures.categorical.record_linkage` compute that they
are named twins of, up to the order of the sums, and are held equal to them by tests.

No kernel makes arrays; they write into `numbers` and `ranks`, which have the lengths that
`room_for_ranks` says.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from anonopt.evaluation.categorical.kernel_masking import entered, inlined
from anonopt.measures.categorical.record_linkage import (
    CHANGE,
    FEW_PATTERNS,
    LEAST,
    ROUNDS,
    START,
    TIE,
)

INDEX = ir.IntType(32)


def room_for_ranks(n_columns: int) -> tuple[int, int]:
    """Lengths of `numbers` (floats) and `ranks` (integers); 0 if the patterns are too many."""
    n_patterns = 1 << n_columns
    if n_patterns > FEW_PATTERNS:
        return 0, 0
    return 3 * n_columns + 3 * n_patterns, 2 * n_patterns


@entered
def rank_patterns(patterns, n_rows, numbers, ranks):  # type: ignore[no-untyped-def]
    """Write ranks of agreement patterns under the estimated probabilities, and then their order."""
    n_patterns, n_columns = len(patterns), 0
    while (1 << n_columns) < n_patterns:
        n_columns += 1
    m, u = numbers[:n_columns], numbers[n_columns : 2 * n_columns]
    sums, rest = numbers[2 * n_columns : 3 * n_columns], numbers[3 * n_columns :]
    counts, unrelated = rest[:n_patterns], rest[n_patterns : 2 * n_patterns]
    weights = rest[2 * n_patterns : 3 * n_patterns]
    _agreement_shares(patterns, u)
    _match_probabilities(patterns, u, n_rows, counts, unrelated, weights, sums, m)
    _rank(m, u, weights, ranks[:n_patterns], ranks[n_patterns : 2 * n_patterns])


@inlined
def _products(shares, first, out):  # type: ignore[no-untyped-def]
    """Probability of each agreement pattern under independent columns, times `first`."""
    out[0] = first
    width = 1
    for j in range(len(shares)):
        for pattern in range(width):
            out[width + pattern] = out[pattern] * shares[j]
            out[pattern] *= 1 - shares[j]
        width *= 2


@inlined
def _agreement_shares(patterns, u):  # type: ignore[no-untyped-def]
    """Write u; twin of ``agreement_shares``."""
    total = np.int64(0)
    for pattern in range(len(patterns)):
        total += patterns[pattern]
    for j in range(len(u)):
        agreeing = np.int64(0)
        for pattern in range(len(patterns)):
            agreeing += patterns[pattern] * ((pattern >> j) & 1)
        u[j] = min(max(agreeing / total, LEAST), 1 - LEAST)


@inlined
def _match_probabilities(patterns, u, n_rows, counts, unrelated, pairs, sums, m):  # type: ignore[no-untyped-def]
    """Write m; twin of ``match_probabilities``."""
    n_patterns, n_columns = len(patterns), len(u)
    prior = 1 / n_rows
    _products(u, 1 - prior, unrelated)
    for pattern in range(n_patterns):
        counts[pattern] = patterns[pattern]
    if n_columns == 3:
        _match_three_columns(counts, unrelated, prior, m)
        return
    m[:] = START
    for _ in range(ROUNDS):
        _products(m, prior, pairs)
        for pattern in range(n_patterns):
            matched = pairs[pattern]
            # Patterns that do not occur have to stay 0 where both probabilities vanish.
            share = matched / (matched + unrelated[pattern]) if counts[pattern] > 0 else 0.0
            pairs[pattern] = counts[pattern] * share
        # Folding the patterns in halves sums those that agree, column by column.
        width = n_patterns
        for j in range(n_columns - 1, -1, -1):
            width //= 2
            agreeing = 0.0
            for pattern in range(width):
                agreeing += pairs[width + pattern]
                pairs[pattern] += pairs[width + pattern]
            sums[j] = agreeing
        change = 0.0
        for j in range(n_columns):
            share = _share(sums[j], pairs[0])
            change = max(change, abs(share - m[j]))
            m[j] = share
        if change < CHANGE:
            break


@inlined
def _match_three_columns(counts, unrelated, prior, m):  # type: ignore[no-untyped-def]
    """The same rounds for three columns, as the sets of the thesis have.

    A round of single numbers takes a third of the time that it takes in arrays, and up to 500
    rounds are most of the work after a changed cell.
    """
    x, y, z = START, START, START
    for _ in range(ROUNDS):
        sums = _sums_of_pairs(x, y, z, prior, unrelated, counts)  # type: ignore[call-arg, var-annotated]
        sum_x, sum_y, sum_z, total = sums
        new_x, new_y, new_z = _share(sum_x, total), _share(sum_y, total), _share(sum_z, total)
        change = max(abs(new_x - x), abs(new_y - y), abs(new_z - z))
        x, y, z = new_x, new_y, new_z
        if change < CHANGE:
            break
    m[0], m[1], m[2] = x, y, z


@inlined
def _share(agreeing, total):  # type: ignore[no-untyped-def]
    return min(max(agreeing / total, LEAST), 1 - LEAST)


class _Four:
    """Instructions for four numbers at a time, ``<4 x double>``."""

    NUMBER = ir.DoubleType()
    KIND = ir.VectorType(NUMBER, 4)

    def __init__(self, builder: Any) -> None:
        self._builder = builder

    def all_of(self, number: float) -> Any:
        """Four times a constant."""
        return ir.Constant(self.KIND, [self.NUMBER(number)] * 4)

    def spread(self, number: Any) -> Any:
        """Four times a number."""
        unknown = ir.Constant(self.KIND, ir.Undefined)
        first = self._builder.insert_element(unknown, number, INDEX(0))
        return self._chosen(first, unknown, [0] * 4)

    def rest_of(self, share: Any) -> Any:
        """What is left of 1."""
        return self._builder.fsub(self.all_of(1.0), share)

    def by_bit(self, share: Any, bit: int) -> Any:
        """A share in the places whose bit is set, and what is left of 1 in the others."""
        places = [place + 4 * (place >> bit & 1) for place in range(4)]
        return self._chosen(self.rest_of(share), share, places)

    def parts(self, numbers: Any) -> list[Any]:
        """The four, one by one."""
        return [self._builder.extract_element(numbers, INDEX(place)) for place in range(4)]

    def halves(self, pointer: Any) -> list[Any]:
        """Eight numbers in memory."""
        pointer = self._builder.bitcast(pointer, self.KIND.as_pointer())
        found = [self._builder.load(self._builder.gep(pointer, [INDEX(half)])) for half in (0, 1)]
        for numbers in found:
            numbers.align = 8
        return found

    def _chosen(self, first: Any, second: Any, places: list[int]) -> Any:
        mask = ir.Constant(ir.VectorType(INDEX, 4), [INDEX(place) for place in places])
        return self._builder.shuffle_vector(first, second, mask)


@intrinsic
def _sums_of_pairs(typing_context, x, y, z, prior, unrelated, counts):  # type: ignore[no-untyped-def]
    """Expected matched pairs that agree in x, in y and in z, and all of them.

    What the rounds for any number of columns do, in the same order and to the bit: patterns that do
    not agree in z and those that do are four numbers each, which the processor takes at a time. As
    each round waits for the one before, its divisions one after the other would be half of it.
    """
    four_numbers = types.UniTuple(types.float64, 4)  # type: ignore[no-untyped-call]
    signature = four_numbers(
        *[types.float64] * 4,
        types.Array(types.float64, 1, "C"),
        types.Array(types.float64, 1, "C"),
    )

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        four = _Four(builder)
        halves = [
            four.halves(context.make_array(kind)(context, builder, array).data)
            for kind, array in zip(signature.args[4:], arguments[4:], strict=True)
        ]
        x, y, z, prior = [four.spread(argument) for argument in arguments[:4]]
        pairs = builder.fmul(builder.fmul(prior, four.by_bit(x, 0)), four.by_bit(y, 1))
        expected = []
        for share, rest, count in zip((four.rest_of(z), z), *halves, strict=True):
            matched = builder.fmul(pairs, share)
            credit = builder.fdiv(matched, builder.fadd(matched, rest))
            # Patterns that do not occur have to stay 0 where both probabilities vanish.
            occurs = builder.fcmp_ordered(">", count, four.all_of(0.0))
            expected.append(builder.select(occurs, builder.fmul(count, credit), four.all_of(0.0)))
        none_z, with_z = expected
        first, second, third, fourth = four.parts(with_z)
        sum_z = builder.fadd(builder.fadd(builder.fadd(first, second), third), fourth)
        none, with_x, with_y, with_both = four.parts(builder.fadd(none_z, with_z))
        sum_y = builder.fadd(with_y, with_both)
        sum_x = builder.fadd(with_x, with_both)
        total = builder.fadd(builder.fadd(none, with_y), sum_x)
        return context.make_tuple(builder, signature.return_type, [sum_x, sum_y, sum_z, total])

    return signature, generate


@inlined
def _rank(m, u, weights, ranks, order):  # type: ignore[no-untyped-def]
    """Write ranks of patterns; twin of ``pattern_ranks``."""
    n_patterns = len(ranks)
    weights[0] = 0.0
    width = 1
    for j in range(len(u)):
        agree, differ = math.log(m[j] / u[j]), math.log((1 - m[j]) / (1 - u[j]))
        for pattern in range(width):
            weights[width + pattern] = weights[pattern] + agree
            weights[pattern] += differ
        width *= 2
    for pattern in range(n_patterns):
        place = pattern
        while place > 0 and weights[order[place - 1]] > weights[pattern]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = pattern
    rank = np.int64(0)
    ranks[order[0]] = 0
    for place in range(1, n_patterns):
        larger = weights[order[place]]
        rank += np.int64(larger - weights[order[place - 1]] > TIE * max(1.0, abs(larger)))
        ranks[order[place]] = rank
