"""The built-in measures by name."""

from __future__ import annotations

import copyreg
from typing import Any

import pandas as pd

from anonopt._checks import check_choice, suggestion, unknown
from anonopt._registry import Registry
from anonopt.measures.figures import FIGURES, RISK, attribute_risk, is_figure
from anonopt.measures.lattice.disclosure import DISCLOSURE_MEASURES
from anonopt.measures.lattice.loss import LOSS_MEASURES
from anonopt.measures.lattice.population_risk import POPULATION_MEASURES
from anonopt.measures.lattice.privacy import PRIVACY_MEASURES
from anonopt.measures.lattice.worst_column import (
    SEPARATOR,
    WorstColumn,
    of_columns,
    of_one_column,
)
from anonopt.measures.measure import KINDS, Measure
from anonopt.measures.suppressed_cells import CELL_MEASURES


def _entry(name: str, measure: Measure) -> Measure:
    """Entry of a measure that is registered."""
    if not isinstance(measure, Measure) or measure.name != name:
        raise TypeError(f"measure {name!r}: expected a Measure of that name, found {measure!r}")
    return measure


BUILT_IN = (
    PRIVACY_MEASURES,
    DISCLOSURE_MEASURES,
    POPULATION_MEASURES,
    LOSS_MEASURES,
    FIGURES,
    CELL_MEASURES,
)

MEASURES: Registry[Measure] = Registry(
    "measures",
    "measure",
    {measure.name: measure for part in BUILT_IN for measure in part},
    make=_entry,
)
"""Every measure that has a name; contract tests, docs and the command line read this."""


def get_measure(measure: str | Measure, of: str | None = None) -> Measure:
    """Look a measure up by name; a `Measure` is returned as it is.

    Parameters
    ----------
    measure : str or Measure
        Of nodes there are, beside the measures that are listed, those of one of several sensitive
        columns, such as ``"l:occupation"``. Of graphs there are also ``DR_`` and the name of an
        attribute, and ``DR_topics``: the risk where an attacker knows these alone.
    of : str, optional
        What is to be measured, see `Measure`.

    Raises
    ------
    ValueError
        If no measure has that name (lists the nearest names), or it is of something else.
    TypeError
        If it is neither a name nor a `Measure`.

    Examples
    --------
    >>> get_measure("k").maximize, get_measure("glm").direction
    (True, 'min')
    >>> get_measure("DR_location", of="graph").unit
    'percent'
    >>> get_measure("PIL", of="file")
    Traceback (most recent call last):
        ...
    ValueError: measure 'PIL': expected one of 'file', found one of 'numeric file'; did ...
    """
    if not isinstance(measure, str | Measure):
        raise TypeError(f"measure: expected a name or a Measure, found {measure!r}")
    found = _by_name(measure) if isinstance(measure, str) else measure
    if found is None:
        raise ValueError(unknown("measure", measure, MEASURES if of is None else _names_of(of)))
    if of is None:
        return found
    if of not in found.of or not (found.function(of) or is_figure(found)):
        raise ValueError(
            f"measure {found.name!r}: expected one of {of!r}, found one of "
            f"{', '.join(map(repr, found.of))}; {suggestion(found.name, _names_of(of))}"
        )
    return found


def measure_names(of: str | None = None) -> list[str]:
    """Names of the measures of a kind of thing, or of all; in the order of `list_measures`.

    Raises
    ------
    ValueError
        If there is no such kind.

    Examples
    --------
    >>> measure_names("numeric file")
    ['PIL', 'IL', 'ID', 'DBRL', 'PRL', 'DR', 'score_max', 'score_mean']
    """
    if of is None:
        return list(MEASURES)
    kinds = {kind for measure in MEASURES.values() for kind in measure.of}
    check_choice("of", of, [*KINDS, *sorted(kinds.difference(KINDS))])
    return _names_of(of)


def _names_of(of: str) -> list[str]:
    return [name for name, measure in MEASURES.items() if of in measure.of]


def list_measures(of: str | None = None) -> pd.DataFrame:
    """Tabulate the measures.

    Parameters
    ----------
    of : {"node", "file", "numeric file", "matrix", "equation", "graph"}, optional
        Only those of one kind of thing; or of another kind that a measure is of, such as
        ``"suppressed cells"``.

    Returns
    -------
    DataFrame
        Index: name. Columns: of, direction, unit, range, paper, summary.

    Raises
    ------
    ValueError
        If there is no such kind.

    Examples
    --------
    >>> list_measures().loc["glm", "unit"]
    'cells'
    >>> list_measures(of="graph").index.tolist()
    ['DBIL', 'AAMIL', 'CDIL', 'IL', 'DR']
    """
    columns = ["of", "direction", "unit", "range", "paper", "summary"]
    names = measure_names(of)
    rows = [[getattr(MEASURES[name], column) for column in columns] for name in names]
    table = pd.DataFrame(rows, index=pd.Index(names, name="name"), columns=columns)
    return table.assign(of=table["of"].map(", ".join))


def _by_name(name: str) -> Measure | None:
    found = MEASURES.get(name)
    if found is None and name.startswith(RISK):
        return attribute_risk(name.removeprefix(RISK))
    measure, separator, column = name.partition(SEPARATOR)
    if found is None and separator and measure in MEASURES:
        return of_one_column(MEASURES[measure], column)
    return found


def _reduced(measure: Measure) -> str | tuple[Any, ...]:
    """Pickle a measure of the library, which is one object a process, by its name."""
    if _by_name(measure.name) is measure and (
        measure.name.startswith(RISK) or MEASURES.is_installed(measure.name)
    ):
        return get_measure, (measure.name,)
    own = measure.from_classes
    if isinstance(own, WorstColumn):
        options = (own.measure, own.columns, measure.name, own.text)
        if of_columns(*options) is measure:
            return of_columns, options
    return measure.__reduce_ex__(2)


# Not a method of the class, which would have to know the registry that is made of it.
copyreg.pickle(Measure, _reduced)
