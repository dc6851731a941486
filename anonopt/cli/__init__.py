"""The command line: ``anonopt COMMAND``, see ``anonopt --help``.

Exit codes: 0 done; 1 no solution, or the answer is no (the best there is was printed); 2 wrong
input, or a file or stream that fails; 70 a fault of ours; 130 interrupted; 141 nobody reads the
output any more. Errors are one message on standard error. With ``--json``, standard output holds
one JSON value and nothing else.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from anonopt.cli.anonymize import anonymize
from anonopt.cli.check import check
from anonopt.cli.compare_files import compare_files
from anonopt.cli.demo.command import demo
from anonopt.cli.experiments.group import experiment
from anonopt.cli.experiments.reproduce import reproduce
from anonopt.cli.failures import ReportingGroup, flushed
from anonopt.cli.graph import graph
from anonopt.cli.init import init
from anonopt.cli.listings import algorithms, datasets, measures, methods, problems
from anonopt.cli.mask import mask
from anonopt.cli.report import report
from anonopt.cli.solve import solve

__all__ = ["app", "main"]

app = typer.Typer(
    cls=ReportingGroup,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start with [bold]anonopt demo[/bold]; each command shows an example: "
    "[bold]anonopt solve --help[/bold]",
)

_EXAMPLES: list[tuple[Callable[..., None], str]] = [
    (demo, "anonopt demo"),
    (datasets, "anonopt datasets"),
    (problems, "anonopt problems --json"),
    (algorithms, "anonopt algorithms --problem adult-k-glm"),
    (measures, "anonopt measures"),
    (methods, "anonopt methods"),
    (init, "anonopt init people.csv"),
    (check, "anonopt check people.csv --qi age --qi zip --sensitive illness --k 5 --l 2"),
    (solve, "anonopt solve adult-k-glm --algorithm nsga2 --budget 900 --plot front.png"),
    (anonymize, "anonopt anonymize people.toml"),
    (mask, "anonopt mask mdav people.csv --k 3 --columns age,zip --output masked.csv"),
    (compare_files, "anonopt compare-files people.csv masked.csv --columns education --json"),
    (report, "anonopt report comparison.sqlite --output report.html --open"),
    (reproduce, "anonopt reproduce dewri2010 table-1b --seeds 5 --plot ratios.png"),
]
"""Every command with the example of its help."""

for _command, _example in _EXAMPLES:
    app.command(epilog=f"Example: [bold]{_example}[/bold]")(_command)

app.add_typer(experiment, name="experiment")
app.add_typer(graph, name="graph")


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        from importlib.metadata import version

        typer.echo(f"anonopt {version('anonopt')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show where errors happened; also ANONOPT_DEBUG=1.")
    ] = False,
) -> None:
    """Search for the best ways to anonymize a table, and protect tables with them.

    Exit codes: 0 done; 1 no solution, or not as anonymous as asked; 2 wrong input, or a file or
    stream that fails; 70 a fault of anonopt; 130 interrupted; 141 the reader of the
    output has gone.
    """


def main() -> None:
    """Run the command line and end the process with its exit code."""
    code: int | str | None = 0
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Text of a user may have letters that the terminal has not.
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except SystemExit as end:
        code = end.code
    sys.exit(flushed(code) if isinstance(code, int) else code)
