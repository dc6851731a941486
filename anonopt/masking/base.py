"""What every masking method is: parameters in the constructor, ``fit_transform`` on tables."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

import pandas as pd

from anonopt._checks import check_choice, check_integer
from anonopt._progress import Progress, telling
from anonopt._typing import IntArray
from anonopt.data.columns.categories import Orders
from anonopt.data.roles import find_columns
from anonopt.masking.groups.missing_patterns import groups_by_pattern
from anonopt.masking.groups.records import Records

Self = TypeVar("Self", bound="MaskingMethod")


@dataclass(repr=False, eq=False)
class MaskingMethod(ABC):
    """A protection of some columns of a table, in the manner of scikit-learn.

    The constructor of a method, a dataclass, stores its parameters as they are given, and
    :meth:`fit_transform` checks and uses them. Rows, their order and index, and columns that are
    not named come back as they were. A missing cell of a continuous column stays missing, whatever
    the method; in other columns missing cells are a category of their own.

    Parameters
    ----------
    columns : list of columns, optional
        What is masked, by default all columns.
    ordinal : mapping of column to list of values or None, optional
        Columns whose values have an order, with all values from lowest to highest; None takes
        numbers by value and anything else by text. Ordered pandas categoricals are ordinal with
        their own order unless they are named here. Other columns of numbers are continuous, and
        everything else is nominal, objects among it (but ``Decimal``, and whole numbers beyond
        2**53, which may have no other type).

    Methods that draw take `random_state`, and draw from a fresh generator by default: what is
    published is protected for as long as nobody knows its seed.

    Attributes
    ----------
    summary, paper : str
        Of the class: what it does in a few words, and where it is from.
    """

    summary: ClassVar[str] = ""
    paper: ClassVar[str] = ""

    columns: Sequence[Hashable] | None = field(default=None, kw_only=True)
    ordinal: Orders | None = field(default=None, kw_only=True)

    def fit_transform(
        self, frame: pd.DataFrame, *, on_progress: Progress | None = None
    ) -> pd.DataFrame:
        """Mask a table.

        Parameters
        ----------
        frame : DataFrame (n_rows, ...)
            Left as it is.
        on_progress : callable, optional
            Called now and then with the share of the work that is done, 0..1, by methods that
            take long.

        Returns
        -------
        DataFrame (n_rows, ...)
            Same rows, index and columns; the columns to mask changed.

        Raises
        ------
        TypeError
            If `frame` is not a frame, or `columns` is a single text.
        ValueError
            If the table has no row, a column is absent or named twice, an order is wrong, or a
            parameter of the method does not fit the table.
        """
        columns, ordinal = self.roles()
        names = find_columns(frame, columns, ordinal=ordinal)
        with telling(on_progress):
            return self._mask(frame, names)

    def roles(self) -> tuple[Sequence[Hashable] | None, Orders | None]:
        """Columns to mask and their orders, as given."""
        return self.columns, self.ordinal

    @abstractmethod
    def _mask(self, frame: pd.DataFrame, names: tuple[Hashable, ...]) -> pd.DataFrame:
        """Masked copy of a table of at least one row; `names` are the columns to mask."""

    @classmethod
    def parameter_names(cls) -> tuple[str, ...]:
        """Names of the parameters of the constructor, in its order."""
        return tuple(name for name in inspect.signature(cls).parameters)

    @classmethod
    def required_parameters(cls) -> tuple[str, ...]:
        """Names of the parameters that have no default."""
        parameters = inspect.signature(cls).parameters.items()
        return tuple(name for name, value in parameters if value.default is value.empty)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name.

        Parameters
        ----------
        deep : bool
            Also those of a method that is itself a parameter, as ``method__k``.
        """
        params = {name: getattr(self, name) for name in self.parameter_names()}
        if deep:
            for name, value in list(params.items()):
                if isinstance(value, MaskingMethod):
                    inner = value.get_params()
                    params |= {f"{name}__{key}": setting for key, setting in inner.items()}
        return params

    def set_params(self: Self, **params: Any) -> Self:
        """Change parameters, also those of a method that is itself a parameter (``method__k``).

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If the method has no such parameter.
        """
        known = self.get_params()
        if unknown := [name for name in params if name not in known]:
            raise ValueError(
                f"{type(self).__name__}: expected parameters among {list(known)}, found {unknown}"
            )
        for name, value in params.items():
            owner, inner, own_name = name.partition("__")
            if inner:
                getattr(self, owner).set_params(**{own_name: value})
            else:
                setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        parameters = inspect.signature(type(self)).parameters
        shown = [
            f"{name}={value!r}"
            for name, value in self.get_params(deep=False).items()
            if not _is_default(value, parameters[name].default)
        ]
        return f"{type(self).__name__}({', '.join(shown)})"


def _is_default(value: object, default: object) -> bool:
    """Whether a parameter is left as it is; texts that were pickled are others of equal content."""
    return value is default or (isinstance(value, str) and value == default)


@dataclass(repr=False, eq=False)
class GroupingMethod(MaskingMethod):
    """What methods share that put records into groups of at least k and make them alike.

    Parameters
    ----------
    k : int
        Least number of records of a group, from 1 to the number of rows.
    columns, ordinal
        As for :class:`MaskingMethod`.
    """

    needs_order: ClassVar[bool] = True
    """Whether nominal columns are refused."""

    k: int

    def _mask(self, frame: pd.DataFrame, names: tuple[Hashable, ...]) -> pd.DataFrame:
        return self._masked(*self._grouped(frame, names))

    def _grouped(self, frame: pd.DataFrame, names: tuple[Hashable, ...]) -> tuple[Records, int]:
        """Columns of a table that are put into groups, and the k that fits it."""
        k = check_integer("k", self.k, least=1, most=len(frame))
        records = Records.of(frame, names, self.ordinal)
        if self.needs_order:
            records.require_order(type(self).__name__)
        return records, k

    @abstractmethod
    def _masked(self, records: Records, k: int) -> pd.DataFrame:
        """Masked copy of the table of some records."""


@dataclass(repr=False, eq=False)
class JointGroupingMethod(GroupingMethod):
    """What methods share whose masked columns are k-anonymous together.

    Rows that lack the same numbers are masked as a table of their own, so that what is missing
    tells no record from its group. Then every combination of masked cells, missing being a value,
    occurs k times or more; but for rows that lack all columns, as there is nothing to know them
    by, and for those that fewer than k rows are like.

    Parameters
    ----------
    k, columns, ordinal
        As for :class:`GroupingMethod`.
    allow_rare_missing : bool
        What becomes of rows that lack the same numbers and are fewer than k. By default each of
        them joins the group of the record nearest to it on what it has, see
        :func:`~anonopt.masking.groups.missing_patterns.groups_by_pattern`: the cells that it shows
        are those of k records or more, and only what it lacks may tell it. False refuses them.
    """

    allow_rare_missing: bool = field(default=True, kw_only=True)

    def _groups(
        self, records: Records, k: int, group: Callable[[Records, int], IntArray]
    ) -> IntArray:
        """Group of each row, int64 array (n_rows,), by a function for records without gaps."""
        allow = check_choice("allow_rare_missing", self.allow_rare_missing, (False, True))
        return groups_by_pattern(records, k, group, allow_rare=allow)
