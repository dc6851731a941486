"""From labels to codes: checks that every level refines the next and orders the leaves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt._typing import CodeArray

Labels = Sequence[tuple[str, ...]]
"""Labels of each level by code."""


def code_levels(levels: Sequence[Sequence[str]]) -> tuple[Labels, CodeArray]:
    """Number the labels of each level in depth-first order of the tree.

    Parameters
    ----------
    levels : sequence of H + 1 sequences of text, each of length n_paths
        ``levels[l][i]`` is the label of path i at level l; level 0 holds the leaves. A path
        that occurs twice counts once.

    Returns
    -------
    labels : tuple of H + 1 tuples of text
        Labels of each level by code.
    maps : int32 array (H + 1, n_leaves)
        Code of each leaf at each level; every row is non-decreasing.

    Raises
    ------
    ValueError
        If there is no path, a label has two parents, or the top level has several values.
    """
    if len(levels) == 0 or len(levels[0]) == 0:
        raise ValueError("hierarchy: expected at least one leaf, found none")
    codes, labels = [], []
    for texts in levels:
        level_codes, level_labels = pd.factorize(np.array(texts, dtype=object))
        codes.append(level_codes)
        labels.append(level_labels)
    for level in range(len(levels) - 1):
        _check_parents(level, codes, labels)
    if len(labels[-1]) > 1:
        raise ValueError(
            f"level {len(levels) - 1}, the top: expected one value, found {len(labels[-1])}: "
            + ", ".join(repr(label) for label in labels[-1][:5])
        )
    order, maps = depth_first(codes)
    ordered_labels = []
    for level_codes, level_labels in zip(codes, labels, strict=True):
        along = level_codes[order]
        starts = np.concatenate([[True], along[1:] != along[:-1]])
        ordered_labels.append(tuple(level_labels[along[starts]].tolist()))
    return tuple(ordered_labels), maps


def depth_first(codes: Sequence[npt.NDArray[np.intp]]) -> tuple[npt.NDArray[np.intp], CodeArray]:
    """Order of the leaves by the tree, and their codes in it.

    Parameters
    ----------
    codes : sequence of H + 1 int arrays (n_paths,)
        Number of the label of each path at each level, numbered as they first appear.

    Returns
    -------
    order : int array (n_leaves,)
        A path of each leaf, in the order of the leaves.
    maps : int32 array (H + 1, n_leaves)
        Code of each leaf at each level; every row is non-decreasing.
    """
    # Codes rise by first appearance, so sorting the paths by them from the top down keeps
    # siblings in the order in which they were given.
    leaves = np.unique(codes[0], return_index=True)[1]
    order = leaves[np.lexsort([level_codes[leaves] for level_codes in codes])]
    maps = np.empty((len(codes), len(order)), dtype=np.int32)
    for level, level_codes in enumerate(codes):
        along = level_codes[order]
        starts = np.concatenate([[True], along[1:] != along[:-1]])
        maps[level] = np.cumsum(starts) - 1
    return order, maps


def _check_parents(
    level: int, codes: Sequence[npt.NDArray[np.intp]], labels: Sequence[npt.NDArray[np.object_]]
) -> None:
    """Raise if a label of `level` is parted at the next level."""
    first = np.unique(codes[level], return_index=True)[1][codes[level]]
    parted = np.flatnonzero(codes[level + 1] != codes[level + 1][first])
    if len(parted) == 0:
        return
    path = parted[0]
    label = labels[level][codes[level][path]]
    parents = [labels[level + 1][codes[level + 1][row]] for row in (first[path], path)]
    kind = "leaf" if level == 0 else f"label of level {level}"
    raise ValueError(
        f"level {level + 1}: expected one parent of the {kind} {label!r}, "
        f"found two: {parents[0]!r} and {parents[1]!r}"
    )
