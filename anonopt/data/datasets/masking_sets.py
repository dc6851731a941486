"""What experiments on masked files protect: columns and rows of the benchmark data sets."""

from __future__ import annotations

from os import PathLike

import pandas as pd

from anonopt._checks import check_choice, check_flag
from anonopt.data.columns.categories import Orders
from anonopt.data.columns.masked_columns import MaskingSet
from anonopt.data.datasets.dataset import MaskedPart
from anonopt.data.datasets.loading import DATASETS, get_dataset, load_frame

EMPTY = "."
"""Category of missing cells where it is one like the others (Mares 2013, Table 4.2)."""


def masking_set(
    name: str, *, empty_categories: bool = False, data_dir: str | PathLike[str] | None = None
) -> MaskingSet:
    """Load the categorical columns of a data set that Mares 2013, Section 3.5, protects.

    German Credit: EXISTACC, SAVINGS, PRESEMPLOY, ordinal in the order of their codes. Solar
    Flare: CLASS, LARGSPOT, SPOTDIST, nominal. Adult (training and test file, 48842 rows, missing
    cells a category): EDUCATION, ordinal, MARITAL-STATUS and OCCUPATION, nominal. The thesis does
    not say which columns it takes as ordinal. Its fourth set, an extract of the 1993 American
    Housing Survey, is not public.

    Parameters
    ----------
    name : {"german", "flare", "adult"}
    empty_categories : bool
        Whether each column also has the categories that no row has, as in the thesis: those of the
        code book (class A of Flare), and ``"."``, which Tables 2.3 to 2.5 count in every column
        and which is that of missing cells (occupation of Adult). A masked cell may then be in one
        of them, and information loss counts them.
    data_dir : path, optional
        As for :func:`anonopt.data.load_dataset`.

    Raises
    ------
    ValueError
        If there is no such set.
    FileNotFoundError, ConnectionError
        As for :func:`anonopt.data.load_dataset`.

    Examples
    --------
    >>> german = masking_set("german")
    >>> german.columns, german.categorical.n_categories
    (('status', 'savings', 'employment'), (4, 5, 5))
    >>> masking_set("german", empty_categories=True).categorical.labels[0]
    ('A11', 'A12', 'A13', 'A14', '.')
    """
    part = _masked_part("masking set", name, numeric=False)
    frame = load_frame(name, split=part.split, data_dir=data_dir)
    order: Orders = part.order
    if check_flag("empty_categories", empty_categories):
        order = {column: whole_domain(name, frame, column) for column in part.columns}
        frame = frame.assign(
            **{
                column: pd.Categorical(frame[column].astype(object).fillna(EMPTY), domain)
                for column, domain in order.items()
            }
        )
    return MaskingSet(
        name=name,
        frame=frame,
        columns=part.columns,
        ordinal={column: order[column] for column in part.ordinal},
        order=order,
    )


def whole_domain(name: str, frame: pd.DataFrame, column: str) -> list[object]:
    """Categories of a column of a data set: those of its code book, and that of missing cells.

    Parameters
    ----------
    name : str
        Of a data set.
    frame : DataFrame (n_rows, ...)
        Its table.
    column : str

    Returns
    -------
    list
        In the order that is known of them, else sorted; ``"."`` last.

    Examples
    --------
    >>> whole_domain("flare", load_frame("flare"), "class")
    ['A', 'B', 'C', 'D', 'E', 'F', 'H', '.']
    """
    dataset = get_dataset(name)
    orders = {} if dataset.masked is None else dataset.masked.order
    unused = dataset.unused.get(column, ())
    order = orders.get(column)
    if order is None:
        return [*sorted({*frame[column].dropna(), *unused}), EMPTY]
    return [*order, *unused, EMPTY]


def continuous_set(name: str, *, data_dir: str | PathLike[str] | None = None) -> pd.DataFrame:
    """Load the columns and rows of a numeric data set that Mares 2013, Section 3.5, protects.

    Census: 1080 rows, 13 columns. Tarragona: 834 rows, 13 columns. EIA: its ten amounts, of the
    4092 rows the first 2000; the thesis says that it uses "only 2000 records". Diabetes of the
    Pima Indians: 768 rows, 8 columns.

    Parameters
    ----------
    name : {"census", "tarragona", "eia", "diabetes"}
    data_dir : path, optional
        As for :func:`anonopt.data.load_dataset`.

    Returns
    -------
    DataFrame (n_rows, n_columns)
        All columns are whole numbers, but for ``mass`` (one decimal) and ``pedigree`` (three) of
        Diabetes.

    Raises
    ------
    ValueError
        If there is no such set.
    FileNotFoundError
        If it is nowhere (says where it comes from).
    """
    part = _masked_part("continuous set", name, numeric=True)
    frame = load_frame(name, split=part.split, data_dir=data_dir)
    return frame[list(part.columns)][: part.n_rows]


def _masked_part(kind: str, name: str, *, numeric: bool) -> MaskedPart:
    parts = {
        dataset.name: dataset.masked
        for dataset in DATASETS.values()
        if dataset.masked is not None and numeric == (not dataset.masked.order)
    }
    return parts[check_choice(kind, name, parts)]
