"""All measures of a masked file: from scratch, after one changed cell, and linkage row by row.

The file is Adult (education, marital-status, occupation) with 30 % of its cells drawn anew. Numeric
files are those of CASC.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import anonopt as ao
from anonopt.data import masking_set
from anonopt.data.columns.categories import CategoricalColumns
from anonopt.data.columns.masked_columns import MaskingSet
from anonopt.evaluation import ContinuousMaskingEvaluator, MaskingEvaluator, MaskingState
from anonopt.measures.categorical.step_distances import StepDistances
from anonopt.problems import MaskingProblem
from benchmarks._bench import Benchmark, Call, Goal, Way, require

SHARE = 0.3
SAMPLE = 400
"""Records that are linked row by row."""
CHANGED = 200
"""Cells that are changed, one after another, in the check."""
CHANGED_SHARES = (0.01, 0.1)
"""Shares of many rows that are changed."""
POPULATION = 8
"""Files of many rows."""


def randomized(columns: CategoricalColumns, seed: int) -> np.ndarray:
    """Codes with a share of the cells drawn anew, uniformly."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, columns.n_categories, columns.codes.shape)
    is_drawn = rng.random(columns.codes.shape) < SHARE
    return np.where(is_drawn, drawn, columns.codes).astype(np.int32)


def random_cells(columns: CategoricalColumns) -> Iterator[tuple[int, int]]:
    """Cells and new codes, without end."""
    rng = np.random.default_rng(11)
    while True:
        cell = int(rng.integers(columns.codes.size))
        yield cell, int(rng.integers(columns.n_categories[cell % columns.n_columns]))


@dataclass(frozen=True)
class Case:
    """Original and masked file, records to be linked, and cells to be changed."""

    columns: CategoricalColumns
    masked: np.ndarray
    records: np.ndarray
    states: dict[str, MaskingState]
    """States whose cells are changed, by accelerator."""
    cells: Iterator[tuple[int, int]]

    @classmethod
    def of(cls, n_rows: int) -> Case:
        """The first rows of Adult."""
        adult = masking_set("adult")
        columns = CategoricalColumns.of(
            adult.frame.iloc[:n_rows], columns=adult.columns, ordinal=adult.ordinal
        )
        masked = randomized(columns, 1)
        records = np.random.default_rng(4).choice(n_rows, min(SAMPLE, n_rows), replace=False)
        states = {"numba": MaskingEvaluator(columns, accelerator="numba").measure(masked)}
        return cls(columns, masked, records, states, random_cells(columns))


def plain_linkage(columns: CategoricalColumns, masked: np.ndarray, rows: np.ndarray) -> float:
    """Credit of some masked records, each compared with all originals."""
    steps = StepDistances.of(columns)
    tables = [steps.table(column) / scale for column, scale in enumerate(steps.scales)]
    originals = np.ascontiguousarray(columns.codes.T, dtype=np.intp)
    credit = 0.0
    for row in rows:
        distances = tables[0][masked[row, 0]].take(originals[0])
        for column in range(1, columns.n_columns):
            distances += tables[column][masked[row, column]].take(originals[column])
        is_nearest = distances <= distances.min() + 1e-12
        credit += is_nearest[row] / is_nearest.sum()
    return credit


def from_scratch(case: Case, accelerator: str) -> Call:
    evaluator = MaskingEvaluator(case.columns, accelerator=accelerator)
    return lambda: evaluator.measure(case.masked).figures()


def tried_cell(case: Case) -> Call:
    cell, value = next(case.cells)
    state = case.states["numba"]
    return lambda: (state.apply(cell, value).figures(), state.undo().figures())


def one_cell(case: Case) -> Call:
    cell, value = next(case.cells)
    return lambda: case.states["numba"].apply(cell, value).figures()


