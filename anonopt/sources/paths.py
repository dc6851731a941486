"""Files that hold the rows of one table: a path, a pattern, or a folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path

KINDS = ("Parquet", "CSV")
"""Kinds of files that hold tables, by the ends of their names."""

FileStates = dict[str, tuple[int, int, int] | None]
"""Number, size and time of change of files; None of a file that this machine does not have."""


def file_states(paths: Iterable[str]) -> FileStates:
    """What tells that a file has other content than before, without reading it.

    Examples
    --------
    >>> file_states(["s3://people.parquet"])
    {'s3://people.parquet': None}
    """
    states: FileStates = {}
    for path in paths:
        try:
            found = Path(path).stat()
        except OSError:
            states[path] = None
        else:
            states[path] = found.st_ino, found.st_size, found.st_mtime_ns
    return states


def check_unchanged(states: FileStates, source: object) -> None:
    """Refuse files that were changed.

    Parameters
    ----------
    states : FileStates
        As they were.
    source : Source
        For the message.

    Raises
    ------
    ValueError
        Names the first that differs in size or time.
    """
    found = file_states(states)
    for path, state in states.items():
        if found[path] != state:
            raise ValueError(
                f"{source!r}: expected files as they were when they were opened, found "
                f"{path} {'gone' if found[path] is None else 'changed'}"
            )


def check_same_columns(
    file: str, types: Mapping[str, str], first: str, expected: Mapping[str, str]
) -> None:
    """Refuse a file whose columns are not those of the first.

    Parameters
    ----------
    file, first : str
        Paths.
    types, expected : mapping of str to str
        Type of each of their columns.

    Raises
    ------
    ValueError
        Names both files, a column that differs, and both types.

    Examples
    --------
    >>> check_same_columns("b.parquet", {"age": "double"}, "a.parquet", {"age": "int64"})
    Traceback (most recent call last):
        ...
    ValueError: b.parquet: expected the columns of a.parquet with the same types, found 'age' of \
type double, there int64
    """
    for name in [*expected, *types]:
        found, wanted = types.get(name, "none"), expected.get(name, "none")
        if found != wanted:
            raise ValueError(
                f"{file}: expected the columns of {first} with the same types, found {name!r} of "
                f"type {found}, there {wanted}"
            )


class Files:
    """Files that hold the rows of one table.

    Parameters
    ----------
    kind : str
        ``"Parquet"`` or ``"CSV"``.
    path : path
        A file, a pattern, or a folder, whose files are taken with those of the folders in it.

    Examples
    --------
    >>> Files("Parquet", "no/*.parquet").check_there()
    Traceback (most recent call last):
        ...
    FileNotFoundError: Parquet: expected a file, a pattern or a folder, found none at no/*.parquet
    """

    def __init__(self, kind: str, path: str | PathLike[str]) -> None:
        self.kind, self.path = kind, fspath(path)

    @cached_property
    def files(self) -> list[str]:
        """Paths of the files, sorted."""
        path = Path(self.path)
        if path.is_file():
            return [self.path]
        if path.is_dir():
            ending = f".{self.kind.lower()}"
            found = (one for one in path.rglob("*") if one.suffix.lower() == ending)
        else:
            found = Path(path.anchor).glob(str(path.relative_to(path.anchor)))
        return sorted(str(one) for one in found if one.is_file())

    def check_there(self) -> None:
        """Raise if there is no file, or a folder has files of another kind.

        Raises
        ------
        FileNotFoundError, ValueError
        """
        if not self.files:
            raise FileNotFoundError(
                f"{self.kind}: expected a file, a pattern or a folder, found none at {self.path}"
            )
        for kind in KINDS if Path(self.path).is_dir() else ():
            for other in Files(kind, self.path).files[: kind != self.kind]:
                raise ValueError(
                    f"{self.path}: expected files of one kind, found {self.files[0]} "
                    f"({self.kind}) and {other} ({kind}); take one of them by a pattern such as "
                    f"{Path(self.path) / f'*.{self.kind.lower()}'}"
                )
