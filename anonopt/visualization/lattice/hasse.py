"""A lattice as a Hasse diagram: its structure, what a problem says of it, what a search saw."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
from pymoo.core.algorithm import Algorithm
from pymoo.core.evaluator import Evaluator
from pymoo.core.population import Population
from pymoo.core.problem import Problem

from anonopt._checks import check_choice
from anonopt._typing import IntArray
from anonopt.data import Lattice, Microdata
from anonopt.problems.any_problem import lattice_of, maximize_of, natural_objectives
from anonopt.runs.result import Result
from anonopt.visualization import figures
from anonopt.visualization.lattice.board import LatticeBoard, draw_bar
from anonopt.visualization.lattice.drawn_nodes import (
    DrawnNodes,
    Node,
    as_nodes,
    drawn_nodes,
    structure_of,
)
from anonopt.visualization.lattice.legends import Legend
from anonopt.visualization.lattice.panels import BoundPanel, FramePanel, ObjectivePanel
from anonopt.visualization.lattice.picture import LABELS, LatticePicture, NodeColors
from anonopt.visualization.lattice.steps.frames import (
    FEASIBLE,
    FRONT,
    INFEASIBLE,
    LatticeFrame,
    counted,
)
from anonopt.visualization.lattice.steps.history_frames import Evaluated
from anonopt.visualization.lattice.steps.searches import FinishedSearch, frames_of, nodes_to_draw
from anonopt.visualization.lattice.styles import short

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Drawable: TypeAlias = Lattice | Microdata | Problem | Result | Algorithm


def plot_lattice(
    drawn: Drawable,
    *,
    value: str | bool | None = None,
    nodes: npt.ArrayLike | str | None = None,
    order: bool | npt.ArrayLike | None = None,
    paths: Iterable[npt.ArrayLike] = (),
    labels: bool | str = "auto",
    title: str | None = None,
    axes: Axes | None = None,
    path: str | PathLike[str] | None = None,
) -> Figure:
    """Draw a generalization lattice, each node above those it generalizes.

    Of a table or a lattice it shows the structure; of a problem every node: feasible (circles)
    or not (squares), its value as colour, and the front; of a search what it saw: tested,
    tagged, pruned and why, in which order, and its answer.

    Parameters
    ----------
    drawn : Lattice, Microdata, problem, Result, or algorithm that was run
        Genomes of problems must be levels. Searches by tests tell what became of each node if
        they were made with ``trace=True``, population searches if they were followed by a
        `Recorder`.
    value : str or bool, optional
        Name of an objective, or of any measure of a `LatticeProblem`, that nodes are coloured by:
        those that were tested or evaluated. By default the first objective, of searches by tests
        none; False for none.
    nodes : array (n, n_quasi_identifiers), or ``"visited"``, optional
        Part of the lattice to draw, such as the nodes that a search visited; by default all. At
        most 300 nodes are drawn.
    order : bool, or array (n, n_quasi_identifiers), optional
        Whether visits are numbered (by default they are), or nodes to be numbered. Lattices of
        more than 100 nodes have no numbers.
    paths : sequence of arrays (n, n_quasi_identifiers)
        Ways through the lattice, such as strategy paths, drawn as arrows from node to node.
    labels : ``"auto"`` or bool
        Whether the levels are written in the nodes; by default where there is room, otherwise
        beside the nodes that matter.
    title : str, optional
        By default it says what is seen; an empty one is none.
    axes : matplotlib Axes, optional
        To draw on, legend to the right of it; by default a figure of its own, with a panel of
        the objective space, or of the bounds of branch and bound.
    path : path, optional
        File to write, replaced as a whole if it exists; its ending is png, pdf or svg.

    Returns
    -------
    matplotlib Figure
        That of the axes; a new one is not known to pyplot.

    Raises
    ------
    TypeError
        If it is nothing that has a lattice.
    ValueError
        If there are more than 300 nodes, genomes are no levels, a node is not in the lattice,
        nothing of this name can be measured, or the ending of the file is unknown.

    Examples
    --------
    >>> import anonopt as ao
    >>> patients = ao.load_dataset("patients")
    >>> problem = ao.problems.LatticeProblem(patients, ["generalization_level"], k=3)
    >>> figure = plot_lattice(problem)
    >>> figure.axes[0].get_xlabel()
    'a node: levels of age, postcode, sex'
    >>> result = ao.solve(problem, ao.algorithms.OLA(trace=True))
    >>> figure = plot_lattice(result, title="OLA tests 14 of 32 nodes")
    """
    figures.check_picture(path)
    check_choice("labels", labels, LABELS)
    if isinstance(drawn, Lattice | Microdata):
        seen = _structure(drawn, nodes, value)
    elif isinstance(drawn, Result | Algorithm):
        seen = _search(FinishedSearch.of(drawn), nodes, value)
    else:
        seen = _problem(drawn, nodes, value)
    facts: dict[str, Any] = {"paths": (*seen.frame.paths, *_checked_paths(paths, drawn))}
    if order is not None and not isinstance(order, bool):
        (numbered,) = _checked_paths([order], drawn)
        facts["order"] = {node: number for number, node in enumerate(numbered, start=1)}
    frame = dataclasses.replace(seen.frame, **facts)
    title = seen.title if title is None else title
    options: dict[str, Any] = {"reasons": True, "order": order is not False}
    if axes is None:
        board = LatticeBoard(
            seen.drawn, [frame], colors=seen.colors, panel=seen.panel, labels=labels, title=title,
            tells=seen.tells, structure=seen.is_structure, **options,
        )  # fmt: skip
        return figures.write_picture(board.draw(frame), path)
    picture = LatticePicture(
        axes, seen.drawn, colors=seen.colors, labels=labels, structure=seen.is_structure
    )
    picture.draw(frame, order=options["order"])
    legend = Legend(picture, [frame], **options)
    legend.draw(axes, frame, loc="upper left", bbox_to_anchor=(1.02, 1.0))
    figure = axes.figure.figure
    if seen.colors is not None:
        draw_bar(figure, seen.colors, axes.inset_axes((0.0, -0.24, 0.6, 0.03)))
    axes.set_title(title, loc="left", fontsize=11, parse_math=False, wrap=True)
    return figures.write_picture(figure, path)


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Seen:
    """What there is to draw."""

    drawn: DrawnNodes
    frame: LatticeFrame
    title: str
    colors: NodeColors | None = None
    panel: FramePanel | None = None
    tells: bool = False
    is_structure: bool = False


def colors_of(
    problem: Problem, drawn: DrawnNodes, value: str | bool | None, *, default: bool
) -> NodeColors | None:
    """Colours of nodes by a measure or objective.

    Raises
    ------
    ValueError
        If nothing of this name can be measured.
    """
    names = list(natural_objectives(problem, np.zeros((1, problem.n_obj))))
    if value is False or (value is None and not default):
        return None
    name = names[0] if value is None or value is True else value
    lattice = lattice_of(problem)
    if name in names:
        column = evaluated_nodes(problem, drawn.nodes).values[:, names.index(name)]
        maximize = bool(maximize_of(problem)[names.index(name)])
    elif lattice is None:
        raise ValueError(f"value: expected one of the objectives {names}, found {name!r}")
    else:
        measure = lattice.evaluator.measure(name)
        column = lattice.evaluator.values(drawn.nodes, [measure])[measure.name]
        maximize = measure.maximize
    values = dict(zip(as_nodes(drawn.nodes), np.asarray(column, dtype=float).tolist(), strict=True))
    return NodeColors.of(values, figures.axis_label(name, maximize))


def evaluated_nodes(problem: Problem, nodes: IntArray) -> Evaluated:
    """Objectives and feasibility of nodes, which no search and no budget sees."""
    population = Population.new("X", nodes)
    Evaluator().eval(problem, population)
    objectives = natural_objectives(problem, population.get("F"))
    return Evaluated(
        nodes,
        np.column_stack(list(objectives.values())),
        population.get("CV")[:, 0] <= 0,
        maximize=maximize_of(problem),
        names=list(objectives),
    )


def panel_of(search: FinishedSearch, frames: Sequence[LatticeFrame]) -> FramePanel | None:
    """What is shown beside the lattice of a search: objective space, or the course of bounds."""
    names, evaluated = search.evaluated.names, search.evaluated
    if len(names) > 1:
        sides = None if search.recorder is None else search.recorder.box_sides
        return ObjectivePanel(evaluated.by_node(), names, maximize_of(search.problem), sides)
    return BoundPanel(frames, names[0]) if frames and frames[-1].bounds else None


def search_title(search: FinishedSearch) -> str:
    """Who searched what."""
    names = structure_of(search.problem)[2]
    return f"{type(search.algorithm).__name__} on the lattice of {_listed(names)}"


def _structure(drawn: Lattice | Microdata, nodes: Any, value: Any) -> Seen:
    if isinstance(value, str):
        raise ValueError(
            f"value: expected a problem that measures it, found {type(drawn).__name__}"
        )
    structure = structure_of(drawn)
    shown = drawn_nodes(structure, nodes)
    title = f"Lattice of {_listed(structure[2])}: {counted(len(shown.nodes), 'node')}"
    return Seen(drawn=shown, frame=LatticeFrame(step=1, text=title), title=title, is_structure=True)


def _problem(problem: Problem, nodes: Any, value: Any) -> Seen:
    structure = structure_of(problem)
    shown = drawn_nodes(structure, nodes)
    evaluated = evaluated_nodes(problem, shown.nodes)
    states: Mapping[Node, str] = dict(zip(evaluated.nodes, evaluated.states, strict=True))
    front = tuple(evaluated.front())
    n_feasible = sum(state == FEASIBLE for state in states.values())
    title = (
        f"Lattice of {_listed(structure[2])}: {counted(len(states), 'node')}, "
        f"{n_feasible} {FEASIBLE}, {len(states) - n_feasible} {INFEASIBLE}"
    )
    panel = None
    if len(evaluated.names) > 1:
        panel = ObjectivePanel(evaluated.by_node(), evaluated.names, maximize_of(problem))
    return Seen(
        drawn=shown,
        frame=LatticeFrame(step=1, text=title, states=states, marks={FRONT: front}),
        title=title,
        colors=colors_of(problem, shown, value, default=True),
        panel=panel,
    )


def _search(search: FinishedSearch, nodes: Any, value: Any) -> Seen:
    frames = frames_of(search, matings=0)
    shown = nodes_to_draw(search, frames, nodes)
    return Seen(
        drawn=shown,
        frame=frames[-1],
        title=search_title(search),
        tells=True,
        colors=colors_of(search.problem, shown, value, default=not search.tells_tests),
        panel=panel_of(search, frames),
    )


def _checked_paths(paths: Iterable[npt.ArrayLike], drawn: Drawable) -> list[tuple[Node, ...]]:
    if isinstance(drawn, Result | Algorithm):
        drawn = drawn.problem
    _, upper, names = structure_of(drawn)
    lattice = Lattice(upper.tolist(), names)
    return [tuple(as_nodes(lattice.validate(nodes))) for nodes in paths]


def _listed(names: Sequence[str]) -> str:
    """Names as a list in words; of many only their number."""
    if len(names) > 5:
        return f"{len(names)} quasi-identifiers"
    *first, last = [short(name) for name in names]
    return f"{', '.join(first)} and {last}" if first else last
