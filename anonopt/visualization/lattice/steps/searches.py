"""A finished search as frames: which record of it tells most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pymoo.core.algorithm import Algorithm
from pymoo.core.problem import Problem

from anonopt._checks import check_integer
from anonopt._typing import BoolArray, FloatArray, IntArray
from anonopt.algorithms.exact.branch_and_bound import BranchAndBound
from anonopt.algorithms.exact.datafly import Datafly
from anonopt.algorithms.node_tests import TestingSearch
from anonopt.problems.any_problem import maximize_of, natural_objectives
from anonopt.runs.result import Result
from anonopt.visualization.lattice.drawn_nodes import (
    Node,
    as_nodes,
    drawn_nodes,
    node_text,
    structure_of,
)
from anonopt.visualization.lattice.steps.frames import (
    ANSWER,
    ARCHIVE,
    FEASIBLE,
    INFEASIBLE,
    MINIMAL,
    FrameWriter,
    LatticeFrame,
    counted,
    thinned,
)
from anonopt.visualization.lattice.steps.history_frames import Evaluated, history_frames
from anonopt.visualization.lattice.steps.population_frames import PopulationWriter
from anonopt.visualization.lattice.steps.recorder import Recorder, recorder_of
from anonopt.visualization.lattice.steps.trace_frames import TraceWriter

MOST_NAMED = 4
"""Nodes of an answer that are written out."""


@dataclass(frozen=True, eq=False)
class FinishedSearch:
    """What there is to show of a search.

    Attributes
    ----------
    problem : pymoo Problem
    algorithm : pymoo Algorithm
    evaluated : Evaluated
    message : str
        Why it ended; empty if nobody says.
    """

    problem: Problem
    algorithm: Algorithm
    evaluated: Evaluated
    message: str

    @classmethod
    def of(cls, found: Result | Algorithm) -> FinishedSearch:
        """From a result, or from an algorithm that was run.

        Raises
        ------
        TypeError
            If it is neither.
        ValueError
            If the genomes are no levels, the algorithm was not run, or the run recorded nothing.
        """
        if not isinstance(found, Result | Algorithm):
            raise TypeError(
                f"result: expected a Result, or an algorithm that was run, "
                f"found {type(found).__name__}"
            )
        algorithm = found.algorithm if isinstance(found, Result) else found
        problem = found.problem if isinstance(found, Result) else algorithm.problem
        if problem is None:
            raise ValueError(
                f"result: expected an algorithm that was run, found {type(algorithm).__name__} "
                "that was not set up"
            )
        structure_of(problem)
        record = getattr(algorithm.evaluator, "record", None)
        if isinstance(found, Result):
            X, values, feasible = _of_history(found)
        elif record is not None:
            X, feasible = record.X, record.CV <= 0
            values = _natural(problem, record.F)
        else:
            population = algorithm.opt
            X, feasible = population.get("X"), population.get("CV")[:, 0] <= 0
            values = _natural(problem, population.get("F"))
        evaluated = Evaluated(
            np.asarray(X).astype(np.int64),
            values,
            np.asarray(feasible),
            maximize=maximize_of(problem),
            names=list(natural_objectives(problem, np.zeros((1, problem.n_obj)))),
        )
        message = found.message if isinstance(found, Result) else ""
        return cls(problem, algorithm, evaluated, message)

    @property
    def recorder(self) -> Recorder | None:
        """What a recorder kept of its population, if there was one and it has one."""
        return recorder_of(self.algorithm) if hasattr(self.algorithm, "pop_size") else None

    @property
    def tells_tests(self) -> bool:
        """Whether it is a search by tests that was traced, and keeps no population."""
        return (
            isinstance(self.algorithm, TestingSearch)
            and self.algorithm.is_traced
            and not hasattr(self.algorithm, "pop_size")
        )

    @property
    def answer(self) -> list[Node]:
        """Best of what was evaluated."""
        return self.evaluated.front()


def lattice_frames(
    result: Result | Algorithm, *, every: int = 1, matings: int = 3
) -> list[LatticeFrame]:
    """Steps of a search in a lattice, in words and as facts.

    A search by tests that was made with ``trace=True`` (Samarati, OLA, Incognito, Datafly,
    BranchAndBound) is told test by test; a population that was followed by a `Recorder` mating
    by mating and generation by generation; every other search evaluation by evaluation.

    Parameters
    ----------
    result : Result, or pymoo Algorithm that was run
        Of a problem whose genomes are levels.
    every : int
        Steps from one frame to the next, at least 1; the last one is always there.
    matings : int
        Matings that are shown of each generation, at least 0.

    Returns
    -------
    list of LatticeFrame

    Raises
    ------
    TypeError
        If it is no result and no algorithm.
    ValueError
        If the genomes are no levels, nothing was run, or an option is out of its range.

    Examples
    --------
    >>> import anonopt as ao
    >>> problem = ao.problems.LatticeProblem(ao.load_dataset("patients"), ["height"], k=3)
    >>> result = ao.solve(problem, ao.algorithms.Samarati(trace=True))
    >>> for frame in lattice_frames(result)[1:3]:
    ...     print(frame.text)
    The least height of a feasible node is one of 0 to 7: look for one at height 3, halfway.
    Test 1: (0, 2, 1) is infeasible (height 3).
    """
    check_integer("every", every, least=1)
    check_integer("matings", matings, least=0)
    search = FinishedSearch.of(result)
    return thinned(frames_of(search, matings=matings), every)


def frames_of(search: FinishedSearch, *, matings: int) -> list[LatticeFrame]:
    """All frames of a search; the last one shows its answer."""
    evaluated, algorithm = search.evaluated, search.algorithm
    if search.tells_tests:
        _, upper, names = structure_of(search.problem)
        teller = TraceWriter(algorithm, names, tuple(upper.tolist()), evaluated.names[0])
        _begin_at_top(teller.writer, evaluated)
        writer = teller.write()
    elif search.recorder is not None:
        crossover = getattr(algorithm, "crossover", None)
        writer = PopulationWriter(search.recorder, evaluated, crossover, matings=matings).write()
    else:
        writer = history_frames(evaluated)
    _end(writer, search)
    return writer.frames


def nodes_to_draw(search: FinishedSearch, frames: Sequence[LatticeFrame], nodes: Any) -> Any:
    """Nodes of the picture of a search; ``"visited"`` are those of its last frame."""
    visited: dict[Node, None] = dict.fromkeys(node for one in frames for node in one.states)
    return drawn_nodes(structure_of(search.problem), nodes, visited)


def _begin_at_top(writer: FrameWriter, evaluated: Evaluated) -> None:
    """The top node is evaluated before anything is tested."""
    if not len(evaluated):
        return
    node, state = evaluated.nodes[0], evaluated.states[0]
    writer.know(node, state)
    writer.lasting["n_evaluations"] = 1
    text = f"The fully generalized node {node_text(node)} is {state}"
    if state == FEASIBLE:
        text += ", so there is something to find"
    writer.add(f"{text}.", marks={"looked at": [node]})


def _end(writer: FrameWriter, search: FinishedSearch) -> None:
    evaluated, algorithm = search.evaluated, search.algorithm
    for node, state in zip(evaluated.nodes, evaluated.states, strict=True):
        if node not in writer.order:
            writer.know(node, state)
    writer.lasting["n_evaluations"] = len(evaluated)
    for passing in ("heights", "within"):
        writer.lasting.pop(passing, None)
    if not isinstance(algorithm, Datafly):
        # Its path is its whole course; paths of other searches are passing.
        writer.lasting.pop("paths", None)
    if isinstance(algorithm, BranchAndBound) and search.tells_tests:
        last = (algorithm.n_tests, algorithm.bound, algorithm.incumbent)
        writer.lasting["bounds"] = (*writer.lasting.get("bounds", ()), last)
    if isinstance(algorithm, TestingSearch):
        writer.lasting["n_tests"] = algorithm.n_tests
    minimal = as_nodes(getattr(algorithm, "minimal_nodes", ())) if search.answer else []
    recorder = search.recorder
    writer.add(
        _last_words(search, len(minimal)),
        marks={
            ARCHIVE: () if recorder is None else recorder.generations[-1].archive,
            MINIMAL: minimal,
            ANSWER: search.answer,
        },
    )


def _last_words(search: FinishedSearch, n_minimal: int) -> str:
    evaluated, answer = search.evaluated, search.answer
    if not answer:
        text = f"End: nothing of what was evaluated is feasible ({INFEASIBLE})"
    elif len(answer) > MOST_NAMED:
        text = f"End: {len(answer)} nodes are on the front"
    elif len(evaluated.names) == 1:
        row = evaluated.nodes.index(answer[0])
        text = f"End: {' and '.join(map(node_text, answer))} with {evaluated.told(row)}"
    else:
        text = f"End: the front is {', '.join(map(node_text, answer))}"
    if n_minimal > 1:
        text += f", of {n_minimal} k-minimal nodes"
    if getattr(search.algorithm, "is_proven", False) and answer:
        text += ", proven to be the best"
    n_tests = getattr(search.algorithm, "n_tests", 0)
    tested = f"{counted(n_tests, 'test')} and " if n_tests else ""
    return f"{text}; after {tested}{counted(len(evaluated), 'evaluated node')}."


def _natural(problem: Problem, F: FloatArray) -> FloatArray:
    return np.column_stack(list(natural_objectives(problem, np.asarray(F)).values()))


def _of_history(result: Result) -> tuple[IntArray, FloatArray, BoolArray]:
    """Nodes, objectives and feasibility; by position, as columns may have any name."""
    space, history = result.problem.space, result.history
    if not space.names or not space.records_genomes:
        record = getattr(result.algorithm.evaluator, "record", None)
        if record is None or record.X is None:
            raise ValueError("result: expected a run that records its nodes, found one without")
        return record.X, _natural(result.problem, record.F), record.CV <= 0
    first = 1 + space.n_var
    X = history.iloc[:, 1:first].to_numpy(dtype=np.int64)
    values = history.iloc[:, first:-2].to_numpy(dtype=np.float64)
    return X, values, history.iloc[:, -2].to_numpy(dtype=bool)
