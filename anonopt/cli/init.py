"""``anonopt init``: draft the configuration of ``anonopt anonymize`` from a table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from anonopt.cli.console import Force, say
from anonopt.cli.drafting.drafted_table import DraftedTable
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
from anonopt.sources.file_kinds import is_magic, is_of_engine, kind_of


def init(
    file: Annotated[
        Path,
        typer.Argument(
            help="CSV file with a header line; or Parquet (a file, a pattern, a folder), whose "
            "first rows are looked at.",
            metavar="FILE",
        ),
    ],
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
    target = output or _draft_of(file)
    if target != STANDARD:
        check_outputs([target], inputs=[file], force=force)
    of_csv: dict[str, Any] = {
        "separator": separator,
        "encoding": encoding,
        "decimal": decimal,
        "missing": missing,
    }
    if is_of_engine(file):
        table = _of_engine(file, {**of_csv, "dates": dates})
    else:
        table = DraftedTable.of_file(read_input(file, dates=split_dates(dates), **of_csv))
    is_as_given = STANDARD in (file, target)
    source = file if is_as_given else _relative(file, target.parent)
    protected = "protected.csv" if file == STANDARD else _protected(file)
    text = draft(table, file=source.as_posix(), output=protected)
    if target == STANDARD:
        typer.echo(text, nl=False)
        return
    write_file(target, text.encode())
    say(f"Written: {target}; look through it, then: anonopt anonymize {target}")


def _draft_of(file: Path) -> Path:
    """Where the draft of a table is written by default."""
    named = with_name(file)
    if is_of_engine(named):
        folder = file.parent.parent if is_magic(file.name) else file.parent
        return folder / f"{_plain_stem(file)}.toml"
    return named.with_suffix(".toml")


def _of_engine(file: Path, options: Mapping[str, object]) -> DraftedTable:
    """The table of rows that stay where they are; options of CSV are refused."""
    from anonopt.sources.opening import lent

    for name, value in options.items():
        if value is not None:
            raise ValueError(
                f"--{name}: expected with a CSV file that is read into memory, found it with {file}"
            )
    with lent(file, "FILE") as source:
        return DraftedTable.of_source(source)


def _protected(file: Path) -> str:
    """Name of the protected table beside a draft."""
    if not is_of_engine(file):
        return f"{file.stem}-protected.csv"
    name = _plain_stem(file)
    return f"{name}-protected.{'csv' if kind_of(file, 'FILE').name == 'CSV' else 'parquet'}"


def _plain_stem(file: Path) -> str:
    """First part of the name of a file or a folder; that of its folder for a pattern."""
    named = file.parent if any(map(is_magic, file.parts[-1:])) else file
    return with_name(named.resolve()).name.partition(".")[0]


def _relative(file: Path, folder: Path) -> Path:
    """Path of a file from a folder, where it lies below it; else in full."""
    try:
        return file.resolve().relative_to(folder.resolve())
    except ValueError:
        return file.resolve()
