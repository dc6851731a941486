"""``anonopt graph``: protect what the nodes of a social graph say, and measure the result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anonopt.cli.console import AsJson, Force, note, print_json, print_table, say
from anonopt.cli.failures import WrongOutputError
from anonopt.cli.outputs.output_checks import check_outputs, with_name
from anonopt.cli.outputs.run_record import (
    RecordSeed,
    Seed,
    WithRecord,
    digests_of,
    fresh_seed,
    record,
    record_path,
)

if TYPE_CHECKING:
    import pandas as pd

    from anonopt.graphs import SocialGraph

graph = typer.Typer(
    help="Protect what the nodes of a social graph say.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

Graph = Annotated[
    Path,
    typer.Argument(
        help="Graph: .graphml, .gml, .json; or ties in .csv or .parquet.", metavar="FILE"
    ),
]
Nodes = Annotated[
    Path | None, typer.Option(help="File of the nodes, .csv or .parquet, for a file of ties.")
]
Locations = Annotated[
    Path | None,
    typer.Option(help="CSV table of locations, a type a column; without it, what is known."),
]
LocationName = Annotated[str, typer.Option(help="Attribute that holds the location.")]
NoLocation = Annotated[bool, typer.Option("--no-location", help="Nodes have no location.")]
Topics = Annotated[
    list[str] | None,
    typer.Option("--topic", help="Attribute that holds a topic, the first one first; repeat it."),
]
Texts = Annotated[
    str | None, typer.Option(help="Attribute of texts, in which topics are looked for.")
]
Directed = Annotated[
    bool,
    typer.Option(
        "--directed", help="Ties go from the first column of a file of ties to the second."
    ),
]


@graph.command(epilog="Example: [bold]anonopt graph protect people.graphml --k 3[/bold]")
def protect(
    file: Graph,
    k: Annotated[int, typer.Option("--k", min=1, help="Nodes that say the same, at least.")],
    output: Annotated[
        Path | None,
        typer.Option(help="File for the protected graph; without it, FILE with -protected."),
    ] = None,
    nodes: Nodes = None,
    output_nodes: Annotated[
        Path | None,
        typer.Option(help="File for the protected nodes; without it, beside the output."),
    ] = None,
    seed: Seed = None,
    degree_k: Annotated[
        int | None,
        typer.Option(min=1, help="Also add ties, until this many nodes have each degree."),
    ] = None,
    locations: Locations = None,
    location: LocationName = "location",
    no_location: NoLocation = False,
    topic: Topics = None,
    texts: Texts = None,
    directed: Directed = False,
    with_record: WithRecord = True,
    record_seed: RecordSeed = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Make every node say what k - 1 others say; ties stay as they are.

    Names of nodes are kept. Everything else that the file says of nodes and ties is left out of
    the protected graph, because it is not protected.
    """
    from anonopt.data.output_files import write_files
    from anonopt.graphs.files.writing import graph_files

    target, target_nodes = _targets(file, nodes, output, output_nodes)
    _check_nodes("--nodes", file, nodes)
    sources, beside = (file, nodes, locations), record_path(target, wanted=with_record)
    check_outputs((target, target_nodes, beside), inputs=sources, force=force)
    read = digests_of(sources)
    original = _read(
        file, nodes=nodes, directed=directed, hierarchy=locations, texts=texts,
        location=None if no_location else location, topics=topic,
    )  # fmt: skip
    seed = fresh_seed() if seed is None else seed
    protected, figures = _protected(original, k, seed=seed, degree_k=degree_k)
    told: dict[str, Any] = {"seed": seed} if record_seed else {}
    contents = graph_files(protected, target, nodes=target_nodes)
    written = [str(path) for path in contents]
    if beside is not None:
        contents[beside] = record(
            "graph protect",
            parameters={"k": k, "degree_k": degree_k},
            inputs=read,
            outputs=contents,
            figures=figures.to_dict(),
            **told,
        )
    write_files(contents)
    if as_json:
        summary = {"k": k, **told, "written": written, "record": beside and str(beside)}
        print_json({**summary, "figures": figures.to_dict()})
        return
    _print(figures, title=str(target))
    for path in written:
        say(f"Written: {path}")
    if beside is not None:
        say(f"Record:  {beside}")


