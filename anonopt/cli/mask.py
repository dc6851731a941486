"""``anonopt mask``: mask columns of a file by one method."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anonopt.cli.columns import Columns, Nominal, Ordinal
from anonopt.cli.console import AsJson, Force
from anonopt.cli.inputs import Dates, Decimal, Encoding, Missing, Separator
from anonopt.cli.masking.asked import Asked
from anonopt.cli.masking.mask_in_memory import mask_in_memory
from anonopt.cli.masking.method_parameters import given_parameters
from anonopt.cli.masking.streamed_mask import mask_streamed
from anonopt.cli.outputs.run_record import RecordSeed, Seed, WithRecord
from anonopt.sources.file_kinds import is_of_engine


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
    of_csv = {"separator": separator, "encoding": encoding, "decimal": decimal, "missing": missing}
    others = (n_variables, code, allow_rare, matching, search, n_starts)
    pram = (theta, matrix, invariant, strata or None)
    asked = Asked(
        method=method,
        file=file,
        output=output,
        settings=given_parameters((k, p, value, share, keep_moments, *pram, *others)),
        roles=(columns, ordinal, nominal),
        clusters=clusters,
        seed=seed,
        with_record=with_record,
        record_seed=record_seed,
        force=force,
        as_json=as_json,
    )
    if is_of_engine(file):
        in_memory = {**of_csv, "dates": dates, "shuffle": shuffle, "strata": strata}
        mask_streamed(asked, refused=in_memory)
    else:
        mask_in_memory(asked, of_csv=of_csv, dates=dates, shuffle=shuffle)
