"""Levels of a hierarchy that mask one more character each, in memory linear in the text.

Written out, the labels of all levels take the square of the longest value: a thousand values of
which one has 2,000 characters would be 4 GB. So groups are found character by character, and
labels of many characters are made when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt._checks import check_choice, check_integer
from anonopt._typing import CodeArray
from anonopt.data.hierarchies.hierarchy_levels import Labels, depth_first
from anonopt.data.values import MISSING, TOP, as_text, distinct

MOST_CHARACTERS = 10**7
"""Characters of all labels up to which they are written out at once."""

MOST_LEVELS = 100_000
"""Characters that values may have, each of which makes a level."""

_CODE_POINT = np.dtype("<u4")
_CODE_POINTS = 0x110000


@dataclass(frozen=True, kw_only=True)
class TextMask:
    """How values are masked: to what length, from which side, and with which characters."""

    height: int
    from_right: bool
    mask: str
    padding: str

    def padded(self, leaf: str) -> str:
        """A value of full length, padded on the side where masking begins."""
        if self.from_right:
            return leaf.ljust(self.height, self.padding)
        return leaf.rjust(self.height, self.padding)

    def masked(self, leaf: str, level: int) -> str:
        """Label of a value at a level between the values and the top."""
        if self.from_right:
            return self.padded(leaf)[: self.height - level] + self.mask * level
        return self.mask * level + self.padded(leaf)[level:]


@dataclass(frozen=True, eq=False)
class MaskedLabels(Sequence[tuple[str, ...]]):
    """Labels of each level, made when they are asked for; equal to those written out.

    Attributes
    ----------
    leaves : tuple of text
        In the order of their codes.
    maps : int32 array (H + 1, n_leaves)
    rule : TextMask
    has_missing : bool
        Whether the last leaf stands for missing cells, which are not masked.
    """

    leaves: tuple[str, ...]
    maps: CodeArray
    rule: TextMask
    has_missing: bool = False

    def with_missing(self) -> MaskedLabels:
        """The same labels with a last leaf for missing cells, of its own below the top."""
        own = self.maps[:, -1:] + 1
        own[-1] = 0
        maps = np.hstack([self.maps, own])
        return replace(self, leaves=(*self.leaves, MISSING), maps=maps, has_missing=True)

    def __len__(self) -> int:
        return self.rule.height + 1

    @overload
    def __getitem__(self, level: int) -> tuple[str, ...]: ...
    @overload
    def __getitem__(self, level: slice) -> tuple[tuple[str, ...], ...]: ...
    def __getitem__(self, level: int | slice) -> tuple[str, ...] | tuple[tuple[str, ...], ...]:
        if isinstance(level, slice):
            return tuple(self[number] for number in range(*level.indices(len(self))))
        number = range(len(self))[level]
        if number == 0:
            return self.leaves
        if number == self.rule.height:
            return (TOP,)
        first = np.unique(self.maps[number], return_index=True)[1]
        masked = [self.rule.masked(self.leaves[leaf], number) for leaf in first.tolist()]
        if self.has_missing:
            masked[-1] = MISSING
        return tuple(masked)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MaskedLabels | tuple):
            return NotImplemented
        return len(self) == len(other) and all(
            own == level for own, level in zip(self, other, strict=True)
        )

    def __hash__(self) -> int:
        return hash((self.leaves, self.rule, self.has_missing))


def masked_levels(
    values: Iterable[object], *, direction: str, length: int | None, mask: str, padding: str
) -> tuple[Labels, CodeArray]:
    """Labels and maps of :meth:`anonopt.Hierarchy.text`."""
    check_choice("direction", direction, ["right_to_left", "left_to_right"])
    for name, character in (("mask", mask), ("padding", padding)):
        if len(character) != 1:
            raise ValueError(f"{name}: expected one character, found {character!r}")
    leaves = list(dict.fromkeys(as_text(value) for value in distinct(values)))
    longest = max(leaves, key=len, default="")
    height = max(len(longest), 1) if length is None else length
    height = check_integer("length", height, least=1, most=MOST_LEVELS)
    if len(longest) > height:
        raise ValueError(
            f"values: expected at most {height} characters, found {longest!r} of {len(longest)}"
        )
    if not leaves:
        raise ValueError("hierarchy: expected at least one leaf, found none")
    rule = TextMask(
        height=height, from_right=direction == "right_to_left", mask=mask, padding=padding
    )
    order, maps = depth_first(_groups(leaves, rule))
    labels = MaskedLabels(tuple(leaves[leaf] for leaf in order.tolist()), maps, rule)
    n_labels = int(maps.max(axis=1).sum()) + len(maps)
    return labels if n_labels * height > MOST_CHARACTERS else tuple(labels), maps


def _groups(leaves: Sequence[str], rule: TextMask) -> list[npt.NDArray[np.intp]]:
    """Number of the group of each leaf at each level, numbered as they first appear."""
    # Each character is compared once: with one more of them, a group falls apart by it.
    text = "".join(map(rule.padded, leaves)).encode("utf-32-le", errors="surrogatepass")
    points = np.frombuffer(text, dtype=_CODE_POINT).reshape(len(leaves), rule.height)
    characters = (points if rule.from_right else points[:, ::-1]).T
    codes = np.zeros(len(leaves), dtype=np.intp)
    found = [codes]
    for row in characters[:-1]:
        codes = pd.factorize(codes * _CODE_POINTS + row)[0]
        found.append(codes)
    found.append(np.arange(len(leaves), dtype=np.intp))
    return found[::-1]
