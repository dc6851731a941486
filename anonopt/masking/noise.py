"""Noise: random numbers are added to the numbers of a column."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from anonopt._checks import as_generator, check_choice, check_number
from anonopt._typing import FloatArray, Generator, RandomState
from anonopt.masking.base import MaskingMethod
from anonopt.masking.groups.number_types import averages, whole_numbers
from anonopt.masking.groups.records import RecordColumn, Records


@dataclass(repr=False, eq=False)
class _Noise(MaskingMethod):
    """What the kinds of noise share: what is added to, how it is scaled and rounded."""

    share: float
    random_state: RandomState = field(default=None, kw_only=True)

    def _mask(self, frame: pd.DataFrame, names: tuple[Hashable, ...]) -> pd.DataFrame:
        share = check_number("share", self.share, least=0)
        rng = as_generator(self.random_state, fresh=True)
        records = Records.of(frame, names, self.ordinal)
        for column in records.columns:
            _require_numbers(type(self).__name__, column)
        records.check_squares()
        masked = frame.copy()
        numbers = self._masked_numbers(records.columns, share, rng)
        for column, values in zip(records.columns, numbers, strict=True):
            if np.isinf(values).any():
                raise ValueError(
                    f"share: expected one whose noise is finite in column {column.name!r}, "
                    f"found {share:g}"
                )
            like = frame[column.name]
            if column.offset or is_whole(like):
                masked[column.name] = whole_numbers(np.rint(values), column.offset, like)
            else:
                masked[column.name] = averages(values, 0, like)
        return masked

    @abstractmethod
    def _masked_numbers(
        self, columns: Sequence[RecordColumn], share: float, rng: Generator
    ) -> list[FloatArray]:
        """Masked numbers of each column less its offset, float arrays (n_rows,)."""


class AdditiveNoise(_Noise):
    """Add independent Gaussian noise to each number (Kim 1986; Domingo-Ferrer et al. 2004).

    A cell x of a column becomes ``x + e``, e drawn from a normal distribution of mean 0 and
    standard deviation ``share * s``, where s is that of the column (n - 1 in the denominator). So
    means stay in expectation, and variances grow by the factor ``1 + share**2``. Correlations
    shrink: :class:`CorrelatedNoise` keeps them. In sdcMicro it is ``addNoise(method="additive")``.

    Missing cells stay missing and count in no standard deviation. Whole numbers stay whole: the sum
    is rounded to the nearest one, halves to the even one; a column whose type is too small for the
    sums gets one of 64 bits. Columns of one number or of equal ones have no spread and do not
    change.

    Parameters
    ----------
    share : float
        Standard deviation of the noise as a share of that of the column, at least 0.
    columns, ordinal
        As for :class:`anonopt.masking.base.MaskingMethod`. Only continuous columns are taken.
    random_state : int or numpy Generator, optional
        Seed, or the generator to draw from; by default a fresh one that nobody can guess. Who knows
        the seed subtracts the noise.

    Raises
    ------
    ValueError
        From `fit_transform`, if `share` is out of range, a column is not continuous, or a masked
        whole number does not fit into 64 bits.

    Examples
    --------
    >>> frame = pd.DataFrame({"income": [1000, 2000, 3000, None], "age": [30, 40, 50, 60]})
    >>> masked = AdditiveNoise(share=0.1, random_state=0).fit_transform(frame)
    >>> masked["age"].dtype, masked["income"].isna().tolist()
    (dtype('int64'), [False, False, False, True])
    """

    summary = "number with independent noise added"
    paper = "Kim 1986; Domingo-Ferrer, Sebe and Castella 2004"

    def _masked_numbers(
        self, columns: Sequence[RecordColumn], share: float, rng: Generator
    ) -> list[FloatArray]:
        return [
            column.values + share * deviation(column.values) * rng.normal(size=len(column.values))
            for column in columns
        ]


@dataclass(repr=False, eq=False)
class CorrelatedNoise(_Noise):
    """Add Gaussian noise that is correlated as the columns are (Kim 1986; Tendick 1991).

    A record x becomes ``x + e``, e drawn from a normal distribution of mean 0 and covariances
    ``share**2 * S``, where S are those of the columns (n - 1 in the denominator). So means and
    correlations stay in expectation, and variances and covariances grow by the factor
    ``1 + share**2``. With `keep_moments` a record becomes ``m + (x - m + e) / sqrt(1 + share**2)``,
    m being the means: covariances stay in expectation, too (Kim 1986; Tendick and Matloff 1994).
    sdcMicro's ``addNoise(method="correlated")`` takes ``100 * share**2`` as its `noise`.

    Missing cells stay missing. S is that of the rows that have all the columns, and standard
    deviations are those of all numbers of a column. Whole numbers and columns without spread are
    treated as by :class:`AdditiveNoise`.

    Parameters
    ----------
    share : float
        Standard deviation of the noise as a share of that of the column, at least 0.
    columns, ordinal
        As for :class:`anonopt.masking.base.MaskingMethod`. Only continuous columns are taken.
    keep_moments : bool
        Whether means and covariances stay in expectation.
    random_state : int or numpy Generator, optional
        As for :class:`AdditiveNoise`.

    Raises
    ------
    ValueError
        From `fit_transform`, as for :class:`AdditiveNoise`; or if several columns have spread and
        fewer than two rows have all of them.

    Examples
    --------
    >>> x = np.arange(1000.0)
    >>> frame = pd.DataFrame({"x": x, "y": -2 * x})
    >>> masked = CorrelatedNoise(share=0.5, keep_moments=True, random_state=0).fit_transform(frame)
    >>> masked.corr().loc["x", "y"].round(3)
    np.float64(-1.0)
    """

    summary = "number with noise added that is correlated as the columns are"
    paper = "Kim 1986; Tendick 1991; Tendick and Matloff 1994"

    keep_moments: bool = field(default=False, kw_only=True)

    def _masked_numbers(
        self, columns: Sequence[RecordColumn], share: float, rng: Generator
    ) -> list[FloatArray]:
        keep = check_choice("keep_moments", self.keep_moments, (False, True))
        drawn = rng.normal(size=(len(columns[0].values), len(columns)))
        noise = drawn @ correlation_root(columns)
        masked = []
        for column, own in zip(columns, noise.T, strict=True):
            spread = deviation(column.values)
            sums = column.values + share * spread * own
            if keep and spread > 0:
                mean = column.values[~column.is_missing].mean()
                sums = mean + (sums - mean) / np.sqrt(1 + share**2)
            masked.append(sums)
        return masked


def deviation(values: FloatArray) -> float:
    """Sample standard deviation of the numbers that are there; 0 of one or none.

    Examples
    --------
    >>> deviation(np.array([1.0, np.nan, 3.0])), deviation(np.array([1.0]))
    (1.4142135623730951, 0.0)
    """
    present = values[~np.isnan(values)]
    if len(present) < 2 or present.min() == present.max():
        return 0.0
    return float(present.std(ddof=1))


def correlation_root(columns: Sequence[RecordColumn]) -> FloatArray:
    """Symmetric square root of the correlations of columns, of the rows that have them all.

    Independent draws times it have these correlations. Columns without spread are independent.

    Parameters
    ----------
    columns : sequence of RecordColumn
        Continuous ones.

    Returns
    -------
    float array (n_columns, n_columns)

    Raises
    ------
    ValueError
        If several columns have spread and fewer than two rows have all of them.
    """
    root = np.eye(len(columns))
    spread = [place for place, column in enumerate(columns) if deviation(column.values) > 0]
    if len(spread) < 2:
        return root
    values = np.stack([columns[place].values for place in spread], axis=1)
    complete = values[~np.isnan(values).any(axis=1)]
    if len(complete) < 2:
        raise ValueError(
            f"columns: expected at least 2 rows with a number in each of "
            f"{[columns[place].name for place in spread]}, found {len(complete)}"
        )
    centered = complete - complete.mean(axis=0)
    # Where the complete rows are alike there is no correlation, and the deviation is no divisor.
    scales = np.where(np.ptp(complete, axis=0) > 0, centered.std(axis=0), np.inf)
    standardized = centered / scales
    correlations = standardized.T @ standardized / len(complete)
    np.fill_diagonal(correlations, 1.0)
    sizes, vectors = np.linalg.eigh(correlations)
    # Eigenvalues of a singular matrix come out slightly below 0.
    half = (vectors * np.sqrt(np.maximum(sizes, 0.0))) @ vectors.T
    root[np.ix_(spread, spread)] = half
    return root


def is_whole(column: pd.Series[Any]) -> bool:
    """Whether a column is one of whole numbers by its type, or of objects that are."""
    if pd.api.types.is_object_dtype(column.dtype):
        return not any(isinstance(cell, Decimal) for cell in column)
    return bool(pd.api.types.is_integer_dtype(column.dtype))


def _require_numbers(method: str, column: RecordColumn) -> None:
    if column.kind != "continuous":
        raise ValueError(
            f"column {column.name!r}: expected numbers for {method}, found a column that is "
            f"{column.kind}"
        )
