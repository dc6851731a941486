"""Several columns of codes packed into few whole numbers of 64 bits, as engines group them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonopt._typing import AnyIntArray, CodeArray, IntArray

WORD_BITS = 62
"""Bits of a word that are used: it is never negative, and sums of parts never wrap."""


@dataclass(frozen=True)
class PackedWords:
    """Where the code of each column stands in the words of a combination.

    Words compared one after the other are in the lexicographic order of the columns.

    Attributes
    ----------
    words : tuple of int
        Word of each column.
    shifts : tuple of int
        Lowest bit of each column in its word.
    bits : tuple of int
        Bits of each column.

    Examples
    --------
    >>> packed = PackedWords.of([3, 200])
    >>> packed.words, packed.shifts, packed.bits
    ((0, 0), (8, 0), (2, 8))
    >>> packed.unpack([np.array([2 << 8 | 7])])
    [array([2], dtype=int32), array([7], dtype=int32)]
    """

    words: tuple[int, ...]
    shifts: tuple[int, ...]
    bits: tuple[int, ...]

    @classmethod
    def of(cls, n_codes: Sequence[int]) -> PackedWords:
        """Pack columns of so many codes each, the first one most significant."""
        bits = [max(number - 1, 0).bit_length() for number in n_codes]
        words: list[int] = []
        used = 0
        for width in bits:
            is_full = used + width > WORD_BITS
            words.append((words[-1] + 1 if is_full else words[-1]) if words else 0)
            used = width if is_full else used + width
        shifts = [
            sum(bits[j] for j in range(i + 1, len(bits)) if words[j] == words[i])
            for i in range(len(bits))
        ]
        return cls(tuple(words), tuple(shifts), tuple(bits))

    @property
    def n_words(self) -> int:
        """Number of words."""
        return self.words[-1] + 1 if self.words else 0

    def parts(self, column: int, codes: AnyIntArray) -> IntArray:
        """What codes of a column add to its word, int64 array like `codes`."""
        return codes.astype(np.int64) << self.shifts[column]

    def unpack(self, words: Sequence[IntArray]) -> list[CodeArray]:
        """Codes of each column, (n,), from words, (n,) each."""
        return [
            ((words[word] >> shift) & ((1 << bits) - 1)).astype(np.int32)
            for word, shift, bits in zip(self.words, self.shifts, self.bits, strict=True)
        ]


def is_new(words: Sequence[IntArray]) -> IntArray:
    """Where the words of combinations differ from those before them: 1 there, else 0, (n,).

    Examples
    --------
    >>> is_new([np.array([3, 3, 4]), np.array([0, 0, 0])])
    array([1, 0, 1])
    """
    changes = np.zeros(len(words[0]), dtype=np.int64)
    changes[:1] = 1
    for word in words:
        changes[1:] |= word[1:] != word[:-1]
    return changes


def numbered(words: Sequence[IntArray]) -> IntArray:
    """Number of the combination of each row of words that are in ascending order, (n,)."""
    return np.asarray(np.cumsum(is_new(words)) - 1)


def places_of(words: Sequence[IntArray], known: Sequence[IntArray]) -> AnyIntArray:
    """Place of each of some combinations among those that are known, (n,)."""
    if len(known) == 1:
        return np.searchsorted(known[0], words[0])
    both = np.concatenate([np.stack(known), np.stack(words)], axis=1)
    return np.unique(both, axis=1, return_inverse=True)[1].ravel()[len(known[0]) :]
