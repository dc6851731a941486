"""`anonopt mask` of Parquet, whose rows stay where they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anonopt.cli.columns import choose_columns, numeric_columns
from anonopt.cli.console import note, print_json, print_table, say
from anonopt.cli.inputs import STANDARD
from anonopt.cli.masking.asked import Asked, OptionTexts
from anonopt.cli.masking.method_parameters import masking_method
from anonopt.cli.masking.roles_of_columns import Roles
from anonopt.cli.outputs.output_checks import check_outputs
from anonopt.cli.outputs.run_record import digests_of, fresh_seed, record, record_path
from anonopt.sources.file_kinds import PARQUET, check_written, files_of, kind_of

if TYPE_CHECKING:
    from anonopt.masking import MaskingMethod
    from anonopt.sources.source import Source


def mask_streamed(asked: Asked, *, refused: Mapping[str, object]) -> None:
    """Mask the rows of a file some at a time, and tell what was done.

    Parameters
    ----------
    asked : Asked
    refused : mapping of str to object
        Options that are of tables in memory alone; None, False and an empty list are not given.

    Raises
    ------
    ValueError, OSError
        Names the option, what was expected and what was found.
    """
    from anonopt.sources.opening import lent

    beside = _checked_record(asked, refused)
    seed = fresh_seed() if asked.seed is None else asked.seed
    told: dict[str, Any] = {"seed": seed} if asked.record_seed else {}
    settings = asked.settings
    with lent(asked.file, "FILE") as source:
        chosen = roles_of_source(source, *asked.roles)
        if any(kind.startswith("numbers") for kind in chosen.kinds.values()):
            settings = {
                name: number_of(text) if name in ("value", "code") else text
                for name, text in settings.items()
            }
        masker = masking_method(asked.method, settings, chosen, clusters=asked.clusters, seed=seed)
        _check_streams(asked.method, masker, asked.file)
        # As it is shown, without the seed.
        shown = repr(
            masking_method(asked.method, settings, chosen, clusters=asked.clusters, seed=None)
        )

        def made_record(masked: Path, figures: Mapping[str, Any]) -> bytes:
            return record(
                "mask",
                parameters={"method": asked.method, **settings}
                | {"columns": chosen.kinds, "clusters": asked.clusters, "shuffled": False},
                inputs=digests_of(sorted(files_of(asked.file))),
                outputs={asked.output: masked},
                engines=["duckdb"],
                figures=figures,
                masked=shown,
                **told,
            )

        figures = _write_masked(masker, source, asked.output, beside, made_record)
        others = [str(name) for name in source.columns if name not in chosen.names]
    if asked.as_json:
        places = {"output": str(asked.output), "record": beside and str(beside)}
        print_json({"method": shown, **figures, "kinds": chosen.kinds, **told, **places})
        return
    print_table(
        ["column", "masked as"],
        list(chosen.kinds.items()),
        title=f"{shown}, {figures['rows']:,} rows",
    )
    if asked.clusters is not None:
        say(f"parts:         {figures['parts']:,}, the largest of {figures['largest_part']:,} rows")
    say(f"seconds:       {figures['seconds']:.1f}")
    if others:
        say(f"as they were:  {', '.join(others)}")
    say(f"Written: {asked.output}")
    if beside is not None:
        say(f"Record:  {beside}")


def roles_of_source(
    source: Source, columns: OptionTexts, ordinal: OptionTexts, nominal: OptionTexts
) -> Roles:
    """Roles of columns, whose types tell which hold numbers.

    Raises
    ------
    ValueError
        If a column is not there, or one of numbers is to be categories in no order.
    """
    import pandas as pd

    from anonopt.data.roles import find_columns

    present = [str(name) for name in source.columns]
    chosen = choose_columns(present, columns, ordinal, nominal)
    find_columns(pd.DataFrame([[None] * len(present)], columns=present), chosen.names)
    numeric = numeric_columns(source)
    either = numeric.difference(chosen.maybe_numbers, chosen.orders)
    if others := [name for name in chosen.names if name in either]:
        raise ValueError(
            f"--nominal: expected columns of text, as the types of {source!r} say which hold "
            f"numbers, found {others}"
        )
    orders = {name: _order(values, name in numeric) for name, values in chosen.orders.items()}
    kinds = {}
    for name in chosen.names:
        kind = "numbers" if name in numeric else "categories"
        kinds[name] = f"{kind} in an order" if name in orders else kind
    return Roles(chosen.names, orders, {}, kinds)


def number_of(text: str | None) -> Any:
    """Number that a text is, or the text."""
    from anonopt.data.values import as_number

    number = None if text is None else as_number(text)
    return text if number is None else number


def _order(values: list[str] | None, is_of_numbers: bool) -> Any:
    if values is None or not is_of_numbers:
        return values
    return [number_of(text) for text in values]


def _checked_record(asked: Asked, refused: Mapping[str, object]) -> Path | None:
    """Path of the record, once nothing that can be known before any work stands in the way."""
    for option, value in refused.items():
        if value:
            raise ValueError(
                f"--{option}: expected with a CSV file that is read into memory, found it with "
                f"{asked.file}"
            )
    if asked.output == STANDARD:
        raise ValueError(
            f"--output: expected a file, as the rows of {asked.file} are masked some at a time, "
            "found -, standard output"
        )
    if kind_of(asked.file, "FILE") != PARQUET:
        raise ValueError(
            "FILE: expected Parquet, which says what columns hold, or one CSV file, found "
            f"{asked.file}; zcat people.csv.gz | anonopt mask METHOD - reads a compressed one"
        )
    check_written(asked.output, "--output")
    beside = record_path(asked.output, wanted=asked.with_record)
    check_outputs((asked.output, beside), inputs=[asked.file], force=asked.force)
    return beside


def _check_streams(method: str, masker: MaskingMethod, file: Path) -> None:
    """Refuse a method that looks at all rows at once."""
    from anonopt.masking import PRAM, PreClustered
    from anonopt.masking.merged_categories import Recoding

    if not isinstance(masker, PreClustered | PRAM | Recoding):
        raise ValueError(
            f"--clusters: expected a number of parts of {file}, as {method} looks at all rows of a "
            "part at once, found none"
        )


def _write_masked(
    masker: MaskingMethod,
    source: Source,
    output: Path,
    beside: Path | None,
    made_record: Callable[[Path, Mapping[str, Any]], bytes],
) -> dict[str, Any]:
    """Write the masked file and its record, which get their names together."""
    from anonopt.data.tables.streamed_files import hidden_folder, replaced_together
    from anonopt.masking import mask_file
    from anonopt.sources.source import check_outside

    check_outside(source, output)
    note("Masking ", f"{source.n_rows:,} rows of {source!r}")
    files = [output] if beside is None else [output, beside]
    with replaced_together(files) as parts, hidden_folder(output) as folder:
        masked = Path(folder) / output.name
        figures = {str(name): value for name, value in mask_file(masker, source, masked).items()}
        if beside is not None:
            parts[1].write_bytes(made_record(masked, figures))
        masked.replace(parts[0])
    return figures
