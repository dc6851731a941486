"""A callback that keeps what a population search forgets from one generation to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from pymoo.core.algorithm import Algorithm
from pymoo.core.population import Population

from anonopt._typing import FloatArray
from anonopt.operators.archives import BoxArchive
from anonopt.visualization.lattice.drawn_nodes import Node, as_nodes


@dataclass(frozen=True, kw_only=True)
class Mating:
    """Parents, and what became of them.

    Attributes
    ----------
    parents : tuple of nodes
    feasible : tuple of bool
        Of the parents.
    crossed : tuple of nodes
        What crossover made of them.
    children : tuple of nodes
        The same after mutation.
    """

    parents: tuple[Node, ...]
    feasible: tuple[bool, ...]
    crossed: tuple[Node, ...]
    children: tuple[Node, ...]


@dataclass(frozen=True, kw_only=True)
class Generation:
    """A population at the end of a generation.

    Attributes
    ----------
    number : int
        0 of the first population.
    population, feasible : tuples of nodes and of bool
    archive : tuple of nodes
        Empty where there is no archive.
    matings : tuple of Mating
        Those that the children of this generation come from; empty where they are not known.
    n_evaluations : int
        Distinct nodes evaluated so far.
    """

    number: int
    population: tuple[Node, ...]
    feasible: tuple[bool, ...]
    archive: tuple[Node, ...]
    matings: tuple[Mating, ...]
    n_evaluations: int


class Recorder:
    """Callback that keeps population, archive and matings of every generation.

    It looks only: nothing is drawn at random or changed, so a run is the same with it as
    without. Its memory grows with the generations, so it is for runs that are to be shown.
    Where a second run is given the same recorder, it begins anew.

    Attributes
    ----------
    generations : list of Generation
    box_sides : float array (n_obj,), or None
        Sides of the boxes, of an archive of boxes.

    Examples
    --------
    >>> import anonopt as ao
    >>> from anonopt.visualization import Recorder
    >>> problem = ao.problems.LatticeProblem(ao.load_dataset("patients"), ["k", "glm"])
    >>> recorder = Recorder()
    >>> search = ao.algorithms.PBGEA(pop_size=4, n_generations=2)
    >>> result = ao.solve(problem, search, seed=1, callback=recorder)
    >>> [len(one.archive) for one in recorder.generations]
    [2, 3, 3]
    """

    def __init__(self) -> None:
        self.generations: list[Generation] = []
        self.box_sides: FloatArray | None = None
        self._algorithm: Algorithm | None = None

    def __call__(self, algorithm: Algorithm) -> None:
        """Keep how the algorithm stands."""
        if algorithm is not self._algorithm:
            self._algorithm, self.generations, self.box_sides = algorithm, [], None
        archive = getattr(algorithm, "archive", None)
        if isinstance(archive, BoxArchive):
            self.box_sides = archive.eps
        members = getattr(archive, "population", None)
        kept = Population() if members is None else members()
        evaluator = algorithm.evaluator
        n_evaluations = len(getattr(evaluator, "record", ())) or int(evaluator.n_eval)
        self.generations.append(
            Generation(
                number=len(self.generations),
                population=_nodes(algorithm.pop),
                feasible=_feasible(algorithm.pop),
                archive=_nodes(kept),
                matings=_matings(algorithm),
                n_evaluations=n_evaluations,
            )
        )


def recorder_of(algorithm: Any) -> Recorder | None:
    """The recorder that was called back by an algorithm, if there was one."""
    callback = getattr(algorithm, "callback", None)
    for one in (callback, *getattr(callback, "callbacks", ())):
        if isinstance(one, Recorder) and one.generations:
            return one
    return None


def _nodes(population: Population | None) -> tuple[Node, ...]:
    if population is None or len(population) == 0:
        return ()
    return tuple(as_nodes(population.get("X")))


def _feasible(population: Population) -> tuple[bool, ...]:
    return tuple(bool(np.all(individual.CV <= 0)) for individual in population)


def _matings(algorithm: Algorithm) -> tuple[Mating, ...]:
    """Matings of the last generation, of algorithms that tell them."""
    matings = getattr(algorithm, "matings", None)
    children = getattr(algorithm, "off", None)
    if matings is None or children is None or len(children) < len(matings.crossed):
        return ()
    n_matings = len(matings.parents)
    made, grown = _nodes(matings.crossed), _nodes(children)
    pairs = [matings.population[rows] for rows in matings.parents]
    return tuple(
        Mating(
            parents=_nodes(pair),
            feasible=_feasible(pair),
            crossed=made[number::n_matings],
            children=grown[number : len(made) : n_matings],
        )
        for number, pair in enumerate(pairs)
    )
