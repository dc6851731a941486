"""How good PRAM matrices are: loss and risk of the files they mask."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from anonopt._checks import check_choice, check_integer
from anonopt._typing import Accelerator, AnyIntArray, FloatArray, IntArray
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.data.columns.markov import checked_probabilities
from anonopt.evaluation.categorical.masking_evaluator import MaskingEvaluator
from anonopt.evaluation.figures import LOSSES, MaskedFigures
from anonopt.evaluation.pram.expected_figures import ExpectedFigures
from anonopt.evaluation.pram.pram_draws import AliasTable, CommonDraws

DRAWS = 5
"""Masked files that matrices are measured by (Mares 2013, Eq. 4.4)."""


class PRAMScore:
    """Measures PRAM matrices, one a column, by the files they mask or by expectation.

    What is drawn for a candidate follows from the seed and its matrices alone: the same
    matrices have the same figures whatever was evaluated before.

    Parameters
    ----------
    columns : CategoricalColumns
        The original file; its columns are masked independently of each other, all at once.
    seed : int
        Of all draws, at least 0.
    draws : int
        Masked files that matrices are measured by, at least 1.
    common : bool
        Use the same random numbers for every candidate: differences between candidates are then
        due to their matrices, and similar matrices give similar files. By default each
        candidate has draws of its own, as in the thesis.
    expected : bool
        Draw nothing; the figures are those of
        :class:`~anonopt.evaluation.pram.expected_figures.ExpectedFigures`. Seed, draws and common
        are then of no effect.
    loss : ``"IL"``, ``"DBIL"``, ``"CTBIL"`` or ``"EBIL"``
        Loss that the scores are made of, together with DR. The first part of Section 4.1.5 fits
        EBIL alone; the thesis's Eq. 4.9, the mean of all three, stands in Section 4.2.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``
        As in :class:`~anonopt.evaluation.MaskingEvaluator`.

    Raises
    ------
    ValueError
        If an option is out of range, or expected figures are asked for and there are too many
        combinations of categories.

    Notes
    -----
    Missing cells are the last category of a column. A matrix of one row less than there are
    categories leaves them missing; a full one changes them too.

    References
    ----------
    Mares 2013, Section 4.1.3, Eqs. 4.1 to 4.4.

    Examples
    --------
    >>> from anonopt.data.datasets.masking_sets import masking_set
    >>> german = masking_set("german").categorical
    >>> matrices = [np.full((n, n), 1 / n) for n in german.n_categories]
    >>> figures = PRAMScore(german, seed=1).figures(matrices)
    >>> round(figures.IL), round(figures.DR), figures.score_max == figures.IL
    (54, 11, True)
    """

    def __init__(
        self,
        columns: CategoricalColumns,
        *,
        seed: int = 0,
        draws: int = DRAWS,
        common: bool = False,
        expected: bool = False,
        loss: str = "IL",
        accelerator: Accelerator = "auto",
    ) -> None:
        self.columns = columns
        self.seed = check_integer("seed", seed, least=0)
        self.draws = check_integer("draws", draws, least=1)
        self.common = common
        self.expected = expected
        self.loss = check_choice("loss", loss, LOSSES)
        self._source = [self.seed]
        self.evaluator = MaskingEvaluator(columns, accelerator=accelerator)
        self._expected = (
            ExpectedFigures(self.evaluator.plan, compiled=self.evaluator.compiled)
            if expected
            else None
        )
        self._common = self._common_draws() if common and not expected else []

    def figures(self, matrices: Sequence[npt.ArrayLike | None]) -> MaskedFigures:
        """Loss and risk of matrices.

        Parameters
        ----------
        matrices : sequence of array_like (L, L) or None, one a column
            None leaves the column as it is.

        Returns
        -------
        MaskedFigures
            The means over the drawn files.

        Raises
        ------
        ValueError
            If there are not as many matrices as columns, or one is no Markov matrix over the
            categories of its column.
        """
        full = full_matrices(self.columns, matrices)
        if self._expected is not None:
            return _mean([self._expected.figures(full)], self.loss)
        files = [self.evaluator.measure(codes).figures() for codes in self._masked(full)]
        return _mean(files, self.loss)

    def masked(self, matrices: Sequence[npt.ArrayLike | None]) -> list[IntArray]:
        """The masked files that matrices are measured by, none if figures are expected ones.

        Returns
        -------
        list of int64 arrays (n_rows, n_columns), one a draw
        """
        return [] if self.expected else self._masked(full_matrices(self.columns, matrices))

    def redrawn(self, occasion: int) -> PRAMScore:
        """The same measure by other draws: of equal occasions, the same matrices have equal ones.

        Parameters
        ----------
        occasion : int
            At least 0.

        Raises
        ------
        ValueError
            If candidates have no draws of their own.
        """
        check_own_draws(common=self.common, expected=self.expected)
        twin = copy.copy(self)
        twin._source = [self.seed, check_integer("occasion", occasion, least=0)]
        return twin

    def describe(self) -> str:
        """Text of all that figures depend on, for fingerprints."""
        options = "expected" if self.expected else (*self._source, self.draws, self.common)
        scores = "" if self.loss == "IL" else f" {self.loss}"
        return f"{self.columns.fingerprint} {options}{scores}"

    def _masked(self, matrices: Sequence[FloatArray]) -> list[IntArray]:
        if self.common:
            return [
                np.column_stack(
                    [draws.draw(matrix) for draws, matrix in zip(columns, matrices, strict=True)]
                )
                for columns in self._common
            ]
        generator = np.random.default_rng([*self._source, *matrices_digest(matrices)])
        tables = [AliasTable.of(matrix) for matrix in matrices]
        return [draw_file(tables, self.columns.codes, generator) for _ in range(self.draws)]

    def _common_draws(self) -> list[list[CommonDraws]]:
        generator = np.random.default_rng(self.seed)
        pairs = list(zip(self.columns.codes.T, self.columns.n_categories, strict=True))
        return [
            [CommonDraws(codes, size, generator) for codes, size in pairs]
            for _ in range(self.draws)
        ]


def draw_file(
    tables: Sequence[AliasTable], codes: AnyIntArray, generator: np.random.Generator
) -> IntArray:
    """Mask several columns, independently of each other.

    Parameters
    ----------
    tables : sequence of AliasTable, one a column
    codes : int array (n_rows, n_columns)
    generator : numpy Generator

    Returns
    -------
    int64 array (n_rows, n_columns)
    """
    masked = np.empty(codes.shape, dtype=np.int64)
    for j, table in enumerate(tables):
        masked[:, j] = table.draw(codes[:, j], generator)
    return masked


def full_matrices(
    columns: CategoricalColumns, matrices: Sequence[npt.ArrayLike | None]
) -> list[FloatArray]:
    """Checked matrices over all categories of their columns.

    Parameters
    ----------
    columns : CategoricalColumns
    matrices : sequence of array_like (L, L) or None, one a column
        None stands for the identity. Where the last category is that of missing cells, one of
        shape (L - 1, L - 1) leaves these missing.

    Returns
    -------
    list of float arrays (L, L)

    Raises
    ------
    ValueError
        If there are not as many matrices as columns, or one is no Markov matrix over the
        categories of its column.
    """
    if len(matrices) != columns.n_columns:
        raise ValueError(
            f"matrices: expected one for each of {list(columns.names)}, found {len(matrices)}"
        )
    return [_full_matrix(columns, j, matrix) for j, matrix in enumerate(matrices)]


def _full_matrix(
    columns: CategoricalColumns, column: int, matrix: npt.ArrayLike | None
) -> FloatArray:
    labels = columns.labels[column]
    if matrix is None:
        return np.eye(len(labels))
    name = f"matrix of column {columns.names[column]!r}"
    stays_missing = columns.has_missing[column] and np.shape(matrix) == (len(labels) - 1,) * 2
    if not stays_missing:
        return checked_probabilities(matrix, labels=labels, name=name)
    full = np.eye(len(labels))
    full[:-1, :-1] = checked_probabilities(matrix, labels=labels[:-1], name=name)
    return full


def check_own_draws(*, common: bool, expected: bool) -> None:
    """Refuse to draw anew what is not drawn for each candidate.

    Raises
    ------
    ValueError
    """
    if common or expected:
        found = "expected=True" if expected else "common=True"
        raise ValueError(f"draws: expected those of each candidate's own, found {found}")


def _mean(files: Sequence[MaskedFigures], loss: str) -> MaskedFigures:
    scored = files if loss == "IL" else [file.scored_by(loss) for file in files]
    return MaskedFigures(*np.array(scored).mean(axis=0).tolist())


def matrices_digest(matrices: Sequence[FloatArray]) -> list[int]:
    """Four numbers that matrices decide: with a seed, the source of the draws for them."""
    digest = hashlib.sha256()
    for matrix in matrices:
        # -0.0 becomes 0.0, which has other bytes.
        digest.update((matrix + 0.0).astype("<f8").tobytes())
    return [int(number) for number in np.frombuffer(digest.digest(), dtype="<u8")]
