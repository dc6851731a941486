"""Items of Chapter 3, evolutionary masking of whole files, in the order of the thesis."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np

from anonopt.data.columns.gray_codes import gray_encode
from anonopt.experiments.items.item import Item, Printed
from anonopt.experiments.papers.mares import chapter_3_categorical as categorical
from anonopt.experiments.papers.mares import chapter_3_continuous as continuous
from anonopt.experiments.papers.mares import chapter_3_starting_files as starting_files
from anonopt.experiments.papers.mares import chapter_3_times as times

TABLE_3_1 = {
    (1500, 1000): ("11100110010", "1000011100", "10100101110"),
    (1500, 1900): ("11100110010", "10011011010", "1111101000"),
    (12, 7): (None, "1010", "100"),
    (7, 12): (None, "100", "1010"),
}
"""By masked and original number: their Gray codes and the genome, in binary."""

SHIFTED = (
    "Eq. 3.1 is xor(graycode(x'), graycode(x)), which is 1110 both ways; the rows of 12 and 7 hold "
    "the codes of the two numbers, 1010 and 100, one column too far to the right"
)

ORIGINAL = ((1, 3, 1, 5, 9), (5, 2, 2, 6, 7), (4, 8, 3, 4, 9), (1, 6, 5, 8, 2), (4, 7, 2, 1, 2))
MASKED = ((1, 2, 1, 5, 7), (9, 1, 2, 3, 5), (4, 1, 9, 8, 9), (1, 6, 7, 9, 1), (3, 1, 2, 7, 2))
"""Files of Figure 3.1."""

GENOMES = (
    ("0000", "0001", "0000", "0000", "1001"),
    ("1010", "0010", "0000", "0111", "0011"),
    ("0000", "1101", "1111", "1010", "0000"),
    ("0000", "0000", "0011", "0001", "0010"),
    ("0100", "0101", "0000", "0101", "0000"),
)
"""Genomes of Figure 3.1, in binary."""

CELLS = tuple(product(range(5), range(5)))


def table_3_1(seed: int, quick: bool) -> Mapping[str, float]:
    """Gray codes and genomes, their binary digits read as a number."""
    found = {}
    for masked, original in TABLE_3_1:
        codes = gray_encode([masked, original])
        numbers = (*codes, codes[0] ^ codes[1])
        for part, number in zip(_parts(masked, original), numbers, strict=True):
            found[part] = _digits(number)
    return found


def figure_3_1(seed: int, quick: bool) -> Mapping[str, float]:
    """Genomes of a file, their binary digits read as a number."""
    genomes = gray_encode(np.array(MASKED)) ^ gray_encode(np.array(ORIGINAL))
    return {_cell(i, j): _digits(genomes[i, j]) for i, j in CELLS}


def _digits(number: int) -> int:
    return int(f"{number:b}")


def _parts(masked: int, original: int) -> tuple[str, str, str]:
    pair = f"{masked} given {original}"
    return f"{pair}, graycode(x')", f"{pair}, graycode(x)", f"{pair}, genome"


def _cell(row: int, column: int) -> str:
    return f"row {row + 1}, column {column + 1}"


def _printed_table_3_1() -> tuple[Printed, ...]:
    return tuple(
        Printed(label=part, value=value, why=SHIFTED if 12 in pair else "")
        for pair, values in TABLE_3_1.items()
        for part, value in zip(_parts(*pair), values, strict=True)
    )


ITEMS: tuple[Item, ...] = (
    Item(
        name="table-3-1",
        title="Genomes of numbers, in binary",
        printed=_printed_table_3_1(),
        measure=table_3_1,
    ),
    Item(
        name="figure-3-1",
        title="Genomes of a file, in binary",
        printed=[Printed(label=_cell(i, j), value=GENOMES[i][j]) for i, j in CELLS],
        measure=figure_3_1,
    ),
    starting_files.SWAPPED,
    *continuous.TABLE,
    starting_files.DISPLACED_START,
    *continuous.FIGURES,
    times.TABLE_3_3,
    categorical.POPULATIONS,
    *categorical.SCORES,
    times.CATEGORICAL,
    *categorical.ROBUSTNESS,
)
