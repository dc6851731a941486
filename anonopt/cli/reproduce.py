"""``anonopt reproduce``: a paper's numbers beside ours, with a verdict for each."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anonopt.cli.console import AsJson, Force, is_watched, print_json, print_table, records, say
from anonopt.cli.files import check_outputs

if TYPE_CHECKING:
    import pandas as pd

    from anonopt.experiments.papers.item import Paper


def reproduce(
    paper: Annotated[str, typer.Argument(help="Such as dewri2010.", metavar="PAPER")],
    item: Annotated[
        str | None,
        typer.Argument(help="Table, figure or example, such as table-1b. [all]", metavar="[ITEM]"),
    ] = None,
    seeds: Annotated[int | None, typer.Option(help="Runs of each item. [the paper's]")] = None,
    workers: Annotated[int, typer.Option(help="Processes.")] = 1,
    quick: Annotated[bool, typer.Option("--quick", help="Few and short runs.")] = False,
    runs: Annotated[
        Path | None, typer.Option(help="File that keeps what is done, to go on from.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="File to write: .csv, .md or .tex by its ending.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Picture to write, of ours and theirs.")] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Run the experiments of a paper and say of each printed number whether it comes back."""
    from anonopt.data.csv_files import write_file
    from anonopt.experiments.papers import reproduce as run
    from anonopt.experiments.papers.report import writer
    from anonopt.experiments.papers.reproduction import get_paper
    from anonopt.runs.progress import progress_bar

    chosen = get_paper(paper)
    write = None if output is None else writer(output)
    check_outputs([output, plot], force=force)
    started = time.perf_counter()
    with progress_bar(visible=is_watched()) as update:
        frame = run(
            paper,
            item,
            seeds=seeds,
            workers=workers,
            quick=quick,
            runs=runs,
            on_progress=lambda done, all_runs: update(done / all_runs, done),
        )
    seconds = time.perf_counter() - started
    if write is not None and output is not None:
        write_file(output, write(chosen, frame, seconds=seconds).encode())
    if plot is not None:
        from anonopt.visualization.reproduced import plot_reproduced

        plot_reproduced(frame, title=chosen.name, path=plot)
    if as_json:
        print_json(records(frame))
    else:
        _print(chosen, frame, seconds)


def _print(paper: Paper, frame: pd.DataFrame, seconds: float) -> None:
    from anonopt.experiments.papers.report import counts, shown

    say(f"{paper.citation}.")
    titles = {item.name: item.title for item in paper.items}
    for name, rows in frame.groupby("item", sort=False):
        say()
        table = shown(rows)
        print_table(
            [column for column in table.columns if column != "why"],
            table.drop(columns="why").itertuples(index=False, name=None),
            title=f"{name}: {titles[str(name)]}",
            numeric=["printed", "ours", "range"],
        )
        for why in dict.fromkeys(reason for reason in rows["why"] if reason):
            say(f"  {why}")
    say()
    say(f"{counts(frame)}; {seconds:.0f} s")
