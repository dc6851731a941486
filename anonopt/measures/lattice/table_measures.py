"""Measures as they are of a table: looked up, checked, over all of its sensitive columns."""

from __future__ import annotations

from dataclasses import replace

from anonopt._checks import suggestion
from anonopt.data import Microdata
from anonopt.measures.lattice.statistics import SENSITIVE_HIERARCHY, check_needs
from anonopt.measures.lattice.worst_column import (
    OF_COLUMNS,
    SEPARATOR,
    WorstColumn,
    of_columns,
)
from anonopt.measures.measure import Measure
from anonopt.measures.registry import MEASURES, get_measure


def measure_of_table(measure: str | Measure, table: Microdata) -> Measure:
    """Look a measure of nodes up, and check that a table has what it needs.

    Of a table of several sensitive columns a measure of sensitive values is the worst over the
    columns, unless its name tells one: ``"l:occupation"``.

    Raises
    ------
    ValueError
        If it is unknown, is not of nodes, is of a column that is not sensitive, or needs what the
        table lacks.
    TypeError
        If it is neither a name nor a `Measure`.
    """
    found = get_measure(measure, of="node")
    check_needs(found.name, found.needs, table)
    names = [str(column.name) for column in table.sensitive_columns]
    if not isinstance(found.from_classes, WorstColumn):
        if len(names) < 2 or not reads_sensitive(found):
            return found
        found = of_columns(found, tuple(names), found.name, _text(found))
    for column in found.from_classes.columns:  # type: ignore[union-attr]
        if column not in names:
            raise ValueError(
                f"measure {found.name!r}: expected a sensitive column after {SEPARATOR!r}, "
                f"found {column!r}; {suggestion(column, names)}"
            )
        if SENSITIVE_HIERARCHY in found.needs and (
            table.sensitive_columns[names.index(column)].tree is None
        ):
            raise ValueError(
                f"measure {found.name!r} needs a hierarchy of the sensitive column {column!r}: "
                f"give one in hierarchies= of Microdata"
            )
    return found


def reads_sensitive(measure: Measure) -> bool:
    """Whether it reads sensitive values, as a user's function of classes may without a word."""
    if measure.from_rows is not None:
        return False
    silent = not measure.needs and measure.from_statistics is None
    is_own = MEASURES.get(measure.name) is not measure
    return not OF_COLUMNS.isdisjoint(measure.needs) or (silent and is_own)


def _text(measure: Measure) -> str:
    """Text that tells a measure from all others, of its name or of another one."""
    if MEASURES.get(measure.name) is measure:
        return measure.name
    # The order of a set differs from process to process, and these decide no value.
    nothing: frozenset[str] = frozenset()
    return repr(replace(measure, needs=nothing, rising=nothing, falling=nothing))
