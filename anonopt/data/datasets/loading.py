"""The data sets that come with the library or are fetched by it."""

from __future__ import annotations

import csv
import io
from collections.abc import Hashable, Mapping, Sequence
from importlib import resources
from os import PathLike
from pathlib import Path
from types import EllipsisType

import numpy as np
import pandas as pd

from anonopt._checks import check_choice
from anonopt._registry import Registry
from anonopt.data.datasets.adult import ADULT
from anonopt.data.datasets.cargo import CARGO
from anonopt.data.datasets.casc import CENSUS, EIA, TARRAGONA
from anonopt.data.datasets.dataset import Dataset, GeneratedFile, Split
from anonopt.data.datasets.diabetes import DIABETES
from anonopt.data.datasets.download import RemoteFile, locate_file
from anonopt.data.datasets.flare import FLARE
from anonopt.data.datasets.freight import FREIGHT
from anonopt.data.datasets.german import GERMAN
from anonopt.data.datasets.patients import PATIENTS
from anonopt.data.hierarchies.hierarchy_sources import (
    HierarchySource,
    HierarchySources,
    folder_sources,
)
from anonopt.data.microdata import Microdata


def _entry(name: str, dataset: Dataset) -> Dataset:
    """Entry of a data set that is registered."""
    if not isinstance(dataset, Dataset) or dataset.name != name:
        raise TypeError(f"data set {name!r}: expected a Dataset of that name, found {dataset!r}")
    return dataset


DATASETS: Registry[Dataset] = Registry(
    "datasets",
    "data set",
    {
        dataset.name: dataset
        for dataset in (
            *(ADULT, GERMAN, FLARE, CARGO, FREIGHT, PATIENTS),
            *(CENSUS, TARRAGONA, EIA, DIABETES),
        )
    },
    make=_entry,
)
"""Every data set by name: what the catalogue and the command line list."""


NUMERIC = (CARGO, CENSUS, TARRAGONA, EIA, DIABETES)
"""Those that are found in a folder or fetched, and whose columns are numbers."""


def load_dataset(
    name: str,
    *,
    hierarchies: HierarchySources | None = None,
    complete: bool = True,
    split: Split = "train",
    quasi_identifiers: Sequence[Hashable] | None = None,
    sensitive: Hashable | EllipsisType | None = ...,
    target: Hashable | EllipsisType | None = ...,
    data_dir: str | PathLike[str] | None = None,
    progress: bool | None = None,
) -> Microdata:
    """Load a benchmark data set with its roles and hierarchies.

    ``adult``, ``german`` and ``flare`` are packaged. ``freight`` is drawn at random, always the
    same, in the layout of ``cargo``, for where that is not at hand. ``patients`` are 20 rows made
    up for teaching. ``cargo`` is looked for in `data_dir` only, if it is given; else in the folder
    of the environment variable ``ANONOPT_DATA_DIR``, then in the user cache; else it is downloaded
    from UCI.
    ``census``, ``tarragona``, ``eia`` and ``diabetes`` are looked for in the same places and
    cannot be downloaded. They are numeric files without default roles, so quasi-identifiers and
    hierarchies have to be given; :func:`load_frame` loads them as they are.

    Parameters
    ----------
    name : str
        One of :func:`list_datasets`.
    hierarchies : mapping or folder, optional
        A folder of one CSV file a column (Adult's ``income`` may be called
        ``salary-class``, as in ARX), or a mapping from column to a :class:`Hierarchy`, the
        path of a CSV file or ``"flat"``. A mapping replaces the default hierarchies of the
        columns it holds.
    complete : bool
        Adult: whether the rows with missing cells are left out. If not, missing cells are
        ``<missing>``. The missing cells of Cargo say that a step does not exist; its rows
        are always kept.
    split : {"train", "test", "all"}
        Adult: the training file, the test file, or one after the other.
    quasi_identifiers : list of columns, optional
        Default roles: see :func:`list_datasets`. For Cargo and Freight see
        :func:`anonopt.data.cargo_columns`.
    sensitive, target : column, optional
        None for no such role.
    data_dir : path, optional
    progress : bool, optional
        Whether a download shows a progress bar; by default only on a terminal.

    Returns
    -------
    Microdata
        Rows in the order of the file, numbered from 0.

    Raises
    ------
    ValueError
        If there is no such data set or split, a file found is not the one expected, a column has
        no hierarchy, or anything that :class:`Microdata` refuses.
    FileNotFoundError
        If a folder does not hold the files looked for, or a file that cannot be downloaded is
        nowhere (says where it comes from).
    ConnectionError
        If a data set has to be downloaded and the server cannot be reached.

    Examples
    --------
    >>> adult = load_dataset("adult")
    >>> adult.n_rows, adult.lattice.size
    (30162, 17920)
    """
    dataset = get_dataset(name)
    frame = load_frame(name, split=split, data_dir=data_dir, progress=progress)
    drops = complete and dataset.drops_incomplete
    if drops:
        frame = frame.dropna(ignore_index=True)
    columns = dataset.quasi_identifiers if quasi_identifiers is None else quasi_identifiers
    return Microdata(
        frame,
        quasi_identifiers=columns,
        hierarchies=_sources(dataset, hierarchies, frame, columns, complete=drops),
        sensitive=dataset.sensitive if sensitive is ... else sensitive,
        target=dataset.target if target is ... else target,
    )


