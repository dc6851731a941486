"""Text of neighbouring leaves of a hierarchy that are none of its values together."""

from __future__ import annotations

from collections.abc import Sequence

from anonopt.data.columns.value_scales import scale_of
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.values import MISSING


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
