"""Directives of the pages of algorithms, and of the tables of what the library brings.

``algorithm-idea``, ``algorithm-paper`` and ``algorithm-decided`` show paragraphs of docstrings,
``algorithm-options`` the options and attributes, ``algorithm-facts`` what the registry says,
``algorithm-figure`` a picture that is drawn for it; each takes the registered name.
``capability-table`` shows a table of :mod:`capability_tables`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import algorithm_figures
import algorithm_texts
import capability_tables
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from anonopt.algorithms import ALGORITHMS

FIGURES = "_build/figures"
"""Folder below docs/ of the pictures; a strict build begins by removing it."""


class RstDirective(SphinxDirective):
    """Shows reStructuredText, on pages that are Markdown."""

    has_content = False
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """What stands in its place."""
        fence = "`" * 5
        return self.parse_text_to_nodes(f"{fence}{{eval-rst}}\n{self.text()}\n{fence}\n")

    def text(self) -> str:
        """What is shown."""
        raise NotImplementedError

    @property
    def name_of_algorithm(self) -> str:
        """The registered name.

        Raises
        ------
        ValueError
            If there is no such algorithm.
        """
        ALGORITHMS.find(self.arguments[0])
        return str(self.arguments[0])


def paragraph_directive(part: str) -> type[RstDirective]:
    """Directive that shows a paragraph of the docstrings."""

    class Paragraph(RstDirective):
        def text(self) -> str:
            """What is shown."""
            return algorithm_texts.part_of(self.name_of_algorithm, part)

    return Paragraph


class Facts(RstDirective):
    """What the registry says of an algorithm."""

    def text(self) -> str:
        """What is shown."""
        name = self.name_of_algorithm
        properties = capability_tables.properties().loc[name]
        fitting = capability_tables.fitting().loc[name]
        refused = capability_tables.NO
        kinds = "; ".join(f"{kind} ({n})" for kind, n in fitting.items() if n != refused)
        path = algorithm_texts.public_path(name)
        role = "class" if isinstance(algorithm_texts.maker_of(name), type) else "func"
        rows = {
            "In one line": ALGORITHMS[name].summary,
            "Called by": f'``ao.get_algorithm("{name}", problem)`` or :py:{role}:`{path}`',
            "Takes (objectives)": kinds,
            "Exact": properties["exact"].replace(refused, "no"),
            "Deterministic": properties["deterministic"].replace(refused, "no"),
            "Budget in": properties["budget"],
        }
        return list_table(["", ""], rows.items(), header=False)


class Options(RstDirective):
    """Options and attributes of an algorithm."""

    def text(self) -> str:
        """What is shown."""
        name = self.name_of_algorithm
        parts = [definition_list(algorithm_texts.options_of(name))]
        attributes = algorithm_texts.attributes_of(name)
        if attributes:
            parts += ["After or during a run, the algorithm has:", definition_list(attributes)]
        return "\n\n".join(parts)


class Figure(SphinxDirective):
    """The picture of an algorithm; the content is its caption."""

    has_content = True
    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"alt": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """What stands in its place."""
        name = self.arguments[0]
        if not self.options.get("alt"):
            raise self.error(f"algorithm-figure {name}: expected an option alt, found none")
        path = Path(self.env.srcdir, FIGURES, f"{name}.png")
        algorithm_figures.draw(name, path)
        self.env.note_dependency(algorithm_figures.__file__)
        image = nodes.image(uri=f"/{FIGURES}/{name}.png", alt=self.options["alt"])
        figure = nodes.figure("", image)
        caption = nodes.caption()
        inline, _ = self.state.inline_text(" ".join(self.content), self.lineno)
        caption.extend(inline)
        figure += caption
        return [figure]


class Table(RstDirective):
    """A table of what the library brings."""

    def text(self) -> str:
        """What is shown."""
        table = capability_tables.TABLES[self.arguments[0]]()
        # What an installed package brings has no page here.
        pages = {path.stem for path in Path(self.env.srcdir, "algorithms").glob("*.md")}
        links = {name: f":doc:`{name} </algorithms/{name}>`" for name in pages & set(ALGORITHMS)}
        head = [table.index.name or "algorithm", *table.columns]
        rows = (
            [links.get(str(name), str(name)), *(_cell(value) for value in row)]
            for name, row in zip(table.index, table.itertuples(index=False), strict=True)
        )
        return list_table(head, rows, style="capabilities")


def _cell(value: Any) -> str:
    text = " ".join(str(value).split())
    return text.replace("*", r"\*").replace("|", r"\|") if "`" not in text else text


def list_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, header: bool = True, style: str = "facts"
) -> str:
    """A table as reStructuredText; the style is a class of the style sheet."""
    lines = [".. list-table::", f"   :header-rows: {int(header)}", "   :stub-columns: 1"]
    lines += [f"   :class: {style}", ""]
    for row in [*([head] if header else []), *rows]:
        lines += [f"   {'*' if n == 0 else ' '} - {cell}" for n, cell in enumerate(row)]
    return "\n".join(lines)


def definition_list(options: Iterable[algorithm_texts.Option]) -> str:
    """Options as reStructuredText."""
    lines = []
    for option in options:
        name = option.names.replace("*", r"\*")
        kind = f" : {option.kind}" if option.kind else ""
        text = option.text or "As pymoo has it."
        lines += [f"**{name}**{kind}", *(f"    {line}" for line in text.splitlines()), ""]
    return "\n".join(lines)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Make the directives known."""
    for part in algorithm_texts.PARTS:
        app.add_directive(f"algorithm-{part.lower()}", paragraph_directive(part))
    app.add_directive("algorithm-facts", Facts)
    app.add_directive("algorithm-options", Options)
    app.add_directive("algorithm-figure", Figure)
    app.add_directive("capability-table", Table)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
