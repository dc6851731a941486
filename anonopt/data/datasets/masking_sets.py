"""Columns of the benchmark data sets that the experiments on masked files protect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from types import MappingProxyType

import pandas as pd

from anonopt.data.columns.categories import CategoricalColumns
from anonopt.data.datasets.loading import load_frame

EDUCATION = (
    "Preschool",
    "1st-4th",
    "5th-6th",
    "7th-8th",
    "9th",
    "10th",
    "11th",
    "12th",
    "HS-grad",
    "Some-college",
    "Assoc-voc",
    "Assoc-acdm",
    "Bachelors",
    "Masters",
    "Prof-school",
    "Doctorate",
)
"""Education of Adult in the order of its column education-num."""


@dataclass(frozen=True)
class MaskingSet:
    """A table, the columns of it that are protected, and what is known of their categories.

    Attributes
    ----------
    name : str
        Of the data set.
    frame : DataFrame (n_rows, ...)
    columns : tuple of str
        Protected columns.
    ordinal : mapping of str to list of values or None
        Columns that are measured as ordered, as :class:`CategoricalColumns` takes them.
    order : mapping of str to list of values or None
        An order of every column, for methods that cannot do without one (top and bottom coding,
        Mondrian): that of the code book, which for a nominal column is a convention only.
    """

    name: str
    frame: pd.DataFrame
    columns: tuple[str, ...]
    ordinal: Mapping[str, Sequence[object] | None]
    order: Mapping[str, Sequence[object] | None]

    @property
    def categorical(self) -> CategoricalColumns:
        """The protected columns as codes."""
        return CategoricalColumns.of(self.frame, columns=self.columns, ordinal=self.ordinal)


_COLUMNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "german": ("status", "savings", "employment"),
        "flare": ("class", "largest_spot_size", "spot_distribution"),
        "adult": ("education", "marital-status", "occupation"),
    }
)
_ORDERS: Mapping[str, Mapping[str, Sequence[object] | None]] = MappingProxyType(
    {
        # In the order of the code book; its last code of status and of savings says "none".
        "german": {"status": None, "savings": None, "employment": None},
        "flare": {
            "class": None,
            "largest_spot_size": ["X", "R", "S", "A", "H", "K"],
            "spot_distribution": ["X", "O", "I", "C"],
        },
        "adult": {"education": EDUCATION, "marital-status": None, "occupation": None},
    }
)
_ORDINAL: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"german": _COLUMNS["german"], "flare": (), "adult": ("education",)}
)


def masking_set(name: str, *, data_dir: str | PathLike[str] | None = None) -> MaskingSet:
    """Load a benchmark data set with the columns that Mares 2013, Section 3.5, protects.

    German Credit: EXISTACC, SAVINGS, PRESEMPLOY, ordinal in the order of their codes. Solar
    Flare: CLASS, LARGSPOT, SPOTDIST, nominal. Adult (training and test file, 48842 rows, missing
    cells a category): EDUCATION, ordinal, MARITAL-STATUS and OCCUPATION, nominal. The thesis does
    not say which columns it takes as ordinal. Its fourth set, an extract of the 1993 American
    Housing Survey, is not public.

    Parameters
    ----------
    name : {"german", "flare", "adult"}
    data_dir : path, optional
        As for :func:`anonopt.data.load_dataset`.

    Raises
    ------
    ValueError
        If there is no such set.

    Examples
    --------
    >>> german = masking_set("german")
    >>> german.columns, german.categorical.n_categories
    (('status', 'savings', 'employment'), (4, 5, 5))
    """
    if name not in _COLUMNS:
        raise ValueError(f"masking set: expected one of {list(_COLUMNS)}, found {name!r}")
    frame = load_frame(name, split="all" if name == "adult" else "train", data_dir=data_dir)
    return MaskingSet(
        name=name,
        frame=frame,
        columns=_COLUMNS[name],
        ordinal={column: _ORDERS[name][column] for column in _ORDINAL[name]},
        order=_ORDERS[name],
    )
