"""Generated graphs of the published sizes, protected at rising K: what Section 6.5 compares.

A seed is one pair of graphs; at every K each is protected five times, and the mean counts, as in
Section 6.5.1. All figures are percentages, where the thesis shows shares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np
import pandas as pd

from anonopt.data.columns.categories import CategoricalColumns
from anonopt.evaluation.categorical.masking_evaluator import MaskingEvaluator
from anonopt.graphs.generator import generate_graph
from anonopt.graphs.measures.comparison import compare_graphs
from anonopt.graphs.measures.loss import aamil
from anonopt.graphs.microdata import DEGREE, extract_microdata
from anonopt.graphs.protection import protect_graph
from anonopt.graphs.social_graph import SocialGraph
from anonopt.masking.microaggregation import MDAV

GRAPHS = {"first graph": "small", "second graph": "large"}
"""Size by the thesis's name."""
LEVELS = tuple(range(2, 21))
QUICK_LEVELS = (2, 5, 10, 20)
N_EXECUTIONS = 5
"""Executions whose mean is taken for each K (Section 6.5.1)."""

LOSSES = ("AAMIL", "CDIL", "DBIL")
TOPIC_RISKS = ("DR_topic1", "DR_topic2", "DR_topic3")
RISKS = ("DR_location", *TOPIC_RISKS, "DR_topics", "DR")
LETTER = "AAMIL by the letter"

OF_PROTECTED = "of the protected graph"
OF_ORIGINAL = "of the original graph"
ORIGINS = (OF_PROTECTED, OF_ORIGINAL)
"""Whose microdata are masked: what a user would extract, and what there was."""


@cache
def graph_curves(size: str, seed: int, quick: bool) -> pd.DataFrame:
    """Mean losses and risks, a row for each K."""
    graph = generate_graph(size, seed=seed)

    def measured(k: int, protected: SocialGraph) -> pd.Series[float]:
        figures = compare_graphs(graph, protected)
        figures[LETTER] = aamil(graph, protected, as_printed=True)
        return figures

    return _means(graph, quick, measured)


@cache
def microdata_curves(size: str, seed: int, quick: bool) -> pd.DataFrame:
    """Mean IL and DR of microaggregated microdata, a row for each K."""
    graph = generate_graph(size, seed=seed)
    table = extract_microdata(graph)

    def measured(k: int, protected: SocialGraph) -> pd.Series[float]:
        return _masked_figures(table, extract_microdata(protected), k).add_suffix(
            f" {OF_PROTECTED}"
        )

    curves = _means(graph, quick, measured)
    alone = {k: _masked_figures(table, table, k) for k in curves.index}
    return curves.join(pd.DataFrame(alone).T.add_suffix(f" {OF_ORIGINAL}"))


def _means(
    graph: SocialGraph, quick: bool, measured: Callable[[int, SocialGraph], pd.Series[float]]
) -> pd.DataFrame:
    means = {
        k: pd.DataFrame(
            [measured(k, protect_graph(graph, k, seed=run)) for run in range(1, N_EXECUTIONS + 1)]
        ).mean()
        for k in (QUICK_LEVELS if quick else LEVELS)
    }
    return pd.DataFrame(means).T


def _masked_figures(original: pd.DataFrame, table: pd.DataFrame, k: int) -> pd.Series[float]:
    """Loss and risk of a table that is microaggregated, beside the original graph's."""
    ordinal = {DEGREE: None}
    masked = MDAV(k, ordinal=ordinal).fit_transform(table)
    # Common parents of locations are categories of their own, as values of a nominal column are.
    columns = CategoricalColumns.of(original, ordinal=ordinal, others=[masked])
    figures = MaskingEvaluator(columns).measure(columns.encode(masked)).figures()
    return pd.Series({"IL": figures.IL, "DR": figures.DR})


def graph_losses_and_risks(seed: int, quick: bool) -> dict[str, float]:
    """What Figures 6.10 to 6.13 show of a pair of graphs."""
    curves = {name: graph_curves(size, seed, quick) for name, size in GRAPHS.items()}
    found: dict[str, float] = {}
    for name, curve in curves.items():
        found |= {f"{name}: {label}": value for label, value in _losses(curve)}
        found |= {f"{name}: {label}": value for label, value in _risks(curve)}
    first, second = curves.values()
    found["share of K at which the second graph has less IL"] = _share(second["IL"] < first["IL"])
    is_lower = second[list(RISKS)] < first[list(RISKS)]
    found["share of K and risks at which the second graph has less"] = _share(is_lower)
    return found


