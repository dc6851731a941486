"""How sphinx-gallery runs the examples: in which order, where, for how long, with which pictures.

Examples are run in a copy of their folder, so that nothing they write reaches the sources. The
pictures that they write into the current folder are what their pages show; HTML files are linked.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import time
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata
from sphinx_gallery.scrapers import figure_rst

from anonopt._registry import FAMILIES, loaded

ORDER = {
    "first_steps": "is_it_anonymous hierarchies csv_to_published attackers",
    "lattices": "three_attributes animated_searches exact_and_evolutionary fixed_k l_diversity "
    "own_measure",
    "recodings": "groups_of_rows k_and_loss nodes_recodings_files",
    "masking": "risk_utility_map search_files one_front pram_matrices pram_equations attacks "
    "cell_suppression",
    "graphs": "protect_graph",
    "comparing": "eight_algorithms tune_on_suite report",
    "extending": "algorithm_in_30_lines own_operator_deap",
    "scale": "large_lattices cluster",
}
"""Examples of each folder, in the order in which they are taught; `plot_` and `.py` left out."""

PICTURES = (".png", ".svg", ".gif")
PAGES = "pages"
"""Folder of pages that examples write, beside their own."""
SECONDS = 30.0
"""The longest that an example may take of a processor."""
BACKREFERENCES = "gallery/backreferences"
MOST_LINKS = 5

logger = logging.getLogger(__name__)
_before: dict[str, Any] = {}
_seconds: dict[str, float] = {}


def position(path: str) -> int:
    """Place of an example among those of its folder; one that has none is an error."""
    names = [f"plot_{name}.py" for name in ORDER[Path(path).parent.name].split()]
    return names.index(Path(path).name)


class TaughtOrder:
    """Key by which sphinx-gallery sorts the examples of a folder."""

    def __init__(self, src_dir: str) -> None:
        self.folder = Path(src_dir)

    def __call__(self, filename: str) -> int:
        """Place of an example."""
        return position(str(self.folder / filename))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


def options(examples: Path, docs: Path) -> dict[str, Any]:
    """Settings of sphinx-gallery, for `sphinx_gallery_conf`."""
    folder = "_build/examples"
    shutil.rmtree(docs / folder, ignore_errors=True)
    shutil.copytree(examples, docs / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return {
        "examples_dirs": folder,
        "gallery_dirs": "gallery",
        "filename_pattern": r"plot_\w+\.py$",
        "subsection_order": [f"{folder}/{name}" for name in ORDER],
        "within_subsection_order": "anonopt_gallery.TaughtOrder",
        "image_scrapers": ("anonopt_gallery.written_files",),
        "reset_modules": ("anonopt_gallery.as_if_alone",),
        "reset_modules_order": "both",
        "capture_repr": (),
        "abort_on_example_error": True,
        "doc_module": ("anonopt",),
        "backreferences_dir": BACKREFERENCES,
        "download_all_examples": False,
        "show_memory": False,
        "show_signature": False,
        "min_reported_time": 1,
        "write_computation_times": False,
        "remove_config_comments": True,
    }


def written_files(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Move pictures and pages that a block wrote to its page, in the order they were written."""
    found = [path for path in Path.cwd().iterdir() if path.suffix in (*PICTURES, ".html")]
    texts = []
    for file in sorted(found, key=lambda path: path.stat().st_mtime_ns):
        if file.suffix == ".html":
            texts.append(_link(file, Path(block_vars["target_file"])))
            continue
        target = Path(next(block_vars["image_path_iterator"])).with_suffix(file.suffix)
        shutil.move(file, target)
        title = file.stem.replace("_", " ").replace("-", " ")
        texts.append(figure_rst([os.fspath(target)], gallery_conf["src_dir"], title))
    return "\n".join(texts)


def _link(file: Path, example: Path) -> str:
    """Move a page beside that of its example; text of the link that leads there."""
    place = f"{PAGES}/{example.stem.removeprefix('plot_')}_{file.name}"
    (example.parent / PAGES).mkdir(exist_ok=True)
    shutil.move(file, example.parent / place)
    return f"""
.. raw:: html

    <p class="written-page"><a href="{place}">Open {file.name}</a></p>
"""


def copy_pages(app: Sphinx, exception: Exception | None) -> None:
    """Copy the pages that examples wrote into the site, where their links lead."""
    if exception is None and app.builder.format == "html":
        for page in Path(app.srcdir, "gallery").glob(f"*/{PAGES}/*.html"):
            target = Path(app.outdir, page.relative_to(app.srcdir))
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(page, target)


def as_if_alone(gallery_conf: dict[str, Any], fname: str | None, when: str) -> None:
    """Time an example, and take back what it leaves: figures, generators, registered parts."""
    registries = [loaded(place) for place in FAMILIES.values()]
    if when == "before":
        kept = [(dict(registry), set(registry._registered)) for registry in registries]
        states = random.getstate(), np.random.get_state()  # noqa: NPY002
        _before[str(fname)] = kept, states, time.process_time()
    elif str(fname) in _before:
        kept, (python_state, numpy_state), start = _before.pop(str(fname))
        _seconds[Path(str(fname)).stem] = time.process_time() - start
        plt.close("all")
        random.setstate(python_state)
        np.random.set_state(numpy_state)  # noqa: NPY002
        for registry, (entries, registered) in zip(registries, kept, strict=True):
            registry._entries, registry._registered = entries, registered


def examples_of(docs: Path, name: str) -> list[str]:
    """Pages of the examples that use a class or a function, in the order of the gallery."""
    folder = docs / BACKREFERENCES
    # sphinx-gallery leaves out the packages that only say where a name of anonopt is listed.
    names = {name, f"anonopt.{name.rpartition('.')[2]}"}
    files = [folder / f"{one}.examples" for one in names]
    texts = [file.read_text(encoding="utf-8") for file in files if file.is_file()]
    pages = {page for text in texts for page in re.findall(r":doc:`/(gallery/\w+/\w+)`", text)}
    known = [
        f"gallery/{folder}/plot_{one}" for folder, ones in ORDER.items() for one in ones.split()
    ]
    return [page for page in known if page in pages]


def link_examples(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """End the text of a class or a function with the examples that use it."""
    pages = examples_of(Path(app.srcdir), name) if what in ("class", "function") else []
    if pages:
        links = ", ".join(f":doc:`/{page}`" for page in pages[:MOST_LINKS])
        lines += ["", ".. rubric:: In the gallery", "", links, ""]


def check_times(app: Sphinx, exception: Exception | None) -> None:
    """Warn of each example that took too long, which ends a strict build; tell all times.

    Times are those of the processor, which do not depend on what else a machine does. An example
    that has not changed since the last build is not run again.
    """
    for name, seconds in _seconds.items():
        logger.info("%5.1f s  %s", seconds, name)
        if seconds > SECONDS:
            logger.warning("example %s: took %.0f seconds, expected %g", name, seconds, SECONDS)
    logger.info("%5.1f s  for %d examples", sum(_seconds.values()), len(_seconds))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Link the reference to examples; in the end check times, and copy the pages they wrote."""
    app.connect("build-finished", check_times)
    app.connect("build-finished", copy_pages)
    # After numpydoc, which rewrites docstrings.
    app.connect("autodoc-process-docstring", link_examples, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
