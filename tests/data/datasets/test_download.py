"""Folder, cache, download: order of places, conversion, checks, faults. No network."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import urllib.error
import zipfile

import pytest

from anonopt.data import load_frame
from anonopt.data.datasets import download
from anonopt.data.datasets.cargo import CARGO
from anonopt.data.datasets.loading import DATASETS

CONTENT = b"a,b\n1,2\n"


def zip_of(members):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        for name, content in members.items():
            files.writestr(name, content)
    return archive.getvalue()


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """An empty user cache, and no folder of data sets in the environment."""
    folder = tmp_path / "cache"
    monkeypatch.setattr(download.platformdirs, "user_cache_path", lambda name: folder / name)
    monkeypatch.delenv(download.DATA_DIR_VARIABLE, raising=False)
    return folder / "anonopt"


@pytest.fixture
def remote(tmp_path):
    path = tmp_path / "archive.zip"
    path.write_bytes(zip_of({"folder/a.csv": CONTENT}))
    return download.RemoteFile(
        folder="sets",
        name="a.csv",
        url=path.as_uri(),
        sha256=hashlib.sha256(CONTENT).hexdigest(),
        convert=lambda members: members["a.csv"],
    )


@pytest.fixture
def no_network(monkeypatch):
    def refuse(request, timeout):
        raise urllib.error.URLError("Name or service not known")

    monkeypatch.setattr(download.urllib.request, "urlopen", refuse)


def locate(remote, **options):
    return download.locate_file(remote, **{"data_dir": None, "progress": False, **options})


def test_download_goes_to_the_cache_and_happens_once(remote, cache, monkeypatch):
    path = locate(remote)
    assert path == cache / "a.csv"
    assert path.read_bytes() == CONTENT
    assert list(cache.iterdir()) == [path]
    monkeypatch.setattr(download.urllib.request, "urlopen", None)
    assert locate(remote) == path


def test_progress_is_shown_on_the_error_stream(remote, capsys):
    locate(remote, progress=True)
    shown = capsys.readouterr()
    assert "a.csv" in shown.err
    assert shown.out == ""


def test_nothing_is_shown_without_a_terminal(remote, capsys):
    locate(remote, progress=None)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("place", ["a.csv", "sets/a.csv"])
def test_folder_of_the_environment_comes_first(remote, cache, tmp_path, monkeypatch, place):
    locate(remote)
    path = tmp_path / "own" / place
    path.parent.mkdir(parents=True)
    path.write_bytes(b"own")
    monkeypatch.setenv(download.DATA_DIR_VARIABLE, str(tmp_path / "own"))
    assert locate(remote) == path


def test_folder_of_the_environment_without_the_file_is_passed_over(
    remote, cache, tmp_path, monkeypatch
):
    monkeypatch.setenv(download.DATA_DIR_VARIABLE, str(tmp_path / "none"))
    assert locate(remote) == cache / "a.csv"


def test_data_dir_is_the_only_place(remote, tmp_path, monkeypatch):
    monkeypatch.setattr(download.urllib.request, "urlopen", None)
    with pytest.raises(FileNotFoundError, match=r"expected a\.csv or sets/a\.csv in "):
        locate(remote, data_dir=tmp_path)
    (tmp_path / "a.csv").write_bytes(b"own")
    assert locate(remote, data_dir=tmp_path) == tmp_path / "a.csv"


def test_without_network_the_error_says_what_to_do(no_network, cache):
    with pytest.raises(
        ConnectionError,
        match=r"c2k_data_comma\.csv: could not be downloaded from https://archive\.ics\.uci\.edu.*"
        r"Name or service not known.*data_dir=folder.*ANONOPT_DATA_DIR",
    ):
        load_frame("cargo")
    assert not cache.exists()


def test_changed_content_is_refused_and_not_kept(remote, cache):
    with pytest.raises(ValueError, match=r"expected content with SHA-256 0, found .*has changed"):
        locate(dataclasses.replace(remote, sha256="0"))
    assert not cache.exists()


def test_answer_that_is_no_archive(remote, tmp_path):
    (tmp_path / "archive.zip").write_bytes(b"<html>Moved</html>")
    with pytest.raises(ValueError, match=r"expected a zip archive, found b'<html>Moved"):
        locate(remote)


@pytest.fixture
def own():
    return download.UserFile(folder="casc", name="own.csv", origin="the archive has it")


def test_file_that_cannot_be_downloaded_says_where_it_comes_from(own, cache, monkeypatch):
    monkeypatch.setattr(download.urllib.request, "urlopen", None)
    with pytest.raises(
        FileNotFoundError,
        match=r"own\.csv: found neither .*ANONOPT_DATA_DIR \(not set\) nor in .*; it cannot be "
        r"downloaded from here, but the archive has it\. Put own\.csv into .*data_dir=folder",
    ):
        locate(own)
    assert not cache.exists()


def test_data_dir_without_a_file_that_cannot_be_downloaded(own, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"own\.csv or casc/own\.csv .*archive has it"):
        locate(own, data_dir=tmp_path)


@pytest.mark.parametrize("place", ["environment", "cache"])
def test_places_of_a_file_that_cannot_be_downloaded(own, cache, tmp_path, monkeypatch, place):
    folder = cache if place == "cache" else tmp_path / "own"
    monkeypatch.setenv(download.DATA_DIR_VARIABLE, str(tmp_path / "own"))
    (folder / "casc").mkdir(parents=True)
    (folder / "casc" / "own.csv").write_bytes(CONTENT)
    assert locate(own) == folder / "casc" / "own.csv"


@pytest.mark.parametrize("name", ["census", "tarragona", "eia"])
def test_error_about_a_casc_file_names_the_package(name):
    with pytest.raises(FileNotFoundError, match=rf"{name}\.csv.*R package sdcMicro.*data_dir"):
        load_frame(name)


def test_addresses_are_those_of_uci():
    assert DATASETS["cargo"].files.url.startswith("https://archive.ics.uci.edu/static/public/")


@pytest.mark.parametrize(
    "name", [name for name, dataset in DATASETS.items() if dataset.access != "packaged"]
)
def test_error_about_a_file_says_what_to_fetch_and_from_where(name, tmp_path):
    file = DATASETS[name].files
    origin = getattr(file, "url", None) or file.origin
    with pytest.raises(FileNotFoundError) as caught:
        load_frame(name, data_dir=tmp_path)
    for part in (file.name, f"{file.folder}/{file.name}", str(tmp_path), origin):
        assert part in str(caught.value)


class TestConversion:
    def test_cargo(self, shared_data):
        layout = (shared_data / "cargo2000" / "c2k_data_comma.csv").read_bytes()
        raw = b"\xef\xbb\xbf" + layout.replace(b"\n", b"\r\n") + b"," * 97 + b"\r\n"
        assert CARGO.files.convert({"c2k_data_comma.csv": raw}) == layout

    def test_what_is_made_of_the_layout_is_the_layout(self, shared_data):
        layout = (shared_data / "cargo2000" / "c2k_data_comma.csv").read_bytes()
        assert CARGO.files.convert({"c2k_data_comma.csv": layout}) == layout

    def test_a_file_taken_from_the_archive_is_read_like_ours(self, shared_data, tmp_path):
        ours = load_frame("cargo", data_dir=shared_data)
        layout = (shared_data / "cargo2000" / "c2k_data_comma.csv").read_bytes()
        (tmp_path / "c2k_data_comma.csv").write_bytes(layout + b"," * 97 + b"\r\n")
        assert load_frame("cargo", data_dir=tmp_path).equals(ours)

    def test_archive_without_the_file(self):
        with pytest.raises(ValueError, match=r"archive: expected the file .*found \['readme'\]"):
            CARGO.files.convert({"readme": b""})
