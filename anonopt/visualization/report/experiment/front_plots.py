"""Fronts of a problem: what each algorithm's runs found together, beside the reference front."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from anonopt.experiments.performance.quality import share_found
from anonopt.experiments.store.contents import ProblemFacts
from anonopt.visualization.report import plots, tables
from anonopt.visualization.report.experiment.compared import (
    Compared,
    count_text,
    names_text,
)
from anonopt.visualization.report.experiment.joint_fronts import MOST_POINTS, F, JointFronts
from anonopt.visualization.report.experiment.objective_axes import objective_axis
from anonopt.visualization.report.experiment.stored_solutions import StoredSolutions
from anonopt.visualization.report.experiment.told_points import ToldPoints
from anonopt.visualization.report.parts import Drawing, Entry, Panel, Plot, Table

REFERENCE = "reference front"
LARGEST, LEAST = 15.0, 6.0
"""Sizes of markers: those of the first algorithm are seen around those of the last."""

MOST_PAIRS = 10
"""Of objectives that can be chosen."""


def reference_entry() -> Entry:
    """Line of a legend for the reference front."""
    return Entry(REFERENCE, plots.REFERENCE_COLOR, "circle", "dot")


def front_panel(
    of: Compared,
    problem: str,
    fronts: JointFronts,
    solutions: StoredSolutions,
    told: ToldPoints,
) -> Panel:
    """Fronts with hover, and the points of the best of them as a table."""
    facts = of.runs.problems[problem]
    title = "Fronts" if len(facts.objectives) > 1 else "Best values"
    if not fronts.best:
        return Panel(title, "No run found anything feasible: there is no front.")
    drawings: list[Drawing] = []
    n_obj = len(facts.objectives)
    if n_obj == 1:
        drawings.append(_best_values(of, problem, facts))
    else:
        if n_obj > 2:
            drawings.append(_parallel(of, facts, fronts, told))
        pairs = list(itertools.combinations(range(n_obj), 2))[:MOST_PAIRS]
        drawings += [_pair(of, facts, fronts, told, pair) for pair in pairs]
    notes = (
        [
            "Points of an algorithm are those that no other solution of its runs dominates"
            + (
                f"; of more than {MOST_POINTS}, some evenly along the front are drawn."
                if max(fronts.n_points.values()) > MOST_POINTS
                else "."
            )
        ]
        if n_obj > 1
        else []
    )
    if n_obj > 2:
        notes.append("The best value of each objective is at the top of parallel coordinates.")
    notes.append(solutions.note)
    return Panel(
        title,
        _summary(of, problem, fronts),
        drawings=tuple(drawings),
        choice="view",
        tables=(_table(of, facts, fronts, solutions),),
        notes=tuple(note for note in notes if note),
        is_wide=True,
    )


def _summary(of: Compared, problem: str, fronts: JointFronts) -> str:
    facts, reference = of.runs.problems[problem], of.references.get(problem)
    if reference is None:
        return f"The best front of all runs has {count_text(len(fronts.best), 'point')}."
    shares = {
        name: share_found(np.array(front), reference)
        for name, front in fronts.of_algorithm.items()
        if front
    }
    ordered = sorted(shares, key=lambda name: -shares[name])
    told = names_text([f"{name} {shares[name]:.0%}" for name in ordered], most=12)
    nothing = [name for name, front in fronts.of_algorithm.items() if not front]
    none = f" Nothing feasible was found by {names_text(nothing)}." if nothing else ""
    size = count_text(len(reference.front), "point")
    return (
        f"The reference ({facts.reference_source}) has {size}; the runs of each algorithm together "
        f"found of them: {told}.{none}"
    )


def _series(
    of: Compared, facts: ProblemFacts, fronts: JointFronts
) -> list[tuple[Entry, Sequence[F], float]]:
    """Reference and fronts of the algorithms, with the sizes of their markers."""
    drawn: list[tuple[Entry, Sequence[F], float]] = []
    if facts.reference_front is not None:
        rows = [tuple(row) for row in facts.reference_front.tolist()]
        drawn.append((reference_entry(), rows, 4.0))
    names = [name for name, front in fronts.of_algorithm.items() if front]
    for name, size in zip(names, np.linspace(LARGEST, LEAST, max(2, len(names))), strict=False):
        drawn.append((of.entries[name], fronts.of_algorithm[name], float(size)))
    return drawn


def _pair(
    of: Compared,
    facts: ProblemFacts,
    fronts: JointFronts,
    told: ToldPoints,
    pair: tuple[int, int],
) -> Plot:
    import plotly.graph_objects as go

    traces, everything = [], []
    is_planar = len(facts.objectives) == 2
    for entry, keys, size in _series(of, facts, fronts):
        values = facts.natural(np.array(keys))
        everything.append(values)
        is_reference = entry.key == REFERENCE
        traces.append(
            go.Scatter(
                x=values[:, pair[0]],
                y=values[:, pair[1]],
                mode="lines+markers" if is_reference and is_planar else "markers",
                line={
                    "color": entry.color,
                    "width": 1,
                    "dash": "dot",
                    "shape": "hv",
                },
                marker={
                    "color": entry.color,
                    "size": size,
                    "symbol": entry.symbol if is_reference else f"{entry.symbol}-open",
                    "line": {"width": 1.5},
                },
                legendgroup=entry.key,
                name=plots.label(entry.key),
                meta=told.name,
                customdata=told.of(keys),
                hovertemplate=plots.HOVER,
            )
        )
    together = np.concatenate(everything)
    names = [facts.objectives[place] for place in pair]
    both = [objective_axis(facts, place, together[:, place]) for place in pair]
    return Plot(f"{names[0]} and {names[1]}", plots.plot(traces, x=both[0], y=both[1]), height=460)


def _parallel(of: Compared, facts: ProblemFacts, fronts: JointFronts, told: ToldPoints) -> Plot:
    """Parallel coordinates: a line a solution, the best values at the top."""
    import plotly.graph_objects as go

    drawn = _series(of, facts, fronts)
    points = np.concatenate([np.array(keys) for _, keys, _ in drawn])
    best, worst = points.min(axis=0), points.max(axis=0)
    extent = np.where(worst > best, worst - best, 1.0)
    n_obj = len(facts.objectives)
    traces = []
    for entry, keys, _ in drawn:
        heights = np.where(worst > best, (worst - np.array(keys)) / extent, 0.5)
        # A gap after each line; hover and click are those of the solution at each of its places.
        gaps = np.column_stack([heights, np.full(len(heights), np.nan)]).ravel()
        traces.append(
            go.Scatter(
                x=np.tile(np.arange(n_obj + 1.0), len(heights)),
                y=gaps,
                mode="lines+markers",
                connectgaps=False,
                line={"color": entry.color, "width": 1, "dash": entry.dash},
                marker={"color": entry.color, "size": 4, "symbol": entry.symbol},
                opacity=float(np.clip(20 / max(1, len(heights)), 0.25, 0.9)),
                legendgroup=entry.key,
                name=plots.label(entry.key),
                meta=told.name,
                customdata=[one for place in told.of(keys) for one in (*[place] * n_obj, -1)],
                hovertemplate=plots.HOVER,
            )
        )
    top, bottom = facts.natural(best), facts.natural(worst)
    ends = [
        {
            "x": place,
            "y": height,
            "yshift": shift,
            "text": plots.label(tables.cell_text(values[place])),
            "showarrow": False,
        }
        for values, height, shift in ((top, 1.0, 12), (bottom, 0.0, -12))
        for place in range(n_obj)
    ]
    names = [plots.label(name) for name in facts.objectives]
    x = {
        "tickvals": list(range(n_obj)),
        "ticktext": names,
        "range": [-0.3, n_obj - 0.7],
        "zeroline": False,
        "showline": False,
        "ticks": "",
    }
    y = {"visible": False, "range": [-0.12, 1.12]}
    return Plot("parallel coordinates", plots.plot(traces, x=x, y=y, annotations=ends), height=460)


def _best_values(of: Compared, problem: str, facts: ProblemFacts) -> Plot:
    """Best value of each run, of one objective."""
    import plotly.graph_objects as go

    rows = of.done[of.done["problem"] == problem]
    traces, shown = [], of.finished(problem)
    for name in shown:
        entry, values, told = of.entries[name], [], []
        for run, seed in _seeds(rows, name):
            _, found = of.runs.front(run)
            if len(found):
                values.append(float(facts.natural(found)[:, 0][0]))
                told.append(
                    plots.hover(
                        name,
                        {facts.objectives[0]: tables.cell_text(values[-1]), "seed": seed},
                    )
                )
        traces.append(
            go.Box(
                y=values,
                x=[plots.label(name)] * len(values),
                boxpoints="all",
                jitter=0.5,
                pointpos=0,
                marker={"color": entry.color, "symbol": f"{entry.symbol}-open", "size": 8},
                line={"color": entry.color, "width": 1},
                fillcolor=entry.color + plots.BAND,
                legendgroup=entry.key,
                name=plots.label(name),
                text=told,
                hovertemplate=plots.HOVER,
                hoveron="points",
            )
        )
    y = objective_axis(facts, 0, np.empty(0))
    return Plot("best values", plots.plot(traces, x=plots.category_axis(shown), y=y))


def _seeds(rows: pd.DataFrame, algorithm: str) -> list[tuple[int, int]]:
    own = rows[rows["algorithm"] == algorithm]
    return list(zip(own.index.tolist(), own["seed"].tolist(), strict=True))


def _table(
    of: Compared, facts: ProblemFacts, fronts: JointFronts, solutions: StoredSolutions
) -> Table:
    rows: list[Mapping[str, object]] = []
    for key in fronts.best:
        point = fronts.points[key]
        found = sorted(point.n_runs.items(), key=lambda item: (-item[1], item[0]))
        rows.append(
            {
                **dict(zip(facts.objectives, facts.natural(np.array(key)).tolist(), strict=True)),
                "found by (runs)": ", ".join(f"{name} {n}" for name, n in found),
                "genome": solutions.genome_text(point.genome),
            }
        )
    return tables.table(
        "Best front of all runs",
        pd.DataFrame(rows),
        opens=[solutions.key_of(key) for key in fronts.best],
    )
