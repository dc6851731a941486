"""The built-in measures by name."""

from __future__ import annotations

import pandas as pd

from anonopt._checks import suggestion
from anonopt.measures.lattice.loss import LOSS_MEASURES
from anonopt.measures.lattice.privacy import PRIVACY_MEASURES
from anonopt.measures.measure import Measure

MEASURES: dict[str, Measure] = {
    measure.name: measure for measure in (*PRIVACY_MEASURES, *LOSS_MEASURES)
}
"""Every built-in measure; contract tests, docs and the command line read this."""


def get_measure(measure: str | Measure) -> Measure:
    """Look a measure up by name; a `Measure` is returned as it is.

    Raises
    ------
    ValueError
        If no measure has that name (lists the nearest names).
    TypeError
        If it is neither a name nor a `Measure`.

    Examples
    --------
    >>> get_measure("k").maximize, get_measure("glm").direction
    (True, 'min')
    """
    if isinstance(measure, Measure):
        return measure
    if not isinstance(measure, str):
        raise TypeError(f"expected the name of a measure or a Measure, found {measure!r}")
    if measure not in MEASURES:
        raise ValueError(f"unknown measure {measure!r}; {suggestion(measure, MEASURES)}")
    return MEASURES[measure]


def list_measures() -> pd.DataFrame:
    """Tabulate the built-in measures.

    Returns
    -------
    DataFrame
        Index: name. Columns: direction, unit, range, summary.

    Examples
    --------
    >>> list_measures().loc["glm", "unit"]
    'cells'
    """
    rows = {
        name: (measure.direction, measure.unit, measure.range, measure.summary)
        for name, measure in MEASURES.items()
    }
    return pd.DataFrame.from_dict(
        rows, orient="index", columns=["direction", "unit", "range", "summary"]
    ).rename_axis("name")
