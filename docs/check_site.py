"""Checks the site that was built: every link, what a page needs, and every public name.

Links to pages, files and headings of the site must lead somewhere. What a page needs to be shown
(scripts, styles, fonts, pictures) must lie beside it, so that it can be read without a network.
Links to other sites are not followed here; they must be well formed, and their host must be one of
``external_hosts.txt``, so that a slip does not pass. ``make docs ARGS=--links`` follows them.
"""

from __future__ import annotations

import re
import sys
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

HERE = Path(__file__).resolve().parent
HOSTS = HERE / "external_hosts.txt"
NEEDED = {  # attributes whose targets a browser fetches to show a page
    **dict.fromkeys(("script", "img", "iframe", "embed", "source", "video", "audio"), "src"),
    "object": "data",
    "link": "href",
}
READ_BY_OTHERS = {"canonical", "next", "prev", "index", "search", "help", "author", "license"}
STYLE_URL = re.compile(r"""url\(\s*['"]?([^'")]+)""")
IMPORTED_STYLE = re.compile(r"""@import\s+['"]([^'"]+)""")
DOI = re.compile(r"/10\.\d{4,9}/\S+")


@dataclass
class Page(HTMLParser):
    """Targets of a page: its headings and other anchors, its links, and what it fetches."""

    path: Path
    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    needs: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Read the file."""
        super().__init__()
        self.feed(self.path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element names, links to and fetches."""
        values = {name: value or "" for name, value in attrs}
        self.anchors.update(values[name] for name in ("id", "name") if name in values)
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag in NEEDED and NEEDED[tag] in values:
            relations = set(values.get("rel", "").split())
            (self.links if relations & READ_BY_OTHERS else self.needs).append(values[NEEDED[tag]])
        if "srcset" in values:
            self.needs += [part.split()[0] for part in values["srcset"].split(",") if part.strip()]
        self.needs += STYLE_URL.findall(values.get("style", ""))


@dataclass
class Findings:
    """What was counted, and what is wrong."""

    pages: int = 0
    links: int = 0
    external: set[str] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)


def is_external(target: str) -> bool:
    """Whether a target is on another site."""
    return bool(urlsplit(target).netloc)


def local_fault(target: str, page: Path, pages: dict[Path, Page]) -> str | None:
    """What is wrong with a link within the site; None if it leads somewhere."""
    parts = urlsplit(target)
    path = page if not parts.path else (page.parent / unquote(parts.path)).resolve()
    path = path / "index.html" if path.is_dir() else path
    if not path.is_file():
        return "no such file"
    fragment = unquote(parts.fragment)
    if fragment and path in pages and fragment not in pages[path].anchors:
        return "no such heading or name"
    return None


def external_fault(target: str, hosts: Iterable[str]) -> str | None:
    """What is wrong with the form of a link to another site."""
    parts = urlsplit(target)
    if parts.scheme not in ("http", "https") or re.search(r"[\s<>\"{}|\\^`]", target):
        return "not well formed"
    if parts.hostname not in set(hosts):
        return f"the host is not in {HOSTS.name}"
    if parts.hostname == "doi.org" and not DOI.fullmatch(unquote(parts.path)):
        return "no DOI"
    return None


def style_needs(path: Path) -> list[str]:
    """What a style sheet fetches."""
    text = path.read_text(encoding="utf-8")
    return STYLE_URL.findall(text) + IMPORTED_STYLE.findall(text)


def check(folder: Path, hosts: Iterable[str]) -> Findings:
    """Check the pages of a folder.

    Parameters
    ----------
    folder : Path
        With the pages that were built.
    hosts : iterable of text
        Other sites that may be linked to.

    Returns
    -------
    Findings
    """
    folder = folder.resolve()
    hosts = set(hosts)
    files = (path for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts)
    pages = {path: Page(path) for path in files}
    found = Findings(pages=len(pages))

    def note(path: Path, target: str, fault: str | None) -> None:
        found.links += 1
        if fault:
            found.wrong.append(f"{path.relative_to(folder).as_posix()}: {target}: {fault}")

    for path, page in pages.items():
        for target in page.links:
            scheme = urlsplit(target).scheme
            if is_external(target):
                found.external.add(target)
                note(path, target, external_fault(target, hosts))
            elif scheme == "":
                note(path, target, local_fault(target, path, pages))
            elif scheme not in ("mailto", "data"):
                note(path, target, "unknown kind of link")
    needs = {path: page.needs for path, page in pages.items()}
    needs |= {path: style_needs(path) for path in sorted(folder.rglob("*.css"))}
    for path, targets in needs.items():
        for target in targets:
            if is_external(target):
                note(path, target, "fetched from another site")
            elif urlsplit(target).scheme == "":
                note(path, target, local_fault(target, path, pages) if target else None)
    return found


def allowed_hosts() -> list[str]:
    """Other sites that may be linked to."""
    lines = HOSTS.read_text(encoding="utf-8").splitlines()
    return [name for line in lines if (name := line.partition("#")[0].strip())]


def missing_names(inventory: Path) -> tuple[int, list[str]]:
    """Number of public names, and those that the index of the site does not know."""
    sys.path.insert(0, str(HERE / "_extensions"))
    from public_names import public_names

    *_head, packed = inventory.read_bytes().split(b"\n", maxsplit=4)
    rows = zlib.decompress(packed).decode("utf-8").splitlines()
    paths = {row.split(" py:")[0] for row in rows if " py:" in row}
    names = [name.path for name in public_names()]
    return len(names), sorted(set(names) - paths)
