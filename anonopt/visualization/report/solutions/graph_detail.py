"""A protected social graph: drawn before and after, changed attributes, loss and risk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from anonopt._typing import AnyArray, BoolArray, FloatArray, IntArray
from anonopt.graphs import SocialGraph, compare_graphs
from anonopt.measures.lattice.check import check
from anonopt.measures.registry import get_measure
from anonopt.problems import GraphProblem
from anonopt.visualization.figures import COLORS
from anonopt.visualization.report.solutions.detail import (
    Detail,
    Drawing,
    Part,
    Shown,
    changed_cells,
    counted,
    nothing_protected,
    percent,
    sample,
)
from anonopt.visualization.report.solutions.detail_figures import plain
from anonopt.visualization.report.solutions.file_detail import changed_part
from anonopt.visualization.report.solutions.measured_values import (
    measures_table,
    missed_constraints,
    objectives_of,
)

if TYPE_CHECKING:
    import plotly.graph_objects as go

KIND = "protected social graph"

MAX_NODES = 200
"""Nodes that are drawn; of a larger graph, those around the node of most ties."""

LAYOUT_SEED = 1
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "star", "hexagon")
OTHERS = "other"

HIDDEN = (
    "What the nodes say is not drawn, as it is what was to be protected; with sample_rows=12 the "
    "page shows it, and must then be kept like the graph."
)

GRAPH = "social graph"
"""Background: ties, and what the nodes said before."""


def graph_detail(problem: GraphProblem, x: AnyArray, shown: Shown) -> Detail:
    """Describe a protected graph.

    Parameters
    ----------
    problem : GraphProblem
    x : int array (n_var,)
        A genome.
    shown : Shown
    """
    genome = problem.space.checked_one(x)
    graph = problem.graph
    values = objectives_of(problem, genome)
    named = {one.name: one for one in problem.objectives}
    if missed := missed_constraints(problem, genome):
        nothing = nothing_protected(missed)
        objectives = Part("Objectives", table=measures_table(values, named))
        return Detail(KIND, nothing.text, (objectives, nothing))
    protected = problem.protect(genome)
    figures = {str(name): float(value) for name, value in compare_graphs(graph, protected).items()}
    own = {name: value for name, value in values.items() if name not in figures}
    named |= {name: get_measure(name, of="graph") for name in figures}
    before, after = graph.frame(), protected.frame()
    attributes = list(graph.attributes)
    changed = changed_cells(before, after, attributes)
    groups = check(after, quasi_identifiers=attributes, k=problem.k)
    drawn = drawn_nodes(graph)
    attribute = attributes[0]
    summary = (
        f"{counted(int(changed.any(axis=1).sum()), 'node')} of {graph.n_nodes:,} say something "
        f"else ({percent(float(changed.mean()))} of the cells); "
        f"{counted(int(groups['classes']), 'group')} of nodes that say the same, the smallest of "
        f"{int(groups['k']):,} (k = {problem.k}); information loss {figures['IL']:.4g} %, "
        f"disclosure risk {figures['DR']:.4g} %."
    )
    return Detail(
        KIND,
        summary,
        (
            _drawing_part(graph, protected, attribute, drawn, shown),
            Part("Loss and risk of the graph", table=measures_table({**own, **figures}, named)),
            changed_part(attributes, changed),
            _records(before, after, shown, attributes),
        ),
    )


def _records(
    before: pd.DataFrame, after: pd.DataFrame, shown: Shown, attributes: list[str]
) -> Part:
    frames = (
        [frame.reset_index(names="node") for frame in (before, after)]
        if ("node" not in attributes)
        else [before, after]
    )
    columns = [*([] if "node" in attributes else ["node"]), *attributes]
    return sample(frames[0], frames[1], shown, columns=columns)


def _drawing_part(
    graph: SocialGraph, protected: SocialGraph, attribute: str, drawn: IntArray, shown: Shown
) -> Part:
    if shown.sample_rows == 0:
        return Part("Graph before and after", HIDDEN)
    is_changed = graph.codes(attribute) != protected.codes(attribute)

    def figure() -> go.Figure:
        return _nodes_figure(graph, protected, attribute, drawn, column=2, changed=is_changed)

    ties = np.isin(graph.edges, drawn).all(axis=1).sum()
    text = (
        f"Left the original, right the protected graph, both in one layout: ties stay. Colour and "
        f"shape tell the {attribute}; a ring on the right marks the nodes that say another "
        f"one now."
    )
    notes: tuple[str, ...] = ()
    if len(drawn) < graph.n_nodes:
        notes = (
            f"{len(drawn):,} of {graph.n_nodes:,} nodes and {int(ties):,} of {graph.n_edges:,} "
            f"ties are drawn: those nearest to the node of most ties.",
        )
    return Part(
        "Graph before and after",
        text,
        drawing=Drawing(
            figure,
            f"Two drawings of the graph; {int(is_changed[drawn].sum())} of {len(drawn)} drawn "
            f"nodes have another {attribute}.",
            background=GRAPH,
        ),
        notes=notes,
        discloses="records",
    )


def drawn_nodes(graph: SocialGraph) -> IntArray:
    """Positions of the nodes that are drawn: all, or the nearest to the one of most ties."""
    if graph.n_nodes <= MAX_NODES:
        return np.arange(graph.n_nodes)
    import networkx as nx

    network = nx.Graph(graph.edges.tolist())
    start = int(np.argmax(graph.degrees()))
    reached = [start, *(node for _, node in nx.bfs_edges(network, start))] if graph.n_edges else []
    rest = np.setdiff1d(np.arange(graph.n_nodes), reached)
    return np.sort(np.concatenate([reached, rest])[:MAX_NODES].astype(np.int64))


def graph_background(problem: GraphProblem) -> go.Figure:
    """Ties of both drawings, and the nodes of the left one."""
    from plotly.subplots import make_subplots

    graph = problem.graph
    drawn, attribute = drawn_nodes(graph), graph.attributes[0]
    places = _layout(graph, drawn)
    figure = make_subplots(
        rows=1, cols=2, subplot_titles=("original", "protected"), horizontal_spacing=0.02
    )
    position = {int(node): place for node, place in zip(drawn, places, strict=True)}
    xs: list[float | None] = []
    ys: list[float | None] = []
    for first, second in graph.edges[np.isin(graph.edges, drawn).all(axis=1)].tolist():
        xs += [position[first][0], position[second][0], None]
        ys += [position[first][1], position[second][1], None]
    for column in (1, 2):
        figure.add_scatter(
            x=xs,
            y=ys,
            mode="lines",
            line={"color": "#999999", "width": 0.6},
            hoverinfo="skip",
            showlegend=False,
            row=1,
            col=column,
        )
    nodes = _nodes_figure(graph, graph, attribute, drawn, column=1, changed=None, legend=True)
    for trace in nodes.data:
        figure.add_trace(trace)
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    figure.update_layout(
        height=460,
        margin={"t": 40, "r": 10, "b": 10, "l": 10},
        legend={"orientation": "h", "title": {"text": plain(attribute)}},
    )
    return figure


def _layout(graph: SocialGraph, drawn: IntArray) -> FloatArray:
    """Places of the drawn nodes, float array (n_drawn, 2): the same at every call."""
    import networkx as nx

    network = nx.Graph()
    network.add_nodes_from(range(len(drawn)))
    place = {int(node): number for number, node in enumerate(drawn)}
    network.add_edges_from(
        (place[a], place[b]) for a, b in graph.edges.tolist() if a in place and b in place
    )
    found = nx.spring_layout(network, seed=LAYOUT_SEED, iterations=60)
    return np.round(np.array([found[i] for i in range(len(drawn))]).reshape(-1, 2), 3)


def _nodes_figure(
    graph: SocialGraph,
    said: SocialGraph,
    attribute: str,
    drawn: IntArray,
    *,
    column: int,
    changed: BoolArray | None,
    legend: bool = False,
) -> go.Figure:
    """Nodes as they are said by a graph, in the colours of the original's most frequent values."""
    import plotly.graph_objects as go

    places = _layout(graph, drawn)
    original, names = graph.codes(attribute)[drawn], graph.names(attribute)
    counts = np.bincount(original, minlength=len(names))
    frequent = [int(c) for c in np.argsort(-counts, kind="stable")[: len(COLORS) - 1] if counts[c]]
    codes = said.codes(attribute)[drawn]
    known = {name: number for number, name in enumerate(names)}
    if said.names(attribute) is not names:
        codes = np.array([known[said.names(attribute)[code]] for code in codes])
    figure = go.Figure()
    axes = {
        "xaxis": f"x{column if column > 1 else ''}",
        "yaxis": f"y{column if column > 1 else ''}",
    }
    groups = [(names[code], codes == code) for code in frequent]
    groups.append((OTHERS, ~np.isin(codes, frequent)))
    for (label, chosen), color, symbol in zip(groups, COLORS, SYMBOLS, strict=False):
        if not chosen.any():
            continue
        rings = np.zeros(len(drawn)) if changed is None else np.where(changed[drawn], 2.0, 0.0)
        figure.add_scatter(
            x=places[chosen, 0].tolist(),
            y=places[chosen, 1].tolist(),
            mode="markers",
            name=plain(label),
            legendgroup=plain(label),
            showlegend=legend,
            text=[
                f"{plain(graph.nodes[node])}: {plain(names[code])}"
                for node, code in zip(drawn[chosen], codes[chosen], strict=True)
            ],
            hoverinfo="text",
            marker={
                "size": 9,
                "color": color,
                "symbol": symbol,
                "line": {"width": rings[chosen].tolist(), "color": "#000000"},
            },
            **axes,
        )
    return figure
