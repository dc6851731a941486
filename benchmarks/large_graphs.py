"""Social graphs of a million nodes: from two Parquet files to two others, stage by stage.

``python -m benchmarks.large_graphs 1000000`` writes such a graph, with ten ties a node, and prints
for each stage the seconds of the processor and the most memory of the process until its end.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from anonopt import graphs
from benchmarks._bench import Benchmark, Goal, Way, require

K = 3
DEGREE_K = 5
TIES_PER_NODE = 10
HOMOPHILY = 0.7

Result = TypeVar("Result")


def large_network(n_nodes: int, n_edges: int, *, seed: int) -> graphs.SocialGraph:
    """Graph whose older nodes have more ties, and whose locations come from older nodes.

    Like `graphs.social_network`, but drawn as whole arrays.
    """
    rng = np.random.default_rng(seed)
    keys = np.empty(0, dtype=np.int64)
    while len(keys) < n_edges:
        missing = n_edges - len(keys) + n_edges // 20
        ends = rng.integers(n_nodes, size=missing), (n_nodes * rng.random(missing) ** 2).astype(int)
        first, second = np.minimum(*ends), np.maximum(*ends)
        drawn = (first * n_nodes + second)[first < second]
        keys = np.unique(np.concatenate([keys, drawn]))
    keys = rng.permutation(keys)[:n_edges]
    hierarchy = graphs.packaged_locations()
    places = np.flatnonzero(~np.isin(np.arange(hierarchy.n_values), hierarchy.parents))
    own = places[rng.choice(len(places), n_nodes, p=popularity(len(places), rng))]
    n_topics = len(graphs.TOPIC_NAMES)
    # The largest of random scores that favour the popular ones are three different topics.
    scores = np.log(popularity(n_topics, rng)) + rng.gumbel(size=(n_nodes, n_topics))
    return graphs.SocialGraph(
        range(n_nodes),
        np.stack([keys // n_nodes, keys % n_nodes], axis=1),
        topics=np.argsort(-scores, axis=1)[:, :3],
        topic_names=graphs.TOPIC_NAMES,
        locations=own[origins(n_nodes, rng)],
        hierarchy=hierarchy,
    )


def popularity(n_values: int, rng: np.random.Generator) -> np.ndarray:
    """Shares of values in proportion to 1 / rank, in a random order of ranks."""
    weights = 1 / (1 + rng.permutation(n_values))
    return weights / weights.sum()


def origins(n_nodes: int, rng: np.random.Generator) -> np.ndarray:
    """The node that the location of each comes from, over older ones or at once."""
    nodes = np.arange(n_nodes)
    older = (nodes * rng.random(n_nodes)).astype(np.int64)
    origin = np.where(rng.random(n_nodes) < HOMOPHILY, older, nodes)
    while (origin[origin] != origin).any():
        origin = origin[origin]
    return origin


def check(graph: graphs.SocialGraph, results: Mapping[str, Any]) -> None:
    """Clusters that are looked up are those of a search; graphs are k-anonymous."""
    require(results["protect"].frame().value_counts().min() >= K, "a graph is not k-anonymous")
    require(
        np.array_equal(results["protect"].topics, results["protect, by search"].topics),
        "clusters differ",
    )


def searched(graph: graphs.SocialGraph) -> graphs.SocialGraph:
    """The protected graph whose clusters are searched for, node by node."""
    before = graphs.clustering.MOST_SEARCHED
    graphs.clustering.MOST_SEARCHED = graph.n_nodes
    try:
        return graphs.protect_graph(graph, k=K, seed=1)
    finally:
        graphs.clustering.MOST_SEARCHED = before


def compared(graph: graphs.SocialGraph) -> Callable[[], Any]:
    """Call that computes all figures of a graph."""
    masked = graphs.protect_graph(graph, k=K, seed=1)
    return partial(graphs.compare_graphs, graph, masked)


BENCHMARKS = (
    Benchmark(
        name="protection of a large social graph",
        unit="graph",
        sizes={"200000 nodes": (200_000, 2_000_000)},
        quick={"21000 nodes": (21_000, 42_000)},
        setup=lambda size: large_network(*size, seed=1),
        ways={
            "protect, by search": Way(start=lambda graph: partial(searched, graph), repeats=0),
            "protect": Way(
                start=lambda graph: partial(graphs.protect_graph, graph, k=K, seed=1), repeats=3
            ),
            "figures": Way(start=compared, repeats=3, memory=True),
        },
        check=check,
        goals=[
            Goal(way="protect", seconds=3, sizes=["200000 nodes"]),
            Goal(way="figures", seconds=5, sizes=["200000 nodes"]),
            Goal(way="figures", megabytes=500, sizes=["200000 nodes"]),
        ],
    ),
)


def stage(name: str, work: Callable[[], Result]) -> Result:
    """Do a part of the work, and print what it took."""
    start = time.process_time()
    result = work()
    seconds = time.process_time() - start
    print(f"{name:20} {seconds:8.2f} s {peak_megabytes():8.0f} MB", flush=True)
    return result


def peak_megabytes() -> float:
    """Most memory that this process has had."""
    status = Path("/proc/self/status")
    if status.exists():
        # What `getrusage` tells begins with the memory of the process that started this one.
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def walk(folder: Path) -> None:
    """From the files of a graph to those of a protected one."""
    files = [folder / name for name in ("ties.parquet", "nodes.parquet")]
    stage("libraries loaded", lambda: None)
    graph = stage("read Parquet", lambda: graphs.read_graph(files[0], nodes=files[1]))
    masked = stage("protect", lambda: graphs.protect_graph(graph, k=K, seed=1))
    print(stage("figures", lambda: graphs.compare_graphs(graph, masked)).round(2).to_dict())
    out = [path.with_stem(f"{path.stem}-protected") for path in files]
    stage("write Parquet", lambda: graphs.write_graph(masked, out[0], nodes=out[1]))
    stage("ties added", lambda: graphs.anonymize_degrees(masked, DEGREE_K, random_state=1))


def main() -> None:
    """Make a graph of a size, then walk in a process that has not made it."""
    if Path(sys.argv[1]).is_dir():
        walk(Path(sys.argv[1]))
        return
    import subprocess

    n_nodes = int(float(sys.argv[1]))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        graph = stage("made", lambda: large_network(n_nodes, TIES_PER_NODE * n_nodes, seed=1))
        graphs.write_graph(graph, folder / "ties.parquet", nodes=folder / "nodes.parquet")
        del graph
        subprocess.run([sys.executable, "-m", "benchmarks.large_graphs", name], check=True)


if __name__ == "__main__":
    main()
