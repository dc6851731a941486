"""Anytime curves of a problem: medians and quartiles of indicators over the evaluations."""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonopt.experiments.performance.quality import INDICATORS
from anonopt.visualization.report import plots, tables
from anonopt.visualization.report.experiment.compared import Compared, names_text
from anonopt.visualization.report.parts import Panel, Plot, Table
from anonopt.visualization.thinning import evenly_spaced

SHOWN_ROWS = 10
"""Numbers of evaluations in the table below the curves."""

EARLY = 0.1
"""Share of the evaluations after which the text tells who leads."""


def curves_panel(of: Compared, problem: str, curves: dict[str, pd.DataFrame]) -> Panel:
    """Curves of each indicator, one of which is chosen.

    Parameters
    ----------
    of : Compared
    problem : str
    curves : dict of str to DataFrame
        Of each indicator, as ``runs.curves`` has them.
    """
    title = "Anytime curves"
    tables_, drawings = [], []
    for indicator, frame in curves.items():
        rows = frame[frame["problem"] == problem]
        if len(rows) and np.isfinite(rows["median"]).any():
            drawings.append(Plot(indicator, _figure(of, rows, indicator)))
            tables_.append(_table(rows, indicator))
    if not drawings:
        return Panel(title, "There are no curves: no run ended well and found anything feasible.")
    first = curves[drawings[0].name]
    return Panel(
        title,
        _summary(first[first["problem"] == problem], drawings[0].name),
        drawings=tuple(drawings),
        choice="indicator",
        tables=tuple(tables_),
        notes=(
            "Lines are medians over the runs, bands reach from the lower to the upper quartile; "
            f"they are computed after {first['evaluations'].nunique()} numbers of evaluations. "
            f"{'; '.join(f'{one.name}: {INDICATORS[one.name].summary}' for one in drawings)}. "
            "Runs that failed count as having found nothing.",
        ),
    )


def _figure(of: Compared, rows: pd.DataFrame, indicator: str) -> object:
    import plotly.graph_objects as go

    traces = []
    for name, part in rows.groupby("algorithm", sort=False):
        entry, part = of.entries[str(name)], part[np.isfinite(part["median"])]
        if len(part) == 0:
            continue
        x = part["evaluations"].to_numpy(dtype=np.float64)
        lower, upper = (part[side].to_numpy(dtype=np.float64) for side in ("lower", "upper"))
        # Where a quartile is infinite, the band ends at the median.
        median = part["median"].to_numpy(dtype=np.float64)
        lower, upper = (np.where(np.isfinite(side), side, median) for side in (lower, upper))
        shared = {"legendgroup": entry.key, "name": plots.label(name)}
        if not np.array_equal(lower, upper):
            traces.append(
                go.Scatter(
                    x=_steps(x, is_x=True) + _steps(x, is_x=True)[::-1],
                    y=_steps(lower) + _steps(upper)[::-1],
                    mode="none",
                    fill="toself",
                    fillcolor=entry.color + plots.BAND,
                    hoverinfo="skip",
                    **shared,
                )
            )
        traces.append(
            go.Scatter(
                x=x,
                y=median,
                mode="lines+markers",
                line={"color": entry.color, "dash": entry.dash, "width": 2, "shape": "hv"},
                marker={"color": entry.color, "symbol": entry.symbol, "size": 6},
                customdata=None,
                text=[
                    plots.hover(
                        name,
                        {
                            f"median {indicator}": f"{m:.4g}",
                            "quartiles": f"{low:.4g} to {high:.4g}",
                            "evaluations": f"{n:,.0f}",
                        },
                    )
                    for n, m, low, high in zip(x, median, part["lower"], part["upper"], strict=True)
                ],
                hovertemplate=plots.HOVER,
                **shared,
            )
        )
    chosen = INDICATORS[indicator]
    better = "more" if chosen.maximize else "less"
    return plots.plot(
        traces,
        x="distinct evaluations",
        y=f"{indicator} ({better} is better)",
        log_x=True,
    )


def _steps(values: np.ndarray, *, is_x: bool = False) -> list[float]:
    """Corners of a staircase: a value holds until the next number of evaluations."""
    doubled = np.repeat(values, 2)
    corners: list[float] = (doubled[1:] if is_x else doubled[:-1]).tolist()
    return corners


def _summary(rows: pd.DataFrame, indicator: str) -> str:
    """Who leads early, and who at the end."""
    last = int(rows["evaluations"].max())
    early = int(rows.loc[rows["evaluations"] <= max(1, EARLY * last), "evaluations"].max())
    told = [
        f"after {at:,} evaluations {_leaders(rows[rows['evaluations'] == at], indicator)}"
        for at in dict.fromkeys([early, last])
    ]
    return f"Median {indicator}: {'; '.join(told)}."


def _leaders(rows: pd.DataFrame, indicator: str) -> str:
    medians = rows.set_index("algorithm")["median"]
    best = medians.max() if INDICATORS[indicator].maximize else medians.min()
    worst = medians.min() if INDICATORS[indicator].maximize else medians.max()
    leaders = [str(name) for name in medians.index[medians == best]]
    if len(leaders) == len(medians):
        return f"it is {best:.4g} for {'all' if len(medians) > 1 else leaders[0]}"
    last = [str(name) for name in medians.index[medians == worst]]
    return (
        f"{names_text(leaders)} {'leads' if len(leaders) == 1 else 'lead'} with {best:.4g}, and "
        f"{names_text(last)} {'has' if len(last) == 1 else 'have'} the worst, "
        f"{tables.cell_text(worst, digits=4)}"
    )


def _table(rows: pd.DataFrame, indicator: str) -> Table:
    numbers = np.unique(rows["evaluations"])
    shown = numbers[evenly_spaced(len(numbers), SHOWN_ROWS)]
    kept = rows[rows["evaluations"].isin(shown)]
    table = kept.pivot(index="evaluations", columns="algorithm", values="median")
    table = table[list(dict.fromkeys(kept["algorithm"]))].rename_axis(columns=None)
    return tables.table(f"Median {indicator} after numbers of evaluations", table)
