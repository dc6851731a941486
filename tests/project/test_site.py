"""The site shows every public name once, and its check finds what is wrong with a page."""

from __future__ import annotations

import importlib
import inspect
import sys
import zlib
from collections import Counter
from pathlib import Path

import pytest

import anonopt
from tests.repository import ROOT, library_files

pytest.importorskip("sphinx", reason="the site needs the extra `docs`")

FOLDERS = [str(ROOT / "docs"), str(ROOT / "docs" / "_extensions")]


@pytest.fixture(scope="module", autouse=True)
def site_modules():
    """Make the modules that build the site importable."""
    sys.path[:0] = FOLDERS
    yield
    for folder in FOLDERS:
        sys.path.remove(folder)


@pytest.fixture(scope="module")
def names(site_modules):
    return importlib.import_module("public_names").public_names()


@pytest.fixture(scope="module")
def pages(site_modules, tmp_path_factory):
    return importlib.import_module("anonopt_reference").pages(tmp_path_factory.mktemp("docs"))


def entries(pages: dict[str, str]) -> Counter[str]:
    """How often each path is documented."""
    found: Counter[str] = Counter()
    for text in pages.values():
        lines = text.splitlines()
        for line, below in zip(lines, [*lines[1:], ""], strict=True):
            directive, _, path = line.strip().partition(":: ")
            if directive in (".. autoclass", ".. autofunction", ".. autoexception"):
                found[path] += 1
            elif directive == ".. py:data":
                found[f"{below.partition(':module: ')[2]}.{path}"] += 1
    return found


def test_every_name_of_the_root_is_public(names):
    assert {name.name for name in names if name.package == "anonopt"} == {*anonopt.__all__} - {
        "__version__"
    }


def test_every_package_that_lists_names_is_found(names):
    listing = {
        module
        for module, path in library_files().items()
        if path.name == "__init__.py"
        and not module.startswith("anonopt.cli")
        and any(" as " in line and "import" in line for line in path.read_text().splitlines())
    }
    assert len(listing) >= 15
    # Some import a module under another name, for themselves.
    assert listing - {name.package for name in names} <= {"anonopt.data.columns"}


def test_every_public_name_is_documented_once(names, pages):
    documented = entries(pages)
    places = {name.place for name in names if name.kind != "module"}
    assert len(places) > 300
    assert places - set(documented) == set()
    assert {path: n for path, n in documented.items() if n > 1} == {}


def test_every_public_module_has_a_page(names, pages):
    modules = {name.place for name in names if name.kind == "module"}
    assert "anonopt.measures.indicators" in modules
    assert modules <= set(pages)


def test_overview_of_a_package_links_each_of_its_names(names, pages):
    for name in names:
        if name.package in pages:
            assert f"`{name.name} <{name.place}>`" in pages[name.package], name


def test_every_public_name_says_what_it_is(names):
    reference = importlib.import_module("anonopt_reference")
    assert [name.path for name in names if not reference.summary(name)] == []


def test_names_of_one_object_have_one_place(names):
    places = {name.path: name.place for name in names}
    home = "anonopt.data.Microdata"
    assert places["anonopt.Microdata"] == places["anonopt.data.Microdata"] == home
    assert places["anonopt.measures.MEASURES"] == "anonopt.measures.MEASURES"
    assert places["anonopt.register"] == "anonopt.register"


def test_members_come_from_the_library_only(names):
    members = importlib.import_module("class_members")
    places = {name.value: name.place for name in names if inspect.isclass(name.value)}
    own, inherited = members.members_of(anonopt.problems.LatticeProblem, places)
    assert "suppressed_rows" in own and "has_constraints" not in own
    assert inherited["frame"] == "anonopt.problems.AnonymizationProblem"
    own, _ = members.members_of(anonopt.Hierarchy, places)
    assert {"from_csv", "encode", "intervals"} <= set(own)


def test_what_docstrings_refer_to_is_documented_too(names, pages):
    referred = importlib.import_module("referred_names").referred_names(names)
    paths = {name.path for name in referred}
    assert "anonopt.experiments.tables.summary.Summary" in paths
    assert paths <= set(entries(pages))


