"""Times of Section 3.5: what a generation of each kind takes, in CPU seconds.

The only items of the thesis whose numbers are others in every run; they are not compared.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import numpy as np

from anonopt._typing import AnyArray, FloatArray
from anonopt.algorithms.masking.masking_ea import MaskingEA
from anonopt.data.datasets.masking_sets import masking_set
from anonopt.experiments.items.item import Item, Printed
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.catalogue import get_problem
from anonopt.problems.files.masking import MaskingProblem

KINDS = ("crossover", "mutation")
PARTS = ("Fitness", "Other")
FIGURES = ("mean", "min", "max", "sd")

NUMERIC = {"eia": "EIA", "census": "Census", "tarragona": "Tarragona"}
CATEGORICAL_SETS = ("german", "flare", "adult")

TIMED = 60
QUICK_TIMED = 20
"""Generations that are timed of each file."""

OTHER_FILES = 16
"""Masked files of the start of a timed run; how many there are does not matter for a generation."""

PRINTED = {
    ("Diabetes", "Fitness"): ("144.8 141.9 151.1 2.96", "74.50 71.99 77.22 1.74"),
    ("Diabetes", "Other"): ("1.12 1.03 1.54 0.19", "0.57 0.52 1.05 0.14"),
    ("EIA", "Fitness"): ("858.7 836.5 868.9 11.0", "442.0 434.5 450.8 5.19"),
    ("EIA", "Other"): ("3.11 3.04 3.18 0.05", "1.55 1.48 1.59 0.03"),
    ("Census", "Fitness"): ("271.6 267.7 273.7 2.24", "140.4 137.3 142.6 2.43"),
    ("Census", "Other"): ("2.18 2.14 2.215 0.02", "1.09 1.08 1.11 0.01"),
    ("Tarragona", "Fitness"): ("167.4 163.1 171.7 2.33", "82.85 78.85 85.84 2.07"),
    ("Tarragona", "Other"): ("1.83 1.70 2.29 0.09", "0.94 0.85 1.82 0.13"),
}
"""Table 3.3: CPU seconds of a generation of crossover and of mutation."""

HOURS = {"Diabetes": "30.68", "EIA": "181.28", "Census": "57.67", "Tarragona": "35.07"}
"""Hours of 1000 generations, printed as hours and minutes."""

CATEGORICAL_TIMES = {
    "mutation": ("120.34", "120.32", "0.02"),
    "crossover": ("242.48", "242.46", "0.02"),
}

MACHINE = (
    "CPU seconds of another machine ('an Intel Xeon Processor at 2.66 GHz') and program, which "
    "measures each masked file anew; ours follows the changed cells"
)
ABSENT = "CPU seconds of another machine, and diabetes.csv is not at hand"


def numeric(seed: int, quick: bool) -> Mapping[str, float]:
    """Times of generations on the numeric files."""
    found: dict[str, float] = {}
    for name, title in NUMERIC.items():
        problem = get_problem(f"{name}-masking", objectives=["score_mean"], n_files=OTHER_FILES)
        times = timed(problem, OTHER_FILES, seed, quick)
        total = 0.0
        for kind in KINDS:
            for part in PARTS:
                values = times[kind, part]
                summary = (values.mean(), values.min(), values.max(), values.std(ddof=1))
                for figure, value in zip(FIGURES, summary, strict=True):
                    found[f"{title}, {part}, {kind}, {figure}"] = float(value)
                total += 500 * float(values.mean())
        found[f"{title}, hours of 1000 generations"] = total / 3600
    return found


def categorical(seed: int, quick: bool) -> Mapping[str, float]:
    """Mean times of generations on the categorical files, over all of them."""
    runs = []
    for name in CATEGORICAL_SETS:
        problem = MaskingProblem(masking_set(name), ["score_max"])
        runs.append(timed(problem, OTHER_FILES, seed, quick, _changed_copies(problem, seed)))
    found: dict[str, float] = {}
    for kind in KINDS:
        fitness, other = (
            float(np.mean([run[kind, part].mean() for run in runs])) for part in PARTS
        )
        values = (fitness + other, fitness, other)
        found |= dict(zip(_labels(kind), values, strict=True))
    return found


def timed(
    problem: AnonymizationProblem,
    pop_size: int,
    seed: int,
    quick: bool,
    start: AnyArray | None = None,
) -> dict[tuple[str, str], FloatArray]:
    """CPU seconds of each generation, by kind and part."""
    found: dict[tuple[str, str], list[float]] = {(k, p): [] for k in KINDS for p in PARTS}
    algorithm = MaskingEA(pop_size=pop_size, sampling=start, n_generations=1000)
    algorithm.setup(problem, seed=seed)
    algorithm.next()
    for _ in range(QUICK_TIMED if quick else TIMED):
        began = time.process_time()
        children = algorithm.ask()
        asked = time.process_time()
        algorithm.evaluator.eval(problem, children, algorithm=algorithm)
        measured = time.process_time()
        algorithm.tell(infills=children)
        ended = time.process_time()
        kind = "crossover" if len(children) == 2 else "mutation"
        found[kind, "Fitness"].append(measured - asked)
        found[kind, "Other"].append(ended - measured + asked - began)
    return {key: np.array(seconds) for key, seconds in found.items()}


def _changed_copies(problem: MaskingProblem, seed: int) -> AnyArray:
    """Copies of the original with 2 to 60 % of the cells drawn anew.

    Masking a file by all methods takes longer than what is timed.
    """
    generator = np.random.default_rng(seed)
    original = problem.columns.codes.ravel()
    highest = np.tile(np.array(problem.columns.n_categories) - 1, len(problem.columns.codes))
    drawn = generator.integers(0, highest, endpoint=True, size=(OTHER_FILES, len(original)))
    shares = np.linspace(0.02, 0.6, OTHER_FILES)[:, np.newaxis]
    is_changed = generator.random(drawn.shape) < shares
    return np.where(is_changed, drawn, original).astype(problem.space.dtype)


def _labels(kind: str) -> tuple[str, str, str]:
    generation = f"generation with {kind}"
    return f"{generation}, seconds", f"{generation}, fitness", f"{generation}, other"


def _printed_table() -> Sequence[Printed]:
    rows = []
    for (title, part), printed in PRINTED.items():
        why = ABSENT if title == "Diabetes" else MACHINE
        for kind, values in zip(KINDS, printed, strict=True):
            for figure, value in zip(FIGURES, values.split(), strict=True):
                label = f"{title}, {part}, {kind}, {figure}"
                rows.append(Printed(label=label, value=value, comparable=False, why=why))
    for title, value in HOURS.items():
        why = ABSENT if title == "Diabetes" else MACHINE
        label = f"{title}, hours of 1000 generations"
        rows.append(Printed(label=label, value=value, comparable=False, why=why))
    return rows


TABLE_3_3 = Item(
    name="table-3-3",
    title="CPU seconds of a generation of the numeric files",
    printed=_printed_table(),
    measure=numeric,
)

CATEGORICAL = Item(
    name="section-3-5-times",
    title="Seconds of a generation of the categorical files",
    printed=[
        Printed(label=label, value=value, comparable=False, why=MACHINE)
        for kind, values in CATEGORICAL_TIMES.items()
        for label, value in zip(_labels(kind), values, strict=True)
    ],
    measure=categorical,
)
