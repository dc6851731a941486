"""Social graphs: the figures of Mares 2013, Chapter 6.

First the examples that the thesis prints. Then generated graphs beside the published figures of the
two that are not public; loss and risk for k = 2 to 20, five runs each; the extracted microdata; a
search against chance; and the one real graph.

    python -m benchmarks.papers.mares_graphs
    python -m benchmarks.papers.mares_graphs --plot docs/images/graph-protection.png
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd

import anonopt as ao
from anonopt import graphs
from anonopt.masking import MDAV
from anonopt.visualization.graphs import Panel, mean_curves, plot_levels

LEVELS = range(2, 21)
SEEDS = range(1, 6)
RISKS = ["DR_location", "DR_topic1", "DR_topic2", "DR_topic3", "DR_topics", "DR"]
LOSSES = ["AAMIL", "CDIL", "DBIL", "IL"]
BUDGET = 2000
REFERENCE = (60, 50)

DESCRIPTIONS = {
    "loss, small": "Figure 6.10: rises with k; CDIL grows fastest, the others much slower, so the "
    "mean rises moderately.",
    "loss, large": "Figure 6.11: much lower than for the small graph at every k; AAMIL is the "
    "lowest at almost every k.",
    "risk, small": "Figure 6.12: falls with k; topic 1 highest, then 2, then 3; location low; all "
    "topics lower still, all attributes lowest.",
    "risk, large": "Figure 6.13: as for the small graph, all values lower.",
    "table, small": "Figure 6.14: DR falls fast, IL does not rise very much.",
    "table, large": "Figure 6.15: as for the small graph, IL and DR much lower.",
}
"""What the text of the thesis says of its curves; their values are not printed."""


def check(name: str, found: object, expected: object) -> None:
    """Print a figure beside what it has to be, and stop where they differ."""
    equal = found == expected or np.isclose(float(found), float(expected), atol=5e-4)  # type: ignore[arg-type]
    print(f"  {name:<58}{found!s:>14}  expected {expected}")
    if not equal:
        sys.exit(f"{name}: expected {expected}, found {found}")


def examples() -> None:
    """Figures 6.5 to 6.8 and the distances of Section 6.2.1 (Mares 2013)."""
    print("Examples of the thesis")
    places = graphs.packaged_locations()
    check(
        "d(Brooklyn, United States)", round(places.distance("Brooklyn", "United States"), 3), 0.714
    )
    check("d(New York City, Washington DC)", places.distance("New York City", "Washington DC"), 1.0)
    names = ["Technology", "Politics", "Sports", "Religion", "Culture", "Weather"]
    graph = graphs.SocialGraph(
        ["User 1", "User 2", "User 3"],
        [[1, 0], [1, 2]],
        topics=[[0, 1, 4], [0, 2, 3], [1, 0, 5]],
        topic_names=names,
        locations=[places.code(p) for p in ("Washington DC", "United States", "New York City")],
        hierarchy=places,
    )
    masked = graphs.protect_graph(graph, k=3, seed=1)
    check("Figure 6.5: aggregated values", masked.frame().iloc[1].tolist(),
          ["United States", "Technology", "Politics", "Sports"])  # fmt: skip
    figure_6_6 = graphs.adjacency_loss(graph, masked, "location")
    check("Figure 6.6: AAMIL of location", figure_6_6 / 100, 0.5)
    equation = graphs.adjacency_loss(graph, masked, "location", as_printed=True)
    check("the same by Eq. 6.4 to the letter (masked rows)", equation / 100, 1.0)
    share = round(graphs.distribution_loss(graph, masked, "topic1") / 100, 3)
    check("Figure 6.7: CDIL of topic 1", share, 0.333)
    before, after = graph.frame().loc["User 2"], masked.frame().loc["User 2"]
    parts = [places.distance(before["location"], after["location"])]
    parts += [float(before[name] != after[name]) for name in ("topic1", "topic2", "topic3")]
    check("Figure 6.8: DBIL of user 2", float(np.mean(parts)), 0.5)


def shapes() -> None:
    print("\nGenerated graphs beside the published figures (mean of seeds 1 to 5)")
    columns = {}
    for size, published in graphs.PUBLISHED.items():
        made = [graphs.graph_statistics(graphs.generate_graph(size, seed=s)) for s in SEEDS]
        columns[f"{size}, generated"] = pd.DataFrame(made).mean()
        columns[f"{size}, published"] = pd.Series(published)
    print(
        pd.DataFrame(columns)
        .loc[list(columns["small, generated"].index)]
        .round(3)
        .to_string(na_rep="-")
    )


def protection() -> dict[str, pd.DataFrame]:
    print("\nLoss and risk in percent, mean of 5 runs for each k")
    curves = {}
    for size in graphs.PUBLISHED:
        graph = graphs.generate_graph(size, seed=1)
        runs = {
            k: pd.DataFrame(
                [
                    graphs.compare_graphs(graph, graphs.protect_graph(graph, k=k, seed=s))
                    for s in SEEDS
                ]
            )
            for k in LEVELS
        }
        curves[size] = mean_curves(runs)
        print(f"\n{size}: {graph}")
        print(curves[size].round(1).to_string())
    print()
    for size, curve in curves.items():
        trend = curve[["IL", "DR"]].corrwith(
            pd.Series(LEVELS, index=curve.index), method="spearman"
        )
        print(f"  {size}: rank correlation with k: IL {trend['IL']:+.3f}, DR {trend['DR']:+.3f}")
    better = curves["large"] < curves["small"]
    for name in better:
        worse = better.index[~better[name]].tolist()
        largest = max(curves[size].loc[worse, name].max() for size in curves) if worse else 0
        print(
            f"  {name}: the larger graph is better at {better[name].sum()} of {len(better)} levels"
            + (f"; not at k = {worse}, where both are at most {largest:.1f}" if worse else "")
        )
    return curves


def microdata() -> dict[str, pd.DataFrame]:
    print("\nExtracted microdata (degree, location, topics), MDAV; percent")
    order = {"degree": None}
    curves = {}
    for size in graphs.PUBLISHED:
        graph = graphs.generate_graph(size, seed=1)
        table = graphs.extract_microdata(graph)
        rows = {}
        for k in LEVELS:
            method = MDAV(k=k, ordinal=order)
            masked = method.fit_transform(table)
            if masked.value_counts().min() < k:
                sys.exit("a masked extract is not k-anonymous")
            figures = ao.compare(table, masked, ordinal=order)
            rows[k] = {"IL": figures["IL"], "DR": figures["DR"]}
            twice = []
            for seed in SEEDS:
                protected = graphs.extract_microdata(graphs.protect_graph(graph, k=k, seed=seed))
                twice.append(ao.compare(table, method.fit_transform(protected), ordinal=order))
            mean = pd.DataFrame(twice).mean()
            rows[k] |= {"IL, of protected graph": mean["IL"], "DR, of protected graph": mean["DR"]}
        curves[size] = pd.DataFrame(rows).T
        print(f"\n{size}\n{curves[size].round(2).to_string()}")
    return curves


def search() -> None:
    print(f"\nNSGA2 on graph-small, k = 3, budget {BUDGET}; hypervolume to {REFERENCE}")
    problem = ao.get_problem("graph-small")
    runs = np.array(
        [
            graphs.compare_graphs(
                problem.graph, graphs.protect_graph(problem.graph, k=3, seed=seed)
            )[["IL", "DR"]]
            for seed in SEEDS
        ]
    )
    mean = runs.mean(axis=0)
    print(
        f"  5 runs of Algorithm 14: mean IL {mean[0]:.2f}, mean DR {mean[1]:.2f}; hypervolume of "
        f"the mean {volume(mean[np.newaxis]):.0f}, of all 5 {volume(runs):.0f}"
    )
    for name in ("random", "nsga2"):
        for seed in (1, 2, 3):
            algorithm = ao.algorithms.get_algorithm(name, problem)
            result = ao.solve(problem, algorithm, budget=BUDGET, seed=seed)
            both = (result.F <= mean).all(axis=1) & (result.F < mean).any(axis=1)
            shown = result.F[both] if both.any() else result.F
            gain = shown[np.linalg.norm(shown / mean, axis=1).argmin()]
            verdict = "dominates the mean" if both.any() else "does NOT dominate the mean"
            print(
                f"  {name:<8} seed {seed}: {verdict} ({both.sum()} of {len(result.F)} points), "
                f"e.g. IL {gain[0]:.2f}, DR {gain[1]:.2f}; hypervolume {volume(result.F):.0f}; "
                f"{result.seconds:.1f} s"
            )


def volume(F: np.ndarray) -> float:
    """Hypervolume of points (IL, DR)."""
    return ao.indicators.hypervolume(F, reference=REFERENCE, maximize=[False, False])


def real_graph() -> None:
    print("\nZachary's karate club (networkx): 34 members, 78 ties, attribute club")
    graph = graphs.karate_club()
    rows = {}
    for k in (2, 3, 5, 10):
        runs = [
            graphs.compare_graphs(graph, graphs.protect_graph(graph, k=k, seed=s)) for s in SEEDS
        ]
        hidden = [graphs.anonymize_degrees(graph, k, random_state=s) for s in SEEDS]
        rows[k] = pd.DataFrame(runs).mean()
        rows[k]["edge_loss, degrees"] = np.mean([graphs.edge_loss(graph, one) for one in hidden])
    print(pd.DataFrame(rows).T.round(1).to_string())
    print("\nTies added for k-degree anonymity, in percent (seed 1)")
    for size in graphs.PUBLISHED:
        graph = graphs.generate_graph(size, seed=1)
        shares = {k: graphs.edge_loss(graph, graphs.anonymize_degrees(graph, k, random_state=1))
                  for k in (2, 5, 10, 20)}  # fmt: skip
        print(f"  {size}: " + ", ".join(f"k = {k}: {share:.2f}" for k, share in shares.items()))


def plot(curves: dict[str, pd.DataFrame], tables: dict[str, pd.DataFrame], path: Path) -> None:
    panels = []
    for kind, names, label in (
        ("loss", LOSSES, "information loss, percent"),
        ("risk", RISKS, "nodes found, percent"),
    ):
        panels += [
            Panel(
                f"{size.capitalize()} graph: {kind}",
                curve[names],
                label,
                DESCRIPTIONS[f"{kind}, {size}"],
            )
            for size, curve in curves.items()
        ]
    panels += [
        Panel(
            f"{size.capitalize()} graph: extracted microdata",
            table,
            "percent",
            DESCRIPTIONS[f"table, {size}"],
        )
        for size, table in tables.items()
    ]
    title = (
        "Generated graphs of the published sizes; below each panel, what the thesis says of its own"
    )
    plot_levels(panels, title=title, path=path)
    print(f"\nWritten: {path}")


def main() -> int:
    """Print everything; ends with 1 if an example has another figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plot", type=Path, help="picture of the curves: .png, .pdf or .svg")
    path = parser.parse_args().plot
    examples()
    shapes()
    curves = protection()
    tables = microdata()
    search()
    real_graph()
    if path is not None:
        plot(curves, tables, path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
