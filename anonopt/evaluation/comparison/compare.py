"""A masked file beside its original: every figure of loss and risk in one call."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt._checks import check_choice, check_flag
from anonopt._progress import Progress, telling
from anonopt._typing import Accelerator, UnsignedArray
from anonopt.data.columns.categories import CategoricalColumns, Orders
from anonopt.data.columns.markov import MarkovMatrix
from anonopt.data.hierarchies.hierarchy_sources import HierarchySources
from anonopt.evaluation.categorical.masking_evaluator import MaskingEvaluator
from anonopt.evaluation.categorical.masking_plan import MaskingPlan
from anonopt.evaluation.categorical.masking_wide import shared_linkage
from anonopt.evaluation.categorical.record_pairs import RecordPairs, distinct_records
from anonopt.evaluation.comparison.compared_files import (
    are_continuous,
    check_missing,
    shared_columns,
    untouched_columns,
)
from anonopt.evaluation.comparison.continuous_comparison import compare_continuous
from anonopt.evaluation.comparison.generalized_comparison import compare_generalized
from anonopt.evaluation.comparison.generalized_reading import given_hierarchies, read_generalized
from anonopt.evaluation.figures import MaskedFigures, with_rank_swapping
from anonopt.measures.categorical.bivariate import bivariate_difference, chi_square_difference
from anonopt.measures.categorical.information_loss import entropy_loss, matrix_entropy_loss
from anonopt.measures.categorical.partition_agreement import (
    clustering_loss,
    jaccard_index,
    rand_index,
    wallace_index,
)
from anonopt.measures.categorical.rank_swapping_linkage import check_percent
from anonopt.measures.continuous.classical_loss import LOSS_KINDS, LossKind


def compare(
    original: pd.DataFrame,
    masked: pd.DataFrame,
    *,
    columns: Sequence[Hashable] | None = None,
    ordinal: Orders | None = None,
    hierarchies: HierarchySources | None = None,
    p: float | None = None,
    matrices: Mapping[Hashable, Any] | None = None,
    untouched: Hashable | None = None,
    partitions: tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
    one_to_one: bool = False,
    dimension: int = 2,
    per_cell: bool = False,
    information_loss: LossKind = "probabilistic",
    accelerator: Accelerator = "auto",
    on_progress: Progress | None = None,
) -> pd.Series[Any]:
    """Measure information loss and disclosure risk of a masked file.

    Columns of numbers (bool apart) that are not named in `ordinal` are continuous; ordered
    pandas categoricals and those named in `ordinal` are ordinal, all others nominal. A missing
    cell is a category of its own, and categories are those of both files.

    A masked file whose cells are intervals, sets, ``*`` or other labels that cover values of the
    original (:class:`~anonopt.data.columns.covered_values.CoveredValues` lists those that are
    read) is a generalized one: its figures are those of
    :func:`~anonopt.evaluation.comparison.generalized_comparison.compare_generalized`. Columns of
    numbers are then categories in the order of their values.

    Parameters
    ----------
    original, masked : DataFrame (n_rows, ...)
        The same rows in the same order, under the same row index.
    columns : list of columns, optional
        Columns that are compared; by default all but `untouched`, which both files then share.
    ordinal : mapping of column to list of values or None, optional
        See :meth:`anonopt.data.CategoricalColumns.of`.
    hierarchies : mapping of column to hierarchy, or folder, optional
        Hierarchies of generalized columns, as :class:`anonopt.Microdata` takes them: any of their
        labels is then read, and their leaves are the values that a label is one of. Columns
        without one may be generalized too, see below.
    p : float, optional
        Percent of the rows that an attacker knows ranks to be swapped within, for RSRL.
    matrices : mapping of column to MarkovMatrix or array_like (L, L), optional
        PRAM matrices that columns were masked with: EBIL is then computed from them. Rows stand
        in the order of the categories, that of missing cells last.
    untouched : column, optional
        A column that was not masked: adds ``bivariate_difference`` and ``chi_square_difference``
        of the tables of it and each compared column (Mares 2013, Eqs. 4.5 and 4.8), percentages,
        the mean over the columns.
    partitions : pair of label arrays (n_rows,), optional
        Clusters of the original and of the masked file, as
        :func:`anonopt.masking.compared_partitions` finds them: adds ``rand``, ``jaccard`` and
        ``wallace`` (0..1, more is better) and ``clustering_loss`` (percent, Eq. 5.3).
    one_to_one : bool
        Whether PRL, and so DR, gives each masked record another original, by linear assignment
        (see :func:`~anonopt.evaluation.categorical.assignment.assign_records`), instead of linking
        each to the likeliest one.
    dimension, per_cell, accelerator
        See :class:`MaskingEvaluator`.
    information_loss : ``"probabilistic"`` or ``"classical"``
        Of files of continuous columns: loss that IL and the scores take, PIL or
        :class:`~anonopt.measures.continuous.classical_loss.ClassicalLoss` (Domingo-Ferrer and
        Torra 2001).
    on_progress : callable, optional
        Called now and then with the share of the work that is done, 0..1, where it takes long.

    Returns
    -------
    Series
        Percentages, less is better: ``DBIL``, ``CTBIL``, ``EBIL`` and their mean ``IL``; ``ID``,
        ``DBRL``, ``PRL``, ``RSRL`` (NaN without `p`) and ``DR = (ID + max(DBRL, PRL)) / 2``;
        ``score_max`` and ``score_mean`` of IL and DR. Files of continuous columns have ``PIL``
        in place of CTBIL and EBIL, and another DR, see
        :func:`~anonopt.evaluation.comparison.continuous_comparison.compare_continuous`.

    Raises
    ------
    ValueError
        If rows or columns of the files differ, a column is absent, continuous columns are
        compared together with others (names them), `untouched` differs between the files, a label
        of a generalized file cannot be read (names column, label and what was expected), or an
        option is out of range or does not fit continuous columns or generalized files.

    Examples
    --------
    >>> original = pd.DataFrame({"zone": list("aabb"), "size": list("SMLL")})
    >>> masked = original.assign(zone=list("abbb"))
    >>> compare(original, masked, ordinal={"size": ["S", "M", "L"]}).round(2)
    DBIL          12.50
    CTBIL         16.67
    EBIL          34.44
    IL            21.20
    ID            87.50
    DBRL          50.00
    PRL           50.00
    RSRL            NaN
    DR            68.75
    score_max     68.75
    score_mean    44.98
    dtype: float64

    Two ages of four stand under each label: the loss is (2 - 1) / (4 - 1) of each cell.

    >>> ages = pd.DataFrame({"age": [21, 24, 38, 39]})
    >>> labels = pd.DataFrame({"age": ["[20, 30)", "20-29", "{38, 39}", "30+"]})
    >>> compare(ages, labels)[["DBIL", "DBRL"]].round(2).tolist()
    [33.33, 50.0]
    """
    names = shared_columns(original, masked, columns, without=untouched)
    check_choice("information_loss", information_loss, LOSS_KINDS)
    check_flag("one_to_one", one_to_one)
    check_flag("per_cell", per_cell)
    orders = checked_orders(ordinal, names)
    trees = given_hierarchies(hierarchies, original, names)
    check_missing(original, masked, [name for name in names if name not in trees])
    generalized = read_generalized(original, masked, names, orders, trees)
    is_continuous = generalized is None and are_continuous(original, masked, names, orders)
    if information_loss != "probabilistic" and not is_continuous:
        raise ValueError(
            "information_loss: expected 'probabilistic' of files of categories, "
            f"found {information_loss!r}"
        )
    if generalized is not None:
        if p is not None or matrices or one_to_one or untouched is not None:
            raise ValueError(
                "p, matrices, one_to_one, untouched: expected none of them where labels are "
                f"generalized, found generalized columns among {names}"
            )
        figures = compare_generalized(generalized, dimension=dimension, per_cell=per_cell)
        return _with_partitions(
            pd.Series(with_rank_swapping(figures._asdict(), np.nan)), partitions
        )
    if is_continuous:
        if matrices or one_to_one or untouched is not None or dimension != 2 or per_cell:
            raise ValueError(
                "matrices, one_to_one, untouched, dimension and per_cell are options of "
                f"categories, found continuous columns {names}"
            )
        numeric = compare_continuous(
            original,
            masked,
            names,
            p=p,
            information_loss=information_loss,
            accelerator=accelerator,
            on_progress=on_progress,
        )
        return _with_partitions(numeric, partitions)
    categories = CategoricalColumns.of(original, columns=names, ordinal=orders, others=[masked])
    evaluator = MaskingEvaluator(
        categories, dimension=dimension, per_cell=per_cell, accelerator=accelerator
    )
    with telling(on_progress):
        state = evaluator.measure(categories.encode(masked))
        figures = state.figures()
    plan, codes = evaluator.plan, state.codes
    result = _with_knowledge(figures, plan, codes, p=p, matrices=matrices, one_to_one=one_to_one)
    if untouched is not None:
        result |= _bivariate(categories, codes, untouched_columns(original, masked, untouched))
    return _with_partitions(pd.Series(result), partitions)


def checked_orders(
    ordinal: Orders | None, names: Sequence[Hashable] | None = None
) -> dict[Any, Any]:
    """Orders of columns, which have to be among those that are compared, if these are known."""
    if ordinal is not None and not isinstance(ordinal, Mapping):
        raise TypeError(f"ordinal: expected a mapping of columns, found {ordinal!r}")
    orders = dict(ordinal or {})
    if names is not None and (unknown := [name for name in orders if name not in names]):
        raise ValueError(f"ordinal: expected columns among {names}, found {unknown}")
    return orders


def _with_knowledge(
    figures: MaskedFigures,
    plan: MaskingPlan,
    codes: UnsignedArray,
    *,
    p: float | None,
    matrices: Mapping[Hashable, Any] | None,
    one_to_one: bool,
) -> dict[str, Any]:
    """Figures with those that rest on what is known of the method, and of who links."""
    if matrices:
        figures = figures.replaced(ebil=_entropy_loss(plan, codes, matrices))
    if one_to_one:
        # Here, because scipy.optimize, which it needs, is slow to import.
        from anonopt.evaluation.categorical.assignment import assign_records

        figures = figures.replaced(prl=assign_records(plan, codes).linkage)
    linkage = np.nan if p is None else rank_swapping_linkage(plan, codes, p)
    return with_rank_swapping(figures._asdict(), linkage)


def _with_partitions(
    figures: pd.Series[Any], partitions: tuple[npt.ArrayLike, npt.ArrayLike] | None
) -> pd.Series[Any]:
    """Figures, and those of the clusters of both files if there are any."""
    if partitions is None:
        return figures
    a, b = partitions
    indices = {
        "rand": rand_index(a, b),
        "jaccard": jaccard_index(a, b),
        "wallace": wallace_index(a, b),
        "clustering_loss": clustering_loss(a, b),
    }
    together: pd.Series[Any] = pd.concat([figures, pd.Series(indices)])
    return together


def rank_swapping_linkage(plan: MaskingPlan, codes: UnsignedArray, p: float) -> float:
    """RSRL: share of masked records linked by an attacker who knows the window of rank swapping.

    Parameters
    ----------
    plan : MaskingPlan
        The original.
    codes : unsigned int array (n_rows, n_columns)
        The masked file.
    p : float
        Percent of the rows; above 0, up to 100.

    Returns
    -------
    float
        0..100, less is better. A record is linked to all originals alike that it can come from
        in every column; see
        :func:`~anonopt.measures.categorical.rank_swapping_linkage.swap_candidates`.

    Raises
    ------
    ValueError
        If p is out of range.
    """
    check_percent(p)
    pairs = RecordPairs(plan)
    masked, _, position = distinct_records(codes, plan.n_categories)
    is_candidate = np.ones(plan.n_rows, dtype=bool)
    for j in range(plan.n_columns):
        is_candidate &= pairs.candidates(j, plan.original[:, j], codes[:, j], p)
    return shared_linkage(is_candidate, pairs.n_candidates(masked, p)[position])


def _entropy_loss(
    plan: MaskingPlan, codes: UnsignedArray, matrices: Mapping[Hashable, Any]
) -> float:
    """EBIL, from the matrices of the columns that have one."""
    names = plan.columns.names
    if unknown := [name for name in matrices if name not in names]:
        raise ValueError(f"matrices: expected columns among {list(names)}, found {unknown}")
    losses = []
    for j, (name, size) in enumerate(zip(names, plan.n_categories, strict=True)):
        before, after = plan.original[:, j].astype(np.int64), codes[:, j]
        if name in matrices:
            matrix = MarkovMatrix.of(
                matrices[name], labels=plan.columns.labels[j], name=f"matrix of {name!r}"
            )
            losses.append(
                matrix_entropy_loss(
                    matrix.probabilities,
                    np.bincount(before, minlength=size).astype(np.float64),
                    np.bincount(after, minlength=size),
                )
            )
        else:
            keys, counts = np.unique(before * size + after, return_counts=True)
            seen = np.bincount(after, minlength=size)[keys % size]
            losses.append(entropy_loss([(counts, seen)], [size], plan.n_rows))
    return sum(losses) / len(losses)


def _bivariate(
    categories: CategoricalColumns, masked: UnsignedArray, other: CategoricalColumns
) -> dict[str, float]:
    """Mean differences of the tables of each column and the untouched one, percent."""
    (width,) = other.n_categories
    untouched = other.codes[:, 0].astype(np.int64)
    differences, statistics = [], []
    for j, size in enumerate(categories.n_categories):
        before, after = (
            np.bincount(codes[:, j] * width + untouched, minlength=size * width).reshape(
                size, width
            )
            for codes in (categories.codes, masked.astype(np.int64))
        )
        differences.append(bivariate_difference(before, after))
        statistics.append(chi_square_difference(before, after))
    return {
        "bivariate_difference": float(np.mean(differences)),
        "chi_square_difference": float(np.mean(statistics)),
    }