def load_frame(
    name: str,
    *,
    split: Split = "train",
    data_dir: str | PathLike[str] | None = None,
    progress: bool | None = None,
) -> pd.DataFrame:
    """Load the plain table of a benchmark data set, all rows, without roles.

    Parameters
    ----------
    name, split, data_dir, progress
        As for :func:`load_dataset`.

    Returns
    -------
    DataFrame (n_rows, n_columns)
        ``?`` is read as a missing cell; rows are numbered from 0.

    Raises
    ------
    ValueError
        If there is no such data set or split, or a file found is no CSV file or lacks a column;
        of a file that is not packaged also if it has another number of rows, or a cell of its
        numeric columns is no finite number.
    FileNotFoundError, ConnectionError
        As :func:`load_dataset`.

    Examples
    --------
    >>> load_frame("german").shape
    (1000, 21)
    """
    dataset = get_dataset(name)
    check_choice(f"split of {name!r}", split, dataset.splits)
    if isinstance(dataset.files, GeneratedFile):
        return dataset.files.make()
    if not isinstance(dataset.files, Mapping):
        path = locate_file(dataset.files, data_dir=data_dir, progress=progress)
        return _read(path, dataset)
    folder = resources.files("anonopt.data.files")
    frames = []
    for file in dataset.files[split]:
        if Path(file).is_absolute():
            frames.append(_read(Path(file), dataset))
            continue
        with resources.as_file(folder / file) as path:
            frames.append(_read(path, dataset))
    return pd.concat(frames, ignore_index=True)


def list_datasets() -> pd.DataFrame:
    """List the data sets.

    Returns
    -------
    DataFrame (n_datasets, 10)
        Index: name. Columns: summary, rows and columns of the default file, default
        quasi-identifiers, sensitive and target column, the columns that
        :func:`~anonopt.data.masking_set` or :func:`~anonopt.data.continuous_set` protects, how
        it is had (``packaged``, ``download`` or ``own copy``), source and licence.

    Examples
    --------
    >>> list_datasets().index.tolist()  # doctest: +NORMALIZE_WHITESPACE
    ['adult', 'german', 'flare', 'cargo', 'freight', 'patients', 'census', 'tarragona', 'eia',
     'diabetes']
    """
    rows = {
        name: {
            "summary": dataset.summary,
            "rows": dataset.n_rows,
            "columns": dataset.n_columns,
            "quasi_identifiers": ", ".join(dataset.quasi_identifiers),
            "sensitive": dataset.sensitive,
            "target": dataset.target,
            "masked": ", ".join(dataset.masked.columns) if dataset.masked else "",
            "access": dataset.access,
            "source": dataset.source,
            "licence": dataset.licence,
        }
        for name, dataset in DATASETS.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("name")


def get_dataset(name: str) -> Dataset:
    """What there is to know about a data set, without loading it.

    Parameters
    ----------
    name : str
        See :func:`list_datasets`.

    Raises
    ------
    ValueError
        If there is no such data set (lists the nearest names).

    Examples
    --------
    >>> get_dataset("german").masked.columns
    ('status', 'savings', 'employment')
    """
    return DATASETS.find(name)


def _read(path: Path, dataset: Dataset) -> pd.DataFrame:
    content: Path | io.BytesIO = path
    try:
        if isinstance(dataset.files, RemoteFile):
            # A file that somebody took from the archive is as it is there.
            content = io.BytesIO(dataset.files.convert({dataset.files.name: path.read_bytes()}))
        frame = pd.read_csv(content, keep_default_na=False, na_values=["?"])
    except (
        UnicodeDecodeError,
        csv.Error,
        pd.errors.EmptyDataError,
        pd.errors.ParserError,
    ) as error:
        raise ValueError(
            f"{path}: expected a CSV file of {dataset.summary} in UTF-8, found {error}"
        ) from error
    if not isinstance(frame.index, pd.RangeIndex):
        # pandas takes the first cells of rows that are longer than the header for names of rows.
        raise ValueError(
            f"{path}: expected rows of {frame.shape[1]} cells, as the header has, found longer ones"
        )
    absent = [column for column in dataset.columns if column not in frame.columns]
    if absent:
        raise ValueError(
            f"{path}: expected the columns of {dataset.summary}, found no {', '.join(absent)}"
        )
    is_packaged = isinstance(dataset.files, Mapping)
    if not is_packaged and len(frame) != dataset.n_rows:
        raise ValueError(
            f"{path}: expected the {dataset.n_rows} rows of {dataset.summary}, found {len(frame)}"
        )
    if any(dataset is one for one in NUMERIC):
        # A missing cell of Cargo is a step that does not exist.
        _check_numbers(path, frame[list(dataset.columns)], missing=dataset is CARGO)
    return frame


def _check_numbers(path: Path, frame: pd.DataFrame, *, missing: bool) -> None:
    """Refuse a numeric file with a cell that is no finite number; names the first one."""
    for column in frame:
        numbers = pd.to_numeric(frame[column], errors="coerce").to_numpy(dtype=float)
        is_good = np.isfinite(numbers) | (missing & frame[column].isna().to_numpy())
        for row in np.flatnonzero(~is_good).tolist():
            cell = frame[column].tolist()[row]
            found = "a missing cell" if pd.isna(cell) else repr(cell)
            raise ValueError(
                f"{path}: column {column!r}, row {row}: expected a finite number, found {found}"
            )


def _sources(
    dataset: Dataset,
    hierarchies: HierarchySources | None,
    frame: pd.DataFrame,
    columns: Sequence[Hashable],
    *,
    complete: bool,
) -> dict[Hashable, HierarchySource]:
    """Hierarchies asked for, and the default ones of the other columns."""
    if isinstance(hierarchies, str | PathLike):
        return dict(folder_sources(hierarchies, columns, aliases=dataset.aliases))
    given = dict(hierarchies or {})
    others = [column for column in columns if column not in given]
    return {**dataset.make_hierarchies(frame, others, complete), **given}