@graph.command(
    epilog="Example: [bold]anonopt graph measure people.graphml people-protected.graphml[/bold]"
)
def measure(
    original: Annotated[Path, typer.Argument(help="Graph before protection.", metavar="ORIGINAL")],
    protected: Annotated[Path, typer.Argument(help="Graph after protection.", metavar="PROTECTED")],
    nodes: Nodes = None,
    protected_nodes: Annotated[
        Path | None, typer.Option(help="File of the protected nodes, for a file of ties.")
    ] = None,
    locations: Locations = None,
    location: LocationName = "location",
    no_location: NoLocation = False,
    topic: Topics = None,
    texts: Texts = None,
    directed: Directed = False,
    as_json: AsJson = False,
) -> None:
    """Measure how much a protected graph lost, and how many nodes can still be found in it.

    With --texts, the topics of the original are those of its texts, as when it was protected.
    """
    from anonopt.graphs import compare_graphs

    place = None if no_location else location
    for option, file, given in (
        ("--nodes", original, nodes),
        ("--protected-nodes", protected, protected_nodes),
    ):
        _check_nodes(option, file, given)
    before = _read(
        original, nodes=nodes, directed=directed, hierarchy=locations, texts=texts,
        location=place, topics=topic,
    )  # fmt: skip
    after = _read(
        protected, nodes=protected_nodes, directed=directed, hierarchy=before.hierarchy,
        texts=None, location=place, topics=topic,
    )  # fmt: skip
    figures = compare_graphs(before, after)
    if as_json:
        print_json(figures.to_dict())
        return
    _print(figures, title=f"{protected} beside {original}")


def _targets(
    file: Path, nodes: Path | None, output: Path | None, output_nodes: Path | None
) -> tuple[Path, Path | None]:
    """Files for the protected graph, and for its nodes where it is written as ties alone."""
    from anonopt.graphs.files.table_reading import TABLES

    target = output or _beside(file)
    if _ending(target) not in TABLES:
        return target, output_nodes
    target_nodes = output_nodes or _beside(nodes or target.with_stem(f"{target.stem}-nodes"))
    _ending(target_nodes)
    return target, target_nodes


def _protected(
    original: SocialGraph, k: int, *, seed: int, degree_k: int | None
) -> tuple[SocialGraph, pd.Series[float]]:
    """The protected graph, which was looked at once more, and its figures."""
    from anonopt.graphs import compare_graphs, edge_loss, protect_graph

    note("Protecting ", f"{original.n_nodes:,} nodes, {original.n_edges:,} ties, k = {k}")
    protected = protect_graph(original, k, seed=seed, degree_k=degree_k)
    _check_protected(protected, k)
    figures = compare_graphs(original, protected)
    if degree_k is not None:
        figures["edge_loss"] = edge_loss(original, protected)
    return protected, figures


def _check_protected(protected: SocialGraph, k: int) -> None:
    """See once more that every node says what k - 1 others say, before anything is written."""
    from anonopt.graphs.protection import fewest_alike

    if protected.n_nodes == 0:
        return
    fewest = fewest_alike(protected)
    if fewest < k:
        raise WrongOutputError(f"a node says what {fewest - 1} others say, expected {k - 1}")


def _check_nodes(option: str, file: Path, nodes: Path | None) -> None:
    """Refuse a file of ties without that of its nodes."""
    from anonopt.graphs.files.table_reading import TABLES

    if nodes is None and file.suffix.lower() in TABLES:
        raise ValueError(
            f"{option}: expected the file of the nodes, as {file} has ties, found none"
        )


def _ending(target: Path) -> str:
    """Ending of a file that a graph can be written to here."""
    from anonopt.graphs.files.writing import check_format

    try:
        return check_format(target)
    except ModuleNotFoundError as missing:
        raise ValueError(f"{target}: {missing}") from missing


def _beside(file: Path) -> Path:
    return with_name(file).with_stem(f"{file.stem}-protected")


def _read(file: Path, *, topics: list[str] | None, **options: Any) -> SocialGraph:
    from anonopt.graphs import read_graph
    from anonopt.graphs.social_graph import TOPICS

    try:
        return read_graph(file, topics=topics or TOPICS, **options)
    except ModuleNotFoundError as missing:
        raise ValueError(f"{file}: {missing}") from missing


def _print(figures: pd.Series[float], *, title: str) -> None:
    rows = [(name, value, _meaning(str(name))) for name, value in figures.items()]
    print_table(["figure", "value", "meaning"], rows, title=title, numeric=["value"])
    say("All in percent; less is better.")


def _meaning(name: str) -> str:
    from anonopt.measures import get_measure

    if name == "edge_loss":
        return "ties added, of those there were"
    return get_measure(name, of="graph").summary
