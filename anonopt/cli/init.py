"""``anonopt init``: draft the configuration of ``anonopt anonymize`` from a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anonopt.cli.console import Force, say
from anonopt.cli.inputs import (
    STANDARD,
    Dates,
    Decimal,
    Encoding,
    Missing,
    Separator,
    read_input,
    split_dates,
)
from anonopt.cli.outputs.output_checks import check_outputs, with_name


def init(
    file: Annotated[Path, typer.Argument(help="CSV file with a header line.", metavar="FILE")],
    output: Annotated[
        Path | None,
        typer.Option(
            help="TOML file to write, - for standard output. [FILE with .toml; - if FILE is -]"
        ),
    ] = None,
    separator: Separator = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing: Missing = None,
    dates: Dates = None,
    force: Force = False,
) -> None:
    """Draft a configuration for anonymize: roles guessed, hierarchies proposed, with comments."""
    from anonopt.cli.drafting.draft import draft
    from anonopt.data.output_files import write_file

    if output is None and file == STANDARD:
        output = STANDARD
    target = output or with_name(file).with_suffix(".toml")
    if target != STANDARD:
        check_outputs([target], inputs=[file], force=force)
    table = read_input(
        file,
        separator=separator,
        encoding=encoding,
        decimal=decimal,
        missing=missing,
        dates=split_dates(dates),
    )
    is_as_given = STANDARD in (file, target)
    source = file if is_as_given else _relative(file, target.parent)
    protected = "protected.csv" if file == STANDARD else f"{file.stem}-protected.csv"
    text = draft(table, file=source.as_posix(), output=protected)
    if target == STANDARD:
        typer.echo(text, nl=False)
        return
    write_file(target, text.encode())
    say(f"Written: {target}; look through it, then: anonopt anonymize {target}")


def _relative(file: Path, folder: Path) -> Path:
    """Path of a file from a folder, where it lies below it; else in full."""
    try:
        return file.resolve().relative_to(folder.resolve())
    except ValueError:
        return file.resolve()
