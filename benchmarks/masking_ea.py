"""Masking EA: a crossover with the evaluation of both children, and a whole run.

Mares 2013, Section 3.5, took 242.48 s for a crossover on Adult, on another machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from pymoo.core.population import Population

import anonopt as ao
from anonopt.algorithms import MaskingEA
from anonopt.evaluation import MaskingEvaluator
from anonopt.operators import CellCrossover
from anonopt.problems import MaskingProblem
from benchmarks._bench import Benchmark, Call, Goal, Way, require

ACCELERATORS = ("numpy", "auto")


@dataclass(frozen=True)
class Parents:
    """A named problem with evaluated parents, and the generator of all crossovers."""

    name: str
    problem: MaskingProblem
    pop: Population
    generator: np.random.Generator

    @classmethod
    def of(cls, name: str, accelerator: str) -> Parents:
        """20 files: the original with 2 to 60 % of its cells drawn anew."""
        problem = ao.get_problem(name, accelerator=accelerator)
        generator = np.random.default_rng(1)
        original = problem.columns.codes.ravel()
        upper = problem.xu.astype(int)
        drawn = generator.integers(0, upper, endpoint=True, size=(20, problem.n_var))
        changed = generator.random(drawn.shape) < np.linspace(0.02, 0.6, 20)[:, np.newaxis]
        pop = Population.new("X", np.where(changed, drawn, original).astype(original.dtype))
        problem.evaluate(pop.get("X"))
        return cls(name, problem, pop, generator)


def cross(parents: dict[str, Parents], accelerator: str) -> Call:
    own = parents[accelerator]
    crossover = CellCrossover()
    pair = own.pop[own.generator.permutation(len(own.pop))[:2]]

    def call() -> tuple[np.ndarray, np.ndarray]:
        X = crossover(own.problem, [pair], random_state=own.generator).get("X")
        return X, own.problem.evaluate(X)

    return call


def check_children(parents: dict[str, Parents], results: Mapping[str, Any]) -> None:
    """Children measure as they do from scratch, and are the same with both accelerators."""
    for accelerator, (X, F) in results.items():
        fresh = ao.get_problem(parents[accelerator].name, accelerator=accelerator)
        require(np.array_equal(fresh.evaluate(X), F), "children measure otherwise from scratch")
    first, second = (X for X, _ in results.values())
    require(np.array_equal(first, second), "numpy and numba have other children")


@dataclass(frozen=True)
class Run:
    """A problem, its starting files and the generations of a run."""

    problem: MaskingProblem
    X: np.ndarray
    n_generations: int

    @classmethod
    def of(cls, size: tuple[str, int]) -> Run:
        """A named problem with the score mean."""
        name, n_generations = size
        problem = ao.get_problem(name, objectives=["score_mean"])
        return cls(
            problem, problem.space.starting_population(np.random.default_rng(1)), n_generations
        )


def search(run: Run) -> Call:
    algorithm = MaskingEA(pop_size=len(run.X), sampling=run.X, n_generations=run.n_generations)
    return lambda: ao.solve(run.problem, algorithm, seed=1)


def check_population(run: Run, results: Mapping[str, Any]) -> None:
    """The end population measures from scratch as the run says."""
    (result,) = results.values()
    evaluator = MaskingEvaluator(run.problem.columns)
    shape = run.problem.columns.codes.shape
    found = result.algorithm.population()["score_mean"]
    for individual, value in zip(result.algorithm.pop, found, strict=True):
        (expected,) = evaluator.measure(individual.X.reshape(shape)).values(["score_mean"])
        require(expected == value, "a masked file measures otherwise from scratch")


BENCHMARKS = (
    Benchmark(
        name="2-point crossover of masked files",
        unit="crossover",
        sizes={"Adult, 48842 rows": "adult-masking"},
        quick={"German, 1000 rows": "german-masking"},
        setup=lambda name: {a: Parents.of(name, a) for a in ACCELERATORS},
        ways={a: Way(start=partial(cross, accelerator=a), repeats=200) for a in ACCELERATORS},
        check=check_children,
        goals=[Goal(way="auto", seconds=4e-3)],
        compare="median",
    ),
    Benchmark(
        name="Masking EA",
        unit="run",
        sizes={"Adult, 10000 generations": ("adult-masking", 9_999)},
        quick={"German, 10 generations": ("german-masking", 10)},
        setup=Run.of,
        ways={"MaskingEA": Way(start=search, repeats=1)},
        check=check_population,
        goals=[Goal(way="MaskingEA", seconds=60)],
    ),
)
