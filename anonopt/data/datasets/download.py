"""Data sets that are not packaged: found in a folder, in the user cache, or some at UCI."""

from __future__ import annotations

import hashlib
import io
import os
import sys
import urllib.request
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from anonopt.data.output_files import write_file

if TYPE_CHECKING:
    from rich.progress import Progress

DATA_DIR_VARIABLE = "ANONOPT_DATA_DIR"
"""Environment variable that names the folder of all data sets that are not packaged."""

TIMEOUT = 30.0
"""Seconds after which a silent server is given up."""

_CHUNK = 1 << 16


@dataclass(frozen=True, kw_only=True)
class LooseFile:
    """A CSV file that is not packaged.

    Attributes
    ----------
    folder, name : text
        The file is looked for as ``<name>`` and as ``<folder>/<name>``.
    """

    folder: str
    name: str


@dataclass(frozen=True, kw_only=True)
class UserFile(LooseFile):
    """A CSV file that the user has to provide: nothing on the web is known to hold it.

    Attributes
    ----------
    origin : text
        Where the file can be had, as part of a sentence.
    """

    origin: str


@dataclass(frozen=True, kw_only=True)
class RemoteFile(LooseFile):
    """A CSV file that is made from an archive on the web.

    Attributes
    ----------
    url : text
        Address of a zip archive.
    sha256 : text
        Checksum of the CSV file.
    convert : callable
        From the archive's files (by name without folders) to the content of the CSV file; what it
        makes of that content under its name is the same again.
    """

    url: str
    sha256: str
    convert: Callable[[Mapping[str, bytes]], bytes]


def locate_file(
    file: RemoteFile | UserFile, *, data_dir: str | PathLike[str] | None, progress: bool | None
) -> Path:
    """Find a file, and download it if it is nowhere and can be downloaded.

    Parameters
    ----------
    file : RemoteFile or UserFile
    data_dir : path, optional
        The only folder to look in. Without it, the folder of the environment variable
        ``ANONOPT_DATA_DIR`` is tried, then the user cache, then the download.
    progress : bool, optional
        Whether to show a progress bar; by default only on a terminal.

    Raises
    ------
    TypeError
        If `data_dir` is no path.
    FileNotFoundError
        If `data_dir` is given and does not hold the file, or the user has to provide it and
        it is nowhere.
    ConnectionError
        If the file has to be downloaded and the server cannot be reached.
    ValueError
        If the downloaded file is not the one expected.
    """
    if data_dir is not None:
        if not isinstance(data_dir, str | PathLike):
            raise TypeError(f"data_dir: expected the path of a folder, found {data_dir!r}")
        path = _find(file, Path(data_dir))
        if path is None:
            raise FileNotFoundError(
                f"data_dir: expected {file.name} or {file.folder}/{file.name} in {data_dir}, "
                f"found neither{_origin(file)}"
            )
        return path
    folder = os.environ.get(DATA_DIR_VARIABLE)
    cache = platformdirs.user_cache_path("anonopt")
    for place in [cache] if not folder else [Path(folder), cache]:
        path = _find(file, place)
        if path is not None:
            return path
    if isinstance(file, UserFile):
        raise FileNotFoundError(
            f"{file.name}: found neither in the folder of {DATA_DIR_VARIABLE} "
            f"({folder or 'not set'}) nor in {cache}{_origin(file)}. {_advice(file)}"
        )
    content = _download(file, progress=progress)
    cache.mkdir(parents=True, exist_ok=True)
    write_file(cache / file.name, content)
    return cache / file.name


def _find(file: LooseFile, folder: Path) -> Path | None:
    places = (folder / file.name, folder / file.folder / file.name)
    return next((place for place in places if place.is_file()), None)


def _download(remote: RemoteFile, *, progress: bool | None) -> bytes:
    """Content of the CSV file, made from the archive and checked."""
    archive = _fetch(remote, progress=progress)
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as files:
            members = {Path(name).name: files.read(name) for name in files.namelist()}
    except zipfile.BadZipFile as error:
        raise ValueError(
            f"{remote.url}: expected a zip archive, found {archive[:20]!r}..."
        ) from error
    content = remote.convert(members)
    found = hashlib.sha256(content).hexdigest()
    if found != remote.sha256:
        raise ValueError(
            f"{remote.url}: expected content with SHA-256 {remote.sha256}, found {found} "
            f"(the archive has changed). {_advice(remote)}"
        )
    return content


def _fetch(remote: RemoteFile, *, progress: bool | None) -> bytes:
    bar = _bar(is_shown=sys.stderr.isatty() if progress is None else progress)
    request = urllib.request.Request(remote.url, headers={"User-Agent": "anonopt"})
    received = bytearray()
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response, bar:
            size = response.headers.get("Content-Length")
            task = bar.add_task(remote.name, total=int(size) if size else None)
            while chunk := response.read(_CHUNK):
                received += chunk
                bar.update(task, completed=len(received))
    except (OSError, HTTPException) as error:
        raise ConnectionError(
            f"{remote.name}: could not be downloaded from {remote.url} ({error}). {_advice(remote)}"
        ) from error
    return bytes(received)


def _bar(*, is_shown: bool) -> Progress:
    # Few processes download anything, and all would wait for this.
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not is_shown,
    )


def _origin(file: RemoteFile | UserFile) -> str:
    """What to add to a message about a file that is nowhere."""
    if isinstance(file, RemoteFile):
        return f"; it is in the archive {file.url}"
    return f"; it cannot be downloaded from here, but {file.origin}"


def _advice(file: LooseFile) -> str:
    return (
        f"Put {file.name} into a folder and pass data_dir=folder, "
        f"or set {DATA_DIR_VARIABLE} to the folder"
    )
