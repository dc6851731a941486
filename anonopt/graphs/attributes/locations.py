"""The tree of locations: cities in countries in continents, and how far two of them are apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from anonopt._typing import CodeArray, IntArray
from anonopt.data.immutable import Immutable

LOCATION_LEVELS: dict[str, int] = {
    "route": 0,
    "sublocality": 0,
    "natural feature": 0,
    "point of interest": 0,
    "neighborhood": 0,
    "locality": 1,
    "colloquial area": 1,
    "administrative area level 3": 2,
    "administrative area level 2": 3,
    "administrative area level 1": 4,
    "country": 5,
    "political": 5,
    "continent": 6,
    "world": 7,
}
"""Level of abstraction of each type of location (Mares 2013, Table 6.1)."""

MAX_LEVEL = 7
"""The level of the world, by which distances are divided."""


def level_of_type(kind: str) -> int:
    """Level of abstraction of a type of location, 0..7.

    Parameters
    ----------
    kind : str
        A key of :data:`LOCATION_LEVELS`; case, and ``_`` or blanks, do not matter.

    Raises
    ------
    ValueError
        If there is no such type.

    Examples
    --------
    >>> level_of_type("administrative_area_level_1")
    4
    """
    name = " ".join(kind.replace("_", " ").lower().split())
    if name not in LOCATION_LEVELS:
        raise ValueError(
            f"type of location: expected one of {', '.join(LOCATION_LEVELS)}, found {kind!r}"
        )
    return LOCATION_LEVELS[name]


class LocationHierarchy(Immutable):
    """A tree of named locations, each with a type that has a level (Mares 2013, Figure 6.2).

    Any location of the tree may be the value of a node, not only a leaf: a user who gives a
    country is as good as one who gives a city.

    Parameters
    ----------
    paths : iterable of sequences of (name, type)
        Each from a location up to the root, whose type is ``world``. Paths may share their
        upper parts and must then agree.

    Attributes
    ----------
    names, types : tuple of str, (n_values,)
    parents : int32 array (n_values,), read-only
        Code of the next location above; -1 for the root.
    levels : int16 array (n_values,), read-only
        Level of each location's type, 0..7.
    ancestors : int32 array (n_depths, n_values), read-only
        ``ancestors[d, v]`` is the location d steps below the root that holds v, or v itself;
        -1 where v lies higher than that. Row 0 is the root.

    Raises
    ------
    ValueError
        If there is no path, a location has two parents or two types (names it and both), a
        parent has a lower level than what it holds, or a path does not end in the one root.

    Examples
    --------
    >>> america = [("United States", "country"), ("North America", "continent"),
    ...            ("World", "world")]
    >>> places = LocationHierarchy([
    ...     [("Brooklyn", "sublocality"), ("New York City", "locality"), *america],
    ...     [("Washington DC", "locality"), *america],
    ... ])
    >>> round(places.distance("Brooklyn", "United States"), 3)
    0.714
    >>> places.distance("New York City", "Washington DC")
    1.0
    >>> places.common_ancestor(["Brooklyn", "Washington DC"])
    'United States'
    """

    _arrays = ("parents", "levels", "ancestors")

    def __init__(self, paths: Iterable[Sequence[tuple[str, str]]]) -> None:
        parent_of, type_of = _merged(paths)
        self.names = tuple(type_of)
        self.types = tuple(type_of.values())
        code = {name: number for number, name in enumerate(self.names)}
        above = [parent_of[name] for name in self.names]
        self.parents = np.array([-1 if p is None else code[p] for p in above], dtype=np.int32)
        self.levels = np.array([level_of_type(kind) for kind in self.types], dtype=np.int16)
        self.ancestors = _ancestors(self.parents)
        self._codes = code
        self._lock()

    @property
    def n_values(self) -> int:
        """Number of locations, the root included."""
        return len(self.names)

    @cached_property
    def depths(self) -> IntArray:
        """Steps from the root to each location, int64 array (n_values,)."""
        return np.asarray((self.ancestors >= 0).sum(axis=0) - 1, dtype=np.int64)

    def __contains__(self, name: object) -> bool:
        return name in self._codes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LocationHierarchy):
            return NotImplemented
        return (
            self.names == other.names
            and self.types == other.types
            and np.array_equal(self.parents, other.parents)
        )

    def __hash__(self) -> int:
        return hash((self.names, self.types, self.parents.tobytes()))

    def __repr__(self) -> str:
        return f"LocationHierarchy(n_values={self.n_values})"

    def code(self, name: str) -> int:
        """Code of a location.

        Raises
        ------
        ValueError
            If the hierarchy does not hold it.
        """
        if name not in self._codes:
            raise ValueError(f"location: expected one of the hierarchy, found {name!r}")
        return self._codes[name]

    def path(self, name: str) -> list[tuple[str, str]]:
        """Names and types from a location up to the root (the thesis's ``branch``)."""
        codes = self.ancestors[:, self.code(name)]
        return [(self.names[c], self.types[c]) for c in codes[codes >= 0][::-1]]

    def distance(self, first: str, second: str) -> float:
        """Distance of two locations, 0..1 (Mares 2013, Eq. 6.1).

        The difference of their levels divided by 7 if one holds the other, else 1. The
        printed condition, ``loc2 in branch(loc1)``, is not symmetric; the text speaks of two
        locations "of the same branch", which is what counts here. Two locations of one branch
        and one level (a park in a neighborhood) are 0 apart.
        """
        codes = np.array([[self.code(first)], [self.code(second)]], dtype=np.int32)
        return float(self.sevenths(codes[0], codes[1])[0]) / MAX_LEVEL

    def common_ancestor(self, names: Iterable[str]) -> str:
        """Closest location that holds all of the given ones; a single one is its own.

        Raises
        ------
        ValueError
            If no location is given, or the hierarchy does not hold one.
        """
        codes = np.array([self.code(name) for name in names], dtype=np.int32)
        if len(codes) == 0:
            raise ValueError("common_ancestor: expected at least one location, found none")
        return self.names[int(self.common_ancestors(codes, np.array([0]))[0])]

    def sevenths(self, first: CodeArray, second: CodeArray) -> npt.NDArray[np.uint8]:
        """Distances of pairs of locations in units of 1/7, uint8 array (n_pairs,), 0..7.

        Parameters
        ----------
        first, second : int arrays (n_pairs,)
            Codes.
        """
        is_above = self.ancestors[self.depths[first], second] == first
        is_below = self.ancestors[self.depths[second], first] == second
        steps = np.abs(self.levels[first] - self.levels[second])
        return np.where(is_above | is_below, steps, MAX_LEVEL).astype(np.uint8)

    def sevenths_from(self, code: int) -> npt.NDArray[np.uint8]:
        """Distances of one location to all, in units of 1/7, uint8 array (n_values,)."""
        row = np.full(self.n_values, MAX_LEVEL, dtype=np.uint8)
        path = self.ancestors[:, code]
        branch = self.ancestors[self.depths[code]] == code
        branch[path[path >= 0]] = True
        row[branch] = np.abs(self.levels[branch] - self.levels[code])
        return row

    def common_ancestors(self, codes: CodeArray, starts: IntArray) -> CodeArray:
        """Closest common ancestor of each group of locations.

        Parameters
        ----------
        codes : int array (n,)
            Codes, the members of a group side by side.
        starts : int array (n_groups,)
            Where each group begins; strictly increasing from 0, all below n.

        Returns
        -------
        int32 array (n_groups,)
        """
        found = np.zeros(len(starts), dtype=np.int32)
        for row in self.ancestors:
            members = row[codes]
            lowest = np.minimum.reduceat(members, starts)
            is_shared = (lowest >= 0) & (lowest == np.maximum.reduceat(members, starts))
            found = np.where(is_shared, lowest, found)
        return found.astype(np.int32)


def _merged(
    paths: Iterable[Sequence[tuple[str, str]]],
) -> tuple[dict[str, str | None], dict[str, str]]:
    """Parent and type of each location, in the order of first appearance."""
    parent_of: dict[str, str | None] = {}
    type_of: dict[str, str] = {}
    for path in paths:
        if not path:
            raise ValueError("hierarchy of locations: expected paths of locations, found none")
        above: list[str | None] = [name for name, _ in path[1:]]
        for (name, kind), parent in zip(path, [*above, None], strict=True):
            if parent_of.setdefault(name, parent) != parent:
                raise ValueError(
                    f"location {name!r}: expected one parent, found {parent_of[name]!r} and "
                    f"{parent!r}"
                )
            if type_of.setdefault(name, kind) != kind:
                raise ValueError(
                    f"location {name!r}: expected one type, found {type_of[name]!r} and {kind!r}"
                )
    if not type_of:
        raise ValueError("hierarchy of locations: expected at least one path, found none")
    _check_tree(parent_of, type_of)
    return parent_of, type_of


def _check_tree(parent_of: dict[str, str | None], type_of: dict[str, str]) -> None:
    roots = [name for name, parent in parent_of.items() if parent is None]
    if len(roots) != 1 or level_of_type(type_of[roots[0]]) != MAX_LEVEL:
        found = [f"{name} ({type_of[name]})" for name in roots]
        raise ValueError(
            f"hierarchy of locations: expected one root, of type 'world', found {found}"
        )
    for name, parent in parent_of.items():
        if parent is not None and level_of_type(type_of[parent]) < level_of_type(type_of[name]):
            raise ValueError(
                f"location {name!r} ({type_of[name]}): expected a parent of at least its level, "
                f"found {parent!r} ({type_of[parent]})"
            )


def _ancestors(parents: CodeArray) -> CodeArray:
    """Row d holds each location's ancestor at depth d; -1 where it lies higher."""
    chains = [np.arange(len(parents), dtype=np.int32)]
    while (chains[-1] >= 0).any():
        last = chains[-1]
        chains.append(np.where(last >= 0, parents[last], -1).astype(np.int32))
    # Each column counts up from the location; turned round, it counts down from the root.
    upward = np.array(chains[:-1])
    lengths = (upward >= 0).sum(axis=0)
    depth = np.arange(len(upward))[:, np.newaxis]
    step = lengths[np.newaxis] - 1 - depth
    taken = np.take_along_axis(upward, np.maximum(step, 0), axis=0)
    return np.where(step >= 0, taken, -1).astype(np.int32)
