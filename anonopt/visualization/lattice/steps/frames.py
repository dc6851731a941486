"""Steps of a search as plain facts: what is known of each node, and what just happened.

Frames know nothing of drawing, so that they can be compared with the trace they come from.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from anonopt.visualization.lattice.drawn_nodes import Node

FEASIBLE, INFEASIBLE = "feasible", "infeasible"
TAGGED_FEASIBLE, TAGGED_INFEASIBLE, PRUNED = "tagged feasible", "tagged infeasible", "pruned"
STATES = (FEASIBLE, INFEASIBLE, TAGGED_FEASIBLE, TAGGED_INFEASIBLE, PRUNED)
"""What can be known of a node; a node without a state was not visited."""

CURRENT, PARENTS, CROSSED, CHILDREN = "looked at", "parents", "crossed", "children"
POPULATION, ARCHIVE, FRONT = "population", "archive", "front"
MINIMAL, ANSWER = "k-minimal", "answer"
MARKS = (CURRENT, PARENTS, CROSSED, CHILDREN, POPULATION, ARCHIVE, FRONT, MINIMAL, ANSWER)
"""Parts that nodes can play in a step."""

_NOTHING: Mapping[Any, Any] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class LatticeFrame:
    """One step of a search in a lattice.

    Attributes
    ----------
    step : int
        From 1 on.
    text : str
        What happened, in words.
    states : mapping of node to str
        What is known of the nodes that were visited: one of ``"feasible"``, ``"infeasible"``,
        ``"tagged feasible"``, ``"tagged infeasible"`` (by prediction, without a test) and
        ``"pruned"`` (left out, without being known).
    order : mapping of node to int
        Number, from 1 on, of the test or evaluation that a node was visited by first.
    reasons : mapping of node to str
        Why nodes were tagged or pruned.
    marks : mapping of str to tuple of nodes
        Parts that nodes play: ``"looked at"``, ``"parents"``, ``"crossed"`` (made by crossover,
        before mutation), ``"children"``, ``"population"``, ``"archive"``, ``"front"`` (best of
        what was evaluated so far), ``"k-minimal"`` and ``"answer"``.
    paths : tuple of tuples of nodes
        Ways through the lattice, such as OLA's strategy path.
    heights : tuple of 2 int, or None
        Least and largest height that the search still looks at.
    within : tuple of nodes
        Part of the lattice that is searched now; empty for all of it.
    n_tests, n_evaluations : int
        Tests and evaluations so far.
    bounds : tuple of (int, float, float)
        Course of the tests, of the bound that is proven, and of the best loss known.
    """

    step: int
    text: str
    states: Mapping[Node, str] = field(default_factory=lambda: _NOTHING)
    order: Mapping[Node, int] = field(default_factory=lambda: _NOTHING)
    reasons: Mapping[Node, str] = field(default_factory=lambda: _NOTHING)
    marks: Mapping[str, tuple[Node, ...]] = field(default_factory=lambda: _NOTHING)
    paths: tuple[tuple[Node, ...], ...] = ()
    heights: tuple[int, int] | None = None
    within: tuple[Node, ...] = ()
    n_tests: int = 0
    n_evaluations: int = 0
    bounds: tuple[tuple[int, float, float], ...] = ()


class FrameWriter:
    """Frames of a search, each of which begins as the one before ended.

    Attributes
    ----------
    frames : list of LatticeFrame
    states, order, reasons
        As they are now; see `LatticeFrame`.
    lasting : dict
        What every frame from now on has: ``paths``, ``heights``, ``within``, ``bounds``,
        ``n_tests``, ``n_evaluations``.
    """

    def __init__(self) -> None:
        self.frames: list[LatticeFrame] = []
        self.states: dict[Node, str] = {}
        self.order: dict[Node, int] = {}
        self.reasons: dict[Node, str] = {}
        self.lasting: dict[str, Any] = {}
        self._known: set[Node] = set()

    def visit(self, node: Node, state: str) -> None:
        """A node was tested or evaluated; its first visit gets the next number."""
        self.know(node, state)
        self.order.setdefault(node, len(self.order) + 1)

    def know(self, node: Node, state: str) -> None:
        """What a node is was found out, apart from the visits that are numbered."""
        self.states[node] = state
        self.reasons.pop(node, None)
        self._known.add(node)

    def tag(self, nodes: Iterable[Node], state: str, reason: str) -> None:
        """Nodes were tagged or pruned; what was found out of them stays."""
        for node in nodes:
            if node not in self._known:
                self.states[node] = state
                self.reasons[node] = reason

    def add(self, text: str, **facts: Any) -> None:
        """Append a frame; `facts` are attributes of it alone."""
        marks = {name: tuple(nodes) for name, nodes in facts.pop("marks", {}).items() if len(nodes)}
        self.frames.append(
            LatticeFrame(
                step=len(self.frames) + 1,
                text=text,
                states=MappingProxyType(dict(self.states)),
                order=MappingProxyType(dict(self.order)),
                reasons=MappingProxyType(dict(self.reasons)),
                marks=MappingProxyType(marks),
                **{**self.lasting, **facts},
            )
        )


def thinned(frames: Sequence[LatticeFrame], every: int) -> list[LatticeFrame]:
    """Each so many-th frame and the last one, numbered anew."""
    kept = [frame for frame in frames if frame.step % every == 0 or frame.step == len(frames)]
    return [dataclasses.replace(frame, step=step) for step, frame in enumerate(kept, start=1)]


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number and a noun: ``1 node``, ``2 nodes``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
