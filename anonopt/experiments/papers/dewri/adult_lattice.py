"""Table 1(a), Figures 1 to 3 and Sections 4.1 and 7 of Dewri 2010: Adult and its lattice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from anonopt.algorithms.population.pbgea import PBGEA
from anonopt.data.datasets.loading import load_dataset
from anonopt.experiments.items.item import Item, Picture, Printed
from anonopt.experiments.papers.dewri.pbgea_runs import PROBLEMS, ones, search
from anonopt.measures.lattice.properties import PROPERTIES
from anonopt.problems.catalogue import get_problem

HEIGHTS = {
    "age": ("Age", "74", "6"),
    "workclass": ("Work Class", "7", "3"),
    "education": ("Education", "16", "3"),
    "marital-status": ("Marital Status", "7", "3"),
    "race": ("Race", "5", "1"),
    "sex": ("Gender", "2", "1"),
    "native-country": ("Native Country", "41", "4"),
    "income": ("Salary Class", "2", "1"),
}
"""By column: name, number of values and height of Table 1(a)."""

AGES = (
    'of the 74 ages from 17 to 90 two occur in no complete row; "No. of values" is the size of the '
    "domain, as Section 3 has it"
)

SERIES = {
    "both": "exhaustive search and PBG-EA",
    "left_only": "exhaustive search alone",
    "right_only": "PBG-EA alone",
}
"""Points of Figures 1 to 3, by where they are found."""

N_PAIRS = 40
"""Pairs of nodes that the observation of Section 4.1 is tried on."""


def lattice(seed: int, quick: bool) -> Mapping[str, float]:
    """Table 1(a): attributes, domains, heights, and the size of the lattice.

    The number of values is the size of the domain, as Section 3 has it: the leaves of the
    hierarchy, all ages from 17 to 90 although two of them do not occur.
    """
    adult = load_dataset("adult")
    found: dict[str, float] = {}
    for column, (name, _, _) in HEIGHTS.items():
        hierarchy = adult.hierarchies[column]
        found[f"{name}, values"] = hierarchy.n_leaves
        found[f"{name}, height"] = hierarchy.height
    found["ages that occur"] = adult.frame["age"].nunique()
    found["Occupation, values"] = adult.frame["occupation"].nunique()
    found["nodes of the lattice"] = adult.lattice.size
    found["nodes without Salary Class"] = get_problem(PROBLEMS["k, GLM, CM"]).lattice.size
    return found


def parameters(seed: int, quick: bool) -> Mapping[str, float]:
    """Section 7: parameters as the defaults of PBG-EA and of its problems have them."""
    problem = get_problem(PROBLEMS["k, GLM"])
    algorithm = PBGEA()
    algorithm.setup(problem, seed=seed)
    rate = algorithm.mutation.prob_var
    return {
        "rows that may be suppressed": problem.evaluator.rule.budget,
        "population": algorithm.pop_size,
        "iterations": algorithm.termination.n_max_gen,
        "probability of crossover": algorithm.crossover.prob.value,
        "probability of mutation": 1 / problem.n_var if rate is None else rate.value,
    }


def observation(seed: int, quick: bool) -> Mapping[str, float]:
    """Section 4.1: whether the sum orders pairs of nodes of Adult as the spread index does."""
    evaluator = get_problem(PROBLEMS["S_k, S_l, GLM"]).evaluator
    generator = np.random.default_rng(seed)
    heights = np.asarray(evaluator.table.lattice.heights)
    n_apart = 0
    for first, second in generator.integers(heights + 1, size=(N_PAIRS, 2, len(heights))):
        for prop in PROPERTIES:
            by_spread = np.subtract(*evaluator.compare(first, second, prop))
            sums = [evaluator.property_vector(node, prop).sum() for node in (first, second)]
            n_apart += int(np.sign(by_spread) != np.sign(sums[0] - sums[1]))
    return {"pairs that the two order otherwise": n_apart}


def fronts(seed: int, quick: bool) -> Mapping[str, float]:
    """Number of minimal generalizations that Figures 1 to 3 show, of ours."""
    return {
        f"{label}, minimal generalizations": len(get_problem(name).pareto_front())
        for label, name in PROBLEMS.items()
    }


def figure_1(quick: bool) -> pd.DataFrame:
    """Fronts under worst-case privacy, with boxes of size 1 and of Table 2(a)."""
    return pd.concat(
        [
            *_panels("k, GLM"),
            *_panels("k, GLM", (10, 1000)),
            *_panels("k, l, GLM"),
            *_panels("k, l, GLM", (10, 4, 1000)),
        ]
    )


def figure_2(quick: bool) -> pd.DataFrame:
    """Fronts under spread-based privacy."""
    return pd.concat([*_panels("S_k, GLM"), *_panels("S_k, S_l, GLM")])


def figure_3(quick: bool) -> pd.DataFrame:
    """Front of one privacy and two losses."""
    return pd.concat(_panels("k, GLM, CM"))


def _panels(label: str, eps: Sequence[float] | None = None) -> Iterator[pd.DataFrame]:
    """Exact front and archive of one run, a panel for each objective beside GLM."""
    problem = get_problem(PROBLEMS[label])
    archive = search(problem, ones(problem) if eps is None else eps, 1).archive
    names = list(problem.objective_names)
    exact, found = (
        pd.DataFrame(points, columns=names).drop_duplicates()
        for points in (problem.natural(problem.pareto_front()), archive)
    )
    points = exact.merge(found, how="outer", indicator="series")
    points["series"] = points["series"].astype(object).map(SERIES)
    points = points.sort_values(
        "series", key=lambda series: series.map(list(SERIES.values()).index)
    )
    boxes = "" if eps is None else f", boxes {' x '.join(f'{side:g}' for side in eps)}"
    for name in names:
        if name != "glm":
            shown = points[["series", name, "glm"]].set_axis(["series", "x", "y"], axis="columns")
            yield shown.assign(panel=f"{label}{boxes}: {name}")


def _printed_table_1a() -> tuple[Printed, ...]:
    rows = []
    for name, values, height in HEIGHTS.values():
        rows.append(Printed(label=f"{name}, values", value=values))
        rows.append(Printed(label=f"{name}, height", value=height))
    return (
        *rows,
        Printed(label="ages that occur", value=None, why=AGES),
        Printed(label="Occupation, values", value="14"),
        Printed(label="nodes of the lattice", value="17920"),
        Printed(label="nodes without Salary Class", value="8960"),
    )


ITEMS = (
    Item(
        name="section-4-1",
        title="Observation: the sum orders generalizations as the spread index does",
        printed=[Printed(label="pairs that the two order otherwise", value="0")],
        measure=observation,
    ),
    Item(
        name="table-1a",
        title="Attributes, lengths of their hierarchies, and the lattice of Adult",
        printed=_printed_table_1a(),
        measure=lattice,
    ),
    Item(
        name="section-7",
        title="Parameters of the experiments",
        printed=[
            Printed(label="rows that may be suppressed", value="301"),
            Printed(label="population", value="25"),
            Printed(label="iterations", value="100"),
            Printed(label="probability of crossover", value="0.8"),
            Printed(label="probability of mutation", value="0.125"),
        ],
        measure=parameters,
    ),
    *(
        Item(
            name=name,
            title=title,
            printed=[
                Printed(
                    label=f"{label}, minimal generalizations",
                    value=None,
                    why="the figure shows points without their number",
                )
                for label in labels
            ],
            measure=fronts,
            picture=Picture(
                points=points,
                x="value of the measure that the panel names",
                y="GLM (cells)",
                lines=False,
                log_x=True,
            ),
        )
        for name, title, labels, points in (
            ("figure-1", "Worst-case privacy and loss", ("k, GLM", "k, l, GLM"), figure_1),
            ("figure-2", "Spread-based privacy and loss", ("S_k, GLM", "S_k, S_l, GLM"), figure_2),
            ("figure-3", "One privacy and two losses", ("k, GLM, CM",), figure_3),
        )
    ),
)
