"""Files that are written whole or not at all, and several of them together.

What is written is complete, and checked if there is something to check, before the first name
points to it. Where the system has files without a name (Linux), an interrupted process leaves
nothing behind; elsewhere, and in the moment between name and place, a hidden file can stay, which
the next writing to the same place removes.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import shutil
import socket
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from itertools import combinations
from os import PathLike
from pathlib import Path

Check = Callable[[Mapping[Path, Path]], object]
"""Looks at what will be written: for each target a path that its new content can be read at."""

_KINDS = (
    (stat.S_ISLNK, "a symbolic link"),
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)
_NEW_FILE = 0o666
"""Mode of new files, of which the process's umask takes what it takes."""

_NO_UNNAMED = (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL)
"""What systems say that have no files without a name."""


def check_target(path: str | PathLike[str]) -> None:
    """Refuse what must not or cannot be replaced by a file, before any work is done.

    Parameters
    ----------
    path : path

    Raises
    ------
    FileNotFoundError
        If its folder does not exist.
    IsADirectoryError
        If it is a folder itself.
    ValueError
        If it is a symbolic link, a device, a pipe or a socket.
    PermissionError
        If nothing can be written in its folder.

    Examples
    --------
    >>> check_target("/dev/null")
    Traceback (most recent call last):
    ValueError: /dev/null: expected a file or a new name, found a device
    """
    target = Path(path)
    folder = target.parent
    if not folder.is_dir():
        raise FileNotFoundError(f"{target}: expected an existing folder, found none at {folder}")
    found = file_mode(target)
    for is_kind, words in _KINDS if found is not None else ():
        if is_kind(found or 0):
            if words == "a folder":
                raise IsADirectoryError(errno.EISDIR, "expected a file, found a folder", str(path))
            where = f" to {target.readlink()}" if words == "a symbolic link" else ""
            raise ValueError(f"{target}: expected a file or a new name, found {words}{where}")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(
            errno.EACCES, "expected a folder that files can be written in", str(folder)
        )


