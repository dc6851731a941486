"""Types of parameters lead to where they are explained: ours, and a few of other libraries.

The types of other libraries are listed here, instead of in the inventories that these publish:
the site is built without a network.
"""

from __future__ import annotations

import zlib
from pathlib import Path

from numpydoc.xref import DEFAULT_LINKS
from public_names import public_names

OTHERS = {
    "numpy": (
        "https://numpy.org/doc/stable/",
        ["reference/random/generator.html#numpy.random.Generator Generator"],
    ),
    "pandas": (
        "https://pandas.pydata.org/docs/",
        [
            "reference/api/pandas.DataFrame.html DataFrame",
            "reference/api/pandas.Series.html Series",
        ],
    ),
    "matplotlib": (
        "https://matplotlib.org/stable/",
        [
            "api/figure_api.html Figure",
            "api/axes_api.html Axes",
        ],
    ),
    "python": (
        "https://docs.python.org/3/",
        ["library/concurrent.futures.html Executor", "library/pathlib.html Path"],
    ),
}
FULL_NAMES = {
    "Generator": "numpy.random.Generator",
    "DataFrame": "pandas.DataFrame",
    "Series": "pandas.Series",
    "Figure": "matplotlib.figure.Figure",
    "Axes": "matplotlib.axes.Axes",
    "Executor": "concurrent.futures.Executor",
    "Path": "pathlib.Path",
}


def type_links() -> dict[str, str]:
    """What a word in the type of a parameter leads to; words of numpydoc's own list stay words."""
    classes = {name.name: name.place for name in public_names() if name.kind == "class"}
    return {**{word: word for word in DEFAULT_LINKS}, **classes, **FULL_NAMES}


def write_inventories(folder: Path) -> dict[str, tuple[str, str]]:
    """Write the inventories of the other libraries; returns what intersphinx is told of them."""
    folder.mkdir(parents=True, exist_ok=True)
    mapping = {}
    for library, (address, entries) in OTHERS.items():
        lines = [f"# Sphinx inventory version 2\n# Project: {library}\n# Version: any\n"]
        lines.append("# The remainder of this file is compressed using zlib.\n")
        rows = []
        for page, word in map(str.split, entries):
            rows.append(f"{FULL_NAMES[word]} py:class 1 {page} -\n")
        path = folder / f"{library}.inv"
        path.write_bytes("".join(lines).encode() + zlib.compress("".join(rows).encode()))
        mapping[library] = (address, str(path))
    return mapping
