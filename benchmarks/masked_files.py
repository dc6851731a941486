"""Masked files that do not fit in memory: equal to those in memory first, then timed.

``python -m benchmarks.masked_files FOLDER 1000000 10000000`` writes files of so many rows to a
folder, and prints the tables of the page on them: for each task, in a process of its own, the
seconds of the processor and the most memory of the process. ``--only TEXT`` leaves out the tasks
whose name does not hold the text.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import pandas as pd

import anonopt as ao
from anonopt.masking import MDAV, PreClustered, RankSwapping, mask_file, pre_clustering
from anonopt.masking.base import MaskingMethod
from benchmarks._bench import Benchmark, Way, require
from benchmarks._masked_data import (
    CATEGORIES,
    MOST_RECORDS,
    NUMBERS,
    RANKS,
    SWAPPED,
    masked_by,
    methods,
    swapping,
    values_of,
    written,
)
from benchmarks.large_graphs import peak_megabytes

FEW_BLOCKS = {
    "no linkage": None,
    "two nominal columns and an ordinal one": ["region", "sex", "grade"],
    "two nominal columns": ["region", "sex"],
    "one nominal column, 30 values": ["region"],
    "one nominal column, 2 values": ["sex"],
    "`blocks=[]`": [],
}


class Files:
    """Files of a number of rows, in a folder that is taken away."""

    def __init__(self, n_rows: int) -> None:
        self._folder, self.n_rows = tempfile.TemporaryDirectory(), n_rows

    def path(self, kind: str) -> Path:
        """A file of a kind."""
        return written(kind, self.n_rows, Path(self._folder.name))

    @cached_property
    def swapped(self) -> Path:
        """The file of few distinct records with some columns swapped."""
        return masked_by(swapping(SWAPPED, 2), self.path("few"))

    @property
    def methods(self) -> dict[str, tuple[str, MaskingMethod]]:
        """What files are masked by, with few columns and starts."""
        found = methods(self.n_rows, 3)
        for _, method in found.values():
            if isinstance(method, PreClustered):
                method.set_params(n_starts=2)
            else:
                method.set_params(columns=CATEGORIES[1:3])
        return found

    def masked_in_memory(self) -> dict[str, pd.DataFrame]:
        """Masked by methods that see all rows."""
        return {
            name: method.fit_transform(values_of(self.path(kind)))
            for name, (kind, method) in self.methods.items()
        }

    def masked_in_parts(self) -> dict[str, pd.DataFrame]:
        """Masked some rows at a time."""
        found = {}
        for name, (kind, method) in self.methods.items():
            found[name] = values_of(masked_by(method, self.path(kind)))
        return found

    def compared_in_memory(self) -> pd.Series:
        """All figures."""
        original, masked = map(pd.read_parquet, (self.path("few"), self.swapped))
        return ao.compare(original, masked, ordinal=SWAPPED, p=2, accelerator="numpy")

    def compared_by_counts(self) -> pd.Series:
        """Figures from counts, and bounds."""
        blocks = ["region", "grade"]
        return ao.compare_files(self.path("few"), self.swapped, ordinal=SWAPPED, blocks=blocks, p=2)

    def close(self) -> None:
        """Take the folder away."""
        self._folder.cleanup()


def check_cells(files: Files, results: Mapping[str, Any]) -> None:
    """Files that are their own sample are masked as in memory, to the bit."""
    for name, frame in results["in memory"].items():
        require(frame.equals(results["in parts"][name]), f"{name}: cells differ")


def check_figures(files: Files, results: Mapping[str, Any]) -> None:
    """Figures from counts are those in memory, to the bit, and bounds enclose the others."""
    expected, found = results["in memory"], results["by counts"]
    for name in ("DBIL", "CTBIL", "EBIL", "IL", "ID"):
        require(found[name] == expected[name], f"{name} differs")
    for name in ("DBRL", "PRL", "RSRL"):
        is_within = found[f"{name}_least"] <= expected[name] <= found[f"{name}_most"]
        require(is_within, f"{name} is outside its bounds")


BENCHMARKS = (
    Benchmark(
        name="masking of files of numbers and categories",
        unit="four files",
        sizes={"100000 rows": 100_000},
        quick={"100 rows": 100},
        setup=Files,
        ways={
            "in memory": Way(start=lambda files: files.masked_in_memory, repeats=0),
            "in parts": Way(start=lambda files: files.masked_in_parts, repeats=0),
        },
        check=check_cells,
        close=Files.close,
    ),
    Benchmark(
        name="figures of masked files",
        unit="pair of files",
        sizes={"20000 rows": 20_000},
        quick={"60 rows": 60},
        setup=Files,
        ways={
            "in memory": Way(start=lambda files: files.compared_in_memory, repeats=0),
            "by counts": Way(start=lambda files: files.compared_by_counts, repeats=0),
        },
        check=check_figures,
        close=Files.close,
    ),
)


def timed(owner: Any, name: str, stages: Counter[str], stage: str) -> None:
    """Add the seconds of a function to a stage."""
    function = getattr(owner, name)

    def called(*args: Any, **options: Any) -> Any:
        start = time.process_time()
        try:
            return function(*args, **options)
        finally:
            stages[stage] += time.process_time() - start

    setattr(owner, name, called)


def masking(name: str, n_rows: int, folder: Path) -> str:
    """What a line of the first table tells of a method."""
    stages: Counter[str] = Counter()
    timed(pre_clustering, "c_median", stages, "clusters")
    for method in (MDAV, RankSwapping):
        timed(method, "fit_transform", stages, "method")
    of_all = methods(n_rows, 50) | methods(n_rows, 500)
    kind, chosen = of_all[name]
    original = written(kind, n_rows, folder)
    start = time.process_time()
    report = mask_file(chosen, original, folder / f"{kind}-{n_rows}-masked.parquet")
    spent = time.process_time() - start
    parts = ""
    if report["parts"]:
        told = ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in stages.items())
        parts = f", largest part {report['largest_part']:,} rows: {told}"
    return f"{name}{parts} | {spent:.1f} s | {peak_megabytes() / 1000:.2f} GB"


def comparing(n_rows: int, folder: Path) -> str:
    """The line of the first table on figures."""
    original = written("people", n_rows, folder)
    masked = folder / f"people-{n_rows}-masked.parquet"
    start = time.process_time()
    ao.compare_files(original, masked, columns=CATEGORIES, ordinal=RANKS)
    spent = time.process_time() - start
    return f"`compare_files` of 8 columns | {spent:.1f} s | {peak_megabytes() / 1000:.2f} GB"


def linking(kind: str, name: str, n_rows: int, folder: Path) -> str:
    """A line of the second table."""
    ordinal, blocks = LINKAGES[kind][0], LINKAGES[kind][1][name]
    original = written(kind, n_rows, folder)
    masked = original.with_stem(f"{original.stem}-masked")
    start = time.process_time()
    found = ao.compare_files(
        original, masked, ordinal=ordinal, blocks=blocks, p=None if blocks is None else 2
    )
    spent, peak = time.process_time() - start, peak_megabytes() / 1000
    largest, bounds = "", ["", "", ""]
    if blocks is not None:
        records = pd.read_parquet(original).drop_duplicates()
        largest = f"{records.value_counts(blocks).max() if blocks else len(records):,}"
        for place, figure in enumerate(("DBRL", "PRL", "RSRL")):
            ends = dict.fromkeys(f"{found[f'{figure}_{end}']:.2f}" for end in ("least", "most"))
            bounds[place] = "..".join(ends)
    return f"{name} | {largest} | {spent:.1f} s | {peak:.2f} GB | {' | '.join(bounds)}"


LINKAGES = {
    "few": (SWAPPED, FEW_BLOCKS),
    "many": (
        dict.fromkeys(NUMBERS),
        {"one nominal column, 1,000 values": ["zone"]},
    ),
}


def tasks(n_rows: int) -> dict[str, Callable[[int, Path], str]]:
    """What a line each is printed of, in the order of the tables."""
    found: dict[str, Callable[[int, Path], str]] = {}
    for name in methods(n_rows, 50) | methods(n_rows, 500):
        found[name] = partial(masking, name)
        if name.startswith("PRAM"):
            found["`compare_files`"] = comparing
    for kind, (_, chosen) in LINKAGES.items():
        for name in chosen:
            found[f"linkage: {kind}: {name}"] = partial(linking, kind, name)
    return found


def main() -> None:
    """Print lines, each from a process that has made no file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("rows", type=int, nargs="+")
    parser.add_argument("--only", default="", help="a text in the name of the task")
    parser.add_argument("--task", help="this one, in this process")
    given = parser.parse_args()
    if given.task == "write":
        make(given.rows[0], given.folder)
        return
    if given.task:
        print(tasks(given.rows[0])[given.task](given.rows[0], given.folder))
        return
    here = [sys.executable, "-m", "benchmarks.masked_files", str(given.folder)]
    for n_rows in given.rows:
        subprocess.run([*here, str(n_rows), "--task", "write"], check=True)
        for name in tasks(n_rows):
            if given.only in name and not (n_rows > MOST_RECORDS and "many" in name):
                words = [*here, str(n_rows), "--task", name]
                done = subprocess.run(words, check=True, capture_output=True, text=True)
                print(f"| {n_rows:,} | {done.stdout.strip()} |", flush=True)


def make(n_rows: int, folder: Path) -> None:
    """Write all files, and the masked ones that linkage is measured of."""
    folder.mkdir(exist_ok=True)
    for kind in ("people", "numbers", *LINKAGES):
        path = written(kind, n_rows, folder)
        masked = path.with_stem(f"{path.stem}-masked")
        if kind in LINKAGES and not masked.exists() and (kind == "few" or n_rows <= MOST_RECORDS):
            mask_file(swapping(LINKAGES[kind][0], 2), path, masked)


if __name__ == "__main__":
    main()
