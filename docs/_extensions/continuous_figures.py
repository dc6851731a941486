"""Pictures of the algorithms for real numbers: two keys of a run, early and late."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse

import anonopt as ao
from anonopt.problems import AnonymizationProblem
from anonopt.problems.spaces import Keys
from anonopt.visualization import figures

SEED = 1


class Valley(AnonymizationProblem):
    """Two keys, and a valley that runs across both, the lowest at 0.7, 0.35."""

    def __init__(self) -> None:
        super().__init__(
            space=Keys(["first", "second"]), objective_names=["height"], maximize=[False]
        )

    def _values(self, X: Any) -> tuple[Any, None]:
        along, across = X[:, 0] + X[:, 1] - 1.05, X[:, 0] - 2 * X[:, 1]
        return (along**2 + 8 * across**2)[:, np.newaxis], None


def _shown(name: str, draw: Any, generations: tuple[int, int] = (2, 12), **options: Any) -> Figure:
    """Two generations of a run side by side; ``draw`` adds to a panel what is particular."""
    problem = Valley()
    algorithm = ao.get_algorithm(name, problem, **options)
    algorithm.setup(problem, termination=("n_gen", generations[-1]), seed=SEED)
    figure = figures.new_figure(8, 3.8)
    panels = figure.subplots(1, 2, sharex=True, sharey=True)
    for axes, generation in zip(panels, generations, strict=True):
        while algorithm.n_iter is None or algorithm.n_iter < generation:
            algorithm.next()
        _draw_valley(axes, problem)
        axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="first key")
        axes.set_title(f"generation {generation}")
        draw(axes, algorithm)
    panels[0].set_ylabel("second key")
    entries = panels[0].get_legend_handles_labels()
    figure.legend(*entries, loc="outside lower center", ncols=3, frameon=False)
    return figure


def _draw_valley(axes: Any, problem: Valley) -> None:
    side = np.linspace(0, 1, 61)
    grid = np.stack(np.meshgrid(side, side), axis=-1)
    heights = problem.evaluate(grid.reshape(-1, 2), return_values_of=["F"]).reshape(61, 61)
    levels = np.geomspace(0.02, heights.max(), 9)
    axes.contour(side, side, heights, levels=levels, colors="#BBBBBB", linewidths=0.8)


def _dots(axes: Any, X: Any, label: str) -> None:
    axes.scatter(X[:, 0], X[:, 1], color=figures.COLORS[0], zorder=3, label=label)


def de() -> Figure:
    """Individuals, and a difference of two of them."""

    def draw(axes: Any, algorithm: Any) -> None:
        X = algorithm.pop.get("X")
        _dots(axes, X, "individual")
        one, other = X[:2]
        best = algorithm.opt[0].X
        for start, end, color in ((other, one, 1), (best, best + 0.5 * (one - other), 2)):
            label = "difference of two" if color == 1 else "half of it, from the best"
            style = {"color": figures.COLORS[color], "linewidth": 2, "label": label}
            axes.plot(*np.array([start, end]).T, **style)
            axes.plot(*end, marker="x", color=figures.COLORS[color])

    return _shown("de", draw)


def pso() -> Figure:
    """Particles, their velocities, and the best place."""

    def draw(axes: Any, algorithm: Any) -> None:
        X, V = algorithm.particles.get("X", "V")
        _dots(axes, X, "particle")
        axes.quiver(*X[:, :2].T, *V[:, :2].T, angles="xy", scale_units="xy", scale=1, width=0.005)
        best = algorithm.opt[0].X
        axes.scatter(*best[:2], marker="*", s=150, color=figures.COLORS[1], zorder=4, label="best")

    return _shown("pso", draw)


def cmaes() -> Figure:
    """Genomes of a generation, and the distribution they come from."""

    def draw(axes: Any, algorithm: Any) -> None:
        _dots(axes, algorithm.pop.get("X"), "genome")
        strategy = algorithm._strategy
        covariance = strategy.sigma**2 * np.asarray(strategy.C)[:2, :2]
        lengths, directions = np.linalg.eigh(covariance)
        width, height = 4 * np.sqrt(lengths)
        angle = float(np.degrees(np.arctan2(directions[1, 0], directions[0, 0])))
        mean = np.asarray(strategy.mean)[:2]
        style = {"fill": False, "edgecolor": figures.COLORS[1], "linewidth": 2}
        axes.add_patch(Ellipse(mean, width, height, angle=angle, label="two deviations", **style))

    return _shown("cmaes", draw, (3, 7), pop_size=12)


def es() -> Figure:
    """Step size and best objective over a run."""
    problem = ao.problems.LocalRecodingProblem(ao.load_dataset("german"), ["glm"], k=5)
    sizes = []

    def note(algorithm: Any) -> None:
        sizes.append((algorithm.evaluator.n_eval, algorithm.step_size, algorithm.opt[0].F[0]))

    algorithm = ao.get_algorithm("es", problem, least_sigma=0.02)
    ao.solve(problem, algorithm, budget=400, seed=SEED, callback=note)
    evaluations, steps, best = np.array(sizes).T
    figure = figures.new_figure(7, 4.4)
    upper, lower = figure.subplots(2, 1, sharex=True)
    for axes, values, label, color in (
        (upper, steps, "step size\n(share of a range)", 1),
        (lower, best, "best glm\n(less is better)", 0),
    ):
        figures.plain_axes(axes)
        axes.plot(evaluations, values, color=figures.COLORS[color])
        axes.set_ylabel(label)
    upper.set_yscale("log")
    lower.set_xlabel("evaluations")
    return figure


DRAWN = {"de": de, "pso": pso, "cmaes": cmaes, "es": es}
"""Algorithms whose picture this is."""
