"""Masking methods: known figures first, then times on tables of up to 48842 rows.

MDAV on the CASC reference files, columns standardized, k = 3: the loss 100 SSE/SST that the
literature states. Then every method on the three columns of Adult (training and test file) and on
as many rows of random numbers, with the memory that it takes at its peak: nothing grows with the
square of the rows.

    python benchmarks/masking_methods.py
"""

from __future__ import annotations

import sys
import time
import tracemalloc

import numpy as np
import pandas as pd
from _data import SHARED_DATA

import anonopt as ao
from anonopt.data import masking_set

STATED = {"census": 5.692186, "tarragona": 16.932588}
REPEATS = 5
MEGABYTES = 200
"""Bound of the memory at its peak; a table of all pairs of rows would take 2 gigabytes a byte."""


def main() -> int:
    """Run both parts; exit code 1 if a figure is not as it must be."""
    missed: list[str] = []
    reference(missed)
    times(missed)
    for message in missed:
        print("MISSED", message)
    return 1 if missed else 0


def reference(missed: list[str]) -> None:
    """100 SSE/SST of MDAV, k = 3."""
    print(f"{'MDAV, k = 3':<20}{'rows':>7}{'100 SSE/SST':>14}{'stated':>12}{'ms':>8}")
    for name, stated in STATED.items():
        path = SHARED_DATA / "casc" / f"{name}.csv"
        if not path.is_file():
            print(f"{name}: no file at {path} (set ANONOPT_SHARED_DATA)")
            continue
        frame = pd.read_csv(path)
        seconds = np.inf
        for _ in range(REPEATS):
            started = time.perf_counter()
            masked = ao.masking.MDAV(k=3).fit_transform(frame)
            seconds = min(seconds, time.perf_counter() - started)
        sse = (((masked - frame) / frame.std()) ** 2).to_numpy().sum()
        sst = (((frame - frame.mean()) / frame.std()) ** 2).to_numpy().sum()
        loss = 100 * sse / sst
        print(f"{name:<20}{len(frame):>7}{loss:>14.6f}{stated:>12.6f}{1000 * seconds:>8.1f}")
        if abs(loss - stated) > 5e-7:
            missed.append(f"MDAV on {name}: {loss:.6f}, not {stated:.6f}")


def times(missed: list[str]) -> None:
    """Seconds and memory of every method."""
    adult = masking_set("adult")
    categories = adult.frame[list(adult.columns)]
    numbers = pd.DataFrame(np.random.default_rng(1).normal(size=(len(categories), 3)))
    print(f"\n{len(categories)} rows, 3 columns")
    print(f"{'method':<34}{'categories: s':>14}{'MB':>7}{'numbers: s':>13}{'MB':>7}")
    for method in methods():
        cells = []
        for frame, ordinal in ((categories, adult.order), (numbers, None)):
            method.set_params(ordinal=ordinal)
            started = time.perf_counter()
            method.fit_transform(frame)
            seconds = time.perf_counter() - started
            megabytes = peak(method, frame)
            cells.append(f"{seconds:>13.2f}{megabytes:>7.0f}")
            if megabytes > MEGABYTES:
                missed.append(f"{method!r}: {megabytes:.0f} MB")
        method.set_params(ordinal=None)
        print(f"{method!r:<35}{''.join(cells)}")


def methods() -> list[ao.masking.MaskingMethod]:
    """What is timed."""
    m = ao.masking
    return [
        m.MDAV(3),
        m.MDAV(10),
        m.MDAV(3, n_variables=1),
        m.OptimalMicroaggregation(3),
        m.Mondrian(3),
        m.GlobalMedian(3),
        m.RankSwapping(5, random_state=1),
        m.TopCoding(2),
        m.BottomCoding(2),
    ]


def peak(method: ao.masking.MaskingMethod, frame: pd.DataFrame) -> float:
    """Megabytes that a call takes at its peak."""
    tracemalloc.start()
    method.fit_transform(frame)
    megabytes = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return megabytes


if __name__ == "__main__":
    sys.exit(main())
