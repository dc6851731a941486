"""What every masking method is: parameters in the constructor, ``fit_transform`` on tables."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import numpy as np
import pandas as pd

from anonopt._typing import RandomState
from anonopt.data.columns.categories import Orders
from anonopt.data.roles import find_columns

Kind = Literal["continuous", "ordinal", "nominal"]

Self = TypeVar("Self", bound="MaskingMethod")


class MaskingMethod(ABC):
    """A protection of some columns of a table, in the manner of scikit-learn.

    The constructor of a method stores its parameters as they are given, and
    :meth:`fit_transform` checks and uses them. Rows, their order and index, and columns that are
    not named come back as they were. Missing cells are a category of their own; in a continuous
    column they are refused.

    Parameters
    ----------
    columns : list of columns, optional
        What is masked, by default all columns.
    ordinal : mapping of column to list of values or None, optional
        Columns whose values have an order, with all values from lowest to highest; None takes
        numbers by value and anything else by text. Ordered pandas categoricals are ordinal with
        their own order unless they are named here. Other columns of numbers are continuous, and
        everything else is nominal.
    """

    columns: Sequence[Hashable] | None
    ordinal: Orders | None

    def __init__(
        self,
        *,
        columns: Sequence[Hashable] | None = None,
        ordinal: Orders | None = None,
    ) -> None:
        self.columns = columns
        self.ordinal = ordinal

    def fit_transform(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Mask a table.

        Parameters
        ----------
        frame : DataFrame (n_rows, ...)
            Left as it is.

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
        columns, ordinal = self._roles()
        names = find_columns(frame, frame if columns is None else columns)
        if unknown := [name for name in ordinal or {} if name not in names]:
            raise ValueError(f"ordinal: expected columns among {list(names)}, found {unknown}")
        if len(frame) == 0:
            raise ValueError("expected a table of at least one row, found 0 rows")
        return self._mask(frame, names)

    def _roles(self) -> tuple[Sequence[Hashable] | None, Orders | None]:
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
            if value is not parameters[name].default
        ]
        return f"{type(self).__name__}({', '.join(shown)})"


def as_generator(random_state: RandomState) -> np.random.Generator:
    """Source of randomness of a method that draws.

    Parameters
    ----------
    random_state : int or numpy Generator
        A seed, or a generator, which is used as it is and moves on.

    Raises
    ------
    ValueError
        If it is None, or a negative seed: without a seed no result could be had again.
    TypeError
        If it is anything else.

    Examples
    --------
    >>> bool(as_generator(1).integers(100) == as_generator(1).integers(100))
    True
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if random_state is None:
        raise ValueError("random_state: expected a seed or a numpy Generator, found None")
    if isinstance(random_state, bool) or not isinstance(random_state, int | np.integer):
        raise TypeError(
            f"random_state: expected a seed or a numpy Generator, found {random_state!r}"
        )
    if random_state < 0:
        raise ValueError(f"random_state: expected a seed of at least 0, found {random_state}")
    return np.random.default_rng(random_state)


def column_kind(column: pd.Series[Any], ordinal: Mapping[Hashable, object] | None) -> Kind:
    """How a column is masked: "continuous", "ordinal" or "nominal".

    Examples
    --------
    >>> column_kind(pd.Series([1.5, 2.0], name="income"), None)
    'continuous'
    >>> column_kind(pd.Series([1, 2], name="grade"), {"grade": None})
    'ordinal'
    >>> column_kind(pd.Series([True, False], name="owner"), None)
    'nominal'
    """
    dtype = column.dtype
    if column.name in (ordinal or {}):
        return "ordinal"
    if isinstance(dtype, pd.CategoricalDtype):
        return "ordinal" if dtype.ordered else "nominal"
    types = pd.api.types
    is_continuous = types.is_numeric_dtype(dtype) and not (
        types.is_bool_dtype(dtype) or types.is_complex_dtype(dtype)
    )
    return "continuous" if is_continuous else "nominal"


def check_integer(name: str, value: object, *, least: int) -> int:
    """Parameter that must be an integer of at least some number.

    Raises
    ------
    TypeError
        If it is not an integer.
    ValueError
        If it is too small.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name}: expected an integer, found {value!r}")
    if value < least:
        raise ValueError(f"{name}: expected at least {least}, found {value}")
    return int(value)


def check_k(k: object, n_rows: int) -> int:
    """Size of the smallest group that is asked for, from 1 to the number of rows.

    Raises
    ------
    TypeError
        If it is not an integer.
    ValueError
        If it is below 1 or above the number of rows, so that no group could be large enough.
    """
    size = check_integer("k", k, least=1)
    if size > n_rows:
        raise ValueError(f"k: expected at most {n_rows}, the rows of the table, found {size}")
    return size
