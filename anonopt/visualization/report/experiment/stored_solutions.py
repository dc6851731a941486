"""Solutions of an experiment's file, opened in their own terms where their problem is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from anonopt._typing import AnyArray
from anonopt.experiments.runs import Runs
from anonopt.problems import get_problem
from anonopt.problems.base import AnonymizationProblem
from anonopt.problems.recipes import from_plain
from anonopt.visualization.report import tables
from anonopt.visualization.report.experiment.compared import count_text
from anonopt.visualization.report.experiment.joint_fronts import F, JointFronts
from anonopt.visualization.report.parts import Drawing, Plot, Solution
from anonopt.visualization.report.runs.run_solutions import (
    default_sample_rows,
    packed_size,
    warning_of,
)
from anonopt.visualization.report.solutions.detail import Shown
from anonopt.visualization.report.solutions.detail_panels import detail_panels
from anonopt.visualization.report.solutions.solution_details import backgrounds, solution_detail

MOST_CHARACTERS = 400
"""Of a genome as text."""

MOST_SAMPLE_ROWS = 6
"""Rows of the original beside the protected ones, of each solution."""


@dataclass(frozen=True)
class Rebuilt:
    """A problem of a file.

    Attributes
    ----------
    problem : AnonymizationProblem or None
        None if it cannot be made again.
    why : str
        Why it cannot.
    """

    problem: AnonymizationProblem | None
    why: str = ""


@dataclass(frozen=True)
class StoredSolutions:
    """Solutions of a problem that a click opens.

    Attributes
    ----------
    rebuilt : Rebuilt
    solutions : tuple of Solution
    keys : dict of tuple to str
        Their keys by minimized objectives.
    note : str
        How many there are, and of the others.
    backgrounds : dict of str to plotly Figure
        Behind their figures.
    warning : str
        What has to be known before they are passed on.
    """

    rebuilt: Rebuilt
    solutions: tuple[Solution, ...] = ()
    keys: dict[F, str] = field(default_factory=dict)
    note: str = ""
    backgrounds: dict[str, Any] = field(default_factory=dict)
    warning: str = ""

    def key_of(self, values: F) -> str | None:
        """Key of the solution of minimized objectives, if it can be opened."""
        return self.keys.get(values)

    def genome_text(self, genome: AnyArray | str) -> str:
        """Text of a genome, in the words of its problem where that is known."""
        if isinstance(genome, str):
            text = genome
        elif self.rebuilt.problem is not None:
            text = self.rebuilt.problem.space.text(genome)
        else:
            text = " ".join(map(str, np.asarray(genome).tolist()))
        return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 1]}\u2026"


def rebuild(runs: Runs, problem: str) -> Rebuilt:
    """Make a problem of a file again, if the catalogue has it and it is still the same."""
    origin = runs.origins.problems[problem]
    name = origin.made_by.get("name")
    if not isinstance(name, str):
        kind = origin.made_by.get("class", "unknown")
        return Rebuilt(None, f"its problem is no named one of the catalogue, but of class {kind}")
    try:
        options: dict[str, Any] = {
            key: from_plain(value) for key, value in dict(origin.made_by["options"]).items()
        }
        made = get_problem(name, **options)
    except (ValueError, TypeError, LookupError, OSError, ImportError) as error:
        return Rebuilt(None, f"its problem {name!r} could not be made again: {error}")
    if made.portable_fingerprint != origin.fingerprint:
        return Rebuilt(None, f"the problem {name!r} of this version of the library is another one")
    return Rebuilt(made)


def stored_solutions(
    rebuilt: Rebuilt,
    fronts: JointFronts,
    objectives: Sequence[str],
    *,
    number: int,
    most: int,
    size_budget: int,
    sample_rows: int | None = None,
    random_state: int = 1,
) -> StoredSolutions:
    """Describe the solutions of the best front that are nearest to its ideal point.

    Parameters
    ----------
    rebuilt : Rebuilt
    fronts : JointFronts
    objectives : sequence of str
    number : int
        Of the problem in the report; part of the keys.
    most : int
        Solutions that are described.
    size_budget : int
        Bytes of all of them, packed.
    sample_rows : int, optional
        Rows of the original that are shown.
    random_state : int
        Seed of what protects by chance.
    """
    problem, best = rebuilt.problem, fronts.best
    if problem is None:
        return StoredSolutions(
            rebuilt,
            note=f"Solutions cannot be opened, {rebuilt.why}: points tell genome and objectives.",
        )
    if any(isinstance(fronts.points[key].genome, str) for key in best):
        return StoredSolutions(
            rebuilt, note="Solutions cannot be opened: the file holds their genomes as text alone."
        )
    if sample_rows is None:
        sample_rows = min(MOST_SAMPLE_ROWS, default_sample_rows(problem))
    shown = Shown(sample_rows=sample_rows, seed=random_state)
    found: dict[F, Solution] = {}
    size = 0
    for key in nearest_first(best)[:most]:
        solution = _opened(problem, fronts.points[key].genome, shown, f"{number}-{best.index(key)}")
        size += packed_size(solution)
        if found and size > size_budget:
            break
        values = zip(objectives, problem.natural(np.array(key)).tolist(), strict=True)
        told = {name: tables.cell_text(value) for name, value in values}
        found[key] = replace(solution, facts=told)
    ordered = {key: found[key] for key in best if key in found}
    behind = backgrounds(problem, shown) if found else {}
    return StoredSolutions(
        rebuilt,
        tuple(ordered.values()),
        {key: solution.key for key, solution in ordered.items()},
        _note(len(found), len(best)),
        {f"{number}-{name}": figure for name, figure in behind.items()},
        warning_of(shown, tuple(ordered.values())) if found else "",
    )


def _note(n_found: int, n_best: int) -> str:
    if n_found == 0:
        return ""
    if n_found == n_best:
        which = "A click on a point of the best front opens the solution"
    else:
        which = (
            f"A click opens the {count_text(n_found, 'solution')} of the {n_best:,} of the best "
            "front that are nearest to its ideal point"
        )
    return f"{which}; so does its line in the table."


def _opened(problem: AnonymizationProblem, genome: Any, shown: Shown, key: str) -> Solution:
    detail = solution_detail(problem, genome, shown)
    number = key.partition("-")[0]
    panels = tuple(
        replace(panel, drawings=tuple(_behind(drawing, number) for drawing in panel.drawings))
        for panel in detail_panels(detail)
    )
    position = int(key.rpartition("-")[2]) + 1
    return Solution(key, f"Solution {position} of the best front: {detail.kind}", panels=panels)


def _behind(drawing: Drawing, number: str) -> Drawing:
    """The same drawing, before the background of the problem of a number."""
    if not isinstance(drawing, Plot) or not drawing.background:
        return drawing
    return replace(drawing, background=f"{number}-{drawing.background}")


def nearest_first(front: Sequence[F]) -> list[F]:
    """Points of a front by their distance to its ideal point, each objective in its extent.

    Examples
    --------
    >>> nearest_first([(0.0, 9.0), (1.0, 1.0), (9.0, 0.0)])[0]
    (1.0, 1.0)
    """
    if not front:
        return []
    values = np.array(front)
    extent = np.ptp(values, axis=0)
    scaled = (values - values.min(axis=0)) / np.where(extent > 0, extent, 1.0)
    order = np.argsort((scaled**2).sum(axis=1), kind="stable")
    return [front[place] for place in order]
