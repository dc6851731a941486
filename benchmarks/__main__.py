"""Run benchmarks and print one Markdown table; see ``python -m benchmarks --help``."""

from __future__ import annotations

import argparse
import importlib.metadata
import multiprocessing
import os
import platform
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks._bench import HEAD, Row, measure_file

FILES = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))
PACKAGES = ("anonopt", "numpy", "pandas", "numba", "pymoo", "networkx", "scipy")


def machine() -> str:
    """One line: versions, processor and system."""
    versions = []
    for name in PACKAGES:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"no {name}")
    python = f"{platform.python_implementation()} {platform.python_version()}"
    system = f"{platform.system()} {platform.machine()}"
    return f"{', '.join(versions)}; {python}; {processor()}, {os.cpu_count()} cores; {system}"


def processor() -> str:
    """Name of the processor, as well as the system tells it."""
    facts = Path("/proc/cpuinfo")
    if facts.is_file():
        for line in facts.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def main() -> int:
    """Print the table; returns 1 if a goal is missed or results differ."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE", help=f"some of: {', '.join(FILES)}")
    parser.add_argument("--quick", action="store_true", help="small sizes, goals not looked at")
    options = parser.parse_args()
    unknown = sorted(set(options.files) - set(FILES))
    if unknown:
        parser.error(f"FILE: expected some of {', '.join(FILES)}, found {', '.join(unknown)}")
    print(f"{machine()}\n\n{line(HEAD)}\n{line('---' for _ in HEAD)}", flush=True)
    rows: list[Row] = []
    for name in options.files or FILES:
        # A process for each file: the next one starts without its memory, caches and threads.
        # Such of a Pool may have no processes of its own, as experiments do.
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            found = pool.submit(measure_file, name, quick=options.quick).result()
        print("\n".join(line(row.cells()) for row in found), flush=True)
        rows += found
    missed = [text for row in rows for text in row.misses()]
    if missed:
        print("\ngoals missed: " + "; ".join(missed))
    else:
        print(
            "\n"
            + (
                "quick: results are equal, goals are not looked at"
                if options.quick
                else "goals met"
            )
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
