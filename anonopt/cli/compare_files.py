"""``anonopt compare-files``: loss and risk of a masked file beside its original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anonopt._checks import unknown
from anonopt.cli.columns import (
    Columns,
    Nominal,
    Ordinal,
    as_numbers,
    choose_columns,
    number_columns,
)
from anonopt.cli.comparing.counted_files import compared_by_counts
from anonopt.cli.console import AsJson, is_watched, print_json, print_table, say
from anonopt.cli.inputs import (
    Dates,
    Decimal,
    Encoding,
    Missing,
    Separator,
    read_input,
    split_dates,
)
from anonopt.sources.file_kinds import is_of_engine

if TYPE_CHECKING:
    import pandas as pd

    from anonopt.data.hierarchies.hierarchy_sources import HierarchySources
    from anonopt.data.tables.table_files import TableFile
    from anonopt.masking import MaskingMethod

_MEANINGS = {
    "RSRL": "records linked where the window of rank swapping is known",
    "chi_square_difference": "change of the association with an untouched column",
    "linked": "records linked by an attacker who knows the method",
    "undone": "cells that this attacker computes back from the seed",
}
"""Of what is no measure."""

_IF_KNOWN = ("RSRL", "undone")
"""Figures of attackers who know p or the seed, NaN without."""


def compare_files(
    original: Annotated[
        Path,
        typer.Argument(
            help="CSV file with a header line; or Parquet (a file, a pattern, a folder), which is "
            "compared by counts of its categories.",
            metavar="ORIGINAL",
        ),
    ],
    masked: Annotated[
        Path,
        typer.Argument(help="File of the same rows in the same order.", metavar="MASKED"),
    ],
    columns: Columns = None,
    ordinal: Ordinal = None,
    nominal: Nominal = None,
    hierarchies: Annotated[
        Path | None,
        typer.Option(
            help="Hierarchies of generalized columns: a folder of files COLUMN.csv, or the TOML "
            "file of anonymize, whose quasi-identifiers are then compared.",
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            help="Method that an attacker knows: rank-swapping, pram, additive-noise or "
            "correlated-noise."
        ),
    ] = None,
    p: Annotated[
        float | None,
        typer.Option(
            "--p",
            help="What the attacker knows of it: percent of the rows that ranks were swapped "
            "within (alone: for RSRL), or PRAM's probability to stay.",
        ),
    ] = None,
    matrix: Annotated[
        str | None, typer.Option(help="PRAM's matrix that the attacker knows, such as frequency.")
    ] = None,
    theta: Annotated[float | None, typer.Option(help="Of PRAM's diagonal matrix, 0 to 1.")] = None,
    share: Annotated[
        float | None, typer.Option(help="Deviation of noise, as a share of that of the column.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Seed of the method, if the attacker knows it.", min=0)
    ] = None,
    untouched: Annotated[
        str | None, typer.Option(help="Column that was not masked, to count the others by.")
    ] = None,
    one_to_one: Annotated[
        bool,
        typer.Option("--one-to-one", help="PRL by linear assignment: each original linked once."),
    ] = False,
    blocks: Annotated[
        list[str] | None,
        typer.Option(
            help="Of Parquet: adds bounds of record linkage, in which records are compared that "
            "agree in these columns; '' compares all. Repeat it, or separate columns by commas."
        ),
    ] = None,
    separator: Separator = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing: Missing = None,
    dates: Dates = None,
    as_json: AsJson = False,
) -> None:
    """Measure information loss and disclosure risk of a masked file, in percent."""
    from anonopt.evaluation.comparison.compare import compare
    from anonopt.masking.attack import attack
    from anonopt.runs.progress import rows_bar

    if is_of_engine(original) or is_of_engine(masked):
        of_methods = {"method": method, "matrix": matrix, "theta": theta, "share": share}
        of_csv = {"separator": separator, "encoding": encoding, "decimal": decimal}
        others = {"hierarchies": hierarchies, "seed": seed, "untouched": untouched}
        lists = {"nominal": nominal, "one-to-one": one_to_one or None}
        found = compared_by_counts(
            original,
            masked,
            columns=columns,
            ordinal=ordinal,
            blocks=blocks,
            p=p,
            refused={**of_methods, **others, **lists, **of_csv, "missing": missing, "dates": dates},
        )
        _print(found, title=str(masked), as_json=as_json)
        return
    if blocks is not None:
        raise ValueError(
            f"--blocks: expected with Parquet, as all records of CSV files are compared, found it "
            f"with {original}"
        )
    known = {"p": p, "matrix": matrix, "theta": theta, "share": share}
    attacker = _known_method(method, known, seed=seed)
    dialect = {"separator": separator, "encoding": encoding, "decimal": decimal}
    first, second = (
        read_input(file, missing=missing, dates=split_dates(dates), **dialect)
        for file in (original, masked)
    )
    trees, quasi_identifiers = _hierarchies(hierarchies, first.frame)
    chosen = choose_columns(
        list(first.frame.columns), columns or quasi_identifiers, ordinal, nominal
    )
    before, after = _as_numbers(
        first, second, [name for name in chosen.maybe_numbers if name in chosen.names]
    )
    with rows_bar(len(before), visible=is_watched()) as update:
        series = compare(
            before,
            after,
            columns=chosen.names,
            ordinal=chosen.orders,
            hierarchies=_of_columns(trees, chosen.names),
            p=p if method in (None, "rank-swapping") else None,
            untouched=untouched,
            one_to_one=one_to_one,
            on_progress=update,
        )
    report: dict[str, float | str] = {str(name): float(value) for name, value in series.items()}
    if attacker is not None:
        attacker.set_params(columns=chosen.names, ordinal=chosen.orders)
        report.update((str(name), v) for name, v in attack(before, after, attacker).items())
    _print(report, title=f"{masked}, {len(before):,} rows", as_json=as_json)


def _print(report: Mapping[str, float | str], *, title: str, as_json: bool) -> None:
    if as_json:
        print_json(report)
        return
    rows = [
        (name, f"{value:.2f}", _meaning(name))
        for name, value in report.items()
        if not isinstance(value, str) and (name not in _IF_KNOWN or value == value)
    ]
    print_table(
        ["figure", "percent", "meaning"],
        rows,
        title=f"{title}; less is better",
        numeric=["percent"],
    )
    if (assumed := report.get("assumed")) is not None:
        say(f"The attacker of linked and undone knows {assumed}.")


def _meaning(name: str) -> str:
    from anonopt.measures import get_measure

    measure, _, end = name.partition("_")
    if end in ("least", "most"):
        return f"{_meaning(measure)}, at {end}"
    return _MEANINGS.get(name) or get_measure(name).summary


def _known_method(
    name: str | None, known: Mapping[str, object], *, seed: int | None
) -> MaskingMethod | None:
    """The method that the attacker knows, with all that is known of it."""
    params = {key: value for key, value in known.items() if value is not None}
    if name is None:
        params.pop("p", None)
        if seed is not None:
            params["seed"] = seed
        if params:
            raise ValueError(
                f"--method: expected the method that the attacker knows beside "
                f"{', '.join('--' + key for key in params)}, found none"
            )
        return None
    from anonopt.masking import METHODS

    methods = {
        key: kind
        for key, kind in METHODS.items()
        if "random_state" in kind.parameter_names()
        and set(kind.required_parameters()) <= set(known)
    }
    if name not in methods:
        raise ValueError(unknown("method that protects by chance", name, methods))
    allowed = methods[name].parameter_names()
    if others := [f"--{key}" for key in params if key not in allowed]:
        raise ValueError(f"--method {name}: expected none of {', '.join(others)}")
    if missing := [key for key in methods[name].required_parameters() if key not in params]:
        raise ValueError(f"--method {name}: expected --{missing[0]}, found none")
    build: Any = methods[name]
    found: MaskingMethod = build(**params, random_state=seed)
    return found


def _hierarchies(
    path: Path | None, original: pd.DataFrame
) -> tuple[HierarchySources | None, list[str] | None]:
    """Hierarchies of a folder or of a configuration, and the quasi-identifiers of the latter."""
    if path is None or path.is_dir():
        return path, None
    from anonopt.cli.configuration.config import read_config
    from anonopt.cli.configuration.hierarchies import build_hierarchies

    config = read_config(path)
    return build_hierarchies(config, original), list(config.data.quasi_identifiers)


def _of_columns(sources: HierarchySources | None, names: Sequence[str]) -> HierarchySources | None:
    """The hierarchies of the columns that are compared."""
    if not isinstance(sources, Mapping):
        return sources
    return {name: source for name, source in sources.items() if name in names}


def _as_numbers(
    original: TableFile, masked: TableFile, names: Sequence[str]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Columns of numbers as numbers; those of the masked file may be generalized instead."""
    shared = [name for name in names if name in original.frame and name in masked.frame]
    before = number_columns(original, shared)
    after = {name: as_numbers(masked.frame[name]) for name in before if _is_numeric(masked, name)}
    return original.frame.assign(**before), masked.frame.assign(**after)


def _is_numeric(table: TableFile, name: str) -> bool:
    return table.kinds[name] == "numbers"
