"""Links to Markdown files at the top of the repository, which are pages of the site too."""

from __future__ import annotations

import re

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

PAGES = {
    "README.md": "index.md",
    "SECURITY.md": "help/security.md",
    "CHANGELOG.md": "help/changes.md",
    "CONTRIBUTING.md": "help/contributing.md",
}
LINK = re.compile(rf"\]\((?:\.\./)*({'|'.join(map(re.escape, PAGES))})")


def lead_to_pages(app: Sphinx, docname: str, source: list[str]) -> None:
    """Replace such links in the text of a page."""
    source[0] = LINK.sub(lambda hit: f"](/{PAGES[hit[1]]}", source[0])


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    app.connect("source-read", lead_to_pages)
    app.connect("include-read", lambda app, _, page, text: lead_to_pages(app, page, text))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
