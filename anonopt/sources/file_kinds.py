"""What a file of a table is, by the end of its name: the one place that says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import NamedTuple


class FileKind(NamedTuple):
    """A kind of file that holds a table.

    Attributes
    ----------
    name : str
        ``"Parquet"`` or ``"CSV"``.
    delimiter : str
        Of CSV: what stands between cells, where nobody says another.
    """

    name: str
    delimiter: str = ""

    def __str__(self) -> str:
        return f"{self.name} with tabs" if self.delimiter == "\t" else self.name


PARQUET, CSV, TSV = FileKind("Parquet"), FileKind("CSV", ","), FileKind("CSV", "\t")

ENDINGS = {".parquet": PARQUET, ".csv": CSV, ".csv.gz": CSV, ".tsv": TSV, ".tsv.gz": TSV}
"""Kinds by the ends of names; those with ``.gz`` are compressed by gzip."""

WRITTEN = (".parquet", ".csv")
"""Ends of names of files that rows are written to some at a time."""

OTHER_FORMATS = frozenset(
    {".parquet", ".feather", ".arrow", ".orc", ".avro", ".json", ".xlsx", ".xls", ".ods", ".sav"}
    | {".gz", ".bz2", ".xz", ".zst", ".zip", ".7z", ".duckdb", ".db", ".sqlite", ".dta"}
)
"""Ends of names that promise something else than text."""


def ending_of(path: str | PathLike[str], known: Iterable[str] = tuple(ENDINGS)) -> str | None:
    """The known end of a name, whatever its case; None if it has none.

    Examples
    --------
    >>> ending_of("people.CSV.gz"), ending_of("people.txt")
    ('.csv.gz', None)
    """
    name = Path(fspath(path)).name.lower()
    return next((end for end in known if name.endswith(end) and name != end), None)


def kind_of_name(path: str | PathLike[str]) -> FileKind | None:
    """Kind of a file by its name alone; None if that is no name of a table."""
    ending = ending_of(path)
    return None if ending is None else ENDINGS[ending]


def is_of_engine(path: Path) -> bool:
    """Whether what is there can be read by an engine alone: Parquet, a folder, compressed CSV."""
    return path.is_dir() or ending_of(path) in (".parquet", ".csv.gz", ".tsv.gz")


def kind_of(path: str | PathLike[str], what: str) -> FileKind:
    r"""Kind of the files that a path names: a file, a pattern, or a folder.

    Parameters
    ----------
    path : path
        A pattern without a known end, and a folder, are of the kind of the files that they take.
    what : str
        What messages call it.

    Raises
    ------
    FileNotFoundError
        If a pattern or a folder takes no file.
    ValueError
        If a name has no known end, or a folder has files of several kinds.

    Examples
    --------
    >>> kind_of("people.tsv", "frame").delimiter
    '\t'
    >>> kind_of("people/*", "frame")
    Traceback (most recent call last):
        ...
    FileNotFoundError: frame: expected a file, a pattern or a folder, found none at people/*
    """
    given = Path(fspath(path))
    if given.is_dir():
        return kind_of_folder(given, what)
    is_pattern = any(is_magic(part) for part in given.parts)
    if given.is_file() or kind_of_name(given) is not None or (given.suffix and not is_pattern):
        return _told(given, what)
    found = sorted(matching(given))
    if not found:
        raise FileNotFoundError(
            f"{what}: expected a file, a pattern or a folder, found none at {path}"
        )
    kinds = {_told(file, what): file for file in reversed(found)}
    return _only(kinds, given)


def kind_of_folder(folder: Path, what: str) -> FileKind:
    """Kind of the tables in a folder and in those in it.

    Raises
    ------
    FileNotFoundError
        If there are none.
    ValueError
        If they are of several kinds; names one file of each.
    """
    kinds: dict[FileKind, Path] = {}
    for file in sorted(tables_in(folder)):
        kind = kind_of_name(file)
        if kind is not None:
            kinds.setdefault(kind, file)
    if not kinds:
        raise FileNotFoundError(
            f"{what}: expected a folder of files that end in {_listed(ENDINGS)}, found none in "
            f"{folder}"
        )
    return _only(kinds, folder)


def tables_in(folder: Path) -> Iterator[Path]:
    """Files of a folder, and of those in it, that have names of tables and are not hidden."""
    for file in folder.rglob("*"):
        parts = file.relative_to(folder).parts
        if kind_of_name(file) and not any(map(is_hidden, parts)) and file.is_file():
            yield file


def files_of(path: Path) -> Iterator[Path]:
    """Files that a path names: itself, those of a folder, or those that a pattern takes."""
    if path.is_file():
        yield path
    else:
        yield from tables_in(path) if path.is_dir() else matching(path)


def matching(pattern: Path) -> Iterator[Path]:
    """Files that a pattern takes; hidden ones only where it says the dot."""
    rest = pattern.relative_to(pattern.anchor)
    for file in Path(pattern.anchor).glob(str(rest)):
        if file.is_file() and takes_hidden(file.parts, pattern.parts):
            yield file


def takes_hidden(parts: Iterable[str], patterns: Iterable[str]) -> bool:
    """Whether each hidden part of a path is hidden in the pattern, too."""
    said = [part for part in patterns if is_hidden(part)]
    return sum(map(is_hidden, parts)) <= len(said)


def is_magic(part: str) -> bool:
    """Whether a part of a path is a pattern."""
    return any(character in part for character in "*?[")


def is_hidden(name: str) -> bool:
    """Whether a file or folder of this name is hidden."""
    return name.startswith(".") and name not in (".", "..")


def check_written(path: str | PathLike[str], what: str) -> str:
    """End of the name of a file that rows are to be written to some at a time.

    Returns
    -------
    ``".parquet"`` or ``".csv"``

    Raises
    ------
    ValueError
        If it ends otherwise.

    Examples
    --------
    >>> check_written("protected.csv.gz", "to")
    Traceback (most recent call last):
        ...
    ValueError: to: expected a name that ends in .parquet or .csv, found .csv.gz in protected.csv.gz
    """
    ending = ending_of(path, WRITTEN)
    if ending is None:
        raise ValueError(f"{what}: {_expected(path, WRITTEN)}")
    return ending


def check_text_name(path: str | PathLike[str], what: str) -> None:
    """Refuse a name that promises another format for a file of text.

    Raises
    ------
    ValueError

    Examples
    --------
    >>> check_text_name("masked.xlsx", "--output")
    Traceback (most recent call last):
        ...
    ValueError: --output: expected a CSV file, found .xlsx in masked.xlsx
    """
    if Path(path).suffix.lower() in OTHER_FORMATS:
        raise ValueError(f"{what}: expected a CSV file, found {_found(path)}")


def _told(path: Path, what: str) -> FileKind:
    kind = kind_of_name(path)
    if kind is None:
        raise ValueError(
            f"{what}: {_expected(path, ENDINGS)} (DuckDBSource.of_csv takes any name with its "
            "delimiter, Microdata.from_parquet any Parquet)"
        )
    return kind


def _only(kinds: dict[FileKind, Path], path: Path) -> FileKind:
    """The one kind of several files."""
    if len(kinds) > 1:
        order = list(ENDINGS.values())
        (one, first), (other, second), *_ = sorted(kinds.items(), key=lambda k: order.index(k[0]))
        pattern = (path if path.is_dir() else path.parent) / f"*{ending_of(first)}"
        raise ValueError(
            f"{path}: expected files of one kind, found {first} ({one}) and {second} ({other}); "
            f"take one of them by a pattern such as {pattern}"
        )
    return next(iter(kinds))


def _expected(path: str | PathLike[str], endings: Iterable[str]) -> str:
    return f"expected a name that ends in {_listed(endings)}, found {_found(path)}"


def _found(path: str | PathLike[str]) -> str:
    suffixes = "".join(Path(path).suffixes[-2:]) if ending_of(path) else Path(path).suffix
    return f"{suffixes or 'no ending'} in {path}"


def _listed(endings: Iterable[str]) -> str:
    *others, last = endings
    return f"{', '.join(others)} or {last}"
