"""``anonopt mask``: mask columns of a CSV file by one method."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from anonopt._checks import unknown
from anonopt.cli.columns import (
    ChosenColumns,
    Columns,
    Nominal,
    Ordinal,
    choose_columns,
    number_columns,
    split_columns,
)
from anonopt.cli.console import AsJson, Force, is_watched, print_json, print_table, say
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

if TYPE_CHECKING:
    import pandas as pd

    from anonopt.data.tables.table_files import TableFile
    from anonopt.masking import MaskingMethod

OPTIONS = (
    "k",
    "p",
    "value",
    "share",
    "keep_moments",
    "theta",
    "matrix",
    "invariant",
    "strata",
    "n_variables",
    "code",
    "allow_rare_missing",
)
"""Parameters of methods that the command has options for."""


def mask(
    method: Annotated[
        str,
        typer.Argument(
            help="Name of a method, see anonopt methods, such as mdav or pram.", metavar="METHOD"
        ),
    ],
    file: Annotated[Path, typer.Argument(help="CSV file with a header line.", metavar="FILE")],
    output: Annotated[Path, typer.Option(help="CSV file to write.")],
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
    clusters: Annotated[
        int | None, typer.Option(help="Part the rows into clusters first, masked one by one.")
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
    """Mask columns of a table: microaggregation, Mondrian, swapping, noise, recoding, PRAM."""
    from anonopt.data.output_files import write_files
    from anonopt.data.row_order import shuffled_rows
    from anonopt.runs.progress import rows_bar

    to_file = output != STANDARD
    if not to_file:
        _check_alone({"--json": as_json, "--record-seed": record_seed})
    beside = record_path(output, wanted=with_record and to_file)
    check_outputs((output, beside) if to_file else (), inputs=[file], force=force)
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
    names, orders, numbers, kinds = _roles(table, chosen, left_out=() if columns else groups)
    first = _value(value) if numbers else value
    pram = (theta, matrix, invariant, groups or None)
    options = (k, p, first, share, keep_moments, *pram, n_variables, code, allow_rare)
    given = dict(zip(OPTIONS, options, strict=True))
    settings = {name: value for name, value in given.items() if value is not None}
    seed = fresh_seed() if seed is None else seed
    masker = _method(method, settings, clusters=clusters, seed=seed)
    masker.set_params(columns=names, ordinal=orders)
    with rows_bar(len(frame), visible=is_watched()) as update:
        found = masker.fit_transform(frame.assign(**numbers), on_progress=update)
    masked = _as_text(found, frame, numbers)
    changed = {name: int((~_equal(frame[name], masked[name])).sum()) for name in names}
    # As it is shown, without the seed.
    shown = _method(method, settings, clusters=clusters, seed=None)
    shown.set_params(columns=names, ordinal=orders)
    told = {"seed": seed} if record_seed else {}
    rows = shuffled_rows(len(frame), shuffling_generator(seed)) if shuffle else range(len(frame))
    masked = masked.iloc[list(rows)].reset_index(drop=True)
    content = table.content(masked, rows=rows, protected=names)
    expected = table.texts(masked, rows=rows, protected=names)
    if not to_file:
        standard(sys.stdout).write(content)
        return
    contents = {output: content}
    if beside is not None:
        contents[beside] = record(
            "mask",
            parameters={"method": method, **settings, "columns": kinds, "clusters": clusters,
                        "shuffled": shuffle},
            inputs=read,
            outputs=dict(contents),
            figures={"rows": len(frame), "changed": changed},
            masked=repr(shown),
            **told,
        )  # fmt: skip
    write_files(contents, check=lambda places: check_table(places[output], expected, table.dialect))
    if as_json:
        how = {"kinds": kinds, "dialect": table.dialect.described()}
        summary = {"method": repr(shown), "rows": len(frame), "changed": changed, **how, **told}
        print_json({**summary, "output": str(output), "record": beside and str(beside)})
    else:
        _print(changed, kinds, title=f"{shown!r}, {len(frame):,} rows", n_rows=len(frame))
        say(f"Written: {output}")


def _check_alone(wanted: Mapping[str, bool]) -> None:
    """Refuse options that need an output file where the table is written to standard output."""
    for option, is_wanted in wanted.items():
        if is_wanted:
            raise ValueError(
                f"{option}: expected an output file, found --output -, which writes the table alone"
            )


class _Roles(NamedTuple):
    """Columns to mask, orders of some, numbers of some, and what each is masked as."""

    names: list[str]
    orders: dict[Any, list[str] | None]
    numbers: dict[str, pd.Series[Any]]
    kinds: dict[str, str]


def _roles(table: TableFile, chosen: ChosenColumns, *, left_out: Collection[str]) -> _Roles:
    from anonopt.data.roles import find_columns

    find_columns(table.frame, chosen.names)
    names = [name for name in chosen.names if name not in left_out]
    maybe_numbers = [name for name in chosen.maybe_numbers if name in names]
    numbers = number_columns(table, maybe_numbers)
    # Codes are no numbers, but in the order of what they would be.
    codes = {name: None for name in maybe_numbers if table.kinds[name] == "codes"}
    orders = chosen.orders | codes
    return _Roles(
        names, orders, numbers, {name: _kind(name, table, numbers, orders) for name in names}
    )


def _print(
    changed: Mapping[str, int], kinds: Mapping[str, str], *, title: str, n_rows: int
) -> None:
    print_table(
        ["column", "masked as", "changed cells", "share"],
        [(name, kinds[name], n, f"{n / n_rows:.1%}") for name, n in changed.items()],
        title=title,
        numeric=["changed cells", "share"],
    )


def _method(
    name: str, params: dict[str, Any], *, clusters: int | None, seed: int | None
) -> MaskingMethod:
    from anonopt.masking import METHODS, PreClustered
    from anonopt.masking.merged_categories import Recoding

    methods = {key: method for key, method in METHODS.items() if method is not PreClustered}
    if name not in methods:
        raise ValueError(unknown("masking method", name, methods))
    known = methods[name].parameter_names()
    required = methods[name].required_parameters()
    if others := [_option(key) for key in params if key not in known]:
        own = [_option(key) for key in known if key in OPTIONS] or ["no option"]
        raise ValueError(f"{name}: expected {', '.join(own)}, found {', '.join(others)}")
    if missing := [_option(key) for key in required if key not in params]:
        raise ValueError(f"{name}: expected {', '.join(missing)}, found none")
    if "random_state" in known:
        params = {**params, "random_state": seed}
    if issubclass(methods[name], Recoding) and "p" in params:
        if not params["p"].is_integer():
            raise ValueError(f"{name}: --p: expected a number of categories, found {params['p']}")
        params = {**params, "p": int(params["p"])}
    method = methods[name](**params)
    if clusters is None:
        return method
    return PreClustered(method, clusters, random_state=seed)


def _value(text: str | None) -> Any:
    """Number that a text is, or the text."""
    from anonopt.data.values import as_number

    number = None if text is None else as_number(text)
    return text if number is None else number


def _option(parameter: str) -> str:
    return "--" + parameter.replace("_", "-")


def _kind(
    name: str, table: TableFile, numbers: Mapping[str, object], orders: Mapping[str, object]
) -> str:
    """What a column is masked as."""
    if name in numbers:
        return "numbers"
    kind = "codes" if table.kinds[name] == "codes" else "categories"
    return f"{kind} in an order" if name in orders else kind


def _as_text(
    masked: pd.DataFrame, frame: pd.DataFrame, numbers: dict[str, pd.Series[Any]]
) -> pd.DataFrame:
    """Masked numbers as text: where they occur in the file, as they are written there."""
    import pandas as pd

    from anonopt.data.values import as_text, is_missing

    for name, column in numbers.items():
        written = dict(zip(column.dropna(), frame[name].dropna(), strict=True))
        texts = [
            None if is_missing(value) else written.get(value, as_text(value))
            for value in masked[name].astype(object)
        ]
        masked[name] = pd.Series(texts, index=masked.index, dtype=object)
    return masked


def _equal(one: pd.Series[Any], other: pd.Series[Any]) -> pd.Series[bool]:
    return (one == other) | (one.isna() & other.isna())
