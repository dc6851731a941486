"""``anonopt mask``: mask columns of a file by one method."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anonopt.cli.columns import (
    Columns,
    Nominal,
    Ordinal,
    choose_columns,
    split_columns,
)
from anonopt.cli.console import AsJson, Force, print_json, print_table, say
from anonopt.cli.inputs import (
    STANDARD,
    Dates,
    Decimal,
    Encoding,
    Missing,
    Separator,
    read_input,
    split_dates,
    standard,
)
from anonopt.cli.masking.masked_table import masked_table
from anonopt.cli.masking.method_parameters import given_parameters, masking_method
from anonopt.cli.masking.roles_of_columns import Roles, roles_of
from anonopt.cli.masking.streamed_mask import mask_streamed, number_of
from anonopt.cli.outputs.output_checks import check_outputs, check_table
from anonopt.cli.outputs.run_record import (
    RecordSeed,
    Seed,
    WithRecord,
    digests_of,
    fresh_seed,
    record,
    record_path,
    shuffling_generator,
)
from anonopt.sources.file_kinds import check_text_name, is_of_engine

if TYPE_CHECKING:
    import pandas as pd


def mask(
    method: Annotated[
        str,
        typer.Argument(
            help="Name of a method, see anonopt methods, such as mdav or pram.", metavar="METHOD"
        ),
    ],
    file: Annotated[
        Path,
        typer.Argument(
            help="CSV file with a header line; or Parquet (a file, a pattern, a folder), which is "
            "masked some rows at a time.",
            metavar="FILE",
        ),
    ],
    output: Annotated[Path, typer.Option(help="CSV file to write; of Parquet also Parquet.")],
    columns: Columns = None,
    ordinal: Ordinal = None,
    nominal: Nominal = None,
    k: Annotated[int | None, typer.Option("--k", help="Least rows of a group or category.")] = None,
    p: Annotated[
        float | None,
        typer.Option(
            "--p",
            help="Percent of the rows (rank swapping), number of categories (recodings) or "
            "probability to stay (PRAM).",
        ),
    ] = None,
    value: Annotated[
        str | None, typer.Option(help="First value that top or bottom coding merges, such as 85.")
    ] = None,
    share: Annotated[
        float | None,
        typer.Option(help="Standard deviation of noise, as a share of that of the column."),
    ] = None,
    keep_moments: Annotated[
        bool | None,
        typer.Option("--keep-moments", help="Correlated noise keeps means and covariances."),
    ] = None,
    theta: Annotated[float | None, typer.Option(help="Of PRAM's diagonal matrix, 0 to 1.")] = None,
    matrix: Annotated[str | None, typer.Option(help="PRAM's matrix, such as frequency.")] = None,
    invariant: Annotated[
        bool | None,
        typer.Option("--invariant", help="PRAM keeps the frequencies of categories on average."),
    ] = None,
    strata: Annotated[
        list[str] | None,
        typer.Option(
            help="Column within whose values PRAM draws, each with a matrix of its own; repeat it, "
            "or use commas."
        ),
    ] = None,
    n_variables: Annotated[
        int | None, typer.Option(help="Columns that MDAV groups together. [all]")
    ] = None,
    code: Annotated[
        str | None, typer.Option(help="Name of the category that a recoding makes.")
    ] = None,
    allow_rare: Annotated[
        bool | None,
        typer.Option(
            "--allow-rare-missing/--refuse-rare-missing",
            help="Rows that lack the same numbers and are fewer than k: let through, or refused.",
        ),
    ] = None,
    matching: Annotated[
        str | None,
        typer.Option(help="Suppressed cell: value (*, equal to * alone) or wildcard (missing)."),
    ] = None,
    search: Annotated[
        str | None,
        typer.Option(help="How cells to suppress are found: greedy, importance or exact."),
    ] = None,
    clusters: Annotated[
        int | None, typer.Option(help="Part the rows into clusters first, masked one by one.")
    ] = None,
    n_starts: Annotated[
        int | None, typer.Option(help="Clusterings of which --clusters takes the best. [20]")
    ] = None,
    seed: Seed = None,
    shuffle: Annotated[
        bool, typer.Option("--shuffle", help="Write the rows in an order drawn at random.")
    ] = False,
    separator: Separator = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing: Missing = None,
    dates: Dates = None,
    with_record: WithRecord = True,
    record_seed: RecordSeed = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Mask columns: microaggregation, Mondrian, swapping, noise, recoding, suppression, PRAM."""
    from anonopt.data.output_files import write_files

    others = (n_variables, code, allow_rare, matching, search, n_starts)
    if is_of_engine(file):
        of_csv = {"separator": separator, "encoding": encoding, "decimal": decimal}
        mask_streamed(
            method,
            file,
            output,
            given_parameters(
                (k, p, value, share, keep_moments, theta, matrix, invariant, None, *others)
            ),
            roles=(columns, ordinal, nominal),
            refused={**of_csv, "missing": missing, "dates": dates, "shuffle": shuffle}
            | {"strata": strata},
            clusters=clusters,
            seed=seed,
            with_record=with_record,
            record_seed=record_seed,
            force=force,
            as_json=as_json,
        )
        return
    to_file = output != STANDARD
    if not to_file:
        _check_alone({"--json": as_json, "--record-seed": record_seed})
    beside = _checked_record(file, output, wanted=with_record and to_file, force=force)
    read = digests_of([file])
    table = read_input(
        file,
        separator=separator,
        encoding=encoding,
        decimal=decimal,
        missing=missing,
        dates=split_dates(dates),
    )
    frame = table.frame
    groups = split_columns(strata or [], list(frame.columns))
    chosen = choose_columns(list(frame.columns), columns, ordinal, nominal)
    roles = roles_of(table, chosen, left_out=() if columns else groups)
    first = number_of(value) if roles.numbers else value
    pram = (theta, matrix, invariant, groups or None)
    settings = given_parameters((k, p, first, share, keep_moments, *pram, *others))
    seed = fresh_seed() if seed is None else seed
    masker = masking_method(method, settings, roles, clusters=clusters, seed=seed)
    masked = masked_table(masker, table, roles, shuffling_generator(seed) if shuffle else None)
    if not to_file:
        standard(sys.stdout).write(masked.content())
        return
    figures = {"rows": len(frame), "changed": masked.changed}
    # As it is shown, without the seed.
    shown = repr(masking_method(method, settings, roles, clusters=clusters, seed=None))
    told: dict[str, Any] = {"seed": seed} if record_seed else {}
    contents = {output: masked.content()}
    if beside is not None:
        asked = {"columns": roles.kinds, "clusters": clusters, "shuffled": shuffle}
        contents[beside] = record(
            "mask",
            parameters={"method": method, **settings, **asked},
            inputs=read,
            outputs=dict(contents),
            figures=figures,
            masked=shown,
            **told,
        )
    expected = masked.texts()
    write_files(contents, check=lambda places: check_table(places[output], expected, table.dialect))
    if as_json:
        places = {"output": str(output), "record": beside and str(beside)}
        read_as = {"kinds": roles.kinds, "dialect": table.dialect.described()}
        print_json({"method": shown, **figures, **read_as, **told, **places})
    else:
        _print(masked.changed, roles.kinds, method=shown, n_rows=len(frame))
        _say_what_is_left(frame, roles, settings)
        say(f"Written: {output}")
        if beside is not None:
            say(f"Record:  {beside}")


