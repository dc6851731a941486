"""What the registries know of each measure, on the pages that explain measures.

The pages say formula and example. Below each heading that is the name of a measure this adds what
it is of, its direction, unit and range and where it is from, and to their index a table of all.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

import anonopt
from anonopt.measures import Measure

FOLDER = "measures"
INDEX = f"{FOLDER}/index"

PAGES: dict[str, tuple[str, ...]] = {
    "privacy": ("node",),
    "loss": ("node",),
    "files": ("file", "numeric file"),
    "matrices": ("matrix", "equation"),
    "graphs": ("graph",),
    "suppressed_cells": ("suppressed cells",),
    "fronts": (),
}
"""Pages, and the kinds of things whose measures they explain; without any, indicators."""

HEADING = re.compile(r"^#{2,4} `(\w+)`$", re.MULTILINE)
BETTER = {"max": "more", "min": "less"}
MARKUP = re.compile(r"([\\`*_|<>$])")


def explained(folder: Path) -> dict[str, list[str]]:
    """Names of measures by page, in the order in which they are explained."""
    return {
        page: HEADING.findall((folder / f"{page}.md").read_text(encoding="utf-8")) for page in PAGES
    }


def plain(text: str) -> str:
    """Text in which nothing is markup."""
    return MARKUP.sub(r"\\\1", text)


def found(name: str, page: str) -> Measure:
    """Measure of a name that a page explains."""
    table = anonopt.list_measures()
    for kind in PAGES[page]:
        if name in table.index and kind in table.loc[name, "of"].split(", "):
            return anonopt.get_measure(name, of=kind)
    raise ValueError(f"{page}.md: {name}: expected a measure of {' or '.join(PAGES[page])}")


def facts(name: str, page: str) -> str:
    """What the registries know of a measure, as a paragraph."""
    if not PAGES[page]:
        row = anonopt.experiments.list_indicators().loc[name]
        return f"{plain(row['summary'].capitalize())}; {BETTER[row['direction']]} is better."
    measure = found(name, page)
    parts = [
        f"{BETTER[measure.direction]} is better",
        f"unit: {plain(measure.unit)}",
        f"range: `{measure.range}`",
        f"of: {', '.join(measure.of)}",
    ]
    if measure.per_class is not None:
        parts.append("can be a bound of single classes")
    source = f" ({plain(measure.paper)})" if measure.paper else ""
    return (
        f"{plain(measure.summary[:1].upper() + measure.summary[1:])}{source}; {'; '.join(parts)}."
    )


def row(name: str, page: str) -> str:
    """Line of the table of all measures."""
    link = f"[`{name}`]({page}.md#{name.lower()})"
    if not PAGES[page]:
        indicator = anonopt.experiments.list_indicators().loc[name]
        cells = ["front", BETTER[indicator["direction"]], "", plain(indicator["summary"])]
    else:
        measure = found(name, page)
        cells = [
            ", ".join(measure.of),
            BETTER[measure.direction],
            plain(measure.unit),
            plain(measure.summary),
        ]
    return f"| {' | '.join([link, *cells])} |"


def with_facts(text: str, page: str) -> str:
    """Text of a page with the facts of each measure below its heading."""
    return HEADING.sub(lambda hit: f"{hit[0]}\n\n{facts(hit[1], page)}", text)


def with_table(text: str, folder: Path) -> str:
    """Text of the index with a table of all measures."""
    lines = ["## All of them", "", "| measure | of | better | unit | what |"]
    lines += ["| --- | --- | --- | --- | --- |"]
    for page, names in explained(folder).items():
        lines += [row(name, page) for name in names]
    return "\n".join([text, "", *lines, ""])


def add_facts(app: Sphinx, docname: str, source: list[str]) -> None:
    """Called by Sphinx with the text of each page."""
    folder = Path(app.srcdir, FOLDER)
    if docname == INDEX:
        source[0] = with_table(source[0], folder)
    elif docname.startswith(f"{FOLDER}/") and docname.rpartition("/")[2] in PAGES:
        source[0] = with_facts(source[0], docname.rpartition("/")[2])


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    app.connect("source-read", add_facts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
