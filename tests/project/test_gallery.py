"""How examples become pages: what they write is moved, what they leave is taken back."""

from __future__ import annotations

import importlib
import os
import random
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import anonopt as ao
from anonopt.algorithms import RandomSearch
from tests.repository import ROOT

pytest.importorskip("sphinx_gallery", reason="the site needs the extra `docs`")

FOLDER = str(ROOT / "docs" / "_extensions")


@pytest.fixture
def gallery():
    sys.path.insert(0, FOLDER)
    yield importlib.import_module("anonopt_gallery")
    sys.path.remove(FOLDER)


def test_pictures_and_pages_are_moved_in_the_order_they_were_written(
    gallery, tmp_path, monkeypatch
):
    here, docs = tmp_path / "run", tmp_path / "docs"
    images = docs / "gallery" / "masking" / "images"
    for folder in (here, images):
        folder.mkdir(parents=True)
    monkeypatch.chdir(here)
    for i, name in enumerate(("second_view.png", "first.gif", "report.html", "table.csv")):
        (here / name).write_text(name, encoding="utf-8")
        seconds = 100 - i if name != "report.html" else 50
        os.utime(here / name, (seconds, seconds))
    numbered = iter(str(images / f"sphx_glr_plot_x_{i:03}.png") for i in (1, 2))
    names = {
        "image_path_iterator": numbered,
        "target_file": str(docs / "gallery" / "masking" / "plot_x.py"),
    }
    text = gallery.written_files(None, names, {"src_dir": str(docs)})
    assert [path.name for path in here.iterdir()] == ["table.csv"]
    assert (images / "sphx_glr_plot_x_001.gif").read_text(encoding="utf-8") == "first.gif"
    assert (images / "sphx_glr_plot_x_002.png").is_file()
    assert (docs / "gallery" / "masking" / "pages" / "x_report.html").is_file()
    places = [text.index(part) for part in ('href="pages/x_report.html"', "_001.gif", "_002.png")]
    assert places == sorted(places)
    assert ":alt: second view" in text


def test_what_an_example_leaves_is_taken_back(gallery, monkeypatch):
    monkeypatch.setattr(gallery, "_seconds", {})

    def states():
        return random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002

    before = states()
    gallery.as_if_alone({}, None, "before")  # on entering a folder
    gallery.as_if_alone({}, "plot_x.py", "before")
    ao.register("algorithms", "left-behind", RandomSearch, spaces="levels")
    random.random()
    np.random.random()  # noqa: NPY002
    gallery.as_if_alone({}, "plot_x.py", "after")
    assert "left-behind" not in ao.list_algorithms().index
    assert states() == before
    assert list(gallery._seconds) == ["plot_x"]


def test_an_example_that_takes_too_long_is_told(gallery, monkeypatch):
    told = []
    monkeypatch.setattr(gallery, "_seconds", {"plot_quick": 1.0, "plot_slow": 31.0})
    monkeypatch.setattr(gallery.logger, "warning", lambda text, *values: told.append(text % values))
    gallery.check_times(SimpleNamespace(), None)
    assert told == ["example plot_slow: took 31 seconds, expected 30"]


def test_examples_that_use_a_class_are_found_in_the_order_of_the_gallery(gallery, tmp_path):
    folder = tmp_path / gallery.BACKREFERENCES
    folder.mkdir(parents=True)
    pages = "gallery/scale/plot_cluster", "gallery/first_steps/plot_hierarchies", "gallery/x/plot_y"
    text = "\n".join(f"  :doc:`/{page}`" for page in pages)
    (folder / "anonopt.Hierarchy.examples").write_text(text, encoding="utf-8")
    assert gallery.examples_of(tmp_path, "anonopt.data.Hierarchy") == [pages[1], pages[0]]
    assert gallery.examples_of(tmp_path, "anonopt.data.Lattice") == []
