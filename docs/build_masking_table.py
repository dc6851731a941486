"""Prints the table of searches of masked files: how good a front is at equal work.

Every search of a file starts from the same population and has as many evaluations of whole files.
Hypervolume is that of all files it evaluated, in loss and risk, as a share of the square up to 100.
Run it as ``python docs/build_masking_table.py runs.csv``; it goes on where the file of runs ends.
Budgets are those of the starting population and whole generations of every search.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from search_tables import SEEDS, hypervolume, p_values

import anonopt as ao

BUDGETS = {"german-masking": 204, "flare-masking": 204, "adult-masking": 136}
OURS, LONGER = "memetic-masking", 25
HEAD = (
    "| file | search | evaluations | median | least | most | p "
    "| in the time of memetic-masking | evaluations | p |"
)
Search = Callable[[Any, Any], Any]


def _memetic(problem: Any, start: Any) -> Any:
    return ao.algorithms.MemeticMasking(sampling=start)


def _nsga2(problem: Any, start: Any) -> Any:
    return ao.algorithms.nsga2(problem, sampling=start)


def _category(problem: Any, start: Any) -> Any:
    mutation = ao.operators.CategoryMutation()
    return ao.algorithms.nsga2(problem, sampling=start, mutation=mutation)


def _spea2(problem: Any, start: Any) -> Any:
    return ao.algorithms.spea2(problem, sampling=start)


def _masking_ea(problem: Any, start: Any) -> Any:
    return ao.algorithms.MaskingEA(sampling=start)


SEARCHES: dict[str, tuple[Search, list[str]]] = {
    OURS: (_memetic, ["IL", "DR"]),
    "nsga2": (_nsga2, ["IL", "DR"]),
    "nsga2, CategoryMutation": (_category, ["IL", "DR"]),
    "spea2": (_spea2, ["IL", "DR"]),
    "masking-ea, score_max": (_masking_ea, ["score_max"]),
    "masking-ea, score_mean": (_masking_ea, ["score_mean"]),
}


class Clock:
    """Loss and risk of the files of each generation, with its evaluations and processor time."""

    def __init__(self) -> None:
        self.generations: list[tuple[float, int, Any]] = []

    def __call__(self, algorithm: Any) -> None:
        """Note a generation."""
        moment, children = time.process_time(), getattr(algorithm, "off", None)
        files = algorithm.pop if children is None else children
        figures = np.column_stack([files.get("anon_IL"), files.get("anon_DR")]).astype(float)
        self.generations.append((moment, algorithm.evaluator.n_unique, figures))

    @property
    def seconds(self) -> float:
        """Processor seconds after the starting population."""
        return self.generations[-1][0] - self.generations[0][0]

    def within(self, *, seconds: float = np.inf, evaluations: float = np.inf) -> tuple[Any, int]:
        """Files of the generations that ended within so much of both, and their evaluations."""
        began = self.generations[0][0]
        ended = [
            one for one in self.generations if one[0] - began <= seconds and one[1] <= evaluations
        ]
        return np.concatenate([figures for _, _, figures in ended]), ended[-1][1]


def runs_of(name: str, seed: int) -> Iterator[dict[str, Any]]:
    """Rows of all searches of a file with a seed; time is compared within it."""
    start = ao.get_problem(name).space.starting_population(np.random.default_rng(0))
    seconds = np.inf
    for search, (make, goals) in SEARCHES.items():
        problem, clock = ao.get_problem(name, objectives=goals), Clock()
        # Longer than is compared, so that time ends before the evaluations do.
        times = 1 if search == OURS else LONGER
        options = {"budget": times * BUDGETS[name], "seed": seed, "callback": clock}
        ao.solve(problem, make(problem, start), **options)
        seconds = clock.seconds if search == OURS else seconds
        equal, _ = clock.within(evaluations=BUDGETS[name])
        timely, n_evaluations = clock.within(seconds=seconds if search != OURS else np.inf)
        yield {
            "file": name,
            "search": search,
            "seed": seed,
            "hypervolume": hypervolume(equal),
            "in the time": hypervolume(timely),
            "evaluations in the time": n_evaluations,
        }


def main() -> None:
    """Run what a file of rows does not hold, and print the table."""
    kept = Path(sys.argv[1])
    rows = pd.read_csv(kept).to_dict("records") if kept.exists() else []
    done = {(row["file"], row["seed"]) for row in rows}
    for name in sys.argv[2:] or BUDGETS:
        for seed in SEEDS:
            if (name, seed) not in done:
                rows += list(runs_of(name, seed))
                pd.DataFrame(rows).to_csv(kept, index=False)
    print(table(pd.DataFrame(rows)))


def table(runs: pd.DataFrame) -> str:
    """Medians, and Wilcoxon tests against the memetic search that Holm corrects in each file."""
    lines = [HEAD, "| --- " * HEAD.count(" | ") + "| --- |"]
    for name, of_file in runs.groupby("file", sort=False):
        tests = {
            column: p_values(of_file, column, OURS) for column in ("hypervolume", "in the time")
        }
        for search in SEARCHES:
            its = of_file[of_file["search"] == search]
            equal, timely = its["hypervolume"], its["in the time"]
            cells = [
                str(name),
                search,
                str(BUDGETS[str(name)]),
                *(f"{one:.4f}" for one in (equal.median(), equal.min(), equal.max())),
                tests["hypervolume"].get(search, ""),
                f"{timely.median():.4f}",
                f"{its['evaluations in the time'].median():.0f}",
                tests["in the time"].get(search, ""),
            ]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