def check(case: Case, results: Mapping[str, Any]) -> None:
    """All ways to measure agree, and changed cells leave no trace when they are undone."""
    require(
        np.allclose(results["numpy"], results["numba"], rtol=1e-12, atol=1e-12),
        "numpy and numba disagree",
    )
    for accelerator in ("numpy", "numba"):
        evaluator = MaskingEvaluator(case.columns, accelerator=accelerator)
        state = evaluator.measure(case.masked)
        for cell, value in itertools.islice(random_cells(case.columns), CHANGED):
            state.apply(cell, value).figures()
        whole = evaluator.measure(state.codes).figures()
        require(state.figures() == whole, "changed cells and a full evaluation disagree")
        for _ in range(CHANGED):
            state.undo()
        require(state.figures() == results[accelerator], "undone cells leave a trace")
    german = masking_set("german").categorical
    masked = randomized(german, 2)
    plain = 100 * plain_linkage(german, masked, np.arange(german.n_rows)) / german.n_rows
    found = MaskingEvaluator(german).measure(masked).figures().DBRL
    require(abs(plain - found) <= 1e-9, "the plain linkage and DBRL disagree")


def check_state(case: Case, results: Mapping[str, Any]) -> None:
    """The state measures as its codes do from scratch."""
    (state,) = case.states.values()
    whole = MaskingEvaluator(case.columns, accelerator="numba").measure(state.codes).figures()
    require(results["one cell"] == whole, "a changed cell and a full evaluation disagree")
    require(results["copy of the state"].figures() == whole, "a copied state measures otherwise")


@dataclass(frozen=True)
class Numbers:
    """A numeric file with its rows in another order, and a cell for each change."""

    original: np.ndarray
    evaluators: dict[str, ContinuousMaskingEvaluator]
    states: dict[str, Any]
    rows: Iterator[int]

    @classmethod
    def of(cls, name: str) -> Numbers:
        """One of the CASC files."""
        original = ao.get_problem(f"{name}-masking").evaluator.original
        masked = original[np.random.default_rng(1).permutation(len(original))]
        evaluators = {
            accelerator: ContinuousMaskingEvaluator(original, accelerator=accelerator)
            for accelerator in ("numpy", "auto")
        }
        states = {name: evaluator.measure(masked) for name, evaluator in evaluators.items()}
        return cls(original, evaluators, states, itertools.cycle(range(len(original))))


def numbers_from_scratch(case: Numbers, accelerator: str) -> Call:
    masked = case.states[accelerator].masked
    return lambda: case.evaluators[accelerator].measure(masked).figures()


def one_number(case: Numbers, accelerator: str) -> Call:
    row = next(case.rows)
    cell = row * case.original.shape[1]
    value = case.original[row, 0]
    return lambda: case.states[accelerator].apply([cell], [value]).figures()


def check_numbers(case: Numbers, results: Mapping[str, Any]) -> None:
    """A changed file measures as it does from scratch."""
    for accelerator, evaluator in case.evaluators.items():
        whole = evaluator.measure(case.states[accelerator].masked).figures()
        found = results[f"one cell, {accelerator}"]
        require(found == whole, "a changed cell and a full evaluation disagree")


@dataclass(frozen=True)
class ManyRows:
    """Rows of Adult drawn with replacement, masked, and a population of masked files."""

    original: MaskingSet
    evaluator: MaskingEvaluator
    state: MaskingState
    genomes: np.ndarray

    @classmethod
    def of(cls, n_rows: int) -> ManyRows:
        """So many rows, and a population of files."""
        adult = masking_set("adult")
        rows = np.random.default_rng(1).integers(0, len(adult.frame), n_rows)
        frame = adult.frame.iloc[rows].reset_index(drop=True)
        problem = MaskingProblem(frame, columns=adult.columns, ordinal=adult.ordinal)
        files = [randomized(problem.columns, seed) for seed in range(POPULATION)]
        genomes = np.array([file.ravel() for file in files]).astype(problem.space.dtype)
        state = problem.evaluator.measure(files[0])
        return cls(problem.original, problem.evaluator, state, genomes)

    def changed(self, share: float) -> np.ndarray:
        """The first rows, this share of all, as they are in another file."""
        codes = self.state.codes
        return self.genomes[1].reshape(codes.shape)[: max(1, int(share * len(codes)))]


def many_from_scratch(case: ManyRows) -> Call:
    return lambda: case.evaluator.measure(case.state.codes).figures()


