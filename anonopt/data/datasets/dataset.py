"""What there is to know about a data set: its file, its roles and its hierarchies."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import pandas as pd

from anonopt.data.datasets.download import RemoteFile, UserFile
from anonopt.data.hierarchies.hierarchy_sources import HierarchySource

Split = Literal["train", "test", "all"]

HierarchyMaker = Callable[
    [pd.DataFrame, Sequence[Hashable], bool], Mapping[Hashable, HierarchySource]
]
"""Makes the default hierarchies; see :attr:`Dataset.make_hierarchies`."""


def no_hierarchies(
    frame: pd.DataFrame, columns: Sequence[Hashable], complete: bool
) -> Mapping[Hashable, HierarchySource]:
    """None, of a table whose columns are masked and not generalized."""
    return {}


@dataclass(frozen=True, kw_only=True)
class MaskedPart:
    """The part of a data set that experiments on masked files protect.

    Attributes
    ----------
    columns : tuple of text
    order : mapping of column to list of values or None
        An order of each column of categories, None for that of their codes. Empty if the columns
        are numeric.
    ordinal : tuple of text
        Columns of categories whose order has a meaning.
    split : {"train", "test", "all"}
        File it is taken from.
    n_rows : int or None
        First rows that are taken; None for all.
    """

    columns: tuple[str, ...]
    order: Mapping[str, Sequence[object] | None] = field(default_factory=dict)
    ordinal: tuple[str, ...] = ()
    split: Split = "train"
    n_rows: int | None = None


@dataclass(frozen=True, kw_only=True)
class GeneratedFile:
    """A table that is drawn when it is loaded, always the same.

    Attributes
    ----------
    make : callable
        Returns the table.
    """

    make: Callable[[], pd.DataFrame]


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """A data set and its default roles.

    Attributes
    ----------
    name, summary : text
    n_rows, n_columns : int
        Size of the default file, incomplete rows included.
    source, licence : text
    files : mapping from split to file names, or a RemoteFile, UserFile or GeneratedFile
        Names are those of packaged files, or absolute paths.
    columns : tuple of text
        Columns that the file must have.
    quasi_identifiers, sensitive, target
        Default roles; none where the table is not made to be generalized.
    make_hierarchies : callable
        From the frame, columns, and whether incomplete rows are left out, to the default
        hierarchy of each of the columns that has one.
    masked : MaskedPart or None
        What experiments on masked files protect, if it is a benchmark of such.
    unused : mapping of column to tuple of text
        Categories of the code book that no row has.
    aliases : mapping
        Other names of columns among the files of a folder of hierarchies.
    drops_incomplete : bool
        Whether rows with missing cells are left out by default.
    """

    name: str
    summary: str
    n_rows: int
    n_columns: int
    source: str
    licence: str
    files: Mapping[str, Sequence[str]] | RemoteFile | UserFile | GeneratedFile
    columns: tuple[str, ...]
    quasi_identifiers: tuple[str, ...] = ()
    sensitive: str | None = None
    target: str | None = None
    make_hierarchies: HierarchyMaker = no_hierarchies
    masked: MaskedPart | None = None
    unused: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    aliases: Mapping[Hashable, str] = field(default_factory=dict)
    drops_incomplete: bool = False

    @property
    def splits(self) -> tuple[str, ...]:
        """Parts that can be loaded; a single file is both the training part and all."""
        return tuple(self.files) if isinstance(self.files, Mapping) else ("train", "all")

    @property
    def access(self) -> str:
        """How it is had: ``packaged`` (or drawn), ``download`` or ``own copy``."""
        if isinstance(self.files, UserFile):
            return "own copy"
        return "download" if isinstance(self.files, RemoteFile) else "packaged"