def test_examples_that_use_a_name_are_linked(names, tmp_path):
    examples = importlib.import_module("gallery_links").examples
    (solve,) = (name for name in names if name.path == "anonopt.solve")
    assert examples(solve, tmp_path) == []
    notes = tmp_path / "gallery" / "backreferences"
    notes.mkdir(parents=True)
    link = " * :doc:`/gallery/scale/plot_{}`\n"
    (notes / "anonopt.solve.examples").write_text(link.format("a") * 2 + link.format("gone"))
    (tmp_path / "gallery" / "scale").mkdir()
    (tmp_path / "gallery" / "scale" / "plot_a.rst").write_text("")
    assert examples(solve, tmp_path)[-1].strip() == "In the gallery: :doc:`/gallery/scale/plot_a`."


PAGE = '<html><head>{head}</head><body><h1 id="top">A</h1>{body}</body></html>'


def built(folder: Path, body: str = "", head: str = "", **styles: str) -> Path:
    """A site of two pages and a picture."""
    folder.joinpath("index.html").write_text(PAGE.format(head=head, body=body))
    folder.joinpath("inner").mkdir()
    folder.joinpath("inner", "other.html").write_text(PAGE.format(head="", body=""))
    folder.joinpath("a picture.png").write_bytes(b"")
    for name, text in styles.items():
        folder.joinpath(f"{name}.css").write_text(text)
    return folder


SOUND = """
<a href="#top">a</a> <a href="inner/other.html#top">b</a> <a href="inner/other.html?x=1">c</a>
<img src="a%20picture.png"> <a href="https://doi.org/10.1007/978-3-642-13739-6_6">d</a>
<a href="mailto:someone@example.org">e</a> <img src="data:image/png;base64,AA=="> <a href="">f</a>
"""


def test_sound_site_has_no_faults(tmp_path):
    check = importlib.import_module("check_site").check
    styles = {"plain": "a { background: url('a picture.png') }"}
    found = check(built(tmp_path, SOUND, **styles), ["doi.org"])
    assert found.wrong == []
    assert (found.pages, len(found.external)) == (2, 1) and found.links >= 7


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="gone.html">a</a>', "no such file"),
        ('<a href="#gone">a</a>', "no such heading"),
        ('<a href="inner/other.html#gone">a</a>', "no such heading"),
        ('<img src="gone.png">', "no such file"),
        ('<img srcset="gone.png 2x">', "no such file"),
        ('<script src="https://cdn.example.org/a.js"></script>', "fetched from another site"),
        ('<img src="//example.org/a.png">', "fetched from another site"),
        ('<p style="background: url(https://example.org/a.png)">', "fetched from another site"),
        ('<a href="https://example.org">a</a>', "the host is not in"),
        ('<a href="https://doi.org/1007/abc">a</a>', "no DOI"),
        ('<a href="https://doi.org/10.1007/a b">a</a>', "not well formed"),
        ('<a href="ftp://doi.org/10.1007/ab">a</a>', "not well formed"),
        ('<a href="javascript:run()">a</a>', "unknown kind of link"),
    ],
)
def test_fault_of_a_page_is_found(tmp_path, body, fault):
    check = importlib.import_module("check_site").check
    (wrong,) = check(built(tmp_path, SOUND + body), ["doi.org"]).wrong
    assert wrong.startswith("index.html: ") and fault in wrong


@pytest.mark.parametrize(
    ("styles", "fault"),
    [
        ("@font-face { src: url(https://example.org/a.woff2) }", "fetched from another site"),
        ("@import 'gone.css';", "no such file"),
    ],
)
def test_fault_of_a_style_sheet_is_found(tmp_path, styles, fault):
    check = importlib.import_module("check_site").check
    (wrong,) = check(built(tmp_path, plain=styles), []).wrong
    assert wrong.startswith("plain.css: ") and fault in wrong


def test_name_that_is_not_in_the_index_of_the_site_is_missed(tmp_path, names):
    missing_names = importlib.import_module("check_site").missing_names
    rows = [f"{name.path} py:function 1 page.html#$ -" for name in names]
    absent = "anonopt.solve"
    rows = [row for row in rows if not row.startswith(f"{absent} ")]
    head = "# Sphinx inventory version 2\n# Project: a\n# Version: 1\n"
    head += "# The remainder of this file is compressed using zlib.\n"
    inventory = tmp_path / "objects.inv"
    inventory.write_bytes(head.encode() + zlib.compress("\n".join(rows).encode() + b"\n"))
    assert missing_names(inventory) == (len(names), [absent])
