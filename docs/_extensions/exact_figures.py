"""Pictures of searches with a proof, and of the search that comes near exact local recodings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import anonopt as ao
from anonopt.visualization import figures

KS = (2, 3, 4, 5, 6)
SEED = 1


def exact_recoding() -> Figure:
    """Lower bound, optimum and relaxed Mondrian of `patients` by k."""
    patients = ao.load_dataset("patients")
    bounds = [ao.local_recoding.recoding_bound(patients, k).value for k in KS]
    optima = [_least(patients, k, ao.algorithms.ExactRecodingSearch()) for k in KS]
    mondrian = ao.algorithms.RelaxedMondrianRecoding
    others = [_least(patients, k, mondrian(labels="hierarchy")) for k in KS]
    figure = figures.new_figure(6.5, 4)
    axes = figure.add_subplot(xlabel="k", ylabel="glm: loss in cells (less is better)")
    figures.plain_axes(axes)
    for place, (label, values) in enumerate(
        (("lower bound", bounds), ("optimum", optima), ("mondrian-relaxed", others))
    ):
        axes.bar(
            np.array(KS) + 0.27 * (place - 1),
            values,
            width=0.25,
            color=figures.COLORS[place],
            label=label,
        )
    axes.legend(frameon=False)
    return figure


def recoding_search() -> Figure:
    """Loss of the best recoding of some rows of `adult` after each sweep, and the lower bound."""
    adult = ao.load_dataset("adult")
    columns = ["age", "education", "race", "sex"]
    table = ao.Microdata(
        adult.frame.iloc[:400],
        quasi_identifiers=columns,
        hierarchies={column: adult.hierarchies[column] for column in columns},
    )
    search = ao.algorithms.RecodingSearch(n_generations=20)
    course = ao.solve(_problem(table, 5), search, seed=SEED).algorithm.history()
    figure = figures.new_figure(6.5, 4)
    axes = figure.add_subplot(xlabel="sweeps", ylabel="glm: loss in cells (less is better)")
    figures.plain_axes(axes)
    axes.plot(course["n_generations"], course["glm_min"], marker="o", color=figures.COLORS[0])
    axes.axhline(ao.local_recoding.recoding_bound(table, 5).value, ls="--", color="#999999")
    return figure


def epsilon_constraint() -> Figure:
    """Least losses known and proven after some tests, and the proven front."""
    problem = ao.get_problem("freight-20-k-glm")
    early = ao.solve(problem, ao.algorithms.EpsilonConstraint(test_budget=5000), seed=SEED)
    late = ao.solve(problem, ao.algorithms.EpsilonConstraint(), seed=SEED)
    gaps = early.algorithm.gaps
    ends = [*gaps["k"].iloc[1:], problem.table.n_rows]
    figure = figures.new_figure(6.5, 4)
    axes = figure.add_subplot(
        xlabel="k: size of the smallest class (more is better)",
        ylabel="glm: loss (less is better)",
    )
    figures.plain_axes(axes)
    for k, end, known, bound in zip(gaps["k"], ends, gaps["incumbent"], gaps["bound"], strict=True):
        axes.fill_between([k, end], bound, known, color="#dddddd", linewidth=0)
    for result, n, label in ((early, 1, "known after 5000 tests"), (late, 0, "the front, proven")):
        points = result.front[["k", "glm"]].sort_values("k")
        style = {"color": figures.COLORS[n], "marker": figures.MARKERS[n], "linestyle": "none"}
        axes.plot(*points.to_numpy().T, label=label, **style)
    axes.set_xscale("log")
    axes.legend(frameon=False, loc="lower right")
    return figure


def _problem(table: Any, k: int) -> ao.problems.LocalRecodingProblem:
    return ao.problems.LocalRecodingProblem(table, ["glm"], k=k, genome="groups")


def _least(table: Any, k: int, algorithm: Any) -> float:
    return float(ao.solve(_problem(table, k), algorithm, seed=SEED).front["glm"].iloc[0])


DRAWN: dict[str, Callable[[], Figure]] = {
    "epsilon-constraint": epsilon_constraint,
    "exact-recoding": exact_recoding,
    "recoding-search": recoding_search,
}
