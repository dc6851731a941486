"""Algorithms over all problems: the table of papers, ranks, tests, runtimes to targets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonopt.experiments.performance.profiles import compared_problems, ecdf_frame
from anonopt.experiments.performance.quality import INDICATORS
from anonopt.experiments.performance.targets import BEST
from anonopt.experiments.tables.significance import Significance
from anonopt.experiments.tables.summary import Summary
from anonopt.visualization.comparison.differences import plot_critical_differences
from anonopt.visualization.report import plots, tables
from anonopt.visualization.report.experiment.compared import Compared, count_text, names_text
from anonopt.visualization.report.parts import Panel, Picture, Plot, Section
from anonopt.visualization.thinning import evenly_spaced

MOST_STEPS = 400
"""Steps of a distribution that are drawn of each algorithm."""

SHOWN_EVALUATIONS = 8
"""Rows of the table below a distribution."""

AFTER = "%{y:.1%} after %{x:,.0f} evaluations<extra></extra>"

ONE_ALGORITHM = "There is one algorithm alone, and nothing to compare it with."


def over_problems(of: Compared) -> Section:
    """Section on all problems together."""
    if of.samples is None:
        return Section(
            "All problems together",
            "No run can be measured: none ended well, or nothing feasible is known of any problem.",
        )
    summary = of.runs.summary(of.indicator, budget=of.budget)
    panels = [_summary_panel(of, summary)]
    if len(of.samples.algorithms) > 1:
        tests = of.runs.tests(of.indicator, budget=of.budget)
        panels += [_rank_panel(of, tests), _ecdf_panel(of), _tests_panel(tests, of.samples.notes)]
    else:
        panels.append(_ecdf_panel(of))
    return Section(
        "All problems together",
        f"Measured by {INDICATORS[of.indicator].summary} "
        f"({'more' if of.samples.maximize else 'less'} is better)"
        f"{'.' if len(of.samples.algorithms) > 1 else f'. {ONE_ALGORITHM}'}",
        panels=tuple(panels),
        legend=tuple(of.entries[name] for name in of.algorithms),
    )


def _summary_panel(of: Compared, summary: Summary) -> Panel:
    samples = summary.of
    cells = {
        algorithm: [_cell(summary, problem, algorithm) for problem in samples.problems]
        for algorithm in samples.algorithms
    }
    frame = pd.DataFrame(cells, index=pd.Index(samples.problems, name="problem"))
    bold = pd.DataFrame(
        {
            algorithm: [summary.cells[problem, algorithm].is_best for problem in samples.problems]
            for algorithm in samples.algorithms
        },
        index=frame.index,
    )
    if summary.mean_ranks is not None:
        ranks = pd.Series(summary.mean_ranks)
        frame.loc["mean rank"] = [f"{ranks[name]:.2f}" for name in frame.columns]
        bold.loc["mean rank"] = [bool(ranks[name] == ranks.min()) for name in frame.columns]
    return Panel(
        f"Medians and interquartile ranges of {of.indicator}",
        f"{_best_text(summary)} {summary.explanation}",
        tables=(
            tables.table(
                f"Summary of {of.indicator}",
                frame,
                bold=bold,
                latex=summary.to_latex(),
                markdown=summary.to_markdown(),
                is_open=True,
            ),
        ),
        notes=samples.notes,
        is_wide=True,
    )


def _cell(summary: Summary, problem: str, algorithm: str) -> str:
    cell = summary.cells[problem, algorithm]
    if np.isnan(cell.median):
        return tables.cell_text(None)
    spread = "" if np.isnan(cell.spread) else f" ({cell.spread:.4f})"
    return f"{cell.median:.4f}{spread} {cell.mark}".replace("inf", "\u221e").strip()


def _best_text(summary: Summary) -> str:
    """Who has the best median on how many problems."""
    samples = summary.of
    n_best = {
        name: sum(summary.cells[problem, name].is_best for problem in samples.problems)
        for name in samples.algorithms
    }
    leaders = sorted((name for name in n_best if n_best[name]), key=lambda name: -n_best[name])
    if not leaders:
        return "No algorithm has a best median on any problem."
    told = names_text([f"{name} on {n_best[name]}" for name in leaders])
    return f"Best median, of {count_text(len(samples.problems), 'problem')}: {told}."


def _rank_panel(of: Compared, tests: Significance) -> Panel:
    title = "Mean ranks and critical differences"
    if tests.ranks is None:
        return Panel(title, "There is no problem on which all algorithms have runs: no ranks.")
    means = pd.Series(tests.ranks.loc["mean"], dtype=np.float64).sort_values(kind="stable")
    shown = tables.table("Ranks on each problem", tests.ranks)
    summary = tests.standing() or (
        f"Best mean rank: {means.index[0]} ({means.iloc[0]:.2f} over "
        f"{count_text(len(tests.ranks) - 1, 'problem')})."
    )
    if len(tests.ranks) - 1 < 2:
        return Panel(
            title,
            f"{summary} A critical difference needs two problems on which all have runs.",
            tables=(shown,),
        )
    picture = Picture(
        "critical differences",
        plot_critical_differences(of.runs, of.indicator, budget=of.budget),
        f"Mean ranks: {', '.join(f'{name} {rank:.2f}' for name, rank in means.items())}.",
    )
    return Panel(
        title,
        f"{summary} Bars join algorithms whose mean ranks are not told apart.",
        drawings=(picture,),
        tables=(shown,),
        is_wide=True,
    )


def _ecdf_panel(of: Compared) -> Panel:
    title = "Runtimes to targets (ECDF)"
    indicator = of.indicator if of.indicator in BEST else "hypervolume"
    try:
        problems = compared_problems(of.runs, budget=of.budget)
        frame = ecdf_frame(of.runs, indicator, budget=of.budget)
    except ValueError as error:
        return Panel(title, f"Not shown: {error}.")
    import plotly.graph_objects as go

    traces, ends = [], {}
    for name, rows in frame.groupby("algorithm", sort=False):
        entry = of.entries[str(name)]
        x = np.concatenate([[1.0], rows["evaluations"].to_numpy(dtype=np.float64)])
        y = np.concatenate([[0.0], rows["share"].to_numpy(dtype=np.float64)])
        ends[str(name)] = float(y[-1])
        x, y = thinned(x, y)
        traces.append(
            go.Scatter(
                x=x,
                y=y,
                mode="lines",
                line={"color": entry.color, "dash": entry.dash, "width": 2, "shape": "hv"},
                legendgroup=entry.key,
                name=plots.label(name),
                hovertemplate=f"<b>{plots.label(name)}</b><br>{AFTER}",
            )
        )
    figure = plots.plot(
        traces,
        x="distinct evaluations",
        y={
            "title": {"text": "share of runs and targets reached"},
            "tickformat": ".0%",
            "range": [-0.02, 1.02],
        },
        log_x=True,
    )
    ordered = sorted(ends, key=lambda name: -ends[name])
    told = names_text([f"{name} {ends[name]:.1%}" for name in ordered], most=12)
    few = (
        ""
        if len(problems) == len(of.problems)
        else f" ({len(problems)} of {len(of.problems)} problems, on which all algorithms have runs)"
    )
    return Panel(
        title,
        f"Share of pairs of a run and a target of {indicator} that are reached at the end{few}: "
        f"{told}.",
        drawings=(Plot("runtimes", figure),),
        tables=(tables.table("Shares reached after numbers of evaluations", _shares(frame)),),
        notes=(
            f"A curve ends at the longest run of its algorithm; of one with more than {MOST_STEPS} "
            "steps every so many are drawn, each where it is.",
        ),
    )


def thinned(x: np.ndarray, y: np.ndarray, most: int = MOST_STEPS) -> tuple[np.ndarray, np.ndarray]:
    """Steps of a rising curve that are drawn: first and last, and evenly by their number.

    Examples
    --------
    >>> thinned(np.arange(5.0), np.arange(5.0), most=3)[0].tolist()
    [0.0, 2.0, 4.0]
    """
    kept = evenly_spaced(len(x), most)
    return x[kept], y[kept]


def _shares(frame: pd.DataFrame) -> pd.DataFrame:
    """Shares at some numbers of evaluations, a column an algorithm."""
    longest = max(2.0, float(frame["evaluations"].max()))
    at = np.unique(np.rint(np.geomspace(1, longest, SHOWN_EVALUATIONS)))
    columns = {}
    for name, rows in frame.groupby("algorithm", sort=False):
        place = np.searchsorted(rows["evaluations"].to_numpy(), at, side="right")
        shares = np.concatenate([[0.0], rows["share"].to_numpy(dtype=np.float64)])[place]
        # No run of it is as long.
        columns[str(name)] = np.where(at > rows["evaluations"].max(), np.nan, shares)
    index = pd.Index(at.astype(np.int64), name="evaluations")
    return pd.DataFrame(columns, index=index)


def _tests_panel(tests: Significance, known: Sequence[str]) -> Panel:
    joint = tests.friedman
    if joint is None:
        summary = "Tests of all algorithms together need three algorithms and two problems."
    else:
        summary = (
            f"Friedman: chi-square {joint.statistic:.4g}, p {_p_text(joint.p_value)}; "
            f"{count_text(joint.n_problems, 'problem')}, "
            f"{count_text(joint.n_algorithms, 'algorithm')}; critical difference of mean ranks "
            f"{tests.critical_difference:.2f}."
        )
    if len(tests.within_problems):
        p = tests.within_problems["p_holm"]
        summary += (
            f" Within problems {int((p <= tests.alpha).sum())} of {int(p.notna().sum())} tests of "
            f"pairs differ at level {tests.alpha:g} (p corrected by Holm)."
        )
    shown = {
        "Nemenyi, p of each pair": tests.nemenyi,
        "Pairs over problems (Wilcoxon, Bayesian signed rank)": tests.over_problems,
        "Pairs within problems (tests of runs, effect sizes)": tests.within_problems,
        "Medians with quartiles and bootstrap intervals": tests.intervals,
        "Power of these numbers of runs": tests.power,
    }
    return Panel(
        "Tests",
        summary,
        tables=tuple(
            tables.table(caption, frame)
            for caption, frame in shown.items()
            if frame is not None and len(frame)
        ),
        notes=tuple(note for note in tests.notes if note not in known),
    )


def _p_text(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"= {p:.4f}"
