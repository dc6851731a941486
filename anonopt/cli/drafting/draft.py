"""A configuration drafted from a table: a TOML file with comments, to be looked through."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anonopt.cli.drafting.guesses import Column, as_toml, guessed_columns

if TYPE_CHECKING:
    from anonopt.cli.drafting.drafted_table import DraftedTable


def draft(table: DraftedTable, *, file: str, output: str) -> str:
    """Text of a TOML file for ``anonopt anonymize``.

    Parameters
    ----------
    table : DraftedTable
    file, output : str
        Names of the input and of the output, relative to the configuration.

    Raises
    ------
    ValueError
        If the table has no row, or no column that could be a quasi-identifier.
    """
    if table.n_rows == 0:
        raise ValueError(f"{table.name}: expected rows to draft a configuration from, found none")
    columns = guessed_columns(table)
    chosen = [column for column in columns if column.role == "quasi-identifier"]
    if not chosen:
        raise ValueError(
            f"{table.name}: expected a column that could be a quasi-identifier, found "
            f"{', '.join(f'{column.name} ({column.why})' for column in columns)}"
        )
    parts = (
        _data_lines(table, columns, file),
        _hierarchy_lines(chosen),
        _search_lines(table, columns),
        ["[output]", f"file = {as_toml(output)}"],
    )
    return "\n".join(line for part in parts for line in [*part, ""])


def _data_lines(table: DraftedTable, columns: list[Column], file: str) -> list[str]:
    lines = [
        f"# Drafted from {as_toml(file)}: {table.n_rows:,} rows, {len(columns)} columns.",
        "# Every guess is to be checked by somebody who knows the data.",
        "",
        "[data]",
        f"file = {as_toml(file)}",
        *table.found_out,
        "",
        "# Known from elsewhere about people: these are generalized.",
        "quasi_identifiers = [",
        *(f"    {as_toml(c.name)},  # {c.why}" for c in columns if c.role == "quasi-identifier"),
        "]",
    ]
    if dates := _mixed_dates(table, columns):
        lines.append(f"dates = {{ {dates} }}")
    lines += ["", "# Tell who somebody is: dropped.", "identifiers = ["]
    lines += [f"    {as_toml(c.name)},  # {c.why}" for c in columns if c.role == "identifier"]
    lines += ["]", "", "# What must not be disclosed of anybody; published as it is."]
    sensitive = [column for column in columns if column.role == "sensitive"]
    if sensitive:
        lines.append(f"sensitive = {as_toml(sensitive[0].name)}  # {sensitive[0].why}")
        lines += [f"# or {as_toml(column.name)}  # {column.why}" for column in sensitive[1:]]
    else:
        lines.append('# sensitive = "..."')
    others = [column for column in columns if column.role == "other"]
    lines += ["", "# Neither: dropped, unless they are named in keep (published as they are)."]
    lines += [f"# {as_toml(column.name)}: {column.why}" for column in others]
    lines.append(f"# keep = [{', '.join(as_toml(column.name) for column in others)}]")
    return lines


def _mixed_dates(table: DraftedTable, columns: list[Column]) -> str:
    from anonopt.data.tables.spellings import date_formats

    entries = []
    for column in columns:
        if column.role == "quasi-identifier" and table.kinds[column.name] == "dates":
            cells = [str(text) for text in table.frame[column.name].dropna().unique()]
            formats = date_formats(cells)
            if len(formats) > 1 and not any(":" in text for text in cells):
                listed = ", ".join(map(as_toml, formats))
                entries.append(f"{as_toml(column.name)} = [{listed}]")
    return ", ".join(entries)


def _hierarchy_lines(columns: list[Column]) -> list[str]:
    lines = [
        "# For each quasi-identifier the path of a CSV file (a value and its generalizations",
        '# a line), "flat", or a builder: intervals, dates, text, ordered, tree.',
        "[hierarchies]",
    ]
    for column in columns:
        note = f"  # {column.note}" if column.note else ""
        lines.append(f"{as_toml(column.name)} = {column.hierarchy}{note}")
    return lines


def _search_lines(table: DraftedTable, columns: list[Column]) -> list[str]:
    k = 5 if table.n_rows >= 50 else min(2, table.n_rows)
    lines = [
        "[search]",
        f"k = {k}  # rows at least that nobody can tell apart by the quasi-identifiers",
        "suppression = 0.01  # share of the rows, or a number of them, that may be suppressed",
        'objective = "glm"  # loss that is made least, see anonopt measures',
    ]
    if table.is_in_memory:
        lines.append(
            '# method = "local"  # labels of each group of rows: loses less than one rule for all '
            "rows"
        )
    if any(column.role == "sensitive" for column in columns):
        lines.append("# l = 2  # distinct sensitive values that every class must have")
    return lines
