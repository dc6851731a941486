"""What an attacker finds out who knows how a file was masked, and perhaps with which seed."""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable
from functools import singledispatch
from typing import Any

import numpy as np
import pandas as pd

from anonopt._checks import as_generator
from anonopt._typing import BoolArray, FloatArray
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.evaluation.categorical.masking_evaluator import MaskingEvaluator
from anonopt.evaluation.comparison.compare import rank_swapping_linkage
from anonopt.evaluation.comparison.compared_files import (
    are_continuous,
    paired_numbers,
    shared_columns,
)
from anonopt.evaluation.comparison.continuous_comparison import (
    rank_swapping_linkage as continuous_rank_swapping_linkage,
)
from anonopt.evaluation.comparison.incomplete_comparison import IncompleteFiles
from anonopt.evaluation.comparison.known_method import matrix_linkage, possible_originals
from anonopt.evaluation.continuous.continuous_evaluator import ContinuousMaskingEvaluator
from anonopt.evaluation.pram.pram_draws import AliasTable
from anonopt.masking.base import MaskingMethod
from anonopt.masking.known_noise import linked_by_noise, undone_noise
from anonopt.masking.noise import AdditiveNoise, CorrelatedNoise
from anonopt.masking.pram.pram_method import PRAM
from anonopt.masking.rank_swapping import RankSwapping


def attack(original: pd.DataFrame, masked: pd.DataFrame, method: MaskingMethod) -> pd.Series[Any]:
    """Re-identification by an attacker who knows the method, its parameters, and maybe its seed.

    :func:`anonopt.compare` measures an attacker who knows nothing of the masking. Here the attacker
    holds the same original records, and knows what `method` says:

    - rank swapping with `p`: each masked record is linked to the originals that it can come from in
      every column (RSRL; Nin, Herranz and Torra 2008);
    - PRAM with its matrices: to the originals of the largest posterior probability (Gouweleeuw et
      al. 1998), see :func:`~anonopt.evaluation.comparison.known_method.matrix_linkage`;
    - noise with its share: to the nearest originals in units of the noise, see
      :func:`~anonopt.masking.known_noise.linked_by_noise`;
    - the seed, too, if `random_state` is one: the method is undone on the masked file alone.
      Rank swapping is an involution that depends on ranks, p and the draws: the same command again
      gives the file back, all of it where values are distinct. Of PRAM each draw tells which
      categories can have become the masked one: where it is one only, the original is known.
      Noise is the same for all files but for its size, and is subtracted.

    Parameters
    ----------
    original, masked : DataFrame (n_rows, ...)
        The same rows in the same order.
    method : RankSwapping, PRAM, AdditiveNoise or CorrelatedNoise
        As far as the attacker knows it, with the columns that were masked; ``random_state=None``
        if the seed is not known.

    Returns
    -------
    Series
        ``assumed`` (text: what the attacker knows), ``linked`` (percent of the rows, less is
        better; each counts one over the number of records that it is linked to alike), ``undone``
        (percent of the masked cells whose original the attacker computes from the seed; NaN
        without one).

    Raises
    ------
    TypeError
        If it is no method that protects by chance.
    ValueError
        If the files do not fit each other or the method, a generator stands in place of the seed,
        or PRAM was applied by strata.

    Examples
    --------
    >>> from anonopt.masking import RankSwapping
    >>> frame = pd.DataFrame({"income": np.arange(1000) * 7.5})
    >>> masked = RankSwapping(p=10, random_state=42).fit_transform(frame)
    >>> attack(frame, masked, RankSwapping(p=10))
    assumed    the method RankSwapping(p=10), not the seed
    linked                                        0.536141
    undone                                             NaN
    dtype: object
    >>> attack(frame, masked, RankSwapping(p=10, random_state=42))["undone"]
    100.0
    """
    if not isinstance(method, MaskingMethod):
        raise TypeError(_expected(method))
    names = shared_columns(original, masked, method.columns)
    linked = _linked(method, original, masked, names)
    seed = getattr(method, "random_state", None)
    undone = np.nan
    if seed is not None:
        if isinstance(seed, np.random.Generator):
            raise ValueError(
                "random_state: expected the seed that is known, or None, found a Generator"
            )
        undone = 100 * float(_undone(method, original, masked, names).mean())
    known = " ".join(repr(method).split()) + ("" if seed is not None else ", not the seed")
    return pd.Series({"assumed": f"the method {known}", "linked": linked, "undone": undone})


