"""What is told of the points of a problem: values, genome, who found them, what a click opens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anonopt.experiments.store.contents import ProblemFacts
from anonopt.visualization.report import plots, tables
from anonopt.visualization.report.experiment.joint_fronts import F, JointFronts
from anonopt.visualization.report.experiment.stored_solutions import StoredSolutions
from anonopt.visualization.report.parts import Points

MOST_TOLD = 8
"""Algorithms that the text beside a point tells."""


class ToldPoints:
    """Texts and keys of the points of a problem, held once for all of its figures."""

    def __init__(
        self,
        name: str,
        facts: ProblemFacts,
        fronts: JointFronts,
        solutions: StoredSolutions,
    ) -> None:
        self.name, self._facts, self._fronts = name, facts, fronts
        self._solutions = solutions
        self._places: dict[F, int] = {}
        self._texts: list[str] = []

    def of(self, keys: Sequence[F]) -> list[int]:
        """Places of points, for ``customdata`` of traces with ``meta`` as `name`."""
        return [self._place(key) for key in keys]

    def _place(self, key: F) -> int:
        if key not in self._places:
            self._places[key] = len(self._texts)
            self._texts.append(_hover(self._facts, self._fronts, self._solutions, key))
        return self._places[key]

    def shared(self) -> Points:
        """All that was asked for."""
        opens = tuple(self._solutions.key_of(key) for key in self._places)
        return Points(self.name, tuple(self._texts), opens)


def _hover(facts: ProblemFacts, fronts: JointFronts, solutions: StoredSolutions, key: F) -> str:
    """Text beside a point: its values, its genome, and who found it."""
    point = fronts.points.get(key)
    values = facts.natural(np.array(key))
    told: dict[str, object] = {
        name: tables.cell_text(value) for name, value in zip(facts.objectives, values, strict=True)
    }
    if point is None:
        return plots.hover("reference front", {**told, "found by": "no run"})
    told["genome"] = solutions.genome_text(point.genome)
    found = [
        f"{name}: {n} of {fronts.n_runs[name]} runs, first by seed {point.seeds[name]}"
        for name, n in sorted(point.n_runs.items(), key=lambda item: (-item[1], item[0]))
    ]
    # Each line is a fact; algorithms stand below each other.
    told |= dict(line.split(": ", 1) for line in found[:MOST_TOLD])
    if len(found) > MOST_TOLD:
        told["and"] = f"{len(found) - MOST_TOLD} more algorithms"
    if solutions.key_of(key) is not None:
        told["click"] = "opens the solution"
    return plots.hover("found", told)
