"""Groups of neighbours in an ordered list: levels of a hierarchy for ordinal categories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from anonopt.data.values import TOP, as_texts


def ordered_levels(values: Iterable[object], *, fan_outs: Sequence[int]) -> list[list[str]]:
    """Levels of :meth:`anonopt.Hierarchy.ordered`."""
    texts = as_texts(values, "values")
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise ValueError(f"values: expected each value once, found {twice!r} twice")
    levels = [texts]
    size = 1
    for fan_out in fan_outs:
        if isinstance(fan_out, bool) or not isinstance(fan_out, int) or fan_out < 2:
            raise ValueError(f"fan_outs: expected integers of at least 2, found {list(fan_outs)}")
        size *= fan_out
        levels.append(_label_groups(texts, size))
    levels.append([TOP] * len(texts))
    return levels


def _label_groups(texts: Sequence[str], size: int) -> list[str]:
    """Name each group after its members, which is what a reader can check."""
    labels: list[str] = []
    seen = set()
    for start in range(0, len(texts), size):
        members = texts[start : start + size]
        label = "{" + ", ".join(members) + "}"
        if label in seen:
            raise ValueError(
                f"values: expected groups of different labels, found {label!r} twice "
                f"(a value holds a comma; name the groups with Hierarchy.from_tree)"
            )
        seen.add(label)
        labels.extend([label] * len(members))
    return labels
