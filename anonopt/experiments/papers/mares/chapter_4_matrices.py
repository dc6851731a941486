"""Items of Chapter 4: PRAM matrices, their encoding, and what they do to the attribute DEGREE.

The Housing survey is not public, but the thesis prints the frequencies of DEGREE (Table 4.2), and
what follows from them alone is computed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt._typing import FloatArray, IntArray
from anonopt.data.columns.gray_codes import gray_decode
from anonopt.experiments.items.item import Item, Printed
from anonopt.experiments.papers.mares import chapter_4_invariance, degree
from anonopt.masking import PRAM, pram_matrix
from anonopt.measures.categorical.expectation_ratios import expectation_ratios
from anonopt.operators import GrayBitFlip, RangeSwapCrossover
from anonopt.problems.spaces import Matrices

LAST_DIGIT = 0.001
"""Tolerance of numbers that are cut after the third decimal where others are rounded."""

CUT = "the print cuts the last digit here, and rounds it elsewhere"

NOT_PRINTED = (
    "the row is that of a matrix which a search ended with (Section 4.1.5); neither the matrix nor "
    "the survey is public"
)

FIGURE_4_1 = (
    ("0.185", "0.283", "0.532"),
    ("0.609", "0.089", "0.302"),
    ("0.002", "0.277", "0.721"),
)
INTEGERS = ("185", "283", "532", "609", "89", "302", "2", "277", "721")
BINARY = (
    *("0010111001", "0100011011", "1000010100"),
    *("1001100001", "0001011001", "0100101110"),
    *("0000000010", "0100010101", "1011010001"),
)
GRAY = (
    *("0011100101", "0110010110", "1100011110"),
    *("1101010001", "0001110101", "0110111001"),
    *("0000000011", "0110011111", "1110111001"),
)
MUTATED = (*GRAY[:3], "1101011001", *GRAY[4:])
"""Figure 4.2."""

CROSSED = (*GRAY[:3], *GRAY[7:], *GRAY[5:7], *GRAY[3:5])
"""Figure 4.3."""


def _bits(numbers: IntArray) -> list[float]:
    """Ten bits of numbers, read as decimal digits, as they are printed."""
    return [float(f"{number:010b}") for number in numbers.tolist()]


def figure_4_1(seed: int, quick: bool) -> Mapping[str, float]:
    """Numbers, bits and Gray codes of a matrix."""
    codes = Matrices([["a", "b", "c"]], "gray").encode([np.array(FIGURE_4_1, dtype=np.float64)])
    numbers = gray_decode(codes)
    found: dict[str, float] = {}
    for kind, values in (
        ("integer", numbers.tolist()),
        ("binary", _bits(numbers)),
        ("Gray", _bits(codes)),
    ):
        found |= {
            f"{kind} of {place}": value for place, value in zip(_places(), values, strict=True)
        }
    return found


def figures_4_2_and_4_3(seed: int, quick: bool) -> Mapping[str, float]:
    """What a mutation and a crossover of the matrix of Figure 4.1 change."""
    generator = np.random.default_rng(seed)
    genome = np.array([int(code, 2) for code in GRAY])
    problem = Problem(n_var=len(genome), n_obj=1, xl=0, xu=1023)
    parent = Population.new("X", genome[np.newaxis])
    child = GrayBitFlip()(problem, parent, random_state=generator)[0].X
    crossed = RangeSwapCrossover()(problem, [parent], random_state=generator)[0].X
    return {
        "numbers that a mutation changes": float(np.count_nonzero(child != genome)),
        "bits that a mutation changes": float(
            sum((one ^ other).bit_count() for one, other in _pairs(child, genome))
        ),
        "numbers that a crossover moves": float(np.count_nonzero(crossed != genome)),
        "numbers after a crossover that were not there": float(np.setdiff1d(crossed, genome).size),
    }


def _pairs(one: IntArray, other: IntArray) -> Iterator[tuple[int, int]]:
    return zip(one.tolist(), other.tolist(), strict=True)


def _places() -> list[str]:
    return [f"row {row}, column {column}" for row in range(1, 4) for column in range(1, 4)]


def _differences() -> list[Printed]:
    """What the children that Figures 4.2 and 4.3 print differ in from their parent."""
    parent = [int(code, 2) for code in GRAY]
    child = [int(code, 2) for code in MUTATED]
    crossed = [int(code, 2) for code in CROSSED]
    flipped = [one ^ other for one, other in zip(parent, child, strict=True)]
    moved = sum(one != other for one, other in zip(parent, crossed, strict=True))
    return [
        Printed(label="numbers that a mutation changes", value=str(sum(map(bool, flipped)))),
        Printed(
            label="bits that a mutation changes", value=str(sum(one.bit_count() for one in flipped))
        ),
        Printed(label="numbers that a crossover moves", value=str(moved)),
        Printed(
            label="numbers after a crossover that were not there",
            value=str(len(set(crossed) - set(parent))),
        ),
    ]


def table_4_1(seed: int, quick: bool) -> Mapping[str, float]:
    """Frequency matrix of the printed frequencies (Eq. 2.3)."""
    matrix = pram_matrix("frequency", degree.FREQUENCIES, p=0.5)
    return {label: matrix[place] for label, place in _cells()}


def _cells() -> list[tuple[str, tuple[int, int]]]:
    return [
        (f"'{before}' -> '{after}'", (row, column))
        for row, before in enumerate(degree.CATEGORIES)
        for column, after in enumerate(degree.CATEGORIES)
    ]


def table_4_2(seed: int, quick: bool) -> Mapping[str, float]:
    """Sum of the printed frequencies."""
    return {"sum of the frequencies": float(sum(degree.FREQUENCIES))}


def printed_matrix() -> FloatArray:
    """Matrix of Table 4.6, rows divided by their sums, as Section 4.1.3 does."""
    size = len(degree.CATEGORIES)
    matrix = np.array(degree.TABLE_4_6.split(), dtype=np.float64).reshape(size, size)
    return np.asarray(matrix / matrix.sum(axis=1, keepdims=True))


def table_4_7(seed: int, quick: bool) -> Mapping[str, float]:
    """Frequencies of a file of DEGREE that the matrix of Table 4.6 masks."""
    categories = pd.Categorical(
        np.repeat(degree.CATEGORIES, degree.FREQUENCIES), degree.CATEGORIES, ordered=True
    )
    frame = pd.DataFrame({"DEGREE": categories})
    masked = PRAM(printed_matrix(), random_state=seed).fit_transform(frame)["DEGREE"]
    counts = masked.value_counts()
    return {f"final frequency of '{one}'": float(counts[one]) for one in degree.CATEGORIES}


def tables_4_8_and_4_9(seed: int, quick: bool) -> Mapping[str, float]:
    """Expectation ratios as the thesis sums them, of the initial and of the invariant matrix."""
    return {
        f"{name}, '{i}'": ratio
        for name, matrix in chapter_4_invariance.matrices(degree.RATED).items()
        for i, ratio in enumerate(
            expectation_ratios(matrix, degree.RATED, as_printed=True).tolist(), start=1
        )
    }


def _printed_ratios(pair: str) -> list[Printed]:
    """Numbers of Table 4.8 or 4.9."""
    rows = []
    for name, text in degree.FIRST_ROWS.items():
        for i, value in enumerate(text.split(), start=1):
            label = f"{name}, '{i}'"
            rows.append(
                Printed(
                    label=label,
                    value=value,
                    tolerance=LAST_DIGIT if name == degree.INITIAL else 0.0,
                    why=CUT,
                )
            )
    for name, text in degree.EVOLVED_ROWS[pair].items():
        for i, value in enumerate(text.split(), start=1):
            label = f"{name}, '{i}'"
            rows.append(Printed(label=label, value=value, comparable=False, why=NOT_PRINTED))
    return rows


ITEMS: tuple[Item, ...] = (
    Item(
        name="figure-4-1",
        title="Encoding of a matrix: thousandths, bits and Gray codes (bits read as digits)",
        printed=[
            Printed(label=f"{kind} of {place}", value=value)
            for kind, values in (("integer", INTEGERS), ("binary", BINARY), ("Gray", GRAY))
            for place, value in zip(_places(), values, strict=True)
        ],
        measure=figure_4_1,
    ),
    Item(
        name="figures-4-2-4-3",
        title="Mutation and crossover of the matrix of Figure 4.1",
        printed=_differences(),
        measure=figures_4_2_and_4_3,
        n_seeds=50,
        n_quick=50,
    ),
    Item(
        name="table-4-1",
        title="Frequency matrix of DEGREE, p = 0.5 (Eq. 2.3)",
        printed=[
            Printed(label=label, value=value, tolerance=LAST_DIGIT, why=CUT)
            for (label, _), value in zip(_cells(), degree.TABLE_4_1.split(), strict=True)
        ],
        measure=table_4_1,
    ),
    Item(
        name="table-4-2",
        title="Frequencies of DEGREE, from which Tables 4.1 and 4.6 to 4.9 are computed here",
        printed=[
            Printed(label="sum of the frequencies", value="1000"),
            *(
                Printed(
                    label=f"frequency of '{category}'",
                    value=str(count),
                    comparable=False,
                    why="the Housing survey is not public; the printed frequencies are taken",
                )
                for category, count in zip(degree.CATEGORIES, degree.FREQUENCIES, strict=True)
            ),
        ],
        measure=table_4_2,
    ),
    Item(
        name="tables-4-6-4-7",
        title="Frequencies of DEGREE after masking with the printed final matrix",
        printed=[
            *(
                Printed(
                    label=f"final frequency of '{category}'",
                    value=value,
                    why="one file is drawn at random; ours are 100 files",
                )
                for category, value in zip(degree.CATEGORIES, degree.TABLE_4_7, strict=True)
            ),
            Printed(
                label="the 64 entries of Table 4.6",
                value=None,
                why="a search on the Housing survey ended with them, which is not public; here "
                "they are what masks",
            ),
        ],
        measure=table_4_7,
        n_seeds=100,
        n_quick=100,
    ),
    *(
        Item(
            name=name,
            title=f"Expectation ratios of {pair}",
            printed=_printed_ratios(pair),
            measure=tables_4_8_and_4_9,
        )
        for name, pair in (("table-4-8", "DEGREE-SCH"), ("table-4-9", "DEGREE-METRO"))
    ),
    *chapter_4_invariance.ITEMS,
)
