"""Frames of a search that tests nodes, from its trace and from what it set out to do."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from anonopt.algorithms.node_tests import Stage, TestingSearch
from anonopt.optima.node_search import HOPELESS
from anonopt.visualization.lattice.drawn_nodes import LIMIT, Node, as_nodes, node_text
from anonopt.visualization.lattice.steps.frames import (
    CURRENT,
    FEASIBLE,
    INFEASIBLE,
    PRUNED,
    TAGGED_FEASIBLE,
    FrameWriter,
    counted,
)


class _Step(NamedTuple):
    """A row of the trace."""

    node: Node
    event: str
    reason: str
    n_tests: int

    @property
    def is_test(self) -> bool:
        return self.event in (FEASIBLE, INFEASIBLE)


class TraceWriter:
    """Writes the frames of a traced search.

    Parameters
    ----------
    search : TestingSearch
        Made with ``trace=True``, and run.
    names : sequence of str
        Of the quasi-identifiers.
    top : node
        The highest node.
    measure : str
        Name of the objective.
    """

    def __init__(
        self, search: TestingSearch, names: Sequence[str], top: Node, measure: str
    ) -> None:
        self.writer = FrameWriter()
        self._names, self._top, self._measure = tuple(names), top, measure
        self._branch_left: tuple[Node, ...] = ()
        self._steps, self._stages = _steps(search, len(names)), search.stages()

    def write(self) -> FrameWriter:
        """Write a frame for each test, for each group of tags, and for each stage."""
        starts = sorted({0, len(self._steps), *(stage.n_steps for stage in self._stages)})
        stages = itertools.groupby(self._stages, key=lambda stage: stage.n_steps)
        waiting = {n_steps: list(group) for n_steps, group in stages}
        for start, end in itertools.zip_longest(starts, starts[1:], fillvalue=len(self._steps)):
            for stage in waiting.get(start, ()):
                self._write_stage(stage)
            self._write_steps(self._steps[start:end])
        return self.writer

    def _write_steps(self, steps: Sequence[_Step]) -> None:
        row = 0
        while row < len(steps):
            step = steps[row]
            if step.is_test:
                concluded = _alike(steps, row + 1)
                # What OLA concludes from a test belongs to it; what Incognito leaves out does not.
                if concluded and not concluded[0].reason.endswith(str(step.node)):
                    concluded = []
                self._write_test(step, concluded)
                row += 1 + len(concluded)
            else:
                group = _alike(steps, row)
                self._write_group(group)
                row += len(group)

    def _write_test(self, step: _Step, concluded: Sequence[_Step]) -> None:
        self.writer.visit(step.node, step.event)
        text = f"Test {step.n_tests}: {node_text(step.node)} is {step.event}"
        if step.reason:
            text += f" ({step.reason})"
        if concluded:
            side = concluded[0].reason.partition(" ")[0]
            known = FEASIBLE if concluded[0].event == TAGGED_FEASIBLE else INFEASIBLE
            text += f", so {counted(len(concluded), 'untagged node')} {side} it must be {known}"
            self._tag(concluded)
        self._add(f"{text}.", step.n_tests, [step.node])

    def _write_group(self, group: Sequence[_Step]) -> None:
        first = group[0]
        if first.event == PRUNED and self._branch_left:
            self._write_left_branch(first)
            return
        self._tag(group)
        if len(group) == 1:
            text = f"{node_text(first.node)} is {first.event}"
        else:
            text = f"{counted(len(group), 'node')} are {first.event}"
        self._add(f"{text}: {first.reason}.", first.n_tests, [step.node for step in group])

    def _write_left_branch(self, step: _Step) -> None:
        self.writer.tag(self._branch_left, PRUNED, step.reason)
        text = f"The branch of {counted(len(self._branch_left), 'node')} is left: {step.reason}."
        self._add(text, step.n_tests, self._branch_left)

    def _tag(self, group: Sequence[_Step]) -> None:
        self.writer.tag((step.node for step in group), group[0].event, group[0].reason)

    def _add(self, text: str, n_tests: int, nodes: Sequence[Node]) -> None:
        self.writer.lasting["n_tests"] = n_tests
        self.writer.add(text, marks={CURRENT: nodes})

    def _write_stage(self, stage: Stage) -> None:
        writers: dict[str, Callable[[Stage], str]] = {
            "heights": self._heights,
            "strategy path": self._path,
            "columns": self._columns,
            "distinct values": self._distinct_values,
            "branch": self._branch,
            "hopeless branch": self._hopeless_branch,
        }
        if stage.name in writers:
            text = writers[stage.name](stage)
            self.writer.add(text, marks={CURRENT: self._looked_at(stage)})

    def _looked_at(self, stage: Stage) -> Sequence[Node]:
        if stage.name == "heights":
            return as_nodes(stage.nodes)
        return self._branch_left if stage.name in ("branch", "hopeless branch") else ()

    def _heights(self, stage: Stage) -> str:
        low, high = int(stage.figures["low"]), int(stage.figures["high"])
        self.writer.lasting["heights"] = low, high
        if "middle" in stage.figures:
            middle = int(stage.figures["middle"])
            return (
                f"The least height of a feasible node is one of {low} to {high}: "
                f"look for one at height {middle}, halfway."
            )
        return f"No other height is left: the least one is {low}, of {node_text(stage.nodes[0])}."

    def _path(self, stage: Stage) -> str:
        path = as_nodes(stage.nodes)
        self.writer.lasting["paths"] = (tuple(path),)
        if len(path) == 1:
            return f"The lowest untagged node is {node_text(path[0])}; no untagged one is above it."
        return (
            f"Strategy path of {len(path)} untagged nodes from {node_text(path[0])} up to "
            f"{node_text(path[-1])}: halve it to find where it becomes feasible."
        )

    def _columns(self, stage: Stage) -> str:
        self.writer.lasting["within"] = tuple(as_nodes(stage.nodes))
        names = " and ".join(self._names[column] for column in stage.columns)
        others = len(self._names) - len(stage.columns)
        rest = ", the others fully generalized" if others else ", that is, the whole lattice"
        return f"Lattice of {names}{rest}: {counted(len(stage.nodes), 'node')}."

    def _distinct_values(self, stage: Stage) -> str:
        (node,), (column,) = as_nodes(stage.nodes), stage.columns
        raised = (*node[:column], node[column] + 1, *node[column + 1 :])
        (path,) = self.writer.lasting.get("paths", ((node,),))
        self.writer.lasting["paths"] = ((*path, raised),)
        counts = ", ".join(f"{name} {number:g}" for name, number in stage.figures.items())
        return (
            f"Distinct values at {node_text(node)}: {counts}. Raise {self._names[column]} to "
            f"{node_text(raised)}."
        )

    def _branch(self, stage: Stage) -> str:
        self._take_branch(stage)
        return (
            f"Branch {self._decisions(stage)}: no node of it has a {self._measure} below "
            f"{stage.figures['least']:.4g}; the best known has {stage.figures['incumbent']:.4g}."
        )

    def _hopeless_branch(self, stage: Stage) -> str:
        nodes = self._take_branch(stage)
        self.writer.tag(nodes, PRUNED, HOPELESS)
        return (
            f"Branch {self._decisions(stage)} is not opened: no node of it has a {self._measure} "
            f"below {stage.figures['least']:.4g}, and {stage.figures['incumbent']:.4g} is known."
        )

    def _take_branch(self, stage: Stage) -> tuple[Node, ...]:
        """Note a branch, and what is known of bounds; returns its nodes."""
        (node,) = as_nodes(stage.nodes)
        self._branch_left = _branch_nodes(node, stage.columns, self._top)
        n_tests = self.writer.lasting.get("n_tests", 0)
        course = (n_tests, stage.figures["bound"], stage.figures["incumbent"])
        self.writer.lasting["bounds"] = (*self.writer.lasting.get("bounds", ()), course)
        return self._branch_left

    def _decisions(self, stage: Stage) -> str:
        (node,) = as_nodes(stage.nodes)
        column, *decided = stage.columns
        text = f"{self._names[column]} = {node[column]}"
        if not decided:
            return text
        before = ", ".join(f"{self._names[one]} = {node[one]}" for one in sorted(decided))
        return f"{text} below {before}"


def _branch_nodes(node: Node, decided: Sequence[int], top: Node) -> tuple[Node, ...]:
    """Nodes with the levels of the decided columns; none where they are too many to be drawn."""
    levels = [
        [level] if column in decided else range(level, highest + 1)
        for column, (level, highest) in enumerate(zip(node, top, strict=True))
    ]
    if math.prod(map(len, levels)) > LIMIT:
        return ()
    return tuple(itertools.product(*levels))


def _steps(search: TestingSearch, n_var: int) -> list[_Step]:
    """Rows of the trace; by position, as a quasi-identifier may be called "event"."""
    trace = search.trace()
    nodes = as_nodes(trace.iloc[:, 1 : n_var + 1].to_numpy(dtype=int).reshape(-1, n_var))
    facts = (trace.iloc[:, n_var + 1 + i].tolist() for i in range(3))
    return [_Step(*row) for row in zip(nodes, *facts, strict=True)]


def _alike(steps: Sequence[_Step], start: int) -> list[_Step]:
    """Tags from a row on that share event and reason; none if the row is a test or the end."""
    if start >= len(steps) or steps[start].is_test:
        return []
    first = steps[start]

    def is_alike(step: Any) -> bool:
        return bool(step[1:] == first[1:])

    return list(itertools.takewhile(is_alike, steps[start:]))