def _checked_record(file: Path, output: Path, *, wanted: bool, force: bool) -> Path | None:
    """Path of the record, once nothing stands in the way of the outputs."""
    beside = record_path(output, wanted=wanted)
    outputs = (output, beside) if output != STANDARD else ()
    check_text_name(output, "--output")
    check_outputs(outputs, inputs=[file], force=force)
    return beside


def _check_alone(wanted: Mapping[str, bool]) -> None:
    """Refuse options that need an output file where the table is written to standard output."""
    for option, is_wanted in wanted.items():
        if is_wanted:
            raise ValueError(
                f"{option}: expected an output file, found --output -, which writes the table alone"
            )


def _print(
    changed: Mapping[str, int], kinds: Mapping[str, str], *, method: str, n_rows: int
) -> None:
    print_table(
        ["column", "masked as", "changed cells", "share"],
        [(name, kinds[name], n, f"{n / n_rows:.1%}") for name, n in changed.items()],
        title=f"{method}, {n_rows:,} rows",
        numeric=["changed cells", "share"],
    )


def _say_what_is_left(frame: pd.DataFrame, roles: Roles, settings: Mapping[str, Any]) -> None:
    """Name the columns that are as they were, and how suppressed cells match."""
    if unmasked := [str(name) for name in frame.columns if name not in roles.names]:
        say(f"as they were:  {', '.join(unmasked)}")
    if settings.get("matching") == "wildcard":
        say(
            "a suppressed cell matches every value here; anonopt check counts it as a value of "
            "its own, and may find fewer matches"
        )
