"""Options that several commands of experiments take, each with one help text."""

from __future__ import annotations

from typing import Annotated

import typer

Workers = Annotated[int, typer.Option(min=0, help="Processes; 0 runs everything in this one.")]
Cluster = Annotated[
    str | None,
    typer.Option(
        help="Address of a dask scheduler, such as tcp://10.0.0.1:8786, whose workers run "
        "everything in place of processes.",
        metavar="ADDRESS",
    ),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Show the grid and a rough estimate of time; run nothing."),
]
RetryFailed = Annotated[bool, typer.Option("--retry-failed", help="Run again what failed before.")]
SuiteName = Annotated[str, typer.Option("--suite", help="Name of the suite.")]
Instances = Annotated[
    list[str] | None,
    typer.Option("--instances", help="Name of an instance; repeat it. [default: every one]"),
]
