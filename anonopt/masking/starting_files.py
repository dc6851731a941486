"""The protections that the evolutionary searches of the thesis start from."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from anonopt._checks import as_generator
from anonopt._typing import AnyArray, RandomState
from anonopt.data.columns.categories import CategoricalColumns, Orders
from anonopt.data.columns.masked_columns import MaskingSet
from anonopt.masking.base import MaskingMethod
from anonopt.masking.groups.records import column_kind
from anonopt.masking.microaggregation import MDAV
from anonopt.masking.pram.pram_method import PRAM
from anonopt.masking.rank_swapping import RankSwapping
from anonopt.masking.recoding import BottomCoding, GlobalRecoding, TopCoding

GROUP_SIZES = (2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300)
"""k of the microaggregations, by steps of about one half; fewer are taken evenly spread, the
largest always."""


DRAWING = (RankSwapping, PRAM)
"""Methods whose files differ by seed."""


class FileCounts(NamedTuple):
    """Numbers of masked files by each method that a search starts from."""

    microaggregation: int
    bottom_coding: int
    top_coding: int
    global_recoding: int
    rank_swapping: int
    pram: int


FILE_COUNTS = MappingProxyType(
    {
        "german": FileCounts(72, 4, 4, 4, 11, 9),
        "flare": FileCounts(72, 4, 4, 4, 11, 9),
        "adult": FileCounts(48, 6, 6, 6, 11, 9),
        "housing": FileCounts(72, 6, 6, 6, 11, 9),
    }
)
"""Numbers of Mares 2013, Section 3.5: 104, 104, 86 and 110 protections."""


class Protection(NamedTuple):
    """A masked file.

    Attributes
    ----------
    label : str
        The method and its parameters.
    codes : array of small unsigned integers (n_rows, n_columns)
        Codes of the categories in the original columns (`MaskingSet.categorical`).
    """

    label: str
    codes: npt.NDArray[np.unsignedinteger[Any]]


def starting_population(
    original: MaskingSet, *, random_state: RandomState, n_files: FileCounts | None = None
) -> list[Protection]:
    """Protect a file in all the ways an evolutionary search starts from.

    Mares 2013, Section 3.5, states how many protections of each kind there are, and not their
    parameters. Here they are, in this order:

    - microaggregation by MDAV: one column at a time, two, ... up to all together, each with
      medians in the order of the categories and with modes, and each with the same number of k
      from :data:`~anonopt.masking.starting_files.GROUP_SIZES`;
    - bottom and top coding: p = 2, 3, ... on all columns, for as long as each keeps two
      categories; then the same on one column alone, from the one of the most categories on;
    - global recoding: as bottom and top coding;
    - rank swapping with p = 2, 4, ..., 22 percent;
    - PRAM with the diagonal matrix of Eqs. 2.4 and 2.5, theta = 0.1, 0.2, ..., 0.9.

    Parameters
    ----------
    original : MaskingSet
    random_state : int or numpy Generator
        Seed, or the generator to draw from, for rank swapping and PRAM.
    n_files : FileCounts, optional
        Numbers of protections, by default those of the thesis for the set of this name, and
        :func:`~anonopt.masking.starting_files.fitting_counts` for any other.

    Returns
    -------
    list of Protection

    Raises
    ------
    ValueError
        If there is no seed, the number of microaggregations is no multiple of their 2 V ways
        (V columns), or a number is larger than the parameters that fit the file.

    Examples
    --------
    >>> from anonopt.data import masking_set
    >>> german, counts = masking_set("german"), FileCounts(6, 1, 1, 1, 1, 1)
    >>> for protection in starting_population(german, random_state=0, n_files=counts)[5:]:
    ...     print(protection.label)
    MDAV k=300 n_variables=3 modes
    BottomCoding p=2 status, savings, employment
    TopCoding p=2 status, savings, employment
    GlobalRecoding p=2 status, savings, employment
    RankSwapping p=2
    PRAM diagonal theta=0.5
    """
    rng = as_generator(random_state)
    columns = original.categorical
    if n_files is None:
        n_files = FILE_COUNTS.get(original.name) or fitting_counts(columns)
    # Columns of numbers are categories here, too.
    frame = original.frame[list(original.columns)].astype(object)
    numbers = [name for name in frame if column_kind(frame[name], None) == "continuous"]
    frame = frame.astype(dict.fromkeys(numbers, "category"))
    made = _made_of(columns.fingerprint)
    protections = []
    for label, method in _methods(original, columns, n_files, rng):
        codes = made.get(label)
        if codes is None:
            codes = _small(columns.encode(method.fit_transform(frame)), columns)
            if not isinstance(method, DRAWING):
                made[label] = codes
        protections.append(Protection(label, codes.copy()))
    return protections


@lru_cache(maxsize=4)
def _made_of(fingerprint: str) -> dict[str, npt.NDArray[np.unsignedinteger[Any]]]:
    """Files that were made of an original without chance, by their labels.

    They are most of the time of a start, and the same for every seed.
    """
    return {}


def fitting_counts(columns: CategoricalColumns) -> FileCounts:
    """Numbers of masked files for a file the thesis does not have.

    Those of its Housing file (110), as far as the file has enough rows, columns and categories:
    microaggregation in each of the 2 V ways as often (V columns), recodings as many as differ.

    Parameters
    ----------
    columns : CategoricalColumns

    Examples
    --------
    >>> from anonopt.data import masking_set
    >>> fitting_counts(masking_set("german").categorical)[:4]
    (72, 6, 6, 6)
    """
    most = FILE_COUNTS["housing"]
    per_way = min(most.microaggregation // _n_ways(columns), len(_group_sizes(columns)))
    n_recodings = len(_recoding_ways(columns))
    return most._replace(
        microaggregation=per_way * _n_ways(columns),
        bottom_coding=min(most.bottom_coding, n_recodings),
        top_coding=min(most.top_coding, n_recodings),
        global_recoding=min(most.global_recoding, n_recodings),
    )


def _n_ways(columns: CategoricalColumns) -> int:
    """Ways of microaggregation: 1, 2, ... columns together, with medians or modes."""
    return 2 * columns.n_columns


def _group_sizes(columns: CategoricalColumns) -> list[int]:
    return [k for k in GROUP_SIZES if k <= columns.n_rows]


def _methods(
    original: MaskingSet, columns: CategoricalColumns, n_files: FileCounts, rng: np.random.Generator
) -> Iterator[tuple[str, MaskingMethod]]:
    order: dict[Hashable, Sequence[object] | None] = {
        name: original.order[name] for name in original.columns
    }
    yield from _microaggregations(columns, order, n_files.microaggregation)
    for method, number in (
        (BottomCoding, n_files.bottom_coding),
        (TopCoding, n_files.top_coding),
        (GlobalRecoding, n_files.global_recoding),
    ):
        for names, p in _recodings(columns, number):
            label = f"{method.__name__} p={p} {', '.join(map(str, names))}"
            yield label, method(p, columns=names, ordinal={name: order[name] for name in names})
    for number in range(1, n_files.rank_swapping + 1):
        p = 2 * number
        yield f"RankSwapping p={p}", RankSwapping(p, ordinal=order, random_state=rng)
    for number in range(1, n_files.pram + 1):
        theta = number / (n_files.pram + 1)
        yield (
            f"PRAM diagonal theta={theta:g}",
            PRAM(matrix="diagonal", theta=theta, random_state=rng),
        )


def _microaggregations(
    columns: CategoricalColumns, order: Orders, number: int
) -> Iterator[tuple[str, MaskingMethod]]:
    ways, sizes = _n_ways(columns), _group_sizes(columns)
    per_way, rest = divmod(number, ways)
    if rest or per_way > len(sizes):
        raise ValueError(
            f"n_files: expected 0, {ways}, ... or {ways * len(sizes)} microaggregations of "
            f"{columns.n_columns} columns and {columns.n_rows} rows, found {number}"
        )
    chosen = np.linspace(len(sizes) - 1, 0, per_way, endpoint=per_way == len(sizes)).round()
    for n_variables in range(1, columns.n_columns + 1):
        for average, ordinal in (("medians", order), ("modes", None)):
            for k in sorted(sizes[int(at)] for at in chosen):
                label = f"MDAV k={k} n_variables={n_variables} {average}"
                yield label, MDAV(k, ordinal=ordinal, n_variables=n_variables)


def _recodings(columns: CategoricalColumns, number: int) -> list[tuple[list[Hashable], int]]:
    """Columns and p of a number of recodings, each different from the others."""
    ways = _recoding_ways(columns)
    if number > len(ways):
        raise ValueError(
            f"n_files: expected at most {len(ways)} recodings of columns of {_occurring(columns)} "
            f"categories, found {number}"
        )
    return ways[:number]


def _recoding_ways(columns: CategoricalColumns) -> list[tuple[list[Hashable], int]]:
    """Columns and p of all recodings that leave two categories."""
    occurring = _occurring(columns)
    widest = sorted(range(columns.n_columns), key=lambda at: -occurring[at])
    parts = [range(columns.n_columns), *([at] for at in widest)]
    return [
        ([columns.names[at] for at in part], p)
        for part in (parts if columns.n_columns > 1 else parts[1:])
        for p in range(2, min(occurring[at] for at in part))
    ]


def _occurring(columns: CategoricalColumns) -> list[int]:
    """Number of categories of each column that occur, that of missing cells left out."""
    return [
        len(np.unique(columns.codes[:, at])) - int(has_missing)
        for at, has_missing in enumerate(columns.has_missing)
    ]


def _small(codes: AnyArray, columns: CategoricalColumns) -> npt.NDArray[np.unsignedinteger[Any]]:
    return codes.astype(np.min_scalar_type(max(columns.n_categories) - 1))
