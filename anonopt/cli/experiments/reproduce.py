"""``anonopt reproduce``: a paper's numbers beside ours, with a verdict for each."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anonopt.cli.console import AsJson, Force, is_watched, print_json, print_table, records, say
from anonopt.cli.outputs.output_checks import check_outputs
from anonopt.data.output_files import write_files

if TYPE_CHECKING:
    from anonopt.experiments.items.item import Paper
    from anonopt.experiments.items.report import Section

ALL = "all"
"""Name of all papers together, where no item is named."""


def reproduce(
    paper: Annotated[
        str,
        typer.Argument(
            help="dewri2010, kgen2022 or mares2013, or all of them: all.", metavar="PAPER"
        ),
    ],
    item: Annotated[
        str | None,
        typer.Argument(
            help="Table, figure or example, such as table-1b. [default: all]", metavar="[ITEM]"
        ),
    ] = None,
    seeds: Annotated[
        int | None, typer.Option(min=1, help="Runs of each item. [default: the item's]")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    quick: Annotated[bool, typer.Option("--quick", help="Few and short runs.")] = False,
    runs: Annotated[
        Path | None, typer.Option(help="File that keeps what is done, to go on from.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="File to write: .csv, .md or .tex by its ending.")
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            help="Picture to write: of an item that is a figure its counterpart, else ours as a "
            "share of the printed numbers."
        ),
    ] = None,
    list_items: Annotated[
        bool, typer.Option("--list", help="List the items of the paper, and run nothing.")
    ] = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Run the experiments of a paper and say of each printed number whether it comes back."""
    from anonopt.experiments.items.report import FORMATS, Section
    from anonopt.experiments.reproduction import get_item, get_paper, list_papers
    from anonopt.experiments.reproduction import reproduce as run
    from anonopt.experiments.tables.pages import of_ending
    from anonopt.runs.progress import progress_bar
    from anonopt.visualization.figures import check_picture

    if paper == ALL and item is not None:
        raise ValueError(f"paper: expected the one of the item {item!r}, found {ALL!r}")
    papers = [get_paper(name) for name in (list_papers() if paper == ALL else [paper])]
    if item is not None:
        get_item(papers[0], item)
    if list_items:
        _list(papers, as_json)
        return
    write = None if output is None else of_ending("output", output, FORMATS)
    check_picture(plot)
    check_outputs([output, plot], inputs=[runs], force=force)
    sections: list[Section] = []
    for chosen in papers:
        started = time.perf_counter()
        with progress_bar(visible=is_watched(), of="runs") as update:
            frame = run(
                chosen.name,
                item,
                seeds=seeds,
                workers=workers,
                quick=quick,
                runs=runs,
                on_progress=update,
            )
        sections.append(Section(chosen, frame, time.perf_counter() - started, quick))
    contents: dict[Path, bytes] = {}
    if write is not None and output is not None:
        contents[output] = write(sections, _command(paper, item, seeds, quick)).encode()
    if plot is not None:
        contents[plot] = _picture(sections, item, quick, plot)
    write_files(contents)
    if as_json:
        print_json(
            [
                {"paper": section.paper.name, **row}
                for section in sections
                for row in records(section.frame)
            ]
        )
    else:
        for section in sections:
            _print(section)


def _list(papers: list[Paper], as_json: bool) -> None:
    """What the papers hold, without running any of it."""
    if as_json:
        rows = [{"paper": paper.name, **row} for paper in papers for row in records(paper.frame())]
        print_json(rows)
        return
    for paper in papers:
        say(f"{paper.name}: {paper.citation}.")
        frame = paper.frame()
        print_table(
            list(frame.columns),
            frame.assign(picture=frame["picture"].map({True: "yes", False: ""})).itertuples(
                index=False, name=None
            ),
            numeric=["numbers", "seeds"],
        )


def _command(paper: str, item: str | None, seeds: int | None, quick: bool) -> list[str]:
    """The command that comes to these numbers."""
    command = ["anonopt", "reproduce", paper]
    if item is not None:
        command.append(item)
    if seeds is not None:
        command += ["--seeds", str(seeds)]
    return [*command, "--quick"] if quick else command


def _picture(sections: list[Section], item: str | None, quick: bool, path: Path) -> bytes:
    import pandas as pd

    from anonopt.experiments.reproduction import get_item
    from anonopt.visualization import plot_paper_figure, plot_reproduced
    from anonopt.visualization.figures import picture_of

    paper = sections[0].paper
    if item is not None and get_item(paper, item).picture is not None:
        return picture_of(plot_paper_figure(paper.name, item, quick=quick), path)
    frame = pd.concat([section.frame for section in sections], ignore_index=True)
    title = ", ".join(section.paper.name for section in sections)
    return picture_of(plot_reproduced(frame, title=title), path)


def _print(section: Section) -> None:
    from anonopt.experiments.items.report import extent_of_return, shown

    paper, frame = section.paper, section.frame
    say(f"{paper.citation}.")
    titles = {item.name: item.title for item in paper.items}
    for name, rows in frame.groupby("item", sort=False):
        say()
        table = shown(rows, quick=section.quick)
        print_table(
            [column for column in table.columns if column != "why"],
            table.drop(columns="why").itertuples(index=False, name=None),
            title=f"{name}: {titles[str(name)]}",
            numeric=["printed", "ours", "range"],
        )
        for why in dict.fromkeys(reason for reason in rows["why"] if reason):
            say(f"  {why}")
    say()
    say(f"{extent_of_return(frame)} {section.seconds:.0f} s")