def same_file(one: str | PathLike[str], other: str | PathLike[str]) -> bool:
    """Whether two paths lead to one file, by links of any kind or by their names.

    Examples
    --------
    >>> same_file("a.csv", "./x/../a.csv")
    True
    """
    try:
        return Path(one).samefile(other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def check_distinct(paths: Iterable[str | PathLike[str]]) -> None:
    """Refuse two outputs that are one file.

    Raises
    ------
    ValueError
        If there are two; names both.
    """
    for one, other in combinations(paths, 2):
        if same_file(one, other):
            raise ValueError(
                f"{other}: expected output files that differ, found the same file as {one}"
            )


def write_file(
    path: str | PathLike[str], content: bytes, *, check: Callable[[Path], object] | None = None
) -> None:
    """Write a file so that a reader finds the old content or the new, never a part.

    Parameters
    ----------
    path : path
        A file that is there already keeps its mode.
    content : bytes
    check : callable, optional
        Called with a path at which the new content can be read back from disk. If it raises,
        nothing is replaced.

    Raises
    ------
    ValueError, OSError
        As for :func:`check_target`, and whatever writing raises.
    """
    target = Path(path)
    checks = None if check is None else (lambda places: check(places[target]))
    write_files({target: content}, check=checks)


def write_files(
    contents: Mapping[str | PathLike[str], bytes] | Mapping[Path, bytes],
    *,
    check: Check | None = None,
) -> None:
    """Write files that belong together: all of them, or none.

    A process that is killed between their names leaves all old files, all new ones, or one that
    is missing, but never old ones beside new ones. Whatever else fails leaves the old ones.

    Parameters
    ----------
    contents : mapping of path to bytes
        Different files.
    check : callable, optional
        Called when all are written, with a path for each target at which its new content can be
        read back from disk. If it raises, nothing is replaced.

    Raises
    ------
    ValueError, OSError
        As for :func:`check_target`, and whatever writing raises.
    """
    targets = [Path(path) for path in contents]
    for target in targets:
        check_target(target)
    check_distinct(targets)
    with ExitStack() as cleanup:
        files = []
        for target, content in zip(targets, contents.values(), strict=True):
            try:
                files.append(cleanup.enter_context(_NewFile(target, content)))
            except OSError as error:
                # It has no name yet, or a hidden one.
                error.filename = str(target)
                raise
        if check is not None:
            check({file.target: file.readable for file in files})
        put_in_place([(file.named(), file.target) for file in files])
    for target in targets:
        remove_leftovers(target)


def put_in_place(named: Sequence[tuple[Path, Path]]) -> None:
    """Give files that belong together their names: all of them, or none.

    Parameters
    ----------
    named : sequence of (path, path)
        Each file as it is called, beside the name that it gets.

    Raises
    ------
    OSError
        If one cannot be renamed; all old files are back.
    """
    aside = []
    with ExitStack() as undo:
        # The first name changes in one step; the others are absent until it has.
        for number, (_, target) in enumerate(named if len(named) > 1 else ()):
            if target.exists():
                old = hidden_name(target)
                aside.append(old)
                undo.callback(_put_back, old, target)
                _link(target, old) if number == 0 else target.rename(old)
            else:
                undo.callback(target.unlink, missing_ok=True)
        for temporary, target in named:
            temporary.replace(target)
        undo.pop_all()
    for old in aside:
        old.unlink(missing_ok=True)
    for folder in {target.parent for _, target in named}:
        flush_folder(folder)


def _put_back(old: Path, target: Path) -> None:
    if old.exists() and not (target.exists() and old.samefile(target)):
        old.replace(target)
    # Of two names of one file, renaming the one to the other would leave both.
    old.unlink(missing_ok=True)


def _link(target: Path, path: Path) -> None:
    """Second name of a file; a copy where files have one name only."""
    try:
        path.hardlink_to(target)
    except OSError:
        shutil.copy2(target, path)


class _NewFile:
    """New content of a target, on disk but not yet under a name that anybody looks for."""

    def __init__(self, target: Path, content: bytes) -> None:
        self.target = target
        self._content = content
        self._path: Path | None = None
        self._descriptor = -1

    def __enter__(self) -> _NewFile:
        old = file_mode(self.target)
        mode = _NEW_FILE if old is None else stat.S_IMODE(old)
        self._descriptor, self._path = _opened(self.target, mode)
        with ExitStack() as undo:
            undo.callback(self._close)
            if old is not None and os.name == "posix":
                os.fchmod(self._descriptor, mode)
            with open(self._descriptor, "wb", closefd=False) as file:
                file.write(self._content)
                file.flush()
                os.fsync(self._descriptor)
            undo.pop_all()
        return self

    def __exit__(self, *failure: object) -> None:
        self._close()

    @property
    def readable(self) -> Path:
        """Path at which the content can be read."""
        return self._path or Path(f"/proc/self/fd/{self._descriptor}")

    def named(self) -> Path:
        """Give the content a name beside the target."""
        if self._path is None:
            path = hidden_name(self.target)
            # Without a folder's descriptor Python would not follow the link, which is the file.
            os.link(self.readable, path, src_dir_fd=self._descriptor)
            self._path = path
        return self._path

    def _close(self) -> None:
        os.close(self._descriptor)
        if self._path is not None:
            self._path.unlink(missing_ok=True)


def _opened(target: Path, mode: int) -> tuple[int, Path | None]:
    """Descriptor of a new file, and its path if it has one."""
    unnamed = getattr(os, "O_TMPFILE", None)
    if unnamed is not None and Path("/proc/self/fd").is_dir():
        try:
            return os.open(target.parent, unnamed | os.O_RDWR, mode), None
        except OSError as error:
            if error.errno not in _NO_UNNAMED:
                raise
    path = hidden_name(target)
    return os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, mode), path


def hidden_name(target: Path) -> Path:
    """New hidden name beside a target, which tells whose it is."""
    return target.with_name(f"{hidden_prefix(target)}{os.getpid()}-{secrets.token_hex(4)}")


def hidden_prefix(target: Path) -> str:
    """Begin of the hidden names beside a target; the number of the process follows."""
    place = hashlib.sha256(os.fsencode(target.name)).hexdigest()[:16]
    return f".anonopt-{place}-{machine_name()}-"


def machine_name() -> str:
    """What names of files and folders tell of this machine."""
    return hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]


def remove_leftovers(target: Path) -> None:
    """Remove what processes of this machine that have ended left hidden beside a target."""
    prefix = hidden_prefix(target)
    for path in target.parent.glob(f"{prefix}*"):
        owner = path.name.removeprefix(prefix).partition("-")[0]
        if owner.isdecimal() and not is_alive(int(owner)):
            # What somebody else left is theirs to remove.
            with suppress(PermissionError):
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path)
                else:
                    path.unlink(missing_ok=True)


def is_alive(process: int) -> bool:
    """Whether a process of this machine goes on, by its number; true where that is not known."""
    if os.name != "posix":
        # Elsewhere the question itself would end the process.
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        # It is somebody else's.
        return True
    return True


def file_mode(path: Path) -> int | None:
    """Mode of a file or folder, not of what a link leads to; None if there is none."""
    try:
        return path.lstat().st_mode
    except FileNotFoundError:
        return None


def flush_folder(folder: Path) -> None:
    """Bring the names in a folder to disk, where the system can."""
    # Not every system opens folders; the files themselves are on disk.
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
