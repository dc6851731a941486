"""Reading and writing hierarchies as CSV, strictly: no line is guessed or lost."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Literal

from anonopt.data.output_files import write_file
from anonopt.data.tables.decoding import decoded, read_bytes
from anonopt.data.tables.dialects import Record, check_even, split_by_each

Header = bool | Literal["auto"]


def read_hierarchy(path: str | PathLike[str], *, header: Header) -> list[list[str]]:
    """Read the levels of a hierarchy from a CSV file of one leaf a line, leaf first.

    A byte order mark is skipped, quoted fields may hold separators and line ends, and empty lines
    are ignored. Of the separators, the most plausible one is taken.

    Parameters
    ----------
    path : path
    header : bool or "auto"
        Whether the first line holds names; "auto" takes it for names if they are
        ``level0`` to ``levelN``.

    Returns
    -------
    list of H + 1 lists of text, each (n_lines,)

    Raises
    ------
    ValueError
        If the file is empty, its encoding is not known, it is not CSV, or a line has another number
        of fields than line 1; names the line and both numbers.
    FileNotFoundError
        If there is no such file.
    """
    if header not in (True, False, "auto"):
        raise ValueError(f"header: expected True, False or 'auto', found {header!r}")
    name, content = read_bytes(path)
    text, _, _ = decoded(name, content, None)
    candidates = [records for _, records in split_by_each(name, text, None)]
    records = max(candidates, key=_plausibility)
    check_even(name, records)
    first = records[0].fields
    if header is True or (header == "auto" and first == level_names(len(first))):
        records = records[1:]
    if not records:
        raise ValueError(f"{path}: expected at least one leaf, found only a header")
    return [list(level) for level in zip(*(record.fields for record in records), strict=True)]


def write_hierarchy(path: str | PathLike[str], levels: Sequence[Sequence[str]]) -> None:
    """Write the levels of a hierarchy, one leaf a line below the names of the levels."""
    rows = [level_names(len(levels)), *zip(*levels, strict=True)]
    lines = [",".join(_quote(label) for label in row) + "\n" for row in rows]
    write_file(path, "".join(lines).encode("utf-8"))


def level_names(n_levels: int) -> list[str]:
    """Names of the columns of a hierarchy.

    Examples
    --------
    >>> level_names(2)
    ['level0', 'level1']
    """
    return [f"level{number}" for number in range(n_levels)]


def _quote(label: str) -> str:
    """Quote what a reader could take for a separator, a line end or an empty line.

    The csv module of Python leaves a carriage return unquoted between line feeds.
    """
    is_plain = label and not any(character in label for character in ',;"\r\n')
    return label if is_plain else '"' + label.replace('"', '""') + '"'


def _plausibility(records: Sequence[Record]) -> tuple[int, ...]:
    """Even lines, then few top values, which are one but for a header, then many levels."""
    n_fields = len(records[0].fields)
    is_even = n_fields > 1 and all(len(record.fields) == n_fields for record in records)
    n_tops = len({record.fields[-1] for record in records})
    return (is_even, -n_tops, n_fields)
