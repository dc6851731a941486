"""Nested dictionaries: levels of a hierarchy from a tree as people write it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from anonopt.data.values import as_texts


def tree_levels(tree: Mapping[Any, Any]) -> list[list[str]]:
    """Levels of :meth:`anonopt.Hierarchy.from_tree`."""
    if not isinstance(tree, Mapping):
        raise TypeError(f"tree: expected a dictionary, found {type(tree).__name__}")
    if len(tree) != 1:
        raise ValueError(
            f"tree: expected one top value over all others, found {len(tree)}: {list(tree)[:5]}"
        )
    branches = list(_walk(tree, ()))
    depth = max(len(branch) for branch in branches)
    paths = [branch + branch[-1:] * (depth - len(branch)) for branch in branches]
    return [list(level) for level in zip(*paths, strict=True)][::-1]


def _walk(children: object, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the path from the top to each leaf."""
    if not children and not isinstance(children, str | int | float):
        yield above
    elif isinstance(children, Mapping):
        for label, below in zip(as_texts(children, "tree"), children.values(), strict=True):
            yield from _walk(below, (*above, label))
    elif isinstance(children, list | tuple):
        for label in as_texts(children, "tree"):
            yield (*above, label)
    else:
        raise TypeError(
            f"tree: expected a dictionary or a list under {above[-1]!r}, found {children!r}"
        )
