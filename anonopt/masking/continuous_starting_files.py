"""Masked versions of a numeric file that an evolutionary search starts from."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import pandas as pd

from anonopt._checks import as_generator, check_integer
from anonopt._typing import RandomState
from anonopt.masking.microaggregation import MDAV
from anonopt.masking.rank_swapping import RankSwapping

WIDEST_SWAP = 50.0
"""Largest window of rank swapping, in percent of the rows."""

SMALLEST_GROUP = 3
"""Smallest group of microaggregation."""


USUAL_NUMBER = 16
"""Masked files a search starts from, unless said (Mares 2013, Section 3.5)."""


class MaskedFrame(NamedTuple):
    """A masked file.

    Attributes
    ----------
    label : str
        The method and its parameters.
    frame : DataFrame (n_rows, ...)
    """

    label: str
    frame: pd.DataFrame


def continuous_starting_population(
    frame: pd.DataFrame,
    *,
    n_files: int,
    random_state: RandomState,
    columns: Sequence[Hashable] | None = None,
) -> list[MaskedFrame]:
    """Mask a numeric file by rank swapping and microaggregation.

    Mares 2013, Section 3.5, starts from masks "including rank swapping and microaggregation": 50
    for Census, the best of a search that is not published, and 16 for each other file; neither
    the parameters nor how many there are of each is stated. Here one half (the larger one of an
    odd number) is rank swapping with windows evenly spaced up to 50 percent, the other one
    microaggregation of all columns together (MDAV) with k = 3, 4, 5 ...

    Parameters
    ----------
    frame : DataFrame (n_rows, ...)
    n_files : int
        At least 1.
    random_state : int or numpy Generator
        Seed, or the generator to draw from, for rank swapping.
    columns : list of columns, optional
        Columns to mask, all numeric; by default all.

    Returns
    -------
    list of MaskedFrame
        Rank swapping from the narrowest window on, then microaggregation.

    Raises
    ------
    ValueError
        If there is no seed, a column is not numeric, or the rows are too few for the groups (with
        missing cells, those that have the same columns).

    Examples
    --------
    >>> frame = pd.DataFrame({"x": range(20), "y": range(20, 0, -1)})
    >>> [file.label for file in continuous_starting_population(frame, n_files=4, random_state=1)]
    ['RankSwapping p=25', 'RankSwapping p=50', 'MDAV k=3', 'MDAV k=4']
    """
    rng = as_generator(random_state)
    n_swapped = (check_integer("n_files", n_files, least=1) + 1) // 2
    files = []
    for i in range(1, n_swapped + 1):
        p = WIDEST_SWAP * i / n_swapped
        swapping = RankSwapping(p, columns=columns, random_state=rng)
        files.append(MaskedFrame(f"RankSwapping p={p:g}", swapping.fit_transform(frame)))
    for k in range(SMALLEST_GROUP, SMALLEST_GROUP + n_files - n_swapped):
        # These files are where a search starts; what is published is measured.
        mdav = MDAV(k, columns=columns)
        files.append(MaskedFrame(f"MDAV k={k}", mdav.fit_transform(frame)))
    return files


def fitting_number(n_rows: int) -> int:
    """Masked files a search of a file starts from, unless said.

    Parameters
    ----------
    n_rows : int

    Returns
    -------
    int
        16; fewer where the groups of microaggregation would be larger than the file.

    Examples
    --------
    >>> fitting_number(1000), fitting_number(9), fitting_number(1)
    (16, 14, 1)
    """
    n_grouped = max(n_rows - SMALLEST_GROUP + 1, 0)
    return min(USUAL_NUMBER, 2 * n_grouped) or 1