def changed_rows(case: ManyRows, share: float) -> Call:
    rows = case.changed(share)
    return lambda: case.state.with_rows(rows, 0).figures()


def population(case: ManyRows, workers: int) -> Call:
    problem = MaskingProblem(case.original, workers=workers)
    return lambda: problem.evaluate(case.genomes)


def check_many_rows(case: ManyRows, results: Mapping[str, Any]) -> None:
    """Files with changed rows measure as from scratch, and threads change nothing."""
    for share in CHANGED_SHARES:
        codes, rows = case.state.codes.copy(), case.changed(share)
        codes[: len(rows)] = rows
        whole = case.evaluator.measure(codes).figures()
        require(results[f"{share:.1%} of the rows changed"] == whole, "changed rows disagree")
    one, two = (results[f"population, {label}"] for label in ("one thread", "two threads"))
    require(np.array_equal(one, two), "two threads measure otherwise")


BENCHMARKS = (
    Benchmark(
        name="measures of a masked file",
        unit="file",
        sizes={"48842 rows": 48842},
        quick={"1000 rows": 1000},
        setup=Case.of,
        ways={
            "row by row, DBRL alone": Way(
                start=lambda case: partial(plain_linkage, case.columns, case.masked, case.records),
                units=lambda case: len(case.records) / case.columns.n_rows,
                repeats=3,
            ),
            "numpy": Way(start=partial(from_scratch, accelerator="numpy"), repeats=100),
            "numba": Way(start=partial(from_scratch, accelerator="numba"), repeats=100),
            "tables of the original": Way(
                start=lambda case: partial(MaskingEvaluator, case.columns), repeats=3
            ),
        },
        check=check,
        goals=[
            Goal(way="numpy", seconds=4e-3),
            Goal(way="numba", seconds=0.8e-3),
            Goal(way="numba", faster=5000, than="row by row, DBRL alone"),
        ],
        compare="median",
    ),
    Benchmark(
        name="measures after a change",
        unit="change",
        sizes={"30162 rows": 30162},
        quick={"1000 rows": 1000},
        setup=Case.of,
        ways={
            "from scratch": Way(start=partial(from_scratch, accelerator="numba"), repeats=200),
            "one cell": Way(start=one_cell, repeats=3000),
            "one cell, and back": Way(start=tried_cell, repeats=3000),
            "copy of the state": Way(start=lambda case: case.states["numba"].copy, repeats=200),
        },
        check=check_state,
        goals=[
            Goal(way="one cell", faster=24, than="from scratch"),
            Goal(way="one cell", seconds=6e-6),
        ],
        compare="median",
    ),
    Benchmark(
        name="a masked file of many rows",
        unit="file",
        sizes={"1000000 rows": 1_000_000},
        quick={"1000 rows": 1000},
        setup=ManyRows.of,
        ways={
            "from scratch": Way(start=many_from_scratch, repeats=10),
            **{
                f"{share:.1%} of the rows changed": Way(
                    start=partial(changed_rows, share=share), repeats=10
                )
                for share in CHANGED_SHARES
            },
            "population, one thread": Way(
                start=partial(population, workers=1), units=POPULATION, repeats=10
            ),
            "population, two threads": Way(
                start=partial(population, workers=2), units=POPULATION, repeats=10
            ),
        },
        check=check_many_rows,
        goals=[
            Goal(way="from scratch", seconds=40e-3),
            Goal(
                way=f"{CHANGED_SHARES[0]:.1%} of the rows changed", faster=10, than="from scratch"
            ),
            Goal(way="population, two threads", faster=1.8, than="population, one thread"),
        ],
    ),
    Benchmark(
        name="measures of a numeric file",
        unit="change",
        sizes={name: name for name in ("census", "tarragona", "eia")},
        quick={"census": "census"},
        setup=Numbers.of,
        ways={
            f"{label}, {accelerator}": Way(
                start=partial(start, accelerator=accelerator), repeats=50
            )
            for accelerator in ("numpy", "auto")
            for label, start in (("from scratch", numbers_from_scratch), ("one cell", one_number))
        },
        check=check_numbers,
        compare="median",
    ),
)
