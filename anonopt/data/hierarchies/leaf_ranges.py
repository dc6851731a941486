"""Neighbouring leaves of a hierarchy: those under its values, and the text of any of them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from anonopt._typing import CodeArray, IntArray
from anonopt.data.columns.value_scales import scale_of
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.values import MISSING


def value_ends(codes: CodeArray) -> tuple[IntArray, IntArray]:
    """First and last leaf under each value of a level.

    Parameters
    ----------
    codes : int32 array (n_leaves,)
        Value of each leaf, a row of ``hierarchy.maps``: leaves are in depth-first order, so it
        never falls.

    Returns
    -------
    firsts, lasts : int64 arrays (n_values,)

    Examples
    --------
    >>> value_ends(np.array([0, 0, 1, 2, 2, 2]))
    (array([0, 2, 3]), array([1, 2, 5]))
    """
    values = np.arange(codes[-1] + 1)
    return np.searchsorted(codes, values), np.searchsorted(codes, values, side="right") - 1


def label_texts(hierarchy: Hierarchy, column: Hashable) -> dict[tuple[int, int], str]:
    """Text of each value of a hierarchy, by the first and the last leaf that it covers.

    Of values that cover the same leaves the text is that of the lowest level.

    Parameters
    ----------
    hierarchy : Hierarchy
    column : text
        Name of the column for messages.

    Raises
    ------
    ValueError
        If one text stands for different sets of values on different levels: side by side, nobody
        could tell them apart (names column, text and levels).

    Examples
    --------
    >>> zone = Hierarchy([["A", "B", "C"], ["N", "N", "C"], ["*", "*", "*"]])
    >>> label_texts(zone, "zone")
    {(0, 0): 'A', (1, 1): 'B', (2, 2): 'C', (0, 1): 'N', (0, 2): '*'}
    """
    texts: dict[tuple[int, int], str] = {}
    covered: dict[str, tuple[tuple[int, int], int]] = {}
    for level, codes in enumerate(hierarchy.maps):
        firsts, lasts = value_ends(codes)
        for text, first, last in zip(
            hierarchy.labels[level], firsts.tolist(), lasts.tolist(), strict=True
        ):
            here = (first, last)
            known, below = covered.setdefault(text, (here, level))
            if known != here:
                raise ValueError(
                    f"column {column!r}: expected labels that stand for the same values on every "
                    f"level where they occur, found {text!r} on levels {below} and {level} of its "
                    "hierarchy; rename one, as rows recoded to either stand side by side"
                )
            texts.setdefault(here, text)
    return texts


def label_of_each(
    hierarchy: Hierarchy, column: Hashable, ranges: Sequence[tuple[int, int]]
) -> list[str]:
    """Text of ranges of leaves: of values of the hierarchy their own, else what they hold.

    Parameters
    ----------
    hierarchy : Hierarchy
    column : text
        Name of the column for messages.
    ranges : sequence of (int, int)
        First and last leaf of each.

    Raises
    ------
    ValueError
        If a label's text is not clear.
    """
    texts = label_texts(hierarchy, column)
    meanings = {text: covered for covered, text in texts.items()}
    for low, high in set(ranges).difference(texts):
        text = range_text(hierarchy, low, high)
        if text in meanings:
            raise ValueError(
                f"column {column!r}: expected a text of its own for the values of leaves "
                f"{low}..{high}, found {text!r}, which its hierarchy has for others; rename it"
            )
        texts[low, high] = text
    return [texts[covered] for covered in ranges]


def range_text(hierarchy: Hierarchy, low: int, high: int) -> str:
    """Text of the leaves from one to another, as files are read by :func:`anonopt.compare`.

    Numbers and dates that are in their order are an interval of both ends; anything else is a set,
    which says what it covers without the hierarchy. Missing cells stand behind.

    Parameters
    ----------
    hierarchy : Hierarchy
    low, high : int
        First and last leaf, in depth-first order.

    Examples
    --------
    >>> range_text(Hierarchy.intervals(range(17, 91), width=5), 0, 7)
    '[17, 24]'
    >>> range_text(Hierarchy([["A", "B", "C"], ["*", "*", "*"]]), 1, 2)
    '{B, C}'
    """
    leaves = hierarchy.labels[0][low : high + 1]
    present = [text for text in leaves if text != MISSING]
    ending = f" or {MISSING}" if MISSING in leaves else ""
    if not present:
        return MISSING
    if len(present) == 1:
        return f"{present[0]}{ending}"
    ordered = [text for text in hierarchy.labels[0] if text != MISSING]
    if scale_of(ordered, is_ordinal=False) is None:
        return f"{_set_of(present)}{ending}"
    return f"[{present[0]}, {present[-1]}]{ending}"


def _set_of(members: Sequence[str]) -> str:
    return f"{{{', '.join(map(_quoted, members))}}}"


def _quoted(member: str) -> str:
    """A member whose ends could be taken for those of others, in quotes."""
    return f"'{member}'" if "," in member or member != member.strip() else member
