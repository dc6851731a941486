"""Section 4 and the parameters of Section 5: data, algorithms that find the optimum, settings."""

from __future__ import annotations

from collections.abc import Mapping

from anonopt.algorithms.exact.exhaustive import ExhaustiveSearch
from anonopt.algorithms.exact.ola import OLA
from anonopt.algorithms.population.kgen import KGEN, N_EVALUATIONS
from anonopt.data.datasets.loading import load_frame
from anonopt.experiments.items.item import Item, Printed
from anonopt.experiments.papers.kgen.searches import (
    CARGO,
    STAND_IN,
    figures_at,
    optimum_of,
    problem_of,
    random_above_section_3_2,
)
from anonopt.runs.solve import solve

PRIVATE = "the data of the Dutch task force (F2) are not public"

RUN_COLUMNS = (5, 6)
"""Those that the exact approaches of the paper came to (Section 5.1)."""


def section_4_1(seed: int, quick: bool) -> Mapping[str, float]:
    """Size of Cargo 2000, without the number of the row."""
    problem_of(CARGO, 5)
    frame = load_frame(CARGO).drop(columns="nr")
    return {"c2k: attributes": frame.shape[1], "c2k: observations": frame.shape[0]}


def exact_approaches(seed: int, quick: bool) -> Mapping[str, float]:
    """Whether OLA and the exhaustive search find the proven optimum of Cargo 2000."""
    found = {}
    for n_columns in RUN_COLUMNS:
        problem = problem_of(CARGO, n_columns)
        best = figures_at(CARGO, n_columns, optimum_of(CARGO, n_columns)).level
        for name, search in (("OLA", OLA()), ("exhaustive search", ExhaustiveSearch())):
            result = solve(problem, search, seed=seed)
            found[f"{name}, {n_columns} columns: accuracy, %"] = 100 * float(
                abs(result.F[0, 0] - best) < 1e-12
            )
    return found


def table_7(seed: int, quick: bool) -> Mapping[str, float]:
    """Parameters: defaults of KGEN, and what the experiments use."""
    search = KGEN()
    problem = problem_of(STAND_IN, 25)
    drawn = solve(problem, random_above_section_3_2(), budget=N_EVALUATIONS, seed=1)
    return {
        "KGEN, maxEvaluations": search.termination.n_max_evals,
        "KGEN, populationSize": search.pop_size,
        "KGEN, crossoverRate": search.prob_crossover,
        "KGEN, mutationRate": search.prob_mutation,
        "KGEN, horizontalMutationRate": search.horizontal_mutation.prob,
        "random, maxEvaluations": drawn.n_evaluations,
        "random, populationSize": drawn.algorithm.batch_size,
        "suppression, %": 100 * problem.evaluator.rule.budget / problem.table.n_rows,
    }


ITEMS = (
    Item(
        name="section-4-1",
        title="Sizes of the data sets",
        printed=[
            Printed(label="c2k: attributes", value="97"),
            Printed(label="c2k: observations", value="3942"),
            Printed(label="F2: attributes", value="47", why=PRIVATE, comparable=False),
            Printed(label="F2: observations", value="1599", why=PRIVATE, comparable=False),
        ],
        measure=section_4_1,
    ),
    Item(
        name="section-4-3",
        title="OLA and exhaustive search, which find the optimum (Section 4.3)",
        printed=[
            Printed(label=f"{name}, {n} columns: accuracy, %", value="100")
            for n in RUN_COLUMNS
            for name in ("OLA", "exhaustive search")
        ],
        measure=exact_approaches,
    ),
    Item(
        name="table-7",
        title="Parameters",
        printed=[
            Printed(label="KGEN, maxEvaluations", value="5000"),
            Printed(label="KGEN, populationSize", value="100"),
            Printed(label="KGEN, crossoverRate", value="0.9"),
            Printed(label="KGEN, mutationRate", value="0.2"),
            Printed(label="KGEN, horizontalMutationRate", value="0.4"),
            Printed(label="random, maxEvaluations", value="5000"),
            Printed(
                label="random, populationSize",
                value="5000",
                comparable=False,
                why="nodes are drawn independently of each other, so the size of a batch changes "
                "nothing",
            ),
            Printed(label="suppression, %", value="0.5"),
        ],
        measure=table_7,
    ),
)
