"""Measures how cost grows with a table, prints the tables of docs/scaling.md, draws its picture.

One process; times are processor times of all its threads, the least of a few repetitions where
they are short, so that other work on the machine disturbs little. Tables are those of
`anonopt.data.SyntheticTable`. Run it as ``python docs/build_scaling.py results.csv``; steps whose
lines the file holds are not measured again.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

import anonopt as ao
from anonopt.data import SyntheticTable

ROWS = (10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
WARM_UP = (500, 1 << 16)
"""Rows of tables whose counts take 16 and 32 bits: kernels are made for each."""

COLUMNS = (4, 8, 16, 32, 64, 100)
IN_MEMORY = 1_000_000
"""Rows up to which pandas holds the table; larger ones are reduced by DuckDB from Parquet."""

OF_COLUMNS = 100_000
"""Rows of the tables that differ in their number of columns."""

PICTURE = Path(__file__).parent / "images" / "scaling.png"
MEASURES = ["k", "glm"]
NAMES = ["series", "step", "rows", "columns", "tuples", "classes", "seconds"]
LINES: dict[str, dict[str, Any]] = {
    "reduction": {"color": "C0", "marker": "o"},
    "protection": {"color": "C1", "marker": "s"},
    "search": {"color": "C2", "marker": "^"},
    "whole lattice": {"color": "C3", "marker": "D"},
    "one node": {"color": "C4", "marker": "v"},
}
Line = dict[str, Any]


def seconds(work: Callable[[], Any], *, repeat: int = 1) -> float:
    """Processor time of work, the least of some repetitions."""
    found = []
    for _ in range(repeat):
        started = time.process_time()
        work()
        found.append(time.process_time() - started)
    return min(found)


def table_of(people: SyntheticTable, folder: Path) -> ao.Microdata:
    """The table, in memory or in Parquet."""
    if people.n_rows <= IN_MEMORY:
        return people.table()
    return ao.Microdata.from_parquet(
        people.write(folder / "people.parquet"),
        quasi_identifiers=list(people.quasi_identifiers),
        hierarchies=people.hierarchies(),
        sensitive=people.sensitive,
        identifiers=list(people.identifiers),
    )


def nodes_of(table: ao.Microdata, number: int) -> np.ndarray:
    """Nodes drawn evenly from the lattice."""
    heights = np.array(table.lattice.heights)
    return np.random.default_rng(1).integers(0, heights + 1, (number, len(heights)))


def measured(series: str, people: SyntheticTable, steps: tuple[str, ...]) -> Iterator[Line]:
    """Steps of one table, one after the other."""
    facts: Line = {"series": series, "rows": people.n_rows, "columns": people.n_columns}
    with tempfile.TemporaryDirectory() as folder:
        table = table_of(people, Path(folder))
        reduction = seconds(table.reduction)
        evaluator = ao.LatticeEvaluator(table)
        facts["tuples"] = evaluator.n_tuples
        yield {**facts, "step": "reduction", "seconds": reduction}
        nodes = nodes_of(table, 16)
        evaluator.values(nodes, MEASURES)
        one = seconds(lambda: evaluator.values(nodes, MEASURES), repeat=3) / len(nodes)
        yield {**facts, "step": "one node", "seconds": one}
        for node in nodes[:8] if "classes" in steps else ():
            classes = len(evaluator.class_table(node).sizes)
            spent = seconds(lambda at=node: evaluator.values(at[np.newaxis], MEASURES), repeat=5)
            yield {**facts, "step": "classes", "classes": classes, "seconds": spent}
        if "whole lattice" in steps:
            spent = seconds(lambda: evaluator.evaluate_all(MEASURES))
            yield {**facts, "step": "whole lattice", "seconds": spent}
        if "search" in steps:
            problem = ao.problems.LatticeProblem(table, MEASURES, suppression=0.01)
            pbgea = ao.algorithms.PBGEA()
            spent = seconds(lambda: ao.solve(problem, pbgea, budget=900, seed=1))
            yield {**facts, "step": "search", "seconds": spent}
        if "protection" in steps:
            top = table.lattice.top
            to = {} if people.n_rows <= IN_MEMORY else {"to": Path(folder) / "protected.parquet"}
            spent = seconds(lambda: table.apply(top, k=5, **to))
            yield {**facts, "step": "protection", "seconds": spent}


def all_lines(path: Path) -> pd.DataFrame:
    """Lines of the file, and those that it did not hold."""
    held = pd.read_csv(path) if path.exists() else pd.DataFrame(columns=NAMES)
    everything = ("classes", "whole lattice", "search", "protection")
    # What is compiled or loaded at the first call is not counted.
    for n_rows in WARM_UP:
        list(measured("", SyntheticTable(n_rows=n_rows, profiles=90), everything))
    plan = [("rows", SyntheticTable(n_rows=n, profiles=100_000), everything) for n in ROWS]
    plan += [
        ("columns", SyntheticTable(n_rows=OF_COLUMNS, n_columns=n, profiles=100_000), ())
        for n in COLUMNS
    ]
    for series, people, steps in plan:
        is_held = (held["series"] == series) & (held["rows"] == people.n_rows)
        if (is_held & (held["columns"] == people.n_columns)).any():
            continue
        lines = list(measured(series, people, steps))
        print(f"{series}: {people.n_rows} rows, {people.n_columns} columns", file=sys.stderr)
        held = pd.concat([held, pd.DataFrame(lines)], ignore_index=True)
        held[NAMES].to_csv(path, index=False)
    return held


def exponent(x: Any, y: Any) -> tuple[float, float]:
    """Slope of the line of least squares through the logarithms, and its standard error."""
    logs = np.log(np.asarray(x, dtype=float)), np.log(np.asarray(y, dtype=float))
    deviation = logs[0] - logs[0].mean()
    slope = (deviation @ logs[1]) / (deviation @ deviation)
    left = logs[1] - logs[1].mean() - slope * deviation
    error = np.sqrt(left @ left / max(len(left) - 2, 1) / (deviation @ deviation))
    return float(slope), float(error)


def fits(lines: pd.DataFrame) -> pd.DataFrame:
    """Exponents of each step, by what it grows with."""
    rows = lines[lines["series"] == "rows"]
    in_memory = rows[rows["rows"] <= IN_MEMORY]
    columns = lines[lines["series"] == "columns"]
    chosen = [("distinct tuples", rows.drop_duplicates("rows"), "rows", "tuples")]
    chosen += [
        (step, part[part["step"] == step], by, "seconds")
        for step, part, by in (
            ("reduction", in_memory, "rows"),
            ("protection", in_memory, "rows"),
            ("one node", rows, "tuples"),
            ("whole lattice", rows, "tuples"),
            ("search", rows, "tuples"),
            ("classes", rows[rows["rows"] == IN_MEMORY], "classes"),
            ("reduction", columns, "columns"),
            ("one node", columns, "columns"),
        )
    ]
    found = [(step, by, *exponent(part[by], part[y])) for step, part, by, y in chosen]
    return pd.DataFrame(found, columns=["what", "grows with", "exponent", "standard error"])


def draw(lines: pd.DataFrame) -> None:
    """The picture: steps over rows, over tuples, over columns."""
    figure = Figure(figsize=(10, 3.4), layout="constrained")
    rows, columns = (lines[lines["series"] == name] for name in ("rows", "columns"))
    panels = (
        ("rows", rows, ["reduction", "protection", "search", "whole lattice"]),
        ("tuples", rows, ["one node", "search", "whole lattice"]),
        ("columns", columns, ["reduction", "one node"]),
    )
    for axes, (by, part, steps) in zip(figure.subplots(1, 3), panels, strict=True):
        for step in steps:
            chosen = part[part["step"] == step]
            axes.loglog(chosen[by], chosen["seconds"], **LINES[step], label=step)
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.set_xlabel("distinct tuples" if by == "tuples" else by)
        axes.legend(fontsize=8, frameon=False)
    figure.axes[0].set_ylabel("processor time (s)")
    figure.savefig(PICTURE, dpi=120)


def print_table(frame: pd.DataFrame) -> None:
    """A table in Markdown."""
    for cells in (frame.columns, ["---"] * len(frame.columns), *frame.itertuples(index=False)):
        print(f"| {' | '.join(map(str, cells))} |")
    print()


def main() -> None:
    """Measure what is missing, print the tables, draw."""
    lines = all_lines(Path(sys.argv[1]))
    rows = lines[(lines["series"] == "rows") & (lines["step"] != "classes")]
    columns = lines[lines["series"] == "columns"]
    for part, by in ((rows, ["rows", "tuples"]), (columns, ["columns", "tuples"])):
        wide = part.pivot_table(index=by, columns="step", values="seconds", sort=False)
        print_table(wide.map(lambda value: f"{value:.3g}").reset_index())
    print_table(fits(lines).round(2))
    draw(lines)


if __name__ == "__main__":
    main()
