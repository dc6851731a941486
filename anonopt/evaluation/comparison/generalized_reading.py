"""Reading the labels of a masked file that may be a generalized one."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_datetime64_any_dtype, is_numeric_dtype

from anonopt._typing import IntArray
from anonopt.data.column_values import ColumnValues
from anonopt.data.columns.categories import Orders
from anonopt.data.columns.covered_values import READABLE, CoveredValues, Runs
from anonopt.data.equal_values import equal_keys
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.hierarchies.hierarchy_sources import HierarchySources, resolve_hierarchies
from anonopt.data.readings import read_moment
from anonopt.data.values import MISSING, TOP, as_text
from anonopt.evaluation.comparison.column_domain import ColumnDomain, equal_codes
from anonopt.evaluation.comparison.generalized_columns import GeneralizedColumn

REPEATS = 3
"""Rows of values that were seen before, all recoded alike, that tell a recoding from chance."""


def given_hierarchies(
    sources: HierarchySources | None, original: pd.DataFrame, names: Sequence[Hashable]
) -> dict[Hashable, Hierarchy]:
    """Hierarchies of those of the compared columns that have one.

    Parameters
    ----------
    sources : mapping of column to hierarchy, or folder, optional
        A folder may hold a file ``<column>.csv`` of some of the columns only.
    original : DataFrame (n_rows, ...)
    names : sequence of columns

    Raises
    ------
    ValueError
        If there is a hierarchy of a column that is not compared, or none in the folder.
    """
    if sources is None:
        return {}
    if isinstance(sources, str | PathLike):
        chosen = [name for name in names if (Path(sources) / f"{name}.csv").is_file()]
        if not chosen:
            raise ValueError(
                f"hierarchies: expected a folder with files such as {names[0]}.csv, found none "
                f"in {sources}"
            )
        return resolve_hierarchies(sources, original, chosen)
    if isinstance(sources, Mapping):
        if absent := [name for name in sources if name not in names]:
            raise ValueError(
                f"hierarchies: expected columns that are compared, among {list(names)}, "
                f"found {absent}"
            )
        return resolve_hierarchies(sources, original, list(sources))
    return resolve_hierarchies(sources, original, list(names))


def read_generalized(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    names: Sequence[Hashable],
    orders: Orders,
    hierarchies: Mapping[Hashable, Hierarchy],
) -> list[GeneralizedColumn] | None:
    """What the cells of a masked file cover, None if it is no generalized file.

    A file is generalized if a hierarchy is given, or if a cell is no value of its column, but a
    label that is read as one that covers some: see :class:`CoveredValues`. All of its columns are
    then categories; numbers are in their own order.

    Parameters
    ----------
    original, masked : DataFrame (n_rows, ...)
    names : sequence of columns
        What is compared.
    orders : mapping of column to list of values or None
    hierarchies : mapping of column to Hierarchy

    Raises
    ------
    ValueError
        If a label of a generalized file cannot be read or covers none of the values, or if the
        values of a column were recoded to labels that cannot be read (names column, label, and
        what was expected).
    """
    if not hierarchies and not any(_has_new_text(original[name], masked[name]) for name in names):
        return None
    readings = [
        _Reading.of(original[name], masked[name], orders, hierarchies.get(name)) for name in names
    ]
    if not hierarchies and not any(reading.is_generalized for reading in readings):
        for reading in readings:
            reading.refuse_recoding()
        return None
    return [reading.column() for reading in readings]


def covers_values(original: pd.Series[Any], masked: pd.Series[Any], orders: Orders) -> bool:
    """Whether a masked column has labels that cover values, without a hierarchy.

    Parameters
    ----------
    original, masked : Series
        Their distinct values do.
    orders : mapping of column to list of values or None
    """
    if not _has_new_text(original, masked):
        return False
    return _Reading.of(original, masked, orders, None).is_generalized


def _has_new_text(original: pd.Series[Any], masked: pd.Series[Any]) -> bool:
    """Whether a masked column has text that is equal to no value of the original."""
    if is_numeric_dtype(masked) or is_datetime64_any_dtype(masked):
        return False
    values = ColumnValues.of(masked)
    try:
        known, keys = equal_keys(original.name, ColumnValues.of(original), values)
    except ValueError:
        # Types that cannot be compared, unless the text is read as what covers values.
        has_intervals = any(isinstance(value, pd.Interval) for value in values.values)
        return has_intervals or any(read_moment(text) is None for text in values.texts)
    present = set(known)
    return any(
        isinstance(value, str | pd.Interval) and key not in present
        for value, key in zip(values.values, keys, strict=True)
    )


@dataclass(frozen=True, eq=False)
class _Reading:
    """The labels of one column, as far as they are understood."""

    name: Hashable
    domain: ColumnDomain
    has_missing: bool
    is_closed: bool
    """Whether the domain is declared: no value of the masked file can be new."""
    masked: IntArray
    """Label of each masked cell, -1 where it is missing."""
    labels: list[str]
    reader: CoveredValues
    runs: list[Runs | None]
    equals: frozenset[int] = frozenset()
    """Labels that are no text of a value, but equal one."""

    @classmethod
    def of(
        cls,
        original: pd.Series[Any],
        masked: pd.Series[Any],
        orders: Orders,
        hierarchy: Hierarchy | None,
    ) -> _Reading:
        name = original.name
        cells = ColumnValues.of(masked)
        domain = ColumnDomain.of(original, orders, hierarchy)
        has_missing = cells.has_missing or bool((domain.codes == len(domain.texts)).any())
        reading = cls._read(
            name,
            domain,
            has_missing or (hierarchy is not None and MISSING in hierarchy.labels[0]),
            hierarchy is not None or orders.get(name) is not None,
            cells.codes,
            [as_text(value) for value in cells.values],
            hierarchy,
        )
        unread = [at for at, runs in enumerate(reading.runs) if runs is None]
        if not unread:
            return reading
        # Values that are equal though their texts differ, such as True and "true".
        known = equal_codes(original, domain, [cells.values[at] for at in unread])
        runs = list(reading.runs)
        for at, code in zip(unread, known, strict=True):
            runs[at] = None if code is None else ((code, code + 1),)
        return replace(
            reading,
            runs=runs,
            equals=frozenset(
                at for at, code in zip(unread, known, strict=True) if code is not None
            ),
        )

    @classmethod
    def _read(
        cls,
        name: Hashable,
        domain: ColumnDomain,
        has_missing: bool,
        is_closed: bool,
        masked: IntArray,
        labels: list[str],
        hierarchy: Hierarchy | None,
    ) -> _Reading:
        reader = CoveredValues(
            domain.texts,
            is_ordinal=domain.is_ordinal,
            has_missing=has_missing,
            hierarchy=hierarchy,
        )
        try:
            runs = reader.read(labels)
        except ValueError as error:
            raise ValueError(f"column {name!r}: {error}") from error
        return cls(name, domain, has_missing, is_closed, masked, labels, reader, runs)

    @property
    def is_generalized(self) -> bool:
        """Whether a label covers values, and is none of them."""
        return any(
            runs and at not in self.equals and self.reader.code(label) is None
            for at, (label, runs) in enumerate(zip(self.labels, self.runs, strict=True))
        )

    def column(self) -> GeneralizedColumn:
        """The column, once every label is understood."""
        unread = [
            (label, runs) for label, runs in zip(self.labels, self.runs, strict=True) if not runs
        ]
        for label, runs in unread:
            if self.is_closed or not self.reader.could_be_value(label):
                raise ValueError(self._refusal(label, covers_none=runs is not None))
        if unread:
            domain = self.domain.with_values([label for label, _ in unread])
            return self._read(
                self.name, domain, self.has_missing, True, self.masked, self.labels, None
            ).column()
        numbers: dict[Runs, int] = {}
        ids = [numbers.setdefault(runs or (), len(numbers)) for runs in self.runs]
        n_values = self.reader.n_values
        if (self.masked < 0).any():
            ids.append(numbers.setdefault(((n_values - 1, n_values),), len(numbers)))
        is_top = [label == TOP and self.reader.code(label) is None for label in self.labels]
        return GeneralizedColumn(
            name=self.name,
            original=self.domain.codes,
            n_values=n_values,
            n_ordered=len(self.domain.texts) if self.domain.is_ordinal else 0,
            runs=tuple(numbers),
            masked=np.array(ids, dtype=np.int64)[self.masked],
            is_top=np.array([*is_top, False])[self.masked],
        )

    def refuse_recoding(self) -> None:
        """Raise if values were merged into labels that cannot be read.

        Raises
        ------
        ValueError
            If a label is read and covers none of the values, if each value was recoded alike,
            several of them to one label that is no value, or if numbers or dates, or texts of
            them, became labels that are none.
        """
        unread = [
            code
            for code, (label, runs) in enumerate(zip(self.labels, self.runs, strict=True))
            if not runs and not self.reader.could_be_value(label)
        ]
        for code in unread:
            covers_none = self.runs[code] is not None
            if covers_none or self.domain.is_number or self.reader.has_scale:
                raise ValueError(self._refusal(self.labels[code], covers_none=covers_none))
        if not unread:
            return
        base = len(self.labels) + 1
        values, labels = np.divmod(np.unique(self.domain.codes * base + self.masked + 1), base)
        repeats = len(self.masked) - len(values)
        if len(np.unique(values)) < len(values) or repeats < REPEATS:
            return
        for code in unread:
            if np.count_nonzero(labels == code + 1) > 1:
                raise ValueError(self._refusal(self.labels[code], covers_none=False))

    def _refusal(self, label: str, *, covers_none: bool) -> str:
        reason = ", which covers none of its values" if covers_none else ""
        needs_order = not self.domain.is_ordinal and label[:1] in tuple("[](<>")
        order = f" (of text with ordinal={{{self.name!r}: [lowest, ...]}})" if needs_order else ""
        return (
            f"column {self.name!r}: expected {READABLE} of hierarchies={{{self.name!r}: ...}}"
            f"{order}, found {label!r}{reason}"
        )
