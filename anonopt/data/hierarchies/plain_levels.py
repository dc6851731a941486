"""Levels of a hierarchy from a nested dictionary or an ordered list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from anonopt._checks import check_integer
from anonopt.data.values import TOP, as_texts


def tree_levels(tree: Mapping[Any, Any]) -> list[list[str]]:
    """Levels of :meth:`anonopt.Hierarchy.from_tree`."""
    if not isinstance(tree, Mapping):
        raise TypeError(f"tree: expected a dictionary, found {type(tree).__name__}")
    if len(tree) != 1:
        raise ValueError(
            f"tree: expected one top value over all others, found {len(tree)}: {list(tree)[:5]}"
        )
    branches = list(_walk(tree))
    depth = max(len(branch) for branch in branches)
    paths = [branch + branch[-1:] * (depth - len(branch)) for branch in branches]
    return [list(level) for level in zip(*paths, strict=True)][::-1]


def _walk(tree: Mapping[Any, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the path from the top to each leaf."""
    # Branches that wait, the next one last: trees may be deeper than Python calls functions.
    waiting: list[tuple[tuple[str, ...], object]] = [((), tree)]
    while waiting:
        above, children = waiting.pop()
        if not children and not isinstance(children, str | int | float):
            yield above
        elif isinstance(children, Mapping):
            labels = as_texts(children, "tree")
            below = zip(labels, children.values(), strict=True)
            waiting.extend([((*above, label), child) for label, child in below][::-1])
        elif isinstance(children, list | tuple):
            for label in as_texts(children, "tree"):
                yield (*above, label)
        else:
            raise TypeError(
                f"tree: expected a dictionary or a list under {above[-1]!r}, found {children!r}"
            )


def ordered_levels(values: Iterable[object], *, fan_outs: Sequence[int]) -> list[list[str]]:
    """Levels of :meth:`anonopt.Hierarchy.ordered`."""
    texts = as_texts(values, "values")
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise ValueError(f"values: expected each value once, found {twice!r} twice")
    levels = [texts]
    size = 1
    for fan_out in fan_outs:
        size *= check_integer("fan_outs", fan_out, least=2)
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
