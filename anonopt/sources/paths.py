"""Files that hold the rows of one table: a path, a pattern, or a folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from os import PathLike, fspath
from os.path import normpath
from pathlib import Path

from anonopt.data.output_files import same_file
from anonopt.sources.file_kinds import (
    files_of,
    is_magic,
    kind_of_folder,
    kind_of_name,
    takes_hidden,
)

FileStates = dict[str, tuple[int, int, int] | None]
"""Number, size and time of change of files; None of a file that this machine does not have."""


def is_database(path: str | PathLike[str]) -> bool:
    """Whether a file is a database of DuckDB, by its first bytes."""
    with Path(path).open("rb") as file:
        return file.read(12)[8:] == b"DUCK"


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
        A file, a pattern, or a folder, whose files are taken with those of the folders in it;
        hidden ones are not, unless a pattern says their dot.

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
        takes_all = not path.is_dir()
        return sorted(str(one) for one in files_of(path) if takes_all or _is_of(one, self.kind))

    def takes(self, path: Path) -> bool:
        """Whether a file of this path is looked at with them, once it is there."""
        base = Path(self.path)
        if base.is_file():
            return same_file(path, base)
        if base.is_dir():
            # Those of another kind would have the folder refused.
            return kind_of_name(path) is not None and _is_inside(path, base)
        return any(
            _matches(_parts(one), _parts(other)) and takes_hidden(one.parts, other.parts)
            for one, other in ((path, base), (_real(path), _real(base)))
        )

    def check_outside(self, path: Path) -> None:
        """Refuse a file to be written that would be one of them: it would be read with them next.

        Raises
        ------
        ValueError
        """
        if self.takes(path):
            raise ValueError(
                f"{path}: expected a file that is none of the input, found one that {self.path} "
                "takes"
            )

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
        if Path(self.path).is_dir():
            kind_of_folder(Path(self.path), self.kind)


def _matches(parts: Sequence[str], patterns: Sequence[str]) -> bool:
    """Whether the parts of a path are those of a pattern; ``**`` is any number of folders."""
    if not patterns:
        return not parts
    if patterns[0] == "**":
        return any(_matches(parts[start:], patterns[1:]) for start in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], patterns[0]) and _matches(parts[1:], patterns[1:])


def _is_of(path: Path, kind: str) -> bool:
    found = kind_of_name(path)
    return found is not None and found.name == kind


def _is_inside(path: Path, folder: Path) -> bool:
    """Whether a path is in a folder, or in one in it, by whatever name it is called."""
    # Resolved, as `..` behind a link leads elsewhere; asked, as the case of names may not count.
    return any(same_file(parent, folder) for parent in _real(path).parents)


def _real(path: Path) -> Path:
    """A path without links; of a pattern, before its first part that is one."""
    parts = path.absolute().parts
    names = next((i for i, part in enumerate(parts) if is_magic(part)), len(parts))
    return Path(*parts[:names]).resolve().joinpath(*parts[names:])


def _parts(path: Path) -> Sequence[str]:
    """Parts of a path from the root, without ``..``, as a pattern has to be compared."""
    return Path(normpath(path.absolute())).parts
