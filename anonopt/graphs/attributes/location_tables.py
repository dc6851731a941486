"""Hierarchies of locations from tables: one location a row, a column a type (ARX layout)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from os import PathLike

import pandas as pd

from anonopt.data.tables.table_files import read_table
from anonopt.graphs.attributes.locations import LocationHierarchy, level_of_type


def location_table(
    source: str | PathLike[str] | pd.DataFrame, *, types: Sequence[str] | None = None
) -> LocationHierarchy:
    """Hierarchy of locations from a table in the layout of ARX.

    Parameters
    ----------
    source : path of a CSV file, or DataFrame
        A row a location, most specific cell first, the world last. Cells that are empty, or
        repeat the cell to their left, are no location of their own: a row that begins with
        empty cells is a location of a higher type.
    types : sequence of str, optional
        Type of each column, a key of
        :data:`~anonopt.graphs.attributes.locations.LOCATION_LEVELS`; the names of the columns if
        left out.

    Returns
    -------
    LocationHierarchy

    Raises
    ------
    ValueError
        If a type is unknown, there are not as many types as columns, a row is empty, or the
        rows are no tree (names the location).

    Examples
    --------
    >>> frame = pd.DataFrame({
    ...     "locality": ["New York City", None], "country": ["United States", "France"],
    ...     "continent": ["North America", "Europe"], "world": ["World", "World"],
    ... })
    >>> location_table(frame).path("France")
    [('France', 'country'), ('Europe', 'continent'), ('World', 'world')]
    """
    frame = source if isinstance(source, pd.DataFrame) else read_table(source)
    kinds = [str(column) for column in frame.columns] if types is None else list(types)
    if len(kinds) != frame.shape[1]:
        raise ValueError(
            f"types: expected one for each of the {frame.shape[1]} columns, found {len(kinds)}"
        )
    for kind in kinds:
        level_of_type(kind)
    cells = frame.astype(object).where(frame.notna(), "").astype(str).to_numpy()
    paths = []
    for number, row in enumerate(cells.tolist()):
        path: list[tuple[str, str]] = []
        for name, kind in zip(map(str.strip, row), kinds, strict=True):
            if name and (not path or path[-1][0] != name):
                path.append((name, kind))
        if not path:
            raise ValueError(f"row {number} of the locations: expected a location, found none")
        paths.append(path)
    return LocationHierarchy(paths)


@cache
def packaged_locations() -> LocationHierarchy:
    """Table of locations that comes with the library: more than 170 cities of 49 countries.

    It holds the example of Mares 2013 (Figure 6.2), and is what generated graphs live in.

    Examples
    --------
    >>> [name for name, _ in packaged_locations().path("Brooklyn")]
    ['Brooklyn', 'New York City', 'New York', 'United States', 'North America', 'World']
    """
    with resources.as_file(resources.files("anonopt.graphs.files") / "locations.csv") as path:
        return location_table(path)
