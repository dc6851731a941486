"""PRAM, the post randomization method: categories replaced at random by a Markov matrix."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt._checks import as_generator
from anonopt._typing import IntArray, RandomState
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.data.columns.markov import MarkovMatrix
from anonopt.data.grouping import group_rows
from anonopt.data.roles import find_columns
from anonopt.evaluation.pram.pram_draws import AliasTable
from anonopt.masking.base import MaskingMethod
from anonopt.masking.pram.invariance import invariant_matrix
from anonopt.masking.pram.pram_matrices import pram_matrix

Matrix = str | MarkovMatrix | npt.ArrayLike | pd.DataFrame


@dataclass(repr=False, eq=False)
class PRAM(MaskingMethod):
    """Replace the category of each record by one drawn from its row of a Markov matrix.

    Columns are masked independently of each other. A category whose row is the identity's
    never changes, and one of probability 0 is never drawn. Declared categories that no record
    has (of a pandas categorical, or of an order in `ordinal`) count: they may appear.

    Parameters
    ----------
    matrix : str, matrix, or mapping of column to either
        A name of :func:`pram_matrix`, or a matrix over the categories of the column in the
        order of :class:`~anonopt.data.CategoricalColumns`. A DataFrame or
        :class:`~anonopt.data.columns.markov.MarkovMatrix` brings labels, which must be the
        categories in that order.
    p, theta : float, optional
        Of :func:`pram_matrix`, for named matrices.
    invariant : bool
        Use the :func:`invariant_matrix` of each matrix: frequencies stay the same in
        expectation.
    strata : list of columns, optional
        Mask each group of records that are equal on these columns on its own: frequencies
        are counted within it, so named and invariant matrices differ between groups.
        Missing cells are a value here.
    mask_missing : bool
        Treat missing cells as a category that others may become and that may become others. By
        default they stay missing, and nothing else becomes missing.
    columns, ordinal
        As for every method; a column of numbers is taken as one of categories.
    random_state : int or numpy Generator, optional
        Seed, or source of the draws; by default a fresh one that nobody can guess. Who knows the
        seed and the matrix knows what many cells were.

    Attributes
    ----------
    matrices_ : dict of column to list of MarkovMatrix
        Set by :meth:`fit_transform`: the matrices used, one a stratum in the order of their
        values, else one.

    Raises
    ------
    ValueError
        By :meth:`fit_transform`: if a matrix does not fit its column, or an option is out of its
        range.

    References
    ----------
    Kooiman et al. 1997; Gouweleeuw et al. 1998; Mares 2013, Section 2.3.1.

    Examples
    --------
    >>> frame = pd.DataFrame({"zone": ["a", "b", "b", None, "a"], "id": [1, 2, 3, 4, 5]})
    >>> method = PRAM([[0.0, 1.0], [1.0, 0.0]], columns=["zone"], random_state=0)
    >>> method.fit_transform(frame)["zone"].fillna("").tolist()
    ['b', 'a', 'a', '', 'b']
    >>> PRAM("diagonal", theta=0.5, columns=["zone"], random_state=0)
    PRAM(matrix='diagonal', columns=['zone'], theta=0.5, random_state=0)
    """

    summary = "categories drawn by a Markov matrix"
    paper = "Kooiman et al. 1997; Mares 2013, Section 2.3.1"

    matrix: Matrix | Mapping[Hashable, Matrix] = "frequency"
    _: KW_ONLY
    p: float | None = None
    theta: float | None = None
    invariant: bool = False
    strata: Sequence[Hashable] | None = None
    mask_missing: bool = False
    random_state: RandomState = None

    def _mask(self, frame: pd.DataFrame, names: tuple[Hashable, ...]) -> pd.DataFrame:
        generator = as_generator(self.random_state, fresh=True)
        columns = CategoricalColumns.of(frame, columns=names, ordinal=self.ordinal)
        given = self.given_matrices(names)
        groups = list(self._groups(frame, names))
        masked = np.array(columns.codes)
        self.matrices_: dict[Hashable, list[MarkovMatrix]] = {}
        for j, name in enumerate(names):
            stays = columns.has_missing[j] and not self.mask_missing
            labels = columns.labels[j][: len(columns.labels[j]) - stays]
            self.matrices_[name] = used = []
            # A column of missing cells alone has no category to draw.
            for rows in groups if labels else ():
                present = rows[columns.codes[rows, j] < len(labels)]
                codes = columns.codes[present, j]
                counts = np.bincount(codes, minlength=len(labels))
                used.append(self.matrix_of(name, given[name], counts, labels))
                table = AliasTable.of(used[-1].probabilities)
                masked[present, j] = table.draw(codes, generator)
        return columns.decode(masked, frame)

    def given_matrices(self, names: tuple[Hashable, ...]) -> dict[Hashable, Matrix]:
        """What `matrix` says of each column.

        Raises
        ------
        ValueError
            If it names other columns.
        """
        if not isinstance(self.matrix, Mapping):
            return dict.fromkeys(names, self.matrix)
        if set(self.matrix) != set(names):
            raise ValueError(
                f"matrix: expected one for each of the columns {list(names)}, "
                f"found {list(self.matrix)}"
            )
        return dict(self.matrix)

    def _groups(self, frame: pd.DataFrame, names: tuple[Hashable, ...]) -> Iterator[IntArray]:
        """Rows of each stratum."""
        if self.strata is None:
            yield np.arange(len(frame))
            return
        strata = CategoricalColumns.of(frame, columns=find_columns(frame, self.strata))
        if both := [name for name in strata.names if name in names]:
            raise ValueError(f"strata: expected columns that are not masked, found {both[0]!r}")
        n_groups, inverse = group_rows(list(strata.codes.T), list(strata.n_categories))
        order = np.argsort(inverse, kind="stable")
        yield from np.split(order, np.cumsum(np.bincount(inverse, minlength=n_groups))[:-1])

    def matrix_of(
        self, name: Hashable, given: Matrix, counts: IntArray, labels: tuple[str, ...]
    ) -> MarkovMatrix:
        """Matrix that a column is masked with.

        Parameters
        ----------
        name : column
        given : str or matrix
        counts : int64 array (n_categories,)
            Cells of each category.
        labels : tuple of str
            Of the categories.

        Raises
        ------
        ValueError
            As `fit_transform`.
        """
        title = f"matrix of column {name!r}"
        if counts.sum() == 0:
            # A stratum of missing cells alone.
            return MarkovMatrix.of(np.eye(len(labels)), labels=labels, name=title)
        if isinstance(given, str):
            made = pram_matrix(given, counts, p=self.p, theta=self.theta)
            matrix = MarkovMatrix.of(made, labels=labels, name=title)
        elif self.p is not None or self.theta is not None:
            parameter = "p" if self.theta is None else "theta"
            raise ValueError(f"{parameter}: expected with a named matrix only, found with {title}")
        else:
            matrix = MarkovMatrix.of(given, labels=labels, name=title)
        if not self.invariant:
            return matrix
        return MarkovMatrix.of(invariant_matrix(matrix, counts), labels=labels, name=title)
