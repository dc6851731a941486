"""Tables and hierarchies in CSV: every dialect, cells of every kind, and damage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from anonopt.cli.columns import number_columns
from anonopt.data import Hierarchy
from anonopt.data.tables.table_files import TableFile
from tests.fuzz.mutations import mutated

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252")
SEPARATORS = (",", ";", "\t", "|")
LINE_ENDS = ("\n", "\r\n", "\r")
NAMES = ("age", "zip", "größe", "a b", 'say "x"', "x,y", "1", "", "age ")
TEXTS = ("North", "Zürich", "a;b", "a,b", 'quo"te', "two\nlines", "*", "[20,30)", "true", "{a, b}")
SPELLINGS = ("", "NA", "N/A", "NaN", "NULL", ".", "None", "<missing>")
ODD_NUMBERS = (
    "1e400",
    "1e999999999",
    "-1e-999999999",
    "9" * 309,
    "9" * 5000,
    "inf",
    "-0",
    "0x1F",
    "1_000",
    "1.234,5",
    "٣",
    "007",
    "+5",
    " 7 ",
)
WORDS = (
    b'"',
    b'""',
    b",",
    b";",
    b"\r",
    b"\n",
    b"\r\n",
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\x81",
    b"\x1a",
    b"\xe2\x80\xa8",
    b"=1+1",
    b"1e999999999",
    b"NA",
    b"x" * 200_000,
    b"9" * 5000,
    b"," * 2000,
    b"4/5/2014",
)


def table(generator: np.random.Generator) -> bytes:
    """A table with a header line."""
    n_rows, n_columns = int(generator.integers(0, 9)), int(generator.integers(1, 5))
    names = [str(name) for name in generator.choice(NAMES, n_columns, replace=False)]
    columns = [_cells(generator, n_rows) for _ in names]
    return _perhaps_damaged(_written([names, *zip(*columns, strict=True)], generator), generator)


def hierarchy(generator: np.random.Generator) -> bytes:
    """A hierarchy of one leaf a line."""
    fan_outs = generator.integers(1, 4, size=int(generator.integers(0, 4))).tolist()
    paths: list[list[str]] = [["*"]]
    for depth, fan_out in enumerate(fan_outs):
        stem = str(generator.choice(["g", "größe ", "a,b", 'x"', "1"]))
        paths = [
            [f"{stem}{depth}{child}.{number}", *path]
            for number, path in enumerate(paths)
            for child in range(fan_out)
        ]
    if generator.random() < 0.5:
        paths = [[f"level{n}" for n in range(len(fan_outs) + 1)], *paths]
    if generator.random() < 0.2:
        paths = [paths[place] for place in generator.permutation(len(paths))]
    return _perhaps_damaged(_written(paths, generator), generator)


def read_table(path: Path) -> TableFile:
    """Read the table, its numbers, and what is written of it."""
    made = TableFile.read(path)
    number_columns(made, [name for name, kind in made.kinds.items() if kind == "numbers"])
    again = path.with_suffix(".again")
    again.write_bytes(made.content(made.frame))
    dialect = made.dialect
    reread = TableFile.read(
        again,
        separator=dialect.separator,
        encoding=dialect.encoding,
        decimal=dialect.decimal,
        missing=dialect.missing,
    )
    assert reread.frame.astype(object).equals(made.frame.astype(object)) or _is_told(made)
    return made


def _is_told(made: TableFile) -> bool:
    """Whether a spelling means something else in another column, so that naming it for all of them
    reads another table."""
    return bool(made.dialect.missing)


def read_hierarchy(path: Path) -> Any:
    """Read the hierarchy, and what is written of it."""
    made = Hierarchy.from_csv(path)
    again = path.with_suffix(".again")
    made.to_csv(again)
    assert Hierarchy.from_csv(again, header=True) == made
    return made


def _cells(generator: np.random.Generator, n_rows: int) -> list[str]:
    """Cells of one kind, some of them missing or odd."""
    kind = int(generator.integers(6))
    cells = [_cell(kind, generator) for _ in range(n_rows)]
    odd = (SPELLINGS, ODD_NUMBERS, TEXTS)[int(generator.integers(3))]
    share = float(generator.choice([0, 0, 0.2]))
    return [str(generator.choice(odd)) if generator.random() < share else cell for cell in cells]


def _cell(kind: int, generator: np.random.Generator) -> str:
    number = int(generator.integers(-50, 20_000))
    day, month = int(generator.integers(1, 29)), int(generator.integers(1, 13))
    match kind:
        case 0:
            return str(number)
        case 1:
            return f"{number / 7:.3f}"
        case 2:
            return f"{number / 7:.2f}".replace(".", ",")
        case 3:
            return f"{day:02d}.{month:02d}.{1900 + number % 120}"
        case 4:
            return f"{number % 1000:05d}"
        case _:
            return str(generator.choice(TEXTS))


def _written(rows: list[Any], generator: np.random.Generator) -> bytes:
    """Bytes of rows in a dialect drawn at random."""
    separator = str(generator.choice(SEPARATORS))
    end = str(generator.choice(LINE_ENDS))
    quotes_all = bool(generator.integers(2))
    lines = [
        separator.join(_field(str(cell), separator, quotes_all=quotes_all) for cell in row)
        for row in rows
    ]
    text = end.join(lines) + end * int(generator.integers(2))
    encoding = str(generator.choice(ENCODINGS))
    return text.encode(encoding, errors="replace")


def _field(text: str, separator: str, *, quotes_all: bool) -> str:
    needs_quotes = quotes_all or any(character in text for character in (separator, '"', "\n"))
    return '"' + text.replace('"', '""') + '"' if needs_quotes else text


def _perhaps_damaged(content: bytes, generator: np.random.Generator) -> bytes:
    return content if generator.random() < 0.4 else mutated(content, generator, words=WORDS)
