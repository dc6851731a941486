"""Masked files: all six measures from scratch and after one changed cell, against plain linkage.

Adult (education, marital-status, occupation), 30 % of the cells drawn anew. Before anything is
timed, numpy and numba are checked against each other, the plain row-by-row linkage against DBRL,
and a state after many changed cells against a state measured from scratch, to the bit.

The row-by-row DBRL (numpy: each masked record against all originals) is timed on a sample of
records and extrapolated to all of them; it is checked on German, where it is run in full.

    python benchmarks/masking_measures.py
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

import anonopt as ao
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.data.datasets.masking_sets import masking_set
from anonopt.evaluation import MaskingEvaluator, MaskingState
from anonopt.measures.continuous.standardized_distances import category_distances

SHARE = 0.3
SAMPLE = 400
CELLS = 3000
COMPLETE_ROWS = 30162
GOALS = {"numpy": 4.0, "numba": 0.8}
"""Milliseconds of a full evaluation, 48842 rows."""
RATIO_TO_ROWS = 5000
"""Full evaluation with the accelerator against linkage alone, row by row."""
RATIO_OF_CELL = 12
"""A changed cell against a full evaluation, with the accelerator."""

Codes = npt.NDArray[np.int32]


def randomized(columns: CategoricalColumns, seed: int) -> Codes:
    """Codes with a share of the cells drawn anew, uniformly."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, columns.n_categories, columns.codes.shape)
    is_drawn = rng.random(columns.codes.shape) < SHARE
    return np.where(is_drawn, drawn, columns.codes).astype(np.int32)


def plain_linkage(columns: CategoricalColumns, masked: Codes, rows: npt.NDArray[np.int64]) -> float:
    """Credit of some masked records, each compared with all originals."""
    tables = category_distances(columns)
    originals = np.ascontiguousarray(columns.codes.T, dtype=np.intp)
    credit = 0.0
    for row in rows:
        distances = tables[0][masked[row, 0]].take(originals[0])
        for column in range(1, columns.n_columns):
            distances += tables[column][masked[row, column]].take(originals[column])
        is_nearest = distances <= distances.min() + 1e-12
        credit += is_nearest[row] / is_nearest.sum()
    return credit


def median_time(call: Callable[[], object], repeats: int) -> float:
    """Median of some runs, in milliseconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1000 * float(np.median(times))


def random_cells(columns: CategoricalColumns, n: int) -> list[tuple[int, int]]:
    """Cells and new codes."""
    rng = np.random.default_rng(11)
    cells = rng.integers(0, columns.codes.size, n)
    values = rng.integers(0, np.array(columns.n_categories)[cells % columns.n_columns])
    return list(zip(cells.tolist(), values.tolist(), strict=True))


def check(columns: CategoricalColumns, masked: Codes) -> None:
    """Leave with a message unless all ways to measure agree."""
    figures = {}
    for accelerator in GOALS:
        evaluator = MaskingEvaluator(columns, accelerator=accelerator)
        state = evaluator.measure(masked)
        figures[accelerator] = state.figures()
        for cell, value in random_cells(columns, 200):
            state.apply(cell, value).figures()
        if state.figures() != evaluator.measure(state.codes).figures():
            sys.exit("changed cells and a full evaluation disagree: no times")
        for _ in range(200):
            state.undo()
        if state.figures() != figures[accelerator]:
            sys.exit("undone cells leave a trace: no times")
    if not np.allclose(figures["numpy"], figures["numba"], rtol=1e-12, atol=1e-12):
        sys.exit("numpy and numba disagree: no times")


def check_linkage() -> None:
    """Leave with a message unless the plain linkage of German is its DBRL."""
    german = masking_set("german").categorical
    masked = randomized(german, 2)
    plain = 100 * plain_linkage(german, masked, np.arange(german.n_rows)) / german.n_rows
    if abs(plain - MaskingEvaluator(german).measure(masked).figures().DBRL) > 1e-9:
        sys.exit("the plain linkage and DBRL disagree: no times")


def one_cell(state: MaskingState, cells: list[tuple[int, int]]) -> float:
    """Milliseconds of a changed cell and its figures, the median."""
    changes = iter(cells)
    return median_time(lambda: state.apply(*next(changes)).figures(), len(cells))


def main() -> int:
    """Print all times; returns 1 if a goal is missed."""
    adult = masking_set("adult")
    columns = adult.categorical
    masked = randomized(columns, 1)
    check(columns, masked)
    check_linkage()
    start = time.perf_counter()
    MaskingEvaluator(columns)
    print(f"anonopt {ao.__version__}, Adult, {columns.n_rows} rows, 3 columns, 30 % randomized")
    print(f"tables of the original, once: {1000 * (time.perf_counter() - start):.1f} ms")

    rows = np.random.default_rng(4).choice(columns.n_rows, SAMPLE, replace=False)
    plain = median_time(lambda: plain_linkage(columns, masked, rows), 3) * columns.n_rows / SAMPLE
    print(f"row-by-row DBRL alone: {plain / 1000:.1f} s (extrapolated from {SAMPLE} records)")
    met = True
    for accelerator, goal in GOALS.items():
        evaluator = MaskingEvaluator(columns, accelerator=accelerator)
        full = median_time(lambda: evaluator.measure(masked).figures(), 100)  # noqa: B023
        print(f"all six measures, {accelerator}: {full:.3f} ms, {plain / full:,.0f} x", end="")
        print(f" (goal {goal} ms)")
        met &= full <= goal
    met &= plain / full >= RATIO_TO_ROWS

    some = CategoricalColumns.of(
        adult.frame.iloc[:COMPLETE_ROWS], columns=adult.columns, ordinal=adult.ordinal
    )
    evaluator = MaskingEvaluator(some, accelerator="numba")
    codes = randomized(some, 1)
    full = median_time(lambda: evaluator.measure(codes).figures(), 200)
    state = evaluator.measure(codes)
    cell = one_cell(state, random_cells(some, CELLS))
    print(
        f"{some.n_rows} rows, numba: full {full:.3f} ms, one changed cell {1000 * cell:.1f} us: ",
        end="",
    )
    print(f"{full / cell:.1f} x (goal {RATIO_OF_CELL} x)")
    met &= full / cell >= RATIO_OF_CELL
    held = state.codes.nbytes + sum(array.nbytes for array in state._tables.arrays())
    print(f"a state holds {held / 1024:.0f} KiB; copying it takes", end=" ")
    print(f"{1000 * median_time(state.copy, 200):.0f} us")
    print("goals " + ("met" if met else "missed"))
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
