"""Runs the course and writes its notebooks and pages: ``make course``."""

from __future__ import annotations

import argparse
import re
import time
import warnings
from pathlib import Path
from typing import Any

import jupytext
import nbclient
import nbconvert

HERE = Path(__file__).resolve().parent
SOURCES = tuple(HERE / "course" / f"{name}.py" for name in ("lecture", "exercises", "solutions"))
BUILT = HERE / "_build" / "course"
SECONDS_A_CELL = 120


def executed(source: Path, folder: Path) -> Any:
    """Notebook of a source, with the outputs of its cells; run in a folder."""
    notebook = jupytext.read(source, fmt="py:percent")
    options = {"timeout": SECONDS_A_CELL, "kernel_name": "python3"}
    resources = {"metadata": {"path": str(folder)}}
    with warnings.catch_warnings():
        # Kernels talk on this machine only.
        warnings.simplefilter("ignore")
        nbclient.NotebookClient(notebook, resources=resources, **options).execute()
    for cell in notebook.cells:
        # Times of day would make each notebook another one.
        cell.metadata.pop("execution", None)
    return notebook


def page(notebook: Any, title: str) -> str:
    """HTML of a notebook that needs no network."""
    exporter = nbconvert.HTMLExporter(mathjax_url="", require_js_url="", mermaid_js_url="")
    resources = {"metadata": {"name": title}}
    made = str(exporter.from_notebook_node(notebook, resources=resources)[0])
    # What is left of the scripts without an address.
    return re.sub(r'<script src="">\s*</script>', "", made)


def main() -> None:
    """Write a notebook and a page for each source."""
    parser = argparse.ArgumentParser(prog="make course", description=__doc__, allow_abbrev=False)
    parser.parse_args()
    BUILT.mkdir(parents=True, exist_ok=True)
    for source in SOURCES:
        start = time.perf_counter()
        notebook = executed(source, BUILT)
        written = BUILT / f"{source.stem}.ipynb"
        written.write_text(jupytext.writes(notebook, fmt="ipynb"), encoding="utf-8")
        written.with_suffix(".html").write_text(page(notebook, source.stem), encoding="utf-8")
        size = sum(written.with_suffix(end).stat().st_size for end in (".ipynb", ".html")) / 1e6
        seconds = time.perf_counter() - start
        print(f"{written.relative_to(HERE.parent)} and .html: {size:.1f} MB, {seconds:.0f} s")


if __name__ == "__main__":
    main()