@singledispatch
def _linked(
    method: MaskingMethod, original: pd.DataFrame, masked: pd.DataFrame, names: list[Hashable]
) -> float:
    """Percent of the records that are linked by what is known."""
    raise TypeError(_expected(method))


@singledispatch
def _undone(
    method: MaskingMethod, original: pd.DataFrame, masked: pd.DataFrame, names: list[Hashable]
) -> BoolArray:
    """Which masked cells are computed back from the seed, (n_rows, n_columns)."""
    raise TypeError(_expected(method))


@_linked.register
def _(
    method: RankSwapping, original: pd.DataFrame, masked: pd.DataFrame, names: list[Hashable]
) -> float:
    orders = dict(method.ordinal or {})
    if are_continuous(original, masked, names, orders):
        x, y = paired_numbers(original, masked, names)
        if np.isnan(x).any() or np.isnan(y).any():
            return IncompleteFiles(x, y).rank_swapping_linkage(method.p)
        return continuous_rank_swapping_linkage(ContinuousMaskingEvaluator(x), y, method.p)
    columns = CategoricalColumns.of(original, columns=names, ordinal=orders, others=[masked])
    plan = MaskingEvaluator(columns).plan
    return rank_swapping_linkage(plan, columns.encode(masked).astype(plan.original.dtype), method.p)


@_undone.register
def _(
    method: RankSwapping, original: pd.DataFrame, masked: pd.DataFrame, names: list[Hashable]
) -> BoolArray:
    found = method.fit_transform(masked)
    columns = CategoricalColumns.of(original, columns=names, others=[found])
    return np.asarray(columns.codes == columns.encode(found))


@_linked.register
def _(method: PRAM, original: pd.DataFrame, masked: pd.DataFrame, names: list[Hashable]) -> float:
    columns, matrices = _known_matrices(method, original, names)
    matrices = [
        _with_identity(matrix, size)
        for matrix, size in zip(matrices, columns.n_categories, strict=True)
    ]
    return matrix_linkage(columns.codes, columns.encode(masked), matrices)


@_undone.register
def _(
    method: PRAM, original: pd.DataFrame, masked: pd.DataFrame, names: list[Hashable]
) -> BoolArray:
    columns, matrices = _known_matrices(method, original, names)
    codes = columns.encode(masked)
    is_known = codes == columns.codes
    generator = as_generator(method.random_state)
    for j, matrix in enumerate(matrices):
        present = np.flatnonzero(codes[:, j] < len(matrix))
        draw = _repeated_draws(AliasTable.of(matrix), len(present), generator)
        drawn = [draw(code) for code in range(len(matrix))]
        found = possible_originals(drawn, codes[present, j])
        is_known[present, j] = found == columns.codes[present, j]
    return np.asarray(is_known)


for _kind in (AdditiveNoise, CorrelatedNoise):
    _linked.register(_kind, linked_by_noise)
    _undone.register(_kind, undone_noise)


def _known_matrices(
    method: PRAM, original: pd.DataFrame, names: list[Hashable]
) -> tuple[CategoricalColumns, list[FloatArray]]:
    """The columns as codes, and the matrix of each: those that the method made of the original."""
    if method.strata is not None:
        raise ValueError(f"strata: expected none, found {list(method.strata)}")
    fitted = copy.copy(method).set_params(random_state=0)
    fitted.fit_transform(original)
    columns = CategoricalColumns.of(original, columns=names, ordinal=method.ordinal)
    return columns, [
        fitted.matrices_[name][0].probabilities if fitted.matrices_[name] else np.zeros((0, 0))
        for name in names
    ]


def _expected(method: object) -> str:
    return (
        "method: expected one that protects by chance (RankSwapping, PRAM, AdditiveNoise or "
        f"CorrelatedNoise), found {method!r}"
    )


def _repeated_draws(
    table: AliasTable, n: int, generator: np.random.Generator
) -> Callable[[int], Any]:
    """Draws of one column for any original category, all by the numbers that were drawn once."""
    before = copy.deepcopy(generator)
    generator.random(n)
    return lambda code: table.draw(np.full(n, code), copy.deepcopy(before))


def _with_identity(matrix: FloatArray, size: int) -> FloatArray:
    """Matrix of all categories: that of missing cells, if it is left out, stays as it is."""
    whole = np.eye(size)
    whole[: len(matrix), : len(matrix)] = matrix
    return whole
