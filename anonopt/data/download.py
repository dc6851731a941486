"""Data sets that are not packaged: found in a folder, in the user cache, or at UCI."""

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

import platformdirs
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from anonopt.data.csv_files import write_file

DATA_DIR_VARIABLE = "ANONOPT_DATA_DIR"
"""Environment variable that names a folder of data sets."""

TIMEOUT = 30.0
"""Seconds after which a silent server is given up."""

_CHUNK = 1 << 16


@dataclass(frozen=True, kw_only=True)
class RemoteFile:
    """A CSV file that is made from an archive on the web.

    Attributes
    ----------
    folder, name : text
        The file is looked for as ``<name>`` and as ``<folder>/<name>``.
    url : text
        Address of a zip archive.
    sha256 : text
        Checksum of the CSV file.
    convert : callable
        From the archive's files (by name without folders) to the content of the CSV file.
    """

    folder: str
    name: str
    url: str
    sha256: str
    convert: Callable[[Mapping[str, bytes]], bytes]


def locate_file(
    remote: RemoteFile, *, data_dir: str | PathLike[str] | None, progress: bool | None
) -> Path:
    """Find a file, and download it if it is nowhere.

    Parameters
    ----------
    remote : RemoteFile
    data_dir : path, optional
        The only folder to look in. Without it, the folder of the environment variable
        ``ANONOPT_DATA_DIR`` is tried, then the user cache, then the download.
    progress : bool, optional
        Whether to show a progress bar; by default only on a terminal.

    Raises
    ------
    FileNotFoundError
        If `data_dir` is given and does not hold the file.
    ConnectionError
        If the file has to be downloaded and the server cannot be reached.
    ValueError
        If the downloaded file is not the one expected.
    """
    if data_dir is not None:
        path = _find(remote, Path(data_dir))
        if path is None:
            raise FileNotFoundError(
                f"data_dir: expected {remote.name} or {remote.folder}/{remote.name} in {data_dir}, "
                f"found neither"
            )
        return path
    folder = os.environ.get(DATA_DIR_VARIABLE)
    cache = platformdirs.user_cache_path("anonopt")
    for place in [cache] if not folder else [Path(folder), cache]:
        path = _find(remote, place)
        if path is not None:
            return path
    content = _download(remote, progress=progress)
    cache.mkdir(parents=True, exist_ok=True)
    write_file(cache / remote.name, content)
    return cache / remote.name


def _find(remote: RemoteFile, folder: Path) -> Path | None:
    places = (folder / remote.name, folder / remote.folder / remote.name)
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
            f"{remote.url}: expected content with SHA-256 {remote.sha256}, found {found}; "
            f"the archive has changed. {_advice(remote)}"
        )
    return content


def _fetch(remote: RemoteFile, *, progress: bool | None) -> bytes:
    is_shown = sys.stderr.isatty() if progress is None else progress
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not is_shown,
    )
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


def _advice(remote: RemoteFile) -> str:
    return (
        f"Put {remote.name} into a folder and pass data_dir=folder, "
        f"or set {DATA_DIR_VARIABLE} to the folder"
    )
