"""What ``anonopt anonymize`` publishes: which columns, in which order of rows, checked how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from anonopt._checks import unknown
from anonopt.cli.anonymizing.asked import bounds_of_classes
from anonopt.cli.failures import WrongOutputError
from anonopt.cli.outputs.output_checks import check_table

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from anonopt._typing import BoolArray, IntArray
    from anonopt.cli.configuration.config import Config, DataSection
    from anonopt.data import Microdata
    from anonopt.data.tables.dialects import Dialect
    from anonopt.sources.source import Source

ALL = "all"


@dataclass(frozen=True)
class PublishedColumns:
    """Columns of the input by what becomes of them.

    Attributes
    ----------
    kept, dropped : list of str
        In the order of the input.
    all_distinct : list of str
        Of the kept ones that are no quasi-identifiers, those in which every value occurs once,
        as names and numbers of documents do.
    """

    kept: list[str]
    dropped: list[str]
    all_distinct: list[str]

    @property
    def warning(self) -> str:
        """What to say of columns whose values are all distinct; empty if there are none."""
        if not self.all_distinct:
            return ""
        names = ", ".join(map(repr, self.all_distinct))
        return f"every value occurs once in {names}: such columns tell who a row is of"


def published_columns(data: DataSection, frame: pd.DataFrame) -> PublishedColumns:
    """Columns of a table that are published: those with a role, and those that `keep` names.

    Parameters
    ----------
    data : DataSection
    frame : DataFrame (n_rows, n_columns)
        The input.

    Raises
    ------
    ValueError
        See `published_of`.
    """
    columns = [str(name) for name in frame.columns]
    return published_of(data, columns, lambda name: _is_all_distinct(frame[name]))


def published_of(
    data: DataSection, columns: list[str], is_all_distinct: Callable[[str], bool]
) -> PublishedColumns:
    """As `published_columns`, of columns by name.

    Parameters
    ----------
    data : DataSection
    columns : list of str
        Of the input.
    is_all_distinct : callable
        Whether every value of a column occurs once.

    Raises
    ------
    ValueError
        If `keep` names no column, or an identifier.
    """
    kept = {*data.quasi_identifiers, *columns_of(data.sensitive), *columns_of(data.target)}
    if data.keep == ALL:
        kept |= set(columns) - set(data.identifiers)
    else:
        for name in data.keep:
            if name not in columns:
                raise ValueError(f"data.keep: {unknown('column', name, columns)}")
            if name in data.identifiers:
                raise ValueError(f"data.keep: expected no identifier, found {name!r}")
        kept |= set(data.keep)
    shown = [name for name in columns if name in kept]
    alone = [name for name in shown if name not in data.quasi_identifiers and is_all_distinct(name)]
    return PublishedColumns(shown, [name for name in columns if name not in kept], alone)


def columns_of(role: str | list[str] | None) -> list[str]:
    """Columns of a role that takes one or several."""
    if role is None:
        return []
    return [role] if isinstance(role, str) else list(role)


def _is_all_distinct(column: pd.Series[Any]) -> bool:
    present = column.dropna()
    return len(present) > 1 and bool(present.is_unique)


@dataclass(frozen=True)
class Release:
    """A protected table as it is to be published.

    Attributes
    ----------
    frame : DataFrame (n_rows, n_kept)
        All cells text.
    rows : int array (n_rows,)
        Rows of the input that they come from.
    source : DataFrame (n_rows, n_columns)
        The input, its rows in the same order.
    suppressed : bool array (n_rows,)
    """

    frame: pd.DataFrame
    rows: IntArray
    source: pd.DataFrame
    suppressed: BoolArray

    @classmethod
    def of(
        cls,
        protected: pd.DataFrame,
        source: pd.DataFrame,
        suppressed: BoolArray,
        *,
        columns: list[str],
        order: IntArray | None,
    ) -> Release:
        """Release of some columns, of the rows in another order if there is one."""
        rows = np.arange(len(source)) if order is None else order
        return cls(
            protected[columns].iloc[rows].reset_index(drop=True),
            rows,
            source.iloc[rows].reset_index(drop=True),
            np.asarray(suppressed)[rows],
        )

    def check(
        self,
        path: Path,
        settings: Config,
        table: Microdata,
        *,
        expected: pd.DataFrame,
        dialect: Dialect,
    ) -> dict[str, Any]:
        """Read the written table back and see that it holds what was asked, in every row.

        Parameters
        ----------
        path : path
        settings : Config
        table : Microdata
        expected : DataFrame (n_rows, n_kept)
            Cells as they were to be written.
        dialect : Dialect
            They are written in.

        Returns
        -------
        dict
            The figures of ``anonopt.check``.

        Raises
        ------
        WrongOutputError
            If it is not the table that was to be written, a suppressed row shows anything, a
            cell of another column is not that of the input, or k or a bound of classes is missed.
        """
        from anonopt.data import TOP

        found = check_table(path, expected, dialect)
        names = list(settings.data.quasi_identifiers)
        if bool((found.loc[self.suppressed, names] != TOP).to_numpy().any()):
            raise WrongOutputError("a suppressed row of the output shows a quasi-identifier")
        others = [name for name in found.columns if name not in names]
        if not self.frame[others].fillna("").equals(self.source[others].fillna("")):
            raise WrongOutputError("rows of the output are not those of the input in their order")
        return report_of_output(found, settings, table, suppressed=self.suppressed)


def report_of_output(
    written: pd.DataFrame | Source,
    settings: Config,
    table: Microdata,
    *,
    suppressed: BoolArray | str | None,
) -> dict[str, Any]:
    """The figures of ``anonopt.check`` of a table that was written, if they are as asked.

    Parameters
    ----------
    written : DataFrame or Source
        As it was read again.
    settings : Config
    table : Microdata
        The original one.
    suppressed : bool array, str or None
        As for ``anonopt.check``.

    Raises
    ------
    WrongOutputError
        If k or a bound of classes is missed.
    """
    from anonopt.measures.lattice.check import check

    data, search = settings.data, settings.search
    report = check(
        written,
        quasi_identifiers=list(data.quasi_identifiers),
        sensitive=data.sensitive,
        k=search.k,
        l=search.l,
        t=search.t,
        class_bounds=bounds_of_classes(search),
        hierarchies={
            column.name: column.hierarchy
            for column in table.sensitive_columns
            if column.hierarchy is not None
        },
        suppressed=suppressed,
    )
    if not report["anonymous"]:
        raise WrongOutputError(
            f"the output is not as anonymous as asked: {report['violating_rows']} rows are in "
            f"classes that miss it"
        )
    return {str(name): value for name, value in report.items()}
