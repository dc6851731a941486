"""Every figure of a masked numeric file in one call."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonopt._checks import check_choice
from anonopt._progress import Progress, telling
from anonopt._typing import Accelerator, FloatArray
from anonopt.data.roles import find_columns
from anonopt.evaluation.comparison.compared_files import paired_numbers
from anonopt.evaluation.comparison.incomplete_comparison import IncompleteFiles
from anonopt.evaluation.continuous.continuous_evaluator import ContinuousMaskingEvaluator
from anonopt.evaluation.continuous.file_agreement import FileAgreement
from anonopt.evaluation.figures import with_rank_swapping
from anonopt.measures.categorical.rank_swapping_linkage import check_percent
from anonopt.measures.categorical.record_linkage import linkage
from anonopt.measures.continuous.classical_loss import LOSS_KINDS, LossKind
from anonopt.measures.continuous.continuous_risk import range_distance, rank_window
from anonopt.measures.continuous.incomplete_files import incomplete_distance
from anonopt.measures.continuous.record_agreement import AGREEMENT


def compare_continuous(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    columns: Sequence[Hashable] | None = None,
    *,
    p: float | None = None,
    agreement: float = AGREEMENT,
    information_loss: LossKind = "probabilistic",
    accelerator: Accelerator = "auto",
    on_progress: Progress | None = None,
) -> pd.Series[Any]:
    """Loss and risk of a masked file whose compared columns are all numeric.

    Parameters
    ----------
    original, masked : DataFrame (n_rows, ...)
        The same rows in the same order.
    columns : list of columns, optional
        Columns that are compared, at most 20; by default all of `original`.
    p : float, optional
        Rank swapping's window in percent of the rows, if the attacker knows that the file was
        rank-swapped; for RSRL, which is NaN without it.
    agreement : float
        Window of probabilistic linkage; see
        :class:`~anonopt.evaluation.continuous.continuous_evaluator.ContinuousMaskingEvaluator`.
    information_loss : ``"probabilistic"`` or ``"classical"``
        What IL and the scores take: PIL, or
        :class:`~anonopt.measures.continuous.classical_loss.ClassicalLoss`, which is of files
        without missing cells.
    accelerator : ``"auto"``, ``"numpy"`` or ``"numba"``
        Compiled kernels give the same figures.
    on_progress : callable, optional
        Called now and then with the share of the work that is done, 0..1.

    Returns
    -------
    Series of float
        Percentages, less is better: DBIL (mean distance as a share of the range), PIL, IL
        (by `information_loss`), ID, DBRL, PRL, RSRL (linkage of rank-swapped files), DR
        (0.5 ID + 0.25 DBRL + 0.25 PRL), and the scores of IL and DR.

    Raises
    ------
    ValueError
        If the files have different numbers of rows, a column is absent, not numeric or holds an
        infinite cell, there are more than 20 columns, or an option is out of range.

    Notes
    -----
    A missing cell equals another missing cell: their distance is 0, they agree, and the cell is
    disclosed. To every number it is as far as the whole range of the column. Statistics are those
    of the cells that are present, of two columns those of the rows that have both. See
    ``anonopt.measures.continuous.incomplete_files`` and
    :class:`~anonopt.evaluation.comparison.incomplete_comparison.IncompleteFiles`.

    Examples
    --------
    >>> original = pd.DataFrame({"income": [10.0, 20.0, 30.0], "debt": [5.0, 1.0, 7.0]})
    >>> compare_continuous(original, original)[["PIL", "ID", "DBRL"]].tolist()
    [0.0, 100.0, 100.0]
    """
    names = find_columns(original, columns)
    if len(original) != len(masked):
        raise ValueError(f"expected a masked file of {len(original)} rows, found {len(masked)}")
    check_choice("information_loss", information_loss, LOSS_KINDS)
    x, y = paired_numbers(original, masked, find_columns(masked, names))
    if np.isnan(x).any() or np.isnan(y).any():
        if information_loss != "probabilistic":
            raise ValueError(
                "information_loss: expected 'probabilistic' of files with missing cells, "
                f"found {information_loss!r}"
            )
        with telling(on_progress):
            return _compare_incomplete(x, y, p=p, agreement=agreement)
    evaluator = ContinuousMaskingEvaluator(
        x, agreement=agreement, information_loss=information_loss, accelerator=accelerator
    )
    measured = evaluator.figures(y, on_progress=on_progress)
    figures = {"DBIL": range_distance(x, y), **measured._asdict()}
    linkage = np.nan if p is None else rank_swapping_linkage(evaluator, y, p)
    return pd.Series(with_rank_swapping(figures, linkage), dtype=np.float64)


def _compare_incomplete(
    x: FloatArray, y: FloatArray, *, p: float | None, agreement: float
) -> pd.Series[Any]:
    """The figures of files in which cells are missing."""
    files = IncompleteFiles(x, y)
    figures = {"DBIL": incomplete_distance(x, y), **files.figures(agreement=agreement)._asdict()}
    linkage = np.nan if p is None else files.rank_swapping_linkage(p)
    return pd.Series(with_rank_swapping(figures, linkage), dtype=np.float64)


def rank_swapping_linkage(
    evaluator: ContinuousMaskingEvaluator, masked: np.ndarray[Any, np.dtype[np.float64]], p: float
) -> float:
    """RSRL: linkage of a rank-swapped numeric file by an attacker who knows its window.

    A masked record can come from those originals alone whose ranks differ from its own by at most
    p percent of the rows in every column; it is linked to all of them alike. Mares 2013, Section
    2.4.2; Nin, Herranz and Torra 2008.

    Parameters
    ----------
    evaluator : ContinuousMaskingEvaluator
        Of the original.
    masked : float array (n_rows, n_columns)
    p : float
        Percent of the rows; above 0, up to 100.

    Returns
    -------
    float
        0..100, less is better.

    Raises
    ------
    ValueError
        If p is out of its range.
    """
    check_percent(p)
    # A swap moves a cell by at least one rank, however small the window.
    window = max(rank_window(p, evaluator.n_rows), 2)
    ranks = evaluator.ranks(masked)
    agreement = FileAgreement(evaluator, ranks, window)
    everywhere = (1 << evaluator.n_columns) - 1
    is_linked = agreement.own() == everywhere
    ties = agreement.agreeing_everywhere()
    return linkage(is_linked.astype(np.int64), ties, evaluator.n_rows)
