"""Synthetic people: a table of any number of rows and quasi-identifiers, for trying out scale.

Nobody is in it. How it is drawn: there is a number of profiles, combinations of values of all
quasi-identifiers. In a profile a column has, in half of the cases, the rank of the profile, else
one of its own, so that columns depend on each other; every second column is skewed. A row has one
of the profiles: each of the ranges 1 to 2, 2 to 4, 4 to 8 ... of their numbers is equally
likely, so that some profiles are frequent and half of them are rare (Zipf's law, in steps). The
diagnosis is that of the profile in half of the rows.

Words come from the raw 64-bit numbers of PCG64, which NumPy promises never to change, and
everything is computed in whole numbers: the table is the same on every machine. Blocks of rows are
drawn on their own, so a table of any size is written in the memory of one block, and the first n
rows are the same however many follow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from anonopt._checks import check_integer, check_number
from anonopt._registry import loaded
from anonopt._typing import IntArray, WordArray
from anonopt.data.hierarchies.hierarchy import Hierarchy
from anonopt.data.microdata import Microdata

BLOCK = 1 << 18
"""Rows that are drawn together."""

LATENT, PROFILES, DIAGNOSES, ROWS = range(4)
"""What is drawn."""

DIAGNOSES_NAMES = tuple(f"diagnosis {number:02}" for number in range(1, 21))


@dataclass(frozen=True)
class _Kind:
    """A kind of column: its values, and how they are generalized."""

    values: tuple[object, ...]
    hierarchy: Callable[[tuple[Any, ...]], Hierarchy]


def _grouped(*sizes: int) -> Callable[[tuple[Any, ...]], Hierarchy]:
    """Groups of neighbors with short names; each size is of leaves."""

    def hierarchy(values: tuple[Any, ...]) -> Hierarchy:
        levels: list[list[object]] = [list(values)]
        for size in sizes:
            levels.append([f"{values[i // size * size]} ..." for i in range(len(values))])
        return Hierarchy([*levels, ["*"] * len(values)])

    return hierarchy


def _texts(name: str, number: int) -> tuple[object, ...]:
    return tuple(f"{name} {place:02}" for place in range(1, number + 1))


_KINDS: dict[str, _Kind] = {
    "age": _Kind(
        tuple(range(18, 108)), lambda values: Hierarchy.intervals(values, width=5, fan_outs=[2, 2])
    ),
    "postcode": _Kind(tuple(f"{place:03}" for place in range(1000)), Hierarchy.text),
    "sex": _Kind(("female", "male"), _grouped()),
    "job": _Kind(_texts("job", 50), _grouped(5)),
    "education": _Kind(_texts("degree", 16), _grouped(4)),
    "status": _Kind(_texts("status", 6), _grouped(3)),
    "origin": _Kind(_texts("country", 40), _grouped(5)),
    "income": _Kind(
        tuple(range(10, 70)), lambda values: Hierarchy.intervals(values, width=5, fan_outs=[2])
    ),
}


@dataclass(frozen=True, kw_only=True)
class SyntheticTable:
    """A table of any size, always the same, that is drawn when it is written or asked for.

    Parameters
    ----------
    n_rows : int
    n_columns : int
        Quasi-identifiers, 1 to 1,000; after eight they come again with a number: ``"age 2"``.
    profiles : int
        Most distinct combinations of them; rows of a table that is much larger than this have
        nearly as many.
    missing : float
        Share of missing cells of the quasi-identifiers, 0..1.
    seed : int

    Raises
    ------
    TypeError, ValueError
        If an argument is no such number.

    Examples
    --------
    >>> people = SyntheticTable(n_rows=3, n_columns=2)
    >>> people.frame()
       id  age postcode     diagnosis
    0   0   95      293  diagnosis 09
    1   1   46      994  diagnosis 13
    2   2   87      399  diagnosis 18
    >>> people.table().lattice.size
    20
    """

    n_rows: int
    n_columns: int = 8
    profiles: int = 500_000
    missing: float = 0.0
    seed: int = 1

    def __post_init__(self) -> None:
        check_integer("n_rows", self.n_rows, least=1)
        check_integer("n_columns", self.n_columns, least=1, most=1000)
        check_integer("profiles", self.profiles, least=1, most=1 << 31)
        check_integer("seed", self.seed, least=0)
        if not 0.0 <= check_number("missing", self.missing) <= 1.0:
            raise ValueError(f"missing: expected a share in 0..1, found {self.missing!r}")

    @property
    def sensitive(self) -> str:
        """The sensitive column, of 20 values."""
        return "diagnosis"

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The column that numbers the rows from 0."""
        return ("id",)

    @cached_property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """Names of the quasi-identifiers."""
        kinds, found = list(_KINDS), []
        for number in range(self.n_columns):
            turn, place = divmod(number, len(kinds))
            found.append(kinds[place] if turn == 0 else f"{kinds[place]} {turn + 1}")
        return tuple(found)

    def hierarchies(self) -> dict[str, Hierarchy]:
        """Hierarchy of each quasi-identifier."""
        made = {name: kind.hierarchy(kind.values) for name, kind in _KINDS.items()}
        return {name: made[name.partition(" ")[0]] for name in self.quasi_identifiers}

    def frame(self, start: int = 0, stop: int | None = None) -> pd.DataFrame:
        """Rows from `start` up to `stop`, all by default.

        Returns
        -------
        DataFrame (stop - start, n_columns + 2)
            ``id``, the quasi-identifiers, ``diagnosis``; numbers and categories. Rows are numbered
            from `start`.

        Raises
        ------
        ValueError
            If the table has no such rows.
        """
        last = self.n_rows if stop is None else stop
        check_integer("stop", last, least=1, most=self.n_rows)
        check_integer("start", start, least=0, most=last - 1)
        blocks = range(start // BLOCK, -(-last // BLOCK))
        rows = [self._rows(block) for block in blocks]
        wanted = slice(start - blocks[0] * BLOCK, last - blocks[0] * BLOCK)
        profiles, diagnoses = (np.concatenate(parts)[wanted] for parts in zip(*rows, strict=True))
        columns: dict[str, Any] = {"id": np.arange(start, last)}
        for name, codes in zip(self.quasi_identifiers, self._codes, strict=True):
            columns[name] = self._cells(name, codes[profiles])
        columns[self.sensitive] = _categories(diagnoses.astype(np.int8), DIAGNOSES_NAMES)
        return pd.DataFrame(columns, index=pd.RangeIndex(start, last))

    def table(self) -> Microdata:
        """The whole table in memory, with its roles and hierarchies."""
        return Microdata(
            self.frame(),
            quasi_identifiers=list(self.quasi_identifiers),
            hierarchies=dict(self.hierarchies()),
            sensitive=self.sensitive,
            identifiers=list(self.identifiers),
        )

    def write(self, path: str | PathLike[str], *, group_rows: int = 1_000_000) -> Path:
        """Write the table to a Parquet file, one group of rows after the other.

        Parameters
        ----------
        path : path
            Replaced when everything is written; until then it stays as it is.
        group_rows : int
            Rows of a group: what is held in memory.

        Returns
        -------
        Path

        Raises
        ------
        ModuleNotFoundError
            If the extra ``scale`` is not installed (says how to install it).
        ValueError, OSError
            If the file cannot be written.
        """
        check_integer("group_rows", group_rows, least=1)
        write = loaded("anonopt.data.tables.parquet_files:write_groups")
        starts = range(0, self.n_rows, group_rows)
        groups = (self.frame(at, min(at + group_rows, self.n_rows)) for at in starts)
        write(path, groups)
        return Path(path)

    def _cells(self, name: str, codes: npt.NDArray[np.int16]) -> Any:
        values = self._values(name)
        if isinstance(values[0], str):
            return _categories(codes, values)
        cells = np.array(values, dtype=np.int64)[codes]
        return pd.arrays.IntegerArray(cells, codes < 0) if self.missing else cells

    def _values(self, name: str) -> tuple[Any, ...]:
        return _KINDS[name.partition(" ")[0]].values

    def _draw(self, what: int, number: int, size: int) -> WordArray:
        seeds = np.random.SeedSequence([self.seed, what, number])
        return np.random.PCG64(seeds).random_raw(size)

    @cached_property
    def _codes(self) -> list[npt.NDArray[np.int16]]:
        """Value of each column in each profile, -1 where it is missing, (profiles,) each."""
        latent = self._draw(LATENT, 0, self.profiles) >> np.uint64(32)
        found = []
        for number, name in enumerate(self.quasi_identifiers):
            drawn = self._draw(PROFILES, number, self.profiles)
            own, is_latent = drawn >> np.uint64(32), (drawn & np.uint64(1)).astype(bool)
            ranks = np.where(is_latent, latent, own)
            if number % 2:
                ranks = (ranks * ranks) >> np.uint64(32)
            codes = _scaled(ranks, len(self._values(name))).astype(np.int16)
            if self.missing:
                is_missing = (drawn >> np.uint64(1)) & np.uint64((1 << 24) - 1)
                codes[is_missing < round(self.missing * (1 << 24))] = -1
            found.append(codes)
        return found

    def _rows(self, block: int) -> tuple[IntArray, IntArray]:
        """Profile and diagnosis of each row of a block, (BLOCK,) each."""
        drawn = self._draw(ROWS, block, BLOCK)
        n_ranges = self.profiles.bit_length()
        ends = np.array([self.profiles >> shift for shift in range(n_ranges + 1)])
        part = _scaled(drawn >> np.uint64(32), n_ranges)
        low, width = ends[part + 1], (ends[:-1] - ends[1:])[part]
        inside = (drawn & np.uint64(0xFFFFFFFF)).astype(np.int64)
        profiles = low + ((inside * width) >> 32)
        drawn = self._draw(DIAGNOSES, block, BLOCK)
        own = _scaled(drawn >> np.uint64(32), len(DIAGNOSES_NAMES))
        diagnoses = np.where(drawn & np.uint64(1), profiles % len(DIAGNOSES_NAMES), own)
        return profiles, diagnoses


def _scaled(ranks: WordArray, number: int) -> IntArray:
    """Whole numbers below `number`."""
    return ((ranks * np.uint64(number)) >> np.uint64(32)).astype(np.int64)


def _categories(codes: npt.NDArray[np.signedinteger[Any]], values: tuple[Any, ...]) -> Any:
    return pd.Categorical.from_codes(codes, categories=pd.Index(list(values)))
