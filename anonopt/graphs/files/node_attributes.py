"""What nodes say, from any source: its cells as text, their codes, the hierarchy of locations."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from numbers import Number
from os import PathLike
from pathlib import Path

import numpy as np
import pandas as pd

from anonopt._typing import CodeArray
from anonopt.graphs.attributes.gazetteer import Gazetteer
from anonopt.graphs.attributes.location_tables import location_table, packaged_locations
from anonopt.graphs.attributes.locations import LocationHierarchy

HierarchySource = LocationHierarchy | str | PathLike[str]


@dataclass(frozen=True, eq=False)
class NodeTexts:
    """Text of an attribute of each node, each text once.

    Attributes
    ----------
    codes : int32 array (n_nodes,)
    texts : tuple of str
        Text of each code; they may be there in any order, and need not occur.
    """

    codes: CodeArray
    texts: tuple[str, ...]

    @classmethod
    def of(cls, texts: Iterable[str]) -> NodeTexts:
        """Code texts by first appearance.

        Examples
        --------
        >>> NodeTexts.of(["b", "a", "b"]).codes.tolist()
        [0, 1, 0]
        """
        known: dict[str, int] = {}
        codes = [known.setdefault(text, len(known)) for text in texts]
        return cls(np.array(codes, dtype=np.int32), tuple(known))

    def first_nodes(self) -> CodeArray:
        """Node that each text is first of, int array (n_texts,); n_nodes if it is of none."""
        first = np.full(len(self.texts), len(self.codes), dtype=np.int32)
        np.minimum.at(first, self.codes, np.arange(len(self.codes), dtype=np.int32))
        return first


def topic_codes(columns: Sequence[NodeTexts], n_nodes: int) -> tuple[CodeArray, tuple[str, ...]]:
    """One coding of all topics, in the order in which they appear, node by node.

    Parameters
    ----------
    columns : sequence of NodeTexts
    n_nodes : int

    Returns
    -------
    codes : int32 array (n_nodes, n_columns)
    names : tuple of str

    Examples
    --------
    >>> columns = [NodeTexts.of(["b", "a"]), NodeTexts.of(["c", "b"])]
    >>> codes, names = topic_codes(columns, 2)
    >>> codes.tolist(), names
    ([[0, 1], [2, 0]], ('b', 'c', 'a'))
    """
    if not columns:
        return np.empty((n_nodes, 0), dtype=np.int32), ()
    found: dict[str, tuple[int, int]] = {}
    for place, column in enumerate(columns):
        for text, node in zip(column.texts, column.first_nodes().tolist(), strict=True):
            if node < len(column.codes):
                found[text] = min(found.get(text, (node, place)), (node, place))
    names = tuple(sorted(found, key=lambda text: found[text]))
    code = {name: number for number, name in enumerate(names)}
    coded = [
        np.array([code.get(text, -1) for text in column.texts], dtype=np.int32)[column.codes]
        for column in columns
    ]
    return np.stack(coded, axis=1), names


def cell_text(value: object, node: Hashable, attribute: str, present: Iterable[object]) -> str:
    """Text of a cell, without blanks around it.

    Raises
    ------
    ValueError
        If it is missing, or neither text nor number; names node and attribute, and what the node
        has.
    """
    if value is None or value is pd.NA or value is pd.NaT:
        value = ""
    if not isinstance(value, str | Number | np.bool_):
        raise ValueError(
            f"node {node!r}, attribute {attribute!r}: expected a text or a number, found {value!r}"
        )
    if value != value or not str(value).strip():
        raise ValueError(
            f"node {node!r}, attribute {attribute!r}: expected a value, found none; "
            f"the node has {sorted(map(str, present))}"
        )
    return str(value).strip()


def place_codes(
    source: HierarchySource | None, nodes: Sequence[Hashable], places: NodeTexts, attribute: str
) -> tuple[LocationHierarchy, CodeArray]:
    """Hierarchy of the locations of nodes, and their codes in it.

    Parameters
    ----------
    source : LocationHierarchy or path of its table, or None
        Without one, the table of the library if it holds all locations, else the gazetteer.
    nodes : sequence of hashable
    places : NodeTexts
    attribute : str
        For messages.

    Raises
    ------
    ValueError
        If a location is unknown; names the node.
    ModuleNotFoundError
        If the gazetteer is needed and not installed.
    """
    first = places.first_nodes()
    order = [code for code in np.argsort(first).tolist() if first[code] < len(nodes)]
    tree = _hierarchy(source, nodes, [(places.texts[c], first[c]) for c in order], attribute)
    codes = np.full(len(places.texts), -1, dtype=np.int32)
    for code in order:
        place = places.texts[code]
        if place not in tree:
            raise ValueError(
                f"node {nodes[first[code]]!r}, attribute {attribute!r}: expected a location of "
                f"the hierarchy, found {place!r}"
            )
        codes[code] = tree.code(place)
    return tree, codes[places.codes]


def _hierarchy(
    source: HierarchySource | None,
    nodes: Sequence[Hashable],
    places: Sequence[tuple[str, int]],
    attribute: str,
) -> LocationHierarchy:
    if isinstance(source, LocationHierarchy):
        return source
    if source is not None:
        return location_table(Path(source))
    packaged = packaged_locations()
    if all(place in packaged for place, _ in places):
        return packaged
    book, paths = Gazetteer(), []
    for place, node in places:
        try:
            paths.append(book.path(place))
        except ValueError as error:
            raise ValueError(f"node {nodes[node]!r}, attribute {attribute!r}: {error}") from error
    return LocationHierarchy(paths)
