"""Pictures of algorithms, drawn when the site is built; the same each time.

Searches of levels are drawn on the lattice of the data set `patients`; the others as what they do
in objective space, or to what they protect.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import continuous_figures
import exact_figures
import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

import anonopt as ao
from anonopt.algorithms.population.pbgea import PBGEA
from anonopt.visualization import figures

SEED = 1
GREY = "#999999"


def draw(name: str, path: Path) -> None:
    """Draw the picture of an algorithm, unless the file is there and newer than this one."""
    newest = max(Path(__file__).stat().st_mtime, Path(ao.__file__).stat().st_mtime)
    if path.is_file() and path.stat().st_mtime > newest:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    # What a site, a notebook or a test has set must not change the picture.
    with mpl.rc_context(mpl.rcParamsDefault | {"backend": mpl.get_backend()}):
        DRAWN.get(name, lambda: lattice(name))().savefig(path, dpi=figures.DPI)


def lattice(name: str) -> Figure:
    """A search of levels, on the lattice of `patients`."""
    from anonopt.visualization import example_search, plot_lattice

    with mpl.rc_context({"font.size": 13}):  # a page shows it smaller
        return plot_lattice(example_search(name, seed=SEED))


def _objective_space() -> tuple[Figure, Any]:
    figure = figures.new_figure(6.5, 4)
    axes = figure.add_subplot()
    figures.plain_axes(axes)
    set_labels(axes)
    return figure, axes


def set_labels(axes: Any) -> None:
    """Name the axes of k and loss."""
    axes.set_xlabel("k: size of the smallest class (more is better)")
    axes.set_ylabel("glm: loss (less is better)")


def _population_of(name: str, pop_size: int = 30, budget: int = 150, **options: Any) -> Any:
    """A result on two objectives, and the last population in natural units."""
    problem = ao.get_problem("german-k-glm")
    algorithm = ao.get_algorithm(name, problem, pop_size=pop_size, **options)
    result = ao.solve(problem, algorithm, budget=budget, seed=SEED)
    return result, result.algorithm.pop.get("F")


def nsga2() -> Figure:
    """The last population by rank."""
    from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting

    result, F = _population_of("nsga2")
    natural = result.problem.natural(F)
    figure, axes = _objective_space()
    seen = result.history[list(result.problem.objective_names)]
    axes.scatter(*seen.to_numpy().T, s=10, color=GREY, label="evaluated before")
    for n, rows in enumerate(NonDominatedSorting().do(F)[:4]):
        points = natural[rows][np.argsort(natural[rows, 0])]
        style = {"color": figures.COLORS[n], "marker": figures.MARKERS[n]}
        axes.plot(*points.T, linewidth=1, label=f"rank {n + 1}", **style)
    axes.set_xscale("log")
    axes.legend()
    return figure


def nsga3() -> Figure:
    """The last population, normalized, with reference directions."""
    result, F = _population_of("nsga3")
    scaled = (F - F.min(axis=0)) / np.ptp(F, axis=0)
    figure = figures.new_figure(5, 4.6)
    axes = figure.add_subplot(aspect="equal", xlim=(-0.03, 1.1), ylim=(-0.03, 1.1))
    figures.plain_axes(axes)
    for n, direction in enumerate(result.algorithm.ref_dirs[::4]):
        label = "reference direction" if n == 0 else None
        axes.plot(*np.outer(direction / direction.max(), [0, 1.1]), color=GREY, lw=0.8, label=label)
    axes.scatter(*scaled.T, color=figures.COLORS[0], marker="o", zorder=3, label="individual")
    axes.set_xlabel("k, scaled and to be minimized")
    axes.set_ylabel("glm, scaled and to be minimized")
    axes.legend(loc="upper right")
    return figure


def spea2() -> Figure:
    """The last generation, larger where an individual dominates more."""
    from anonopt.measures.fronts.boxes import dominates

    result, _ = _population_of("spea2")
    last = result.history.tail(60)
    names, maximize = list(result.problem.objective_names), result.problem.maximize
    values = last[names].to_numpy(dtype=float)
    F = np.where(maximize, -values, values)
    dominating = dominates(F[:, np.newaxis], F)
    strength = dominating.sum(axis=1)
    free = ~dominating.any(axis=0)
    figure, axes = _objective_space()
    for chosen, n, label in ((~free, 1, "dominated"), (free, 0, "non-dominated")):
        axes.scatter(
            *values[chosen].T,
            s=15 + 6 * strength[chosen],
            color=figures.COLORS[n],
            marker="os"[n],
            alpha=0.7,
            label=label,
        )
    axes.set_xscale("log")
    axes.legend(title="size: how many it dominates")
    return figure


def smsemoa() -> Figure:
    """The front, and what each point alone adds to the hypervolume."""
    _, F = _population_of("smsemoa")
    F = np.unique(F, axis=0)
    kept = [row for row in F if not ((F <= row).all(axis=1) & (F < row).any(axis=1)).any()]
    front = np.array(sorted(map(tuple, kept)))
    front = (front - front.min(axis=0)) / np.ptp(front, axis=0)
    corner = np.full(2, 1.15)
    figure = figures.new_figure(5.5, 4.6)
    axes = figure.add_subplot(xlim=(-0.05, 1.2), ylim=(-0.05, 1.2))
    figures.plain_axes(axes)
    right = np.append(front[1:, 0], corner[0])
    above = np.append(corner[1], front[:-1, 1])
    sizes = (right - front[:, 0]) * (above - front[:, 1])
    for point, x, y, size in zip(front, right, above, sizes, strict=True):
        least = size == sizes.min()
        axes.fill(
            [point[0], x, x, point[0]],
            [point[1], point[1], y, y],
            facecolor=figures.COLORS[1 if least else 5],
            hatch="//" if least else None,
            edgecolor="white",
            label="smallest contribution" if least else None,
        )
    stairs = np.repeat(front, 2, axis=0)
    x, y = np.append(stairs[1:, 0], corner[0]), stairs[:, 1]
    axes.plot(x, y, color=figures.LINE_COLOR, lw=1)
    axes.scatter(*front.T, color=figures.COLORS[0], zorder=3, label="individual of the front")
    axes.scatter(*corner, color="black", marker="+", label="reference point")
    axes.set_xlabel("k, scaled and to be minimized")
    axes.set_ylabel("glm, scaled and to be minimized")
    axes.legend()
    return figure


def ga() -> Figure:
    """All nodes of a run, and the best so far."""
    table = ao.load_dataset("adult")
    problem = ao.problems.LatticeProblem(table, ["generalization_level"], k=5, suppression=0.01)
    result = ao.solve(problem, ao.get_algorithm("ga", problem), budget=400, seed=SEED)
    history = result.history
    values = history["generalization_level"]
    feasible = history["feasible"].to_numpy(dtype=bool)
    figure = figures.new_figure(6.5, 4)
    axes = figure.add_subplot(xlabel="distinct nodes evaluated")
    figures.plain_axes(axes)
    axes.set_ylabel("level of generalization (less is better)")
    for chosen, n, label in ((~feasible, 4, "infeasible"), (feasible, 0, "feasible")):
        axes.scatter(
            history["evaluation"][chosen],
            values[chosen],
            s=14,
            marker=figures.MARKERS[n // 4],
            color=GREY if n else figures.COLORS[0],
            label=label,
        )
    best = values.where(feasible).cummin().ffill()
    axes.step(
        history["evaluation"], best, where="post", color=figures.COLORS[1], label="best so far"
    )
    axes.legend()
    return figure


def pbgea() -> Figure:
    """Boxes of the archive among all nodes of the lattice."""
    problem = ao.get_problem("german-k-glm")
    eps, limits = np.array([5.0, 500.0]), np.array([60.0, 5500.0])
    everything = ao.solve(problem, ao.algorithms.ExhaustiveSearch()).history[["k", "glm"]]
    figure = figures.new_figure(9, 4.2)
    panels = figure.subplots(1, 2, sharex=True, sharey=True)
    for axes, n_generations in zip(panels, (1, 25), strict=True):
        search = PBGEA(pop_size=15, eps=eps, n_generations=n_generations)
        algorithm = ao.solve(problem, search, seed=SEED).algorithm
        members = problem.natural(algorithm.archive.population().get("F"))
        for corner in np.floor(members / eps) * eps:
            box = Rectangle(corner, *eps, facecolor=figures.COLORS[5], alpha=0.5, lw=0)
            axes.add_patch(box)
        population = problem.natural(algorithm.pop.get("F"))
        axes.plot(*everything.to_numpy().T, ".", ms=4, color="#BBBBBB", label="node of the lattice")
        axes.plot(*population.T, "x", color=figures.COLORS[1], label="population")
        axes.plot(*members.T, "s", ms=5, color=figures.COLORS[0], label="archive, with its boxes")
        axes.set(xticks=np.arange(0, limits[0], eps[0]), yticks=np.arange(0, limits[1], eps[1]))
        axes.set(xlim=(0, limits[0]), ylim=(0, limits[1]))
        axes.grid(color="#DDDDDD", lw=0.6)
        axes.set_axisbelow(True)
        axes.set_title(f"after generation {n_generations}", loc="left", fontsize=11)
        set_labels(axes)
    panels[1].legend(loc="lower right")
    return figure


def masking_ea() -> Figure:
    """Loss and risk of the files before and after."""
    problem = ao.get_problem("german-masking", objectives=["score_max"])
    search = ao.algorithms.MaskingEA(n_generations=300)
    search = ao.solve(problem, search, seed=SEED).algorithm
    files = {"start": search.start(), "after 300 generations": search.population()}
    return ao.visualization.plot_risk_utility(files)


def memetic_masking() -> Figure:
    """Loss and risk of the files before and after, and those of another search."""
    problem = ao.get_problem("german-masking")
    search = ao.solve(problem, ao.algorithms.MemeticMasking(), budget=250, seed=SEED)
    other = ao.solve(problem, ao.algorithms.nsga2(problem), budget=250, seed=SEED)
    files = {
        "start": search.algorithm.start(),
        "nsga2, 250 evaluations": other.front,
        "memetic-masking, 250 evaluations": search.front,
    }
    return ao.visualization.plot_risk_utility(files)


def memetic_pram() -> Figure:
    """Loss and risk of the matrices before and after, and those of another search."""
    problem = ao.get_problem("german-pram", expected=True)
    search = ao.solve(problem, ao.algorithms.MemeticPRAM(), budget=84, seed=SEED)
    other = ao.solve(problem, ao.algorithms.nsga2(problem), budget=600, seed=SEED)
    files = {
        "start": search.algorithm.start(),
        "nsga2, 600 evaluations": other.front,
        "memetic-pram, 84 evaluations and their steps": search.front,
    }
    return ao.visualization.plot_risk_utility(files)


def pramea() -> Figure:
    """A matrix before and after."""
    problem = ao.get_problem("german-pram", objectives=["score_mean"], expected=True)
    start = problem.space.starting_population(np.random.default_rng(SEED))[0]
    result = ao.solve(problem, ao.algorithms.PRAMEA(n_generations=300), seed=SEED)
    matrices = {"start": problem.matrices(start), "end": problem.matrices(result.X[0])}
    return ao.visualization.plot_matrices(matrices, columns=problem.columns.names)


def pramgp() -> Figure:
    """The best equation as a tree."""
    problem = ao.get_problem("german-pram-equations", objectives=["score_max"], expected=True)
    result = ao.solve(problem, ao.algorithms.PRAMGP(n_generations=100), seed=SEED)
    return ao.visualization.plot_equation(problem.space.equation(result.X[0]))


def recoding(name: str) -> Figure:
    """Rows in the plane of two columns, and the labels of the groups they are in."""
    adult = ao.load_dataset("adult")
    columns = ["age", "education"]
    table = ao.Microdata(
        adult.frame.iloc[:400],
        quasi_identifiers=columns,
        hierarchies={column: adult.hierarchies[column] for column in columns},
    )
    problem = ao.problems.LocalRecodingProblem(
        table, ["glm"], k=10, suppression=0.05, genome="groups"
    )
    result = ao.solve(problem, ao.get_algorithm(name, problem), seed=SEED)
    groups = problem.groups(result.X[0])
    figure = figures.new_figure(7, 4)
    axes = figure.add_subplot(xlabel="age", ylabel="education, in the order of its hierarchy")
    kept = ~groups.suppressed
    for n, (low, high) in enumerate(zip(groups.lows[kept], groups.highs[kept], strict=True)):
        box = Rectangle(
            tuple(low - 0.4),
            *(high - low + 0.8),
            facecolor=figures.COLORS[n % len(figures.COLORS)],
            edgecolor="black",
            alpha=0.25,
            lw=1,
        )
        axes.add_patch(box)
    spread = np.random.default_rng(SEED).uniform(-0.3, 0.3, table.codes.shape)
    axes.plot(*(table.codes + spread).T, ".", ms=3, color="black")
    ages = range(3, table.hierarchies["age"].n_leaves, 10)
    axes.set_xticks(ages, [table.hierarchies["age"].labels[0][age] for age in ages])
    axes.set_yticks([])
    axes.set_xlim(-1, 60)
    return figure


DRAWN: dict[str, Callable[[], Figure]] = {
    **continuous_figures.DRAWN,
    **exact_figures.DRAWN,
    "ga": ga,
    "masking-ea": masking_ea,
    "memetic-masking": memetic_masking,
    "memetic-pram": memetic_pram,
    "nsga2": nsga2,
    "nsga3": nsga3,
    "pbgea": pbgea,
    "pramea": pramea,
    "pramgp": pramgp,
    **{
        name: partial(recoding, name)
        for name in ("mondrian", "mondrian-relaxed", "top-down", "bottom-up", "k-member")
    },
    "smsemoa": smsemoa,
    "spea2": spea2,
}
"""Algorithms whose picture is none of a lattice."""
