"""`anonopt mask` of a CSV file that is read into memory."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anonopt.cli.columns import choose_columns, split_columns
from anonopt.cli.console import print_json, print_table, say
from anonopt.cli.inputs import STANDARD, read_input, split_dates, standard
from anonopt.cli.masking.asked import Asked
from anonopt.cli.masking.masked_table import MaskedTable, masked_table
from anonopt.cli.masking.method_parameters import masking_method
from anonopt.cli.masking.roles_of_columns import Roles, roles_of
from anonopt.cli.masking.streamed_mask import number_of
from anonopt.cli.outputs.output_checks import check_outputs, check_table
from anonopt.cli.outputs.run_record import (
    digests_of,
    fresh_seed,
    record,
    record_path,
    shuffling_generator,
)
from anonopt.sources.file_kinds import check_text_name

if TYPE_CHECKING:
    import pandas as pd

    from anonopt.data.tables.table_files import TableFile


def mask_in_memory(
    asked: Asked, *, of_csv: Mapping[str, Any], dates: list[str] | None, shuffle: bool
) -> None:
    """Mask a table, write it, and tell what was done.

    Parameters
    ----------
    asked : Asked
    of_csv : mapping of str to object
        How the file is written: ``separator``, ``encoding``, ``decimal`` and ``missing``.
    dates : list of str or None
        Formats, as they were given.
    shuffle : bool
        Whether the rows are written in an order drawn at random.

    Raises
    ------
    ValueError, OSError
        Names the option, what was expected and what was found.
    """
    to_file = asked.output != STANDARD
    if not to_file:
        _check_alone({"--json": asked.as_json, "--record-seed": asked.record_seed})
    beside = _checked_record(asked, wanted=asked.with_record and to_file)
    read = digests_of([asked.file])
    table = read_input(asked.file, dates=split_dates(dates), **of_csv)
    roles, settings = _of_table(asked, table)
    seed = fresh_seed() if asked.seed is None else asked.seed
    masker = masking_method(asked.method, settings, roles, clusters=asked.clusters, seed=seed)
    masked = masked_table(masker, table, roles, shuffling_generator(seed) if shuffle else None)
    if not to_file:
        standard(sys.stdout).write(masked.content())
        return
    figures = {"rows": len(table.frame), "changed": masked.changed}
    # As it is shown, without the seed.
    shown = repr(masking_method(asked.method, settings, roles, clusters=asked.clusters, seed=None))
    told: dict[str, Any] = {"seed": seed} if asked.record_seed else {}
    contents = {asked.output: masked.content()}
    if beside is not None:
        parameters = {"columns": roles.kinds, "clusters": asked.clusters, "shuffled": shuffle}
        contents[beside] = record(
            "mask",
            parameters={"method": asked.method, **settings, **parameters},
            inputs=read,
            outputs=dict(contents),
            figures=figures,
            masked=shown,
            **told,
        )
    _write(contents, asked.output, masked)
    if asked.as_json:
        places = {"output": str(asked.output), "record": beside and str(beside)}
        read_as = {"kinds": roles.kinds, "dialect": table.dialect.described()}
        print_json({"method": shown, **figures, **read_as, **told, **places})
        return
    _print(masked.changed, roles.kinds, method=shown, n_rows=len(table.frame))
    _say_what_is_left(table.frame, roles, settings)
    say(f"Written: {asked.output}")
    if beside is not None:
        say(f"Record:  {beside}")


def _of_table(asked: Asked, table: TableFile) -> tuple[Roles, dict[str, Any]]:
    """Roles of the columns, and the parameters of the method as these take them."""
    present, settings = list(table.frame.columns), dict(asked.settings)
    groups = split_columns(settings.get("strata", []), present)
    chosen = choose_columns(present, *asked.roles)
    columns, _, _ = asked.roles
    roles = roles_of(table, chosen, left_out=() if columns else groups)
    if groups:
        settings["strata"] = groups
    if roles.numbers and "value" in settings:
        settings["value"] = number_of(settings["value"])
    return roles, settings


def _write(contents: Mapping[Path, bytes], output: Path, masked: MaskedTable) -> None:
    """Write the files, of which the table is read again before any has its name."""
    from anonopt.data.output_files import write_files

    expected, dialect = masked.texts(), masked.table.dialect
    write_files(contents, check=lambda places: check_table(places[output], expected, dialect))


def _checked_record(asked: Asked, *, wanted: bool) -> Path | None:
    """Path of the record, once nothing stands in the way of the outputs."""
    beside = record_path(asked.output, wanted=wanted)
    outputs = (asked.output, beside) if asked.output != STANDARD else ()
    check_text_name(asked.output, "--output")
    check_outputs(outputs, inputs=[asked.file], force=asked.force)
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
