"""What there is to know about a data set: its file, its roles and its hierarchies."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from anonopt.data.datasets.download import RemoteFile, UserFile
from anonopt.data.hierarchies.hierarchy_sources import HierarchySource

HierarchyMaker = Callable[
    [pd.DataFrame, Sequence[Hashable], bool], Mapping[Hashable, HierarchySource]
]
"""Makes the default hierarchies; see :attr:`Dataset.make_hierarchies`."""


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """A data set and its default roles.

    Attributes
    ----------
    name, title : text
    n_rows, n_columns : int
        Size of the default file, incomplete rows included.
    source, licence : text
    files : mapping from split to packaged file names, :class:`RemoteFile` or :class:`UserFile`
    columns : tuple of text
        Columns that the file must have.
    quasi_identifiers, sensitive, target
        Default roles; no quasi-identifiers where the table is not made to be generalized.
    make_hierarchies : callable
        From the frame, columns, and whether incomplete rows are left out, to the default
        hierarchy of each of the columns that has one.
    aliases : mapping
        Other names of columns among the files of a folder of hierarchies.
    drops_incomplete : bool
        Whether rows with missing cells are left out by default.
    """

    name: str
    title: str
    n_rows: int
    n_columns: int
    source: str
    licence: str
    files: Mapping[str, Sequence[str]] | RemoteFile | UserFile
    columns: tuple[str, ...]
    quasi_identifiers: tuple[str, ...]
    sensitive: str | None
    target: str | None
    make_hierarchies: HierarchyMaker
    aliases: Mapping[Hashable, str] = field(default_factory=dict)
    drops_incomplete: bool = False

    @property
    def splits(self) -> tuple[str, ...]:
        """Parts that can be loaded; a single file is both the training part and all."""
        return tuple(self.files) if isinstance(self.files, Mapping) else ("train", "all")

    @property
    def access(self) -> str:
        """How the file is had: ``packaged``, ``download`` or ``own copy``."""
        if isinstance(self.files, UserFile):
            return "own copy"
        return "download" if isinstance(self.files, RemoteFile) else "packaged"
