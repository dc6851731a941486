"""Which measures the engine can tell of nodes whose classes are too many for memory."""

from __future__ import annotations

from anonopt.data import Microdata
from anonopt.evaluation.engine.histogram_measures import is_told
from anonopt.evaluation.engine.values_of_parts import is_of_parts
from anonopt.measures.measure import Measure
from anonopt.sources.large_table import LargeTable


def is_of_all(measure: Measure) -> bool:
    """Whether the classes of a node have to be in memory together for a measure of them.

    Examples
    --------
    >>> from anonopt.measures import get_measure
    >>> [is_of_all(get_measure(name)) for name in ("k", "t", "marketer_risk")]
    [False, False, False]
    """
    return measure.from_statistics is None and not (is_told(measure) or is_of_parts(measure))


def check_engine_measure(table: Microdata, measure: Measure) -> None:
    """Refuse a measure of all classes together of a table whose tuples stay in the engine.

    Raises
    ------
    ValueError
    """
    if isinstance(table, LargeTable) and table.is_in_engine and is_of_all(measure):
        raise ValueError(
            f"measure {measure.name!r}: expected one that follows from parts of the classes "
            f"(per_class, or of_parts), found a function of all of them, and more than "
            f"{table.max_tuples:,} distinct tuples (max_tuples)"
        )
