"""``anonopt compare-files``: loss and risk of a masked CSV file beside its original."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anonopt.cli.columns import Columns, Nominal, Ordinal, as_numbers, choose_columns
from anonopt.cli.console import AsJson, print_json, print_table

if TYPE_CHECKING:
    import pandas as pd

_MEANINGS = {
    "RSRL": "records linked where the window of rank swapping is known",
    "chi_square_difference": "change of the association with an untouched column",
}
"""Of what is no measure."""


def compare_files(
    original: Annotated[
        Path, typer.Argument(help="CSV file with a header line.", metavar="ORIGINAL")
    ],
    masked: Annotated[
        Path, typer.Argument(help="CSV file of the same rows in the same order.", metavar="MASKED")
    ],
    columns: Columns = None,
    ordinal: Ordinal = None,
    nominal: Nominal = None,
    p: Annotated[
        float | None,
        typer.Option("--p", help="Percent of the rows that ranks are known to be swapped within."),
    ] = None,
    untouched: Annotated[
        str | None, typer.Option(help="Column that was not masked, to count the others by.")
    ] = None,
    one_to_one: Annotated[
        bool,
        typer.Option("--one-to-one", help="PRL by linear assignment: each original linked once."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Measure information loss and disclosure risk of a masked file, in percent."""
    from anonopt.data import read_table
    from anonopt.evaluation.comparison.compare import compare
    from anonopt.measures import get_measure

    before, after = read_table(original), read_table(masked)
    chosen = choose_columns(list(before.columns), columns, ordinal, nominal)
    before, after = _as_numbers(before, after, chosen.maybe_numbers)
    series = compare(
        before,
        after,
        columns=chosen.names,
        ordinal=chosen.orders,
        p=p,
        untouched=untouched,
        one_to_one=one_to_one,
    )
    report = {str(name): float(value) for name, value in series.items()}
    if as_json:
        print_json(report)
        return
    rows = [
        (name, f"{value:.2f}", _MEANINGS.get(name) or get_measure(name).summary)
        for name, value in report.items()
        if name != "RSRL" or p is not None
    ]
    print_table(
        ["figure", "percent", "meaning"],
        rows,
        title=f"{masked}, {len(before):,} rows; less is better",
        numeric=["percent"],
    )


def _as_numbers(
    original: pd.DataFrame, masked: pd.DataFrame, names: Sequence[str]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Columns that hold nothing but numbers in both files, as numbers."""
    before, after = original.copy(), masked.copy()
    for name in [name for name in names if name in original and name in masked]:
        columns = as_numbers(original[name]), as_numbers(masked[name])
        if columns[0] is not None and columns[1] is not None:
            before[name], after[name] = columns
    return before, after
