"""Frames of a population search, from what a recorder kept of its generations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anonopt.operators.levels.strategy_path_crossover import StrategyPathCrossover
from anonopt.visualization.lattice.drawn_nodes import Node, node_text
from anonopt.visualization.lattice.steps.frames import (
    ARCHIVE,
    CHILDREN,
    CROSSED,
    FEASIBLE,
    FRONT,
    INFEASIBLE,
    PARENTS,
    POPULATION,
    FrameWriter,
    counted,
)
from anonopt.visualization.lattice.steps.history_frames import Evaluated
from anonopt.visualization.lattice.steps.recorder import Generation, Mating, Recorder


class PopulationWriter:
    """Writes the frames of a recorded population search.

    Parameters
    ----------
    recorder : Recorder
    evaluated : Evaluated
        Everything the run evaluated, in order.
    crossover : object
        What made the children.
    matings : int
        Matings that are shown of each generation, at least 0.
    """

    def __init__(
        self, recorder: Recorder, evaluated: Evaluated, crossover: object, *, matings: int
    ) -> None:
        self.writer = FrameWriter()
        self._generations, self._evaluated = recorder.generations, evaluated
        self._follows_paths = isinstance(crossover, StrategyPathCrossover)
        self._n_shown = matings
        self._states = dict(zip(evaluated.nodes, evaluated.states, strict=True))

    def write(self) -> FrameWriter:
        """Write a frame for each mating that is shown, and one for the end of each generation."""
        before = None
        for generation in self._generations:
            self._write_matings(generation, before)
            self._write_generation(generation, before)
            before = generation
        return self.writer

    def _write_matings(self, generation: Generation, before: Generation | None) -> None:
        known = {} if before is None else {POPULATION: before.population, ARCHIVE: before.archive}
        for number, mating in enumerate(generation.matings[: self._n_shown], start=1):
            for node in mating.children:
                if node in self._states:
                    self.writer.visit(node, self._states[node])
            text = f"Generation {generation.number}, mating {number} of {len(generation.matings)}"
            self.writer.add(
                f"{text}: {self._told(mating)}",
                marks={
                    **known,
                    PARENTS: mating.parents,
                    CROSSED: [] if mating.crossed == mating.parents else mating.crossed,
                    CHILDREN: mating.children,
                },
                paths=_ways(mating),
            )

    def _told(self, mating: Mating) -> str:
        pairs = zip(mating.parents, mating.feasible, strict=True)
        parents = " and ".join(f"{node_text(node)} {_state(ok)}" for node, ok in pairs)
        text = f"parents {parents}"
        if self._follows_paths and mating.crossed != mating.parents:
            text += f"; {_rule(mating)}"
        if mating.crossed == mating.parents:
            text += ". They are copied"
        else:
            text += f". Crossover makes {' and '.join(map(node_text, mating.crossed))}"
        if mating.children == mating.crossed:
            text += ", unchanged by mutation"
        else:
            text += f", mutation makes {' and '.join(map(node_text, mating.children))} of them"
        states = " and ".join(self._states.get(node, "not evaluated") for node in mating.children)
        return f"{text}: {states}."

    def _write_generation(self, generation: Generation, before: Generation | None) -> None:
        for row in range(generation.n_evaluations):
            if row < len(self._evaluated):
                self.writer.visit(self._evaluated.nodes[row], self._evaluated.states[row])
        self.writer.lasting["n_evaluations"] = generation.n_evaluations
        front = self._evaluated.front(generation.n_evaluations)
        n_feasible = sum(generation.feasible)
        text = "First population" if before is None else f"End of generation {generation.number}"
        text += f": {counted(len(generation.population), 'node')}, {n_feasible} of them feasible"
        if generation.archive:
            text += f"; {_changes(generation, before)}"
        self.writer.add(
            f"{text}.",
            marks={
                POPULATION: generation.population,
                ARCHIVE: generation.archive,
                **({} if generation.archive else {FRONT: front}),
            },
        )


def _changes(generation: Generation, before: Generation | None) -> str:
    """What became of the archive."""
    old = set() if before is None else set(before.archive)
    new = set(generation.archive)
    text = f"{counted(len(new), 'node')} in the archive"
    if not old:
        return text
    parts = [
        f"{', '.join(map(node_text, sorted(nodes)))} {verb}"
        for nodes, verb in ((new - old, "new"), (old - new, "gone"))
        if nodes
    ]
    return f"{text} ({'; '.join(parts)})" if parts else f"{text}, the same as before"


def _state(feasible: bool) -> str:
    return f"({FEASIBLE if feasible else INFEASIBLE})"


def _rule(mating: Mating) -> str:
    """What KGEN's crossover does with such parents."""
    lowest = node_text(np.min(mating.parents, axis=0))
    if all(mating.feasible):
        return f"both feasible: their minimum node {lowest}, or nodes above it"
    if not any(mating.feasible):
        highest = node_text(np.max(mating.parents, axis=0))
        return f"none feasible: their maximum node {highest}"
    return f"one feasible: a node between their minimum node {lowest} and that one"


def _ways(mating: Mating) -> tuple[tuple[Node, ...], ...]:
    """From the parents to what crossover made, and from there to what mutation made."""
    pairs: Sequence[tuple[Node, Node]] = [
        *((parent, made) for made in mating.crossed for parent in mating.parents),
        *zip(mating.crossed, mating.children, strict=True),
    ]
    return tuple(dict.fromkeys(pair for pair in pairs if pair[0] != pair[1]))
