"""Cargo 2000: planned and effective times of air freight, and all its other columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction

import pandas as pd

from anonopt._checks import check_integer
from anonopt.data.datasets.dataset import Dataset
from anonopt.data.datasets.download import RemoteFile
from anonopt.data.hierarchies.hierarchy import Hierarchy

CARGO_FILE = "c2k_data_comma.csv"

LEGS = ("i1", "i2", "i3", "o")
"""Three incoming legs and the outgoing one."""

STEPS = ("rcs", "dep_1", "rcf_1", "dep_2", "rcf_2", "dep_3", "rcf_3", "dlv")
"""Steps of a leg: received, up to three departures and arrivals, delivered."""

TIMES = tuple(f"{leg}_{step}_{kind}" for leg in LEGS for step in STEPS for kind in "pe")
"""The 64 columns of planned (p) and effective (e) minutes, in the order of the file."""

PLACES = tuple(f"{step}_place" for step in STEPS if step[-1].isdigit())
"""Airports of a leg's departures and arrivals."""

COLUMNS = (
    *TIMES,
    *(f"{leg}_{fact}" for leg in LEGS for fact in ("legid", *PLACES, "hops")),
    "legs",
)
"""All 97 columns but the running number: the times, then the others in the order of the file."""

SMALLEST_BINS = 48
"""Intervals of level 1; four of them make one of level 2, and four of these one of level 3."""


def cargo_columns(n_columns: int) -> tuple[str, ...]:
    """First columns, to be quasi-identifiers: planned and effective times, then the others.

    Parameters
    ----------
    n_columns : int
        1..97. The first 64 are times; identifiers, places and hops of legs follow, and the number
        of legs.

    Raises
    ------
    ValueError
        If `n_columns` is out of its range.

    Examples
    --------
    >>> cargo_columns(3)
    ('i1_rcs_p', 'i1_rcs_e', 'i1_dep_1_p')
    """
    return COLUMNS[: check_integer("n_columns", n_columns, least=1, most=len(COLUMNS))]


def make_hierarchies(
    frame: pd.DataFrame, columns: Sequence[Hashable], complete: bool
) -> Mapping[Hashable, Hierarchy]:
    """Equal-width intervals of 1/48, 1/12 and 1/3 of each column's range, then ``*``.

    The range of a column of whole numbers is half-open, ``[min, max + 1)``, so that the
    largest value lies in the last interval. A missing step is its own value below the top.
    """
    return {
        column: _bin(frame[column].dropna().astype(int)) for column in COLUMNS if column in columns
    }


def _bin(cells: pd.Series[int]) -> Hierarchy:
    low, high = int(cells.min()), int(cells.max()) + 1
    return Hierarchy.intervals(
        cells, width=Fraction(high - low, SMALLEST_BINS), anchor=low, fan_outs=[4, 4]
    )


def convert(members: Mapping[str, bytes]) -> bytes:
    """Drop the last line of empty fields of UCI's file and unify the line ends.

    Raises
    ------
    ValueError
        If the file is absent.
    """
    if CARGO_FILE not in members:
        raise ValueError(f"archive: expected the file {CARGO_FILE!r}, found {sorted(members)}")
    rows = csv.reader(io.StringIO(members[CARGO_FILE].decode("utf-8-sig"), newline=""))
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(row for row in rows if any(row))
    return text.getvalue().encode("utf-8")


CARGO = Dataset(
    name="cargo",
    summary="Cargo 2000",
    n_rows=3942,
    n_columns=98,
    source="https://archive.ics.uci.edu/dataset/382",
    licence="CC BY 4.0 (UCI's general terms)",
    files=RemoteFile(
        folder="cargo2000",
        name=CARGO_FILE,
        url="https://archive.ics.uci.edu/static/public/382/"
        "cargo+2000+freight+tracking+and+tracing.zip",
        sha256="9e27213c9fffe28f02b142929c948433d75d0dd90ef315cd9325cf436b7d03d8",
        convert=convert,
    ),
    columns=TIMES,
    quasi_identifiers=cargo_columns(5),
    make_hierarchies=make_hierarchies,
)