def _losses(curve: pd.DataFrame) -> Iterator[tuple[str, float]]:
    yield "share of steps of K at which IL rises", _share(curve["IL"].diff()[1:] > 0)
    for name in (*LOSSES, "IL"):
        yield f"{name} at the least K, percent", curve[name].iloc[0]
        yield f"growth of {name} from the least to the largest K, points", _growth(curve[name])
    points = {name: _growth(curve[name]) for name in LOSSES}
    times = {name: curve[name].iloc[-1] / curve[name].iloc[0] for name in LOSSES}
    yield (
        "CDIL grows by most points (1 yes, 0 no)",
        float(max(points, key=points.__getitem__) == "CDIL"),
    )
    yield (
        "CDIL grows by most times (1 yes, 0 no)",
        float(max(times, key=times.__getitem__) == "CDIL"),
    )
    others = curve[["CDIL", "DBIL"]].min(axis=1)
    yield "share of K at which AAMIL is the lowest loss", _share(curve["AAMIL"] < others)
    yield (
        "share of K at which AAMIL by the letter is the lowest loss",
        _share(curve[LETTER] < others),
    )
    yield (
        "share of K at which half of AAMIL is the lowest loss",
        _share(curve["AAMIL"] / 2 < others),
    )


def _risks(curve: pd.DataFrame) -> Iterator[tuple[str, float]]:
    steps = curve[list(RISKS)].diff()[1:]
    yield (
        "share of steps of K, over all six risks, at which the risk does not rise",
        _share(steps <= 0),
    )
    first, second, third = (curve[name] for name in TOPIC_RISKS)
    yield (
        "share of K at which the risk falls from topic 1 to 2 to 3",
        _share((first > second) & (second > third)),
    )
    topics = curve[list(TOPIC_RISKS)].min(axis=1)
    yield (
        "share of K at which location has less risk than any topic",
        _share(curve["DR_location"] < topics),
    )
    yield (
        "share of K at which all topics together have less risk than any one",
        _share(curve["DR_topics"] < topics),
    )
    others = curve[[name for name in RISKS if name != "DR"]].min(axis=1)
    yield (
        "share of K at which no risk is below that of all attributes",
        _share(curve["DR"] <= others),
    )


def microdata_losses_and_risks(seed: int, quick: bool) -> dict[str, float]:
    """What Figures 6.14 and 6.15 show of a pair of graphs."""
    curves = {name: microdata_curves(size, seed, quick) for name, size in GRAPHS.items()}
    found: dict[str, float] = {}
    for origin in ORIGINS:
        for name, curve in curves.items():
            of = f"{name}, microdata {origin}"
            loss, risk = curve[f"IL {origin}"], curve[f"DR {origin}"]
            found[f"{of}: share of steps of K at which IL rises"] = _share(loss.diff()[1:] > 0)
            found[f"{of}: share of steps of K at which DR falls"] = _share(risk.diff()[1:] < 0)
            found[f"{of}: growth of IL from the least to the largest K, points"] = _growth(loss)
            found[f"{of}: fall of DR from the least to the largest K, points"] = -_growth(risk)
        for figure in ("IL", "DR"):
            first, second = (curve[f"{figure} {origin}"] for curve in curves.values())
            label = f"microdata {origin}: share of K at which the second graph has less {figure}"
            found[label] = _share(second < first)
    return found


def _growth(curve: pd.Series[float]) -> float:
    return float(curve.iloc[-1] - curve.iloc[0])


def _share(holds: pd.Series[bool] | pd.DataFrame) -> float:
    return float(np.asarray(holds).mean())


def loss_points(quick: bool) -> pd.DataFrame:
    """Curves of Figures 6.10 and 6.11."""
    return _points(graph_curves, (*LOSSES, "IL"), quick)


def risk_points(quick: bool) -> pd.DataFrame:
    """Curves of Figures 6.12 and 6.13."""
    return _points(graph_curves, RISKS, quick)


def microdata_points(quick: bool) -> pd.DataFrame:
    """Curves of Figures 6.14 and 6.15."""
    names = [f"{figure} {origin}" for origin in ORIGINS for figure in ("IL", "DR")]
    return _points(microdata_curves, names, quick)


def _points(
    curves: Callable[[str, int, bool], pd.DataFrame], names: Sequence[str], quick: bool
) -> pd.DataFrame:
    """Series of the first pair of graphs, a panel a graph."""
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "panel": f"{graph} (generated)",
                    "series": name,
                    "x": curve.index,
                    "y": curve[name],
                }
            )
            for graph, size in GRAPHS.items()
            for curve in [curves(size, 1, quick)]
            for name in names
        ],
        ignore_index=True,
    )
