"""Hierarchies as a configuration file describes them: a CSV file or the table of a builder."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anonopt._checks import check_choice, unknown
from anonopt.cli.configuration.config import Config
from anonopt.cli.configuration.kinds import (
    COUNT,
    COUNTS,
    FLAG,
    LIST,
    NUMBER,
    TABLE,
    TEXT,
    TEXTS,
    Kind,
    check_keys,
    check_value,
)

if TYPE_CHECKING:
    import pandas as pd

    from anonopt.data import Hierarchy
    from anonopt.sources.values_of_columns import ValuesOfColumns

FLAT = "flat"
"""Stands for the values of a column directly under the top."""

BUILDERS = ("csv", "dates", "intervals", "ordered", "text", "tree")
"""Builders by the names that a configuration gives them."""

_KINDS: dict[str, Kind] = {
    "path": TEXT,
    "header": FLAG,
    "values": LIST,
    "width": NUMBER,
    "anchor": NUMBER,
    "fan_outs": COUNTS,
    "low": NUMBER,
    "high": NUMBER,
    "bottom_code": FLAG,
    "top_code": FLAG,
    "direction": TEXT,
    "length": COUNT,
    "mask": TEXT,
    "padding": TEXT,
    "levels": TEXTS,
    "format": TEXT,
    "tree": TABLE,
}
"""Kind of each parameter of the builders."""


def build_hierarchies(
    config: Config, frame: pd.DataFrame | ValuesOfColumns
) -> dict[str, Hierarchy | Path | str]:
    """Make the hierarchies that a configuration describes.

    Parameters
    ----------
    config : Config
    frame : DataFrame (n_rows, n_columns), or ValuesOfColumns
        The input table: a builder without ``values`` takes those of its column.

    Returns
    -------
    dict
        By column, as ``anonopt.Microdata`` takes them.

    Raises
    ------
    ValueError
        If a column is absent, a description is incomplete or has an unknown key, or the
        builder refuses it; names the column.
    """
    found: dict[str, Hierarchy | Path | str] = {}
    for column, source in config.hierarchies.items():
        where = f"hierarchies.{column}"
        if column not in frame.columns:
            raise ValueError(f"hierarchies: {unknown('column', column, map(str, frame.columns))}")
        if isinstance(source, Mapping):
            try:
                found[column] = _built(source, frame[column], config)
            except (TypeError, ValueError) as error:
                raise ValueError(f"{where}: {error}") from error
        elif source == FLAT:
            found[column] = FLAT
        elif isinstance(source, str) and source:
            found[column] = config.resolve(source)
        else:
            raise ValueError(
                f"{where}: expected the path of a CSV file, {FLAT!r} or a table with a builder, "
                f"found {source!r}"
            )
    return found


def _built(source: Mapping[str, Any], values: pd.Series[Any], config: Config) -> Hierarchy:
    from anonopt.data import Hierarchy

    options = dict(source)
    name = check_choice("builder", options.pop("builder", None), BUILDERS)
    build = getattr(Hierarchy, f"from_{name}" if name in ("csv", "tree") else name)
    parameters = inspect.signature(build).parameters
    check_keys("", options, parameters)
    for key, value in options.items():
        check_value(key, value, _KINDS[key])
    if name == "ordered" and "values" not in options:
        raise ValueError("values: expected the values in their order, found none")
    if "values" in parameters and "values" not in options:
        if values.isna().all():
            raise ValueError("expected a value to build it of, found missing cells alone")
        options["values"] = values
    for key, parameter in parameters.items():
        if parameter.default is parameter.empty and key not in options:
            raise ValueError(f"{key}: expected {_KINDS[key].wanted}, found none")
    if "path" in options:
        options["path"] = config.resolve(options["path"])
    built: Hierarchy = build(**options)
    return built
