"""Which examples of the gallery use a public name, from what sphinx-gallery notes of them."""

from __future__ import annotations

import re
from pathlib import Path

from public_names import ROOT, PublicName

NOTES = Path("gallery", "backreferences")
EXAMPLE = re.compile(r":doc:`(/gallery/[^`]+)`")
MOST = 4
"""Examples that are named at one place."""


def examples(name: PublicName, docs: Path) -> list[str]:
    """Links to the first examples that use a class or function; none without a gallery."""
    # sphinx-gallery shortens paths as far as the name can be imported.
    notes = docs / NOTES / f"{ROOT}.{name.name}.examples"
    if name.kind == "data" or not notes.is_file():
        return []
    pages = dict.fromkeys(EXAMPLE.findall(notes.read_text(encoding="utf-8")))
    found = [page for page in pages if (docs / f"{page[1:]}.rst").is_file()]
    links = ", ".join(f":doc:`{page}`" for page in found[:MOST])
    return ["", f"   In the gallery: {links}."] if links else []
