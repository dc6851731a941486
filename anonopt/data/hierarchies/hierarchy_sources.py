"""Where the hierarchies of a table come from: objects, CSV files, or a folder of them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
import pandas as pd

from anonopt._typing import CodeArray
from anonopt.data.column_values import ColumnValues
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.labels import encode_labels

NO_ALIASES: Mapping[Hashable, str] = MappingProxyType({})

FLAT = "flat"
"""Stands for the hierarchy of a column's values directly under the top."""

HierarchySource = Hierarchy | str | PathLike[str]
"""A hierarchy, the path of its CSV file, or "flat"."""


class ColumnsByName(Protocol):
    """A frame, or what has columns as a frame has them."""

    def __getitem__(self, column: Any, /) -> pd.Series[Any]:
        """A column."""


HierarchySources = Mapping[Any, HierarchySource] | str | PathLike[str]
"""One source a column, or a folder of one CSV file a column."""


def resolve_hierarchies(
    sources: HierarchySources,
    frame: ColumnsByName,
    columns: Sequence[Hashable],
    *,
    optional: Sequence[Hashable] = (),
) -> dict[Hashable, Hierarchy]:
    """Make the hierarchy of each column, and of further ones for which a mapping has one.

    Parameters
    ----------
    sources : mapping or folder
        A mapping from column to a :class:`Hierarchy`, the path of a CSV file or ``"flat"``;
        or a folder that holds ``<column>.csv`` for each column.
    frame : DataFrame or ColumnsByName
        Table whose values ``"flat"`` takes.
    columns : sequence
        Columns that need a hierarchy.
    optional : sequence
        Columns that may have one. Folders are not searched for theirs.

    Raises
    ------
    ValueError
        If a column has no hierarchy or a hierarchy belongs to none of the columns.
    FileNotFoundError
        If there is no such folder or file; lists the files looked for.
    """
    if isinstance(sources, str | PathLike):
        sources = folder_sources(sources, columns)
    if not isinstance(sources, Mapping):
        raise TypeError(
            f"hierarchies: expected a dictionary or a folder, found {type(sources).__name__}"
        )
    for column in sources:
        if column not in columns and column not in optional:
            others = f" or the sensitive {list(optional)}" if optional else ""
            raise ValueError(
                f"hierarchies: expected one of the quasi-identifiers {list(columns)}{others}, "
                f"found {column!r}"
            )
    wanted = [*columns, *(column for column in optional if column in sources)]
    return {column: _resolve(sources, frame, column) for column in wanted}


def levels_of_codes(
    hierarchy: Hierarchy, values: pd.Series[Any], codes: CodeArray
) -> tuple[CodeArray, ...]:
    """Code at each level of each value of a column that has codes of its own.

    Parameters
    ----------
    hierarchy : Hierarchy
        Gets the leaf ``<missing>`` if the column has missing cells.
    values : Series (n_rows,)
    codes : int32 array (n_rows,)
        All of 0..n_values - 1.

    Returns
    -------
    tuple of int32 arrays (n_values,), one a level

    Raises
    ------
    ValueError
        If a value is absent from the hierarchy.
    """
    cells = ColumnValues.of(values)
    tree = hierarchy.with_missing() if cells.has_missing else hierarchy
    leaves = np.empty(int(codes.max()) + 1, dtype=np.int32)
    leaves[codes] = tree.encode_cells(cells, values.name)
    return tuple(level[leaves] for level in tree.maps)


def folder_sources(
    folder: str | PathLike[str],
    columns: Sequence[Hashable],
    *,
    aliases: Mapping[Hashable, str] = NO_ALIASES,
) -> dict[Hashable, Path]:
    """CSV file of each column in a folder.

    Parameters
    ----------
    folder : path
    columns : sequence
    aliases : mapping, optional
        Other name under which the file of a column is also looked for.

    Raises
    ------
    FileNotFoundError
        If a column has no file; lists all files looked for that are not there.
    """
    if not Path(folder).is_dir():
        raise FileNotFoundError(f"hierarchies: expected a folder, found nothing at {folder}")
    found: dict[Hashable, Path] = {}
    absent = []
    for column in columns:
        names = [column, aliases[column]] if column in aliases else [column]
        paths = [Path(folder) / f"{name}.csv" for name in names]
        path = next((path for path in paths if path.is_file()), None)
        if path is None:
            absent.append(" or ".join(path.name for path in paths))
        else:
            found[column] = path
    if absent:
        raise FileNotFoundError(
            f"hierarchies: expected one CSV file a quasi-identifier in {folder}, "
            f"found no {', '.join(absent)}"
        )
    return found


def _resolve(
    sources: Mapping[Any, HierarchySource], frame: ColumnsByName, column: Hashable
) -> Hierarchy:
    source = sources.get(column)
    if isinstance(source, Hierarchy):
        return source
    if isinstance(source, str) and source == FLAT:
        return Hierarchy.ordered(encode_labels(frame[column])[1])
    if isinstance(source, str | PathLike):
        return Hierarchy.from_csv(source)
    if source is None:
        raise ValueError(
            f"hierarchies: expected one for the quasi-identifier {column!r}, found none (build it "
            f"with Hierarchy.from_csv, .from_tree, .intervals, .ordered, .text or .dates, "
            f"or give {FLAT!r} for its values directly under '*')"
        )
    raise TypeError(
        f"hierarchies: expected a Hierarchy, the path of a CSV file or {FLAT!r} for column "
        f"{column!r}, found {type(source).__name__}"
    )
