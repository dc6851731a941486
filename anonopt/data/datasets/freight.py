"""Freight: shipments drawn at random in the layout of Cargo 2000, so that nothing is fetched.

A stand-in where the file of Cargo 2000 is not at hand. No row of that file is in it: the numbers
below were set by hand, rounded, to have its order of size. Columns, rows, kinds of values, shares
of missing legs and steps, and heights of the hierarchies are alike; its optima are its own.

How a table is drawn. A shipment has 1, 2 or 3 incoming legs and an outgoing one; a leg goes in 1,
2 or 3 hops, each a departure and an arrival. Every time is the value of a curve (`PLANNED`,
`EFFECTIVE`) at a rank. The rank of a planned time is that of the shipment in half of the cases,
else one of its own; that of an effective time is the rank of the planned one in half of the cases.
Airports are numbers of which low ranks get few, so that some are frequent.

Ranks come from the raw 64-bit numbers of PCG64, which NumPy promises never to change, and
everything is computed in whole numbers: the table is the same on every machine.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonopt._typing import BoolArray, IntArray
from anonopt.data.datasets.cargo import LEGS, STEPS, TIMES, cargo_columns, make_hierarchies
from anonopt.data.datasets.dataset import Dataset, GeneratedFile

SEED = 2000
N_ROWS = 3942

MILLION = 1_000_000
"""Ranks are whole numbers below this."""

SHARES = (0, 10_000, 100_000, 250_000, 500_000, 750_000, 900_000, 990_000, MILLION)
"""Ranks, in millionths, at which the curves are given; straight between them. In the last part
they rise with the third power of the rank, so that the largest values are rare."""

PLANNED = {
    "rcs": (1, (5, 40, 160, 390, 1_100, 2_000, 4_400, 33_000, 47_000)),
    "dep_1": (30, (90, 90, 90, 120, 180, 240, 300, 780, 2_400)),
    "rcf_1": (5, (50, 90, 230, 460, 820, 1_030, 1_260, 2_100, 5_000)),
    "dep_2": (5, (5, 20, 170, 360, 680, 1_190, 1_720, 4_000, 10_500)),
    "rcf_2": (5, (40, 110, 260, 530, 750, 1_050, 1_500, 2_800, 5_000)),
    "dep_3": (5, (30, 60, 140, 280, 640, 1_300, 2_000, 3_700, 4_400)),
    "rcf_3": (5, (260, 300, 500, 700, 950, 1_150, 1_500, 3_000, 4_800)),
    "dlv": (30, (180, 330, 540, 3_000, 3_780, 4_260, 5_220, 7_740, 9_900)),
}
"""Of each step: minutes that its planned times are multiples of, and their curve."""

EFFECTIVE = {
    "rcs": (1, (1, 5, 55, 140, 440, 1_500, 3_600, 32_500, 45_000)),
    "dep_1": (1, (4, 75, 165, 270, 540, 980, 1_430, 3_600, 9_500)),
    "rcf_1": (1, (5, 80, 165, 300, 660, 900, 1_100, 2_000, 18_000)),
    "dep_2": (1, (35, 125, 300, 470, 800, 1_300, 1_900, 4_200, 11_500)),
    "rcf_2": (1, (10, 90, 155, 310, 620, 820, 1_230, 2_900, 7_000)),
    "dep_3": (1, (10, 70, 110, 270, 600, 1_400, 2_300, 4_000, 4_400)),
    "rcf_3": (1, (170, 230, 410, 680, 870, 1_030, 1_300, 3_200, 3_900)),
    "dlv": (1, (1, 4, 75, 250, 900, 2_250, 5_000, 28_000, 250_000)),
}
"""The same of the effective times."""

LEGS_SHARES = (334_000, 653_000)
"""Share of shipments with one incoming leg, and with at most two, in millionths."""

HOPS_SHARES = {"i": (697_000, 994_000), "o": (532_000, 993_000)}
"""The same of the hops of incoming legs and of the outgoing one."""

LARGEST_LEG_ID = 14_664
PLACES = (100, 815)
"""Least and largest number of an airport."""


class _Ranks:
    """Ranks from 0 to 999,999 of all shipments, one column after the other."""

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(seed)

    def draw(self) -> IntArray:
        """One rank a shipment, uniform, (3942,)."""
        high = self._bits.random_raw(N_ROWS) >> np.uint64(32)
        return ((high * np.uint64(MILLION)) >> np.uint64(32)).astype(np.int64)

    def near(self, ranks: IntArray) -> IntArray:
        """In half of the cases the ranks given, else others."""
        return np.where(self.draw() < MILLION // 2, ranks, self.draw())


def draw_freight() -> pd.DataFrame:
    """Draw the table, always the same.

    Returns
    -------
    DataFrame (3942, 98)
        ``nr`` and ``legs``; of each leg ``legid``, ``hops``, the planned (p) and effective (e)
        minutes of its steps, and the airports of its departures and arrivals. Cells of legs and
        steps that do not exist are missing.

    Examples
    --------
    >>> frame = draw_freight()
    >>> frame.shape, frame["i3_legid"].isna().mean().round(2)
    ((3942, 98), np.float64(0.65))
    """
    ranks = _Ranks(SEED)
    columns: dict[str, IntArray] = {"nr": np.arange(N_ROWS)}
    exists: dict[str, BoolArray] = {}
    shipment = ranks.draw()
    n_legs = 1 + np.searchsorted(LEGS_SHARES, ranks.draw(), side="right")
    for number, leg in enumerate(LEGS, start=1):
        is_there = n_legs >= number if leg != "o" else np.ones(N_ROWS, dtype=bool)
        drawn = _leg(leg, shipment, ranks)
        for name, (values, n_hops) in drawn.items():
            columns[name] = values
            exists[name] = is_there & n_hops
    columns["legs"] = n_legs
    frame = pd.DataFrame(columns)
    for name, there in exists.items():
        if not there.all():
            frame[name] = frame[name].where(there)
    return frame


def _leg(leg: str, shipment: IntArray, ranks: _Ranks) -> dict[str, tuple[IntArray, BoolArray]]:
    """Columns of a leg, and where they exist if the leg does."""
    always = np.ones(N_ROWS, dtype=bool)
    n_hops = 1 + np.searchsorted(HOPS_SHARES[leg[0]], ranks.draw(), side="right")
    found = {f"{leg}_legid": (1 + ranks.draw() * LARGEST_LEG_ID // MILLION, always)}
    for step in STEPS:
        there = n_hops >= int(step[-1]) if step[-1].isdigit() else always
        planned = ranks.near(shipment)
        found[f"{leg}_{step}_p"] = (_on_curve(planned, *PLANNED[step]), there)
        found[f"{leg}_{step}_e"] = (_on_curve(ranks.near(planned), *EFFECTIVE[step]), there)
        if there is not always:
            found[f"{leg}_{step}_place"] = (_places(ranks.draw()), there)
    found[f"{leg}_hops"] = (n_hops, always)
    return found


def _on_curve(ranks: IntArray, unit: int, curve: tuple[int, ...]) -> IntArray:
    """Values of a curve at ranks, rounded down to multiples of a unit."""
    shares, heights = np.array(SHARES), np.array(curve)
    part = np.searchsorted(shares, ranks, side="right") - 1
    low, rise = heights[part], heights[part + 1] - heights[part]
    along, length = ranks - shares[part], shares[part + 1] - shares[part]
    straight = low + rise * along // length
    # Of the last part, whose length is 10**4; longer ones would have no third power in 64 bits.
    rare = low + rise * np.minimum(along, 10_000) ** 3 // 10_000**3
    values = np.where(part == len(SHARES) - 2, rare, straight)
    return np.asarray(values // unit * unit)


def _places(ranks: IntArray) -> IntArray:
    """Numbers of airports: the square of the rank, on a grid, so that low ones are frequent."""
    least, largest = PLACES
    n_steps = ranks // 10_000
    return np.asarray(least + (largest - least) * n_steps**2 // 99**2)


FREIGHT = Dataset(
    name="freight",
    summary="Freight, drawn at random in the layout of Cargo 2000",
    n_rows=N_ROWS,
    n_columns=98,
    source="drawn by this library, see anonopt.data.datasets.freight",
    licence="Apache-2.0 (this library's)",
    files=GeneratedFile(make=draw_freight),
    columns=TIMES,
    quasi_identifiers=cargo_columns(5),
    make_hierarchies=make_hierarchies,
)
